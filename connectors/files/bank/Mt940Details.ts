/**
 * Reads the `:86:` field of MT940: German banks write a code and numbered fields, Dutch banks keywords between slashes,
 * others plain text. The start of the field shows which.
 */
import * as Decimal from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { type Entry, referenceIn } from "./Entry.ts"

export interface Details extends Pick<Entry, "payer" | "text" | "trace" | "original" | "reason"> {
  /** The bank's transaction code. */
  readonly code: string
  readonly returned: boolean
  /** What the bank charges beside the amount that went back. */
  readonly charges?: Decimal.Decimal
  readonly isStructured: boolean
}

/** Length of a full line and of a full numbered field; a shorter one ends a word. */
const LINE_CHARACTERS = 65
const FIELD_CHARACTERS = 27

const joined = (parts: ReadonlyArray<string>, whole: number): string =>
  parts
    .map((part, n) => (n < parts.length - 1 && part.length < whole ? `${part} ` : part))
    .join("")
    .replace(/\s+/g, " ")
    .trim()

/** How German banks begin it. */
export const CODED = /^(\d{3})([^\w\s\p{Cc}])\d{2}/u

export const detailsOf = (lines: ReadonlyArray<string>): Details => {
  const together = lines.join("")
  const [, code, mark] = CODED.exec(together) ?? []
  if (code !== undefined && mark !== undefined) return german(together, code, mark)
  if (/^\/[A-Z]{3,4}\//.test(together)) return slashed(together)
  const text = joined(lines, LINE_CHARACTERS)
  return { code: "", text, payer: {}, returned: false, isStructured: text !== "", ...chargedIn(worded(text, WORDS)) }
}

/** German bank codes: a returned direct debit, and a returned credit transfer. */
const RETURNS = ["108", "109", "159"]

/** Keywords of German banks in the remittance information of SEPA payments. */
const WORDS = /(?:^|(?<=\s|[a-zA-Z0-9]))(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|RREF|PURP|MDAT)[+:]/g

/** Splits a text at keywords; text before the first keyword is under the empty key. */
const worded = (text: string, words: RegExp): ReadonlyMap<string, string> => {
  const found = [...text.matchAll(words)]
  const parts = new Map([["", text.slice(0, found[0]?.index ?? text.length).trim()]])
  found.forEach(({ 0: all, 1: word = "", index }, n) => {
    parts.set(word, text.slice(index + all.length, found[n + 1]?.index ?? text.length).trim())
  })
  return parts
}

const german = (text: string, code: string, mark: string): Details => {
  const fields = new Map<number, string>()
  let last: number | undefined
  for (const part of text.slice(3).split(mark)) {
    const [, number, value = ""] = /^(\d{2})(.*)$/s.exec(part) ?? []
    // The separator may also occur within a text.
    if (number !== undefined) fields.set((last = Number(number)), value)
    else if (last !== undefined) fields.set(last, `${fields.get(last)}${mark}${part}`)
  }
  const between = (from: number, to: number) =>
    [...fields].flatMap(([n, value]) => (n >= from && n <= to ? [value] : []))
  const remittance = joined([...between(20, 29), ...between(60, 63)], FIELD_CHARACTERS)
  const words = worded(remittance, WORDS)
  const trace = referenceIn(words.get("EREF"))
  const name = (words.get("ABWA") ?? joined(between(32, 33), FIELD_CHARACTERS)).trim()
  const reasonCode = /\b([A-Z]{2}\d{2})\b/.exec(words.get("SVWZ") ?? remittance)?.[1]
  const returned = RETURNS.includes(code)
  return {
    code,
    text: [words.get("") ?? "", words.get("SVWZ") ?? "", trace ?? ""].filter((one) => one !== "").join(" "),
    payer: present({ name: name || undefined, account: fields.get(31)?.trim() || undefined }),
    ...present({ trace }),
    ...chargedIn(words),
    ...(returned && reasonCode !== undefined ? { reason: { code: reasonCode } } : {}),
    returned,
    isStructured: true
  }
}

const chargedIn = (words: ReadonlyMap<string, string>) =>
  present({ original: moneyIn(words.get("OAMT")), charges: moneyIn(words.get("COAM")) })

/** Parses `EUR 119,00` or `119.00`. */
const moneyIn = (text: string | undefined): Decimal.Decimal | undefined => {
  const digits = /\d+(?:[.,]\d+)?/.exec(text ?? "")?.[0]
  const amount = digits === undefined ? "" : Decimal.parse(digits.replace(",", "."))
  return typeof amount === "string" ? undefined : amount
}

const SLASHED =
  /\/(TRTP|IBAN|BIC|NAME|REMI|EREF|CNTP|ORDP|BENM|RTRN|MARF|CSID|ISDT|PREF|TRCD|PURP|SVCL|OAMT|ULTC|ULTD|ID|ADDR|INST|RREF)\//g

const slashed = (text: string): Details => {
  const words = new Map([...worded(text, SLASHED)].map(([word, said]) => [word, said.replace(/(?<!\/)\/+$/, "")]))
  const [account = "", , name = ""] = (words.get("CNTP") ?? "").split("/")
  const trace = referenceIn(words.get("EREF"))
  const code = /^[A-Z]{2}\d{2}/.exec(words.get("RTRN") ?? "")?.[0]
  const said = (words.get("REMI") ?? "").replace(/^(?:USTD|STRD)\/(?:\/|CUR\/|ISO\/)?/, "")
  return {
    code: words.get("TRCD") ?? words.get("TRTP") ?? "",
    text: [said, trace ?? ""].filter((one) => one !== "").join(" "),
    payer: present({
      name: (words.get("NAME") ?? name) || undefined,
      account: (words.get("IBAN") ?? account) || undefined
    }),
    ...present({ trace, reason: code === undefined ? undefined : { code } }),
    returned: words.has("RTRN"),
    isStructured: true
  }
}
