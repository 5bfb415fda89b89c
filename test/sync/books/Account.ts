/**
 * An account and the files that its bank lets its owner have, seen from outside: statements that overlap, in two formats, whose
 * references begin anew; intraday reports that are overwritten, and stay in part; two statements of one day; files that are read
 * again under another name. What is true is known, so that nothing may be there twice, and nothing may be missing.
 */
import type { Dice } from "../../simulation/Dice.ts"

export interface True {
  readonly day: number
  readonly cents: number
  readonly payer: string
  readonly text: string
  /** The day that an intraday report has. */
  readonly interim: number
}

const PAYERS = [
  "Meyer",
  "Müller & Söhne GmbH",
  "MUELLER UND SOEHNE VERWALTUNGSGESELLSCHAFT MBH",
  "Schulz AG",
  "Schulz-Hansen",
  "Otto",
  "Bäckerei am Großen Tor",
  "Ateliers réunis",
  "Werkzeugbau Kirsch & Sohne Nord"
]

const AMOUNTS = [900, 4900, 4900, 4900, 10_000, 11_900, 40_000, 123_456]

export const DAYS = 70

/** What comes in and goes out in some weeks, with twins on some days. */
export const movements = (dice: Dice): ReadonlyArray<True> => {
  const all: Array<True> = []
  for (let day = 0; day < DAYS; day++)
    for (let n = dice.below(4); n > 0; n--) {
      const payer = dice.of(PAYERS) ?? ""
      const text = dice.chance(0.3) ? "" : dice.chance(0.3) ? "Miete" : `INV-${1000 + dice.below(400)} danke`
      const cents = (dice.of(AMOUNTS) ?? 0) * (dice.chance(0.08) ? -1 : 1)
      const one = { day, cents, payer, text, interim: dice.chance(0.06) ? Math.max(0, day - 1 - dice.below(2)) : day }
      all.push(one)
      if (dice.chance(0.12)) all.push(one)
    }
  // Which of two twins an intraday report has is not known before the statement is there.
  const isTwin = (one: True) =>
    all.some((other) => other !== one && isAlike(one, other) && Math.abs(one.day - other.day) < 6)
  return all.map((one) => (isTwin(one) ? { ...one, interim: one.day } : one))
}

const isAlike = (one: True, other: True): boolean => one.cents === other.cents && one.payer === other.payer

export const dayOf = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

const amount = (cents: number): string => (Math.abs(cents) / 100).toFixed(2)

const escaped = (text: string): string => text.replaceAll("&", "&amp;")

export interface Statement {
  readonly kind: "052" | "053"
  readonly opening?: number
  readonly entries: ReadonlyArray<True>
  /** Written as references, which begin anew with each statement. */
  readonly isNumbered: boolean
}

export const camt = ({ entries, isNumbered, kind, opening }: Statement): string => {
  const [body, one] = kind === "053" ? ["BkToCstmrStmt", "Stmt"] : ["BkToCstmrAcctRpt", "Rpt"]
  const closing = (opening ?? 0) + entries.reduce((sum, { cents }) => sum + cents, 0)
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount(cents)}</Amt><CdtDbtInd>${cents < 0 ? "DBIT" : "CRDT"}</CdtDbtInd></Bal>`
  const entry = (
    { cents, day, interim, payer, text }: True,
    n: number
  ) => `<Ntry><Amt Ccy="EUR">${amount(cents)}</Amt><CdtDbtInd>${cents < 0 ? "DBIT" : "CRDT"}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${dayOf(kind === "052" ? interim : day)}</Dt></BookgDt>
${isNumbered ? `<AcctSvcrRef>${String(n + 1).padStart(8, "0")}</AcctSvcrRef>` : ""}<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${escaped(payer)}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.02"><${body}><${one}><Id>S</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
${opening === undefined ? "" : balance("OPBD", opening) + balance("CLBD", closing)}${entries.map(entry).join("\n")}</${one}></${body}></Document>`
}

/** As banks wrote it before there was Unicode: upper case, and names that are cut off after 27 letters. */
const plain = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll("Ä", "AE")
    .replaceAll("Ö", "OE")
    .replaceAll("Ü", "UE")
    .normalize("NFKD")
    .replaceAll("ß", "SS")
    .replace(/[^A-Z0-9 .,/-]/g, (one) => (one === "&" ? "+" : ""))

export const mt940 = ({ entries, opening = 0 }: Statement, number: number): string => {
  const closing = opening + entries.reduce((sum, { cents }) => sum + cents, 0)
  const balance = (cents: number) => `${cents < 0 ? "D" : "C"}260101EUR${amount(cents).replace(".", ",")}`
  const lines = entries.flatMap(({ cents, day, payer, text }) => [
    `:61:${dayOf(day).slice(2).replaceAll("-", "")}${dayOf(day).slice(5).replace("-", "")}${cents < 0 ? "D" : "C"}${amount(cents).replace(".", ",")}N051NONREF`,
    `:86:166?00GUTSCHRIFT${text === "" ? "" : `?20${plain(text)}`}?32${plain(payer).slice(0, 27)}`
  ])
  return [
    ":20:START",
    ":25:12030000/202051",
    `:28C:${number}/1`,
    `:60F:${balance(opening)}`,
    ...lines,
    `:62F:${balance(closing)}`,
    "-",
    ""
  ].join("\r\n")
}
