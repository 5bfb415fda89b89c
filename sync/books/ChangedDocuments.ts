/**
 * Records which documents must be planned again: a fact, the ledger or a person's decision changed since their last plan was
 * carried out.
 *
 * Each change increments a count. A plan remembers the count that it saw, and only a plan that saw the latest count may
 * clear the document: changes during a run are planned again.
 */
import type { Db } from "../state/Database.ts"

/** Ends an `INSERT INTO changed (subject) …`: increments the count of existing rows. */
export const COUNT_AGAIN = "ON CONFLICT DO UPDATE SET n = n + 1"

/** Marks a document to be planned again. */
export const touch = (db: Db, subject: string): void =>
  void db.prepare(`INSERT INTO changed (subject) VALUES (?) ${COUNT_AGAIN}`).run(subject)

/** How often it changed since it was cleared; 0 if there is nothing to plan. */
export const count = (db: Db, subject: string): number =>
  (db.prepare("SELECT n FROM changed WHERE subject = ?").pluck().get(subject) as number | undefined) ?? 0

/** Clears a document whose plan was carried out at this count. After a later change, it stays marked. */
export const clear = (db: Db, subject: string, count: number): void =>
  void db.prepare("DELETE FROM changed WHERE subject = ? AND n = ?").run(subject, count)
