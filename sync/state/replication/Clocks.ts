/**
 * How long ago something was, by the clock of this machine by which it is longest. No clock alone can be trusted where others act
 * after a time: on Linux CLOCK_MONOTONIC stands still while the machine is suspended (clock_gettime(2)), the wall clock can be set
 * back, and both can be changed in a virtual machine. A machine whose clocks all stood still cannot know it.
 */
import type { Clock } from "effect"
import { uptime } from "node:os"

/** Milliseconds each. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
  /** Since the machine was started, with the time in which it was suspended (CLOCK_BOOTTIME). */
  readonly boot: number
}

/** Node may state the time since the start in whole seconds. */
const STEP_MS = 1000

/** @param running seconds since the machine was started */
export const moment = (clock: Clock.Clock, running: () => number = uptime): Moment => ({
  monotonic: Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n),
  wall: clock.currentTimeMillisUnsafe(),
  boot: running() * 1000
})

/** Milliseconds, never too few by any of the clocks. */
export const elapsed = (then: Moment, now: Moment): number =>
  Math.max(now.monotonic - then.monotonic, now.wall - then.wall, now.boot - then.boot - STEP_MS)
