/** Ends a run that takes too long: a source that sends a little now and then, or a connector that never ends. */
import { Effect, Fiber, Option } from "effect"
import { plural } from "../../core/Plural.ts"
import { RunError } from "./RunEvents.ts"

/** Whoever wants more says so in `daemon.run_timeout`. Milliseconds. */
export const RUN_MS = 6 * 3_600_000
/** How long the end of an interrupted run is waited for; then it is left behind. Milliseconds. */
const LETS_GO_MS = 60_000

const words = (milliseconds: number): string => {
  const minutes = Math.round(milliseconds / 60_000)
  return minutes % 60 === 0 ? plural(minutes / 60, "hour") : plural(minutes, "minute")
}

/** @param milliseconds how long it may take */
export const limited = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  milliseconds: number
): Effect.Effect<A, E | RunError, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const running = yield* Effect.forkDetach(Effect.interruptible(work))
      const ended = yield* restore(Effect.timeoutOption(Fiber.await(running), milliseconds)).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(running))
      )
      if (Option.isSome(ended)) return yield* ended.value
      yield* Effect.interruptible(Effect.timeoutOption(Fiber.interrupt(running), LETS_GO_MS))
      return yield* new RunError({
        why: `the run took longer than ${words(milliseconds)} and was stopped; what was read and sent is kept, and the next run continues (daemon.run_timeout allows more)`
      })
    })
  )
