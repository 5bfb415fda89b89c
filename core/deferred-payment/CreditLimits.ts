/**
 * The service's own credit limit for a buyer (DP 1), and how much of it is used. Rate limited (DP 8).
 *
 * Assumption: the endpoint is not in the specification's table; its path and `credit_limit` were observed.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Rejection } from "../insurance/Rejections.ts"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { maybe, nullable, open, openEnum } from "../wire/Open.ts"

/** The limit; `credit_limit` is null if declined. Amounts are in minor units of its currency. */
export const PaymentCreditLimit = open({
  company: maybe(Schema.String),
  status: maybe(openEnum(["eligible", "declined"])),
  rejection_reason: nullable(Rejection),
  credit_limit: nullable(
    open({
      currency: Schema.String,
      amount: Codecs.Minor,
      amount_in_use: Codecs.Minor,
      amount_available: Codecs.Minor
    })
  )
})
export type PaymentCreditLimit = typeof PaymentCreditLimit.Type

export class PaymentCreditLimitsApi extends HttpApiGroup.make("paymentCreditLimits")
  .add(
    HttpApiEndpoint.post("company", "/company/:company_id", {
      params: { company_id: CompanyId },
      payload: Schema.Struct({ currency: nullable(Schema.String) }),
      success: PaymentCreditLimit,
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/payment/credit_limits") {}
