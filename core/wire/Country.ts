/**
 * Countries: ISO 3166-1 alpha-2 codes or English names on input (DP 2.1).
 *
 * Alpha-3 and numeric codes are read as well, because some ledgers write them.
 */
import countries from "i18n-iso-countries"
import english from "i18n-iso-countries/langs/en.json" with { type: "json" }

countries.registerLocale(english)

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

const index = new Map<string, string>()
for (const [alpha2, names] of Object.entries(countries.getNames("en", { select: "all" }))) {
  const codes = [alpha2, countries.alpha2ToAlpha3(alpha2), countries.alpha2ToNumeric(alpha2)]
  for (const key of [...codes, ...names]) if (key !== undefined) index.set(fold(key), alpha2)
  const numeric = countries.alpha2ToNumeric(alpha2)
  if (numeric !== undefined) index.set(String(Number(numeric)), alpha2)
}

/** The alpha-2 code for a code (alpha-2, alpha-3, numeric) or an English name. Undefined when it is none. */
export const parse = (text: string): string | undefined => index.get(fold(text))

/** The English name of an alpha-2 code. */
export const name = (alpha2: string): string | undefined => countries.getName(alpha2, "en")

/** Every alpha-2 code. */
export const codes = (): ReadonlyArray<string> => Object.keys(countries.getAlpha2Codes())
