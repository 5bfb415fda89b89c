/**
 * Where the time of a sync went: what it waited for, and what it did itself. While the program has nothing to do, it waits
 * for the source as it reads and for the service as it sends; the rest is the disk's commits and our own work. So that
 * requests side by side count once, and what overlaps with our own work costs nothing.
 */
import { performance } from "node:perf_hooks"
import { Clock, Context, Effect } from "effect"
import { LimitWaits } from "../connectors/LimitWaits.ts"
import { Database } from "./state/Database.ts"

/** Milliseconds; all of them come to `total`. */
export interface Timing {
  /** Waiting for answers and files of sources. */
  readonly source: number
  /** Waiting because a source allows no more requests for now. */
  readonly limits: number
  /** Committing to the state file. */
  readonly disk: number
  /** Waiting for the service. */
  readonly service: number
  /** Reading, planning, proving: the program's own work. */
  readonly us: number
  readonly total: number
}

/** Milliseconds in which this program had nothing to do but to wait, since it started. */
export const Idle = Context.Reference<() => number>("daybook/sync/Timing/Idle", {
  defaultValue: () => () => performance.eventLoopUtilization().idle
})

export interface Stopwatch {
  /** What is waited for while `work` goes on is this. */
  readonly during: (waited: "source" | "service") => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly timing: () => Timing
}

/** How long at least one of several waits went on. */
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

/** Whole milliseconds, and a total that they come to. */
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
