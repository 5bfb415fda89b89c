/**
 * Payment intents (DP 2.8): order and offer in one call, for the simplified workflow in which the buyer names the company in
 * the checkout element.
 *
 * Assumption (DP 4, note 8: request and response are not shown beyond the intent object): the request is what the object
 * holds under `request`, and the answer is 201 with the object.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody } from "../wire/Errors.ts"
import { IntentId, OrderId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open } from "../wire/Open.ts"
import { IntentCreate } from "./OrderRequests.ts"

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
