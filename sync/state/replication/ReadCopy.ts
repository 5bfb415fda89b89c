/**
 * A copy of a replicated state file that is only read: whoever has the tenant goes on. Nothing is stored from it, neither commits nor
 * secrets.
 */
import { Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import * as KeptVaults from "../../vault/KeptVaults.ts"
import { StateError } from "../StateError.ts"
import type { CachedCopy } from "./CachedCopy.ts"
import { discard, restore } from "./Restore.ts"
import type { Tenure } from "./Store.ts"

const READS = "this process only reads the tenant"

/** As it is stored now. It is deleted when the scope ends, or stays in the cache. */
export const readCopy = (
  store: Pick<Tenure, "read" | "tenant">,
  file: string,
  cache: CachedCopy
): Effect.Effect<void, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    const { kept } = yield* Effect.acquireRelease(
      Effect.suspend(() => {
        const cached = cache.take(file)
        if (cached === undefined) discard(file)
        return restore(store, file, cached)
      }),
      ({ content, kept }) =>
        Effect.sync(() => {
          // Of a file that is only read, SQLite leaves its log, which has nothing.
          for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true })
          cache.keep(file, { seq: kept.seq, logBytes: kept.logBytes, baseBytes: kept.baseBytes, content })
          discard(file)
        })
    )
    if (kept.seq === 0) return yield* new StateError({ kind: "failed", file, why: "nothing of it was stored yet" })
    yield* KeptVaults.keep(`${file}.vault`, { check: Effect.fail(READS), keep: () => Effect.fail(READS) })
  }).pipe(
    Effect.mapError((error) =>
      error instanceof StateError ? error : new StateError({ kind: "unreachable", file, why: error.why })
    )
  )
