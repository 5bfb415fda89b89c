/** Hears answers of the service for who has a tenant next, see `state/replication/LateAnswers.ts`. */
import { Effect, Fiber } from "effect"
import { idOf } from "../model/Answer.ts"
import type { SentCall } from "../model/Call.ts"
import type { Db } from "../state/Database.ts"
import * as Claims from "./Claims.ts"

/** How long the answer to what was sent for others is waited for. Milliseconds. */
const HEARD_WITHIN_MS = 10_000

const heardSoon = (answer: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forkDetach(Effect.delay(Fiber.interrupt(answer), HEARD_WITHIN_MS)),
    Effect.asVoid(Fiber.await(answer))
  )

/**
 * Of a replicated file: an answer is heard, and kept for others, also when the file is lost meanwhile and nobody here waits for it. Until
 * it came, the connection to the service stays open, for a bounded time.
 */
export const heard = <A extends { readonly body: unknown }, E, R>(
  { late }: Db,
  id: number,
  call: SentCall,
  sending: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (late === undefined) return sending
  const hearing = Effect.tap(sending, ({ body }) =>
    Effect.sync(() => {
      const remote = idOf(Claims.storedAnswer(call.operation, body))
      if (remote !== undefined) late.heard({ call: id, subject: call.subject, remote })
    })
  )
  return Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(hearing), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () => (late.isOver ? heardSoon(fiber) : Fiber.interrupt(fiber)))
    )
  )
}
