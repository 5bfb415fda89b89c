/**
 * A program with a known mistake: its claims reach the disk only once their requests were answered. Everything else is
 * as it should be, so whoever checks the sync must find this out.
 */
import type { Wrap } from "./World.ts"

export const claimsTooLate: Wrap = (db, world) => {
  let held: ReadonlyArray<Record<string, unknown>> = []
  world.onAnswer = () => {
    for (const row of held) {
      const names = Object.keys(row)
      db.prepare(`INSERT INTO claim (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`).run(
        row
      )
    }
    held = []
  }
  return {
    ...db,
    commit: (work) =>
      db.commit(() => {
        const result = work()
        held = db.prepare("SELECT * FROM claim WHERE has_receipt = 0").all() as typeof held
        db.prepare("DELETE FROM claim WHERE has_receipt = 0").run()
        return result
      })
  }
}

/**
 * The same mistake in a program that has no second net: what `sync/apply/OtherWriter.ts` finds on the service, and would stop
 * for, it does not believe. It does things twice.
 */
export const claimsTooLateAndBelieves: Wrap = (db, world) => {
  const late = claimsTooLate(db, world)
  const believing =
    <A>(work: () => A) =>
    (): A => {
      const result = work()
      db.raw.prepare("UPDATE state SET behind = NULL").run()
      return result
    }
  return {
    ...late,
    commit: (work) => late.commit(believing(work)),
    transaction: (work) => late.transaction(believing(work)),
    soon: (work) => late.soon(believing(work))
  }
}
