/**
 * Reads from the state file what the rules look at: subjects and their ledger entries, one at a time, by key.
 */
import * as Bookmarks from "../books/Bookmarks.ts"
import type { Allocated, Invoice, Order, OrderFact, Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { movements } from "../movements/OnInvoice.ts"
import * as Blocking from "./Blocking.ts"
import { strays } from "./OrderMovements.ts"
import { withParts } from "./OrderTogether.ts"
import { partyKey } from "./PartyKey.ts"
import { ALLOCATED, type AllocatedRow, FACTS, type StoredDocument } from "./SubjectRows.ts"
import { Surroundings } from "./Surroundings.ts"
import { shippedBy, shipper } from "../books/Parcels.ts"
import { likely, recordsOf } from "../books/ScanState.ts"
import type { RemoteBuyer } from "../model/RemoteBuyer.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { decodeRemote, type Remote, type StoredRemote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import { inCurrencyOf, type OrderFacts } from "../model/OrderFacts.ts"
import { inOwnCurrency, type Fact, type InvoiceFacts } from "../model/InvoiceFacts.ts"

/** @param around what is known of its connection, if it was read in the same transaction */
export const invoiceFacts = (db: Db, key: string, around = new Surroundings(db)): InvoiceFacts => {
  const stated = statedFacts(db, key, around)
  return around.hasSeveralLists(stated.connection)
    ? movements(db, stated, standing(remoteInvoice(db, key, around)))
    : stated
}

/** All that the lists state of an invoice, though several may state the same money. */
export const statedFacts = (db: Db, key: string, around = new Surroundings(db)): InvoiceFacts => {
  const { connection, id } = Document.parseKey(key)
  const loaded = around.loaded(key)
  const row = loaded === undefined ? stored(db, key) : loaded.document(key)
  const invoice = row === undefined ? undefined : (Body.read(row.body) as Invoice)
  const facts = (loaded?.allocated(key) ?? allocated(db, key)).map((one) => factOf(one, id))
  const old = around.hasQuarantined(connection)
    ? unreadable(db, connection, [key, ...facts.map((fact) => fact.key)])
    : []
  const blocked = invoice === undefined ? [] : Blocking.about(around.quarantinedMoney(connection), invoice, facts)
  const payments = facts.filter(isKind("payment"))
  const returned =
    invoice === undefined ? [] : Blocking.mayBeBack(around.returned(connection), { ...invoice, key }, payments)
  const match =
    invoice === undefined || !around.hasMatches(connection)
      ? undefined
      : db
          .prepare("SELECT company FROM match WHERE connection = ? AND party = ?")
          .pluck()
          .get(connection, partyKey(invoice))
  return inOwnCurrency({
    key,
    connection,
    invoice,
    deleted: row?.deleted === 1,
    ...(around.isUnread(connection) ? unread(around, connection) : {}),
    ...(blocked.length === 0 ? {} : { blocked }),
    ...(returned.length === 0 ? {} : { returned }),
    ...(old.length === 0 ? {} : { outdated: old }),
    ...(invoice?.stated?.open !== undefined && around.hasPayments(connection) ? { hasPayments: true } : {}),
    payments,
    reversals: facts.filter(isKind("reversal")),
    creditNotes: facts.filter(isKind("credit_note")),
    ...(typeof match === "string" ? { match } : {})
  })
}

/** Whether something is reported on an invoice now. */
const standing = (remote: RemoteInvoice | undefined) => (key: string) =>
  remote?.postings.findLast(({ fact }) => fact === key)?.undo === false

const unread = (around: Surroundings, connection: string) => {
  const reading = around.readingPayer(connection)
  return {
    unread: true,
    ...(reading === undefined ? {} : { reading: { connection: reading.connection, removed: reading.removed === 1 } })
  }
}

/** What somebody else wrote on the service may begin like a key and be none. */
const isKey = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/**
 * Adds what was reported on this invoice and is not among its facts: payments of other connections that are no longer matched
 * to any, and records that could not be read. In a state file that was lost or restored, the books may never have had these.
 */
export const withReported = (
  db: Db,
  facts: InvoiceFacts,
  remote: RemoteInvoice | undefined,
  around = new Surroundings(db)
): InvoiceFacts => {
  const known = new Set([...facts.payments, ...facts.reversals, ...(facts.foreign ?? [])].map(({ key }) => key))
  const gone = new Set(remote?.postings.flatMap(({ fact }) => (known.has(fact) ? [] : [fact])))
  const old = [...gone].flatMap((fact) => {
    const connection = fact.slice(0, fact.indexOf("/"))
    return isKey(fact) && around.hasQuarantined(connection) ? unreadable(db, connection, [fact]) : []
  })
  const unplaced = [...gone].flatMap((key) => {
    const row = db
      .prepare(
        `SELECT d.body, coalesce(m.was, '') AS was FROM document d JOIN matching m ON m.document = d.id
          WHERE d.key = ? AND d.deleted = 0 AND m.back = 0 AND m.how = ''
            AND NOT EXISTS (SELECT 1 FROM allocation a WHERE a.document = d.id)`
      )
      .get(key) as { readonly body: string; readonly was: string } | undefined
    if (row === undefined) return []
    const { date, shares, unallocated = 0n } = Body.read(row.body) as Payment
    // The payment's item names the invoice that it was last on: see matching/Report.ts.
    const last = row.was === "" ? [] : (JSON.parse(row.was) as ReadonlyArray<string>)
    const amount = shares.reduce((sum, share) => sum + share.amount, unallocated)
    return [{ key, date, amount, named: last.includes(facts.key) }]
  })
  return {
    ...facts,
    ...(old.length === 0 ? {} : { outdated: [...(facts.outdated ?? []), ...old] }),
    ...(unplaced.length === 0 ? {} : { unplaced })
  }
}

const isKind =
  <K extends Allocated["kind"]>(kind: K) =>
  (fact: Fact<Allocated>): fact is Fact<Extract<Allocated, { kind: K }>> =>
    fact.document.kind === kind

const stored = (db: Db, key: string) =>
  db.prepare("SELECT deleted, body FROM document WHERE key = ?").get(key) as StoredDocument | undefined

const allocated = (db: Db, key: string) =>
  db
    .prepare(`SELECT ${ALLOCATED} FROM allocation a ${FACTS} WHERE a.invoice = ? AND d.deleted = 0`)
    .all(key) as ReadonlyArray<AllocatedRow>

const factOf = (row: AllocatedRow, invoice: string): Fact<Allocated> => {
  const document = Body.read(row.body) as Allocated
  if (row.amount !== null)
    return {
      key: row.key,
      document,
      amount: BigInt(row.amount),
      how: row.how ?? "",
      ...(row.note === null ? {} : { note: row.note }),
      ...(row.rest === null ? {} : { rest: Currency.ofMinor(BigInt(row.rest), row.currency ?? "") })
    }
  let amount = 0n
  for (const share of document.shares) if (share.invoice === invoice) amount += share.amount
  return { key: row.key, document, amount }
}

/**
 * Kinds of order facts of which any record could not be read, for any order. Of one that the books have from before, its order
 * is known, and only that one waits.
 */
const unreadableKinds = (db: Db, connection: string): ReadonlyArray<OrderFact["kind"]> =>
  db
    .prepare(
      `SELECT value FROM json_each('["fulfilment", "cancellation", "return"]')
        WHERE EXISTS (SELECT 1 FROM quarantine q WHERE connection = :connection AND kind = value AND NOT EXISTS
          (SELECT 1 FROM document d WHERE d.key = :connection || '/' || value || '/' || q.id AND d.deleted = 0))`
    )
    .pluck()
    .all({ connection }) as ReadonlyArray<OrderFact["kind"]>

/**
 * Those of these documents whose latest record is quarantined, and why. One record may yield several documents: `7/1` from
 * `7`. Until a record can be read, it is unknown whether it is a payment, a reversal or a credit note.
 */
const unreadable = (
  db: Db,
  connection: string,
  keys: ReadonlyArray<string>
): ReadonlyArray<{ readonly key: string; readonly origin: string; readonly why: string }> => {
  const quarantined = db.prepare(
    `SELECT origin, iif(field IS NULL, why, field || ': ' || why) AS why FROM quarantine
      WHERE connection = ? AND kind IN (SELECT value FROM json_each(?)) AND id IN (SELECT value FROM json_each(?)) LIMIT 1`
  )
  return keys.flatMap((key) => {
    if (!key.startsWith(`${connection}/`)) return []
    const { id, kind } = Document.parseKey(key)
    const kinds = JSON.stringify(likely(kind as Document.Kind))
    const found = quarantined.get(connection, kinds, JSON.stringify(recordsOf(id))) as
      | { readonly origin: string; readonly why: string }
      | undefined
    return found === undefined ? [] : [{ key, ...found }]
  })
}

const remoteOf = <K extends Remote["kind"]>(
  db: Db,
  key: string,
  kind: K,
  around?: Surroundings
): Extract<Remote, { kind: K }> | undefined => {
  const loaded = around?.loaded(key)
  const held = "SELECT subject, remote, held FROM ledger WHERE subject = ? AND held IS NOT NULL"
  const row = loaded === undefined ? (db.prepare(held).get(key) as StoredRemote | undefined) : loaded.held(key)
  const remote = row === undefined ? undefined : decodeRemote(row)
  return remote?.kind === kind ? (remote as Extract<Remote, { kind: K }>) : undefined
}

/** @param around as for `invoiceFacts` */
export const remoteInvoice = (db: Db, key: string, around?: Surroundings): RemoteInvoice | undefined =>
  remoteOf(db, key, "invoice", around)

export const isOrderKey = (key: string): boolean => Document.kindOf(key) === "order"

/** Whether a ledger entry belongs to a subject; owners have their own. */
export const isSubject = (key: string): boolean => SUBJECTS.has(Document.kindOf(key))

const SUBJECTS: ReadonlySet<string> = new Set(Document.SUBJECTS)

export const isBuyerKey = (key: string): boolean => Document.kindOf(key) === "buyer"

export const buyerFacts = (db: Db, key: string): BuyerFacts => {
  const bodies = db
    .prepare(
      "SELECT d.body FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = ? AND d.deleted = 0 ORDER BY d.key"
    )
    .pluck()
    .all(key) as ReadonlyArray<string>
  return {
    key,
    connection: Document.parseKey(key).connection,
    orders: bodies.map((body) => Body.read(body) as Order)
  }
}

export const remoteBuyer = (db: Db, key: string): RemoteBuyer | undefined => remoteOf(db, key, "buyer")

export const orderFacts = (db: Db, key: string): OrderFacts => {
  const { connection } = Document.parseKey(key)
  const row = stored(db, key)
  const stated = row === undefined ? undefined : (Body.read(row.body) as Order)
  const ships = shipper(db, connection)
  const its: Pick<OrderFacts, "movements" | "order" | "head" | "parts"> =
    stated === undefined
      ? { movements: strays(db, key, shippedBy(db, connection).length > 0), order: undefined }
      : withParts(db, { key, order: stated }, ships === undefined ? {} : { ships }, (one) => remoteOrder(db, one))
  const { movements, order } = its
  const all = ships === undefined ? [connection] : [connection, ships]
  const keys = [...(its.parts ?? [key]), ...movements.map((fact) => fact.key)]
  const old = all.some((one) => new Surroundings(db).hasQuarantined(one))
    ? all.flatMap((one) => unreadable(db, one, keys))
    : []
  const kinds = [...new Set(all.flatMap((one) => unreadableKinds(db, one)))]
  return {
    key,
    connection,
    ...its,
    order: order?.also === undefined ? order : inCurrencyOf(order, remoteOrder(db, key)),
    deleted: row?.deleted === 1,
    ...(ships === undefined ? {} : { elsewhere: true }),
    ...(all.some((one) => Bookmarks.isReading(db, one)) || old.length > 0 ? { unread: true } : {}),
    ...(kinds.length === 0 ? {} : { unreadable: kinds }),
    ...(old.length === 0 ? {} : { outdated: old.map((one) => one.key) })
  }
}

export const remoteOrder = (db: Db, key: string): RemoteOrder | undefined => remoteOf(db, key, "order")

/** The identifier on the service of an invoice's transaction, an order's deferred payment, a buyer's organisation or user. */
export const remoteId = (db: Db, subject: string): string | undefined => {
  const buyer = /^([^#]+)#user$/.exec(subject)?.[1]
  if (buyer !== undefined) return remoteBuyer(db, buyer)?.user?.id
  const id = db.prepare("SELECT remote FROM ledger WHERE subject = ?").pluck().get(subject)
  return typeof id === "string" ? id : coverId(db, subject)
}

/** The identifier of an invoice's quote, policy or collection, `books/invoice/INV-1#policy`. */
const coverId = (db: Db, subject: string): string | undefined => {
  const [, invoice, part] = /^(.+)#(quote|policy|collection)$/.exec(subject) ?? []
  const { cover } = invoice === undefined ? {} : (remoteInvoice(db, invoice) ?? {})
  return cover?.[part as "quote" | "policy" | "collection"]?.id
}

/** A row of the ledger for a document that the service holds. */
export interface RemoteRow {
  readonly id: number
  readonly subject: string
  readonly remote: string
}

export const row = (db: Db, subject: string): RemoteRow | undefined =>
  db.prepare("SELECT id, subject, remote FROM ledger WHERE subject = ? AND remote IS NOT NULL").get(subject) as
    | RemoteRow
    | undefined

/** The same rows of many invoices, with what they say that the service holds. */
export const rowsHeld = (
  db: Db,
  subjects: ReadonlyArray<string>
): ReadonlyMap<string, RemoteRow & { readonly held: RemoteInvoice }> => {
  const rows = db
    .prepare(
      `SELECT l.id, l.subject, l.remote, l.held FROM json_each(?) k CROSS JOIN ledger l ON l.subject = k.value
        WHERE l.remote IS NOT NULL AND l.held IS NOT NULL`
    )
    .all(JSON.stringify(subjects)) as ReadonlyArray<RemoteRow & StoredRemote>
  const found = new Map<string, RemoteRow & { readonly held: RemoteInvoice }>()
  for (const { id, remote, subject, ...row } of rows) {
    const held = decodeRemote({ ...row, remote, subject })
    if (held.kind === "invoice") found.set(subject, { id, subject, remote, held })
  }
  return found
}

/** The next rows after `after`, by key; empty at the end. */
export const rows = (db: Db, after: string, end: string): ReadonlyArray<RemoteRow> =>
  db
    .prepare(
      "SELECT id, subject, remote FROM ledger WHERE subject > ? AND subject < ? AND remote IS NOT NULL ORDER BY subject LIMIT 500"
    )
    .all(after, end) as ReadonlyArray<RemoteRow>
