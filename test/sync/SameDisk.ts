/** A machine that died starts anew with the same disk, which lies at another path here: what a state file says of where it was. */
import Sqlite from "better-sqlite3"
import { existsSync } from "node:fs"

/** A file without the lock file that it had is taken for a copy where it says that it was elsewhere. */
export const isWhereItWas = (file: string): void => {
  if (!existsSync(file)) return
  const db = new Sqlite(file)
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'state'").get() !== undefined)
      db.exec("UPDATE state SET place = NULL")
  } finally {
    db.close()
  }
}
