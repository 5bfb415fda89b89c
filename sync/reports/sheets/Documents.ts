/**
 * Builds the sheets of the source's documents: invoices with their state on the service, and payments, reversals and credit
 * notes with how often they were reported.
 */
import * as Document from "../../../connectors/Document.ts"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { decodeRemote, type StoredRemote } from "../../model/Remote.ts"
import type { RemoteInvoice, ReportedPayment } from "../../model/RemoteInvoice.ts"
import * as Body from "../../state/Body.ts"
import type { Db } from "../../state/Database.ts"
import { columns, type Row, type Sheet } from "./Sheet.ts"

/** Totals over invoices that ask for money: open and paid ones that are still in the source. Major units. */
export interface Total {
  readonly invoices: number
  readonly invoiced: Decimal.Decimal
  readonly credited: Decimal.Decimal
  readonly received: Decimal.Decimal
  readonly balance: Decimal.Decimal
}

/** By connection, then currency. */
export type TotalsByConnection = Map<string, Map<string, Total>>

export const addUp = (a: Total, b: Total): Total => ({
  invoices: a.invoices + b.invoices,
  invoiced: a.invoiced + b.invoiced,
  credited: a.credited + b.credited,
  received: a.received + b.received,
  balance: a.balance + b.balance
})

const remoteInvoice = (row: StoredRemote): RemoteInvoice => decodeRemote(row) as RemoteInvoice

interface InvoiceRow {
  readonly key: string
  readonly deleted: bigint
  readonly body: string
  readonly remote: string | null
  readonly held: string | null
  readonly reason: string | null
  /** The currency of the next two fields; not the invoice's while a change of currency is unresolved. */
  readonly counted: string | null
  readonly books_open: bigint | null
  readonly service_open: bigint | null
  /** A JSON array of the documents allocated to it, each with its matched amount, or null. */
  readonly facts: string | null
}

/** @param totals filled while the rows are read */
export const invoices = (
  db: Db,
  connections: ReadonlyArray<string>,
  today: Day.Day,
  totals: TotalsByConnection
): Sheet => ({
  name: "Invoices",
  currency: 8,
  columns: columns(`Document text 30, Number text 16, Customer text 28, Country text 8, Issued date 11, Due date 11,
      Days overdue integer 13, Status in the books text 18, Currency text 9, Net money 14, Gross money 14,
      Credited money 13, Received money 14, Balance money 14, Source says open money 16, Service id text 26,
      Service status text 14, Insured text 8, Open in books money 15, Open on service money 15, Paid on date 11,
      Not sent because text 44`),
  rows: function* () {
    const statement = db.raw
      .prepare(
        `SELECT d.key, d.deleted, d.body, l.remote, l.held, l.reason, l.currency AS counted, l.books_open, l.service_open,
            (SELECT '[' || group_concat('[' || f.body || ',' || coalesce('"' || a.amount || '"', 'null') || ']') || ']'
              FROM allocation a JOIN document f ON f.id = a.document WHERE a.invoice = d.key AND f.deleted = 0) AS facts
          FROM document d LEFT JOIN ledger l ON l.subject = d.key
          WHERE d.key > ? AND d.key < ? ORDER BY d.key`
      )
      .safeIntegers()
    for (const connection of connections) {
      const sums = new Map<string, Total>()
      totals.set(connection, sums)
      const rows = statement.iterate(`${connection}/invoice/`, `${connection}/invoice0`)
      for (const row of rows as IterableIterator<InvoiceRow>) yield invoiceRow(row, today, sums)
    }
  }
})

const invoiceRow = (row: InvoiceRow, today: Day.Day, sums: Map<string, Total>): Row => {
  const invoice = Body.read(row.body) as Document.Invoice
  const remote = row.held === null ? undefined : remoteInvoice({ subject: row.key, remote: row.remote, held: row.held })
  const { currency, gross, net } = invoice
  const invoiced = gross ?? net ?? 0n
  const { credited, received } = shares(row.facts, invoice)
  const status = row.deleted === 1n ? "deleted" : invoice.status
  const counts = status === "open" || status === "paid"
  const left = invoiced - credited - received
  // Money received beyond the amount is owed to the buyer, whatever the source calls the invoice.
  const balance = status === "open" || (status === "paid" && left < 0n) ? left : 0n
  if (counts) {
    const one = { invoices: 1, invoiced, credited, received, balance }
    const before = sums.get(currency)
    sums.set(currency, before === undefined ? one : addUp(before, one))
  }
  return [
    row.key,
    invoice.number,
    invoice.party.name,
    invoice.party.country,
    invoice.issued,
    invoice.due,
    balance > 0n && invoice.due < today ? Day.between(invoice.due, today) : null,
    status,
    currency,
    net,
    gross,
    credited,
    received,
    balance,
    invoice.stated?.open ?? null,
    row.remote,
    remote?.status,
    remote === undefined ? null : remote.insured ? "yes" : "no",
    major(row.books_open, row.counted),
    major(row.service_open, row.counted),
    remote?.paidDate,
    row.reason
  ]
}

type Shared = readonly [body: ReadonlyArray<unknown>, matched: string | null]

/** The sums of facts in the invoice's own currency; others are in no sum, as in `InvoiceFacts.ts`. */
const shares = (facts: string | null, { currency, id }: Document.Invoice) => {
  let credited = 0n
  let received = 0n
  if (facts !== null) {
    for (const [body, matched] of JSON.parse(facts) as ReadonlyArray<Shared>) {
      const fact = Body.of(body) as Document.Allocated
      if (fact.currency !== undefined && fact.currency !== currency) continue
      const all = matched === null ? fact.shares : [{ invoice: id, amount: BigInt(matched) }]
      for (const { amount, invoice } of all) {
        if (invoice !== id) continue
        if (!Currency.fits(amount, currency)) continue
        if (fact.kind === "credit_note") credited += amount
        else if (fact.kind === "payment") received += amount
        else received -= amount
      }
    }
  }
  return { credited, received }
}

const major = (minor: bigint | null, currency: string | null): Decimal.Decimal | null =>
  minor === null || currency === null ? null : Currency.ofMinor(minor, currency)

interface FactRow {
  readonly id: number
  readonly key: string
  readonly n: number
  readonly deleted: number
  readonly body: string
}

/** Payments are positive, reversals and credit notes negative. */
export const payments = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Payments",
  currency: 6,
  columns:
    columns(`Kind text 12, Document text 32, Source id text 20, In the source text 13, Invoices text 28, Date date 11,
      Currency text 9, Amount money 15, Type text 12, Provider code text 16, Times reported integer 15,
      On the service money 17, Remote ids text 34`),
  rows: function* () {
    const statement = db.raw.prepare(
      "SELECT id, key, n, deleted, body FROM document WHERE key > ? AND key < ? ORDER BY key"
    )
    const look = lookups(db)
    for (const connection of connections) {
      for (const kind of ["payment", "reversal", "credit_note"]) {
        const rows = statement.iterate(`${connection}/${kind}/`, `${connection}/${kind}0`)
        for (const row of rows as IterableIterator<FactRow>) yield paymentRow(row, connection, look)
      }
    }
  }
})

const KINDS = { payment: "payment", reversal: "reversal", credit_note: "credit note" } as const

const paymentRow = (row: FactRow, connection: string, look: Lookups): Row => {
  const fact = Body.read(row.body) as Document.Allocated
  const invoice = (share: Document.Share) => Document.key(connection, "invoice", share.invoice)
  const matched = look.matched(connection, row.id)
  const shares = matched?.map(({ amount, key }) => ({ invoice: Document.parseKey(key).id, amount })) ?? fact.shares
  const stated = matched?.map(({ key }) => key) ?? fact.shares.map(invoice)
  // An edited document may have been reported on invoices that it no longer names.
  const earlier = row.n > 1 ? look.earlier(row.id).flatMap(({ shares }) => shares.map(invoice)) : []
  const postings = [...new Set([...stated, ...earlier])].flatMap((key) => look.postings(key).get(row.key) ?? [])
  const currency = fact.currency ?? look.currency(stated)
  let amount = fact.kind === "credit_note" ? 0n : (fact.unallocated ?? 0n)
  const [only, ...more] = shares
  for (const share of fact.shares) amount += share.amount
  return [
    fact.kind === "payment" && fact.tried !== undefined ? `payment, ${fact.tried}` : KINDS[fact.kind],
    row.key,
    fact.id,
    row.deleted === 1 ? "deleted" : "yes",
    only !== undefined && more.length === 0
      ? only.invoice
      : shares.map(({ amount, invoice }) => `${invoice} (${Currency.format(amount, currency)})`).join("; "),
    fact.date,
    currency,
    fact.kind === "payment" ? amount : -amount,
    fact.kind === "reversal" ? fact.type : undefined,
    fact.kind === "reversal" ? fact.providerCode : undefined,
    postings.length,
    postings.length === 0 ? null : Decimal.sum(postings.map(({ amount }) => amount)),
    postings.map(({ id }) => id).join("; ")
  ]
}

type Postings = ReadonlyMap<string, ReadonlyArray<ReportedPayment>>

interface Matched {
  readonly key: string
  readonly amount: Decimal.Decimal
}

/** Looks up what a payment's row needs from other tables. */
interface Lookups {
  /** The versions of a document before the current one. */
  readonly earlier: (id: number) => ReadonlyArray<Document.Allocated>
  /** For a connection that pays for another: the invoices that a document was matched with. */
  readonly matched: (connection: string, id: number) => ReadonlyArray<Matched> | undefined
  /** What was reported on an invoice, by document. */
  readonly postings: (invoice: string) => Postings
  /** The currency of the first of these invoices that is known. */
  readonly currency: (invoices: ReadonlyArray<string>) => string
}

/** How many invoices' postings are cached: enough for many payments of a few large invoices, in any order. */
const KEPT = 256

const lookups = (db: Db): Lookups => {
  const versions = db.raw.prepare("SELECT body FROM version WHERE document = ?").pluck()
  const stored = db.raw.prepare("SELECT subject, remote, held FROM ledger WHERE subject = ? AND held IS NOT NULL")
  const currencies = db.raw.prepare(`SELECT ${Body.at("invoice", "currency")} FROM document WHERE key = ?`).pluck()
  const kept = new Map<string, Postings>()
  const paying = new Set(db.raw.prepare("SELECT connection FROM paying").pluck().all())
  const matches = db.raw.prepare(
    "SELECT invoice AS key, amount FROM allocation WHERE document = ? AND amount IS NOT NULL ORDER BY invoice"
  )
  return {
    earlier: (id) => (versions.all(id) as ReadonlyArray<string>).map((body) => Body.read(body) as Document.Allocated),
    matched: (connection, id) =>
      paying.has(connection)
        ? (matches.all(id) as ReadonlyArray<{ readonly key: string; readonly amount: string }>).map(
            ({ amount, key }) => ({ key, amount: BigInt(amount) })
          )
        : undefined,
    postings: (invoice) => {
      let found = kept.get(invoice)
      if (found === undefined) {
        const [oldest] = kept.keys()
        if (oldest !== undefined && kept.size === KEPT) kept.delete(oldest)
        kept.set(invoice, (found = byFact(stored.get(invoice))))
      }
      return found
    },
    currency: (invoices) => {
      for (const key of invoices) {
        const currency = currencies.get(key)
        if (typeof currency === "string") return currency
      }
      return ""
    }
  }
}

const NONE: Postings = new Map()

const byFact = (row: unknown): Postings => {
  if (row === undefined) return NONE
  const { postings } = remoteInvoice(row as StoredRemote)
  return postings.length === 0 ? NONE : Map.groupBy(postings, ({ fact }) => fact)
}
