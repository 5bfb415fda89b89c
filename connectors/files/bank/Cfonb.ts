/**
 * Reads CFONB 120 ("relevé de compte sur support informatique"), which French banks deliver: records of 120 columns, amounts
 * whose last character carries the sign. Columns as in the CFONB's description and in github.com/pennylane-hq/cfonb.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { amountIn, balanceOf, columns, dayIn, trimmed } from "./Columns.ts"
import { type Entry, Fault, referenceIn } from "./Entry.ts"
import { fixed, type Movement } from "./Fixed.ts"

const LENGTH = 120

const POSITIVE = "{ABCDEFGHI"
const NEGATIVE = "}JKLMNOPQR"

/** A record's amount: its last digit and its sign are one character. */
const amountOf = (record: string, currency: string): Decimal => {
  const [text, places] = [columns(record, 91, 104), columns(record, 20, 20)]
  const last = text.at(-1) ?? ""
  const [plus, minus] = [POSITIVE.indexOf(last), NEGATIVE.indexOf(last)]
  if (plus < 0 && minus < 0) throw new Fault("amount", `${JSON.stringify(text)} does not end in a signed digit`)
  if (!/^\d$/.test(places)) throw new Fault("decimals", `${JSON.stringify(places)} is not a number of decimal places`)
  const amount = amountIn(`${text.slice(0, -1)}${Math.max(plus, minus)}`, Number(places), currency, "amount")
  return minus < 0 ? amount : -amount
}

const entry = ({ details, record }: Movement, currency: string): Omit<Entry, "nth" | "line" | "raw"> => {
  const amount = amountOf(record, currency)
  const said = (...qualifiers: ReadonlyArray<string>) =>
    details
      .filter((detail) => qualifiers.includes(columns(detail, 46, 48)))
      .map((detail) => trimmed(detail, 49, 118))
      .filter((text) => text !== "")
  const [name] = said("NPY", "NPO")
  const rejection = columns(record, 41, 42).trim()
  const reason = said("REF").find((text) => /^[A-Z]{2}\d{2}$/.test(text)) ?? referenceIn(rejection)
  const sent = details.find((detail) => columns(detail, 46, 48) === "RCN")
  const trace = referenceIn(sent === undefined ? undefined : columns(sent, 49, 83))
  const labels = said("LIB", "LCC", "LC2", "LCS", "MMO")
  const texts = [trimmed(record, 49, 79), ...labels, trimmed(record, 105, 120), trace ?? ""]
  const text = [...new Set(texts.filter((one) => one !== ""))].join(" ")
  const reversal = amount < 0n && rejection.length === 2
  return {
    credit: amount >= 0n,
    amount: amount < 0n ? -amount : amount,
    currency,
    booked: true,
    ...present({
      day: dayIn(columns(record, 35, 40), "dmy") ?? dayIn(columns(record, 43, 48), "dmy"),
      trace
    }),
    reversal,
    code: columns(record, 33, 34),
    text,
    payer: present({ name }),
    ...(rejection !== "" && reason !== undefined
      ? { reason: { code: reason, ...(reason === rejection ? {} : { text: `rejection code ${rejection}` }) } }
      : {}),
    ...(reversal && text !== "" ? { collected: { reference: text } } : {})
  }
}

export const cfonb = fixed({
  name: "CFONB 120",
  codes: { begin: "01", movement: "04", detail: "05", end: "07", others: [] },
  // The bank's number may be another one in some records, where banks merged.
  owner: (record) => `${columns(record, 12, 19)} ${columns(record, 22, 32)}`,
  head: (record) => ({
    account: `${columns(record, 3, 7)}${columns(record, 12, 16)}${columns(record, 22, 32)}`.trim(),
    currency: columns(record, 17, 19),
    ...present({ from: dayIn(columns(record, 35, 40), "dmy") })
  }),
  opening: (record, currency) => balanceOf(() => amountOf(record, currency), currency),
  closing: (record, currency) => balanceOf(() => amountOf(record, currency), currency),
  entry,
  // Some banks write no ends of lines.
  cut: (line) => (line.length <= LENGTH + 8 ? [line] : (line.match(new RegExp(`.{1,${LENGTH}}`, "gs")) ?? []))
})
