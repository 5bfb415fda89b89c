/**
 * Limits how many calls are in flight. Some more are claimed ahead, so that the next request leaves as soon as an answer
 * arrives, without waiting for the disk. If a claimed call is not sent after all, its receipt says so.
 */
import { Clock, Effect, Exit, Ref } from "effect"
import type { Reason } from "../../core/ServiceError.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as Claims from "./Claims.ts"
import { isCurrent, type Job } from "./Job.ts"
import { monotonic } from "./SettleTime.ts"

/** After a longer wait, a claimed call is sent only if its document is still unchanged. Milliseconds. */
const LONGEST_WAIT = 1000

/** How long a commit waits for others to join it while enough calls are claimed: it costs more than a call. Milliseconds. */
const GATHER = 10

/** What tells whether a document changed since its call was planned. */
type Current = Pick<Job, "plan" | "run">

/** The receipt of a call whose request never left. */
const NOT_SENT: Claims.StoredReceipt = {
  outcome: "absent",
  status: undefined,
  answer: "not sent: the run ended, or the document changed, before its turn came"
}

export class InFlight {
  readonly #db: Db
  readonly #stopped: Ref.Ref<Reason | undefined>
  #free: number
  /** Claimed calls that wait for their turn, in order. */
  readonly #waiting = new Set<() => void>()
  /** How many must wait for commits to have time. */
  readonly #enough: number
  /** Commits that wait for others; undefined if none does. */
  #gathered: Array<() => void> | undefined

  /** @param atOnce how many calls may be in flight */
  constructor(db: Db, stopped: Ref.Ref<Reason | undefined>, atOnce: number) {
    this.#db = db
    this.#stopped = stopped
    this.#free = atOnce
    this.#enough = Math.max(1, Math.floor(atOnce / 4))
  }

  /** How many documents may have claimed calls if so many calls may be in flight. */
  static claimed(atOnce: number): number {
    return atOnce === 1 ? 1 : 2 * atOnce
  }

  /**
   * Sends a claimed call when its turn comes. Returns undefined if it is not sent, because the run stops or its document changed
   * meanwhile. Can be interrupted while it waits.
   */
  send<A>(job: Current, id: number, call: Effect.Effect<A, StateError>): Effect.Effect<A | undefined, StateError> {
    return Effect.suspend(() => {
      if (this.#free === 0) return this.#later(job, id, call)
      this.#free--
      return this.#leaving(call)
    })
  }

  #later<A>(job: Current, id: number, call: Effect.Effect<A, StateError>): Effect.Effect<A | undefined, StateError> {
    return Effect.flatMap(monotonic, (began) => {
      const sent = Effect.flatMap(
        this.#mayLeave(job, id, began),
        (may): Effect.Effect<A | undefined, StateError> => (may ? call : Effect.succeed(undefined))
      )
      return Effect.interruptible(this.#turn).pipe(
        Effect.onInterrupt(() => Effect.ignore(this.#withdraw(id))),
        Effect.andThen(this.#leaving(sent))
      )
    })
  }

  /**
   * Waits for other commits to share a write to disk, unless a request would have to wait for this one: enough calls are claimed
   * already.
   */
  readonly gather: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#waiting.size < this.#enough) return Effect.void
    const gathered = this.#gathered
    if (gathered !== undefined) {
      return Effect.callback((resume) => {
        gathered.push(() => resume(Effect.void))
      })
    }
    this.#gathered = []
    return Effect.map(Effect.sleep(GATHER), () => this.#write())
  })

  #write(): void {
    const gathered = this.#gathered ?? []
    this.#gathered = undefined
    for (const go of gathered) go()
  }

  readonly #turn: Effect.Effect<void> = Effect.callback((resume) => {
    const go = () => resume(Effect.void)
    this.#waiting.add(go)
    return Effect.sync(() => this.#waiting.delete(go))
  })

  /**
   * Lets the next call go on within this turn of the event loop, until its request is written. With a semaphore the requests
   * of a turn would leave together at its end; then their answers arrive together, too, and wait for each other.
   */
  readonly #leave: Effect.Effect<void> = Effect.sync(() => {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
    if (this.#waiting.size < this.#enough) this.#write()
  })

  /** After an interruption or an error the run ends, and no other call leaves. */
  #leaving<A>(call: Effect.Effect<A, StateError>): Effect.Effect<A, StateError> {
    return Effect.onExit(call, (exit) => (Exit.isSuccess(exit) ? this.#leave : Effect.void))
  }

  /** Looks again if the call has waited for long. */
  #mayLeave(job: Current, id: number, began: number): Effect.Effect<boolean, StateError> {
    const db = this.#db
    const stopped = this.#stopped
    const withdraw = this.#withdraw
    return Effect.gen(function* () {
      if ((yield* Ref.get(stopped)) !== undefined) return yield* withdraw(id)
      if ((yield* monotonic) - began < LONGEST_WAIT) return true
      const now = yield* Clock.currentTimeMillis
      const current = yield* db.commit(() => {
        const current = isCurrent(db, job)
        if (current) Claims.leaves(db, id, false, now)
        return current
      })
      return current || (yield* withdraw(id))
    })
  }

  /** Records that a claimed call is not sent. Returns false, which answers whether it may leave. */
  readonly #withdraw = (id: number): Effect.Effect<false, StateError> => {
    const db = this.#db
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      db.commit(() => {
        Claims.receipt(db, id, NOT_SENT, now)
        return false as const
      })
    )
  }
}
