/**
 * Formats amounts, days and countries in the buyer's language, using the browser's locale data.
 */

/**
 * Formats an amount in minor units exactly: its decimal point is moved in the text, and `Intl` accepts decimal text.
 * Fractions of a minor unit (DP 2.6) are shown, not rounded.
 */
export const amount = (minor: number, currency: string, locale: string): string => {
  const style = { style: "currency", currency } as const
  const places = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2
  const [, sign = "", whole = "0", fine = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(minor)) ?? []
  const digits = whole.padStart(places + 1, "0")
  const at = digits.length - places
  const text = `${sign}${digits.slice(0, at)}.${digits.slice(at)}${fine}`
  return new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: places + fine.length }).format(
    text as `${number}`
  )
}

/** Formats a calendar day, `2026-12-31`, which has no time zone. */
export const day = (text: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`))

export interface Country {
  readonly code: string
  readonly name: string
}

/** These countries with their names, sorted in the language's order. */
export const countries = (codes: ReadonlyArray<string>, locale: string): ReadonlyArray<Country> => {
  const names = new Intl.DisplayNames(locale, { type: "region" })
  const { compare } = new Intl.Collator(locale)
  return codes.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) => compare(a.name, b.name))
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl"]

export interface Locale {
  /** One of the languages with texts. */
  readonly language: string
  /** For amounts and dates: `de-AT` stays Austrian. */
  readonly tag: string
  /** The buyer's likely country; empty if unknown. */
  readonly region: string
}

const TAG = /^([a-z]{2})(?:[-_]([a-z]{2}))?$/i

/** The first of these languages that has texts, otherwise English: `en_GB`, `de`, `fr-fr`. */
export const localeOf = (wishes: ReadonlyArray<string | undefined>): Locale => {
  const read = wishes.flatMap((wish) => {
    const [, language = "", region = ""] = TAG.exec(wish ?? "") ?? []
    return language === "" ? [] : [{ language: language.toLowerCase(), region: region.toUpperCase() }]
  })
  const language = read.find((one) => LANGUAGES.includes(one.language))?.language ?? "en"
  const own = read.find((one) => one.language === language && one.region !== "")?.region
  return {
    language,
    tag: own === undefined ? language : `${language}-${own}`,
    region: read.find(({ region }) => region !== "")?.region ?? ""
  }
}
