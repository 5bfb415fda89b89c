/**
 * Permission to send by age: bytes leave only if the store accepted a write of this opening that was begun so short a time ago, by each
 * clock of the machine. Whoever opens the file next begins after that write, and looks open calls up only once nothing of an earlier
 * opening can leave any more. No clock of another machine is compared, and nobody has to be believed to be dead.
 */
import { type Clock, Effect, Semaphore } from "effect"
import type { Permission } from "../../../core/wire/MayLeave.ts"
import { elapsed, type Moment, moment } from "./Clocks.ts"

/** A constant of the release: who has a file and who takes it must mean the same. A change of it raises `LEAST` in `Schema.ts`. Milliseconds. */
const AGE_MS = 5000
/** For clocks that run faster than others, and those that are read in whole seconds. Milliseconds. */
const MARGIN_MS = 1500

export class FreshClaims {
  readonly #clock: Clock.Clock
  readonly #opened: number
  readonly #asking = Semaphore.makeUnsafe(1)
  /** Read before the last write was begun that the store accepted. */
  #proven: Moment

  /** @param began read before the file was opened, which is a write */
  constructor(clock: Clock.Clock, began: Moment) {
    this.#clock = clock
    this.#proven = began
    this.#opened = this.now.monotonic
  }

  get now(): Moment {
    return moment(this.#clock)
  }

  /** A write that was begun then was accepted. */
  proven(began: Moment): void {
    this.#proven = began
  }

  get #isFresh(): boolean {
    return elapsed(this.#proven, this.now) < AGE_MS
  }

  /**
   * @param isOver whether nothing is sent any more, whatever the store says
   * @param confirm writes that the file is still this opening's; answers whether that was accepted
   */
  permission(isOver: () => boolean, confirm: Effect.Effect<boolean>): Permission {
    const asking = Effect.suspend(() => {
      // Another request has asked meanwhile.
      if (isOver() || this.#isFresh) return Effect.void
      const began = this.now
      return Effect.map(confirm, (accepted) => void (accepted && this.proven(began)))
    })
    return { may: () => !isOver() && this.#isFresh, ask: this.#asking.withPermits(1)(asking) }
  }

  /** By the clock that never runs ahead: it stands still while the machine is suspended. */
  get othersEnded(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const left = this.#opened + AGE_MS + MARGIN_MS - this.now.monotonic
      return left > 0 ? Effect.sleep(left) : Effect.void
    })
  }
}
