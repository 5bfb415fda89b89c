/**
 * Finds the invoices and credit notes of an order in the books, and their files as far as those were read (`../collections/OrderFiles.ts`).
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Document from "../../connectors/Document.ts"
import type { CreditNote, Invoice, Order } from "../../connectors/Document.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import type { CoverDocument } from "../model/Cover.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { isSameParty } from "../model/PartyName.ts"
import { isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import { rounding } from "../rules/OrderOwed.ts"
import { attaching, hasAllPapers, type OrderPaper, paperItems, papersDue } from "../rules/OrderPapers.ts"
import type { OrderDecision } from "../rules/Orders.ts"
import { pendingPostings, stands } from "../rules/OrderPlan.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

const OF_ORDER = `SELECT key, body FROM document WHERE ${Body.is("invoice")} AND ${Body.at("invoice", "metadata.order")} = ?
    AND ${Body.at("invoice", "metadata.order")} IS NOT NULL AND key > ? AND key < ? AND deleted = 0`

const OF_NUMBER = `SELECT key, body FROM document WHERE ${Body.is("invoice")} AND ${Body.at("invoice", "number")} = ?
    AND ${Body.at("invoice", "number")} IS NOT NULL AND key > ? AND key < ? AND deleted = 0`

const VOID = `SELECT key FROM document WHERE key IN (SELECT value FROM json_each(?)) AND ${Body.is("invoice")}
  AND ${Body.at("invoice", "status")} = 'void'`

const NOTES = `SELECT DISTINCT d.key, d.body FROM allocation a JOIN document d ON d.id = a.document
  WHERE a.invoice IN (SELECT value FROM json_each(?)) AND ${Body.is("credit_note", "d.body")} AND d.deleted = 0 ORDER BY d.key`

interface Row {
  readonly key: string
  readonly body: string
}

const minor = (amount: Decimal.Decimal, currency: string): bigint => Currency.inMinor(amount, currency) / Decimal.one

/** An invoice with the order's own number may be another sale's: it has to be the same buyer's, or come to the same. */
const isOfNumber = (order: Order, { currency, gross, number, party }: Invoice): boolean => {
  if (number !== order.number || currency !== order.currency) return false
  if (order.buyer !== undefined) return isSameParty(order.buyer, party)
  return gross === Decimal.sum(order.lines.map((line) => line.gross))
}

const invoicesOf = (db: Db, from: string, order: Order): ReadonlyArray<readonly [key: string, invoice: Invoice]> => {
  const range = [`${from}/invoice/`, `${from}/invoice0`]
  const named = db.prepare(OF_ORDER).all(order.number, ...range) as ReadonlyArray<Row>
  const own = Document.key(from, "invoice", order.number)
  const numbered = [
    ...(db.prepare(OF_NUMBER).all(order.number, ...range) as ReadonlyArray<Row>),
    ...(db.prepare("SELECT key, body FROM document WHERE key = ? AND deleted = 0").all(own) as ReadonlyArray<Row>)
  ]
  const found = new Map<string, Invoice>()
  for (const { body, key } of named) found.set(key, Body.read(body) as Invoice)
  for (const { body, key } of numbered) {
    const invoice = Body.read(body) as Invoice
    if (invoice.metadata?.["order"] === undefined && isOfNumber(order, invoice)) found.set(key, invoice)
  }
  return [...found]
    .filter(([, { gross, status }]) => gross !== undefined && (status === "open" || status === "paid"))
    .toSorted(([a, { issued: one }], [b, { issued: other }]) =>
      one < other ? -1 : one > other ? 1 : a < b ? -1 : a > b ? 1 : 0
    )
}

/** The credit notes of these invoices. One that is about several of them is one document. */
const notesOf = (
  db: Db,
  invoices: ReadonlyArray<readonly [key: string, invoice: Invoice]>
): ReadonlyArray<OrderPaper> => {
  const keys = new Map(invoices.map(([key, { id }]) => [id, key]))
  const found = new Map<string, OrderPaper>()
  for (const { body, key } of db.prepare(NOTES).all(JSON.stringify([...keys.values()])) as ReadonlyArray<Row>) {
    const { id, shares } = Body.read(body) as CreditNote
    for (const { amount, invoice } of shares) {
      const [of, its] = [keys.get(invoice), invoices.find(([, one]) => one.id === invoice)?.[1]]
      if (of === undefined || its === undefined) continue
      // A row of a table names one invoice, which is part of its id.
      const number = id.endsWith(`/${invoice}`) ? id.slice(0, -invoice.length - 1) : id
      const before = found.get(number)
      found.set(number, {
        key: before?.key ?? key,
        type: "credit_note",
        id: before?.id ?? id,
        number,
        currency: its.currency,
        amount: (before?.amount ?? 0n) + minor(amount, its.currency),
        of: [...(before?.of ?? []), of]
      })
    }
  }
  return [...found.values()]
}

/** All that the books have for an order, with the files that were read. */
const papersOf = (db: Db, from: string, subject: string, order: Order): ReadonlyArray<OrderPaper> => {
  const invoices = invoicesOf(db, from, order)
  if (invoices.length === 0) return []
  const files = new Map(
    (
      db
        .prepare("SELECT slot, type, digest, name, mime FROM collection_file WHERE subject = ?")
        .all(subject) as ReadonlyArray<CoverDocument & { readonly slot: string }>
    ).map(({ slot, ...file }) => [slot, file])
  )
  const withFile = (key: string) => {
    const file = files.get(key)
    return file === undefined ? {} : { file }
  }
  return [
    ...invoices.map(
      ([key, { currency, gross = 0n, id, number }]): OrderPaper => ({
        key,
        type: "invoice",
        id,
        number,
        currency,
        amount: minor(gross, currency),
        ...withFile(key)
      })
    ),
    ...notesOf(db, invoices).map((note) => ({ ...note, ...withFile(note.key) }))
  ]
}

/** An invoice that is void since it was attached accounts for nothing: the one in its place is attached as well. */
export const withoutVoid = (db: Db, remote: RemoteOrder): RemoteOrder => {
  const { documents = [] } = remote
  if (documents.length === 0) return remote
  const gone = db
    .prepare(VOID)
    .pluck()
    .all(JSON.stringify(documents.map(({ fact }) => fact))) as ReadonlyArray<string>
  return { ...remote, documents: documents.map((one) => (gone.includes(one.fact) ? { ...one, amount: "0" } : one)) }
}

/** The documents of an order that are due to be attached. */
export const dueFor = (
  db: Db,
  { id, planning: { orders = {} } }: PlannedConnection,
  facts: OrderFacts,
  held: RemoteOrder | undefined
): ReadonlyArray<OrderPaper> => {
  const { order } = facts
  const { captures, documents } = orders
  if (documents === undefined || captures === "shop" || order === undefined || facts.deleted) return []
  if (held === undefined || !isPaid(held)) return []
  const remote = withoutVoid(db, held)
  if (hasAllPapers(remote)) return []
  const papers = papersOf(db, documents.from ?? id, facts.key, order)
  if (papers.length === 0) return []
  const isSettled = (): boolean => {
    const { attention, held, postings } = pendingPostings(facts, order, remote, orders)
    return remote.open === "0" && postings.length === 0 && attention.length === 0 && !held
  }
  return papersDue(papers, remote, isSettled, rounding(stands(facts, order, remote, orders)))
}

/** The decision about an order, with what is attached to it now, and what a person is told of that. */
export const withPapers = (
  db: Db,
  connection: PlannedConnection,
  facts: OrderFacts,
  remote: RemoteOrder | undefined,
  decision: OrderDecision
) => {
  const due = dueFor(db, connection, facts, remote)
  if (due.length === 0 || remote === undefined) return { facts, remote, decision }
  const found = db.prepare("SELECT problems FROM collection_gathered WHERE subject = ?").pluck().get(facts.key)
  const problems = typeof found === "string" ? (JSON.parse(found) as ReadonlyArray<string>) : []
  const calls = [...decision.calls, ...attaching(facts, remote, due)]
  const attention = [...decision.attention, ...paperItems(facts, problems)]
  return { facts, remote, decision: { ...decision, calls, attention }, said: due }
}
