/**
 * Locks a state file with a transaction held on a file beside it. The operating system releases it when the process dies, so
 * a lock is never stale.
 *
 * The lock file also stores the state file's stamp. Both get a new one whenever the lock was taken and before it is released,
 * so that an older state file that was put back is detected: the lock file has a later stamp (`FileIdentity.ts`).
 *
 * Not everything in it must survive a power failure. The holder's name is useless then. And the confirmation that the state
 * file has the new stamp may be lost, because the new stamp was recorded as possible beforehand. Those two commits do not
 * wait for the disk.
 */
import Sqlite from "better-sqlite3"
import { Effect, type Scope } from "effect"
import { statSync } from "node:fs"
import { hostname } from "node:os"
import { inode } from "./Inode.ts"
import { createFile } from "./OwnFile.ts"
import { StateError, stateError } from "./StateError.ts"

export interface Lock {
  /** Whether the file at the lock's path is still the one that is held: if it was deleted, another process could take it. */
  readonly isHeld: () => boolean
  /** The stamps that the state file may have: the last one, and one that was about to follow it. Empty: none is known. */
  readonly stamps: () => ReadonlyArray<string>
  /**
   * Gives the state file a new stamp, which `write` stores on disk. The lock file records before that it may have this stamp,
   * and afterwards that it has it, so that the stamp is known wherever this is interrupted. `last`: the lock is released then.
   */
  readonly stamp: (write: (stamp: string) => void, last: boolean) => void
}

/** Another process may read the holder's name during a write. Milliseconds. */
const BUSY_MS = 2000

const TABLES = `
  CREATE TABLE IF NOT EXISTS holder (who TEXT);
  CREATE TABLE IF NOT EXISTS stamp (last TEXT, next TEXT);
  INSERT INTO stamp SELECT NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM stamp);
  DELETE FROM holder;
`

/** Takes the lock until the scope closes. */
export const lock = (file: string, command: string): Effect.Effect<Lock, StateError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({ try: () => take(file, command), catch: (cause) => stateError(file, cause) }),
      ({ holder }) => Effect.sync(() => holder.close())
    ),
    ({ holder, own, path }): Lock => ({
      isHeld: () => inode(path) === own,
      stamps: () => {
        const { last, next } = holder.prepare("SELECT last, next FROM stamp").get() as Readonly<
          Record<"last" | "next", string | null>
        >
        return [last, next].filter((one) => one !== null)
      },
      stamp: (write, last) => {
        // Node's own random bytes would load all of its cryptography.
        const next = holder.prepare("SELECT lower(hex(randomblob(12)))").pluck().get() as string
        holder.prepare("UPDATE stamp SET next = ?").run(next)
        keep(holder, last ? SEEN : ON_DISK)
        write(next)
        holder.prepare("UPDATE stamp SET last = ?, next = NULL").run(next)
        keep(holder, ON_DISK)
      }
    })
  )

/** What the next commit must survive: a power failure, or only the end of this process. */
const [ON_DISK, SEEN] = ["NORMAL", "OFF"]

/**
 * Commits what was written and keeps the lock, until a commit as `next` says. A process that gets in between has not changed
 * the state file yet.
 */
const keep = (holder: Sqlite.Database, next: string): void => {
  holder.exec("COMMIT")
  holder.pragma(`synchronous = ${next}`)
  holder.exec("BEGIN IMMEDIATE")
}

const take = (file: string, command: string) => {
  const path = `${file}.lock`
  createFile(path)
  const holder = new Sqlite(path, { timeout: 0 })
  try {
    const own = inode(path)
    // A new file must be on disk completely before anything in it is changed.
    holder.pragma(`synchronous = ${statSync(path).size === 0 ? ON_DISK : SEEN}`)
    holder.exec("BEGIN IMMEDIATE")
    holder.pragma(`busy_timeout = ${BUSY_MS}`)
    holder.exec(TABLES)
    holder.prepare("INSERT INTO holder VALUES (?)").run(`${command}, process ${process.pid} on ${hostname()}`)
    keep(holder, ON_DISK)
    return { holder, own, path }
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
}

const readHolder = (holder: Sqlite.Database): string | undefined => {
  try {
    return holder.prepare("SELECT who FROM holder").pluck().get() as string | undefined
  } catch {
    return undefined
  }
}
