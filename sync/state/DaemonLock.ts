/** The lock by which one daemon at most works on a state file. */
import { Effect, type Scope } from "effect"
import { type Lock, lock } from "./FileLock.ts"
import type { StateError } from "./StateError.ts"

/** @param state the state file */
export const daemonLock = (state: string): Effect.Effect<Lock, StateError, Scope.Scope> =>
  lock(`${state}.daemon`, "daybook daemon")

/** Whether a daemon works on it at this moment. */
export const hasDaemon = (state: string): Effect.Effect<boolean> =>
  state === ":memory:"
    ? Effect.succeed(false)
    : Effect.scoped(daemonLock(state)).pipe(
        Effect.as(false),
        Effect.catch(({ kind }) => Effect.succeed(kind === "locked"))
      )
