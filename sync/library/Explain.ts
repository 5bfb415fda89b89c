/**
 * The whole story of a document or a call, for the command, the library and whoever shows it. Reads only.
 */
import { kindOf, SUBJECTS } from "../../connectors/Document.ts"
import { resolve } from "../model/Call.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { Remote } from "../model/Remote.ts"
import type { Database } from "../state/Database.ts"
import * as Status from "../reports/Status.ts"
import * as History from "../reports/History.ts"
import * as Facts from "../plan/Facts.ts"
import { identifier } from "./PlanRecords.ts"
import { dated, iso, plain } from "./Plain.ts"

type Db = Database["Service"]

export interface Story {
  readonly key: string
  readonly versions: ReadonlyArray<History.Version>
  /** Versions of the payments, credit notes, parcels and so on that belong to it. */
  readonly related: ReadonlyArray<History.Version>
  readonly facts: InvoiceFacts | OrderFacts | BuyerFacts
  readonly remote: Remote | undefined
  readonly reason: string | null
  readonly calls: ReadonlyArray<History.CallStory>
  readonly attention: ReadonlyArray<History.AttentionStory>
}

/** With the identifiers that it was sent with, in place of the keys that stand for them until they exist. */
const filled = (db: Db, call: History.CallStory): History.CallStory => {
  const find = identifier(db)
  return { ...call, params: resolve(call.params, find), body: resolve(call.body as Fields | undefined, find) }
}

/** A call by its number. */
export const call = (db: Db, id: number): History.CallStory | undefined => {
  const found = History.call(db, id)
  return found === undefined ? undefined : filled(db, found)
}

const current = (db: Db, key: string): Pick<Story, "facts" | "remote"> => {
  switch (kindOf(key)) {
    case "order":
      return { facts: Facts.orderFacts(db, key), remote: Facts.remoteOrder(db, key) }
    case "buyer":
      return { facts: Facts.buyerFacts(db, key), remote: Facts.remoteBuyer(db, key) }
    default:
      return { facts: Facts.invoiceFacts(db, key), remote: Facts.remoteInvoice(db, key) }
  }
}

/** Everything that is known of one invoice, order, buyer or owner, by its key. */
export const story = (db: Db, key: string): Story => ({
  key,
  versions: History.versions(db, key),
  related: History.facts(db, key).flatMap((fact) => History.versions(db, fact)),
  ...current(db, key),
  reason: History.standing(db, key)?.reason ?? null,
  calls: History.calls(db, key).map((call) => filled(db, call)),
  attention: History.attention(db, key)
})

const dateOf = (millis: unknown) => (typeof millis === "number" ? { until: iso(millis) } : {})

/** What says until when something may be taken says it as text. */
const withUntil = <A extends { readonly until?: unknown; readonly offer?: unknown }>({ offer, ...rest }: A) => ({
  ...rest,
  ...dateOf(rest.until),
  ...(typeof offer === "object" && offer !== null ? { offer: { ...offer, ...dateOf((offer as Until).until) } } : {})
})

interface Until {
  readonly until?: unknown
}

const plainRemote = (remote: Remote) =>
  plain(
    remote.kind === "order" && remote.created !== undefined ? { ...remote, created: withUntil(remote.created) } : remote
  )

/** A call's story as JSON says it. */
export const plainCall = (one: History.CallStory) => {
  const { answer } = one
  const said = typeof answer === "object" && answer !== null && !Array.isArray(answer) ? withUntil(answer) : answer
  return { ...dated(one, "claimed", "answered"), answer: said }
}

/** A story as JSON says it. */
export const plainStory = ({ attention, calls, facts, related, remote, versions, ...rest }: Story) => ({
  ...rest,
  versions: versions.map((one) => plain(dated(one, "read"))),
  related: related.map((one) => plain(dated(one, "read"))),
  facts: plain(facts),
  remote: remote === undefined ? null : plainRemote(remote),
  calls: calls.map(plainCall),
  attention: attention.map((one) => dated(one, "since", "closed"))
})

export type PlainStory = ReturnType<typeof plainStory>

/** The invoices and orders that a document is about. */
const subjectsOf = (db: Db, key: string): ReadonlyArray<string> => {
  if (SUBJECTS.some((kind) => kind === kindOf(key)) || key.endsWith("/owner")) return [key]
  return db
    .prepare("SELECT a.invoice FROM allocation a JOIN document d ON d.id = a.document WHERE d.key = ?")
    .pluck()
    .all(key) as ReadonlyArray<string>
}

/** The number of a call, as `#12`. Shops number their orders so, too: a document of that name comes first. */
export const callNumber = (what: string): number | undefined => {
  const digits = /^#(\d+)$/.exec(what)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The documents of this name: by an invoice's number, a source's id, or a whole key. */
export const documents = (db: Db, what: string): ReadonlyArray<string> => {
  const keys = History.search(db, what, Status.connections(db))
  return [...new Set(keys.flatMap((key) => subjectsOf(db, key)))]
}

/**
 * The keys that a person may mean: a document's, or where none has this name, that of a call as `#12`. None: nothing is
 * known by that name.
 */
export const subjects = (db: Db, what: string): ReadonlyArray<string> => {
  const found = documents(db, what)
  const id = found.length > 0 ? undefined : callNumber(what)
  const subject = id === undefined ? undefined : call(db, id)?.subject
  return subject === undefined ? found : subjectsOf(db, subject)
}
