/**
 * Collects everything about a document or a call, for the command, the library and the page. Read-only.
 */
import * as Document from "../../connectors/Document.ts"
import { SUBJECTS } from "../../connectors/Document.ts"
import * as CoverDecisions from "../apply/CoverDecisions.ts"
import * as CoverStore from "../apply/CoverStore.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import { notInsurable, notSelected } from "../rules/CoverSelection.ts"
import type { CoverState } from "../model/CoverStanding.ts"
import type { AttentionStory, CoverEvent, StoredCoverDecision } from "../model/reports/Books.ts"
import { resolve } from "../model/Call.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { Remote } from "../model/Remote.ts"
import type { Db } from "../state/Database.ts"
import * as PayoutLines from "../matching/PayoutLines.ts"
import * as MatchCandidates from "../matching/Candidates.ts"
import * as QuarantinedRecords from "../reports/QuarantinedRecords.ts"
import type { QuarantinedRow } from "../reports/QuarantinedRecords.ts"
import * as Status from "../reports/Status.ts"
import * as History from "../reports/History.ts"
import * as Facts from "../plan/Facts.ts"
import { identifier } from "./PlanRecords.ts"
import { dated, iso, plain } from "./Plain.ts"

/** A payment, reversal or credit note without a known invoice: everything that the books have of it. */
export interface Loose {
  readonly key: string
  readonly connection: string
  /** Undefined if it could never be read. */
  readonly document: Document.Document | undefined
  /** For a payment of another connection: the invoices that it may be for, most likely first. */
  readonly candidates: ReadonlyArray<MatchCandidates.Candidate>
  /** Of a bank's line that a processor paid out: the payout; empty if none explains it. */
  readonly payout?: string
  /** Of a payout: the bank's lines that it arrived as. */
  readonly lines?: ReadonlyArray<string>
}

export interface Story {
  readonly key: string
  readonly versions: ReadonlyArray<History.Version>
  /** Versions of the payments, credit notes, parcels and so on that belong to it. */
  readonly related: ReadonlyArray<History.Version>
  readonly facts: InvoiceFacts | OrderFacts | BuyerFacts | Loose
  /** Its own latest records, and those of its parts, that could not be read: nothing is sent for it. */
  readonly quarantined: ReadonlyArray<QuarantinedRow>
  /** Other quarantined records that name it and may belong to it. */
  readonly named: ReadonlyArray<QuarantinedRow>
  readonly remote: Remote | undefined
  readonly reason: string | null
  readonly calls: ReadonlyArray<History.CallStory>
  readonly attention: ReadonlyArray<AttentionStory>
  /** For an invoice that is selected for cover, or has some. */
  readonly cover?: CoverStory
}

/** How an invoice got its cover, or why it has none. */
export interface CoverStory {
  readonly state: CoverState | null
  readonly why: string | null
  readonly events: ReadonlyArray<CoverEvent>
  readonly decisions: ReadonlyArray<StoredCoverDecision>
}

/** Why no quote was ever requested for an invoice of a connection with cover. */
const notCovered = (db: Db, key: string): string | undefined => {
  if (Document.kindOf(key) !== "invoice") return undefined
  const { connection } = Document.parseKey(key)
  const settings = db.prepare("SELECT planning ->> '$.cover' FROM connection WHERE id = ?").pluck().get(connection)
  const [{ invoice }, remote] = [Facts.invoiceFacts(db, key), Facts.remoteInvoice(db, key)]
  if (typeof settings !== "string" || invoice === undefined || remote === undefined) return undefined
  return notInsurable(remote) ?? notSelected(invoice, remote, JSON.parse(settings) as CoverSettings)
}

const coverStory = (db: Db, key: string): Pick<Story, "cover"> => {
  const row = db.prepare("SELECT state, why FROM cover WHERE subject = ?").get(key) as
    | Pick<CoverStory, "state" | "why">
    | undefined
  const events = CoverStore.events(db, key)
  const decisions = CoverDecisions.decisions(db, key)
  if (row === undefined && events.length === 0 && decisions.length === 0) {
    const why = notCovered(db, key)
    return why === undefined ? {} : { cover: { state: null, why, events, decisions } }
  }
  return { cover: { state: row?.state ?? null, why: row?.why ?? null, events, decisions } }
}

/** Resolves references to the identifiers that were actually sent. */
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
  switch (Document.kindOf(key)) {
    case "order":
      return { facts: Facts.orderFacts(db, key), remote: Facts.remoteOrder(db, key) }
    case "buyer":
      return { facts: Facts.buyerFacts(db, key), remote: Facts.remoteBuyer(db, key) }
    case "payment":
    case "reversal":
    case "credit_note":
    case "payout":
    case "fulfilment":
    case "cancellation":
    case "return":
      return { facts: loose(db, key), remote: undefined }
    default:
      return { facts: Facts.invoiceFacts(db, key), remote: Facts.remoteInvoice(db, key) }
  }
}

const loose = (db: Db, key: string): Loose => ({
  key,
  connection: Document.parseKey(key).connection,
  document: History.versions(db, key).findLast(({ deleted }) => !deleted)?.document,
  candidates: MatchCandidates.candidates(db, key),
  ...PayoutLines.told(db, key)
})

/** The names of an invoice or order in other records. */
const namesOf = ({ facts }: Pick<Story, "facts">): ReadonlyArray<string> => {
  if (!("invoice" in facts) && !("order" in facts)) return []
  const document = "invoice" in facts ? facts.invoice : facts.order
  return [Document.parseKey(facts.key).id, ...(document === undefined ? [] : [document.number])]
}

/** For one document: its latest records that could not be read, and others that name it. */
const unread = (db: Db, key: string, its: Pick<Story, "facts">): Pick<Story, "quarantined" | "named"> => {
  if (key.endsWith("/owner")) return { quarantined: [], named: [] }
  const quarantined = QuarantinedRecords.latest(db, [key, ...History.facts(db, key)])
  const known = new Set(quarantined.map((row) => JSON.stringify(row)))
  const named = QuarantinedRecords.naming(db, Document.parseKey(key).connection, namesOf(its))
  return { quarantined, named: named.filter((row) => !known.has(JSON.stringify(row))) }
}

/** Everything that is known about one invoice, order, buyer or owner, by its key. */
export const story = (db: Db, key: string): Story => {
  const now = current(db, key)
  return {
    key,
    versions: History.versions(db, key),
    related: History.facts(db, key).flatMap((fact) => History.versions(db, fact)),
    ...now,
    ...unread(db, key, now),
    reason: History.standing(db, key)?.reason ?? null,
    calls: History.calls(db, key).map((call) => filled(db, call)),
    attention: History.attention(db, key),
    ...coverStory(db, key)
  }
}

const dateOf = (millis: unknown) => (typeof millis === "number" ? { until: iso(millis) } : {})

/** Converts the end of an offer to text. */
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

/** A call's story as JSON. */
export const plainCall = (one: History.CallStory) => {
  const { answer } = one
  const said = typeof answer === "object" && answer !== null && !Array.isArray(answer) ? withUntil(answer) : answer
  return { ...dated(one, "claimed", "answered"), answer: said }
}

/** A story as JSON. */
export const plainStory = (story: Story) => {
  const { attention, calls, cover, facts, named, quarantined, related, remote, versions, ...rest } = story
  return {
    ...rest,
    quarantined: quarantined.map((one) => dated(one, "since")),
    named: named.map((one) => dated(one, "since")),
    versions: versions.map((one) => plain(dated(one, "read"))),
    related: related.map((one) => plain(dated(one, "read"))),
    facts: plain(facts),
    remote: remote === undefined ? null : plainRemote(remote),
    calls: calls.map(plainCall),
    attention: attention.map((one) => dated(one, "since", "closed")),
    ...(cover === undefined
      ? {}
      : {
          cover: {
            ...cover,
            events: cover.events.map((one) => dated(one, "at")),
            decisions: cover.decisions.map((one) => dated(one, "decided"))
          }
        })
  }
}

export type PlainStory = ReturnType<typeof plainStory>

/**
 * The invoices and orders that a document is about. If there are none, the document itself is meant: a payment that was not
 * matched yet, or one that could not be read.
 */
const subjectsOf = (db: Db, key: string): ReadonlyArray<string> => {
  if (SUBJECTS.some((kind) => kind === Document.kindOf(key)) || key.endsWith("/owner")) return [key]
  // One record may yield several documents.
  const about = db
    .prepare(
      `SELECT DISTINCT a.invoice FROM allocation a JOIN document d ON d.id = a.document
        WHERE d.key = :key OR (d.key > :key || '/' AND d.key < :key || '0')`
    )
    .pluck()
    .all({ key }) as ReadonlyArray<string>
  return about.length === 0 ? [key] : about
}

/** The number of a call, as `#12`. Shops also number orders like this: a document with that name takes precedence. */
export const callNumber = (what: string): number | undefined => {
  const digits = /^#(\d+)$/.exec(what)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * The documents with this name: an invoice's number, a source's id, or a whole key; including those that could not be read.
 */
export const documents = (db: Db, what: string): ReadonlyArray<string> => {
  const connections = Status.connections(db)
  const unread = QuarantinedRecords.called(db, what, connections).flatMap(({ connection, id, kind }) =>
    id === null ? [] : [Document.key(connection, kind as Document.Kind, id)]
  )
  const keys = [...History.search(db, what, connections), ...unread]
  return [...new Set(keys.flatMap((key) => subjectsOf(db, key)))]
}

/**
 * The keys that a person may mean: a document's, or if none has this name, that of a call as `#12`. Empty: the name is
 * unknown.
 */
export const subjects = (db: Db, what: string): ReadonlyArray<string> => {
  const found = documents(db, what)
  const id = found.length > 0 ? undefined : callNumber(what)
  const subject = id === undefined ? undefined : call(db, id)?.subject
  return subject === undefined ? found : subjectsOf(db, subject)
}
