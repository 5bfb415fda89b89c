/** Long work in one thread, in pieces: between two of them the event loop answers whoever waits. */
import { Effect } from "effect"

/** Goes on once timers, requests and answers had their turn. */
export const breathe: Effect.Effect<void> = Effect.callback((resume) => {
  setImmediate(() => resume(Effect.void))
})
