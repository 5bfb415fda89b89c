/**
 * Takes over what the service has of a collection that was not handed over yet: every field, and every document, whoever
 * wrote it. It is read with its policy, because somebody may have changed it there, or a lost or restored state file lacks
 * some of it. Until it was read, nothing of it is changed.
 */
import { Effect, Stream } from "effect"
import { type Client, pages } from "../../core/Client.ts"
import type { CollectionDocument } from "../../core/insurance/CollectionDocuments.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { CollectionId } from "../../core/wire/Ids.ts"
import { ACCOUNT } from "../model/CollectionContext.ts"
import type { Connection } from "../model/Connection.ts"
import { type CoverCollection, collectionOn } from "../model/Cover.ts"
import type { Fields, RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import * as LedgerStore from "./LedgerStore.ts"
import { wire } from "./ReadBackValues.ts"

type Held = CoverCollection["documents"][number]

/** Documents attached from here: their description has name and digest. */
const attached = ({ description, id, type }: CollectionDocument, before: ReadonlyArray<Held>): ReadonlyArray<Held> => {
  const known = before.find((one) => one.id === id)
  if (known !== undefined) return [known]
  const [, name, digest] = /^(.+) sha256 ([\w-]{43})$/.exec(description ?? "") ?? []
  return name === undefined || digest === undefined ? [] : [{ id, type: type ?? "other", name, digest, mime: "" }]
}

const position = (documents: ReadonlyArray<Held>, id: string): number => {
  const found = documents.findIndex((document) => document.id === id)
  return found < 0 ? documents.length : found
}

/** What somebody declared of a collection whose ledger is doubtful. The next plan sends all of its other fields. */
const declared = (says: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    ["confirm_correct", "collections_terms_acceptance"].flatMap((name) => (says[name] === true ? [[name, true]] : []))
  )

/** The account for the recovered money that the service holds of a collection: kept in memory during a run, nowhere else. */
export const accountIn = (says: unknown): string => {
  const held = typeof says === "object" && says !== null ? (says as Readonly<Record<string, unknown>>) : {}
  return JSON.stringify(ACCOUNT.map((name) => held[name] ?? ""))
}

/**
 * The ledger of an invoice with its collection as the service has it.
 *
 * @param account what the service held after it was written from here in this run; another one is not ours, and is written again
 */
export const withCollection = (
  { collectionDocuments, collections }: Client["Service"],
  remote: RemoteInvoice,
  account: (collection: string) => string | undefined
): Effect.Effect<RemoteInvoice, ServiceError> =>
  Effect.gen(function* () {
    const { cover } = remote
    const collection = collectionOn(cover)
    const policy = cover?.policy
    if (collection === undefined || policy?.status !== "late_can_handover" || collection.sent !== undefined)
      return remote
    const read = yield* collections.get({ params: { collection_id: collection.id as CollectionId }, query: {} })
    const documents = yield* pages((query) =>
      collectionDocuments.list({ query: { ...query, policy_id: policy.id } })
    ).pipe(Stream.runCollect)
    const { isDoubted, others: _, sent: __, ...known } = collection
    const says = wire(read)
    const held = isDoubted === true ? declared(says) : CoverAnswers.heldFields(known.fields, says)
    const isOurs = [undefined, accountIn(says)].includes(account(collection.id))
    const fields = isOurs ? held : Object.fromEntries(Object.entries(held).filter(([name]) => !ACCOUNT.includes(name)))
    const own = documents.flatMap((document) => attached(document, known.documents))
    const others = documents.flatMap(({ description, id, type }) =>
      own.some((document) => document.id === id) ? [] : [{ id, type: type ?? "other", description: description ?? "" }]
    )
    const now: CoverCollection = {
      ...known,
      fields,
      prefilled: CoverAnswers.prefilled(says, fields),
      // In the order in which they were attached.
      documents: own.toSorted((a, b) => position(known.documents, a.id) - position(known.documents, b.id)),
      ...(others.length === 0 ? {} : { others }),
      ...(typeof says["sent"] === "string" ? { sent: says["sent"] } : {})
    }
    return { ...remote, cover: { ...cover, collection: now } }
  })

/** Marks what the ledger says about a connection's collections as doubtful until they were read. */
export const doubt = (db: Db, connection: Connection): void => {
  const subjects = db
    .prepare("SELECT subject FROM cover WHERE connection = ? AND status = 'late_can_handover'")
    .pluck()
    .all(connection.id) as ReadonlyArray<string>
  for (const subject of subjects) {
    const remote = Facts.remoteInvoice(db, subject)
    const collection = collectionOn(remote?.cover)
    if (remote !== undefined && collection !== undefined) {
      const cover = { ...remote.cover, collection: { ...collection, isDoubted: true as const } }
      LedgerStore.restate(db, connection, subject, { ...remote, cover })
    }
    // So that the next sync reads it, even if it was read today.
    db.prepare("UPDATE cover SET read = 0 WHERE subject = ?").run(subject)
  }
}
