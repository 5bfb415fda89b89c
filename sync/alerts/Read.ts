/** Reads the facts that alerts are decided from: from the state file, the disk, and the service's clock. */
import { Clock, DateTime, Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import { type Connection, nameOf } from "../model/Connection.ts"
import * as Approvals from "../plan/Approvals.ts"
import type { Proof } from "../model/reports/Statement.ts"
import { prove } from "../reconciliation/Proof.ts"
import * as OrderStatement from "../reconciliation/OrderStatement.ts"
import * as Cover from "../reports/Cover.ts"
import * as Status from "../reports/Status.ts"
import * as RunState from "../schedule/RunState.ts"
import type { Db } from "../state/Database.ts"
import type { DeadlineFact, DifferenceFact, DiskFact, Facts } from "./Facts.ts"

/** The facts read at every check. The others (sources, statements) change with runs, and take longer to read. */
export type FewFacts = Omit<Facts, "looked" | "drift" | "differences" | "disk" | "aheadMs">

/**
 * How many open attention items are checked, oldest first: when some of them are closed, others move up. An item that was
 * reported stays among them.
 */
const MOST_ITEMS = 1000

const deadlines = (db: Db, connection: Connection, now: number): ReadonlyArray<DeadlineFact> =>
  Cover.deadlinesOf(db, connection, now).map((one) => ({
    ...one,
    until: Day.toEpochMillis(Day.addDays(Day.of(one.day), 1))
  }))

export const few = (db: Db, connections: ReadonlyArray<Connection>, now: number): FewFacts => {
  const names = new Map(connections.map((one) => [one.id, nameOf(one)]))
  return {
    now,
    names,
    runs: [...RunState.all(db).values()].filter(({ connection }) => names.has(connection)),
    attention: AttentionStore.oldest(db, [...names.keys()], MOST_ITEMS),
    approvals: Approvals.list(db).filter(({ connection, decision }) => decision === null && names.has(connection)),
    deadlines: connections.flatMap((one) => deadlines(db, one, now))
  }
}

/** If more invoices than this changed since they were planned, waits for the next run's statement. */
const MOST_CHANGED = 1000

/** The differences, by statement. Undefined: unknown until the next run. */
const differences = (db: Db, connection: string, now: number): ReadonlyArray<DifferenceFact> | undefined => {
  const changed = db
    .prepare("SELECT count(*) FROM (SELECT 1 FROM changed WHERE subject > ? AND subject < ? LIMIT ?)")
    .pluck()
    .get(`${connection}/`, `${connection}0`, MOST_CHANGED + 1) as number
  if (changed > MOST_CHANGED) return undefined
  return differencesIn(prove(db, [{ id: connection }], now))
}

const differencesIn = ({ completeness, cover, orders, payments }: Proof): ReadonlyArray<DifferenceFact> => {
  const first = (all: ReadonlyArray<{ readonly document: string; readonly why: string }>) =>
    all[0] === undefined ? "" : `${all[0].document}: ${all[0].why}`
  return [
    ...completeness.map(({ connection, currency, differences, more }) => ({
      connection,
      what: currency,
      count: differences.length + more,
      first: first(differences)
    })),
    ...payments.map(({ connection, currency, differences }) => ({
      connection,
      what: `payments in ${currency}`,
      count: differences.length,
      first: first(differences)
    })),
    ...cover.map(({ connection, currency, differences }) => ({
      connection,
      what: `cover in ${currency}`,
      count: differences.length,
      first: first(differences)
    })),
    ...orders.map((one) => ({
      connection: one.connection,
      what: `orders in ${one.currency}`,
      count: OrderStatement.countApart(one),
      first: first(one.differences)
    }))
  ].filter(({ count }) => count > 0)
}

/** Statements are checked after a successful run: before that, unsent changes would count as differences. */
const wentThrough = ({ ended, failures, outcome }: RunState.RunState): boolean =>
  ended !== null && failures === 0 && outcome !== "waits for approval"

const MOST_DRIFT = 200

/** Checks the sources of these connections, and their statements if their last runs succeeded. */
export const slow = (
  db: Db,
  connections: ReadonlyArray<string>,
  now: number
): Pick<Facts, "looked" | "drift" | "differences"> => {
  const runs = RunState.all(db)
  const found = connections.flatMap((id) => {
    const run = runs.get(id)
    const all = run !== undefined && wentThrough(run) ? differences(db, id, now) : undefined
    return all === undefined ? [] : [[id, all] as const]
  })
  return {
    looked: { drift: new Set(connections), difference: new Set(found.map(([id]) => id)) },
    drift:
      connections.length === 0
        ? []
        : Status.drift(db, MOST_DRIFT).filter(({ connection }) => connections.includes(connection)),
    differences: found.flatMap(([, all]) => all)
  }
}

/** The free space on the state file's disk; undefined if it cannot be measured. */
export const disk = (file: string): DiskFact | undefined => {
  if (file === ":memory:") return undefined
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(file))
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return undefined
  }
}

/**
 * How far this machine's clock is ahead of the service's, in milliseconds, according to the time in its answer to a request
 * without a key. Undefined if it does not answer or states no time.
 */
export const ahead = (url: string): Effect.Effect<number | undefined, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const before = yield* Clock.currentTimeMillis
    const { headers } = yield* client.head(url)
    const after = yield* Clock.currentTimeMillis
    const there = DateTime.make(headers["date"] ?? "")
    // The service states whole seconds, and answered at some point between `before` and `after`.
    return Option.isNone(there) ? undefined : (before + after) / 2 - (DateTime.toEpochMillis(there.value) + 500)
  }).pipe(
    Effect.timeout("20 seconds"),
    Effect.orElseSucceed(() => undefined)
  )
