/**
 * Finds out what became of a call about cover whose answer is unknown: reads the transaction with its quote and policy, or the
 * collection with its documents.
 */
import { Effect, Option, Stream } from "effect"
import { Client, pages } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { CollectionDocumentId, CollectionId, PolicyId, TransactionId } from "../../core/wire/Ids.ts"
import type { CoverCall } from "../model/AdvanceCover.ts"
import type { Answer } from "../model/Answer.ts"
import { bodyOf, type CallOf, resolve } from "../model/Call.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import { absent, equal, type FindId, isDone, onceGone, type ReadBack, unlessGone, wire } from "./ReadBackValues.ts"

type Way<C extends CoverCall> = (call: C, id: string, find: FindId) => Effect.Effect<ReadBack, ServiceError, Client>

const done = (answer: Answer): ReadBack => ({ done: answer })

/** The transaction with its quote and policy, in the format of the wire. */
export const withCover = (id: string): Effect.Effect<Readonly<Record<string, unknown>>, ServiceError, Client> =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    const params = { transaction_id: id as TransactionId }
    return wire(yield* transactions.get({ params, query: { expand: "policy,quote" } }))
  })

/** POST quotes: reads the transaction and adopts its quote, unless it is the previous one. */
const findQuote: Way<CallOf<"quotes.create">> = (call, id) =>
  unlessGone(
    Effect.gen(function* () {
      const quote = CoverAnswers.quote((yield* withCover(id))["quote"])
      return quote === undefined || quote.id === call.before ? absent : done({ kind: "quote", quote })
    })
  )

/** The quote that a transaction was insured with. The policy inside it may lack the reference back. */
const boughtQuote = ({ policy, quote }: Readonly<Record<string, unknown>>): unknown => {
  const { quote: own } = (policy ?? {}) as { readonly quote?: unknown }
  const id = typeof own === "object" && own !== null && "id" in own ? own.id : own
  return id ?? CoverAnswers.quote(quote)?.id
}

/**
 * Q9, POST policies: reads the transaction. Its policy is the result of this call if its quote is the one that was bought. If
 * somebody else bought with another quote, this call was not done; sent again, it is rejected.
 */
const findPolicy: Way<CallOf<"policies.create">> = (call, id) =>
  unlessGone(
    Effect.gen(function* () {
      const read = yield* withCover(id)
      const policy = CoverAnswers.policy(read["policy"])
      const by = boughtQuote(read)
      const isOurs = by === undefined || by === call.body["quote"]
      return policy === undefined || !isOurs ? absent : done({ kind: "policy", policy })
    })
  )

/** POST collections: the policy names its collection. */
const findCollection: Way<CallOf<"collections.create">> = (call, _, find) =>
  unlessGone(
    Effect.gen(function* () {
      const { collections, policies } = yield* Client
      const { policy: policy_id } = resolve(call.body, find)
      const read = wire(yield* policies.get({ params: { policy_id: policy_id as PolicyId }, query: {} }))
      const { collection } = CoverAnswers.policy(read) ?? {}
      if (collection === undefined) return absent
      const params = { collection_id: collection as CollectionId }
      const said = wire(yield* collections.get({ params, query: {} }))
      return done({ kind: "collection", id: collection, prefilled: CoverAnswers.prefilled(said) })
    })
  )

/**
 * PATCH collections: reads it; if it already has the new values, the call is done. Whether it has the account for the recovered
 * money cannot be told from what is stored here, so a call that writes it is sent again: it changes nothing else.
 */
const compareCollection: Way<CallOf<"collections.update">> = (call, _, find) =>
  unlessGone(
    Effect.gen(function* () {
      const { collections } = yield* Client
      const { collection_id } = resolve(call.params, find)
      const params = { collection_id: collection_id as CollectionId }
      const read = wire(yield* collections.get({ params, query: {} }))
      const wanted = Object.entries(resolve(bodyOf(call) ?? {}, find))
      return wanted.every(([name, value]) => typeof value !== "object" && equal(value, read[name]))
        ? isDone(collection_id)
        : absent
    })
  )

/**
 * POST collectiondocuments: lists those of the policy and looks for the digest in descriptions. One file may be there as two
 * types.
 */
const findDocument: Way<CallOf<"collectionDocuments.create">> = (call, _, find) =>
  unlessGone(
    Effect.gen(function* () {
      const { collectionDocuments } = yield* Client
      const policy_id = String(resolve(call.body, find)["policy"])
      const list = pages((query) => collectionDocuments.list({ query: { ...query, policy_id } }))
      const found = yield* list.pipe(
        Stream.filter(
          ({ description, type }) => type === call.document.type && description?.includes(call.document.digest) === true
        ),
        Stream.runHead
      )
      return Option.match(found, { onNone: () => absent, onSome: ({ id }) => isDone(id) })
    })
  )

/** DELETE: reads it; 404 means done. */
const isDocumentRemoved: Way<CallOf<"collectionDocuments.remove">> = (call, _, find) =>
  Effect.gen(function* () {
    const { collectionDocuments } = yield* Client
    const { document_id } = resolve(call.params, find)
    yield* collectionDocuments.get({ params: { document_id: document_id as CollectionDocumentId }, query: {} })
  }).pipe(onceGone)

/** PUT send: reads the collection; `sent` shows the result. */
const isSent: Way<CallOf<"collections.send">> = (call, _, find) =>
  unlessGone(
    Effect.gen(function* () {
      const { collections } = yield* Client
      const { collection_id } = resolve(call.params, find)
      const params = { collection_id: collection_id as CollectionId }
      const { sent } = wire(yield* collections.get({ params, query: {} }))
      return typeof sent === "string" ? isDone(collection_id) : absent
    })
  )

/** @param id the transaction's identifier */
export const readBackCover = (
  call: CoverCall,
  id: string,
  find: FindId
): Effect.Effect<ReadBack, ServiceError, Client> => {
  switch (call.operation) {
    case "quotes.create":
      return findQuote(call, id, find)
    case "policies.create":
      return findPolicy(call, id, find)
    case "collections.create":
      return findCollection(call, id, find)
    case "collections.update":
      return compareCollection(call, id, find)
    case "collectionDocuments.create":
      return findDocument(call, id, find)
    case "collectionDocuments.remove":
      return isDocumentRemoved(call, id, find)
    case "collections.send":
      return isSent(call, id, find)
  }
}
