/**
 * The directory of fictional companies, each with a decision: none, or one rejection code of II 2.8. Decisions are
 * deterministic, so a test that needs a rejection names a company that gets it.
 */
import { hash } from "node:crypto"
import * as Country from "../../wire/Country.ts"
import { type Decision, REJECTIONS } from "../rules/Rejections.ts"

export type { Decision } from "../rules/Rejections.ts"

export interface Listed {
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly reg_number: string
  readonly vat_number: string | null
  decision: Decision | null
  /** The status of its next deferred payments from the checkout element; `accepted` by default. */
  outcome?: string | undefined
  credit_limit: { readonly currency: string; readonly amount: string } | null
  /** Promotional credits, per platform, which are deducted from prices (II 2.8). */
  readonly credits?: { readonly currency: string; readonly amount: string }
  /** The only platform (API key) that can see it; absent for companies of the register. */
  readonly platform?: string
  /** Replaces the generated address in its view. */
  readonly seat?: Readonly<Record<string, unknown>>
}

const GOOD: ReadonlyArray<readonly [string, string]> = [
  ["Harbour Lane Bakery Ltd", "GB"],
  ["Brightwater Foods Ltd", "GB"],
  ["Northfield Tools Ltd", "GB"],
  ["Maison Verlaine SAS", "FR"],
  ["Bergmann Maschinenbau GmbH", "DE"],
  ["Van den Berg Bloemen BV", "NL"]
]

const CREDITS = { currency: "GBP", amount: "25.00" }

const builtIn = (): ReadonlyArray<Listed> => [
  ...GOOD.map(([name, country], i) => listed(`co-${1000 + i}`, name, country, String(10_000_000 + i), null)),
  { ...listed("co-1100", "Launch Credit Traders Ltd", "GB", "11000000", null), credits: CREDITS },
  ...Object.entries(REJECTIONS).map(([code, { params }], i) =>
    listed(`co-${2000 + i}`, `Declined ${title(code)} Ltd`, "GB", String(20_000_000 + i), { code, params })
  )
]

const title = (code: string): string =>
  code
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
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

  /** A company of the register, or one that the platform created for itself. */
  get(id: string, platform: string): Listed | undefined {
    const found = this.#companies.get(id)
    return found?.platform === undefined || found.platform === platform ? found : undefined
  }

  /** A company of any platform. */
  any(id: string): Listed | undefined {
    return this.#companies.get(id)
  }

  /** Adds or updates a company that one platform created for itself, such as a sole trader. */
  register(company: Listed & { readonly platform: string }): void {
    const known = this.#companies.get(company.id)
    this.#companies.set(
      company.id,
      known === undefined ? company : { ...company, decision: known.decision, outcome: known.outcome }
    )
  }

  all(): ReadonlyArray<Listed> {
    return [...this.#companies.values()]
  }

  add(company: Pick<Listed, "name" | "country" | "reg_number" | "vat_number" | "decision" | "credit_limit">): Listed {
    const made = { ...company, id: `co-${9000 + ++this.#added}` }
    this.#put(made)
    return made
  }

  /** Restores companies stored by an earlier process. */
  restore(companies: ReadonlyArray<Listed>): void {
    for (const one of companies) {
      const known = this.#companies.get(one.id)
      if (known !== undefined) {
        known.decision = one.decision
        known.outcome = one.outcome
      } else {
        this.#put(one)
        this.#added++
      }
    }
  }

  /** Company search (DP 4): exactly by registration or VAT number, or by words of the name. Best matches first. */
  search(query: {
    readonly country: string
    readonly name?: string
    readonly reg_number?: string
  }): ReadonlyArray<readonly [Listed, number]> {
    const within = this.all().filter(({ country, platform }) => country === query.country && platform === undefined)
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

  /** The one company that raw data identifies unambiguously (II 2.5: matched like company search). */
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

  /**
   * The company that the insurer's own matching finds for a debtor who is named by raw data (II 4: "matched internally"). Its
   * register is larger than the company search: a name that nobody else has is a company. Undefined where a name is that of
   * several, or the country is not known.
   */
  matchInternally(raw: {
    readonly name?: unknown
    readonly country?: unknown
    readonly regnum?: unknown
    readonly platform: string
  }): Listed | undefined {
    const found = this.match(raw)
    const country = typeof raw.country === "string" ? Country.parse(raw.country) : undefined
    if (found !== undefined || country === undefined || typeof raw.name !== "string") return found
    const name = raw.name.trim()
    if (name === "" || (this.#names.get(fold(name)) ?? []).some((one) => one.country === country)) return undefined
    const number = typeof raw.regnum === "string" ? raw.regnum : ""
    const id = `co-u${hash("sha256", JSON.stringify([fold(name), country, number]), "hex").slice(0, 12)}`
    this.register({ ...listed(id, name, country, number, null), vat_number: null, platform: raw.platform })
    return this.#companies.get(id)
  }
}

/** Serializes a company (DP 2.2). */
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
  ...one.seat,
  confidence: confidence ?? null
})
