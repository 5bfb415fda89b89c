/**
 * Performs the audit behind `daybook reconcile`: compares every listed transaction with the ledger, asks by identifier for those that the
 * list lacks, and reads every deferred payment and every order without one. `--fix` writes what the service holds into the ledger.
 */
import { Clock, Effect, Stream } from "effect"
import { Client, pages, parts } from "../../core/Client.ts"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { TransactionId } from "../../core/wire/Ids.ts"
import * as Agreement from "./Agreement.ts"
import * as Report from "./AuditReport.ts"
import * as BooksAgainstFacts from "./BooksAgainstFacts.ts"
import * as CreatedOrders from "./CreatedOrders.ts"
import { EarlierPurchases } from "./EarlierPurchases.ts"
import * as Claims from "../apply/Claims.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { DeferredPaymentReader } from "../apply/DeferredPaymentReader.ts"
import * as FirstSend from "../apply/FirstSend.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import { lastArrivals } from "../apply/SettleTime.ts"
import { payers } from "./Payers.ts"
import * as PaymentHolders from "../plan/PaymentHolders.ts"
import type { Remote } from "../model/Remote.ts"
import * as Owners from "../plan/Owners.ts"
import { Bitmap } from "../state/Bitmap.ts"
import * as CollectionReading from "../apply/CollectionReading.ts"
import * as LedgerRows from "./LedgerRows.ts"
import * as LedgerStore from "../apply/LedgerStore.ts"
import * as OtherWriter from "../apply/OtherWriter.ts"
import * as HeldOrders from "./HeldOrders.ts"
import * as Difference from "./Difference.ts"
import * as Facts from "../plan/Facts.ts"
import * as InvoiceFields from "../rules/InvoiceFields.ts"
import type { Audited, Found } from "../model/reports/Statement.ts"

export type { Audited, Found }
export type { AuditOptions } from "./AuditReport.ts"

export const audit = Effect.fn("Audit.audit")(function* (
  connections: ReadonlyArray<Connection>,
  options: Report.AuditOptions
): Effect.fn.Return<Audited, StateError | ServiceError, Database | Client> {
  const db = yield* Database
  const client = yield* Client
  const started = yield* Clock.currentTimeMillis
  const lacks = options.fix && LedgerTrust.behind(db) !== undefined
  const purchases = options.fix ? new EarlierPurchases(client, lacks, started) : undefined
  const auditor = new Auditor({ db, client }, connections, options, purchases)
  if (lacks) yield* lastArrivals(db, options.settleAfter)
  yield* parts((query) => client.transactions.list({ query: { ...query, ...auditor.asking } })).pipe(
    Stream.runForEach((some) => auditor.part(some))
  )
  yield* auditor.unseen()
  yield* auditor.orders()
  yield* auditor.created()
  yield* auditor.books()
  const figures = auditor.figures
  if (options.fix) {
    const ended = yield* Clock.currentTimeMillis
    yield* db.transaction(() => {
      Report.keep(db, connections, { started, ended, figures })
      purchases?.keep(db, ended)
      if (lacks) for (const one of connections) CollectionReading.doubt(db, one)
      if (!auditor.isWhole()) return
      LedgerTrust.trust(db, ended)
      FirstSend.markChecked(db, connections)
    })
  }
  return figures
})

class Auditor {
  readonly #db: Db
  readonly #client: Client["Service"]
  readonly #connections: ReadonlyMap<string, Connection>
  readonly #options: Report.AuditOptions
  /** Rows of the ledger that were seen on the service. */
  readonly #seen: Bitmap
  /** Invoices and orders with a call whose outcome is unknown: the ledger may be behind. */
  readonly #held: ReadonlySet<string>
  /** The owner of each connection's transactions, by connection id; undefined if the ledger was lost. */
  readonly #owners: ReadonlyMap<string, string | undefined>
  /** What to expand in each transaction: its owner, if an identifier is not enough; its cover, for `EarlierPurchases`. */
  readonly asking: { readonly expand?: string }
  readonly #purchases: EarlierPurchases | undefined
  /** Transactions with our keys that the ledger did not have, by key. */
  readonly #adopted = new Map<string, string>()
  /** By key, a transaction that is not the ledger's own, and takes its place if that one is gone. */
  readonly #others = new Map<string, Transaction>()
  /** Something was sent under another name of a connection: sent again, it would be there twice. */
  #renamed = false
  readonly figures = { transactions: 0, payments: 0, orders: 0, others: 0, differences: 0, mended: 0 }

  constructor(
    { client, db }: { readonly db: Db; readonly client: Client["Service"] },
    connections: ReadonlyArray<Connection>,
    options: Report.AuditOptions,
    purchases: EarlierPurchases | undefined
  ) {
    this.#db = db
    this.#client = client
    this.#connections = new Map(connections.map((connection) => [connection.id, connection]))
    this.#options = options
    this.#seen = new Bitmap(db.prepare("SELECT coalesce(max(id), 0) FROM ledger").pluck().get() as number)
    this.#owners = new Map(connections.map(({ id }) => [id, Owners.find(db, Owners.key(id))]))
    this.#purchases = purchases
    const owner = [...this.#owners.values()].includes(undefined) ? ["owner"] : []
    const members = purchases?.lacks === true ? [...owner, "policy", "quote"] : owner
    this.asking = members.length === 0 ? {} : { expand: members.join(",") }
    this.#held = new Set(Claims.pending(db).map(({ call }) => call.subject))
  }

  /** Everything was checked, and nothing was left out because of a call with an unknown outcome. */
  isWhole(): boolean {
    const { from, part = false, to } = this.#options
    return !part && from === undefined && to === undefined && this.#held.size === 0 && !this.#renamed
  }

  /** Checks a part of the service's list: most of it agrees, which takes no more than a look. */
  part(some: ReadonlyArray<Transaction>): Effect.Effect<void, StateError | ServiceError> {
    const left = this.#db.read(() => {
      const looked = Agreement.looking(this.#db, some, this.#purchases !== undefined)
      return some.filter((read) => !this.#agrees(read, looked(read)))
    })
    return Effect.flatMap(left, (others) =>
      Effect.forEach(others, (read) => this.#transaction(read), { concurrency: 8, discard: true })
    ).pipe(Effect.andThen(Effect.suspend(() => this.#options.onProgress?.(this.figures.transactions) ?? Effect.void)))
  }

  /** Counts a transaction that is as the ledger says. Anything else about it is for `#transaction`. */
  #agrees(read: Transaction, row: Agreement.Agreeing | undefined): boolean {
    if (row === undefined || this.#ours(read) === undefined) return false
    if (!this.#within(read.issue_date ?? undefined)) return false
    this.#seen.add(row.id)
    this.figures.transactions++
    this.figures.payments += row.payments
    return true
  }

  /** The connection that a transaction is of; undefined if it is none of ours. */
  #ours(read: Transaction): Connection | undefined {
    const connection = this.#connections.get(Difference.nameIn(read))
    const isOurs =
      connection !== undefined &&
      read.unique_id?.startsWith(`${connection.id}/invoice/`) === true &&
      Owners.isOf(read.owner, connection.planning, this.#owners.get(connection.id))
    return isOurs ? connection : undefined
  }

  /** Checks one transaction of the service's list. */
  #transaction(read: Transaction): Effect.Effect<void, StateError | ServiceError> {
    const subject = read.unique_id ?? ""
    const connection = this.#ours(read)
    if (connection === undefined) {
      this.figures.others++
      const isNamed = this.#connections.has(Difference.nameIn(read))
      return isNamed || this.#options.part === true ? Effect.void : this.#stranger(read)
    }
    const transaction = Difference.unexpanded(read)
    if (!this.#within(transaction.issue_date ?? undefined)) return Effect.void
    const auditor = this
    return Effect.gen(function* () {
      const row = yield* auditor.#db.read(() => Facts.row(auditor.#db, subject))
      const first = row?.remote ?? auditor.#adopted.get(subject)
      if (first !== undefined && first !== transaction.id) {
        // The ledger's own transaction may come later in the list; whether it exists is asked at the end.
        auditor.figures.transactions++
        auditor.#others.set(subject, transaction)
        if (auditor.#options.fix)
          yield* auditor.#db.commit(() => OtherWriter.remember(auditor.#db, subject, transaction.id))
        return yield* auditor.#found(connection.id, subject, {
          what: "a second transaction of the same invoice",
          ledger: null,
          service: transaction.id,
          todo: Report.TWICE
        })
      }
      if (row !== undefined) auditor.#seen.add(row.id)
      auditor.#adopted.set(subject, transaction.id)
      yield* auditor.#compare(connection, subject, transaction)
      if (row !== undefined || auditor.#options.fix) auditor.#adopted.delete(subject)
    })
  }

  /** Checks a transaction of a connection that is not configured: it may be an invoice of these books under another name. */
  #stranger(read: Transaction): Effect.Effect<void, StateError> {
    const look = this.#db.read(() => FirstSend.sameInvoice(this.#db, this.#connections.values(), read))
    return Effect.flatMap(look, (ours) => {
      if (ours === undefined) return Effect.void
      this.#renamed = true
      const what = `the transaction, sent as ${read.unique_id}`
      return this.#found(ours.connection, ours.key, {
        what,
        ledger: null,
        service: read.id,
        todo: Report.renamed(Difference.nameIn(read))
      })
    })
  }

  #compare(
    connection: Connection,
    subject: string,
    transaction: Transaction
  ): Effect.Effect<void, StateError | ServiceError> {
    const auditor = this
    return Effect.gen(function* () {
      const remote = yield* auditor.#db.read(() => Facts.remoteInvoice(auditor.#db, subject))
      const listed = Difference.listed(transaction.payments)
      const payments = Difference.samePayments(remote, listed) ? listed : yield* auditor.#payments(transaction.id)
      auditor.figures.transactions++
      auditor.figures.payments += payments.length
      const now = Difference.serviceTransaction(transaction, payments)
      yield* auditor.#purchases?.look(subject, now.id, now.body, remote?.insured === true) ?? Effect.void
      const apart =
        remote === undefined
          ? [{ what: "the transaction", ledger: null, service: transaction.id }]
          : Difference.differences(remote, now)
      if (apart.length === 0) return
      const sent = yield* auditor.#db.read(() => auditor.#sent(subject, connection))
      const adopted = Difference.ledgerFrom(
        remote,
        now,
        sent,
        yield* auditor.#db.read(() => payers(auditor.#db, connection.id, auditor.#connections.values()))
      )
      const foreign = new Set(Difference.foreign(adopted, now).map(({ id }) => `payment ${id}`))
      const mended = yield* auditor.#fix(connection, subject, adopted)
      for (const one of apart) {
        const todo = auditor.#held.has(subject) ? Report.NOT_KNOWN : foreign.has(one.what) ? Report.FOREIGN : undefined
        yield* auditor.#found(connection.id, subject, {
          ...one,
          mended,
          ...(todo === undefined ? {} : { todo })
        })
      }
      if (remote !== undefined) return
      for (const { amount, date, id } of Difference.foreign(adopted, now)) {
        yield* auditor.#found(connection.id, subject, {
          what: `payment ${id}`,
          ledger: null,
          service: Difference.paymentText({ amount, date }),
          todo: Report.FOREIGN
        })
      }
    })
  }

  /** The fields that the books would send for it, or that may be sent for any. */
  #sent(subject: string, { planning }: Connection): ReadonlyArray<string> {
    const loaded = Facts.invoiceFacts(this.#db, subject)
    return loaded.invoice === undefined
      ? Difference.ALWAYS
      : Object.keys(InvoiceFields.fields(loaded, loaded.invoice, planning))
  }

  #payments(id: TransactionId): Effect.Effect<ReadonlyArray<Difference.ServicePayment>, ServiceError> {
    const params = { transaction_id: id }
    return pages((query) => this.#client.transactions.listPayments({ params, query })).pipe(
      Stream.map(({ amount, date, details, id }) => ({ id, amount, date: date ?? null, details: details ?? null })),
      Stream.runCollect
    )
  }

  /** Asks by identifier for what was not in the list, because a list may shift while it is read. */
  unseen(): Effect.Effect<void, StateError | ServiceError> {
    const work: LedgerRows.RowWork = (row, connection) => this.#missing(row, connection)
    return LedgerRows.each(this.#db, this.#connections.values(), "invoice", work, (id) => !this.#seen.has(id))
  }

  #missing(
    { id, remote, subject }: Facts.RemoteRow,
    connection: Connection
  ): Effect.Effect<void, StateError | ServiceError> {
    const auditor = this
    return Effect.gen(function* () {
      const { invoice } = yield* auditor.#db.read(() => Facts.invoiceFacts(auditor.#db, subject))
      if (!auditor.#within(invoice?.issued)) return
      const read = yield* Effect.result(
        auditor.#client.transactions.get({ params: { transaction_id: remote as TransactionId }, query: {} })
      )
      auditor.#seen.add(id)
      if (read._tag === "Success") return yield* auditor.#compare(connection, subject, read.success)
      if (read.failure.reason._tag !== "NotFound") return yield* read.failure
      const mended = yield* auditor.#fix(connection, subject, undefined)
      const todo = auditor.#held.has(subject) ? { todo: Report.NOT_KNOWN } : {}
      const gone = { what: "the transaction", ledger: remote, service: null, mended, ...todo }
      yield* auditor.#found(connection.id, subject, gone)
      const other = mended ? auditor.#others.get(subject) : undefined
      if (other !== undefined) yield* auditor.#compare(connection, subject, other)
    })
  }

  orders(): Effect.Effect<void, StateError | ServiceError> {
    const reader = new DeferredPaymentReader(this.#client)
    const work: LedgerRows.RowWork = (row, connection) =>
      HeldOrders.audit(this.#db, reader, { row, connection }, this.#context())
    return LedgerRows.each(this.#db, this.#connections.values(), "order", work)
  }

  /** Checks whether the ledger still matches the documents in the books. */
  books(): Effect.Effect<void, StateError> {
    return BooksAgainstFacts.audit(this.#db, [...this.#connections.values()], this.#context())
  }

  /** Finds what these connections created or requested on the service and the ledger does not have. */
  created(): Effect.Effect<void, StateError | ServiceError> {
    return CreatedOrders.audit(this.#db, this.#client, [...this.#connections.values()], this.#context())
  }

  /** What the parts of the audit in files of their own are given. */
  #context(): Report.AuditContext {
    return {
      isHeld: (subject) => this.#held.has(subject),
      within: (day) => this.#within(day),
      fix: (connection, subject, remote) => this.#fix(connection, subject, remote),
      found: (connection, subject, found) => this.#found(connection, subject, found),
      count: () => void this.figures.orders++
    }
  }

  /** Writes what the service holds into the ledger, to be planned again. */
  #fix(connection: Connection, subject: string, remote: Remote | undefined): Effect.Effect<boolean, StateError> {
    const db = this.#db
    if (!this.#options.fix || this.#held.has(subject)) return Effect.succeed(false)
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      db.commit(() => {
        if (remote?.kind === "order" && PaymentHolders.isHeld(db, subject, remote)) return false
        LedgerStore.restate(db, connection, subject, remote, now)
        return true
      })
    )
  }

  #found(
    connection: string,
    document: string,
    found: Difference.FieldDifference & Partial<Pick<Found, "mended" | "todo">>
  ): Effect.Effect<void> {
    this.figures.differences++
    if (found.mended === true) this.figures.mended++
    return this.#options.onFound({ connection, document, mended: false, ...found })
  }

  #within(day: string | undefined): boolean {
    const { from, to } = this.#options
    return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to))
  }
}
