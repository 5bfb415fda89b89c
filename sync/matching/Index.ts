/**
 * Takes in documents that changed: updates the tables that matching uses (`Tables.ts`), and marks what must be decided
 * again. Only changes are written.
 */
import type { Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as ToJoin from "./ToJoin.ts"
import * as MatchRules from "./Rules.ts"
import type { Payer } from "./Amounts.ts"
import { namesOf, namesOfInvoice, payerIn, saidOf, totalOf } from "./References.ts"
import { type InvoiceToMatch, type PayableFacts, payableRow, type ToMatch } from "./PayableRow.ts"
import { traced, traceName, tracing } from "./Traces.ts"
import type { How } from "./Rows.ts"
import {
  type Dirty,
  doubtedBy,
  heldBy,
  leftBehind,
  mentioning,
  PAYABLE,
  type Payable,
  queueGroup,
  queueWaiting
} from "./Tables.ts"

/** The row of such an invoice. */
interface StoredInvoice extends Payable {
  readonly due: string
}

/** Changed invoices of a connection that others pay, in the order of their keys. */
export const invoicesToMatch = (db: Db, from: string, to: string, limit: number): ReadonlyArray<InvoiceToMatch> =>
  db
    .prepare(
      `SELECT d.key, d.id, d.deleted, d.body, p.invoice IS NOT NULL AS stored,
          EXISTS (SELECT 1 FROM allocation a WHERE a.invoice = t.key) AS touched
        FROM to_match t CROSS JOIN document d ON d.key = t.key LEFT JOIN payable p ON p.invoice = d.id
        WHERE t.key > ? AND t.key < ? ORDER BY t.key LIMIT ?`
    )
    .all(from, to, limit) as ReadonlyArray<InvoiceToMatch>

const storedInvoice = (db: Db, id: number): StoredInvoice =>
  db
    .prepare(`SELECT ${PAYABLE}, p.due FROM payable p JOIN document d ON d.id = p.invoice WHERE p.invoice = ?`)
    .get(id) as StoredInvoice

const isSame = <A extends object>(before: A, next: Partial<A>): boolean =>
  Object.entries(next).every(([name, value]) => before[name as keyof A] === value)

/** Payments in doubt that an invoice decides otherwise than before: by its amount, or because its customer is another one. */
const doubted = (
  db: Db,
  { id, key }: InvoiceToMatch,
  {
    before,
    deleted,
    next
  }: { readonly before: StoredInvoice | undefined; readonly next: PayableFacts; readonly deleted: boolean },
  dirty: Dirty
): ReadonlyArray<number> => {
  const { connection } = Document.parseKey(key)
  const isSameCustomer = before?.party === next.party && before.customer === next.customer && !deleted
  const of = isSameCustomer ? {} : { comesOrGoes: { id } }
  return [next, ...(before === undefined ? [] : [before])].flatMap((row) =>
    doubtedBy(db, connection, { ...row, ...of }, dirty)
  )
}

/** Stores what matching needs to know about one invoice. */
export const invoice = (db: Db, row: InvoiceToMatch, dirty: Dirty): void => {
  const { key } = row
  const { connection, id } = Document.parseKey(key)
  const stated = Body.read(row.body) as Invoice
  // Most are new; their rows would be nothing but null.
  const before = row.stored === 0 ? undefined : storedInvoice(db, row.id)
  const deleted = row.deleted === 1
  if (deleted && before === undefined) return
  const { next, paid } = payableRow(db, row, stated)
  const { base: now, party } = next
  if (!deleted && before !== undefined && isSame(before, next)) return
  const names = dirty.mentions ? [...namesOfInvoice(id, next, before)] : []
  const naming = names.flatMap((name) => mentioning(db, connection, name))
  for (const one of naming) dirty.documents.add(one)
  const mentioned = naming.length > 0
  if (mentioned && dirty.later.areJoined()) ToJoin.again(db, naming)
  // What went back may name it, and by that the payment that was for it.
  const back = mentioned && dirty.backs ? tracing(db, connection, names) : []
  // If nothing has named or paid it, its open amount is the one in its own books.
  if (before !== undefined || mentioned || paid) dirty.invoices.add(key)
  if (dirty.waiting && before !== undefined)
    for (const open of new Set([before.open, before.base, now]))
      queueWaiting(db, connection, { ...before, open }, dirty)
  if (dirty.doubts) for (const one of doubted(db, row, { before, next, deleted }, dirty)) dirty.documents.add(one)
  if (deleted) {
    // As if it had never existed: earlier versions have no influence.
    db.prepare("DELETE FROM payable WHERE invoice = ?").run(row.id)
    follow(db, back, connection, dirty)
    return
  }
  dirty.later.payable([
    row.id,
    connection,
    next.number,
    next.currency,
    party,
    next.payable,
    BigInt(now),
    BigInt(before?.open ?? now),
    next.issued,
    next.due,
    next.customer,
    next.form,
    next.reference
  ])
  if (dirty.waiting) queueWaiting(db, connection, { ...next, open: before?.open ?? now }, dirty)
  if (back.length > 0) dirty.later.flush()
  follow(db, back, connection, dirty)
}

/** The payment that a reversal reverses; the id of a payment that was split over invoices ends with the invoice's id. */
const reversed = (db: Db, connection: string, pays: string, document: Reversal): string | null => {
  if (document.payment === undefined) return traced(db, connection, pays, document)
  const is = (key: string) => db.prepare("SELECT 1 FROM document WHERE key = ?").get(key) !== undefined
  const whole = Document.key(connection, "payment", document.payment)
  if (is(whole)) return whole
  const parts = document.shares.map(({ invoice }) =>
    Document.key(connection, "payment", `${document.payment}/${invoice}`)
  )
  return parts.find(is) ?? whole
}

interface Before extends Payer {
  readonly currency: string
  readonly amount: string
  readonly names: string
  readonly free: number
  readonly how: How
  readonly of: string | null
  readonly rule: string | null
  readonly why: string | null
}

/** A changed payment or reversal, and whether it has a row. */
interface MoneyToMatch extends ToMatch {
  readonly stored: number
}

const MONEY = "SELECT d.key, d.id, d.deleted, d.body, m.document IS NOT NULL AS stored"

/** Changed payments or reversals of a connection that pays for another, in the order of their keys. */
export const moneyToMatch = (db: Db, from: string, to: string, limit: number): ReadonlyArray<MoneyToMatch> =>
  db
    .prepare(
      `${MONEY} FROM to_match t CROSS JOIN document d ON d.key = t.key LEFT JOIN matching m ON m.document = d.id
        WHERE t.key > ? AND t.key < ? ORDER BY t.key LIMIT ?`
    )
    .all(from, to, limit) as ReadonlyArray<MoneyToMatch>

/** One of them, by its document's number. */
export const moneyOf = (db: Db, document: number): MoneyToMatch =>
  db
    .prepare(`${MONEY} FROM document d LEFT JOIN matching m ON m.document = d.id WHERE d.id = ?`)
    .get(document) as MoneyToMatch

const storedMoney = (db: Db, document: number): Before =>
  db
    .prepare(
      "SELECT of, currency, CAST(amount AS TEXT) AS amount, party, form, cut, customer, names, free, how, rule, why FROM matching WHERE document = ?"
    )
    .get(document) as Before

/** Stores the names of invoices in a payment or reversal. */
const mentions = (
  db: Db,
  document: number,
  pays: string,
  { names, old }: { readonly old: ReadonlyArray<string>; readonly names: ReadonlyArray<string> },
  dirty: Dirty
): void => {
  const gone = old.filter((name) => !names.includes(name))
  for (const name of gone)
    db.prepare("DELETE FROM mention WHERE pays = ? AND name = ? AND document = ?").run(pays, name, document)
  for (const name of names) if (!old.includes(name)) dirty.later.mention([pays, name, document])
  dirty.names.push(...names)
  dirty.mentions ||= names.length > 0
}

/** Stores what matching needs to know about one payment or reversal. */
export const money = (db: Db, row: MoneyToMatch, pays: string, dirty: Dirty): void => {
  const { key } = row
  const { connection } = Document.parseKey(key)
  const before = row.stored === 0 ? undefined : storedMoney(db, row.id)
  if (before !== undefined) {
    // The text of its item contains the amount and the payer.
    db.prepare("INSERT INTO to_report (document) VALUES (?) ON CONFLICT DO UPDATE SET due = 0").run(row.id)
    if (before.free === 1) queueGroup(db, { pays, ...before })
    if (before.of !== null) addDocument(db, before.of, dirty)
    for (const invoice of heldBy(db, row.id)) {
      dirty.invoices.add(invoice)
      // Its date may have changed, which alone does not affect where it belongs.
      ChangedDocuments.touch(db, invoice)
    }
    // Its item may be obsolete or have another text.
    for (const invoice of leftBehind(db, row.id)) ChangedDocuments.touch(db, invoice)
  }
  const old = before === undefined ? [] : (JSON.parse(before.names) as ReadonlyArray<string>)
  const document = row.deleted === 1 ? undefined : (Body.read(row.body) as Payment | Reversal)
  const inText = document === undefined ? [] : MatchRules.namesIn(saidOf(document))
  const names = document === undefined ? [] : [...namesOf(db, key, document, inText, dirty), ...traceName(document)]
  dirty.documents.add(row.id)
  mentions(db, row.id, pays, { old, names }, dirty)
  if (document === undefined) return gone(db, row, pays, old, dirty)
  // Reversals, and payments that they may reverse, need all of them to be searched.
  const isAlone =
    document.kind === "payment" && !dirty.backs && traceName(document).length === 0 && before === undefined
  if (!isAlone) dirty.later.flush()
  const of = document.kind === "reversal" ? reversed(db, connection, pays, document) : null
  const currency = document.currency ?? ""
  const payer = payerIn(connection, document, dirty)
  if (document.kind === "payment") {
    const { how, rule, why } = before ?? { how: "" as const, rule: null, why: null }
    dirty.known.set(row.id, { document, inText, written: { key, pays, of: null, how, rule, why, ...payer, free: 0 } })
  }
  const amount = Currency.toMinorOutward(totalOf(document), currency)
  const said = JSON.stringify(names)
  if (before !== undefined)
    corrected(db, key, before, { amount: `${amount}`, currency, names: said, party: payer.party })
  dirty.later.money({
    document: row.id,
    connection,
    pays,
    of,
    back: document.kind === "reversal" ? 1 : 0,
    currency,
    amount,
    date: document.date,
    ...payer,
    names: said
  })
  if (!isAlone)
    stored(
      db,
      { document: row.id, key, of, pays, isNew: before === undefined && document.kind === "payment" },
      [...old, ...names],
      dirty
    )
}

/** A payment or reversal that is deleted: what it had to do with others is found again. */
const gone = (db: Db, { id, key }: MoneyToMatch, pays: string, names: ReadonlyArray<string>, dirty: Dirty): void => {
  dirty.later.flush()
  if (dirty.later.areJoined()) ToJoin.returned(db, id)
  db.prepare("DELETE FROM matching WHERE document = ?").run(id)
  followers(db, key, pays, dirty)
  follow(db, tracing(db, pays, names), pays, dirty)
}

/** If its source says something else of a payment, what was decided before is open again. */
const corrected = (
  db: Db,
  key: string,
  before: Before,
  now: Pick<Before, "amount" | "currency" | "names" | "party">
): void => {
  if (!isSame<Pick<Before, keyof typeof now>>(before, now))
    db.prepare("UPDATE standing SET kept = 0 WHERE payment = ?").run(key)
}

/** Finds what a payment or reversal, once it is stored, has to do with others. */
const stored = (
  db: Db,
  {
    document,
    isNew,
    key,
    of,
    pays
  }: {
    readonly document: number
    readonly key: string
    readonly of: string | null
    readonly pays: string
    readonly isNew: boolean
  },
  names: ReadonlyArray<string>,
  dirty: Dirty
): void => {
  dirty.later.flush()
  if (of !== null) {
    dirty.backs = true
    if (dirty.later.areJoined()) ToJoin.returned(db, document)
    addDocument(db, of, dirty)
  }
  if (dirty.backs && isNew) followers(db, key, pays, dirty)
  follow(db, tracing(db, pays, names), pays, dirty)
}

const addDocument = (db: Db, key: string, { documents }: Dirty): void => {
  const id = db
    .prepare("SELECT m.document FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .pluck()
    .get(key)
  if (typeof id === "number") documents.add(id)
}

/** The reversals of this payment, including earlier ones: found by the payment's whole id or by its part. */
const followers = (db: Db, key: string, pays: string, dirty: Dirty): void => {
  const first = key.indexOf("/", key.indexOf("/") + 1)
  for (let end = key.length; end > first; end = key.lastIndexOf("/", end - 1)) {
    const whole = key.slice(0, end)
    const found = db.prepare("SELECT document FROM matching WHERE of = ?").pluck().all(whole)
    follow(db, found as ReadonlyArray<number>, pays, dirty)
  }
}

/** Finds the payments of these reversals again. */
const follow = (db: Db, reversals: ReadonlyArray<number>, pays: string, dirty: Dirty): void => {
  for (const id of reversals) {
    const row = db
      .prepare("SELECT d.key, d.body, m.of FROM matching m JOIN document d ON d.id = m.document WHERE m.document = ?")
      .get(id) as { readonly key: string; readonly body: string; readonly of: string | null } | undefined
    if (row === undefined) continue
    dirty.documents.add(id)
    const of = reversed(db, Document.parseKey(row.key).connection, pays, Body.read(row.body) as Reversal)
    db.prepare("UPDATE matching SET of = ? WHERE document = ?").run(of, id)
    if (of !== row.of && dirty.later.areJoined()) ToJoin.returned(db, id)
    for (const one of [row.of, of]) if (one !== null) addDocument(db, one, dirty)
    if (of !== null) dirty.backs = true
  }
}
