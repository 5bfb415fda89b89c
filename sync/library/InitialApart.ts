/**
 * Derives a first configuration for the program that the library is part of, in a thread where there is one
 * (`KillableThread.ts`): to look at twenty thousand rows takes seconds.
 */
import { Effect } from "effect"
import { resolve } from "node:path"
import type { UsageError } from "./Exit.ts"
import type { Initial, InitOptions } from "./FirstConfiguration.ts"
import * as KillableThread from "./KillableThread.ts"

export const initialOf = (paths: ReadonlyArray<string>, options: InitOptions): Effect.Effect<Initial, UsageError> =>
  Effect.gen(function* () {
    const folder = resolve(options.folder ?? ".")
    if (KillableThread.ofLibrary === undefined) {
      const { initial, look } = yield* Effect.promise(() => import("./FirstConfiguration.ts"))
      return yield* initial(yield* look(paths, folder), options)
    }
    const ask = yield* KillableThread.thread(KillableThread.ofLibrary, KillableThread.OWN_FILES)
    yield* ask({ type: "look", paths, folder })
    return (yield* ask({ type: "initial", options })) as Initial
  }).pipe(Effect.scoped)
