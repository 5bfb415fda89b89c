/** Files of the books are their owner's alone, whatever the machine gives new files. */
import type Sqlite from "better-sqlite3"
import { closeSync, existsSync, openSync, statSync } from "node:fs"

/** The rights of a new file. */
export const OWN = 0o600

/** The rights with which a file is replaced: those that it has. */
export const rightsOf = (path: string): number => (existsSync(path) ? statSync(path).mode & 0o777 : OWN)

/** Creates an empty file for SQLite, which gives the files beside it the same rights. Leaves one that exists as it is. */
export const createFile = (path: string, rights: number = OWN): void => closeSync(openSync(path, "a", rights))

/** How many pages are copied in one piece. */
const PART = 500

/** Copies what an open database has at this moment into a new file of the same rights; others have their turn between its parts. */
export const copyInParts = async (from: Sqlite.Database, to: string): Promise<void> => {
  createFile(to)
  // Otherwise the copy would begin anew whenever somebody writes.
  from.exec("BEGIN")
  try {
    from.prepare("SELECT count(*) FROM sqlite_schema").get()
    await from.backup(to, { progress: () => PART })
  } finally {
    from.exec("COMMIT")
  }
}

/** Copies an open database into a new file, which nobody else can read from its first byte on. */
export const copyInto = (from: Sqlite.Database, to: string): void => {
  createFile(to)
  from.prepare("VACUUM INTO ?").run(to)
}
