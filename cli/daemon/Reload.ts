/**
 * Reloads the configuration of a running daemon: when its file changes, or the file of connections made by links, or on
 * SIGHUP. An invalid configuration changes nothing, and is reported.
 */
import { Effect, Queue, Ref, type Scope } from "effect"
import { unwatchFile, watchFile } from "node:fs"
import { resolve } from "node:path"
import { otherService } from "../../sync/apply/BoundService.ts"
import { Database } from "../../sync/state/Database.ts"
import * as ConnectionsFile from "../../sync/library/config/ConnectionsFile.ts"
import { load } from "../../sync/library/config/ConfigFile.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { renamed } from "../../sync/library/config/Renames.ts"

/** How often the file is checked, in milliseconds. */
const LOOKS_MS = 2000

const named = (ids: ReadonlyArray<string>, what: string): ReadonlyArray<string> =>
  ids.length === 0 ? [] : [`${what}: ${ids.join(", ")}`]

/** Describes what changed about the connections. */
const differences = (before: Configuration, now: Configuration): string => {
  const ids = ({ connections }: Configuration) => connections.map(({ id }) => id)
  const said = [
    ...named(
      ids(now).filter((id) => !ids(before).includes(id)),
      "new"
    ),
    ...named(
      ids(before).filter((id) => !ids(now).includes(id)),
      "gone"
    )
  ]
  const restart =
    JSON.stringify(before.daemon) === JSON.stringify(now.daemon) ? [] : ["daemon: takes effect at the next start"]
  return [...said, ...restart].map((one) => `; ${one}`).join("")
}

/** Reads it once; one that cannot be used changes nothing. */
export const reload = (
  current: Ref.Ref<Configuration>,
  wake: Effect.Effect<void>
): Effect.Effect<void, never, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const before = yield* Ref.get(current)
    const path = resolve(before.file)
    const read = yield* Effect.result(
      Effect.gen(function* () {
        const now = yield* renamed(yield* load(path), db.file)
        yield* now.service.key
        const other = otherService(db, now.service.url)
        return other === undefined ? now : yield* other
      })
    )
    if (read._tag === "Failure")
      return yield* Effect.logError(
        `the configuration changed but is invalid; the previous one stays in use: ${messageOf(read.failure)}`
      )
    yield* Ref.set(current, read.success)
    yield* Effect.logInfo(`configuration read again${differences(before, read.success)}`)
    yield* wake
  })

/** Gets an item when SIGHUP arrives; several that are not taken yet count as one. */
export const hangUps: Effect.Effect<Queue.Queue<void>, never, Scope.Scope> = Effect.gen(function* () {
  const asks = yield* Queue.sliding<void>(1)
  const ask = () => void Queue.offerUnsafe(asks, undefined)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", ask)),
    () => Effect.sync(() => process.off("SIGHUP", ask))
  )
  return asks
})

/** Continues until interrupted. */
export const follow = (
  current: Ref.Ref<Configuration>,
  wake: Effect.Effect<void>
): Effect.Effect<never, never, Database | Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = yield* Ref.get(current)
    const path = resolve(file)
    const paths = [path, ConnectionsFile.fileOf(path)]
    const asks = yield* hangUps
    const changed = (now: { readonly mtimeMs: number }, before: { readonly mtimeMs: number }) => {
      // Some editors delete the file for a moment when they save.
      if (now.mtimeMs !== before.mtimeMs && now.mtimeMs !== 0) Queue.offerUnsafe(asks, undefined)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => paths.forEach((one) => void watchFile(one, { interval: LOOKS_MS }, changed))),
      () => Effect.sync(() => paths.forEach((one) => void unwatchFile(one, changed)))
    )
    return yield* Effect.forever(Effect.andThen(Queue.take(asks), reload(current, wake)))
  })
