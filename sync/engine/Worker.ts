/**
 * One machine's work: takes jobs as long as a slot is free, and ends each by what came of its run. A slot is a process of its own, so that
 * a tenant whose configuration or connector exits, loops or takes all memory ends a slot and no neighbour.
 */
import { Clock, Deferred, Effect, FiberSet } from "effect"
import type { StoreAway } from "../state/replication/Store.ts"
import type { Ended, Engine, TenantJob, QueueName } from "./Engine.ts"

/** What came of a run. */
export type RunOutcome =
  | { readonly type: "ran"; readonly epoch: number | undefined; readonly due: number | null | undefined }
  /** It cannot be opened, for the reason that is said. */
  | { readonly type: "refused"; readonly why: string }
  /** Its process ended, or said nothing any more. */
  | { readonly type: "died"; readonly why: string }
  /** For a reason that is not the tenant's: somebody else has it now, or PostgreSQL is away. */
  | { readonly type: "given back" }

export interface Slot {
  /** Interrupting it lets what is under way come to its end. */
  readonly run: (tenant: string) => Effect.Effect<RunOutcome>
}

export interface WorkerOptions {
  readonly engine: Engine
  readonly slots: ReadonlyArray<Slot>
  /** Whether it runs those tenants alone that are the next version's. */
  readonly isNext?: boolean
  /** Why nothing can run on this machine; undefined: it can. */
  readonly sick: Effect.Effect<string | undefined>
  /** Tells people of a tenant that was given up, which is held back from now on. Returns whether they were told. */
  readonly giveUp: (tenant: string, why: string) => Effect.Effect<boolean, StoreAway>
}

/** How often jobs are made and taken. Milliseconds. */
const LOOKS_MS = 500
/** How often the engine hears that jobs are still worked on, which must be less than its silence. Milliseconds. */
const KEEPS_MS = 2500
const HEALS_MS = 60_000
/**
 * How long a slot whose job another worker has may still hear what the service answers, which it tells whoever has the tenant. It begins
 * nothing more: what it stores is refused. Milliseconds.
 */
const LOST_MS = 20_000
/** How often, and after how long, the end of a job is stored while PostgreSQL is away. */
const SETTLES = 20
const SETTLES_MS = 1000
/** When a tenant is due again that somebody else has: until then that one is left alone. Milliseconds. */
const GIVEN_BACK_MS = 30_000
/** How often one is tried again that said itself why it cannot be opened. Milliseconds. */
const REFUSED_MS = 3_600_000

interface Busy {
  readonly job: TenantJob
  readonly lost: Deferred.Deferred<void>
}

export class JobWorker {
  readonly #options: WorkerOptions
  readonly #busy = new Map<Slot, Busy>()
  readonly #clock: Clock.Clock
  /** When jobs were last taken. Monotonic milliseconds. */
  #looked: number
  #failed: string | undefined
  #sick: string | undefined
  #healed: number
  /** Whether there may be more jobs than were taken for want of slots. */
  #isMore = false
  #isFreed = false
  #wake: (() => void) | undefined

  private constructor(options: WorkerOptions, clock: Clock.Clock) {
    this.#options = options
    this.#clock = clock
    this.#looked = this.#now
    this.#healed = this.#now
  }

  static readonly make = (options: WorkerOptions): Effect.Effect<JobWorker> =>
    Effect.map(Clock.Clock, (clock) => new JobWorker(options, clock))

  get #now(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }

  get running(): number {
    return this.#busy.size
  }

  /** Why it takes no jobs; undefined: it does. */
  get trouble(): string | undefined {
    const still = this.#now - this.#looked
    return (
      this.#sick ??
      this.#failed ??
      (still > 20 * LOOKS_MS ? `it has taken no jobs for ${Math.round(still / 1000)} seconds` : undefined)
    )
  }

  /** Continues until interrupted; then its runs end, and their jobs go to others. */
  get run(): Effect.Effect<never> {
    return Effect.gen({ self: this }, function* () {
      const fibers = yield* FiberSet.make<void>()
      yield* Effect.forkScoped(this.#repeat(this.#keeping, Effect.sleep(KEEPS_MS)))
      const looking = Effect.suspend(() => {
        const isFreed = this.#isFreed && this.#sick === undefined && this.#now - this.#looked < LOOKS_MS
        this.#isFreed = false
        return isFreed ? this.#taking(fibers) : this.#looking(fibers)
      })
      return yield* this.#repeat(looking, Effect.raceFirst(Effect.sleep(LOOKS_MS), this.#freed))
    }).pipe(Effect.scoped)
  }

  /** Until a slot is free while there are more jobs than slots. */
  get #freed(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#isFreed) resume(Effect.void)
      else this.#wake = () => resume(Effect.void)
    })
  }

  #repeat(work: Effect.Effect<void, StoreAway>, pause: Effect.Effect<void>): Effect.Effect<never> {
    const once = Effect.matchEffect(work, {
      onSuccess: () => {
        const was = this.#failed
        this.#failed = undefined
        return was === undefined ? Effect.void : Effect.logInfo("PostgreSQL answers")
      },
      onFailure: ({ why }) => {
        const isNew = this.#failed !== why
        this.#failed = why
        return isNew ? Effect.logError(why) : Effect.void
      }
    })
    return Effect.forever(Effect.andThen(once, pause))
  }

  /**
   * What was taken away, because this machine was not heard of, is ended: others have it. Not killed: what it hears late of calls that left
   * is stored first, for who has the tenant.
   */
  get #keeping(): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const { engine } = this.#options
      const all = [...this.#busy]
      if (all.length === 0) return
      const lost = new Set(yield* engine.kept(all.map(([, { job }]) => job)))
      for (const [, busy] of all) if (lost.has(busy.job)) yield* Deferred.succeed(busy.lost, undefined)
    })
  }

  #looking(fibers: FiberSet.FiberSet<void>): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const { engine, sick } = this.#options
      yield* this.#heal
      yield* engine.schedule
      for (const job of yield* engine.take("held", 10)) yield* this.#giveUp(job)
      const before = this.#sick
      this.#sick = yield* sick
      if (this.#sick !== before)
        yield* this.#sick === undefined ? Effect.logInfo("runs can begin here again") : Effect.logError(this.#sick)
      this.#looked = this.#now
      if (this.#sick === undefined) yield* this.#taking(fibers)
    })
  }

  #taking(fibers: FiberSet.FiberSet<void>): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      this.#isMore = false
      if (this.#options.isNext === true) return yield* this.#begin(fibers, "next", this.#options.slots.length)
      // Some slots are left to the others, whatever long runs there are.
      const longs = Math.max(1, Math.floor(this.#options.slots.length / 2)) - this.#runningOf("long")
      yield* this.#begin(fibers, "long", longs)
      yield* this.#begin(fibers, "run", this.#options.slots.length)
    })
  }

  get #heal(): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      if (this.#now - this.#healed < HEALS_MS) return
      this.#healed = this.#now
      const count = yield* this.#options.engine.heal
      if (count > 0) yield* Effect.logWarning(`${count} tenants were due and had no job; they run now`)
    })
  }

  #runningOf(queue: QueueName): number {
    return [...this.#busy.values()].filter(({ job }) => job.queue === queue).length
  }

  #begin(fibers: FiberSet.FiberSet<void>, queue: QueueName, most: number): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const free = this.#options.slots.filter((slot) => !this.#busy.has(slot))
      const room = Math.min(most, free.length)
      // Nobody knows how many more there are.
      if (free.length === 0) this.#isMore = true
      if (room <= 0) return
      const jobs = yield* this.#options.engine.take(queue, room)
      this.#isMore ||= jobs.length === room
      for (const [at, job] of jobs.entries()) {
        const slot = free[at]
        if (slot === undefined) continue
        const lost = yield* Deferred.make<void>()
        this.#busy.set(slot, { job, lost })
        yield* FiberSet.run(fibers, this.#work(slot, job, lost))
      }
    })
  }

  #work(slot: Slot, job: TenantJob, lost: Deferred.Deferred<void>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const began = this.#now
      const back: RunOutcome = { type: "given back" }
      const outcome = yield* slot.run(job.tenant).pipe(
        Effect.onInterrupt(() => this.#settle(this.#options.engine.finish(job, {}))),
        Effect.raceFirst(Effect.as(Effect.andThen(Deferred.await(lost), Effect.sleep(LOST_MS)), undefined))
      )
      // Somebody else has the job.
      if (outcome === undefined) return
      // What failed because nothing can be written here is not the tenant's fault.
      const isSick = outcome.type !== "ran" && (yield* this.#options.sick) !== undefined
      yield* this.#settle(this.#ended(job, isSick ? back : outcome, this.#now - began))
    }).pipe(Effect.ensuring(Effect.sync(() => this.#free(slot))), Effect.annotateLogs({ tenant: job.name }))
  }

  #free(slot: Slot): void {
    this.#busy.delete(slot)
    if (!this.#isMore) return
    this.#isFreed = true
    this.#wake?.()
  }

  #ended(job: TenantJob, outcome: RunOutcome, took: number): Effect.Effect<void, StoreAway> {
    const { engine } = this.#options
    const now = this.#clock.currentTimeMillisUnsafe()
    switch (outcome.type) {
      case "ran":
        return engine.finish(job, { epoch: outcome.epoch, due: outcome.due, took: Math.round(took) })
      case "given back":
        return engine.finish(job, { due: now + GIVEN_BACK_MS })
      case "refused":
      case "died": {
        const { why } = outcome
        return Effect.andThen(Effect.logWarning(why), engine.fail(job, { why, isDead: outcome.type === "died" }))
      }
    }
  }

  #settle(work: Effect.Effect<void, StoreAway>): Effect.Effect<void> {
    const again = (left: number): Effect.Effect<void> =>
      Effect.catch(work, ({ why }) =>
        left === 0
          ? Effect.logError(`how a run ended could not be stored, so that it begins once more: ${why}`)
          : Effect.andThen(Effect.sleep(SETTLES_MS), again(left - 1))
      )
    return again(SETTLES)
  }

  /** It is tried no more until a person asks for it; what said itself why it cannot be opened, from time to time. */
  #giveUp(job: TenantJob): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const { engine, giveUp } = this.#options
      const why = job.why ?? ""
      if (!(yield* engine.hold(job, why))) return
      const isTold = yield* giveUp(job.tenant, why)
      if (!isTold) return yield* engine.fail(job, { why: "nobody was told yet", isDead: false })
      const due = job.isDead === false ? this.#clock.currentTimeMillisUnsafe() + REFUSED_MS : null
      yield* engine.finish(job, { due, held: why } satisfies Ended)
    })
  }
}
