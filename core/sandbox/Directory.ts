/**
 * Fictional companies, and what is decided about each: nothing, or one rejection code of II 2.8. Decisions are
 * deterministic, so that a test that wants a refusal names the company that gets it.
 */
import * as Country from "../wire/Country.ts"

export interface Decision {
  readonly code: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Listed {
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly reg_number: string
  readonly vat_number: string | null
  decision: Decision | null
  credit_limit: { readonly currency: string; readonly amount: string } | null
}

/** II 2.8: the codes, the params that fill their sentence, and a value for each. */
const CODES: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
  ["seller-country", { creditor_country: "BR" }],
  ["seller-profile", {}],
  ["seller-status", { creditor_status: "Dissolved" }],
  ["seller-accounts", { creditor_accounts_type: "dormant" }],
  ["seller-country-subdivision", { public_subdivision: "Sark" }],
  ["seller-too-young", { MIN_CREATION_YEARS: 2 }],
  ["seller-accounts-overdue", { MAX_ACCOUNTS_OVERDUE_MONTHS: 3 }],
  ["seller-accounts-too-old", { MAX_AGE_LATEST_FINANCIALS: 24 }],
  ["seller-invoices-overdue", {}],
  ["seller-too-young-on-platform", { platform_name: "Sandbox", customer_min_registration_days: 30 }],
  ["seller-sector", {}],
  ["seller-company-type", { legal_form: "Charity" }],
  ["seller-limit", {}],
  ["buyer-too-young", { MIN_CREATION_YEARS: 2 }],
  ["buyer-country", { debtor_country: "BR" }],
  ["buyer-profile", {}],
  ["buyer-status", { debtor_status: "Dissolved" }],
  ["buyer-company-type", { legal_form: "Charity" }],
  ["buyer-overdue-with-seller", { OVERDUE_DAYS: 30 }],
  ["buyer-accounts", { accounts_type: "dormant" }],
  ["buyer-accounts-overdue", { MAX_ACCOUNTS_OVERDUE_MONTHS: 3 }],
  ["buyer-accounts-too-old", { MAX_AGE_LATEST_FINANCIALS: 24 }],
  ["buyer-country-subdivision", { public_subdivision: "Sark" }],
  ["buyer-size", { company_size: "micro" }],
  ["buyer-pre-approved", { platform_name: "Sandbox" }],
  ["buyer-limit", {}],
  ["buyer-no-financials", {}],
  ["buyer-uncreditworthy", {}],
  ["buyer-high-risk", {}],
  ["buyer-high-risk-long-term", { max_term: 30 }],
  ["buyer-sector", {}],
  ["buyer-risk-appetite", { tx_currency: "GBP", debtor_risk_appetite: "0" }],
  ["common-parent", {}],
  ["connected-companies", {}],
  ["invoice-currency", { tx_currency: "XAF" }],
  ["invoice-too-early", { future_dated_limit_days: 14 }],
  ["invoice-too-late", { today: "2024-01-01", tx_due_date: "2023-01-01" }],
  ["invoice-too-large", { website_email: "help@sandbox.example" }],
  ["invoice-profile", {}],
  ["invoice-remaining-terms", { credit_terms_days: 3 }],
  ["invoice-credit-terms", { credit_terms_days: 200, MAX_CREDIT_TERMS_DAYS: 120 }],
  ["sector-accum-limit", {}]
]

const GOOD: ReadonlyArray<readonly [string, string]> = [
  ["Harbour Lane Bakery Ltd", "GB"],
  ["Brightwater Foods Ltd", "GB"],
  ["Northfield Tools Ltd", "GB"],
  ["Maison Verlaine SAS", "FR"],
  ["Bergmann Maschinenbau GmbH", "DE"],
  ["Van den Berg Bloemen BV", "NL"]
]

const builtIn = (): ReadonlyArray<Listed> => [
  ...GOOD.map(([name, country], i) => listed(`co-${1000 + i}`, name, country, String(10_000_000 + i), null)),
  ...CODES.map(([code, params], i) =>
    listed(`co-${2000 + i}`, `Declined ${title(code)} Ltd`, "GB", String(20_000_000 + i), { code, params })
  )
]

const title = (code: string): string =>
  code
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ")

const listed = (id: string, name: string, country: string, reg_number: string, decision: Decision | null): Listed => ({
  id,
  name,
  country,
  reg_number,
  vat_number: `${country}${reg_number}`,
  decision,
  credit_limit: null
})

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

export class Directory {
  #companies = new Map<string, Listed>()
  #names = new Map<string, Array<Listed>>()
  #added = 0

  constructor() {
    this.reset()
  }

  reset(): void {
    this.#companies = new Map()
    this.#names = new Map()
    this.#added = 0
    for (const company of builtIn()) this.#put(company)
  }

  #put(company: Listed): void {
    this.#companies.set(company.id, company)
    const name = fold(company.name)
    this.#names.set(name, [...(this.#names.get(name) ?? []), company])
  }

  get(id: string): Listed | undefined {
    return this.#companies.get(id)
  }

  all(): ReadonlyArray<Listed> {
    return [...this.#companies.values()]
  }

  add(company: Pick<Listed, "name" | "country" | "reg_number" | "vat_number" | "decision" | "credit_limit">): Listed {
    const made = { ...company, id: `co-${9000 + ++this.#added}` }
    this.#put(made)
    return made
  }

  /** Companies as they were when a process before this one stopped. */
  restore(companies: ReadonlyArray<Listed>): void {
    for (const one of companies) {
      const known = this.#companies.get(one.id)
      if (known !== undefined) known.decision = one.decision
      else {
        this.#put(one)
        this.#added++
      }
    }
  }

  /** Company search (DP 4): by registration or VAT number exactly, or by words of the name. Best first. */
  search(query: {
    readonly country: string
    readonly name?: string
    readonly reg_number?: string
  }): ReadonlyArray<readonly [Listed, number]> {
    const within = this.all().filter(({ country }) => country === query.country)
    const number = query.reg_number?.replace(/\s/g, "")
    if (number !== undefined && number !== "") {
      return within
        .filter((one) => one.reg_number === number || one.vat_number === number)
        .map((one) => [one, 1] as const)
    }
    const wanted = fold(query.name ?? "")
    if (wanted === "") return []
    const words = wanted.split(" ")
    return within
      .map((one) => {
        const name = fold(one.name)
        const confidence = name === wanted ? 1 : words.every((word) => name.includes(word)) ? 0.8 : 0
        return [one, confidence] as const
      })
      .filter(([, confidence]) => confidence > 0)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 20)
  }

  /** The one company that raw data names beyond doubt (II 2.5: matched like company search). */
  match(raw: { readonly name?: unknown; readonly country?: unknown; readonly regnum?: unknown }): Listed | undefined {
    const country = typeof raw.country === "string" ? Country.parse(raw.country) : undefined
    if (country === undefined) return undefined
    if (typeof raw.regnum === "string" && raw.regnum !== "") {
      return this.search({ country, reg_number: raw.regnum })[0]?.[0]
    }
    const named =
      typeof raw.name === "string"
        ? (this.#names.get(fold(raw.name)) ?? []).filter((one) => one.country === country)
        : []
    return named.length === 1 ? named[0] : undefined
  }
}

/** A company as the service writes it (DP 2.2). */
export const company = (one: Listed, base: string, confidence?: number) => ({
  url: `${base}/v1/companies/${one.id}`,
  id: one.id,
  name: one.name,
  creation_date: "2009-04-01",
  status: "Active",
  legal_form: "Private limited company",
  country: one.country,
  address: "1 Example Street",
  city: "Exampleton",
  postcode: "EX1 1EX",
  email: "",
  phone: "",
  sectors: [{ system: "SIC2007", code: "46900" }],
  identifiers: [
    { id_type: "reg_number", country: one.country, value: one.reg_number },
    ...(one.vat_number === null ? [] : [{ id_type: "vat_number", country: "", value: one.vat_number }])
  ],
  confidence: confidence ?? null
})
