/**
 * What stops a run before its first call: a ledger that may lack what was told, and a plan that would take away more
 * than a person would expect.
 *
 * Reductions are deletions, negative payments, lower amounts, voids and refunds. Up to three always pass; beyond, a run stops when
 * they are more than a number (50 unless set) or more than a share of the ledger (20% unless set).
 */
import type Sqlite from "better-sqlite3"
import { Schema } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import type { Summary } from "./Plan.ts"

export class GuardError extends Schema.TaggedError<GuardError>()("GuardError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

const ALWAYS = 3
const NUMBER = 50
const SHARE = 0.2

/**
 * Why nothing may be sent from this state file, whatever the plan says; undefined when all is well. A ledger that lacks
 * what the service was told, because it was restored or lost, would tell all of it twice.
 */
export const behind = (db: Database["Service"]): GuardError | undefined => {
  // A file of an older format, which is only looked at, does not know yet.
  const { behind } = db.prepare("SELECT * FROM state").get() as { readonly behind?: string | null }
  if (behind === null || behind === undefined) return undefined
  return new GuardError({
    why:
      `this state file may lack what the service was told: ${behind}. Told again, it would be there twice. Nothing was sent. Run ` +
      "`daybook reconcile --fix`, which reads the service and puts the ledger right, then run again"
  })
}

/** From now on nothing is sent from this state file, for a reason in words; until `trust`. */
export const doubt = (db: Pick<Sqlite.Database, "prepare">, why: string): void =>
  void db.prepare("UPDATE state SET behind = ?, restored = 1").run(why)

/** The ledger says what the service says. */
export const trust = (db: Database["Service"]): void =>
  void db.prepare("UPDATE state SET behind = NULL WHERE behind IS NOT NULL").run()

/** Whether the ledger lacked something until lately. Orders that were created then are in no list that is compared. */
export const isRestored = (db: Database["Service"]): boolean =>
  db.prepare("SELECT restored FROM state").pluck().get() === 1

/** A whole run went through: what it was to create was looked for. */
export const passed = (db: Database["Service"]): void =>
  void db.prepare("UPDATE state SET restored = 0 WHERE restored = 1").run()

/** Why this plan is refused, or undefined. */
export const check = (
  db: Database["Service"],
  connections: ReadonlyArray<Connection>,
  { found, reductions }: Summary
): GuardError | undefined => {
  for (const { id, planning } of connections) {
    const count = reductions.get(id) ?? 0
    if (count <= ALWAYS) continue
    const known = db
      .prepare("SELECT count(*) FROM ledger WHERE connection = ? AND remote IS NOT NULL AND currency <> ''")
      .pluck()
      .get(id) as number
    const held = known + (found.get(id) ?? 0)
    const { number = NUMBER, share = SHARE } = planning.guards ?? {}
    if (count <= number && count <= held * share) continue
    return new GuardError({
      why:
        `${id}: this run would make ${count} calls that take away from what the service holds (deletions, reversals, ` +
        `lower amounts, voids, refunds) of ${held} invoices and orders; the guard allows ${number}, and ${share.toLocaleString("en", { style: "percent" })} of the ledger. ` +
        "Nothing was sent. Look at `daybook plan`; if it is right, run again with --allow-reductions, or raise `guards` " +
        "in the configuration"
    })
  }
  return undefined
}
