/** Formats amounts and days as in the country of a document's reader. */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type * as Day from "../../../core/wire/Day.ts"
import { tidied } from "./Layout.ts"

/** The country's main language, with digits and calendar that every bank can read. */
const localeOf = (country: string | undefined): string => {
  try {
    const { language, region } = new Intl.Locale(`und-${country ?? "GB"}`).maximize()
    return `${language}-${region}-u-ca-gregory-nu-latn`
  } catch {
    return "en-GB"
  }
}

export interface Formats {
  readonly amount: (amount: Decimal.Decimal) => string
  readonly day: (day: Day.Day) => string
}

export const formatsOf = (country: string | undefined, currency: string): Formats => {
  const locale = localeOf(country)
  const digits = Currency.decimals(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: Decimal.DECIMAL_PLACES }
  const numbers = new Intl.NumberFormat(locale, { ...fraction, useGrouping: "always" })
  const days = new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "UTC" })
  return {
    // Passed as text, which is formatted exactly.
    amount: (amount) => shown(numbers.format(Currency.format(amount, currency) as `${number}`)),
    day: (day) => shown(days.format(new Date(`${day}T00:00:00Z`)))
  }
}

/** Without direction marks, which some locales put around digits. */
const shown = (text: string): string => tidied(text.replace(/[\u200e\u200f\u061c]/g, ""))
