/**
 * Sole traders of the deferred-payment interface (DP 2.3). Complete addresses and a date of birth are required, because credit
 * scoring needs the data of both company and proprietor. The insurance interface requires less on the same path.
 */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { SoleTrader, SoleTraderCreate } from "../insurance/SoleTraders.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { Day } from "../wire/Day.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { SoleTraderId } from "../wire/Ids.ts"
import { Expand, page, Paging } from "../wire/Page.ts"

const text = Schema.NonEmptyString

/** Request of a sole trader, by DP 2.3. */
export const StrictSoleTraderCreate = SoleTraderCreate.mapFields(
  Struct.assign({
    trading_address: text,
    trading_address_city: text,
    trading_address_postcode: text,
    trading_address_country: text,
    proprietor_address_line1: text,
    proprietor_address_line2: text,
    proprietor_address_city: text,
    proprietor_address_postcode: text,
    date_of_birth: Day
  })
)

const params = { soletrader_id: SoleTraderId }

export class StrictSoleTradersApi extends HttpApiGroup.make("soletraders")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: StrictSoleTraderCreate,
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
      payload: StrictSoleTraderCreate.mapFields(Struct.map(Schema.optionalKey)),
      success: SoleTrader,
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/soletraders") {}
