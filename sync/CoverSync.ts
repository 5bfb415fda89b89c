/**
 * What a sync does about cover beside reading sources and carrying out a plan: it reads what changes by itself on the
 * service, and plans a second time where the first plan brought offers, whose prices no plan had yet.
 */
import { Clock, Effect } from "effect"
import type { Requirements } from "../connectors/Connector.ts"
import * as Http from "../connectors/Http.ts"
import type { Client } from "../core/Client.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import * as Apply from "./apply/Apply.ts"
import type { Report, SendingOptions } from "./apply/Report.ts"
import type { Connection } from "./model/Connection.ts"
import { gather } from "./collections/Gather.ts"
import { Database, type StateError } from "./state/Database.ts"
import * as ConnectorContext from "./pull/ConnectorContext.ts"
import * as RequestQuota from "./pull/RequestQuota.ts"
import { readLimits } from "./pull/BuyerLimits.ts"
import { sweepCover } from "./pull/CoverSweep.ts"

/**
 * Reads quotes, policies and limits again, then gathers what goes with what may be handed over. A service that does not
 * answer keeps nothing from being planned.
 */
export const refresh = (
  place: ConnectorContext.Place,
  connections: ReadonlyArray<Connection>
): Effect.Effect<void, StateError, Database | Client | Requirements> =>
  Effect.forEach(
    connections.filter(({ planning }) => planning.cover !== undefined),
    (connection) =>
      Effect.andThen(sweepCover(connection), readLimits(connection)).pipe(
        Effect.catchTag("ServiceError", () => Effect.void),
        Effect.andThen(gatherFrom(place, connection))
      ),
    { discard: true }
  )

/**
 * Files for collections, from a connection's source and from the user's own.
 *
 * @param only of this invoice alone
 */
export const gatherFrom = (
  place: ConnectorContext.Place,
  connection: Connection,
  only?: string
): Effect.Effect<void, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    // A vault that cannot be opened is said where the source is read.
    const context = yield* ConnectorContext.of(place, connection, db.file).pipe(Effect.orElseSucceed(() => place))
    const quota = RequestQuota.of(db, connection)
    yield* Effect.provideService(gather(connection, context, only), Http.RequestQuota, quota)
  })

/** How often a sync plans: once more for limits that are shared out, and once more for offers that are bought. */
const MOST_PASSES = 3

/** Sends what is planned; again where that brought offers. A plan or a collection that a person approved is sent alone. */
export const applyWithOffers = (
  connections: ReadonlyArray<Connection>,
  options: SendingOptions
): Effect.Effect<Report, Apply.ApplyError | ServiceError, Database | Client> =>
  Effect.gen(function* () {
    let offers = 0
    const counting: SendingOptions = {
      ...options,
      onReceipt: (receipt) => {
        if (receipt.call.operation === "quotes.create" && receipt.outcome === "done") offers++
        return options.onReceipt?.(receipt) ?? Effect.void
      }
    }
    const isAlone = options.digest !== undefined || options.collection !== undefined
    const most = isAlone ? 1 : MOST_PASSES
    let whole = yield* Apply.apply(connections, counting)
    for (let passes = 1; passes < most; passes++) {
      if (whole.stopped !== undefined || (offers === 0 && !(yield* isWoken(connections)))) break
      offers = 0
      yield* limitsOf(connections)
      whole = together(whole, yield* Apply.apply(connections, counting))
    }
    if (isAlone && whole.stopped === undefined) yield* limitsOf(connections)
    return whole
  })

/** Limits of buyers whom the plan before was the first to know. */
const limitsOf = (connections: ReadonlyArray<Connection>): Effect.Effect<void, StateError, Database | Client> =>
  Effect.forEach(
    connections,
    (connection) => Effect.catchTag(readLimits(connection, true), "ServiceError", () => Effect.succeed(0)),
    { discard: true }
  )

/** Whether an invoice asks to be looked at again at once. */
const isWoken = (connections: ReadonlyArray<Connection>): Effect.Effect<boolean, StateError, Database> =>
  Effect.gen(function* () {
    const covered = connections.filter(({ planning }) => planning.cover !== undefined)
    if (covered.length === 0) return false
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    return yield* db.read(() =>
      covered.some(
        ({ id }) =>
          db
            .prepare("SELECT 1 FROM wake WHERE at <= ? AND subject > ? AND subject < ?")
            .get(now, `${id}/`, `${id}0`) !== undefined
      )
    )
  })

/** What was not known after the first was looked up by the second. */
const together = (first: Report, second: Report): Report => ({
  ...second,
  run: first.run,
  done: first.done + second.done,
  failed: first.failed + second.failed,
  recovered: first.recovered + second.recovered
})
