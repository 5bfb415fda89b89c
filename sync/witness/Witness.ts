/**
 * Runs the independent witness, `daybook reconcile --independent`: reads every source from its beginning and the service's
 * lists, calculates every open amount again, and names the differences. It does not use books, ledger, rules and plan, so
 * that it reveals their mistakes.
 *
 * What it reads is in a temporary file that only this user can read, and that is deleted at the end; memory use does not
 * depend on the size of the books.
 */
import { Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { ConnectorContext, Requirements, SourceError } from "../../connectors/Connector.ts"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import { splitCredits } from "./Credits.ts"
import { type InvoiceSettings, judgeInvoice, type JudgedInvoice, type NotChecked } from "./Invoices.ts"
import { Notes, type Unread } from "./Notes.ts"
import { judgeEnded, judgeOrder, type PlainOrderSettings, priced, sinceEdited } from "./Orders.ts"
import { judgePayments, mayBeBack } from "./Payments.ts"
import type { Difference, PlainDocument, Units } from "./Plain.ts"
import * as Service from "./Service.ts"
import * as Sources from "./Sources.ts"
import { grouped } from "../../core/Plural.ts"

export type { Difference, NotChecked, Unread }

/** A connection, as the configuration has it. */
export interface Witnessed extends Sources.Source, Service.Owned {
  readonly planning: Service.Owned["planning"] & InvoiceSettings & { readonly orders?: PlainOrderSettings & Creating }
  readonly pays?: { readonly connection: string }
}

/** Orders without an identifier of the service are found by their number. */
interface Creating {
  readonly link?: string
  readonly create?: unknown
}

/** The open amounts of a connection's invoices in one currency. */
export interface Sums {
  readonly connection: string
  readonly currency: string
  /** How many invoices the source has as issued and in scope. */
  readonly invoices: number
  /** The open amount that the source itself states, and for how many of them. */
  readonly says: Units
  readonly stated: number
  /** The sum of its documents. */
  readonly source: Units
  readonly service: Units
  /** How many invoices have a difference. */
  readonly differing: number
}

export interface Options {
  /** The environment for a connector. */
  readonly contextOf: (connection: Witnessed) => Effect.Effect<ConnectorContext, SourceError>
  readonly onDifference: (one: Difference) => Effect.Effect<void>
  readonly onNotChecked: (one: NotChecked) => Effect.Effect<void>
  /** Called if a source could not be read: nothing of it is checked. */
  readonly onFailed: (connection: Witnessed, error: SourceError) => Effect.Effect<void>
  readonly onProgress?: (words: string) => Effect.Effect<void>
}

export interface Looked {
  readonly sums: ReadonlyArray<Sums>
  readonly unread: ReadonlyArray<Unread>
  /** How many documents were read from the sources. */
  readonly documents: number
  readonly transactions: number
  /** How many transactions of the service belong to other connections. */
  readonly others: number
  /** How many orders were compared. */
  readonly orders: number
  readonly differences: number
  readonly notChecked: number
}

const notes: Effect.Effect<Notes, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = temporaryFolder("witness")
      return { folder, made: new Notes(join(folder, "notes.db")) }
    }),
    ({ folder, made }) =>
      Effect.sync(() => {
        made.close()
        rmSync(folder, { recursive: true, force: true })
      })
  ),
  ({ made }) => made
)

export const look = Effect.fn("Witness.look")(function* (
  connections: ReadonlyArray<Witnessed>,
  options: Options
): Effect.fn.Return<Looked, ServiceError, Client | Requirements | Scope.Scope> {
  const { contextOf, onFailed, onProgress = () => Effect.void } = options
  const judge = new Judge(yield* notes, yield* Client, connections, options)
  let documents = 0
  for (const connection of connections) {
    const reading = Effect.flatMap(contextOf(connection), (context) =>
      Sources.read(judge.notes, connection, context, (n) => onProgress(`${connection.id}: ${grouped(n)} read`))
    )
    const result = yield* Effect.result(reading)
    if (result._tag === "Success") documents += result.success
    else {
      judge.failed.add(connection.id)
      yield* onFailed(connection, result.failure)
    }
  }
  const there = yield* Service.transactions(judge.notes, judge.client, connections, (n) =>
    onProgress(`${grouped(n)} transactions read`)
  )
  for (const { id } of connections) splitCredits(judge.notes, id)
  yield* judge.invoices
  yield* judge.payments
  yield* judge.orders
  return { ...judge.figures(), ...there, documents }
})

class Judge {
  readonly notes: Notes
  readonly client: Client["Service"]
  /** Connections whose source could not be read. */
  readonly failed = new Set<string>()
  readonly #connections: ReadonlyArray<Witnessed>
  readonly #options: Options
  readonly #sums = new Map<string, Sums>()
  #differences = 0
  #notChecked = 0
  #orders = 0

  constructor(notes: Notes, client: Client["Service"], connections: ReadonlyArray<Witnessed>, options: Options) {
    this.notes = notes
    this.client = client
    this.#connections = connections
    this.#options = options
  }

  figures(): Omit<Looked, "documents" | "others" | "transactions"> {
    return {
      sums: [...this.#sums.values()],
      unread: this.#connections.flatMap(({ id }) => this.notes.unreadOf(id)),
      orders: this.#orders,
      differences: this.#differences,
      notChecked: this.#notChecked
    }
  }

  get #read(): ReadonlyArray<Witnessed> {
    return this.#connections.filter(({ id }) => !this.failed.has(id))
  }

  /** Connections with invoices and orders of their own. */
  get #owning(): ReadonlyArray<Witnessed> {
    return this.#read.filter(({ pays }) => pays === undefined)
  }

  /** Judges one invoice after the other, so that only one is in memory. */
  get invoices(): Effect.Effect<void> {
    const judge = this
    return Effect.gen(function* () {
      for (const { id, planning } of judge.#owning) {
        const paying = judge.#connections.flatMap((one) => (one.pays?.connection === id ? [one.id] : []))
        const settings: InvoiceSettings = {
          ...planning,
          paying,
          hasPayments: judge.notes.hasAny(id, "payment"),
          typeOf: (fact) => judge.notes.find(fact)?.type,
          mayBeBack: mayBeBack(judge.notes, paying)
        }
        for (const one of judge.notes.invoices(id, paying)) yield* judge.#invoice(id, judgeInvoice(one, settings))
      }
    })
  }

  /** Leaves out an invoice whose latest record, or one about it, could not be read: what the source says is unknown. */
  #invoice(connection: string, judged: JudgedInvoice): Effect.Effect<void> {
    const { differences, key, notChecked } = judged
    if (this.notes.isUnread(key))
      return this.#unchecked({ document: key, why: "its record, or one about it, could not be read" })
    this.#count(connection, judged)
    return Effect.andThen(
      Effect.forEach(differences, (one) => this.#differ(one), { discard: true }),
      Effect.forEach(notChecked, (one) => this.#unchecked(one), { discard: true })
    )
  }

  #count(connection: string, { differences, says, service, source }: JudgedInvoice): void {
    const add = (currency: string, more: Partial<Omit<Sums, "connection" | "currency">>) => {
      const name = `${connection} ${currency}`
      const nothing = { invoices: 0, says: 0n, stated: 0, source: 0n, service: 0n, differing: 0 }
      const before = this.#sums.get(name) ?? { connection, currency, ...nothing }
      this.#sums.set(name, {
        connection,
        currency,
        invoices: before.invoices + (more.invoices ?? 0),
        says: before.says + (more.says ?? 0n),
        stated: before.stated + (more.stated ?? 0),
        source: before.source + (more.source ?? 0n),
        service: before.service + (more.service ?? 0n),
        differing: before.differing + (more.differing ?? 0)
      })
    }
    for (const { currency, open } of service) add(currency, { service: open })
    const currency = source?.currency ?? service[0]?.currency
    if (currency !== undefined && differences.length > 0) add(currency, { differing: 1 })
    if (source === undefined) return
    const word = says === undefined ? {} : { stated: 1, says: says > 0n ? says : 0n }
    add(source.currency, { invoices: 1, source: source.open, ...word })
  }

  #differ(one: Difference): Effect.Effect<void> {
    this.#differences++
    return this.#options.onDifference(one)
  }

  #unchecked(one: NotChecked): Effect.Effect<void> {
    this.#notChecked++
    return this.#options.onNotChecked(one)
  }

  get payments(): Effect.Effect<void> {
    const judge = this
    return Effect.gen(function* () {
      for (const { id, pays } of judge.#read) {
        if (pays === undefined || judge.failed.has(pays.connection)) continue
        for (const one of judgePayments(judge.notes, { connection: id, pays: pays.connection }))
          if (one.fact === undefined || !judge.notes.isUnread(one.fact)) yield* judge.#differ(one)
      }
    })
  }

  get orders(): Effect.Effect<void, ServiceError> {
    const judge = this
    return Effect.gen(function* () {
      const byNumber = judge.#owning.some(
        ({ planning: { orders } }) => orders?.link === "unique_id" || orders?.create !== undefined
      )
      if (byNumber) yield* Service.references(judge.notes, judge.client)
      const named = new Map<string, number>()
      for (const { id } of judge.#owning)
        for (const [, { deferredPayment = "" }] of judge.notes.documents(id, "order"))
          named.set(deferredPayment, (named.get(deferredPayment) ?? 0) + 1)
      for (const { id, planning } of judge.#owning)
        for (const [key, order] of judge.notes.documents(id, "order")) {
          const { deferredPayment } = order
          if (deferredPayment !== undefined && (named.get(deferredPayment) ?? 0) > 1)
            yield* judge.#unchecked({ document: key, why: `other orders carry ${deferredPayment}, too` })
          else yield* judge.#order(key, order, planning.orders ?? {})
        }
    })
  }

  #order(key: string, stated: PlainDocument, settings: PlainOrderSettings): Effect.Effect<void, ServiceError> {
    const judge = this
    return Effect.gen(function* () {
      const { also } = stated
      const facts = judge.notes.ofOrder(key)
      if (judge.notes.isUnread(key))
        return yield* judge.#unchecked({ document: key, why: "its record could not be read" })
      const payment = yield* Service.paymentOf(judge.notes, judge.client, stated)
      if (typeof payment === "string") {
        // The service knows nothing about an order that was paid in another way.
        if (facts.length === 0 || (stated.deferredPayment === undefined && stated.serviceOrder === undefined)) return
        return yield* judge.#unchecked({ document: key, why: payment })
      }
      if (stated.state === undefined && settings.ships !== undefined)
        return yield* judge.#unchecked({ document: key, why: `its parcels are those of ${settings.ships}` })
      judge.#orders++
      const order = also?.currency === payment.currency ? { ...stated, ...also } : stated
      const found =
        order.state === undefined
          ? judgeOrder(key, priced(order, facts, settings), payment, settings)
          : judgeEnded(key, order, payment)
      const { differences, edited } = sinceEdited(order, found, payment)
      for (const one of differences) yield* judge.#differ(one)
      if (edited !== undefined) yield* judge.#unchecked({ document: key, why: edited })
    })
  }
}
