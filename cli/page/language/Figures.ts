/** Writes counts, amounts and days as the page's reader does. The digits are those of the exact amount: no number holds it. */
import * as Currency from "../../../core/money/Currency.ts"
import type * as Decimal from "../../../core/money/Decimal.ts"
import * as Plural from "../../../core/Plural.ts"
import { type Language, language } from "./Language.ts"
import { monthName } from "../../render/CoverReportView.ts"
import { term } from "./Texts.ts"

interface Customs {
  readonly group: string
  readonly decimal: string
  /** Between an amount and its currency. */
  readonly space: string
  readonly day: (year: string, month: string, day: string) => string
  readonly isOne: (n: number) => boolean
}

const part = (language: Language, type: Intl.NumberFormatPartTypes): string =>
  new Intl.NumberFormat(language).formatToParts(1_234_567.5).find((one) => one.type === type)?.value ?? ""

const customsOf = (language: Exclude<Language, "en">, day: Customs["day"]): Customs => {
  const rules = new Intl.PluralRules(language)
  return {
    group: part(language, "group"),
    decimal: part(language, "decimal"),
    space: "\u00a0",
    day,
    isOne: (n) => rules.select(n) === "one"
  }
}

/** Made when they are needed: loading locales takes as long as starting. */
const CUSTOMS: Readonly<Record<Exclude<Language, "en">, () => Customs>> = {
  de: () => customsOf("de", (year, month, day) => `${day}.${month}.${year}`),
  fr: () => customsOf("fr", (year, month, day) => `${day}/${month}/${year}`)
}
const made = new Map<Language, Customs>()

const customs = (): Customs | undefined => {
  const to = language()
  if (to === "en") return undefined
  const own = made.get(to) ?? CUSTOMS[to]()
  made.set(to, own)
  return own
}

/** `1,234.50 GBP`, as the program writes it elsewhere, as the reader writes it. */
const FIGURE = /^([-+−]?)(\d{1,3}(?:,\d{3})*)(?:\.(\d+))?(?: ([A-Z]{3}))?$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** A figure or a day that was written elsewhere; another text stays as it is. */
export const figure = (text: string): string => {
  const own = customs()
  if (own === undefined) return text
  const [, year, month = "", day = ""] = DAY.exec(text) ?? []
  if (year !== undefined) return own.day(year, month, day)
  const [, sign, integer, rest, currency] = FIGURE.exec(text) ?? []
  return integer === undefined
    ? text
    : `${sign}${integer.replaceAll(",", own.group)}${rest === undefined ? "" : own.decimal + rest}${currency === undefined ? "" : own.space + currency}`
}

/** `1,234.50 GBP`; without a currency, the number alone. */
export const amountText = (amount: Decimal.Decimal, currency = ""): string => figure(Currency.say(amount, currency))

/** `12,345` */
export const grouped = (n: number | bigint): string => figure(Plural.grouped(n))

/** `1 invoice`, `2 invoices`: catalogues have `invoice` and `invoices`. */
export const plural = (n: number, one: string, many = `${one}s`): string => {
  const own = customs()
  return own === undefined ? Plural.plural(n, one, many) : `${grouped(n)}\u00a0${term(own.isOne(n) ? one : many)}`
}

/** `2026-11-21T08:00` to the minute or the second, without the letter. */
export const instantText = (instant: string): string => `${figure(instant.slice(0, 10))} ${instant.slice(11)}`

/** `November 2026` of `2026-11`. */
export const monthText = (month: string): string =>
  language() === "en"
    ? monthName(month)
    : new Intl.DateTimeFormat(language(), { month: "long", year: "numeric", timeZone: "UTC" }).format(
        new Date(`${month}-01T00:00Z`)
      )

/** `1,234.50` of `1234.50` */
export const groupText = (amount: string): string => figure(Currency.group(amount))

/** A plain amount in a field: with the reader's decimal mark. */
export const fieldText = (plain: string): string => plain.replace(".", customs()?.decimal ?? ".")

/** `11-21` of `2026-11-21`, for where there is little room. */
export const shortDay = (day: string): string =>
  (customs()?.day("", day.slice(5, 7), day.slice(8)) ?? day.slice(5)).replace(/\/$/, "")
