/**
 * Sole traders (DP 2.3, II 4): companies of one person, which the platform creates because no register has them. Their `id`
 * can be used wherever a company's can; to read or change one, use its `soletrader_id`.
 *
 * This is the form of the insurance interface, which requires only a name and a country. The deferred-payment interface also
 * requires complete addresses and a date of birth.
 */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { Day } from "../wire/Day.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { SoleTraderId, UserId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import { Company } from "./Companies.ts"

const optional = {
  vat_number: nullable(Schema.String),
  trading_address: nullable(Schema.String),
  trading_address_city: nullable(Schema.String),
  trading_address_postcode: nullable(Schema.String),
  trading_address_country: nullable(Schema.String),
  proprietor_address_line1: nullable(Schema.String),
  proprietor_address_line2: nullable(Schema.String),
  proprietor_address_line3: nullable(Schema.String),
  proprietor_address_city: nullable(Schema.String),
  proprietor_address_postcode: nullable(Schema.String)
}

/** Request of a sole trader (II 4). A repeated `unique_id` is rejected with 400 (DP 2.3). */
export const SoleTraderCreate = Schema.Struct({
  owner: UserId,
  unique_id: Schema.NonEmptyString,
  trading_name: Schema.NonEmptyString,
  proprietor_name: Schema.NonEmptyString,
  proprietor_address_country: Schema.NonEmptyString,
  date_of_birth: nullable(Day),
  ...optional
})
export type SoleTraderCreate = typeof SoleTraderCreate.Type

/** Request of an update: any part of it. */
export const SoleTraderUpdate = SoleTraderCreate.mapFields(Struct.map(Schema.optionalKey))
export type SoleTraderUpdate = typeof SoleTraderUpdate.Type

/** Assumption: as an extension of a company, it has a company's members; only `id` is relied on. */
export const SoleTrader = open({
  ...Company.schema.mapFields(Struct.map(maybe)).fields,
  ...optional,
  id: Company.schema.fields.id,
  soletrader_id: SoleTraderId,
  owner: expandable(UserId),
  unique_id: Schema.String,
  trading_name: Schema.String,
  proprietor_name: nullable(Schema.String),
  proprietor_address_country: nullable(Schema.String),
  date_of_birth: nullable(Schema.String)
})
export type SoleTrader = typeof SoleTrader.Type

const params = { soletrader_id: SoleTraderId }

export class SoleTradersApi extends HttpApiGroup.make("soletraders")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: SoleTraderCreate,
      success: SoleTrader.pipe(HttpApiSchema.status(201)),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand },
      success: page(SoleTrader),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:soletrader_id", { params, query: Expand, success: SoleTrader, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:soletrader_id", {
      params,
      payload: SoleTraderUpdate,
      success: SoleTrader,
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/soletraders") {}
