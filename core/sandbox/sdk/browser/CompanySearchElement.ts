/**
 * The element `companySearch` (DP 6.2, 6.3): which company the buyer is.
 *
 * Assumptions: the default `country` is that of the page's or the browser's locale, if it is among the options; `companyId`
 * preselects a company and fires no event, because the user has not selected it; a sole trader is reported as the buyer
 * describes it, because the platform, which creates it, provides `owner` and `unique_id` (DP 2.3).
 */
import type { Company } from "./CompanySearch.ts"
import { companyPanel } from "./CompanyPanel.ts"
import { IntegrationError, type Kind } from "./Element.ts"
import { countries } from "./Format.ts"

export interface CompanySearchOptions {
  readonly companyId?: string | undefined
  readonly country?: string | undefined
  readonly countryOptions?: ReadonlyArray<string> | undefined
}

const CODE = /^[A-Z]{2}$/

const mistake = (why: string) => new IntegrationError(`companySearch: ${why}`)

const check = ({ companyId, country, countryOptions }: CompanySearchOptions): void => {
  if (companyId !== undefined && (typeof companyId !== "string" || companyId === "")) {
    throw mistake('companyId is the identifier of a company, like "co-1000".')
  }
  if (countryOptions !== undefined && (!Array.isArray(countryOptions) || countryOptions.length === 0)) {
    throw mistake('countryOptions is a list of country codes, like ["GB", "FR"].')
  }
  for (const code of [...(countryOptions ?? []), ...(country === undefined ? [] : [country])]) {
    if (!CODE.test(code)) throw mistake(`${JSON.stringify(code)} is not a country code of two capital letters.`)
  }
  if (country !== undefined && countryOptions?.includes(country) === false) {
    throw mistake(`the country ${country} is not one of countryOptions.`)
  }
}

export const companySearchKind: Kind<CompanySearchOptions> = {
  name: "companySearch",
  options: ["companyId", "country", "countryOptions"],
  events: ["ready", "failure", "countryInputChange", "companyTypeInputChange", "companySelection"],
  required: [],
  check,
  merge: (before, given) => ({ ...before, ...given }),
  show: async ({ emit, root, session, signal }, { companyId, country, countryOptions }) => {
    const [words, { countries: all }, company] = await Promise.all([
      session.words(signal),
      session.get<{ readonly countries: ReadonlyArray<string> }>("session", {}, signal),
      companyId === undefined
        ? undefined
        : session.get<Company & { readonly country: string }>(`companies/${encodeURIComponent(companyId)}`, {}, signal)
    ])
    const { language, region, tag } = session.locale
    const codes = countryOptions ?? all
    const first = country ?? company?.country ?? (codes.includes(region) ? region : countryOptions?.[0])
    const panel = companyPanel({
      words,
      signal,
      company,
      countries: countries(codes, tag),
      country: first,
      find: async (at, q, ended) => {
        const { matches } = await session.get<{ readonly matches: ReadonlyArray<Company> }>(
          "companies",
          { country: at, q },
          ended
        )
        return matches
      },
      onCountry: (code) => emit("countryInputChange", code),
      onType: (type) => emit("companyTypeInputChange", type),
      onSelection: (selection) => emit("companySelection", selection)
    })
    panel.lang = language
    root.append(panel)
    emit("ready")
  }
}
