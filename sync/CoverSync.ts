/**
 * What a sync does about cover beside reading sources and carrying out a plan: it reads what changes by itself on the
 * service, and plans a second time where the first plan brought offers, whose prices no plan had yet.
 */
import { Effect } from "effect"
import type { Client } from "../core/Client.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import * as Apply from "./apply/Apply.ts"
import type { Report, SendingOptions } from "./apply/Report.ts"
import type { Connection } from "./model/Connection.ts"
import type { Database, StateError } from "./state/Database.ts"
import { readLimits } from "./pull/BuyerLimits.ts"
import { sweepCover } from "./pull/CoverSweep.ts"

/** Reads quotes, policies and limits again. A service that does not answer keeps nothing from being planned. */
export const refresh = (connections: ReadonlyArray<Connection>): Effect.Effect<void, StateError, Database | Client> =>
  Effect.forEach(
    connections.filter(({ planning }) => planning.cover !== undefined),
    (connection) =>
      Effect.andThen(sweepCover(connection), readLimits(connection)).pipe(
        Effect.catchTag("ServiceError", () => Effect.void)
      ),
    { discard: true }
  )

/** Sends what is planned; once more where that brought offers. A plan that a person approved is sent alone. */
export const applyWithOffers = (
  connections: ReadonlyArray<Connection>,
  options: SendingOptions
): Effect.Effect<Report, Apply.ApplyError | ServiceError, Database | Client> =>
  Effect.gen(function* () {
    let offers = 0
    const first = yield* Apply.apply(connections, {
      ...options,
      onReceipt: (receipt) => {
        if (receipt.call.operation === "quotes.create" && receipt.outcome === "done") offers++
        return options.onReceipt?.(receipt) ?? Effect.void
      }
    })
    if (offers === 0 || first.stopped !== undefined || options.digest !== undefined) return first
    const second = yield* Apply.apply(connections, options)
    return {
      ...second,
      run: first.run,
      done: first.done + second.done,
      failed: first.failed + second.failed,
      recovered: first.recovered + second.recovered,
      // What was not known after the first was looked up by the second.
      unknown: second.unknown
    }
  })
