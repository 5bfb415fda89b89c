/**
 * Shares the lock of a state file in a long-lived program: it is held while there is work and released in between, so that
 * other commands get their turn. Concurrent work holds it together.
 */
import { Effect, Exit, Result, Schedule, Scope, Semaphore } from "effect"
import { type Lock, lock } from "./FileLock.ts"
import type { StateError } from "./StateError.ts"

/** The interval between attempts while another process has it. */
const LOCK_RETRY_MS = 500

/**
 * Takes the lock, and retries while another process has it.
 *
 * @param patience for how long, in milliseconds
 */
export const lockWithin = (
  patience: number,
  file: string,
  command: string
): Effect.Effect<Lock, StateError, Scope.Scope> =>
  Effect.retry(lock(file, command), {
    while: ({ kind }) => kind === "locked",
    times: Math.floor(patience / LOCK_RETRY_MS),
    schedule: Schedule.spaced(LOCK_RETRY_MS)
  })

export interface Waits {
  /** Called once if another process has it; the error names that process. */
  readonly onWait?: (why: StateError) => Effect.Effect<void>
}

export type WithLock = <A, E, R>(work: Effect.Effect<A, E, R>, waits?: Waits) => Effect.Effect<A, E | StateError, R>

/**
 * @param enter runs after the lock was taken: the file may have changed meanwhile
 * @param leave runs before it is released
 */
export const holding = (
  file: string,
  command: string,
  {
    enter,
    leave
  }: {
    readonly enter: (lock: Lock) => Effect.Effect<void, StateError>
    readonly leave: (lock: Lock) => Effect.Effect<void>
  }
): WithLock => {
  const gate = Semaphore.makeUnsafe(1)
  let holders = 0
  let taken: { readonly scope: Scope.Closeable; readonly own: Lock } | undefined

  /** Can be interrupted only while it waits. */
  const take = ({ onWait = () => Effect.void }: Waits): Effect.Effect<void, StateError> =>
    Effect.gen(function* () {
      for (let said = false; ; said = true) {
        const scope = yield* Scope.make()
        const got = yield* Effect.result(
          lock(file, command).pipe(Effect.tap(enter), Effect.provideService(Scope.Scope, scope))
        )
        if (Result.isSuccess(got)) {
          taken = { scope, own: got.success }
          return
        }
        yield* Scope.close(scope, Exit.void)
        const { failure: failed } = got
        if (failed.kind !== "locked") return yield* failed
        if (!said) yield* onWait(failed)
        yield* Effect.interruptible(Effect.sleep(LOCK_RETRY_MS))
      }
    })

  const giveBack = Effect.suspend(() => {
    const before = taken
    taken = undefined
    return before === undefined ? Effect.void : Effect.andThen(leave(before.own), Scope.close(before.scope, Exit.void))
  })

  return (work, waits = {}) =>
    Effect.acquireUseRelease(
      gate.withPermits(1)(
        Effect.suspend(() => (holders > 0 ? Effect.void : take(waits))).pipe(
          Effect.tap(() => Effect.sync(() => void holders++))
        )
      ),
      () => work,
      () => gate.withPermits(1)(Effect.suspend(() => (--holders > 0 ? Effect.void : giveBack)))
    )
}
