/**
 * Parses countries: ISO 3166-1 alpha-2 codes or English names (DP 2.1).
 *
 * Also accepts alpha-3 and numeric codes, because some ledgers use them.
 */
// The package's main module would load the names in all of its languages.
import countries from "i18n-iso-countries/index.js"
import english from "i18n-iso-countries/langs/en.json" with { type: "json" }

countries.registerLocale(english)

const fold = (text: string): string =>
  text
    .replace(/(?<=\S)\s*&\s*(?=\S)/g, " and ")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

/** Common names that are missing from both lists. */
const EVERYDAY: Readonly<Record<string, ReadonlyArray<string>>> = {
  GB: ["U.K.", "England", "Scotland", "Wales", "Northern Ireland"],
  HK: ["Hong Kong SAR"],
  LA: ["Lao PDR"],
  MM: ["Burma"],
  MO: ["Macau"],
  NL: ["Holland"],
  SZ: ["Swaziland"],
  US: ["U.S."],
  VN: ["Viet Nam"]
}

/** Every name and code, folded, with its country; null for a name of two countries, such as Congo. */
const build = (): ReadonlyMap<string, string | null> => {
  const display = new Intl.DisplayNames("en", { type: "region" })
  const index = new Map<string, string | null>()
  for (const [alpha2, names] of Object.entries(countries.getNames("en", { select: "all" }))) {
    for (const name of [...names, display.of(alpha2) ?? "", ...(EVERYDAY[alpha2] ?? [])]) {
      const key = fold(name)
      const known = index.get(key)
      if (key !== "") index.set(key, known === undefined || known === alpha2 ? alpha2 : null)
    }
  }
  for (const alpha2 of Object.keys(countries.getAlpha2Codes())) {
    const numeric = countries.alpha2ToNumeric(alpha2)
    const codes = [alpha2, countries.alpha2ToAlpha3(alpha2), numeric, numeric && String(Number(numeric))]
    for (const key of codes) if (key !== undefined) index.set(fold(key), alpha2)
  }
  return index
}

/** Built on first use: most commands parse no country. */
let index: ReadonlyMap<string, string | null> | undefined

/** The alpha-2 code for a code (alpha-2, alpha-3, numeric) or an English name; undefined if unknown. */
export const parse = (text: string): string | undefined => (index ??= build()).get(fold(text)) ?? undefined

/** The English name of an alpha-2 code. */
export const name = (alpha2: string): string | undefined => countries.getName(alpha2, "en")

/** Every alpha-2 code. */
export const codes = (): ReadonlyArray<string> => Object.keys(countries.getAlpha2Codes())
