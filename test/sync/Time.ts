/**
 * A clock that jumps: whoever sleeps is woken as soon as nothing else is going on. Days of waiting pass in no time, and
 * two runs that do the same see the same times.
 *
 * What time it is and how much time has passed are two things, as on a machine: the first can be set, forward or back; the
 * second only goes on. What waits, and what is on its way over the network, waits for time to pass.
 */
import { type Clock, Duration, Effect } from "effect"
import type { HttpClientResponse } from "effect/http"

interface Timer {
  readonly at: number
  readonly n: number
  readonly wake: () => void
}

export class JumpingClock implements Clock.Clock {
  /** Milliseconds that have passed. */
  #passed = 0
  /** What time it was, or would have been, when nothing had passed. */
  #epoch: number
  #n = 0
  #timers: Array<Timer> = []
  /** Changes whenever something begins to wait. */
  activity = 0

  constructor(start = Date.UTC(2026, 2, 1, 9)) {
    this.#epoch = start
  }

  currentTimeMillisUnsafe = (): number => this.#epoch + this.#passed
  currentTimeNanosUnsafe = (): bigint => BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  monotonicTimeNanosUnsafe = (): bigint => BigInt(this.#passed) * 1_000_000n
  readonly currentTimeMillis = Effect.sync(this.currentTimeMillisUnsafe)
  readonly currentTimeNanos = Effect.sync(this.currentTimeNanosUnsafe)
  readonly monotonicTimeNanos = Effect.sync(this.monotonicTimeNanosUnsafe)

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    return Effect.callback((resume) => {
      const cancel = this.later(millis, () => resume(Effect.void))
      return Effect.sync(cancel)
    })
  }

  /** Runs `work` after so many milliseconds. Answers how to call it off. */
  later = (millis: number, work: () => void): (() => void) => {
    const n = ++this.#n
    const timer: Timer = { at: this.#passed + millis, n, wake: work }
    this.activity++
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one.n !== n)
    }
  }

  /** Goes on to the next moment that something waits for. Answers whether there was one. */
  jump(): boolean {
    const next = this.#timers.toSorted((a, b) => a.at - b.at || a.n - b.n)[0]
    if (next === undefined) return false
    this.#timers = this.#timers.filter((one) => one !== next)
    this.#passed = Math.max(this.#passed, next.at)
    next.wake()
    return true
  }

  /** Sets the time, forward or back; what waits goes on waiting as long as before. */
  set(millis: number): void {
    this.#epoch = millis - this.#passed
  }

  /** Lets everything that waits come to its end, however long it takes. */
  async settle(): Promise<void> {
    while (this.jump()) await turn()
  }
}

export const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume))

/** The service's clock: that of the machine, unless this one is set wrong. */
export class ServiceTime {
  readonly #machine: JumpingClock
  /** By how much the machine's clock is ahead of the service's, in milliseconds. */
  ahead = 0

  constructor(machine: JumpingClock) {
    this.#machine = machine
  }

  get now(): number {
    return this.#machine.currentTimeMillisUnsafe() - this.ahead
  }

  /** The machine's clock is the service's, which is so much later. */
  setRight(later = 0): void {
    this.#machine.set(this.now + later)
    this.ahead = 0
  }

  /** Every answer says when it was made. */
  readonly dated = (answer: HttpClientResponse.HttpClientResponse): HttpClientResponse.HttpClientResponse =>
    Object.create(answer, { headers: { value: { ...answer.headers, date: new Date(this.now).toUTCString() } } })
}
