/**
 * How much a company may owe (DP 1, 8): the service's own limit for a buyer, and what of it is in use. Rate limited.
 *
 * Assumption: the endpoint is not in the specification's table; its path and `credit_limit` are seen.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Rejection } from "../insurance/Rejections.ts"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { maybe, nullable, open, openEnum } from "../wire/Open.ts"

/** `credit_limit` is null when declined; its amounts are minor units of its currency. */
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
