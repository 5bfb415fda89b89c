/** Splits long work on the only thread: between two parts, the event loop handles other events. */
import { Effect } from "effect"

/** Continues after timers, requests and answers had their turn. */
export const breathe: Effect.Effect<void> = Effect.callback((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Work that can be left between its parts, where it yields nothing. */
export type Stepwise<A> = Generator<undefined, A>

/** All parts, one directly after the other. */
export const atOnce = <A>(work: Stepwise<A>): A => {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** All parts, while others have their turn between them. */
export const inTurns = <A>(work: Stepwise<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      const { done, value } = work.next()
      if (done === true) return value
      yield* breathe
    }
  })
