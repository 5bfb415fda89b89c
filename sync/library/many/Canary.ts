/**
 * Tests by work whether a node is ready. It writes a number to PostgreSQL with each renewal of its lease; its next look reads
 * the number and hands it to the scheduler, which answers. So each answer has passed everything that a run needs, except the
 * tenant. A node whose answers stop is not ready, whatever its processes look like.
 */
import { standstill } from "../../schedule/Standstill.ts"
import type { Scheduler } from "../../tenants/Loop.ts"

export class Canary {
  readonly #scheduler: Scheduler
  readonly #now: () => number
  /** When the latest answered number was written. Monotonic milliseconds. */
  #answered: number

  /** @param now a monotonic clock, in milliseconds */
  constructor(scheduler: Scheduler, now: () => number) {
    this.#scheduler = scheduler
    this.#now = now
    this.#answered = now()
  }

  /** What a node writes about it. */
  said(): { readonly canary: number; readonly canaryMs: number; readonly lateMs: number } {
    return { canary: this.#now(), canaryMs: this.#age, lateMs: this.#scheduler.progress.lateMs }
  }

  /** The number was read again. */
  seen(number: number): void {
    this.#scheduler.ping(() => void (this.#answered = Math.max(this.#answered, Math.min(number, this.#now()))))
  }

  /** A new life of the node begins. */
  restart(): void {
    this.#answered = this.#now()
  }

  /** Why the node is not ready; undefined: it works. */
  trouble(leaseMs: number): string | undefined {
    if (this.#age > 2 * leaseMs)
      return `for ${Math.round(this.#age / 1000)} seconds nothing has come back from PostgreSQL to its scheduler`
    return standstill(this.#scheduler.progress)
  }

  get #age(): number {
    return this.#now() - this.#answered
  }
}
