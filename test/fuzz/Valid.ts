/**
 * Whether a damaged file is still one that its format allows: each field by the format's own grammar, and all that it states twice
 * equal. Of such a file nobody can know that it was damaged. Written apart from the readers, for the formats where that happens.
 */
import * as Currency from "../../core/money/Currency.ts"

/** `-` of a day that there is; of eight digits, `yyyyMMdd`. */
const isDay = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  const made = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return year !== undefined && made.toISOString().slice(0, 10).replaceAll("-", "") === text
}

const centsIn = (text: string): number => Math.round(Number(text.replace(",", ".")) * 100)

const isEach = <A>(all: ReadonlyArray<A>, is: (one: A) => boolean): boolean => all.every((one) => is(one))

/** Whether one of two things always goes with the same other one. */
const isPaired = (pairs: ReadonlyArray<readonly [string, string]>): boolean => {
  const found = new Map<string, string>()
  return isEach(pairs, ([one, other]) => (found.has(one) ? found : found.set(one, other)).get(one) === other)
}

/** Numbers without a gap, by what they begin with; where more are missing, others may be numbered otherwise. */
const isRow = (numbers: ReadonlyArray<string>): boolean =>
  isEach([...Map.groupBy(new Set(numbers), (one) => one.replace(/\d+$/, "")).values()], (its) => {
    const all = its.map((one) => Number(/\d+$/.exec(one)?.[0]))
    const missing = Math.max(...all) - Math.min(...all) + 1 - all.length
    return missing <= 0 || missing > Math.max(2, Math.floor(all.length / 50))
  })

/** The last one may be without an end. */
const rowsIn = (text: string): ReadonlyArray<string> => text.replace(/\r\n?$/, "").split(/\r\n?|\n/)

const sumsTo0 = (lines: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  lines.reduce((sum, cells) => sum + centsIn(cells[11] ?? "") - centsIn(cells[12] ?? ""), 0) === 0

/** In the form with tabs, and Debit and Credit. */
const plainly = (row: string): string => {
  const cells = row.split(row.includes("\t") ? "\t" : "|")
  const [amount = "", side] = cells.slice(11, 13)
  if (side === "Sens") cells.splice(11, 2, "Debit", "Credit")
  if (side === "D") cells.splice(11, 2, amount, "0,00")
  if (side === "C") cells.splice(11, 2, "0,00", amount)
  return cells.join("\t")
}

const FEC =
  /^JournalCode\tJournalLib\tEcritureNum\tEcritureDate\tCompteNum\tCompteLib\tCompAuxNum\tCompAuxLib\tPieceRef\tPieceDate\tEcritureLib\tDebit\tCredit\tEcritureLet\tDateLet\tValidDate\tMontantdevise\tIdevise$/

const FEC_LINE =
  /^[^\t]+\t[^\t]+\t[A-Z]*\d+\t\d{8}\t\d{3,}\t[^\t]+\t[^\t]*\t[^\t]*\t[^\t]+\t\d{8}\t[^\t]+\t\d+,\d\d?\t\d+,\d\d?\t[A-Z]*\t(?:\d{8})?\t\d{8}\t(?:-?[\d,]+\t[A-Z]{3}|\t)$/

const fec = (text: string): boolean => {
  const [head = "", ...rows] = rowsIn(text).map(plainly)
  if (!FEC.test(head) || !isEach(rows, (row) => FEC_LINE.test(row))) return false
  const lines = rows.map((row) => row.split("\t"))
  const pairs = (one: number, other: number) =>
    isPaired(lines.map((cells) => [cells[one] ?? "", cells[other] ?? ""] as const))
  const entries = [...Map.groupBy(lines, ([journal, , entry, day]) => `${journal} ${entry} ${day}`).values()]
  const journals = [...Map.groupBy(lines, ([journal]) => journal).values()]
  const letters = [...Map.groupBy(lines, (cells) => `${cells[4]} ${cells[6]} ${cells[13]}`)]
  return (
    isEach(lines, ([, , , day = "", account = "", , aux, name, , of = "", , debit, credit, , , valid = ""]) => {
      const isOne = (debit === "0,00") !== (credit === "0,00")
      const isNamed = (aux === "") === (name === "") && (aux === "" || /^4/.test(account))
      return isEach([day, of, valid], isDay) && day.startsWith("2026") && isOne && isNamed
    }) &&
    [pairs(0, 1), pairs(1, 0), pairs(4, 5), pairs(6, 7), pairs(7, 6)].every(Boolean) &&
    isEach(entries, sumsTo0) &&
    isEach(journals, (its) => isRow(its.map((cells) => cells[2] ?? ""))) &&
    isEach(letters, ([key, its]) => key.endsWith(" ") || sumsTo0(its))
  )
}

const DATEV_HEAD =
  /^"EXTF";700;21;[^;]*;(?:13|9);\d{17};;"[A-Z]{2}";"[^"]*";"";\d+;\d+;(\d{4})0101;4;(\d{8});(\d{8});"[^"]*";"";1;0?;0;"EUR";"?"?;"";"?"?;"?"?;"(?:\d\d)?";;;"";""$/

/** Of the columns that say something of money, the names; the others have to be empty. */
const DATEV_NAMES =
  /^Umsatz .ohne Soll.Haben.Kz.;Soll.Haben.Kennzeichen;WKZ.Umsatz;[^;]*;[^;]*;[^;]*;Konto;Gegenkonto .ohne BU.Schlüssel.;[^;]*;Belegdatum;Belegfeld.1;Belegfeld.2;Skonto;[^;]*(?:;.*)?$/i

/** As DATEV's description of the format has it. */
const DATEV_ROW =
  /^\d{1,10},\d\d;"[SH]";"(?:[A-Z]{3})?";;;"";[1-9]\d{3,4};[1-9]\d{3,4};"\d{0,4}";\d{3,4};"[\w$&%*+\-/]{0,36}";"";(?:\d{1,8},\d\d)?;(?:"(?:[^"]|"")*")?(?:;(?:"")?)*$/

const datev = (text: string): boolean => {
  const [head = "", names, ...rows] = rowsIn(text)
  const [, year = "", from = "", to = ""] = DATEV_HEAD.exec(head) ?? []
  if (!isDay(from) || !isDay(to) || !DATEV_NAMES.test(names ?? "") || !isEach(rows, (row) => DATEV_ROW.test(row)))
    return false
  const lines = rows.map((row) => row.split(";").map((cell) => cell.replaceAll('"', "")))
  const asked = lines.filter(
    ([, side, , , , , konto = "", gegen]) => /^1\d{4}$/.test(konto) && side === "S" && gegen === "8400"
  )
  const numbers = asked.map((cells) => cells[10] ?? "").filter((one) => /^RE-\d+$/.test(one))
  return (
    isEach(lines, ([umsatz = "", , currency = "", , , , konto, gegen, , day = ""]) => {
      const written = `${year}${day.padStart(4, "0").slice(2)}${day.padStart(4, "0").slice(0, 2)}`
      const isCurrency = currency === "" || Currency.isCurrency(currency)
      return centsIn(umsatz) > 0 && konto !== gegen && isCurrency && isDay(written) && written >= from && written <= to
    }) &&
    new Set(rows).size === rows.length &&
    isRow(numbers)
  )
}

/** Banks write longer references than the 16 characters of SWIFT. */
const MT940_LINE = /^:61:(\d{6})(\d{4})?(R?[CDE][CD]?)[A-Z]?(\d{1,12},\d{0,2})[NFS][A-Z0-9]{3}[^/]+(?:\/\/.+)?$/

const MT940_TAGS =
  /^:20:.{1,16}\n:25:[\dA-Z/ ]{1,35}\n:28C:\d{1,5}(?:\/\d{1,5})?\n:60F:(?<from>[CD]\d{6}EUR\d+,\d{0,2})\n(?<entries>(?::61:.+\n(?::86:.+\n(?:[^:\n-].*\n)*)?)+):62F:(?<to>[CD]\d{6}EUR\d+,\d{0,2})\n-\n?$/

const isGerman = (text: string): boolean => {
  const fields = text.slice(3).split("?").slice(1)
  const numbers = fields.map((one) => one.slice(0, 2))
  return (
    /^\d{3}\?/.test(text) &&
    isEach(numbers, (one) => /^(?:00|10|2\d|3[0-4]|6[0-3])$/.test(one)) &&
    new Set(numbers).size === numbers.length &&
    (text.includes("OAMT+") || !text.includes("COAM+"))
  )
}

const mt940 = (text: string): boolean => {
  const { entries = "", from = "", to = "" } = MT940_TAGS.exec(text)?.groups ?? {}
  const signed = (written: string) => (written.startsWith("C") ? 1 : -1) * centsIn(written.slice(10))
  const days = [from, to].map((one) => `20${one.slice(1, 7)}`)
  const lines = [...entries.matchAll(/^:61:.*$/gm)].map(([line]) => MT940_LINE.exec(line))
  let sum = signed(from)
  for (const line of lines) {
    const [, value = "", booked = "", mark = "", amount = ""] = line ?? []
    if (line === null || !/^(?:R?[CD]|E[CD])$/.test(mark) || !isDay(`20${value}`)) return false
    if (booked !== "" && !isDay(`2024${booked}`)) return false
    if (!mark.startsWith("E")) sum += (mark === "C" || mark === "RD" ? 1 : -1) * centsIn(amount)
  }
  const details = [...entries.matchAll(/^:86:(.*(?:\n(?!:).*)*)$/gm)].map(([, one = ""]) => one.replaceAll("\n", ""))
  return isEach(days, isDay) && sum === signed(to) && isEach(details, isGerman)
}

/**
 * Of what else may pass. What a debit is for, such as a return or a fee, is stated once, beside balances that are met; so are the
 * currency of an ebInterface, and the codes here.
 */
const ONCE: Readonly<Record<string, (text: string) => boolean>> = {
  camt: (text) =>
    isEach([...text.matchAll(/<RvslInd>(.*?)<\/RvslInd>/gs)], ([, said = ""]) => /^(?:true|false|[01])$/.test(said)),
  norma43: (text) => isEach([...text.matchAll(/^22.*$/gm)], ([row]) => /^\d\d$/.test(row.slice(22, 24))),
  cfonb120: (text) => isEach([...text.matchAll(/^04.*$/gm)], ([row]) => /^(?: {2}|\d\d)$/.test(row.slice(40, 42))),
  bai2: (text) => isEach([...text.matchAll(/^16,([^,]*)/gm)], ([, code = ""]) => /^[1-9]\d\d$/.test(code))
}

/** What an invoice or a credit note of EN 16931 may be (UNTDID 1001). */
const TYPES =
  "71 80 81 82 83 84 102 130 202 203 204 211 218 219 261 262 295 296 308 325 326 331 380 381 382 383 384 385 386 387 388 389 390 393 394 395 396 420 456 457 458 471 472 473 500 501 502 503 527 532 553 575 623 633 751 780 817 870 875 876 877 935"

const isTyped = (text: string): boolean =>
  TYPES.split(" ").includes(/(?:ExchangedDocument>.*?|Invoice)TypeCode>(\d*)</s.exec(text)?.[1] ?? "")

/** Nothing says how many bodies a file has, of which each states its own sums. */
const isItalian = (text: string): boolean =>
  /<TipoDocumento>TD(?:0[1-6]|1[6-9]|2[0-9])</.test(text) &&
  text.split("<FatturaElettronicaBody>").length === text.split("</FatturaElettronicaBody>").length

const WHOLE: Readonly<Record<string, (text: string) => boolean>> = {
  fec,
  datev,
  mt940,
  // Whether it asks for money or gives it back is stated once.
  ubl: isTyped,
  "ubl-credit": isTyped,
  cii: isTyped,
  pdf: isTyped,
  fatturapa: isItalian,
  p7m: isItalian,
  "fatturapa.xml": isItalian,
  // An account that no other statement is of: its balance is held against nothing.
  ofx: (text) => !text.includes("<ACCTID>0123456<"),
  ebinterface: (text) => Currency.isCurrency(/InvoiceCurrency="([^"]*)"/.exec(text)?.[1] ?? "")
}

/** An entry need not be itemised: where all of the details of one are gone, its sum is all that there is. */
const isUnitemised = (text: string): boolean => !/<\/?(?:NtryDtls|TxDtls)\b/.test(text)

/** @param onlyReversals nothing else is lost or changed than money that went back */
export const isValid = (format: string, bytes: Buffer, onlyReversals: boolean): boolean => {
  const text = format === "datev" ? new TextDecoder("windows-1252").decode(bytes) : bytes.toString("latin1")
  if (format === "camt" && isUnitemised(text)) return true
  return WHOLE[format]?.(text) ?? (onlyReversals && ONCE[format]?.(text) === true)
}
