/**
 * Reports every wait for a source's rate limit, for measuring where the time of a sync goes. By default, nothing listens.
 */
import { Context, Effect } from "effect"

export interface LimitWaits {
  /** Called when a wait begins or ends. Waits may overlap. */
  readonly begins: Effect.Effect<void>
  readonly ends: Effect.Effect<void>
}

export const LimitWaits = Context.Reference<LimitWaits>("daybook/connectors/LimitWaits", {
  defaultValue: () => ({ begins: Effect.void, ends: Effect.void })
})

/** Sleeps until the source's rate limit allows more requests. */
export const wait = (millis: number): Effect.Effect<void> =>
  Effect.flatMap(LimitWaits, ({ begins, ends }) =>
    Effect.acquireUseRelease(
      begins,
      () => Effect.sleep(millis),
      () => ends
    )
  )
