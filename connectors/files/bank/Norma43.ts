/**
 * Reads Norma 43 (the Spanish banks' Cuaderno 43): records of 80 columns. Columns as in the AEB's Cuaderno 43 (June 2012) and in
 * github.com/OCA/l10n-spain (account_statement_import_n43).
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { amountIn, balanceOf, columns, dayIn, trimmed } from "./Columns.ts"
import { type Entry, Fault, referenceIn } from "./Entry.ts"
import { fixed, type Movement } from "./Fixed.ts"

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
  return columns(record, column, column) === "1" ? -amount : amount
}

const entry = ({ details, record }: Movement, currency: string): Omit<Entry, "nth" | "line" | "raw"> => {
  const concept = columns(record, 23, 24)
  const sign = columns(record, 28, 28)
  if (!/[12]/.test(sign)) throw new Fault("sign", "it does not say which way money goes (column 28)")
  const credit = sign === "2"
  const texts = [
    ...details.flatMap((detail) => [trimmed(detail, 5, 42), trimmed(detail, 43, 80)]),
    trimmed(record, 53, 64),
    trimmed(record, 65, 80)
  ]
  return {
    credit,
    amount: amountIn(columns(record, 29, 42), PLACES, currency, "amount"),
    currency,
    booked: true,
    ...present({ day: dayIn(columns(record, 11, 16), "ymd"), reference: referenceIn(trimmed(record, 43, 52)) }),
    reversal: !credit && concept === UNPAID,
    code: concept,
    text: [...new Set(texts.filter((one) => one !== "" && !/^0+$/.test(one)))].join(" "),
    payer: {}
  }
}

/** The counts of debits and credits. */
const wrong = (record: string, movements: number): string | undefined => {
  const stated = Number(columns(record, 21, 25)) + Number(columns(record, 40, 44))
  return stated === movements
    ? undefined
    : `it has ${movements} movements, and its totals (33) say ${stated}: get the file from the bank again`
}

export const norma43 = fixed({
  name: "Norma 43",
  codes: { begin: "11", movement: "22", detail: "23", end: "33" },
  head: (record) => {
    const number = columns(record, 48, 50)
    return {
      account: trimmed(record, 3, 20),
      currency: CURRENCIES[number] ?? number,
      ...present({ from: dayIn(columns(record, 21, 26), "ymd"), to: dayIn(columns(record, 27, 32), "ymd") })
    }
  },
  opening: (record, currency) => balanceOf(() => signed(record, 33, currency), currency),
  closing: (record, currency) => balanceOf(() => signed(record, 59, currency), currency),
  entry,
  wrong
})
