/**
 * Collection documents of the sandbox (II 2.11, 4), and the files at the addresses that the service gives out: collection
 * documents and policy documents.
 */
import { given } from "../../Entry.ts"
import { TYPES } from "../../insurance/DocumentTypes.ts"
import type { Upload } from "../../wire/Upload.ts"
import {
  type Answer,
  check,
  conflict,
  type Context,
  created,
  find,
  gone,
  type Handler,
  missing,
  notFound,
  ok,
  page,
  type Problems
} from "../store/Handler.ts"
import { policyDocument } from "./Policies.ts"
import type { Entity } from "../store/Store.ts"
import { showDocument } from "./Serializers.ts"

/** After its collection was sent, a policy's documents cannot change (II 3.4). */
const mustBeUnsent = ({ mine }: Context, policy: string): void => {
  if (mine.collection.by(policy).some(({ sent }) => sent !== null))
    throw conflict("The collection has been sent; its documents cannot be changed.")
}

const get = (context: Context): Entity => find(context, "document", context.params["document_id"])

export const collectionDocuments = {
  create: (context) => {
    const { description, file, policy: id, type } = context.payload
    const { content, name, type: media } = file as Upload
    const found: Problems = {}
    const policy = context.mine.policy.get(String(id))
    if (policy === undefined) found["policy"] = missing(String(id))
    if (content.length === 0) found["file"] = ["The submitted file is empty."]
    check(found)
    const { id: ours, transaction } = given(policy, "the policy")
    mustBeUnsent(context, ours)
    const document = context.store.put(context.key, "document", {
      id: context.store.id("document"),
      policy: ours,
      transaction,
      // Assumption: the default type is `other`.
      type: type === "proof_order" ? "prood_order" : (type ?? TYPES.at(-1)),
      description: description ?? "",
      // A name of dots only would change the path of its address.
      name: /^\.*$/.test(name) ? "document" : name,
      media,
      content: Buffer.from(content).toString("base64")
    })
    return created(showDocument(context)(document))
  },
  list: (context) => {
    const { policy_id } = context.query
    const { document } = context.mine
    const found = policy_id === undefined ? document : document.by(policy_id)
    return page(context, "/v1/collectiondocuments", found, showDocument(context))
  },
  get: (context) => ok(showDocument(context)(get(context))),
  remove: (context) => {
    const document = get(context)
    mustBeUnsent(context, String(document["policy"]))
    context.store.delete(context.key, "document", document.id)
    return gone
  }
} satisfies Record<string, Handler>

const HEADERS = { "content-disposition": "attachment", "x-content-type-options": "nosniff" }

/**
 * `/documents/ID/NAME`. Assumption: how a file is downloaded is not shown; its address cannot be guessed, and requires the
 * key like any other.
 */
export const file: Handler = (context): Answer => {
  const { id = "", name = "" } = context.params
  const document = context.mine.document.get(id)
  if (document === undefined) return { status: 200, headers: HEADERS, file: policyDocument(context, id, name) }
  if (document["name"] !== name) throw notFound()
  const content = Buffer.from(String(document["content"]), "base64")
  return { status: 200, headers: HEADERS, file: { name, type: String(document["media"]), content } }
}
