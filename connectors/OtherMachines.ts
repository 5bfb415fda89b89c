/**
 * Counts requests together with other programs, such as the workers of one database: what a source counts together, all of them keep
 * to together. By default, a program counts its own alone.
 */
import { Context, Effect } from "effect"
import * as LimitWaits from "./LimitWaits.ts"

export interface OtherMachines {
  /** Counts a request among those of this name, if fewer than `most` were. Returns 0, or in how many milliseconds to try again. */
  readonly take: (whose: string, most: number, window: "minute" | "day") => Effect.Effect<number>
}

export const ALONE: OtherMachines = { take: () => Effect.succeed(0) }

export const OtherMachines = Context.Reference<OtherMachines>("daybook/connectors/OtherMachines", {
  defaultValue: () => ALONE
})

/** Waits until a request may be sent in this minute, and counts it. */
export const minute = (whose: string, most: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { take } = yield* OtherMachines
    for (let wait = yield* take(whose, most, "minute"); wait > 0; wait = yield* take(whose, most, "minute"))
      yield* LimitWaits.wait(wait)
  })

/** Whether a request may be sent on this day, which is then counted. */
export const day = (whose: string, most: number): Effect.Effect<boolean> =>
  Effect.flatMap(OtherMachines, ({ take }) => Effect.map(take(whose, most, "day"), (wait) => wait === 0))
