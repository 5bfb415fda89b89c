/** Locks a state file for a daemon, so that at most one uses it. */
import { Effect, type Scope } from "effect"
import { type Lock, lock } from "./FileLock.ts"
import type { StateError } from "./StateError.ts"

/** @param state the state file */
export const daemonLock = (state: string): Effect.Effect<Lock, StateError, Scope.Scope> =>
  lock(`${state}.daemon`, "daybook daemon")

/** Whether a daemon uses it now. */
export const hasDaemon = (state: string): Effect.Effect<boolean> =>
  state === ":memory:"
    ? Effect.succeed(false)
    : Effect.scoped(daemonLock(state)).pipe(
        Effect.as(false),
        Effect.catch(({ kind }) => Effect.succeed(kind === "locked"))
      )
