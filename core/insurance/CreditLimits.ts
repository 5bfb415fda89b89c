/**
 * Credit limits (II 2.2): how much insured exposure a buyer may have. Amounts are insured exposure, not invoice value:
 * with cover of 90 percent an available 9000.00 allows an invoice of 10000.00.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { nullable, open, openEnum } from "../wire/Open.ts"
import { Rejection } from "./Rejections.ts"

/** EUR unless given (II 8). */
export const CreditLimitRequest = Schema.Struct({ currency: nullable(Schema.String) })

/** `available` and `maximum` are null when declined. Maximum is usually available + current, but not always. */
export const CreditLimit = open({
  company: CompanyId,
  status: openEnum(["eligible", "declined"]),
  rejection_reason: nullable(Rejection),
  currency: Schema.String,
  available_insured_amount: nullable(Codecs.Major),
  current_insured_amount: nullable(Codecs.Major),
  maximum_insured_amount: nullable(Codecs.Major)
})
export type CreditLimit = typeof CreditLimit.Type

export class CreditLimitsApi extends HttpApiGroup.make("creditLimits")
  .add(
    HttpApiEndpoint.post("debtor", "/debtor/company/:company_id/", {
      params: { company_id: CompanyId },
      payload: CreditLimitRequest,
      success: CreditLimit,
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/credit_limits") {}
