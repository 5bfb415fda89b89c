/**
 * A disk that takes as long over a commit as it is told, so that what is measured does not hang on the disk of this
 * machine: every statement that ends a transaction waits. The file itself is to lie where a commit costs nothing.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"

/** Milliseconds. */
const wait = (time: number): void => {
  const until = performance.now() + time
  while (performance.now() < until);
}

/** From now on, every commit of this process takes so many milliseconds more. */
export const pause = (time: number): void => {
  const probe = new Sqlite(":memory:")
  const statement: { run: (this: Sqlite.Statement, ...args: ReadonlyArray<unknown>) => Sqlite.RunResult } =
    Object.getPrototypeOf(probe.prepare("SELECT 1"))
  probe.close()
  const { run } = statement
  /** Databases with a transaction that has written something. `COMMIT` itself counts as a statement that only reads. */
  const written = new WeakSet<Sqlite.Database>()
  statement.run = function (...args) {
    const result = run.apply(this, [...args])
    if (result.changes > 0 && !this.readonly) written.add(this.database)
    if (!this.database.inTransaction && written.delete(this.database)) wait(time)
    return result
  }
}

/** Where a commit costs nothing: memory that is mounted as a disk; the folder itself on machines without. */
export const weightless = (folder: string): { readonly folder: string; readonly remove: () => void } => {
  if (!existsSync("/dev/shm")) return { folder, remove: () => {} }
  const made = mkdtempSync(join("/dev/shm", "daybook-bench-"))
  return { folder: made, remove: () => rmSync(made, { recursive: true, force: true }) }
}
