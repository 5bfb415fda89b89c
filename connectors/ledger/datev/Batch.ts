/**
 * Reads DATEV's EXTF files: posting batches (category 21), of which the postings with customers are kept, and lists of customers
 * (category 16). The first line says which it is, the year, the length of accounts, the currency and the chart of accounts.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { facts } from "../../Bytes.ts"
import type { Party } from "../../Document.ts"
import { type Line, lines } from "../../Lines.ts"
import type { ListedFile } from "../../Listed.ts"

/** A posting with a customer. */
export interface Posting {
  readonly file: string
  readonly line: number
  readonly raw: string
  readonly customer: string
  /** The account on the other side. */
  readonly other: string
  readonly day: Day.Day
  /** What the customer owes more; negative for less. An inverted posting (Generalumkehr) has its sign turned already. */
  readonly amount: Decimal.Decimal
  readonly isInverted: boolean
  readonly currency: string
  /** The document: Belegfeld 1. */
  readonly ref: string
  readonly ref2: string
  readonly text: string
  readonly due: Day.Day | undefined
  /** A discount that closes the document together with the payment. */
  readonly discount: Decimal.Decimal
  /** Sachverhalt: 31 interest on arrears, 40 dunning fee. */
  readonly matter: string
}

export interface Refusal {
  readonly line: number
  readonly raw: string
  readonly why: string
  readonly field?: string
}

export interface Batch {
  readonly file: ListedFile
  readonly digest: string
  /** When it was written, as text that sorts. */
  readonly created: string
  readonly chart: "03" | "04"
  /** How many postings with customers it has, and of which days. */
  readonly count: number
  readonly from: string
  readonly to: string
  readonly refused: ReadonlyArray<Refusal>
  readonly customers: ReadonlyMap<string, Party>
}

/** `"EXTF";700;21;…`, also `DTVF`. */
export const isExtf = (head: string): boolean => /^\uFEFF?"?(?:EXTF|DTVF)"?;\d+;"?(?:16|21)"?;/.test(head)

/** The cells of a row; quotes are doubled within quotes. */
export const cellsOf = (row: string): ReadonlyArray<string> => {
  if (!row.includes('"')) return row.split(";").map((cell) => cell.trim())
  return [...`;${row}`.matchAll(/;(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim()
  )
}

const amountOf = (text: string, currency: string): Decimal.Decimal | undefined => {
  const value = Decimal.parse(text.replaceAll(/\.(?=\d{3}(?:\.|,|$))/g, "").replace(",", "."))
  return typeof value === "string" || !Currency.fits(value, currency) ? undefined : value
}

/** `TTMM` or `TMM`, of the year that begins on a day. */
const dayOf = (text: string, year: Day.Day): Day.Day | undefined => {
  const [, day, month] = /^(\d{1,2})(\d{2})$/.exec(text) ?? []
  for (const more of [0, 1]) {
    const made = Day.make(Number(year.slice(0, 4)) + more, Number(month), Number(day))
    if (made !== undefined && made >= year) return made
  }
  return undefined
}

/** `TTMMJJJJ`, or `TTMMJJ` as it is written into Belegfeld 2. */
const dueOf = (text: string): Day.Day | undefined => {
  const [, day, month, year = ""] = /^(\d{2})(\d{2})(\d{2}|\d{4})$/.exec(text) ?? []
  return day === undefined
    ? undefined
    : Day.make(Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day))
}

/** Belegfeld 2 is taken for a due day only if it is one within a year. */
const LONGEST_DAYS = 366

const isDue = (due: Day.Day | undefined, issued: Day.Day): due is Day.Day =>
  due !== undefined && due >= issued && Day.between(issued, due) <= LONGEST_DAYS

/** Customers' accounts are one digit longer than others and begin with 1 to 6; those of suppliers begin with 7 to 9. */
const isCustomer = (account: string, length: number): boolean =>
  account.length === length + 1 && /^[1-6]\d+$/.test(account)

/** Accounts have as many digits as the first line says, and one more for customers and suppliers; zeros in front may be left out. */
const isAccount = (account: string, length: number): boolean =>
  /^\d+$/.test(account) && (account.length <= length || (account.length === length + 1 && account[0] !== "0"))

interface Head {
  readonly category: string
  readonly created: string
  readonly year: Day.Day
  readonly length: number
  readonly currency: string
  readonly chart: string
}

const headOf = (row: string): Head => {
  const cells = cellsOf(row)
  const begins = cells[12] ?? ""
  return {
    category: cells[2] ?? "",
    created: cells[5] ?? "",
    year:
      Day.make(Number(begins.slice(0, 4)), Number(begins.slice(4, 6)), Number(begins.slice(6, 8))) ??
      Day.of("0001-01-01"),
    length: Number(cells[13]) || 4,
    currency: /^[A-Z]{3}$/.test(cells[21] ?? "") ? (cells[21] ?? "") : "EUR",
    chart: cells[26] ?? ""
  }
}

const squash = (text: string): string => text.toLowerCase().replace(/[^a-zäöüß0-9]/g, "")

/** Finds a cell by the beginning of its heading. */
type Cell = (...headings: ReadonlyArray<string>) => string

const cellIn =
  (names: ReadonlyMap<string, number>, cells: ReadonlyArray<string>): Cell =>
  (...headings) => {
    for (const heading of headings) {
      const found = cells[names.get(heading) ?? -1]
      if (found !== undefined && found !== "") return found
    }
    return ""
  }

const partyOf = (cell: Cell): Party => {
  const id = cell("konto")
  const person = `${cell("vornameadressatentypnatürlperson")} ${cell("nameadressatentypnatürlperson")}`.trim()
  const name = cell("nameadressatentypunternehmen") || person || cell("nameadressatentypkeineangabe") || `Debitor ${id}`
  const [land, vatLand, vat] = [cell("land"), cell("euland"), cell("euustidnr")]
  const country = [land, vatLand].find((one) => /^[A-Z]{2}$/.test(one))
  return {
    id,
    name,
    ...(country === undefined ? {} : { country }),
    ...(vat === "" ? {} : { vat: /^[A-Z]{2}/.test(vat) ? vat : `${vatLand}${vat}` })
  }
}

type Found = Posting | Refusal | undefined

const postingOf = (file: string, { number, text: raw }: Line, cell: Cell, head: Head): Found => {
  const bad = (field: string, why: string): Refusal => ({ line: number, raw, field, why })
  const [account, contra] = [cell("konto"), cell("gegenkontoohnebuschlüssel", "gegenkonto")]
  const isOwn = isCustomer(account, head.length)
  for (const [field, text] of [
    ["Konto", account],
    ["Gegenkonto", contra]
  ] as const)
    if (!isAccount(text, head.length))
      return bad(
        field,
        `${JSON.stringify(text)} is neither an account of ${head.length} digits nor a customer's or supplier's of ${head.length + 1}`
      )
  if (!isOwn && !isCustomer(contra, head.length)) return undefined
  const currency = cell("wkzumsatz") || head.currency
  if (!Currency.isCurrency(currency)) return bad("WKZ Umsatz", `${JSON.stringify(currency)} is not a currency`)
  const umsatz = amountOf(cell("umsatzohnesollhabenkz"), currency)
  if (umsatz === undefined)
    return bad("Umsatz", `${JSON.stringify(cell("umsatzohnesollhabenkz"))} is not an amount in ${currency}`)
  const side = cell("sollhabenkennzeichen").toUpperCase()
  if (side !== "S" && side !== "H") return bad("Soll/Haben-Kennzeichen", `${JSON.stringify(side)} is neither S nor H`)
  const day = dayOf(cell("belegdatum"), head.year)
  if (day === undefined)
    return bad("Belegdatum", `${JSON.stringify(cell("belegdatum"))} is not a day of the year from ${head.year}`)
  const discount = cell("skonto") === "" ? 0n : amountOf(cell("skonto"), currency)
  if (discount === undefined) return bad("Skonto", `${JSON.stringify(cell("skonto"))} is not an amount in ${currency}`)
  const isInverted = cell("generalumkehr") === "1"
  const owes = (side === "S") === isOwn ? umsatz : -umsatz
  const second = dueOf(cell("belegfeld2"))
  return {
    file,
    line: number,
    raw,
    customer: isOwn ? account : contra,
    other: isOwn ? contra : account,
    day,
    amount: isInverted ? -owes : owes,
    isInverted,
    currency,
    ref: cell("belegfeld1").replace(/^0$/, ""),
    ref2: cell("belegfeld2"),
    text: cell("buchungstext"),
    due: dueOf(cell("fälligkeit")) ?? dueOf(cell("zugeordnetefälligkeit")) ?? (isDue(second, day) ? second : undefined),
    discount,
    matter: cell("sachverhalt")
  }
}

/** Charts differ in where revenue is: 8000 or 4000. */
const chartOf = ({ chart }: Head, has8000: boolean): "03" | "04" =>
  chart === "03" || chart === "04" ? chart : has8000 ? "03" : "04"

/** @param put takes its postings. Undefined if it is not an EXTF file. */
export const readBatch = async (file: ListedFile, put: (posting: Posting) => void): Promise<Batch | undefined> => {
  const { digest, encoding, mark } = await facts(file.path)
  const [refused, customers] = [[] as Refusal[], new Map<string, Party>()]
  let [count, from, to, has8000] = [0, "", "", false]
  let [head, names, width]: [Head | undefined, Map<string, number> | undefined, number] = [undefined, undefined, 0]
  let isOver = false
  const refuse = ({ number, text }: Line, why: string) => refused.push({ line: number, raw: text, why })
  for await (const batch of lines({ path: file.path, encoding, mark }))
    for (const line of batch) {
      if (isOver || line.text.trim() === "") continue
      if (head === undefined) {
        if (!isExtf(line.text)) return undefined
        head = headOf(line.text)
        continue
      }
      const cells = cellsOf(line.text)
      if (names === undefined) {
        width = cells.length
        names = new Map(cells.map((cell, n) => [squash(cell), n] as const).toReversed())
        if (names.has("konto") && (head.category === "16" || names.has("sollhabenkennzeichen"))) continue
        refuse(line, "the second line does not name the columns; nothing of the file is used")
        isOver = true
        continue
      }
      const cell = cellIn(names, cells)
      if (head.category === "16") {
        customers.set(cell("konto"), partyOf(cell))
        continue
      }
      // A text with a line end in it, or a line that was cut off.
      if (cells.length < Math.min(names.size, 14) || cells.length > width + 1) {
        refuse(line, `it has ${cells.length} cells, and the second line names ${width}`)
        continue
      }
      const found = postingOf(file.name, line, cell, head)
      if (found === undefined) continue
      if ("why" in found) {
        refused.push(found)
        continue
      }
      put(found)
      count++
      if (from === "" || found.day < from) from = found.day
      if (found.day > to) to = found.day
      has8000 ||= found.other.startsWith("8")
    }
  const read = { file, digest, count, from, to, refused, customers }
  return head && { ...read, created: head.created, chart: chartOf(head, has8000) }
}
