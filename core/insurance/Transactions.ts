/**
 * Transactions (II 2.5, 3.1) and the payments that are reported on them (II 2.6). A transaction is one invoice between a
 * creditor and a debtor: what is quoted, insured and collected.
 *
 * Amounts are decimal strings in major units with two places; requests may also send numbers.
 */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { Day } from "../wire/Day.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CompanyId, OrganisationId, PaymentId, PolicyId, QuoteId, TransactionId, UserId } from "../wire/Ids.ts"
import { expandable, maybe, Metadata, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import { Company } from "./Companies.ts"

const STATUSES = ["draft", "pending", "paid", "defaulted"] as const
const PAY_METHODS = ["unknown", "bank", "card", "cash"] as const
const PAYMENT_TYPES = ["settlement", "chargeback", "refund", "error", "unknown", "other"] as const

/** An instalment, in the transaction's currency; a `currency` of its own was observed as well. */
const ScheduledPayment = { date: Day, amount: Codecs.Major, currency: maybe(Schema.String) }

const party = {
  debtor: nullable(CompanyId),
  creditor: nullable(CompanyId),
  debtor_name: nullable(Schema.String),
  debtor_country: nullable(Schema.String),
  debtor_regnum: nullable(Schema.String),
  debtor_address: nullable(Schema.String),
  creditor_name: nullable(Schema.String),
  creditor_country: nullable(Schema.String),
  creditor_regnum: nullable(Schema.String),
  creditor_address: nullable(Schema.String)
}

const amounts = {
  net_amount: nullable(Codecs.Major),
  gross_amount: nullable(Codecs.Major),
  issue_date: nullable(Day),
  due_date: nullable(Day),
  scheduled_payments: nullable(Schema.Array(Schema.Struct(ScheduledPayment)))
}

/** Request of a transaction (II 2.5). Only `owner` is required. */
export const TransactionCreate = Schema.Struct({
  owner: Schema.Union([UserId, OrganisationId]),
  unique_id: nullable(Schema.String),
  ...party,
  ...amounts,
  number: nullable(Schema.String),
  status: maybe(Schema.Literals(STATUSES)),
  pay_method: nullable(Schema.Literals(PAY_METHODS)),
  currency: nullable(Schema.String),
  paid_date: nullable(Day),
  items: nullable(
    Schema.Array(Schema.Struct({ description: Schema.String, quantity: Codecs.Quantity, unit_price: Codecs.Fine }))
  ),
  /** Payments received so far. Reversals are reported separately, because they need a type (II 2.6). */
  payments: nullable(Schema.Array(Schema.Struct({ date: Day, amount: Codecs.Major }))),
  metadata: nullable(Metadata)
})
export type TransactionCreate = typeof TransactionCreate.Type

/** Request of an update: any part of a transaction that is not insured (II 3.1). */
export const TransactionUpdate = TransactionCreate.mapFields(Struct.map(Schema.optionalKey))
export type TransactionUpdate = typeof TransactionUpdate.Type

/** Request of an amendment of an insured transaction, all optional; see the rules in II 4, Amend. */
export const TransactionAmend = Schema.Struct(amounts)
export type TransactionAmend = typeof TransactionAmend.Type

/** Request that marks a transaction as paid (II 4). Without members: paid today, in an unknown way. */
export const TransactionPaid = Schema.Struct({
  pay_method: nullable(Schema.Literals(PAY_METHODS)),
  paid_date: nullable(Day)
})
export type TransactionPaid = typeof TransactionPaid.Type

/** Request of a payment (II 2.6), in major units. A negative amount is a reversal and requires `type`. */
export const PaymentCreate = Schema.Struct({
  date: Day,
  amount: Codecs.Major,
  currency: nullable(Schema.String),
  type: nullable(Schema.Literals(PAYMENT_TYPES)),
  details: nullable(Schema.String),
  provider_code: nullable(Schema.String)
})
export type PaymentCreate = typeof PaymentCreate.Type

/** A payment as the service answers it (II 2.6). */
export const Payment = open({
  id: PaymentId,
  date: nullable(Schema.String),
  amount: Codecs.Major,
  currency: nullable(Schema.String),
  type: nullable(openEnum(PAYMENT_TYPES)),
  details: nullable(Schema.String),
  provider_code: nullable(Schema.String)
})
export type Payment = typeof Payment.Type

/** A transaction as the service answers it (II 2.5). `expand` replaces identifiers by whole resources. */
export const Transaction = open({
  url: maybe(Schema.String),
  id: TransactionId,
  owner: maybe(expandable(Schema.Union([UserId, OrganisationId]))),
  unique_id: nullable(Schema.String),
  ...party,
  debtor: nullable(Schema.Union([CompanyId, Company])),
  creditor: nullable(Schema.Union([CompanyId, Company])),
  number: nullable(Schema.String),
  status: openEnum(STATUSES),
  pay_method: nullable(openEnum(PAY_METHODS)),
  net_amount: nullable(Codecs.Major),
  gross_amount: nullable(Codecs.Major),
  currency: nullable(Schema.String),
  issue_date: nullable(Schema.String),
  due_date: nullable(Schema.String),
  paid_date: nullable(Schema.String),
  items: nullable(Schema.Array(Schema.Unknown)),
  scheduled_payments: nullable(
    Schema.Array(open({ date: Schema.String, amount: Codecs.Major, currency: nullable(Schema.String) }))
  ),
  payments: nullable(Schema.Array(open({ id: PaymentId, date: nullable(Schema.String), amount: Codecs.Major }))),
  policy: nullable(expandable(PolicyId)),
  quote: nullable(expandable(QuoteId)),
  source: nullable(Schema.String),
  referral_url: nullable(Schema.String),
  transaction_key: nullable(Schema.String),
  metadata: nullable(Metadata),
  estimated_quote_price: nullable(Schema.Unknown)
})
export type Transaction = typeof Transaction.Type

const params = { transaction_id: TransactionId }

export class TransactionsApi extends HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: TransactionCreate,
      success: Transaction.pipe(HttpApiSchema.status(201)),
      error: BadRequestBody
    }),
    // Assumption: some versions filter by `unique_id`, others ignore it; so results are checked.
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand, unique_id: maybe(Schema.String) },
      success: page(Transaction),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:transaction_id", { params, query: Expand, success: Transaction, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:transaction_id", {
      params,
      payload: TransactionUpdate,
      success: Transaction,
      error: [BadRequestBody, NotFound, Conflict]
    }),
    HttpApiEndpoint.delete("remove", "/:transaction_id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    }),
    HttpApiEndpoint.put("confirm", "/:transaction_id/confirm", {
      params,
      success: Transaction,
      error: [NotFound, Conflict]
    }),
    HttpApiEndpoint.put("paid", "/:transaction_id/paid", {
      params,
      payload: TransactionPaid,
      success: Transaction,
      error: [BadRequestBody, NotFound, Conflict]
    }),
    HttpApiEndpoint.patch("amend", "/:transaction_id/amend/", {
      params,
      payload: TransactionAmend,
      success: Transaction,
      error: [BadRequestBody, NotFound, Conflict]
    }),
    HttpApiEndpoint.put("matchDebtor", "/:transaction_id/match_debtor", {
      params,
      payload: Schema.Struct({ debtor: CompanyId }),
      success: Transaction,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.get("listPayments", "/:transaction_id/payments/", {
      params,
      query: Paging,
      success: page(Payment),
      error: [BadRequestBody, NotFound]
    }),
    // Assumption: a single payment can be read; only the list is shown.
    HttpApiEndpoint.get("getPayment", "/:transaction_id/payments/:payment_id", {
      params: { ...params, payment_id: PaymentId },
      success: Payment,
      error: NotFound
    }),
    HttpApiEndpoint.post("createPayment", "/:transaction_id/payments/", {
      params,
      payload: PaymentCreate,
      success: Payment.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/transactions") {}
