/**
 * The parts of a sync that are about cover. Reads quotes, policies and limits again, because they change on the service by
 * themselves, and plans a second time when the first plan brought offers: their prices were in no plan yet.
 */
import { Clock, Effect, Option } from "effect"
import type { Requirements } from "../connectors/Connector.ts"
import * as Http from "../connectors/Http.ts"
import { Client } from "../core/Client.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import * as Apply from "./apply/Apply.ts"
import * as BankAccount from "./apply/BankAccount.ts"
import * as CoverItems from "./apply/CoverItems.ts"
import * as CoverShown from "./apply/CoverShown.ts"
import type { Report, SendingOptions } from "./apply/Report.ts"
import { Sender } from "./apply/Sender.ts"
import type { Connection } from "./model/Connection.ts"
import { gather } from "./collections/Gather.ts"
import { gatherOrders } from "./collections/OrderFiles.ts"
import * as CoverFacts from "./plan/CoverFacts.ts"
import * as PurchaseBlocks from "./plan/PurchaseBlocks.ts"
import * as ServiceTime from "./plan/ServiceTime.ts"
import { Database, type StateError } from "./state/Database.ts"
import * as ConnectorContext from "./pull/ConnectorContext.ts"
import * as RequestQuota from "./pull/RequestQuota.ts"
import { readLimits } from "./refresh/BuyerLimits.ts"
import { sweepCover } from "./refresh/CoverSweep.ts"
import { readAgain } from "./refresh/ReadAgain.ts"

/**
 * Reads quotes, policies and limits again, then gathers files for invoices that may be handed over, and for orders. If the service
 * does not answer, planning continues.
 */
export const refresh = (
  place: Books,
  connections: ReadonlyArray<Connection>
): Effect.Effect<void, StateError, Database | Client | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const watched = yield* db.read(() => connections.filter((connection) => CoverFacts.isWatched(db, connection)))
    yield* Effect.forEach(
      watched,
      (connection) =>
        Effect.andThen(sweepCover(connection), readLimits(connection)).pipe(
          // What was not read is not said to agree, and is read by the next run.
          Effect.catchTag("ServiceError", () => Effect.void),
          Effect.andThen(gatherFrom(place, connection)),
          Effect.andThen(renewItems(connection))
        ),
      { discard: true }
    )
    yield* gatherDocuments(place, connections)
  })

/**
 * Brings the items of a connection up to date, with the service's time as its answers stated it.
 *
 * @param shows a run ends that bought nothing, because nobody was shown it
 */
const renewItems = (connection: Connection, shows = false): Effect.Effect<void, StateError, Database | Client> =>
  Effect.gen(function* () {
    const [db, client, now] = [yield* Database, yield* Client, yield* Clock.currentTimeMillis]
    if (!(yield* db.read(() => CoverFacts.isWatched(db, connection)))) return
    // While the clock is wrong nothing may be sent: its time is asked for, so that a clock that was set is noticed.
    const isWrong = yield* db.read(() => PurchaseBlocks.isClockWrong(db, connection.planning.cover))
    if (isWrong) yield* Effect.ignore(client.policies.list({ query: { limit: 1 } }))
    yield* db.commit(() => {
      ServiceTime.remember(db, client.clock.ahead)
      if (shows) CoverShown.end(db, connection)
      CoverItems.renew(db, connection, now)
    })
  })

/** Where the configuration is, and all of its connections. */
export interface Books extends ConnectorContext.Place {
  readonly connections: ReadonlyArray<Connection>
}

/** Gathers the documents of captured orders from the books. Returns whether there is anything new. */
export const gatherDocuments = (
  place: Books,
  connections: ReadonlyArray<Connection>
): Effect.Effect<boolean, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    let isNew = false
    for (const connection of connections) {
      const { documents } = connection.planning.orders ?? {}
      const books = place.connections.find(({ id }) => id === (documents?.from ?? connection.id))
      if (documents === undefined || books === undefined) continue
      const context = Option.getOrUndefined(yield* Effect.option(ConnectorContext.of(place, books, db.file)))
      const gathering = gatherOrders(connection, books, context, place.folder)
      const reached = context === undefined ? gathering : Effect.provide(gathering, ConnectorContext.reachOf(context))
      const found = yield* Effect.provideService(reached, Http.RequestQuota, RequestQuota.of(db, books))
      isNew ||= found
    }
    return isNew
  })

const withoutDocuments = (connection: Connection): Connection => {
  const { documents: _, ...connector } = connection.connector
  return { ...connection, connector }
}

/**
 * Gathers files for collections, from a connection's source and from the user's own folder.
 *
 * @param only gathers files for this invoice alone
 */
export const gatherFrom = (
  place: ConnectorContext.Place,
  connection: Connection,
  only?: string
): Effect.Effect<void, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const context = yield* Effect.option(ConnectorContext.of(place, connection, db.file))
    const quota = RequestQuota.of(db, connection)
    // If the source may not be read, or the vault cannot be opened, reading reports it; what is in the own folder is found.
    const gathering = Option.isSome(context)
      ? gather(connection, context.value, only).pipe(Effect.provide(ConnectorContext.reachOf(context.value)))
      : gather(withoutDocuments(connection), { folder: place.folder }, only)
    yield* Effect.provideService(gathering, Http.RequestQuota, quota)
  })

/** How often a sync plans at most: again once limits were shared out, and again to buy offers. */
const MOST_PASSES = 3

/** Sends what is planned, and plans again if that brought offers. A plan or collection that a person approved is sent alone. */
export const applyWithOffers = (
  connections: ReadonlyArray<Connection>,
  options: SendingOptions
): Effect.Effect<Report, Apply.ApplyError | ServiceError, Database | Client> =>
  Effect.gen(function* () {
    const db = yield* Database
    let offers = 0
    const count: SendingOptions["onReceipt"] = (receipt) => {
      if (receipt.call.operation === "quotes.create" && receipt.outcome === "done") offers++
      return options.onReceipt?.(receipt) ?? Effect.void
    }
    // A person who confirmed the first sync was shown no offer: the next sync buys.
    const isConfirmed = options.firstSync === "send" && connections.some(({ firstSync }) => firstSync !== "send")
    const isAlone = options.digest !== undefined || options.collection !== undefined || isConfirmed
    const most = isAlone ? 1 : MOST_PASSES
    const unshown = new Set<string>()
    yield* db.commit(() => {
      for (const one of connections) {
        if (options.secrets !== undefined) BankAccount.renew(db, one, options.secrets)
        if (CoverShown.isHeld(db, one, options.goesOn === true)) unshown.add(one.id)
      }
    })
    // Whoever sends a plan by its digest has seen it.
    const counting = { ...options, onReceipt: count, ...(options.digest === undefined ? { unshown } : {}) }
    if (!isAlone) yield* readOffers(connections)
    let whole = yield* Apply.apply(connections, counting)
    for (let passes = 1; passes < most; passes++) {
      if (whole.stopped !== undefined || (offers === 0 && !(yield* isWoken(connections)))) break
      yield* readOffers(connections)
      offers = 0
      yield* limitsOf(connections)
      whole = together(whole, yield* Apply.apply(connections, counting))
    }
    // So that the next plan shows what it buys.
    if (isAlone && whole.stopped === undefined) yield* Effect.andThen(limitsOf(connections), readOffers(connections))
    const isEnd = ({ id }: Connection) => unshown.has(id) && whole.stopped === undefined
    yield* Effect.forEach(connections, (one) => renewItems(one, isEnd(one)), { discard: true })
    return whole
  })

/** Reads who is insured by the offers of which that is not known yet: nothing is bought before it is. */
const readOffers = (connections: ReadonlyArray<Connection>): Effect.Effect<void, StateError, Database | Client> =>
  Effect.gen(function* () {
    const db = yield* Database
    const sender = new Sender(db, yield* Client, { settleAfter: 0 })
    const offered = yield* db.read(() => {
      const unknown = db
        .prepare(
          `SELECT c.subject FROM cover c JOIN ledger l ON l.subject = c.subject WHERE c.connection = ? AND c.state = 'offered'
            AND l.held ->> '$.cover.quote.company.id' IS NOT NULL AND l.held ->> '$.cover.quote.company.name' IS NULL
            AND l.held ->> '$.cover.quote.company.unread' IS NULL`
        )
        .pluck()
      return connections.flatMap((connection) =>
        (unknown.all(connection.id) as ReadonlyArray<string>).map((subject) => ({ connection, subject }))
      )
    })
    yield* Effect.forEach(offered, ({ connection, subject }) => readAgain(connection, sender, subject, true), {
      concurrency: 8,
      discard: true
    })
  }).pipe(Effect.catchTag("ServiceError", () => Effect.void))

/** Reads the limits of buyers that the previous plan met for the first time. */
const limitsOf = (connections: ReadonlyArray<Connection>): Effect.Effect<void, StateError, Database | Client> =>
  Effect.forEach(
    connections,
    (connection) => Effect.catchTag(readLimits(connection, true), "ServiceError", () => Effect.succeed(0)),
    { discard: true }
  )

/** Whether an invoice is due to be planned again now. */
const isWoken = (connections: ReadonlyArray<Connection>): Effect.Effect<boolean, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    return yield* db.read(() =>
      connections.some(
        ({ id }) =>
          db
            .prepare("SELECT 1 FROM wake WHERE at <= ? AND subject > ? AND subject < ?")
            .get(now, `${id}/`, `${id}0`) !== undefined
      )
    )
  })

/** Combines two reports. What the first left unknown, the second looked up. */
export const together = (first: Report, second: Report): Report => ({
  ...second,
  run: first.run,
  done: first.done + second.done,
  failed: first.failed + second.failed,
  recovered: first.recovered + second.recovered
})
