/**
 * Identifiers (DP 2.1). Each kind has a prefix on the wire and a brand in the
 * types, so a company's id cannot be passed where a transaction's is expected.
 */
import { Schema } from "effect"

const prefixed = (...prefixes: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.makeFilter((id: string) => prefixes.some((prefix) => id.startsWith(prefix) && id.length > prefix.length), {
      expected: `an identifier that begins with ${prefixes.join(" or ")}`,
      toJsonSchema: () => ({ pattern: `^(${prefixes.join("|")}).` }),
      arbitraryConstraint: { patterns: [{ source: `^(${prefixes.join("|")})[0-9a-f]{4,16}$`, flags: "" }] }
    })
  )

export const CompanyId = prefixed("co-", "st-").pipe(Schema.brand("CompanyId"))
export type CompanyId = typeof CompanyId.Type

export const UserId = prefixed("user-").pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const OrganisationId = prefixed("org-").pipe(Schema.brand("OrganisationId"))
export type OrganisationId = typeof OrganisationId.Type

export const SoleTraderId = prefixed("st-").pipe(Schema.brand("SoleTraderId"))
export type SoleTraderId = typeof SoleTraderId.Type

// Assumption: the specification shows no prefix for the identifiers below, so none is checked.
const opaque = Schema.NonEmptyString

export const TransactionId = opaque.pipe(Schema.brand("TransactionId"))
export type TransactionId = typeof TransactionId.Type

export const PaymentId = opaque.pipe(Schema.brand("PaymentId"))
export type PaymentId = typeof PaymentId.Type

export const QuoteId = opaque.pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

export const PolicyId = opaque.pipe(Schema.brand("PolicyId"))
export type PolicyId = typeof PolicyId.Type

export const OrderId = prefixed("order-").pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

/** Both prefixes occur. */
export const OfferId = prefixed("offr-", "offer-").pipe(Schema.brand("OfferId"))
export type OfferId = typeof OfferId.Type

export const PlanId = prefixed("ppln-").pipe(Schema.brand("PlanId"))
export type PlanId = typeof PlanId.Type

export const DeferredPaymentId = prefixed("defpay-").pipe(Schema.brand("DeferredPaymentId"))
export type DeferredPaymentId = typeof DeferredPaymentId.Type

export const IntentId = prefixed("intent-").pipe(Schema.brand("IntentId"))
export type IntentId = typeof IntentId.Type

export const CollectionId = opaque.pipe(Schema.brand("CollectionId"))
export type CollectionId = typeof CollectionId.Type

export const CollectionDocumentId = opaque.pipe(Schema.brand("CollectionDocumentId"))
export type CollectionDocumentId = typeof CollectionDocumentId.Type
