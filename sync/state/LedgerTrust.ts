/**
 * Records whether the ledger can be trusted to contain everything that was sent. A restored or lost one would send
 * everything twice: nothing is sent until `daybook reconcile --fix` has read the service.
 */
import type Sqlite from "better-sqlite3"
import { Schema } from "effect"

interface Db {
  readonly prepare: (sql: string) => Sqlite.Statement
}

export class GuardError extends Schema.TaggedError<GuardError>()("GuardError", {
  why: Schema.String,
  /** The numbers of the guards, if a person can let the run pass by naming them. */
  guards: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message(): string {
    return this.why
  }
}

/**
 * Why nothing may be sent from this state file, whatever the plan; undefined if it can be trusted. A ledger that lacks what
 * was sent to the service, because it was restored or lost, would send everything twice.
 */
export const behind = (db: Db): GuardError | undefined => {
  const behind = db.prepare("SELECT behind FROM state").pluck().get() as string | null
  if (behind === null) return undefined
  return new GuardError({
    why:
      `this state file is behind the service: ${behind}. Sending would create duplicates, so that nothing more is sent. Run ` +
      "`daybook reconcile --fix`, which reads the service and puts the ledger right, then run again"
  })
}

/** Prevents everything from being sent from this state file, for a reason in words, until `trust`. */
export const doubt = (db: Db, why: string): void =>
  void db.prepare("UPDATE state SET behind = ?, restored = 1").run(why)

/** The same for a copy: its documents are as old as its ledger, so that its sources count as not read to their ends. */
export const doubtCopy = (db: Db, why: string): void => {
  doubt(db, why)
  db.prepare("UPDATE bookmark SET reading = 1").run()
}

/**
 * The ledger says what the service says. What people decided before the file was restored is not carried out before they
 * confirm it: what they said later, a withdrawal or a rejection, is not in the file.
 */
export const trust = (db: Db, now: number): void => {
  const { changes } = db
    .prepare(
      `UPDATE state SET behind = NULL, restored_at = ?,
        decided_before = (SELECT max(id) FROM cover_decision) WHERE behind IS NOT NULL`
    )
    .run(now)
  if (changes === 0) return
  db.prepare(
    "UPDATE approval SET decision = NULL, decided = NULL, who = NULL, part = NULL WHERE decision = 'approved'"
  ).run()
  db.prepare("DELETE FROM approval_voice").run()
}

/** Whether the ledger recently lacked something. Orders created at that time are in no list that is compared. */
export const isRestored = (db: Db): boolean => db.prepare("SELECT restored FROM state").pluck().get() === 1

/** A whole run went through, with every source read to its end: what it was to create was looked for. */
export const passed = (db: Db): void =>
  void db
    .prepare(
      "UPDATE state SET restored = 0 WHERE restored = 1 AND NOT EXISTS (SELECT 1 FROM bookmark WHERE reading = 1)"
    )
    .run()
