/**
 * Deferred payments and the operations on them after the sale (DP 2.9, 4): capture what was shipped, void what will not be
 * shipped, refund what was returned. Each returns the ledger event that it created. Amounts are in minor units.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { DeferredPaymentId, OrderId } from "../wire/Ids.ts"
import { expandable, maybe, Metadata, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand } from "../wire/Page.ts"

/** Assumption (DP 3: state names are not shown): these were observed; more may be added. */
export const DEFERRED_PAYMENT_STATUSES = [
  "accepted",
  "rejected",
  "pending_review",
  "customer_action_required",
  "voided",
  "captured",
  "fulfilled",
  "part_fulfilled",
  "pending_payment",
  "accepted_pending_payment"
] as const

/** The balances that make up a payment's amount, in minor units. In an event: the change of each. */
const balances = {
  authorisation: maybe(Codecs.Minor),
  protected_captures: maybe(Codecs.Minor),
  unprotected_captures: maybe(Codecs.Minor),
  refunds: maybe(Codecs.Minor),
  voided_authorisation: maybe(Codecs.Minor),
  expired_authorisation: maybe(Codecs.Minor)
}

/** Assumption (DP 2.9: fields are not shown beyond the identifier): these were observed. */
export const DeferredPayment = open({
  url: maybe(Schema.String),
  id: DeferredPaymentId,
  number: nullable(Schema.String),
  payment_plan: nullable(Schema.Unknown),
  order: nullable(expandable(OrderId)),
  status: openEnum(DEFERRED_PAYMENT_STATUSES),
  currency: nullable(Schema.String),
  ...balances,
  repayment_info: nullable(
    open({
      status: nullable(openEnum(["paid", "partially_paid", "unpaid"])),
      outstanding_amount: nullable(Codecs.Minor),
      currency: nullable(Schema.String)
    })
  )
})
export type DeferredPayment = typeof DeferredPayment.Type

/** An entry of a payment's ledger (DP 2.9). `changes` are signed, in minor units. */
export const LedgerEvent = open({
  created: Schema.String,
  type: openEnum(["capture", "void", "refund"]),
  amount: Codecs.Minor,
  currency: Schema.String,
  metadata: nullable(Metadata),
  changes: open({ ...balances, clawback: maybe(Codecs.Minor) })
})
export type LedgerEvent = typeof LedgerEvent.Type

/** Makes it safe to repeat a request: unique per request, preferably a random UUID (DP 8). */
export const IdempotencyKey = { "idempotency-key": maybe(Schema.String) }

const amount = Schema.Struct({ amount: Codecs.Minor, metadata: nullable(Metadata) })
const remaining = Schema.Struct({ metadata: nullable(Metadata) })

const params = { deferred_payment_id: DeferredPaymentId }

const common = {
  params,
  headers: IdempotencyKey,
  success: LedgerEvent.pipe(HttpApiSchema.status(201)),
  error: [BadRequestBody, NotFound, Conflict]
} as const

/**
 * Assumption (DP 4, notes 6 and 7): a payment can be read alone; refund and void answer as capture does, and the
 * variants for all that remains take no amount.
 */
export class DeferredPaymentsApi extends HttpApiGroup.make("deferredPayments")
  .add(
    HttpApiEndpoint.get("get", "/:deferred_payment_id", {
      params,
      query: Expand,
      success: DeferredPayment,
      error: NotFound
    }),
    HttpApiEndpoint.post("capture", "/:deferred_payment_id/capture", { ...common, payload: amount }),
    HttpApiEndpoint.post("captureRemaining", "/:deferred_payment_id/capture_remaining", {
      ...common,
      payload: remaining
    }),
    HttpApiEndpoint.post("void", "/:deferred_payment_id/void", { ...common, payload: amount }),
    HttpApiEndpoint.post("voidRemaining", "/:deferred_payment_id/void_remaining", { ...common, payload: remaining }),
    HttpApiEndpoint.post("refund", "/:deferred_payment_id/refund", { ...common, payload: amount })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/payment/deferred_payments") {}
