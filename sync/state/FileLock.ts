/**
 * The lock of a state file: a transaction held on a file beside it. The operating system drops it when the process
 * dies, so a lock is never stale.
 *
 * The lock file keeps the state file's stamp as well. Both get a new one whenever the lock was taken and before it is
 * given back, so that an older state file that was put back shows: the lock file saw a later one (`FileIdentity.ts`).
 *
 * Not everything in it need survive a power failure. Who holds it is of no use then. That the last stamp is in the state
 * file was said before it was put there, as one that may be: what is lost says no more than that it is. Those two commits
 * do not wait for the disk.
 */
import Sqlite from "better-sqlite3"
import { Effect, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { hostname } from "node:os"
import { inode } from "./Inode.ts"
import { StateError, stateError } from "./StateError.ts"

export interface Lock {
  /** Whether the file at the lock's path is still the one that is held: whoever deletes it lets others in. */
  readonly isHeld: () => boolean
  /** The stamps that the state file may have: the last one, and one that was about to follow it. Empty: none is known. */
  readonly stamps: () => ReadonlyArray<string>
  /**
   * Gives the state file a new stamp, which `write` puts on disk there. The lock file says before that it may have it, and
   * afterwards that it has it; so it is known whatever this is cut off at. `last`: the lock is given back then.
   */
  readonly stamp: (write: (stamp: string) => void, last: boolean) => void
}

/** Another process may look for the holder's name while something is written. Milliseconds. */
const BUSY_MS = 2000

const TABLES = `
  CREATE TABLE IF NOT EXISTS holder (who TEXT);
  CREATE TABLE IF NOT EXISTS stamp (last TEXT, next TEXT);
  INSERT INTO stamp SELECT NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM stamp);
  DELETE FROM holder;
`

/** Takes the lock for as long as the scope lives. */
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
        const next = randomBytes(12).toString("base64url")
        holder.prepare("UPDATE stamp SET next = ?").run(next)
        keep(holder, last ? SEEN : ON_DISK)
        write(next)
        holder.prepare("UPDATE stamp SET last = ?, next = NULL").run(next)
        keep(holder, ON_DISK)
      }
    })
  )

/** What the next commit is to survive: a power failure, or no more than the end of this process. */
const [ON_DISK, SEEN] = ["NORMAL", "OFF"]

/**
 * What was written is committed; the lock is held on, until a commit as `next` says. Whoever gets in between has done
 * nothing to the state file yet.
 */
const keep = (holder: Sqlite.Database, next: string): void => {
  holder.exec("COMMIT")
  holder.pragma(`synchronous = ${next}`)
  holder.exec("BEGIN IMMEDIATE")
}

const take = (file: string, command: string) => {
  const path = `${file}.lock`
  const holder = new Sqlite(path, { timeout: 0 })
  try {
    const own = inode(path)
    // A new file is on disk whole before anything is changed in it.
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
