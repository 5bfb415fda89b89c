/**
 * Keeps, in the transaction of a decision, how it can be taken back: what was so before, a digest of what it left, and the last call
 * that was claimed before. `decisions/Undo.ts` takes it back, as long as all of that still stands.
 */
import { parseKey } from "../../connectors/Document.ts"
import type { CompanyId } from "../../core/wire/Ids.ts"
import { sha256 } from "./chain/Entry.ts"
import type { Db } from "./Database.ts"

/** How a person answered whether two payments are the same money. */
export interface PairAnswer {
  readonly a: string
  readonly b: string
  /** What was answered before; null: nothing. */
  readonly before: number | null
}

/** What a person said of a payer, as it is stored. */
interface PayerRow {
  readonly connection: string
  readonly payer: string
  readonly party: string
  readonly form: string
  readonly name: string
  readonly customer: string
  readonly since: number
}

/** What a person said of a kind of payments, as it is stored. */
interface NotOursRow {
  readonly connection: string
  readonly payer: string
  readonly words: string
  readonly payment: string
  readonly since: number
}

export type UndoableDeed =
  | { readonly kind: "items"; readonly ids: ReadonlyArray<number> }
  /** A question about an order; `before`: its earlier answer. */
  | {
      readonly kind: "answer"
      readonly id: number
      readonly subject: string
      readonly question: string
      readonly before: string | null
    }
  | { readonly kind: "plan"; readonly connection: string }
  | { readonly kind: "note"; readonly id: number }
  | { readonly kind: "company"; readonly connection: string; readonly party: string; readonly before: CompanyId | null }
  /** For which invoices a payment is; `before`: the earlier choice as it was stored. */
  | { readonly kind: "invoices"; readonly payment: string; readonly before: string | null }
  /** Whose invoices a payer pays, and whether that is known since. */
  | { readonly kind: "payer"; readonly row: PayerRow; readonly isKnown: boolean }
  /** Payments of a kind are for no invoice: that was taken back. */
  | { readonly kind: "kind"; readonly row: NotOursRow }
  | { readonly kind: "same"; readonly payment: string; readonly pairs: ReadonlyArray<PairAnswer> }

/** The rows that a deed wrote, as they are now. */
const rowsOf = (db: Db, deed: UndoableDeed): unknown => {
  const all = (sql: string, ...values: ReadonlyArray<unknown>) => db.prepare(sql).all(...values)
  switch (deed.kind) {
    case "items":
      return all(
        "SELECT id, closed, how FROM attention WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(deed.ids)
      )
    case "answer":
      return [
        all("SELECT closed, how FROM attention WHERE id = ?", deed.id),
        all("SELECT held FROM ledger WHERE subject = ?", deed.subject)
      ]
    case "plan":
      return all("SELECT digest, decision, decided, who FROM approval WHERE connection = ?", deed.connection)
    case "note":
      return all("SELECT * FROM customer_note WHERE id = ?", deed.id)
    case "company":
      return all("SELECT company, chosen FROM match WHERE connection = ? AND party = ?", deed.connection, deed.party)
    case "invoices":
      return all("SELECT shares, chosen FROM choice WHERE payment = ?", deed.payment)
    case "payer": {
      const { connection, form, party, payer } = deed.row
      const sql = "SELECT since FROM payer WHERE connection = ? AND payer = ? AND party = ? AND form = ?"
      return all(sql, connection, payer, party, form)
    }
    case "kind": {
      const { connection, payer, words } = deed.row
      return all(
        "SELECT since FROM not_ours WHERE connection = ? AND payer = ? AND words = ?",
        connection,
        payer,
        words
      )
    }
    case "same":
      return deed.pairs.map(({ a, b }) => all("SELECT same, answered FROM same_money WHERE a = ? AND b = ?", a, b))
  }
}

/** What a decision left, as it is now. */
export const leftBy = (db: Db, deed: UndoableDeed): string => sha256(JSON.stringify([deed, rowsOf(db, deed)]))

/** The connection whose invoices are paid. */
const paidBy = (db: Db, connection: string): ReadonlyArray<string> =>
  db.prepare("SELECT pays FROM matching WHERE connection = ? LIMIT 1").pluck().all(connection) as ReadonlyArray<string>

const connectionsOf = (db: Db, deed: UndoableDeed): ReadonlyArray<string> => {
  switch (deed.kind) {
    case "items":
    case "answer": {
      const ids = deed.kind === "items" ? deed.ids : [deed.id]
      const sql = "SELECT DISTINCT subject FROM attention WHERE id IN (SELECT value FROM json_each(?))"
      const subjects = db.prepare(sql).pluck().all(JSON.stringify(ids)) as ReadonlyArray<string>
      return [...new Set(subjects.map((subject) => subject.slice(0, subject.indexOf("/"))))]
    }
    case "plan":
    case "company":
      return [deed.connection]
    case "payer":
    case "kind":
      return [deed.row.connection, ...paidBy(db, deed.row.connection)]
    case "note":
      return db.prepare("SELECT connection FROM customer_note WHERE id = ?").pluck().all(deed.id) as Array<string>
    case "invoices":
      return [...new Set([deed.payment, ...invoicesOf(db, deed)].map((key) => parseKey(key).connection))]
    case "same":
      return [...new Set(deed.pairs.flatMap(({ a, b }) => [parseKey(a).connection, parseKey(b).connection]))]
  }
}

/** The invoices that a choice for a payment is about: those it is for now, and those that it was for before. */
export const invoicesOf = (
  db: Db,
  { before, payment }: { readonly payment: string; readonly before: string | null }
): ReadonlyArray<string> =>
  db
    .prepare(
      `SELECT s.value ->> '$[0]' FROM (SELECT shares FROM choice WHERE payment = ? UNION ALL SELECT ? AS shares) c,
        json_each(coalesce(c.shares, '[]')) s`
    )
    .pluck()
    .all(payment, before) as ReadonlyArray<string>

/** How many decisions are kept. */
const KEPT = 1000

/** Keeps a decision that was just carried out. Needs its transaction. */
export const keep = (db: Db, deed: UndoableDeed, now: number): void => {
  const call = db.prepare("SELECT coalesce(max(id), 0) FROM claim").pluck().get()
  const { lastInsertRowid } = db
    .prepare("INSERT INTO undoable (at, connections, deed, left, call) VALUES (?, ?, ?, ?, ?)")
    .run(now, JSON.stringify(connectionsOf(db, deed)), JSON.stringify(deed), leftBy(db, deed), call)
  db.prepare("DELETE FROM undoable WHERE id <= ?").run(Number(lastInsertRowid) - KEPT)
}

export interface KeptDeed {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly connections: ReadonlyArray<string>
  readonly deed: UndoableDeed
  /** The digest that names exactly this decision. */
  readonly digest: string
  /** The last call before it. */
  readonly call: number
}

interface KeptRow extends Pick<KeptDeed, "id" | "at" | "call"> {
  readonly connections: string
  readonly deed: string
  readonly left: string
}

const kept = ({ connections, deed, left, ...row }: KeptRow): KeptDeed => ({
  ...row,
  digest: left,
  connections: JSON.parse(connections) as ReadonlyArray<string>,
  deed: JSON.parse(deed) as UndoableDeed
})

/** The number of the latest one. */
export const last = (db: Db): number => db.prepare("SELECT coalesce(max(id), 0) FROM undoable").pluck().get() as number

/** Those after one of them. */
export const after = (db: Db, id: number): ReadonlyArray<KeptDeed> =>
  (db.prepare("SELECT * FROM undoable WHERE id > ? ORDER BY id").all(id) as ReadonlyArray<KeptRow>).map(kept)

/** The latest first. */
export const list = (db: Db, most: number): ReadonlyArray<KeptDeed> =>
  (db.prepare("SELECT * FROM undoable ORDER BY id DESC LIMIT ?").all(most) as ReadonlyArray<KeptRow>).map(kept)

export const find = (db: Db, id: string): KeptDeed | undefined => {
  if (!/^\d{1,15}$/.test(id)) return undefined
  const row = db.prepare("SELECT * FROM undoable WHERE id = ?").get(Number(id)) as KeptRow | undefined
  return row === undefined ? undefined : kept(row)
}
