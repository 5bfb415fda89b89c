/** Looks into a state file that need not exist, and that another process may have open. */
import Sqlite from "better-sqlite3"
import { existsSync } from "node:fs"

/** Undefined if there is none, or of an older format: the command that opens it next reports that. */
export const peek = <A>(state: string, look: (raw: Sqlite.Database) => A): A | undefined => {
  if (state === ":memory:" || !existsSync(state)) return undefined
  try {
    const raw = new Sqlite(state, { readonly: true, timeout: 5000 })
    try {
      return look(raw)
    } finally {
      raw.close()
    }
  } catch {
    return undefined
  }
}
