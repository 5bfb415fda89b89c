/**
 * The lock of a state file: a transaction held on a file beside it. The operating system drops it when the process
 * dies, so a lock is never stale.
 */
import Sqlite from "better-sqlite3"
import { Effect, type Scope } from "effect"
import { hostname } from "node:os"
import { StateError, stateError } from "./state/StateError.ts"

/** Takes the lock for as long as the scope lives. */
export const lock = (file: string, command: string): Effect.Effect<void, StateError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const holder = new Sqlite(`${file}.lock`, { timeout: 0 })
        try {
          holder.exec("CREATE TABLE IF NOT EXISTS holder (who TEXT)")
          holder.exec("DELETE FROM holder")
          holder.prepare("INSERT INTO holder VALUES (?)").run(`${command}, process ${process.pid} on ${hostname()}`)
          holder.exec("BEGIN IMMEDIATE")
          return holder
        } catch (cause) {
          const busy = String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY")
          const who = busy ? readHolder(holder) : undefined
          holder.close()
          if (!busy) throw cause
          throw new StateError({
            kind: "locked",
            file,
            why: `another process holds it${who === undefined ? "" : ` (${who})`}; wait until it ends and run again`
          })
        }
      },
      catch: (cause) => stateError(file, cause)
    }),
    (holder) => Effect.sync(() => holder.close())
  ).pipe(Effect.asVoid)

const readHolder = (holder: Sqlite.Database): string | undefined => {
  try {
    return holder.prepare("SELECT who FROM holder").pluck().get() as string | undefined
  } catch {
    return undefined
  }
}
