/**
 * Payment intents (DP 2.8): order and offer in one call, for the simplified workflow in which the buyer names the company in
 * the checkout element.
 *
 * Assumption (DP 4, note 8: request and response are not shown beyond the intent object): the request is what the object
 * holds under `request`, and the answer is 201 with the object.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody } from "../wire/Errors.ts"
import { Instant } from "../wire/Instant.ts"
import { IntentId, OrderId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open } from "../wire/Open.ts"
import { Locale } from "../wire/Locale.ts"
import { Urls } from "./Offers.ts"
import { Address, ItemCreate } from "./Orders.ts"

/** Request of an intent (DP 2.8). The order has no tax amount of its own. Amounts are in minor units. */
export const IntentCreate = Schema.Struct({
  order: Schema.Struct({
    customer: Schema.Struct({
      user: Schema.Struct({
        email: Schema.NonEmptyString,
        name: Schema.NonEmptyString,
        phone: nullable(Schema.String),
        registered: Instant
      }),
      invoice_address: nullable(Address),
      delivery_address: nullable(Address)
    }),
    unique_id: Schema.NonEmptyString,
    currency: Schema.String,
    total_amount: Codecs.Minor,
    items: Schema.Array(ItemCreate).check(Schema.isMinLength(1))
  }),
  merchant_urls: Urls,
  locale: Locale
})
export type IntentCreate = typeof IntentCreate.Type

/** An intent as the service answers it: the URL of the payment page, and an order that has no company yet. */
export const Intent = open({
  id: IntentId,
  payment_url: nullable(Schema.String),
  order: nullable(expandable(OrderId)),
  created: maybe(Schema.String),
  request: nullable(Schema.Record(Schema.String, Schema.Unknown))
})
export type Intent = typeof Intent.Type

export class IntentsApi extends HttpApiGroup.make("intents")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: IntentCreate,
      success: Intent.pipe(HttpApiSchema.status(201)),
      error: BadRequestBody
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/payment/intents") {}
