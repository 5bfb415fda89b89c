/** Splits long work on the only thread: between two parts, the event loop handles other events. */
import { Effect } from "effect"

/** Continues after timers, requests and answers had their turn. */
export const breathe: Effect.Effect<void> = Effect.callback((resume) => {
  setImmediate(() => resume(Effect.void))
})
