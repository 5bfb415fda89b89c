/** A machine that died starts anew with the same disk, which lies at another path here: what a state file says of where it was. */
import Sqlite from "better-sqlite3"
import { existsSync, statSync } from "node:fs"

/**
 * A file without the lock file that it had is taken for a copy where it says that it was elsewhere. It says where it is now, as
 * on the same disk: from a file that says nothing of it, a copy that is used beside it could not be told.
 */
export const isWhereItWas = (file: string): void => {
  if (!existsSync(file)) return
  const { birthtimeNs, ino } = statSync(file, { bigint: true })
  const place = JSON.stringify({ path: file, ino: `${ino}`, ...(birthtimeNs > 0n ? { born: `${birthtimeNs}` } : {}) })
  const db = new Sqlite(file)
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'state'").get() !== undefined)
      db.prepare("UPDATE state SET place = ?").run(place)
  } finally {
    db.close()
  }
}
