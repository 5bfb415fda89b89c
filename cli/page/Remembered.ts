/** Caches expensive sums for each state of the books. */
import type { Database } from "../../sync/state/Database.ts"

type Db = Database["Service"]

/** @param work computes the value from the books and a key; called again when either changes */
export const remembered = <A>(work: (db: Db, key: string) => A) => {
  let last: { readonly db: Db; readonly state: string; readonly value: A } | undefined
  return (db: Db, key: string): A => {
    const version = db.prepare("PRAGMA data_version").pluck().get()
    const own = db.prepare("SELECT total_changes()").pluck().get()
    const state = `${version} ${own} ${key}`
    if (last?.db !== db || last.state !== state) last = { db, state, value: work(db, key) }
    return last.value
  }
}
