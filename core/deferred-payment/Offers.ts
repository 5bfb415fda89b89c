/**
 * Payment offers and their plans (DP 2.7, 3): when an order is to be paid and at what cost. Each plan is offered or declined.
 */
import { Locale } from "../wire/Locale.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Rejection } from "../insurance/Rejections.ts"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { OfferId, OrderId, PlanId } from "../wire/Ids.ts"
import { expandable, maybe, Metadata, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand } from "../wire/Page.ts"
import { Urls } from "./OrderRequests.ts"

/** Request of an offer (DP 2.7). */
export const OfferCreate = Schema.Struct({
  order: OrderId,
  locale: Locale,
  urls: Urls,
  metadata: nullable(Metadata)
})
export type OfferCreate = typeof OfferCreate.Type

const Fee = open({ currency: Schema.String, amount: Codecs.Minor })

/** Assumption: beyond the one value that is shown, terms may count from a capture. */
const RELATIVE_TO = ["order_creation", "first_capture", "every_capture"] as const

/** One instalment of a plan: its date, its amount in minor units, and the payment methods that it allows (DP 2.7). */
export const ScheduledPayment = open({
  date: Schema.String,
  amount: Codecs.Minor,
  allowed_payment_methods: maybe(Schema.Array(open({ type: openEnum(["direct_debit", "invoice", "card"]) })))
})

/** A payment plan (DP 2.7). `rejection_reason` is null unless the plan is declined; `payment_url` contains a secret. */
export const PaymentPlan = open({
  id: PlanId,
  name: nullable(Schema.String),
  template: nullable(Schema.String),
  currency: Schema.String,
  scheduled_payments: Schema.Array(ScheduledPayment),
  payment_terms_relative_to: nullable(openEnum(RELATIVE_TO)),
  merchant_fee: nullable(Fee),
  customer_fee: nullable(Fee),
  valid_until: nullable(Schema.String),
  payment_url: nullable(Schema.String),
  status: openEnum(["offered", "declined", "accepted"]),
  rejection_reason: nullable(Rejection)
})
export type PaymentPlan = typeof PaymentPlan.Type

/** An offer: the plans for one order (DP 2.7). Amounts are in minor units. */
export const Offer = open({
  url: maybe(Schema.String),
  id: OfferId,
  order: expandable(OrderId),
  offered_payment_plans: Schema.Array(PaymentPlan),
  legals: nullable(open({ type: nullable(Schema.String), terms_url: nullable(Schema.String) })),
  urls: nullable(
    open({
      success: nullable(Schema.String),
      failure: nullable(Schema.String),
      cancel: nullable(Schema.String),
      notification: nullable(Schema.String),
      merchant_terms: nullable(Schema.String)
    })
  ),
  locale: nullable(Schema.String),
  metadata: nullable(Metadata),
  // Assumption: observed, not in DP 2.7: the part that the service's own limit for the buyer covers, and the rest.
  protected_amount: nullable(Codecs.Minor),
  unprotected_amount: nullable(Codecs.Minor)
})
export type Offer = typeof Offer.Type

export class OffersApi extends HttpApiGroup.make("offers")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: OfferCreate,
      success: Offer.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, Conflict]
    }),
    HttpApiEndpoint.get("get", "/:offer_id", {
      params: { offer_id: OfferId },
      query: Expand,
      success: Offer,
      error: NotFound
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/payment/offers") {}
