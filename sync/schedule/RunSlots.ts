/**
 * Limits how many runs of one configuration work at the same time. A run whose source keeps it waiting lends its slot to
 * others until the source was read: however many sources hang, the other connections run on time.
 */
import { Clock, Effect, Semaphore } from "effect"
import type { Progress } from "./Standstill.ts"

/** Wraps the reading of a source. */
export type AroundReading = <A, E, R>(reading: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A source that takes longer keeps nobody waiting. Milliseconds. */
const SLOW_MS = 1000
/** How often a busy process is checked again. Milliseconds. */
const BUSY_MS = 250

export class RunSlots {
  readonly #permits: Semaphore.Semaphore
  readonly #isBusy: () => boolean
  /** Since when runs wait for a slot; and when one was last taken or given back. Milliseconds since the epoch. */
  readonly #waiting = new Set<{ readonly since: number }>()
  #moved = 0

  /** @param isBusy whether this process is so busy that sources are not what it waits for */
  constructor(atOnce: number, isBusy: () => boolean = () => false) {
    this.#permits = Semaphore.makeUnsafe(atOnce)
    this.#isBusy = isBusy
  }

  /** How long the first one has waited for a slot, and since when none was taken or given back. Milliseconds. */
  progress(now: number): Progress {
    return {
      lateMs: now - Math.min(now, ...[...this.#waiting].map(({ since }) => since)),
      stillMs: now - Math.min(now, this.#moved)
    }
  }

  /** Runs work in a slot. */
  within<A, E, R>(work: (around: AroundReading) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      let isHeld = false
      const take = Effect.uninterruptibleMask((restore) =>
        Effect.map(restore(this.#taken()), () => void (isHeld = true))
      )
      const give = Effect.suspend(() => {
        if (!isHeld) return Effect.void
        isHeld = false
        return Effect.andThen(this.#move(), this.#permits.release(1))
      })
      const around: AroundReading = (reading) =>
        Effect.raceFirst(reading, Effect.andThen(this.#slow(give), Effect.never)).pipe(
          Effect.exit,
          Effect.flatMap((exit) => (isHeld ? exit : Effect.andThen(take, exit)))
        )
      return Effect.ensuring(
        Effect.andThen(
          take,
          Effect.suspend(() => work(around))
        ),
        give
      )
    })
  }

  #taken(): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const one = { since: now }
      this.#waiting.add(one)
      return this.#permits
        .take(1)
        .pipe(Effect.andThen(this.#move()), Effect.ensuring(Effect.sync(() => void this.#waiting.delete(one))))
    })
  }

  #move(): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (now) => void (this.#moved = now))
  }

  /** Lends the slot once the source has been slow; a process that is busy itself would only be slower with more runs. */
  #slow(lend: Effect.Effect<unknown>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      // Begins a new measurement.
      this.#isBusy()
      yield* Effect.sleep(SLOW_MS)
      while (this.#isBusy()) yield* Effect.sleep(BUSY_MS)
      yield* lend
    })
  }
}
