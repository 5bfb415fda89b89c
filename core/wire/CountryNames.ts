/**
 * Provides country names in languages other than English. A language is loaded when a configuration needs it.
 */

interface Names {
  readonly default: { readonly countries: { readonly [alpha2: string]: string | ReadonlyArray<string> } }
}

const LANGUAGES: Readonly<Record<string, () => Promise<Names>>> = {
  af: () => import("i18n-iso-countries/langs/af.json", { with: { type: "json" } }),
  am: () => import("i18n-iso-countries/langs/am.json", { with: { type: "json" } }),
  ar: () => import("i18n-iso-countries/langs/ar.json", { with: { type: "json" } }),
  az: () => import("i18n-iso-countries/langs/az.json", { with: { type: "json" } }),
  be: () => import("i18n-iso-countries/langs/be.json", { with: { type: "json" } }),
  bg: () => import("i18n-iso-countries/langs/bg.json", { with: { type: "json" } }),
  bn: () => import("i18n-iso-countries/langs/bn.json", { with: { type: "json" } }),
  br: () => import("i18n-iso-countries/langs/br.json", { with: { type: "json" } }),
  bs: () => import("i18n-iso-countries/langs/bs.json", { with: { type: "json" } }),
  ca: () => import("i18n-iso-countries/langs/ca.json", { with: { type: "json" } }),
  cs: () => import("i18n-iso-countries/langs/cs.json", { with: { type: "json" } }),
  cy: () => import("i18n-iso-countries/langs/cy.json", { with: { type: "json" } }),
  da: () => import("i18n-iso-countries/langs/da.json", { with: { type: "json" } }),
  de: () => import("i18n-iso-countries/langs/de.json", { with: { type: "json" } }),
  dv: () => import("i18n-iso-countries/langs/dv.json", { with: { type: "json" } }),
  el: () => import("i18n-iso-countries/langs/el.json", { with: { type: "json" } }),
  en: () => import("i18n-iso-countries/langs/en.json", { with: { type: "json" } }),
  es: () => import("i18n-iso-countries/langs/es.json", { with: { type: "json" } }),
  et: () => import("i18n-iso-countries/langs/et.json", { with: { type: "json" } }),
  eu: () => import("i18n-iso-countries/langs/eu.json", { with: { type: "json" } }),
  fa: () => import("i18n-iso-countries/langs/fa.json", { with: { type: "json" } }),
  fi: () => import("i18n-iso-countries/langs/fi.json", { with: { type: "json" } }),
  fr: () => import("i18n-iso-countries/langs/fr.json", { with: { type: "json" } }),
  ga: () => import("i18n-iso-countries/langs/ga.json", { with: { type: "json" } }),
  gl: () => import("i18n-iso-countries/langs/gl.json", { with: { type: "json" } }),
  ha: () => import("i18n-iso-countries/langs/ha.json", { with: { type: "json" } }),
  he: () => import("i18n-iso-countries/langs/he.json", { with: { type: "json" } }),
  hi: () => import("i18n-iso-countries/langs/hi.json", { with: { type: "json" } }),
  hr: () => import("i18n-iso-countries/langs/hr.json", { with: { type: "json" } }),
  hu: () => import("i18n-iso-countries/langs/hu.json", { with: { type: "json" } }),
  hy: () => import("i18n-iso-countries/langs/hy.json", { with: { type: "json" } }),
  id: () => import("i18n-iso-countries/langs/id.json", { with: { type: "json" } }),
  is: () => import("i18n-iso-countries/langs/is.json", { with: { type: "json" } }),
  it: () => import("i18n-iso-countries/langs/it.json", { with: { type: "json" } }),
  ja: () => import("i18n-iso-countries/langs/ja.json", { with: { type: "json" } }),
  ka: () => import("i18n-iso-countries/langs/ka.json", { with: { type: "json" } }),
  kk: () => import("i18n-iso-countries/langs/kk.json", { with: { type: "json" } }),
  km: () => import("i18n-iso-countries/langs/km.json", { with: { type: "json" } }),
  ko: () => import("i18n-iso-countries/langs/ko.json", { with: { type: "json" } }),
  ku: () => import("i18n-iso-countries/langs/ku.json", { with: { type: "json" } }),
  ky: () => import("i18n-iso-countries/langs/ky.json", { with: { type: "json" } }),
  lt: () => import("i18n-iso-countries/langs/lt.json", { with: { type: "json" } }),
  lv: () => import("i18n-iso-countries/langs/lv.json", { with: { type: "json" } }),
  mk: () => import("i18n-iso-countries/langs/mk.json", { with: { type: "json" } }),
  ml: () => import("i18n-iso-countries/langs/ml.json", { with: { type: "json" } }),
  mn: () => import("i18n-iso-countries/langs/mn.json", { with: { type: "json" } }),
  mr: () => import("i18n-iso-countries/langs/mr.json", { with: { type: "json" } }),
  ms: () => import("i18n-iso-countries/langs/ms.json", { with: { type: "json" } }),
  mt: () => import("i18n-iso-countries/langs/mt.json", { with: { type: "json" } }),
  nb: () => import("i18n-iso-countries/langs/nb.json", { with: { type: "json" } }),
  nl: () => import("i18n-iso-countries/langs/nl.json", { with: { type: "json" } }),
  nn: () => import("i18n-iso-countries/langs/nn.json", { with: { type: "json" } }),
  no: () => import("i18n-iso-countries/langs/no.json", { with: { type: "json" } }),
  pl: () => import("i18n-iso-countries/langs/pl.json", { with: { type: "json" } }),
  ps: () => import("i18n-iso-countries/langs/ps.json", { with: { type: "json" } }),
  pt: () => import("i18n-iso-countries/langs/pt.json", { with: { type: "json" } }),
  ro: () => import("i18n-iso-countries/langs/ro.json", { with: { type: "json" } }),
  ru: () => import("i18n-iso-countries/langs/ru.json", { with: { type: "json" } }),
  sd: () => import("i18n-iso-countries/langs/sd.json", { with: { type: "json" } }),
  sk: () => import("i18n-iso-countries/langs/sk.json", { with: { type: "json" } }),
  sl: () => import("i18n-iso-countries/langs/sl.json", { with: { type: "json" } }),
  so: () => import("i18n-iso-countries/langs/so.json", { with: { type: "json" } }),
  sq: () => import("i18n-iso-countries/langs/sq.json", { with: { type: "json" } }),
  sr: () => import("i18n-iso-countries/langs/sr.json", { with: { type: "json" } }),
  sv: () => import("i18n-iso-countries/langs/sv.json", { with: { type: "json" } }),
  sw: () => import("i18n-iso-countries/langs/sw.json", { with: { type: "json" } }),
  ta: () => import("i18n-iso-countries/langs/ta.json", { with: { type: "json" } }),
  tg: () => import("i18n-iso-countries/langs/tg.json", { with: { type: "json" } }),
  th: () => import("i18n-iso-countries/langs/th.json", { with: { type: "json" } }),
  tk: () => import("i18n-iso-countries/langs/tk.json", { with: { type: "json" } }),
  tr: () => import("i18n-iso-countries/langs/tr.json", { with: { type: "json" } }),
  tt: () => import("i18n-iso-countries/langs/tt.json", { with: { type: "json" } }),
  ug: () => import("i18n-iso-countries/langs/ug.json", { with: { type: "json" } }),
  uk: () => import("i18n-iso-countries/langs/uk.json", { with: { type: "json" } }),
  ur: () => import("i18n-iso-countries/langs/ur.json", { with: { type: "json" } }),
  uz: () => import("i18n-iso-countries/langs/uz.json", { with: { type: "json" } }),
  vi: () => import("i18n-iso-countries/langs/vi.json", { with: { type: "json" } }),
  zh: () => import("i18n-iso-countries/langs/zh.json", { with: { type: "json" } })
}

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

/** ISO 639-1 codes. */
export const languages: ReadonlyArray<string> = Object.keys(LANGUAGES)

/** Finds the alpha-2 code of a country by its name. */
export type Lookup = (name: string) => string | undefined

/** The names in a language; a name of two countries is left out. */
export const load = async (language: string): Promise<Lookup> => {
  const read = LANGUAGES[language]
  if (read === undefined) throw new RangeError(`there are no names of countries in ${language}`)
  const { countries } = (await read()).default
  const display = new Intl.DisplayNames([language, "en"], { type: "region" })
  const index = new Map<string, string | null>()
  for (const [alpha2, names] of Object.entries(countries)) {
    for (const name of [names, display.of(alpha2) ?? ""].flat()) {
      const key = fold(name)
      const known = index.get(key)
      if (key !== "") index.set(key, known === undefined || known === alpha2 ? alpha2 : null)
    }
  }
  return (name) => index.get(fold(name)) ?? undefined
}
