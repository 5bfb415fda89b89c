/**
 * Documents to plan again: a fact, the ledger or a person's decision changed since their last plan was carried out.
 *
 * Each change counts. A plan remembers at which count its document was looked at, and only a plan that saw the latest
 * one may clear the document: what came while it was carried out is planned again.
 */
import type { Database } from "../state/Database.ts"

type Db = Pick<Database["Service"], "prepare">

/** Ends an `INSERT INTO changed (subject) …`: what is there already counts one more. */
export const COUNT_AGAIN = "ON CONFLICT DO UPDATE SET n = n + 1"

/** It is planned again. */
export const touch = (db: Db, subject: string): void =>
  void db.prepare(`INSERT INTO changed (subject) VALUES (?) ${COUNT_AGAIN}`).run(subject)

/** How often it changed since it was cleared; 0 when there is nothing to plan. */
export const count = (db: Db, subject: string): number =>
  (db.prepare("SELECT n FROM changed WHERE subject = ?").pluck().get(subject) as number | undefined) ?? 0

/** Its plan was carried out: what was seen at this count is on the service. A later change keeps it marked. */
export const clear = (db: Db, subject: string, count: number): void =>
  void db.prepare("DELETE FROM changed WHERE subject = ? AND n = ?").run(subject, count)
