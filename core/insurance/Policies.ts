/**
 * Policies (II 2.9, 3.3): an accepted and paid quote. They cannot be changed or deleted.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadGateway, BadRequestBody, GatewayTimeout, NotFound, PaymentFailed } from "../wire/Errors.ts"
import { CollectionId, PolicyId, QuoteId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"

/** Request of a policy (II 4). `stripe_id` is a token, source or payment-method id of a card processor, never card data. */
export const PolicyCreate = Schema.Struct({ quote: QuoteId, stripe_id: Schema.NonEmptyString })

/** The statuses of II 3.3, among them `lapsed`. */
export const POLICY_STATUSES = [
  "active",
  "late",
  "late_can_handover",
  "paid_distributor",
  "paid",
  "elapsed",
  "under_collection",
  "pay_installments",
  "not_collectable",
  "not_collectable_dispute",
  "under_collection_installments",
  "dispute_pursual",
  "under_collection_dispute_solved",
  "claim_submitted",
  "claim_approved",
  "claim_rejected",
  "recovery_installments",
  "recovery_underway",
  "recovery_complete",
  "recovery_rejected",
  "cancelled",
  "other",
  "lapsed"
] as const

/** A policy (II 2.9). `collection` is null until one starts. */
export const Policy = open({
  url: maybe(Schema.String),
  id: PolicyId,
  number: maybe(Schema.String),
  quote: expandable(QuoteId),
  status: openEnum(POLICY_STATUSES),
  created: maybe(Schema.String),
  documents: maybe(Schema.Array(open({ category: Schema.String, url: Schema.String }))),
  collection: nullable(expandable(CollectionId)),
  loss_payee: nullable(Schema.String)
})
export type Policy = typeof Policy.Type

/** A policy inside another resource. References back to that resource may be missing. */
export const ExpandedPolicy = Schema.StructWithRest(
  Schema.Struct({ ...Policy.schema.fields, quote: nullable(Policy.schema.fields.quote) }),
  Policy.records
)

export class PoliciesApi extends HttpApiGroup.make("policies")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: PolicyCreate,
      success: Policy.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, PaymentFailed, BadGateway, GatewayTimeout]
    }),
    HttpApiEndpoint.get("list", "/", { query: { ...Paging, ...Expand }, success: page(Policy), error: BadRequestBody }),
    HttpApiEndpoint.get("get", "/:policy_id", {
      params: { policy_id: PolicyId },
      query: Expand,
      success: Policy,
      error: NotFound
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/policies") {}
