/**
 * Lists what is new in the sources since a time: money received and returned, and documents that are new, changed or deleted.
 * Read-only. The cost depends on what is new, not on the size of the books.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { RECORDS_OF_ROW } from "../state/RecordPages.ts"
import { columns, type Row, type Sheet, within } from "./sheets/Sheet.ts"

/** Money received, money returned, new invoices and credit notes, payouts, orders, and changes to older documents. */
export const WHATS = ["in", "back", "invoices", "credits", "payouts", "orders", "goods", "changed", "deleted"] as const
export type What = (typeof WHATS)[number]

/** One new or changed document. */
export interface NewsItem {
  readonly what: What
  readonly key: string
  readonly document: Document.Document
  /** When it was read, in milliseconds since the epoch. */
  readonly read: number
}

/** How many documents are read; if there are more, this is reported and they are not added up. */
export const MOST_NEWS = 5000

const NEW: Readonly<Record<Document.Kind, What>> = {
  payment: "in",
  reversal: "back",
  invoice: "invoices",
  credit_note: "credits",
  payout: "payouts",
  order: "orders",
  fulfilment: "goods",
  cancellation: "goods",
  return: "goods"
}

interface Stored {
  readonly id: number
  readonly key: string
  readonly n: number
  readonly deleted: number
  readonly read: number | null
  readonly record: number
  readonly body: string
}

const COLUMNS = "id, key, n, deleted, read, record, body"

/** The first row of records that were read at that time or later. */
const firstRow = (db: Db, since: number): number => {
  let first = Number.MAX_SAFE_INTEGER / RECORDS_OF_ROW
  for (const row of db.prepare("SELECT id, read FROM record_page ORDER BY id DESC").iterate()) {
    const { id, read } = row as { readonly id: number; readonly read: number }
    if (read < since) return first
    first = id
  }
  return first
}

/** The news since a time, and whether there is more than was read. */
export interface News {
  readonly items: ReadonlyArray<NewsItem>
  readonly more: boolean
}

/** Finds the news. Documents have ascending numbers, in the order in which they were first read. */
class Reader {
  #page: { readonly id: number; readonly read: number | undefined } | undefined
  readonly items: Array<NewsItem> = []
  readonly #db: Db
  readonly #since: number
  readonly #from: number
  readonly #mine: (key: string) => boolean
  readonly #most: number
  #looked = 0

  constructor(db: Db, connections: ReadonlyArray<string>, since: number, most: number) {
    this.#db = db
    this.#since = since
    this.#from = firstRow(db, since) * RECORDS_OF_ROW
    this.#mine = within(connections)
    this.#most = most
  }

  /** Returns whether everything was read. */
  all(): boolean {
    const before = this.#new()
    return before !== undefined && this.#changed(before) && this.#deleted(before)
  }

  #isNew({ id, n, read, record }: Stored): boolean {
    if (n === 1) return read === null ? record >= this.#from : read >= this.#since
    const first = this.#db.prepare("SELECT record, read FROM version WHERE document = ? AND n = 1").get(id) as
      | Pick<Stored, "record" | "read">
      | undefined
    return first !== undefined && this.#isNew({ id, n: 1, ...first } as Stored)
  }

  #readAt({ read, record }: Stored): number {
    if (read !== null) return read
    // Documents that were first read together have their records on one page.
    const page = Math.floor(record / RECORDS_OF_ROW)
    if (this.#page?.id !== page) {
      const at = this.#db.prepare("SELECT read FROM record_page WHERE id = ?").pluck().get(page)
      this.#page = { id: page, read: at as number | undefined }
    }
    return this.#page.read ?? this.#since
  }

  /** Adds one document; false once there are too many. */
  #take(row: Stored, what: What | undefined): boolean {
    if (++this.#looked > this.#most) return false
    if (!this.#mine(row.key)) return true
    const document = Body.read(row.body)
    if (this.#isTried(document, row.key)) return true
    const its = what === "changed" && this.#wasTried(row) ? undefined : what
    this.items.push({ what: its ?? NEW[document.kind], key: row.key, document, read: this.#readAt(row) })
    return true
  }

  /** A debit that is not received yet, or never was, and what takes that back: no money moved. */
  #isTried(document: Document.Document, key: string): boolean {
    if (document.kind === "payment") return document.tried !== undefined
    if (document.kind !== "reversal" || document.payment === undefined) return false
    const { connection } = Document.parseKey(key)
    const body = this.#db
      .prepare("SELECT body FROM document WHERE key = ?")
      .pluck()
      .get(Document.key(connection, "payment", document.payment))
    return typeof body === "string" && (Body.read(body) as Document.Payment).tried !== undefined
  }

  /** It is received now. */
  #wasTried({ id, n }: Stored): boolean {
    const body = this.#db
      .prepare("SELECT body FROM version WHERE document = ? AND n = ?")
      .pluck()
      .get(id, n - 1)
    if (typeof body !== "string") return false
    const before = Body.read(body)
    return before.kind === "payment" && before.tried !== undefined
  }

  /** The number of the last document that was known before; undefined if there are too many new ones. */
  #new(): number | undefined {
    const rows = this.#db.prepare(`SELECT ${COLUMNS} FROM document ORDER BY id DESC`).iterate()
    for (const row of rows as IterableIterator<Stored>) {
      if (!this.#isNew(row)) return row.id
      // Documents that appeared and were deleted in between are not news.
      if (row.deleted === 0 && !this.#take(row, undefined)) return undefined
    }
    return 0
  }

  #changed(before: number): boolean {
    const rows = this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM document INDEXED BY document_changed WHERE n > 1 AND record >= ? ORDER BY record DESC`
      )
      .iterate(this.#from)
    for (const row of rows as IterableIterator<Stored>) {
      const moved = row.read !== null && row.read < this.#since
      if (row.id <= before && row.deleted === 0 && !moved && !this.#take(row, "changed")) return false
    }
    return true
  }

  #deleted(before: number): boolean {
    const rows = this.#db
      .prepare(`SELECT ${COLUMNS} FROM document WHERE read >= ? AND deleted = 1 ORDER BY read DESC`)
      .iterate(this.#since)
    for (const row of rows as IterableIterator<Stored>)
      if (row.id <= before && !this.#take(row, "deleted")) return false
    return true
  }
}

/** @param since milliseconds since the epoch */
export const news = (db: Db, connections: ReadonlyArray<string>, since: number, most = MOST_NEWS): News => {
  const reader = new Reader(db, connections, since, most)
  const whole = reader.all()
  return { items: reader.items, more: !whole }
}

const shares = (all: ReadonlyArray<{ readonly amount: Decimal.Decimal }>): Decimal.Decimal =>
  Decimal.sum(all.map(({ amount }) => amount))

/** The amount of a document; undefined if it states none. */
export const amountOf = (document: Document.Document): Decimal.Decimal | undefined => {
  switch (document.kind) {
    case "invoice":
      return document.gross ?? document.net
    case "payment":
    case "reversal":
      return shares(document.shares) + (document.unallocated ?? 0n)
    case "credit_note":
      return shares(document.shares)
    case "payout":
      return document.amount
    case "order":
      return Decimal.sum(document.lines.map(({ gross }) => gross))
    default:
      return undefined
  }
}

/** Whether money went back because a debit failed, not as a refund. */
export const isFailedDebit = (document: Document.Document): boolean =>
  document.kind === "reversal" && document.type !== "refund"

/** The key of the invoice that a document is about: itself, or the first that it is allocated to. */
export const invoiceOf = (key: string, document: Document.Document): string | undefined => {
  if (document.kind === "invoice") return key
  const first = "shares" in document ? document.shares[0]?.invoice : undefined
  return first === undefined ? undefined : Document.key(Document.parseKey(key).connection, "invoice", first)
}

/** Its own currency, or else that of its invoice. */
export const currencyOf = (db: Db, { document, key }: Pick<NewsItem, "document" | "key">): string => {
  if (document.currency !== undefined) return document.currency
  const invoice = invoiceOf(key, document)
  const found =
    invoice === undefined
      ? undefined
      : db
          .prepare(`SELECT ${Body.at("invoice", "currency")} FROM document WHERE key = ?`)
          .pluck()
          .get(invoice)
  return typeof found === "string" ? found : ""
}

export interface NewsFigure {
  readonly what: What
  readonly currency: string
  readonly documents: number
  readonly amount: Decimal.Decimal
  /** For returned money: how many debits failed. */
  readonly failed: number
}

/** The totals by kind and currency, for documents that state an amount. */
export const figures = (db: Db, items: ReadonlyArray<NewsItem>): ReadonlyArray<NewsFigure> => {
  const found = new Map<string, NewsFigure>()
  for (const item of items) {
    const currency = currencyOf(db, item)
    const of = `${item.what} ${currency}`
    const before = found.get(of) ?? { what: item.what, currency, documents: 0, amount: 0n, failed: 0 }
    found.set(of, {
      ...before,
      documents: before.documents + 1,
      amount: before.amount + (amountOf(item.document) ?? 0n),
      failed: before.failed + (isFailedDebit(item.document) ? 1 : 0)
    })
  }
  return [...found.values()].toSorted(
    (a, b) => WHATS.indexOf(a.what) - WHATS.indexOf(b.what) || (a.currency < b.currency ? -1 : 1)
  )
}

/** The number and the customer of the invoice that it is about. */
export const invoiceNamed = (db: Db, { document, key }: Pick<NewsItem, "document" | "key">) => {
  const invoice = invoiceOf(key, document)
  const body =
    invoice === undefined || invoice === key
      ? undefined
      : (db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice) as string | undefined)
  const of = body === undefined ? document : Body.read(body)
  const name = of.kind === "invoice" ? of.party.name : of.kind === "order" ? (of.buyer?.name ?? "") : ""
  const number = of.kind === "invoice" || of.kind === "order" ? (of.number ?? of.id) : of.id
  return { name: name === "" && document.kind === "payment" ? (document.party?.name ?? "") : name, number }
}

/** All news as a sheet, for download. */
export const newsSheet = (db: Db, items: ReadonlyArray<NewsItem>): Sheet => ({
  name: "Changes",
  currency: 5,
  columns:
    columns(`What text 12, Document text 30, Invoice or order text 18, Customer text 30, Read instant 20, Currency text 9,
      Amount money 14`),
  *rows(): IterableIterator<Row> {
    for (const item of items) {
      const { name, number } = invoiceNamed(db, item)
      const currency = currencyOf(db, item)
      const amount = Currency.isCurrency(currency) ? amountOf(item.document) : undefined
      yield [item.what, item.key, number, name, item.read, currency, amount]
    }
  }
})
