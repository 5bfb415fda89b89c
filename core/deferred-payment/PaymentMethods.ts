/**
 * The payment methods that an organisation is offered, and the platform's preferences (DP 2.4). They are part of the
 * organisation; the examples also change them under a path without its identifier (DP 4, note 2).
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody } from "../wire/Errors.ts"
import { keyed, maybe, nullable, open, openEnum } from "../wire/Open.ts"

/** Preferences in a request, by type of method. Omitted types keep their setting; `default` means no preference. */
export const PaymentMethodWishes = keyed(
  Schema.Struct({ preference: maybe(Schema.Literals(["on", "off", "default"])) })
)

/** Settings in an answer, by type: `card`, `bank_transfer`, `direct_debit`, `instant_payment`; more may be added. */
export const PaymentMethods = keyed(
  open({
    status: openEnum(["on", "off"]),
    overridable: maybe(Schema.Boolean),
    preference: maybe(openEnum(["on", "off", "default"]))
  })
)
export type PaymentMethods = typeof PaymentMethods.Type

/** Assumption (DP 4, note 2: not shown): `id` or `unique_id` names the organisation; with a single one, neither is needed. */
const PreferencesUpdate = Schema.Struct({
  payment_method_config: PaymentMethodWishes,
  id: nullable(Schema.String),
  unique_id: nullable(Schema.String)
})

/** The answer is 201 with the organisation. */
const Preferring = open({ id: Schema.String, payment_method_config: nullable(PaymentMethods) })

export class PreferencesApi extends HttpApiGroup.make("preferences")
  .add(
    HttpApiEndpoint.patch("update", "/", {
      payload: PreferencesUpdate,
      success: Preferring.pipe(HttpApiSchema.status(201)),
      error: BadRequestBody
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/organisations") {}
