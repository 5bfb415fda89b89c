/**
 * Reads currencies as people write them: codes, signs, and names in several languages. A sign of several currencies, like $ or
 * kr, is none until somebody says which is meant.
 */
import * as Currency from "../../core/money/Currency.ts"
import { remembered } from "./Remembered.ts"

/** Signs of one currency. */
const OF_ONE: Readonly<Record<string, string>> = {
  "€": "EUR",
  "£": "GBP",
  "₹": "INR",
  "₺": "TRY",
  "₽": "RUB",
  "₩": "KRW",
  "₪": "ILS",
  "₴": "UAH",
  "₦": "NGN",
  R$: "BRL",
  US$: "USD",
  A$: "AUD",
  AU$: "AUD",
  C$: "CAD",
  CA$: "CAD",
  NZ$: "NZD",
  HK$: "HKD",
  S$: "SGD",
  MX$: "MXN",
  zł: "PLN",
  Kč: "CZK",
  Ft: "HUF",
  lei: "RON",
  лв: "BGN",
  fr: "CHF",
  "fr.": "CHF",
  sfr: "CHF",
  "sfr.": "CHF",
  Rs: "INR",
  "Rs.": "INR"
}

/** Signs of several: if a row's currency is another one, its amount is rejected. */
const OF_SEVERAL: Readonly<Record<string, string>> = {
  "¥": "JPY CNY",
  kr: "SEK NOK DKK ISK",
  "kr.": "SEK NOK DKK ISK",
  $:
    "USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUP CVE DOP FJD GYD HKD JMD KYD LRD MOP MXN NAD NIO NZD SBD SGD SRD " +
    "TOP TTD TWD UYU WST XCD",
  // Also the Egyptian, Syrian and other pounds.
  "£": "GBP EGP FKP GIP LBP SDG SHP SSP SYP"
}

/** Matches a sign or a code within a text. */
export const SIGN =
  /(?:US|R|AU|A|CA|C|NZ|HK|MX|S)\$|[£€$¥₹₺₽₩₪₴₦]|(?<!\p{L})(?:kr\.?|zł|Kč|Ft|lei|лв|Rs\.?|[A-Z]{3})(?!\p{L})/gu

const byText = new Map(Object.entries(OF_ONE).map(([sign, code]) => [sign.toLowerCase(), code]))

/** The currencies that a sign or code within an amount may stand for; a code stands for itself. */
export const meantBy = (sign: string): ReadonlyArray<string> => {
  const several = OF_SEVERAL[sign.toLowerCase()]
  if (several !== undefined) return several.split(" ")
  const one = byText.get(sign.toLowerCase())
  return [one ?? sign]
}

const LANGUAGES = ["en", "de", "fr", "nl", "es", "it", "sv", "da", "nb", "pl", "cs", "pt", "fi", "hu"]

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Everyday names, where the full one has the country in it. */
const EVERYDAY: Readonly<Record<string, string>> = {
  euro: "EUR",
  euros: "EUR",
  pound: "GBP",
  pounds: "GBP",
  poundsterling: "GBP",
  sterling: "GBP",
  britishpounds: "GBP",
  usdollar: "USD",
  usdollars: "USD",
  usd: "USD",
  zloty: "PLN",
  swissfrancs: "CHF",
  franken: "CHF",
  schweizerfranken: "CHF"
}

let names: ReadonlyMap<string, string> | undefined

/** By name in any of the languages; made at the first text that is neither a code nor a sign. */
const named = (): ReadonlyMap<string, string> =>
  (names ??= new Map([
    ...LANGUAGES.flatMap((language) => {
      const of = new Intl.DisplayNames([language], { type: "currency" })
      return Intl.supportedValuesOf("currency")
        .filter(Currency.isCurrency)
        .map((code) => [plain(of.of(code) ?? code), code] as const)
    }),
    ...Object.entries(EVERYDAY)
  ]))

/** The currency that a text names, if it is one. */
export const parse: (text: string) => string | undefined = remembered(1000, (text: string) => {
  const code = text.toUpperCase()
  if (Currency.isCurrency(code)) return code
  if (/^[^\p{L}]*$/u.test(text) && OF_SEVERAL[text] === undefined) return OF_ONE[text]
  if (text === "£") return "GBP"
  const known = byText.get(text.toLowerCase()) ?? named().get(plain(text))
  // "Euro - EUR", "USD (US Dollar)".
  const codes = new Set((/\d/.test(text) ? [] : (text.match(/\b[A-Z]{3}\b/g) ?? [])).filter(Currency.isCurrency))
  const [only] = codes
  if (known !== undefined || only === undefined || codes.size > 1) return known
  // "EURO GBP" names two.
  const other = named().get(plain(text.replace(only, "")))
  return other === undefined || other === only ? only : undefined
})

/** The currencies that the signs and codes in a text may stand for; none if it has no sign. */
export const within = (text: string): ReadonlyArray<string> => {
  const [sign, ...others] = new Set([...text.matchAll(SIGN)].map(([sign]) => sign))
  return sign === undefined || others.length > 0 ? [] : meantBy(sign)
}

/**
 * The currency of a cell: a code, a sign or a name, or the sign in an amount.
 *
 * @param own what the table's own signs and names mean
 */
export const read = (own: Readonly<Record<string, string>> = {}) => {
  const said = new Map(Object.entries(own).map(([text, code]) => [text.toLowerCase(), code.toUpperCase()]))
  return remembered(1000, (text: string): string | undefined => {
    const known = said.get(text.toLowerCase()) ?? parse(text)
    if (known !== undefined || !/\d/.test(text)) return known
    const [sign] = [...text.matchAll(SIGN)].map(([one]) => one)
    if (sign === undefined) return undefined
    const [code, ...others] = meantBy(sign)
    return said.get(sign.toLowerCase()) ?? (sign === "£" ? "GBP" : others.length === 0 ? code : undefined)
  })
}
