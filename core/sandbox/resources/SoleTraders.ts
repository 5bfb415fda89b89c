/**
 * Sole traders of the sandbox (DP 2.3, DP 7 case 3, II 4): companies that a platform creates for itself. The schemas decide
 * which members are required; both interfaces share this code.
 */
import * as Country from "../../wire/Country.ts"
import type { Listed } from "../store/Directory.ts"
import { check, type Context, created, find, type Handler, missing, ok, page, type Problems } from "../store/Handler.ts"
import { unknownCountries, withCodes } from "./FieldFormats.ts"
import type { Entity } from "../store/Store.ts"
import { companyOf, expanded } from "./Serializers.ts"

const BLANK = {
  vat_number: null,
  trading_address: null,
  trading_address_city: null,
  trading_address_postcode: null,
  trading_address_country: null,
  proprietor_address_line1: null,
  proprietor_address_line2: null,
  proprietor_address_line3: null,
  proprietor_address_city: null,
  proprietor_address_postcode: null,
  date_of_birth: null
}

const COUNTRIES = ["trading_address_country", "proprietor_address_country"]

/** The sole trader as a company, with its trading address, or else its proprietor's. */
export const listing = (platform: string, trader: Entity): Listed & { readonly platform: string } => ({
  id: String(trader["company"]),
  platform,
  name: String(trader["trading_name"]),
  country: Country.parse(String(trader["trading_address_country"] ?? trader["proprietor_address_country"])) ?? "",
  reg_number: "",
  vat_number: (trader["vat_number"] as string | null) || null,
  decision: null,
  credit_limit: null,
  seat: {
    creation_date: null,
    legal_form: "Sole trader",
    address: trader["trading_address"] ?? trader["proprietor_address_line1"] ?? "",
    city: trader["trading_address_city"] ?? trader["proprietor_address_city"] ?? "",
    postcode: trader["trading_address_postcode"] ?? trader["proprietor_address_postcode"] ?? "",
    sectors: [],
    identifiers: trader["vat_number"] ? [{ id_type: "vat_number", country: "", value: trader["vat_number"] }] : []
  }
})

const show = (context: Context) => (trader: Entity) => {
  const { company, id, ...rest } = trader
  const { url, ...of } = companyOf(context, String(company)) as Readonly<Record<string, unknown>>
  return expanded(context, "soletrader", { url, ...of, ...rest, id: company, soletrader_id: id })
}

const problems = (context: Context, self?: Entity): Problems => {
  const found: Problems = {}
  const { owner, unique_id } = context.payload
  if (typeof owner === "string" && context.mine.user.get(owner) === undefined) found["owner"] = missing(owner)
  if (unique_id !== undefined && context.mine.soletrader.by(unique_id).some(({ id }) => id !== self?.id))
    found["unique_id"] = ["sole trader with this unique_id already exists."]
  return Object.assign(found, unknownCountries(context.payload, ...COUNTRIES))
}

const save = (context: Context, trader: Entity) => {
  const whole = context.store.put(context.key, "soletrader", withCodes(trader, ...COUNTRIES) as Entity)
  context.directory.register(listing(context.key, whole))
  return show(context)(whole)
}

export const soletraders = {
  create: (context) => {
    check(problems(context))
    const id = context.store.id("soletrader")
    return created(save(context, { ...BLANK, ...context.payload, id, company: id.replace("st-", "co-") }))
  },
  list: (context) => page(context, "/v1/soletraders", context.mine.soletrader, show(context)),
  get: (context) => ok(show(context)(find(context, "soletrader", context.params["soletrader_id"]))),
  update: (context) => {
    const known = find(context, "soletrader", context.params["soletrader_id"])
    check(problems(context, known))
    return ok(save(context, { ...known, ...context.payload, id: known.id, company: known["company"] }))
  }
} satisfies Record<string, Handler>
