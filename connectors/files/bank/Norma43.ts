/**
 * Reads Norma 43 (the Spanish banks' Cuaderno 43): records of 80 columns. Columns as in the AEB's Cuaderno 43 (June 2012) and in
 * github.com/OCA/l10n-spain (account_statement_import_n43).
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { amountIn, balanceOf, columns, dayIn, trimmed } from "./Columns.ts"
import { spanish } from "./Account.ts"
import { type Entry, Fault, referenceIn } from "./Entry.ts"
import { fixed, type Movement, type Totals } from "./Fixed.ts"

const PLACES = 2

/** ISO 4217's numbers, as the records state currencies. */
const CURRENCIES: Readonly<Record<string, string>> = {
  "978": "EUR",
  "840": "USD",
  "826": "GBP",
  "756": "CHF",
  "392": "JPY",
  "752": "SEK",
  "578": "NOK",
  "208": "DKK",
  "985": "PLN",
  "484": "MXN",
  "504": "MAD"
}

/** The common concept of returned and unpaid items. */
const UNPAID = "14"

/** A sign column (1: debit), and an amount behind it. */
const signed = (record: string, column: number, currency: string): Decimal => {
  const amount = amountIn(columns(record, column + 1, column + 14), PLACES, currency, "balance")
  // Some write 0 instead of 2 (credit).
  return columns(record, column, column) === "1" ? -amount : amount
}

const entry = ({ details, record }: Movement, currency: string): Omit<Entry, "nth" | "line" | "raw"> => {
  const concept = columns(record, 23, 24)
  const sign = columns(record, 28, 28)
  if (!/[12]/.test(sign)) throw new Fault("sign", "it does not say which way money goes (column 28)")
  const credit = sign === "2"
  const text = [
    ...details.flatMap((detail) => [trimmed(detail, 5, 42), trimmed(detail, 43, 80)]),
    trimmed(record, 53, 64),
    trimmed(record, 65, 80)
  ].reduce(
    (all, one) => (one === "" || /^0+$/.test(one) || ` ${all} `.includes(` ${one} `) ? all : `${all} ${one}`.trim()),
    ""
  )
  const reversal = !credit && concept === UNPAID
  return {
    credit,
    amount: amountIn(columns(record, 29, 42), PLACES, currency, "amount"),
    currency,
    booked: true,
    ...present({ day: dayIn(columns(record, 11, 16), "ymd"), reference: referenceIn(trimmed(record, 43, 52)) }),
    reversal,
    code: concept,
    text,
    payer: {},
    ...(reversal && text !== "" ? { collected: { reference: text } } : {})
  }
}

/** The counts and sums of debits and credits, and the currency. */
const wrong = (record: string, { credit, credits, debit, debits }: Totals, head: string): string | undefined => {
  const stated = Number(columns(record, 21, 25)) + Number(columns(record, 40, 44))
  if (stated !== debits + credits) return `it has ${debits + credits} movements, and its totals (33) say ${stated}`
  const number = columns(head, 48, 50)
  if (columns(record, 74, 76) !== number) return `it begins in currency ${number}, and ends in another (33)`
  const currency = CURRENCIES[number] ?? number
  const is = (from: number, sum: Decimal) =>
    balanceOf(() => amountIn(columns(record, from, from + 13), PLACES, currency, "total"), currency)?.amount === sum
  return is(26, debit) && is(45, credit) ? undefined : "its debits and credits do not come to its totals (33)"
}

export const norma43 = fixed({
  name: "Norma 43",
  codes: { begin: "11", movement: "22", detail: "23", end: "33", others: ["24", "00"] },
  owner: (record) => (record.startsWith("22") ? undefined : columns(record, 3, 20)),
  head: (record) => {
    const number = columns(record, 48, 50)
    return {
      account: spanish(trimmed(record, 3, 20)),
      written: trimmed(record, 3, 20),
      currency: CURRENCIES[number] ?? number,
      ...present({ from: dayIn(columns(record, 21, 26), "ymd"), to: dayIn(columns(record, 27, 32), "ymd") })
    }
  },
  opening: (record, currency) => balanceOf(() => signed(record, 33, currency), currency),
  closing: (record, currency) => balanceOf(() => signed(record, 59, currency), currency),
  entry,
  wrong,
  last: {
    code: "88",
    // Banks count the last record, or do not.
    says: (record, records) =>
      [records, records + 1].includes(Number(columns(record, 21, 26)))
        ? undefined
        : `its last record (88) counts ${Number(columns(record, 21, 26))} records, and it has ${records}: if the file was edited, get it from the bank again`
  }
})
