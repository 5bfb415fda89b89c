/**
 * Registers vaults that are also stored elsewhere, because their state file is replicated. Before a token is requested, it is
 * checked that it can be stored there, and it is stored there before anybody uses it.
 */
import { Effect, type Scope } from "effect"

/** Fails with what is wrong, in words. */
export interface Keeper {
  readonly check: Effect.Effect<void, string>
  readonly keep: (vault: Buffer) => Effect.Effect<void, string>
}

const keepers = new Map<string, Keeper>()

/** Registers a vault until the scope closes. */
export const keep = (file: string, keeper: Keeper): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => void keepers.set(file, keeper)),
      () => Effect.sync(() => void (keepers.get(file) === keeper && keepers.delete(file)))
    )
  )

/** Undefined: it is not stored elsewhere. */
export const keeperOf = (file: string): Keeper | undefined => keepers.get(file)
