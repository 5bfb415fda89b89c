/**
 * Vaults that are kept elsewhere as well, by their files: of a state file that is replicated. Before a token is asked for it is
 * known that it can be kept, and it is kept before anybody uses it.
 */
import { Effect, type Scope } from "effect"

/** Fails with what is wrong, in words. */
export interface Keeper {
  readonly check: Effect.Effect<void, string>
  readonly keep: (vault: Buffer) => Effect.Effect<void, string>
}

const keepers = new Map<string, Keeper>()

/** For as long as the scope lives. */
export const keep = (file: string, keeper: Keeper): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => void keepers.set(file, keeper)),
      () => Effect.sync(() => void (keepers.get(file) === keeper && keepers.delete(file)))
    )
  )

/** Undefined: it is kept nowhere else. */
export const keeperOf = (file: string): Keeper | undefined => keepers.get(file)
