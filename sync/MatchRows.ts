/**
 * What matching looks at, kept in tables beside the books: invoices that another connection pays, by number and by what
 * is open of them, and payments with the names that they call invoices by. Only what changed is written again.
 */
import type { Invoice, Payment, Reversal } from "../connectors/Document.ts"
import * as Document from "../connectors/Document.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Database } from "./Database.ts"
import * as Matching from "./Matching.ts"
import { namesOf, partyOf, totalOf } from "./MatchNames.ts"
import { toMinor } from "./Plan.ts"
import * as Subjects from "./Subjects.ts"
import * as Terms from "./Terms.ts"

type Db = Database["Service"]

/** What was written of a payment or a reversal. */
export interface Written {
  readonly key: string
  readonly pays: string
  readonly of: string | null
  readonly how: How
  readonly rule: string | null
  readonly why: string | null
  readonly party: string
  /** It waits for an amount. */
  readonly free: number
}

export type How = "choice" | "link" | "reference" | "amount" | ""

/** What a change asks to be decided again: payments and reversals by the number of their document, invoices by key. */
export interface Dirty {
  readonly documents: Set<number>
  readonly invoices: Set<string>
  /** Payments that were read just now, so that they need not be read again. */
  readonly known: Map<number, { readonly written: Written; readonly document: Payment }>
  /** Whether there is any of these at all; what is not there need not be asked for. */
  backs: boolean
  mentions: boolean
  readonly waiting: boolean
  readonly choices: boolean
  readonly payers: boolean
}

const any = (db: Db, from: string): boolean => db.prepare(`SELECT 1 FROM ${from} LIMIT 1`).get() !== undefined

export const clean = (db: Db): Dirty => ({
  documents: new Set(),
  invoices: new Set(),
  known: new Map(),
  backs: any(db, "matching WHERE of IS NOT NULL"),
  mentions: any(db, "mention"),
  waiting: any(db, "matching WHERE free = 1"),
  choices: any(db, "choice"),
  payers: any(db, "payer")
})

export const queueGroup = (
  db: Db,
  group: { readonly pays: string; readonly currency: string; readonly amount: string; readonly party: string }
): void => {
  const { amount, currency, party, pays } = group
  db.prepare("INSERT INTO to_group VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    pays,
    currency,
    BigInt(amount),
    party
  )
}

/** Payments that call an invoice by this name. */
export const mentioning = (db: Db, pays: string, name: string): ReadonlyArray<number> =>
  name === ""
    ? []
    : (db
        .prepare("SELECT document FROM mention WHERE pays = ? AND name = ?")
        .pluck()
        .all(pays, name) as ReadonlyArray<number>)

interface PayableRow {
  readonly number: string
  readonly currency: string
  readonly party: string
  readonly payable: number
  readonly base: string
  readonly open: string
  readonly issued: string
  readonly due: string
}

/** Whether payments that wait for an amount could be for this one. */
export const queueWaiting = (db: Db, pays: string, row: Pick<PayableRow, "currency" | "open" | "party">): void => {
  const waiting = db
    .prepare("SELECT 1 FROM matching WHERE free = 1 AND pays = ? AND currency = ? AND amount = ? AND party = ?")
    .get(pays, row.currency, BigInt(row.open), row.party)
  if (waiting !== undefined) queueGroup(db, { pays, currency: row.currency, amount: row.open, party: row.party })
}

/** Its open amount by its own books, and whether other connections have paid on it. */
const standing = (db: Db, key: string, stated: Invoice): { readonly open: Decimal.Decimal; readonly paid: boolean } => {
  if (db.prepare("SELECT 1 FROM allocation WHERE invoice = ?").get(key) === undefined) {
    return { open: stated.gross ?? stated.net ?? 0n, paid: false }
  }
  const subject = Subjects.load(db, key)
  const own = (facts: ReadonlyArray<{ readonly amount: bigint; readonly how?: string }>) =>
    Decimal.sum(facts.filter(({ how }) => how === undefined).map(({ amount }) => amount))
  return {
    open: Terms.due(subject, stated).total - own(subject.payments) + own(subject.reversals),
    paid: [...subject.payments, ...subject.reversals].some(({ how }) => how !== undefined)
  }
}

/** An invoice of a connection that others pay. */
export const invoice = (db: Db, key: string, dirty: Dirty): void => {
  const { connection, id } = Document.parseKey(key)
  const row = db.prepare("SELECT id, gone, body FROM document WHERE key = ?").get(key) as
    | { readonly id: number; readonly gone: number; readonly body: string }
    | undefined
  if (row === undefined) return
  const stated = Document.decode(row.body) as Invoice
  const before = db
    .prepare(
      `SELECT number, currency, party, payable, CAST(base AS TEXT) AS base, CAST(open AS TEXT) AS open, issued, due
        FROM payable WHERE invoice = ?`
    )
    .get(row.id) as PayableRow | undefined
  const gone = row.gone === 1
  if (gone && before === undefined) return
  const number = Matching.normal(stated.number)
  const payable = gone || stated.status === "void" || stated.status === "draft" ? 0 : 1
  const { open, paid } = standing(db, key, stated)
  const base = payable === 0 ? 0n : toMinor(open, stated.currency)
  const party = Matching.normal(stated.party.name)
  const now = `${base}`
  if (
    !gone &&
    before?.number === number &&
    before.currency === stated.currency &&
    before.party === party &&
    before.payable === payable &&
    before.base === now &&
    before.issued === stated.issued &&
    before.due === stated.due
  ) {
    return
  }
  const named = new Set([Matching.normal(id), number, before?.number ?? number])
  let mentioned = false
  for (const name of dirty.mentions ? named : []) {
    for (const one of mentioning(db, connection, name)) {
      dirty.documents.add(one)
      mentioned = true
    }
  }
  // One that nobody has named or paid is open as its own books say.
  if (before !== undefined || mentioned || paid) dirty.invoices.add(key)
  if (dirty.waiting && before !== undefined) queueWaiting(db, connection, before)
  if (gone) {
    // As if it had never been stated: what was read before decides nothing.
    db.prepare("DELETE FROM payable WHERE invoice = ?").run(row.id)
    return
  }
  db.prepare(
    `INSERT INTO payable VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = excluded.number,
      currency = excluded.currency, party = excluded.party, payable = excluded.payable, base = excluded.base,
      issued = excluded.issued, due = excluded.due`
  ).run(
    row.id,
    connection,
    number,
    stated.currency,
    party,
    payable,
    base,
    BigInt(before?.open ?? now),
    stated.issued,
    stated.due
  )
  if (dirty.waiting) queueWaiting(db, connection, { currency: stated.currency, open: before?.open ?? now, party })
}

export const keysNumbered = (db: Db, pays: string, number: string): ReadonlyArray<string> =>
  db
    .prepare("SELECT d.key FROM payable p JOIN document d ON d.id = p.invoice WHERE p.connection = ? AND p.number = ?")
    .pluck()
    .all(pays, number) as ReadonlyArray<string>

/** The payment that a reversal takes back; one split over invoices has the invoice behind its id. */
const reversed = (db: Db, connection: string, document: Reversal): string | null => {
  if (document.payment === undefined) return null
  const is = (key: string) => db.prepare("SELECT 1 FROM document WHERE key = ?").get(key) !== undefined
  const whole = Document.key(connection, "payment", document.payment)
  if (is(whole)) return whole
  const parts = document.shares.map(({ invoice }) =>
    Document.key(connection, "payment", `${document.payment}/${invoice}`)
  )
  return parts.find(is) ?? whole
}

/** The invoices that a payment was matched with. */
export const heldBy = (db: Db, document: number): ReadonlyArray<string> =>
  db
    .prepare("SELECT invoice FROM allocation WHERE document = ? AND amount IS NOT NULL")
    .pluck()
    .all(document) as ReadonlyArray<string>

interface MatchingRow {
  readonly of: string | null
  readonly currency: string
  readonly amount: string
  readonly party: string
  readonly names: string
  readonly free: number
  readonly how: How
  readonly rule: string | null
  readonly why: string | null
}

/** A payment or a reversal of a connection that pays for another. */
export const money = (db: Db, key: string, pays: string, dirty: Dirty): void => {
  const row = db.prepare("SELECT id, gone, body FROM document WHERE key = ?").get(key) as
    | { readonly id: number; readonly gone: number; readonly body: string }
    | undefined
  if (row === undefined) return
  const { connection } = Document.parseKey(key)
  const before = db
    .prepare(
      "SELECT of, currency, CAST(amount AS TEXT) AS amount, party, names, free, how, rule, why FROM matching WHERE document = ?"
    )
    .get(row.id) as MatchingRow | undefined
  if (before !== undefined) {
    // Its words name the amount and the payer.
    db.prepare("INSERT INTO to_tell VALUES (?) ON CONFLICT DO NOTHING").run(row.id)
    if (before.free === 1) queueGroup(db, { pays, ...before })
    if (before.of !== null) addDocument(db, before.of, dirty)
  }
  if (before !== undefined) for (const invoice of heldBy(db, row.id)) dirty.invoices.add(invoice)
  const old = before === undefined ? [] : (JSON.parse(before.names) as ReadonlyArray<string>)
  const document = row.gone === 1 ? undefined : (Document.decode(row.body) as Payment | Reversal)
  const names = document === undefined ? [] : namesOf(db, key, document, dirty.choices)
  for (const name of old)
    if (!names.includes(name))
      db.prepare("DELETE FROM mention WHERE pays = ? AND name = ? AND document = ?").run(pays, name, row.id)
  for (const name of names)
    if (!old.includes(name))
      db.prepare("INSERT INTO mention VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(pays, name, row.id)
  dirty.documents.add(row.id)
  dirty.mentions ||= names.length > 0
  if (document === undefined) {
    db.prepare("DELETE FROM matching WHERE document = ?").run(row.id)
    followers(db, key, dirty)
    return
  }
  const of = document.kind === "reversal" ? reversed(db, connection, document) : null
  const currency = document.currency ?? ""
  const party = partyOf(db, connection, document, dirty.payers)
  if (document.kind === "payment") {
    const { how, rule, why } = before ?? { how: "" as const, rule: null, why: null }
    dirty.known.set(row.id, { document, written: { key, pays, of: null, how, rule, why, party, free: 0 } })
  }
  // How much is matched is written once that is decided.
  db.prepare(
    `INSERT INTO matching VALUES (:id, :connection, :pays, :of, :back, :currency, :amount, :amount, :date, :party, :names, '', 0, NULL, NULL)
      ON CONFLICT DO UPDATE SET of = :of, currency = :currency, amount = :amount, date = :date, party = :party, names = :names,
        pays = :pays, free = 0`
  ).run({
    id: row.id,
    connection,
    pays,
    of,
    back: document.kind === "reversal" ? 1 : 0,
    currency,
    amount: toMinor(totalOf(document), currency),
    date: document.date,
    party,
    names: JSON.stringify(names)
  })
  if (of !== null) {
    dirty.backs = true
    addDocument(db, of, dirty)
  }
  if (dirty.backs && document.kind === "payment" && before === undefined) followers(db, key, dirty)
}

const addDocument = (db: Db, key: string, { documents }: Dirty): void => {
  const id = db
    .prepare("SELECT m.document FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .pluck()
    .get(key)
  if (typeof id === "number") documents.add(id)
}

/** What goes back of this payment, also where it was read before: by the payment's whole id, or by its part. */
const followers = (db: Db, key: string, { documents }: Dirty): void => {
  const first = key.indexOf("/", key.indexOf("/") + 1)
  for (let end = key.length; end > first; end = key.lastIndexOf("/", end - 1)) {
    const whole = key.slice(0, end)
    const rows = db
      .prepare("SELECT m.document, d.body FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ?")
      .all(whole) as ReadonlyArray<{ readonly document: number; readonly body: string }>
    for (const { body, document } of rows) {
      documents.add(document)
      const of = reversed(db, Document.parseKey(key).connection, Document.decode(body) as Reversal)
      db.prepare("UPDATE matching SET of = ? WHERE document = ?").run(of, document)
    }
  }
}
