/** Caches expensive sums for each state of the books. */
import { Clock, Effect } from "effect"
import type { Db } from "../../sync/state/Database.ts"

/** Another one after anything was written, here or by others. */
const stateOf = (db: Db): string =>
  `${db.prepare("PRAGMA data_version").pluck().get()} ${db.prepare("SELECT total_changes()").pluck().get()}`

/** @param work computes the value from the books and a key; called again when either changes */
export const remembered = <A>(work: (db: Db, key: string) => A) => {
  let last: { readonly db: Db; readonly state: string; readonly value: A } | undefined
  return (db: Db, key: string): A => {
    const state = `${stateOf(db)} ${key}`
    if (last?.db !== db || last.state !== state) last = { db, state, value: work(db, key) }
    return last.value
  }
}

/** The same of work that reads in several steps: its value is kept only if nothing was written meanwhile. */
export const rememberedSteps = <K extends object, A, E, R>(
  work: (db: Db, key: K) => Effect.Effect<A, E, R>,
  isKept: (value: A) => boolean
) => {
  const last = new WeakMap<K, { readonly db: Db; readonly state: string; readonly value: A }>()
  return (db: Db, key: K): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      // What offers and guards say depends on the time, too.
      const minute = Math.floor((yield* Clock.currentTimeMillis) / 60_000)
      const state = `${stateOf(db)} ${minute}`
      const known = last.get(key)
      if (known?.db === db && known.state === state) return known.value
      const value = yield* work(db, key)
      if (isKept(value) && `${stateOf(db)} ${minute}` === state) last.set(key, { db, state, value })
      return value
    })
}
