/**
 * Creates and opens the file of a vault, locks it for a change, and reserves disk space for the change's result.
 */
import Sqlite from "better-sqlite3"
import { chmodSync, existsSync, linkSync, rmSync, statSync } from "node:fs"
import { Misconfigured } from "../../connectors/Connector.ts"
import { partialOf } from "../../core/TemporaryFolder.ts"

/** Bytes reserved for the result of a change; tokens have some hundred bytes, the longest a few thousand. */
const ROOM_BYTES = 65_536

const TABLES = `
  CREATE TABLE IF NOT EXISTS sealed (name TEXT PRIMARY KEY, box TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS room (one INTEGER PRIMARY KEY CHECK (one = 1), filler BLOB NOT NULL) STRICT;
`

/** A new vault gets its name only when it is complete, so an empty one was truncated. */
const create = (file: string): void => {
  const part = partialOf(file)
  try {
    const made = new Sqlite(part)
    try {
      chmodSync(part, 0o600)
      made.pragma("synchronous = FULL")
      made.exec(TABLES)
    } finally {
      made.close()
    }
    linkSync(part, file)
  } catch (cause) {
    // Another process created it first.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  } finally {
    rmSync(part, { force: true })
  }
}

const DAMAGED = "restore it from a backup, or move it away and authorise its connections again with daybook connect"

/** What is wrong with the file, and what to do. */
export const said = (file: string, cause: unknown): Misconfigured => {
  const code = String((cause as { readonly code?: unknown })?.code ?? "")
  const words = cause instanceof Error ? cause.message : String(cause)
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return new Misconfigured({ what: `the vault ${file} is damaged (${words})`, hint: DAMAGED })
  if (code.startsWith("SQLITE_FULL") || code.startsWith("SQLITE_IOERR_WRITE") || code === "ENOSPC")
    return new Misconfigured({
      what: `there is no disk space for new tokens in the vault ${file}`,
      hint: "no token was requested and none is lost: free some space and run again"
    })
  return new Misconfigured({
    what: `the vault ${file} cannot be used (${words})`,
    hint: "check the file and the permissions of its folder"
  })
}

export const openFile = (file: string): Sqlite.Database => {
  if (file === ":memory:") return new Sqlite(file, { timeout: 0 })
  if (!existsSync(file)) create(file)
  if (statSync(file).size === 0)
    throw new Misconfigured({ what: `the vault ${file} is empty: it was cut off`, hint: DAMAGED })
  const db = new Sqlite(file, { timeout: 0 })
  chmodSync(file, 0o600)
  return db
}

/** Returns whether the file's write lock was free. */
export const begin = (db: Sqlite.Database): boolean => {
  try {
    // Any of this may find the file locked. EXCLUSIVE, so that no reader can block the commit.
    db.pragma("synchronous = FULL")
    db.exec("BEGIN EXCLUSIVE")
    db.exec(TABLES)
    return true
  } catch (cause) {
    if (String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false
    throw cause
  }
}

export const fill = (db: Sqlite.Database) =>
  db.prepare("INSERT INTO room VALUES (1, zeroblob(?)) ON CONFLICT DO NOTHING").run(ROOM_BYTES)

/** Reserves disk space for the result of a change, see `Vault.ts`: the file already has it, and the journal gets it here. */
export const reserve = (db: Sqlite.Database, name: string) => {
  // Every page that the change will write is now in the journal: page one, the free lists, both tables.
  db.exec("DELETE FROM room")
  fill(db)
  db.prepare("INSERT INTO sealed VALUES (?, '') ON CONFLICT DO UPDATE SET box = box").run(name)
}
