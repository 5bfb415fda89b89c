/**
 * Computes how a receipt changes the cover of an invoice: its quote, policy and collection.
 */
import * as Day from "../../core/wire/Day.ts"
import { type Answer, idOf } from "./Answer.ts"
import { type CallOf, reference } from "./Call.ts"
import type { Cover, CoverCollection, CoverQuote } from "./Cover.ts"
import { askedWith, collectionOn, isBeforeHandover, seen } from "./Cover.ts"
import type { RemoteInvoice } from "./RemoteInvoice.ts"

export type CoverCall = CallOf<
  | "quotes.create"
  | "policies.create"
  | "collections.create"
  | "collections.update"
  | "collectionDocuments.create"
  | "collectionDocuments.remove"
  | "collections.send"
>

/** References to the quote, policy and collection of an invoice on the service. */
export const quoteOf = (key: string): string => reference(`${key}#quote`)
const policyOf = (key: string): string => reference(`${key}#policy`)
export const collectionOf = (key: string): string => reference(`${key}#collection`)

/** An edit expires a quote that was offered (II 3.2). */
export const edited = (remote: RemoteInvoice): RemoteInvoice =>
  remote.cover?.quote?.status === "offered"
    ? { ...remote, cover: { ...remote.cover, quote: { ...remote.cover.quote, status: "expired" } } }
    : remote

const dayOf = (at: number | undefined): Day.Day | undefined => (at === undefined ? undefined : Day.fromEpochMillis(at))

/** A quote that was requested and whose outcome is not known yet. */
const unseen = (id: string): CoverQuote => ({ id, status: "requested" })

/** The ledger of an invoice after a call about its cover was done. */
export const advanceCover = (
  remote: RemoteInvoice,
  call: CoverCall,
  answer: Answer,
  at: number | undefined
): RemoteInvoice => {
  const cover: Cover = remote.cover ?? {}
  switch (call.operation) {
    case "quotes.create": {
      const quote = answer.kind === "quote" ? answer.quote : unseen(idOf(answer) ?? quoteOf(call.subject))
      const asked = { asked: call.asked, askedWith: askedWith(remote.fields) }
      return { ...remote, cover: { ...cover, quote, ...asked } }
    }
    case "policies.create": {
      const policy =
        answer.kind === "policy" ? answer.policy : { id: idOf(answer) ?? policyOf(call.subject), status: "active" }
      const quote = cover.quote === undefined ? {} : { quote: { ...cover.quote, status: "accepted" } }
      return {
        ...remote,
        insured: true,
        cover: { ...cover, ...quote, policy: seen(cover.policy, policy, dayOf(at)) }
      }
    }
    default:
      return { ...remote, cover: advanceCollection(cover, call, answer, at) }
  }
}

type CollectionCall = Exclude<CoverCall, CallOf<"quotes.create" | "policies.create">>

const advanceCollection = (cover: Cover, call: CollectionCall, answer: Answer, at: number | undefined): Cover => {
  if (call.operation === "collections.create") {
    const prefilled = answer.kind === "collection" ? { prefilled: answer.prefilled } : {}
    return {
      ...cover,
      collection: { id: idOf(answer) ?? collectionOf(call.subject), fields: {}, documents: [], ...prefilled }
    }
  }
  const collection = collectionOn(cover)
  if (collection === undefined) return cover
  const after = { ...cover, collection: collected(collection, call, answer, at) }
  return call.operation === "collections.send" ? handedOver(after, at) : after
}

/** Sending a collection puts its policy under collection (II 3.3); the rest of what the service changes is read later. */
const handedOver = (cover: Cover, at: number | undefined): Cover =>
  cover.policy !== undefined && isBeforeHandover(cover.policy)
    ? { ...cover, policy: seen(cover.policy, { ...cover.policy, status: "under_collection" }, dayOf(at)) }
    : cover

const collected = (
  collection: CoverCollection,
  call: Exclude<CollectionCall, CallOf<"collections.create">>,
  answer: Answer,
  at: number | undefined
): CoverCollection => {
  switch (call.operation) {
    case "collections.update": {
      const { confirmed: before, prefilled = {}, ...rest } = collection
      const confirmed = call.declaration ?? (call.body["confirm_correct"] === false ? undefined : before)
      // A declaration repeats what the service holds: that stays the service's.
      const written = Object.entries(call.body).filter(([name, value]) => prefilled[name] !== value)
      const names = new Set(written.map(([name]) => name))
      return {
        ...rest,
        fields: { ...collection.fields, ...Object.fromEntries(written) },
        prefilled: Object.fromEntries(Object.entries(prefilled).filter(([name]) => !names.has(name))),
        ...(confirmed === undefined ? {} : { confirmed })
      }
    }
    case "collectionDocuments.create": {
      const id = idOf(answer) ?? reference(`${call.subject}#${call.document.digest}`)
      return { ...collection, documents: [...collection.documents, { ...call.document, id }] }
    }
    case "collectionDocuments.remove":
      return { ...collection, documents: collection.documents.filter(({ id }) => id !== call.params.document_id) }
    case "collections.send":
      return { ...collection, sent: at === undefined ? "" : new Date(at).toISOString() }
  }
}
