/**
 * Told of every wait for a limit of a source: whoever wants to know where the time of a sync went counts them. Nobody
 * does unless they say so.
 */
import { Context, Effect } from "effect"

export interface LimitWaits {
  /** A wait begins, or ends. Several may go on at once. */
  readonly begins: Effect.Effect<void>
  readonly ends: Effect.Effect<void>
}

export const LimitWaits = Context.Reference<LimitWaits>("daybook/connectors/LimitWaits", {
  defaultValue: () => ({ begins: Effect.void, ends: Effect.void })
})

/** Waits because a source allows no more for now. */
export const wait = (millis: number): Effect.Effect<void> =>
  Effect.flatMap(LimitWaits, ({ begins, ends }) =>
    Effect.acquireUseRelease(
      begins,
      () => Effect.sleep(millis),
      () => ends
    )
  )
