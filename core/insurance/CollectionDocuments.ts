/**
 * Collection documents (II 2.11): files for the collections partner, such as a copy of the invoice. They are uploaded as
 * multipart forms and belong to a policy. After its collection was sent, they cannot be removed.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CollectionDocumentId, PolicyId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import * as Upload from "../wire/Upload.ts"
import { TYPES } from "./DocumentTypes.ts"

/** Assumption: `proof_order` was observed as well and is accepted; requests use the specification's spelling. */
const Type = Schema.Literals([...TYPES, "proof_order"])

/** The members of an upload's form (II 2.11, 4). */
export const CollectionDocumentCreate = Schema.Struct({
  policy: PolicyId,
  type: maybe(Type),
  description: maybe(Schema.String),
  file: Upload.Upload
})
export type CollectionDocumentCreate = typeof CollectionDocumentCreate.Type

/** The multipart form that `create` takes. */
export const form = ({ file, policy, ...rest }: CollectionDocumentCreate): FormData =>
  Upload.form({ policy, ...rest, type: rest.type === "proof_order" ? "prood_order" : rest.type, file })

/** A document as the service answers it (II 2.11). */
export const CollectionDocument = open({
  url: maybe(Schema.String),
  id: CollectionDocumentId,
  policy: expandable(PolicyId),
  type: nullable(openEnum(TYPES)),
  description: nullable(Schema.String),
  /** The URL of the stored file. */
  file: nullable(Schema.String)
})
export type CollectionDocument = typeof CollectionDocument.Type

const params = { document_id: CollectionDocumentId }

export class CollectionDocumentsApi extends HttpApiGroup.make("collectionDocuments")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CollectionDocumentCreate.pipe(HttpApiSchema.asMultipart()),
      success: CollectionDocument.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, Conflict]
    }),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand, policy_id: maybe(Schema.String) },
      success: page(CollectionDocument),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:document_id", {
      params,
      query: Expand,
      success: CollectionDocument,
      error: NotFound
    }),
    HttpApiEndpoint.delete("remove", "/:document_id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/collectiondocuments") {}
