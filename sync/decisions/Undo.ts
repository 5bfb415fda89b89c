/**
 * Takes back a decision: exactly the one that was shown, by its digest, and only while what it left still stands and nothing was sent
 * on it. What was approved, bought or declared is not among them. The command, the page, the library and the HTTP interface call this.
 */
import { Clock, Effect } from "effect"
import * as AttentionActions from "../apply/AttentionActions.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as Matching from "../matching/Run.ts"
import * as Approvals from "../plan/Approvals.ts"
import { PARTY_KEY } from "../plan/PartyKey.ts"
import { plural } from "../../core/Plural.ts"
import * as PastCalls from "../state/calls/PastCalls.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { alone, type Whose } from "./ConnectionLocks.ts"
import * as Debtors from "./Debtors.ts"
import * as Movements from "./Movements.ts"
import * as Payers from "./Payers.ts"
import * as Undoable from "../state/Undoable.ts"

/** The documents for which a call would rest on the decision. */
const sentFor = (db: Db, { call, deed }: Undoable.KeptDeed): ReadonlyArray<string> => {
  switch (deed.kind) {
    case "items":
    case "answer":
      return subjectsOf(db, itemsOf(deed))
    case "plan":
    case "note":
      return []
    case "company":
      return db
        .prepare(
          `SELECT d.key FROM (SELECT subject FROM claim WHERE id > :call
              UNION SELECT l.subject FROM call_of o JOIN ledger l ON l.id = o.ledger WHERE o.page > :call) s
            JOIN document d ON d.key = s.subject
            WHERE d.key > :connection || '/invoice/' AND d.key < :connection || '/invoice0' AND ${PARTY_KEY} = :party`
        )
        .pluck()
        .all({ call, connection: deed.connection, party: deed.party }) as ReadonlyArray<string>
    case "invoices":
      return [...new Set([...Undoable.invoicesOf(db, deed), ...reportedOn(db, deed.payment)])]
    case "payer":
      return db
        .prepare(
          "SELECT DISTINCT a.invoice FROM matching m JOIN allocation a ON a.document = m.document WHERE m.connection = ? AND m.party = ?"
        )
        .pluck()
        .all(deed.row.connection, deed.row.name) as ReadonlyArray<string>
    case "kind":
      return []
    case "same":
      return db
        .prepare(
          `SELECT a.invoice FROM json_each(:keys) k JOIN document d ON d.key = k.value JOIN allocation a ON a.document = d.id
            UNION SELECT p.invoice FROM json_each(:keys) k JOIN posted p ON p.fact = k.value`
        )
        .pluck()
        .all({ keys: JSON.stringify(deed.pairs.flatMap(({ a, b }) => [a, b])) }) as ReadonlyArray<string>
  }
}

/** The invoices that a payment was posted on, or is taken back from. */
const reportedOn = (db: Db, payment: string): ReadonlyArray<string> =>
  db.prepare("SELECT DISTINCT invoice FROM posted WHERE fact = ?").pluck().all(payment) as ReadonlyArray<string>

/** The items of attention that it closed. */
const itemsOf = (deed: Undoable.UndoableDeed): ReadonlyArray<number> =>
  deed.kind === "items" ? deed.ids : deed.kind === "answer" ? [deed.id] : []

const subjectsOf = (db: Db, ids: ReadonlyArray<number>): ReadonlyArray<string> =>
  db
    .prepare("SELECT DISTINCT subject FROM attention WHERE id IN (SELECT value FROM json_each(?))")
    .pluck()
    .all(JSON.stringify(ids)) as ReadonlyArray<string>

/** Why a decision cannot be taken back any more, in a sentence; undefined: it can. */
export const problem = (db: Db, kept: Undoable.KeptDeed): string | undefined => {
  const { call, deed, digest } = kept
  if (Undoable.leftBy(db, deed) !== digest) return "it was decided otherwise since, or its plan is another one by now"
  if (AttentionStore.isOpenAgain(db, itemsOf(deed))) return "the same is open again already"
  return PastCalls.isAnySince(db, sentFor(db, kept), call) ? "something was sent for it since" : undefined
}

/** What was decided, in words. */
export const words = (db: Db, { deed }: Pick<Undoable.KeptDeed, "deed">): string => {
  const ofItems = (ids: ReadonlyArray<number>) => {
    const [subject = "", ...others] = subjectsOf(db, ids)
    return others.length === 0 ? subject : plural(others.length + 1, "document")
  }
  switch (deed.kind) {
    case "items":
      return `${plural(deed.ids.length, "item")} closed: ${ofItems(deed.ids)}`
    case "answer":
      return `a question about ${deed.subject} answered`
    case "plan":
      return `the plan of ${deed.connection} rejected`
    case "note": {
      const note = db.prepare("SELECT words FROM customer_note WHERE id = ?").pluck().get(deed.id)
      return `a note written: ${String(note ?? "")}`
    }
    case "company": {
      const company = db
        .prepare("SELECT company FROM match WHERE connection = ? AND party = ?")
        .pluck()
        .get(deed.connection, deed.party)
      return company === undefined ? "the company of a debtor taken back" : `a debtor matched to ${String(company)}`
    }
    case "invoices": {
      const choice = MatchChoices.of(db, deed.payment)
      if (choice === undefined) return `the choice for ${deed.payment} taken back`
      return `${deed.payment} is for ${choice.shares.map(({ invoice }) => invoice).join(", ") || "no invoice"}`
    }
    case "payer":
      return deed.isKnown
        ? `${deed.row.payer} always pays for ${deed.row.customer}`
        : `that ${deed.row.payer} pays for ${deed.row.customer} forgotten`
    case "kind":
      return `that payments of ${deed.row.payer} are for no invoice forgotten`
    case "same":
      return `whether ${deed.payment} is the same money as another answered`
  }
}

/** Puts back what was so before. */
const putBack = (db: Db, deed: Undoable.UndoableDeed, now: number): void => {
  AttentionStore.reopen(db, itemsOf(deed))
  switch (deed.kind) {
    case "items":
      return
    case "answer":
      return AttentionActions.giveAnswer(db, deed.subject, deed.question, deed.before)
    case "plan":
      return Approvals.reopen(db, deed.connection)
    case "note":
      return void db.prepare("DELETE FROM customer_note WHERE id = ?").run(deed.id)
    case "company":
      return void Debtors.store(db, deed, deed.before, now)
    case "invoices":
      return MatchChoices.putBack(db, deed.payment, deed.before, now)
    case "payer":
    case "kind":
      return Payers.putBack(db, deed)
    case "same":
      for (const { a, b, before } of deed.pairs) Movements.give(db, { a, b, answer: before }, now)
  }
}

/** A decision that can still be taken back, with what it was in words. */
export interface Offered extends Undoable.KeptDeed {
  readonly words: string
}

const offered = (db: Db) => (kept: Undoable.KeptDeed | undefined) =>
  kept === undefined || problem(db, kept) !== undefined ? [] : [{ ...kept, words: words(db, kept) }]

/** Those of these decisions that can still be taken back. */
export const offersOf = (db: Db, ids: ReadonlyArray<string>): ReadonlyArray<Offered> =>
  ids.flatMap((id) => offered(db)(Undoable.find(db, id)))

/** What can still be taken back of the latest decisions, the latest first. */
export const offers = (db: Db, most: number): ReadonlyArray<Offered> => Undoable.list(db, most).flatMap(offered(db))

/** How many of the latest decisions are looked at where all are listed. */
export const LATEST = 50

/** Whether what is sent may be another plan without the decision. */
export const isPlanned = ({ deed: { kind } }: Pick<Undoable.KeptDeed, "deed">): boolean =>
  kind !== "plan" && kind !== "note"

/** Which kinds of decisions somebody may take back here. */
export type Kinds = ReadonlyArray<Undoable.UndoableDeed["kind"]>

const NONE = "this decision was taken back already, or is too old to be taken back"

/** Takes a decision back, or says why not: then nothing was changed. */
export const undo = (
  connections: ReadonlyArray<Whose>,
  { digest, id, kinds }: { readonly id: string; readonly digest: string; readonly kinds?: Kinds }
): Effect.Effect<Undoable.KeptDeed | { readonly why: string }, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const kept = yield* db.read(() => Undoable.find(db, id))
    if (kept === undefined || kinds?.includes(kept.deed.kind) === false) return { why: NONE }
    const takeBack = db.transaction(() => {
      const why = Undoable.find(db, id)?.digest === digest ? problem(db, kept) : NONE
      if (why !== undefined) return { why }
      putBack(db, kept.deed, now)
      db.prepare("DELETE FROM undoable WHERE id = ?").run(kept.id)
      return kept
    })
    const theirs = kept.connections.map((id) => connections.find((one) => one.id === id) ?? { id })
    const work = Effect.tap(takeBack, (done) => ("why" in done ? Effect.void : Matching.run))
    return yield* db.hold(alone(db, theirs, work))
  })
