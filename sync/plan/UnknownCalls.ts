/**
 * Calls that cannot be undone, and whose outcome is not known: until the next run finds out, nobody is told that they were made, nor
 * that they were not, and nobody decides about them.
 */
import type { Db } from "../state/Database.ts"

const hasOne = (db: Db, subject: string, operations: ReadonlyArray<string>): boolean =>
  db
    .prepare(
      `SELECT 1 FROM claim WHERE subject = ? AND has_receipt = 0 AND operation IN (SELECT value FROM json_each(?)) LIMIT 1`
    )
    .get(subject, JSON.stringify(operations)) !== undefined

/** Whether cover may have been bought for an invoice. */
export const isPurchase = (db: Db, subject: string): boolean => hasOne(db, subject, ["policies.create"])

/** Whether an invoice may have been declared or handed over. */
export const isHandover = (db: Db, subject: string): boolean =>
  hasOne(db, subject, ["collections.update", "collections.send"])
