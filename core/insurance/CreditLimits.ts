/**
 * Credit limits (II 2.2): how much insured exposure a buyer may have. Amounts are in major units, and are insured exposure
 * rather than invoice value: with cover of 90 percent, 9000.00 available allow an invoice of 10000.00.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { nullable, open, openEnum } from "../wire/Open.ts"
import { Rejection } from "./Rejections.ts"

/** Request of a limit. The currency defaults to EUR (II 8). */
export const CreditLimitRequest = Schema.Struct({ currency: nullable(Schema.String) })

/** A limit (II 2.2). `available` and `maximum` are null if declined. `maximum` is usually `available` + `current`. */
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
