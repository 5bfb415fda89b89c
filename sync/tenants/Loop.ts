/**
 * Runs the loop over many tenants, with one heap of due times and one timer. A waiting tenant costs only its entry in the
 * heap. A tenant that is due waits for a turn; `Turns.ts` decides who gets one, and the loop does not know what a turn does.
 */
import { Clock, Effect, FiberSet, Queue, type Scope } from "effect"
import { Heap, type Named } from "./Heap.ts"
import { type Slots, type Turn, Turns } from "./Turns.ts"

/** What a turn can report while it runs. */
export interface TurnHandle {
  readonly name: string
  /** When the tenant became due. Milliseconds since the epoch. */
  readonly due: number
  /** It is now waiting for its source, which may take long. */
  readonly asksSource: () => void
  /** Its source has answered. */
  readonly sourceAnswered: () => void
}

export interface LoopOptions {
  readonly slots: Slots
  /** Never fails: it handles its own errors, and sets when its tenant is due again. */
  readonly turn: (handle: TurnHandle) => Effect.Effect<void>
  /** Whether this process is so busy that sources are not what it waits for; default: never. */
  readonly isBusy?: () => boolean
}

interface Due extends Named {
  readonly at: number
}

interface Asking {
  since: number | undefined
  /** How long the source took. */
  took: number | undefined
}

/** A source that takes longer does not block other tenants. Milliseconds. */
export const SLOW_MS = 1000
/** How often a busy process is checked again. Milliseconds. */
const BUSY_MS = 250
/** The longest interval between looks at the clock, because clocks are set. Milliseconds. */
const LOOKS_MS = 30_000

const before = (a: Due, b: Due): boolean => (a.at !== b.at ? a.at < b.at : a.name < b.name)

/** What monitoring may ask of the loop. */
export type Scheduler = Pick<Loop, "progress">

export class Loop {
  readonly #options: LoopOptions
  readonly #turns: Turns
  readonly #wheel = new Heap<Due>(before)
  readonly #asking = new Map<Turn, Asking>()
  readonly #stirs: Queue.Queue<void>
  readonly #clock: Clock.Clock
  /** When it last checked. Milliseconds since the epoch. */
  looked = 0
  /** When a turn last began or ended. Milliseconds since the epoch. */
  #moved = 0

  private constructor(options: LoopOptions, stirs: Queue.Queue<void>, clock: Clock.Clock) {
    this.#options = options
    this.#turns = new Turns(options.slots)
    this.#stirs = stirs
    this.#clock = clock
    this.#moved = clock.currentTimeMillisUnsafe()
  }

  static readonly make = (options: LoopOptions): Effect.Effect<Loop> =>
    Effect.gen(function* () {
      return new Loop(options, yield* Queue.sliding<void>(1), yield* Clock.Clock)
    })

  /** Sets when it is due, unless it is due earlier. */
  dueAt(name: string, at: number): void {
    if (!Number.isFinite(at) || at >= (this.#wheel.get(name)?.at ?? Number.POSITIVE_INFINITY)) return
    this.#wheel.set({ name, at })
    this.#stir()
  }

  /** Sets when it is due, replacing any earlier setting. */
  reschedule(name: string, at: number): void {
    this.#wheel.delete(name)
    this.dueAt(name, at)
  }

  /** Handles a person's request for it. */
  ask(name: string): void {
    this.#turns.add(name, this.#clock.currentTimeMillisUnsafe(), true)
    this.#stir()
  }

  /** Removes it; a turn in progress continues. */
  forget(name: string): void {
    this.#wheel.delete(name)
    this.#turns.remove(name)
  }

  /** When it is due; undefined if unknown. */
  nextOf(name: string): number | undefined {
    return this.#wheel.get(name)?.at
  }

  runningOf(name: string): number {
    return this.#turns.runningOf(name)
  }

  isWaiting(name: string): boolean {
    return this.#turns.isWaiting(name)
  }

  get counts(): { readonly due: number; readonly waiting: number; readonly running: number; readonly slow: number } {
    const running = [...this.#turns.running]
    return {
      due: this.#wheel.size,
      waiting: this.#turns.waiting,
      running: running.length,
      slow: running.filter(({ kind }) => kind === "slow").length
    }
  }

  /** Whether work progresses: how long the oldest due tenant has waited, and since when no turn began or ended. Milliseconds. */
  get progress(): { readonly lateMs: number; readonly stillMs: number } {
    const now = this.#clock.currentTimeMillisUnsafe()
    const oldest = Math.min(now, this.#turns.oldest ?? now, this.#wheel.first()?.at ?? now)
    return { lateMs: now - oldest, stillMs: Math.max(0, now - this.#moved) }
  }

  /** Continues until interrupted, and then interrupts its turns. */
  get run(): Effect.Effect<never, never, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const fibers = yield* FiberSet.make<void>()
      for (;;) {
        const now = this.#clock.currentTimeMillisUnsafe()
        this.looked = now
        this.#takeDue(now)
        const wakes = Math.min(now + LOOKS_MS, this.#moveSlow(now))
        for (let turn = this.#turns.take(); turn !== undefined; turn = this.#turns.take())
          yield* FiberSet.run(fibers, this.#turn(turn))
        const next = Math.min(wakes, this.#wheel.first()?.at ?? Number.POSITIVE_INFINITY)
        yield* Effect.raceFirst(Queue.take(this.#stirs), Effect.sleep(Math.max(next - now, 1)))
      }
    })
  }

  #stir(): void {
    Queue.offerUnsafe(this.#stirs, undefined)
  }

  #takeDue(now: number): void {
    for (let first = this.#wheel.first(); first !== undefined && first.at <= now; first = this.#wheel.first()) {
      this.#wheel.delete(first.name)
      this.#turns.add(first.name, first.at)
    }
  }

  /** Moves turns with slow sources out of their slots. Returns when to check again. */
  #moveSlow(now: number): number {
    let wakes = Number.POSITIVE_INFINITY
    for (const turn of this.#turns.running) {
      const since = this.#asking.get(turn)?.since
      if (turn.kind === "slow" || since === undefined) continue
      if (now - since < SLOW_MS) wakes = Math.min(wakes, since + SLOW_MS)
      // Even more concurrent turns would slow down all of them.
      else if (this.#options.isBusy?.() === true) wakes = Math.min(wakes, now + BUSY_MS)
      else if (!this.#turns.slowed(turn)) wakes = Math.min(wakes, now + SLOW_MS)
    }
    return wakes
  }

  #turn(turn: Turn): Effect.Effect<void> {
    return Effect.suspend(() => {
      const asking: Asking = { since: undefined, took: undefined }
      this.#asking.set(turn, asking)
      this.#moved = this.#clock.currentTimeMillisUnsafe()
      return this.#options.turn(this.#handle(turn, asking)).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            this.#asking.delete(turn)
            this.#moved = this.#clock.currentTimeMillisUnsafe()
            const { took } = asking
            this.#turns.end(turn, took === undefined ? undefined : turn.kind === "slow" && took >= SLOW_MS)
            this.#stir()
          })
        )
      )
    })
  }

  #handle({ due, name }: Turn, asking: Asking): TurnHandle {
    return {
      name,
      due,
      asksSource: () => {
        asking.since = this.#clock.currentTimeMillisUnsafe()
        // Starts a new measurement, so that earlier work does not count.
        this.#options.isBusy?.()
        this.#stir()
      },
      sourceAnswered: () => {
        if (asking.since === undefined) return
        asking.took = this.#clock.currentTimeMillisUnsafe() - asking.since
        asking.since = undefined
      }
    }
  }
}
