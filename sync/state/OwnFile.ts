/** Files of the books are their owner's alone, whatever the machine gives new files. */
import type Sqlite from "better-sqlite3"
import { closeSync, existsSync, openSync, statSync } from "node:fs"

/** The rights of a new file. */
export const OWN = 0o600

/** The rights with which a file is replaced: those that it has. */
export const rightsOf = (path: string): number => (existsSync(path) ? statSync(path).mode & 0o777 : OWN)

/** Creates an empty file for SQLite, which gives the files beside it the same rights. Leaves one that exists as it is. */
export const createFile = (path: string, rights: number = OWN): void => closeSync(openSync(path, "a", rights))

/** Copies an open database into a new file, which nobody else can read from its first byte on. */
export const copyInto = (from: Sqlite.Database, to: string): void => {
  createFile(to)
  from.prepare("VACUUM INTO ?").run(to)
}
