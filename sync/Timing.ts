/**
 * Measures where the time of a sync went. Only time in which the program had nothing else to do counts as waiting: for the
 * source while it reads, for the service while it sends. The rest is disk commits and our own work. So concurrent requests
 * count once, and waiting that overlaps with our own work is not counted.
 */
import { performance } from "node:perf_hooks"
import { Clock, Context, Effect } from "effect"
import { LimitWaits } from "../connectors/LimitWaits.ts"
import { Database } from "./state/Database.ts"

/** Milliseconds; the parts add up to `total`. */
export interface Timing {
  /** Waiting for answers and files of sources. */
  readonly source: number
  /** Waiting because a source allows no more requests for now. */
  readonly limits: number
  /** Committing to the state file. */
  readonly disk: number
  /** Waiting for the service. */
  readonly service: number
  /** The program's own work: reading, planning, proving. */
  readonly us: number
  readonly total: number
}

/** Milliseconds since the program started in which it had nothing to do but wait. */
export const Idle = Context.Reference<() => number>("daybook/sync/Timing/Idle", {
  defaultValue: () => () => performance.eventLoopUtilization().idle
})

export interface Stopwatch {
  /** Counts idle time during `work` as waiting for this. */
  readonly during: (waited: "source" | "service") => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly timing: () => Timing
}

/** Measures how long at least one of several waits was in progress. */
const union = (now: () => number) => {
  let [open, since, total] = [0, 0, 0]
  const waits: LimitWaits = {
    begins: Effect.sync(() => {
      if (open++ === 0) since = now()
    }),
    ends: Effect.sync(() => {
      if (--open === 0) total += now() - since
    })
  }
  return { waits, total: () => total }
}

export const make: Effect.Effect<Stopwatch, never, Database> = Effect.gen(function* () {
  const db = yield* Database
  const clock = yield* Clock.Clock
  const idle = yield* Idle
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const limits = union(now)
  const spent = { source: 0, limits: 0, disk: 0, service: 0, us: 0 }
  const look = () => ({ at: now(), idle: idle(), disk: db.onDisk(), limits: limits.total() })

  const account = (waited: "source" | "service", before: ReturnType<typeof look>): void => {
    const after = look()
    const all = after.at - before.at
    const waiting = Math.min(all, after.idle - before.idle)
    const disk = Math.min(all - waiting, after.disk - before.disk)
    const held = Math.min(waiting, after.limits - before.limits)
    spent.limits += held
    spent[waited] += waiting - held
    spent.disk += disk
    spent.us += all - waiting - disk
  }
  return {
    during: (waited) => (work) =>
      Effect.suspend(() => {
        const before = look()
        return Effect.ensuring(
          Effect.provideService(work, LimitWaits, limits.waits),
          Effect.sync(() => account(waited, before))
        )
      }),
    timing: () => rounded(spent)
  }
})

/** Rounds to whole milliseconds, so that the parts still add up to the total. */
const rounded = (spent: Omit<Timing, "total">): Timing => {
  const [source, limits, disk, service, us] = [
    Math.round(spent.source),
    Math.round(spent.limits),
    Math.round(spent.disk),
    Math.round(spent.service),
    Math.round(spent.us)
  ]
  return { source, limits, disk, service, us, total: source + limits + disk + service + us }
}
