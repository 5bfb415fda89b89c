/**
 * Collections (II 2.10, 3.4): the request to recover an insured invoice that is late. A collection is created while its
 * policy can be handed over, completed, given documents, and sent. After that it cannot be changed.
 */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CollectionId, PolicyId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"

/** The members that creation and update have in common. `partial_payment` is in major units. */
const writable = {
  collect_fees_from_debtor: nullable(Schema.Boolean),
  creditor_contact_name: nullable(Schema.String),
  creditor_contact_email: nullable(Schema.String),
  creditor_contact_phone: nullable(Schema.String),
  debtor_address: nullable(Schema.String),
  debtor_postcode: nullable(Schema.String),
  debtor_city: nullable(Schema.String),
  debtor_country: nullable(Schema.String),
  debtor_contact_name: nullable(Schema.String),
  debtor_contact_email: nullable(Schema.String),
  debtor_contact_phone: nullable(Schema.String),
  debtor_website: nullable(Schema.String),
  bank_account_name: nullable(Schema.String),
  bank_account_sortcode: nullable(Schema.String),
  bank_account_number: nullable(Schema.String),
  bank_account_email: nullable(Schema.String),
  actions_taken: nullable(Schema.String),
  partial_payment: nullable(Codecs.Major),
  disputed: nullable(Schema.Boolean),
  other_invoices: nullable(Schema.Boolean),
  reasons: nullable(Schema.String),
  comments: nullable(Schema.String)
}

/** A person's declarations: set before sending, never at creation. */
const confirmations = {
  confirm_correct: nullable(Schema.Boolean),
  collections_terms_acceptance: nullable(Schema.Boolean)
}

/** Request of a collection. If one of the two confirmations is true, it is rejected (II 2.10). */
export const CollectionCreate = Schema.Struct({ policy: PolicyId, ...writable, ...confirmations })
export type CollectionCreate = typeof CollectionCreate.Type

/** Any part of it (II 4). `policy` cannot be changed: it is accepted only if it is the same. */
export const CollectionUpdate = CollectionCreate.mapFields(Struct.map(Schema.optionalKey))
export type CollectionUpdate = typeof CollectionUpdate.Type

/** A collection as the service answers it (II 2.10). `partial_payment` is in major units. */
export const Collection = open({
  ...writable,
  ...confirmations,
  url: maybe(Schema.String),
  id: CollectionId,
  policy: expandable(PolicyId),
  created: maybe(Schema.String),
  modified: maybe(Schema.String),
  /** Null until it is sent. */
  sent: nullable(Schema.String),
  confirmed_correct: nullable(Schema.String),
  accepted_collections_terms: nullable(Schema.String)
})
export type Collection = typeof Collection.Type

const params = { collection_id: CollectionId }

export class CollectionsApi extends HttpApiGroup.make("collections")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CollectionCreate,
      success: Collection.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, Conflict]
    }),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand },
      success: page(Collection),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:collection_id", { params, query: Expand, success: Collection, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:collection_id", {
      params,
      payload: CollectionUpdate,
      success: Collection,
      error: [BadRequestBody, NotFound, Conflict]
    }),
    // Assumption: the answer's body is not shown, so it is not used; read the collection to see whether it was sent.
    HttpApiEndpoint.put("send", "/:collection_id/send", {
      params,
      success: [Schema.Unknown, HttpApiSchema.NoContent],
      error: [BadRequestBody, NotFound, Conflict]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/collections") {}
