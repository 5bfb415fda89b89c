/**
 * Compares the books with the ledger and plans what to send, and why. Changes nothing.
 *
 * Only documents that changed since their last plan was carried out are planned, so the cost of a plan depends on the size of
 * the change. A plan is a stream in the order of the documents' keys; it is never held in memory as a whole. Its digest covers
 * the inputs and the results, and is the same whenever the same books meet the same ledger.
 */
import { hash } from "node:crypto"
import { Clock, Effect, Option, Stream } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { buyerKey, kindOf, type Order, SUBJECTS } from "../../connectors/Document.ts"
import { reconcileBuyer } from "../rules/Buyers.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import { type Attention, bodyOf, type Call, type OwnerCall } from "../model/Call.ts"
import { advanceInvoice } from "../model/Advance.ts"
import type { Remote } from "../model/Remote.ts"
import { openChange, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as SourceBindings from "./SourceBindings.ts"
import type { Connection, PlannedConnection } from "../model/Connection.ts"
import { breathe } from "../state/Breathe.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { coverOf, type CoverPart } from "./CoverPlan.ts"
import type { CoverDecision } from "../rules/CoverParts.ts"
import { withMoves } from "./Moves.ts"
import { withPapers } from "./OrderPapers.ts"
import { newsUntil } from "./OrderNews.ts"
import * as PaymentHolders from "./PaymentHolders.ts"
import * as Owners from "./Owners.ts"
import { reconcileOrder } from "../rules/Orders.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { reconcile } from "../rules/Invoices.ts"
import type { Decision } from "../model/Decision.ts"
import type { OpenFigures, InvoiceFacts } from "../model/InvoiceFacts.ts"
import * as DueSubjects from "./DueSubjects.ts"
import * as Facts from "./Facts.ts"
import { nextOf } from "./SubjectRows.ts"
import { sameNumber } from "./SameNumber.ts"
import { remembering } from "../rules/OrderPlan.ts"
import { type Strange, strange } from "../rules/Strange.ts"
import { Surroundings, settingsJson, toJson } from "./Surroundings.ts"

/** The calls that create or update the owner of a connection's transactions. */
export interface OwnerPlan {
  readonly kind: "owner"
  readonly subject: string
  readonly connection: string
  readonly calls: ReadonlyArray<OwnerCall>
}

/** The plan for one invoice, order or buyer. */
export interface DocumentPlan {
  readonly kind: "document"
  readonly subject: string
  readonly connection: string
  readonly remote: Remote | undefined
  readonly calls: ReadonlyArray<Call>
  readonly attention: ReadonlyArray<Attention>
  readonly reason: string | undefined
  /** Digest of the documents, the ledger entry and the settings that it was made from. */
  readonly fingerprint: string
  readonly currency: string
  /** Open in the books, in minor units. */
  readonly open: bigint
  /** For an invoice that counts, see `SourceFigures.ts`. */
  readonly figures?: OpenFigures
  /** The service rejected exactly this state: nothing is sent. */
  readonly refused?: boolean
  /** The calls from this one on wait until those of another invoice are done: a payment moves between them. */
  readonly follows?: number
  /** To be planned again in the next run, even if nothing changes: the service is not ready for it. */
  readonly waits?: boolean
  /** How often its document had changed when it was planned, see `ChangedDocuments.ts`. */
  readonly changes: number
  /** The latest claim of any document when it was planned: a later one by another run means that something was sent since. */
  readonly claims: number
  /** What is unusual about its calls. */
  readonly strange?: Strange
  /** How the calls change the open amounts of invoices on the service, by currency. */
  readonly opens?: ReadonlyMap<string, Decimal>
  /** For an invoice whose connection has cover. */
  readonly cover?: CoverPart
  /** When to plan it again even if nothing changes, in milliseconds. */
  readonly wakeAt?: number
}

/** The part of a plan that waits for no other document. */
export const beforeOthers = (plan: DocumentPlan): DocumentPlan =>
  plan.follows === undefined ? plan : { ...plan, calls: plan.calls.slice(0, plan.follows), waits: true }

export type Planned = OwnerPlan | DocumentPlan

const sha = (text: string): string => hash("sha1", text, "base64url")

export interface PlanOptions {
  /** An order's deferred payment has just been read. */
  readonly looked?: boolean
  /** Milliseconds since the epoch; without it, nothing is decided about cover. */
  readonly now?: number
  /** Planning again within a run: offers that were in no plan that a person saw are not bought. */
  readonly again?: boolean
  /** Without regard to what moves to it from other invoices. */
  readonly alone?: boolean
  /** What is known of its connection, if it was read in the same transaction. */
  readonly around?: Surroundings
}

export const planOne = (
  db: Db,
  connection: PlannedConnection,
  key: string,
  options: PlanOptions = {}
): DocumentPlan => {
  const kind = kindOf(key)
  if (kind === "order") return planOrder(db, connection, key, options)
  if (kind === "buyer") return planBuyer(db, connection, key, options)
  return planInvoice(db, connection, key, options)
}

const planInvoice = (
  db: Db,
  connection: PlannedConnection,
  key: string,
  { again, alone = false, around = new Surroundings(db), now }: PlanOptions
): DocumentPlan => {
  const remote = Facts.remoteInvoice(db, key, around)
  const own = Facts.withReported(db, Facts.invoiceFacts(db, key, around), remote, around)
  const other = (invoice: string) => planInvoice(db, connection, invoice, { around, alone: true })
  const facts = alone ? own : withMoves(db, connection, own, remote, around, other)
  const decision = reconcile(facts, remote, connection.planning)
  const currency = facts.invoice?.currency ?? ""
  const { calls } = decision
  const after = calls.reduce<RemoteInvoice | undefined>((one, call) => advanceInvoice(one, call), remote)
  const covered = coverOf(db, connection, facts, { before: remote, after, now })
  const decided = covered?.decided
  const plan = planned(db, connection, key, {
    facts,
    remote,
    currency,
    decision: decided === undefined ? decision : withCover(decision, decided, again === true),
    around,
    ...saidOf(covered?.part)
  })
  const whole = covered === undefined ? plan : { ...plan, cover: covered.part }
  if (plan.calls.length === 0 || calls.length === 0) return whole
  const numbered = calls.some((call) => bodyOf(call)?.["number"] !== undefined)
  const twin = numbered ? sameNumber(db, facts) : undefined
  return { ...whole, strange: strange(facts, remote, after, calls, twin), opens: openChange(remote, after) }
}

/** People's decisions about an invoice's cover, and what was gathered for it. */
const saidOf = ({ collection, standing = {} }: Partial<CoverPart> = {}): { readonly said?: unknown } =>
  collection === undefined
    ? Object.keys(standing).length === 0
      ? {}
      : { said: standing }
    : { said: [standing, collection] }

const withCover = (decision: Decision, cover: CoverDecision, again: boolean): Decision => ({
  ...decision,
  calls: [...decision.calls, ...cover.calls.filter(({ operation }) => !again || operation !== "policies.create")],
  attention: [...decision.attention, ...cover.attention],
  ...(cover.wakeAt === undefined ? {} : { wakeAt: cover.wakeAt })
})

const planOrder = (db: Db, connection: PlannedConnection, key: string, options: PlanOptions): DocumentPlan => {
  const facts = Facts.orderFacts(db, key)
  const before = Facts.remoteOrder(db, key)
  const remote = before === undefined ? undefined : remembering(facts, before, connection.planning.orders ?? {})
  const decision = reconcileOrder(facts, remote, connection.planning, {
    looked: options.looked === true,
    newsUntil: remote === undefined ? undefined : newsUntil(db, facts, options.now),
    rivals: PaymentHolders.rivals(db, connection, facts, remote),
    buyer: remote === undefined && buyerIsKnown(db, connection, facts.order)
  })
  const currency = remote?.currency ?? facts.order?.currency ?? ""
  const papers = withPapers(db, connection, facts, remote, decision)
  return planned(db, connection, key, { ...papers, currency, around: options.around })
}

const planBuyer = (db: Db, connection: PlannedConnection, key: string, options: PlanOptions = {}): DocumentPlan => {
  const facts = Facts.buyerFacts(db, key)
  const remote = Facts.remoteBuyer(db, key)
  const decision = reconcileBuyer(facts, remote, connection.planning)
  return planned(db, connection, key, { facts, remote, decision, currency: "", around: options.around })
}

/** Whether an order's buyer is on the service, or will be by the time this plan reaches the order. */
const buyerIsKnown = (db: Db, connection: PlannedConnection, order: Order | undefined): boolean => {
  if (order?.buyer === undefined || connection.planning.orders?.create === undefined) return false
  const key = buyerKey(connection.id, order.buyer)
  const remote = Facts.remoteBuyer(db, key)
  return remote?.member !== undefined || planBuyer(db, connection, key).calls.length > 0
}

const planned = (
  db: Db,
  connection: PlannedConnection,
  key: string,
  {
    currency,
    facts,
    remote,
    decision,
    around = new Surroundings(db),
    said
  }: {
    readonly facts: InvoiceFacts | OrderFacts | BuyerFacts
    readonly remote: Remote | undefined
    readonly decision: Decision
    readonly currency: string
    readonly around?: Surroundings | undefined
    /** People's decisions about its cover. */
    readonly said?: unknown
  }
): DocumentPlan => {
  const looked = [toJson(facts), remote === undefined ? "null" : toJson(remote), settingsJson(connection.planning)]
  const fingerprint = sha(`[${(said === undefined ? looked : [...looked, toJson(said)]).join(",")}]`)
  const outdated = decision.calls.length > 0 && around.isOutdated(connection.id)
  const refused = around.hasAttention()
    ? db
        .prepare("SELECT 1 FROM attention WHERE subject = ? AND closed IS NULL AND refused_state = ?")
        .get(key, fingerprint)
    : undefined
  return {
    kind: "document",
    subject: key,
    connection: connection.id,
    remote,
    // The service rejected exactly this state: nothing is sent until a document changes or a person retries.
    calls: refused === undefined && !outdated ? decision.calls : [],
    ...(refused === undefined ? {} : { refused: true }),
    attention: decision.attention,
    reason: outdated ? OUTDATED : decision.reason,
    fingerprint,
    currency,
    open: currency === "" ? 0n : Currency.toMinor(decision.open, currency),
    ...(decision.follows === undefined ? {} : { follows: decision.follows }),
    ...(decision.figures === undefined ? {} : { figures: decision.figures }),
    ...(decision.wakeAt === undefined ? {} : { wakeAt: decision.wakeAt }),
    ...(decision.waits === undefined && !outdated ? {} : { waits: decision.waits === true || outdated }),
    changes: ChangedDocuments.count(db, key),
    claims: around.lastClaim()
  }
}

const OUTDATED = "the state file was restored: nothing is sent before the source is read to its end"

/** The settings of a connection that affect its calls, as text. */
const settings = ({ planning: { guards: _, owner: __, ...terms } }: Connection): string => JSON.stringify(terms)

/** Whether a connection was last planned with other settings, so that all of it must be planned again. */
const moved = (db: Db, connection: Connection): boolean => {
  const before = db.prepare("SELECT planning FROM connection WHERE id = ?").pluck().get(connection.id)
  return before !== undefined && before !== settings(connection)
}

/** Stores the settings that plans are now made with. Needs the lock. */
export const rememberSettings = (db: Db, connections: ReadonlyArray<Connection>): void => {
  for (const connection of connections) SourceBindings.verify(db, connection)
  for (const connection of connections) {
    if (moved(db, connection)) DueSubjects.touchAll(db, connection.id, connection.planning.orders?.ships)
    db.prepare(
      "INSERT INTO connection (id, planning) VALUES (?, ?) ON CONFLICT DO UPDATE SET planning = excluded.planning"
    ).run(connection.id, settings(connection))
  }
}

const COLLECTING = /^collection/

/** Whether a plan only completes a collection and hands it over. */
export const isCollection = ({ calls }: Pick<DocumentPlan, "calls">): boolean =>
  calls.every(({ operation }) => COLLECTING.test(operation))

/** The plan of one invoice's collection alone; nothing if something else must be sent for the invoice first. */
export const collection = (
  connections: ReadonlyArray<Connection>,
  subject: string
): Stream.Stream<Planned, StateError, Database> =>
  Stream.fromIterableEffect(
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const connection = connections.find(({ id }) => subject.startsWith(`${id}/`))
      if (connection === undefined) return []
      const planned = yield* db.snapshot(() => planOne(db, connection, subject, { now }))
      return isCollection(planned) ? [planned] : []
    })
  )

/** How many are planned in one piece: others wait for it. */
const BATCH = 25

/** Streams the plan: owners first where needed, then each connection's buyers, invoices and orders by key. */
export const stream = (connections: ReadonlyArray<Connection>): Stream.Stream<Planned, StateError, Database> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const keys = walk(db, connections, now)
      const owned = new Set<string>()
      const next = (): ReadonlyArray<Planned> => {
        const batch: Array<Planned> = []
        const around = new Surroundings(db)
        const some = nextOf(keys, BATCH)
        around.load(some.map(([_, key]) => key))
        for (const [connection, key] of some) {
          const planned = planOne(db, connection, key, { now, around })
          if (!owned.has(connection.id) && planned.calls.some(({ operation }) => operation === "transactions.create")) {
            owned.add(connection.id)
            const owner = ownerPlan(db, connection)
            if (owner.calls.length > 0) batch.push(owner)
          }
          batch.push(planned)
        }
        return batch
      }
      return Stream.paginate(undefined, () =>
        Effect.map(
          Effect.tap(db.snapshot(next), () => breathe),
          (batch) => [batch, batch.length === 0 ? Option.none<undefined>() : Option.some(undefined)] as const
        )
      )
    })
  )

/** The kinds of documents that are planned for a connection, in this order. */
export const kindsOf = ({ pays, planning }: Connection): ReadonlyArray<(typeof SUBJECTS)[number]> => {
  // Its payments are planned with the invoices of the connection that it pays for.
  if (pays !== undefined) return []
  const { buyers, create } = planning.orders ?? {}
  return SUBJECTS.filter((kind) => kind !== "buyer" || buyers !== undefined || create !== undefined)
}

function* walk(db: Db, connections: ReadonlyArray<Connection>, now: number): Generator<readonly [Connection, string]> {
  for (const connection of connections.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const all = moved(db, connection)
    for (const key of DueSubjects.changed(db, connection.id, kindsOf(connection), { all, now })) yield [connection, key]
  }
}

export const ownerPlan = (db: Db, connection: Connection): OwnerPlan => ({
  kind: "owner",
  subject: Owners.key(connection.id),
  connection: connection.id,
  calls: Owners.plan(db, connection.id, connection.planning)
})
