/**
 * Detects complete scans after which the source looks like a different one: all ids are new (G8), or nine tenths of the
 * documents are missing (G9). Such a scan would cause deletions, reversals, and sending everything again. It is remembered
 * until the documents are back or a person says that it is right.
 */
import type { Guard } from "../model/Guard.ts"
import type { Db } from "../state/Database.ts"

/** The result of a complete scan, in numbers of documents. */
export interface ScanOutcome {
  /** Documents before the scan. */
  readonly before: number
  /** How many of those still exist. */
  readonly kept: number
  /** Documents never seen before. */
  readonly added: number
  /** Documents that had been deleted and are back. */
  readonly revived: number
}

/** Smaller scans may change completely on an ordinary day. */
const FEWEST = 10

/** The guard that this scan triggers, if any. */
export const strange = ({ added, before, kept, revived }: ScanOutcome): Guard | undefined => {
  if (before < FEWEST) return undefined
  if (kept === 0 && 2 * added >= before) return "G8"
  return 10 * (kept + added + revived) <= before ? "G9" : undefined
}

/** The input of a guard: what has applied since a scan was read. */
export interface StrangeScan {
  readonly connection: string
  readonly name: string
  readonly guard: Guard
  readonly before: number
  readonly now: number
}

/** Records a scan that was read to its end. */
export const note = (db: Db, scan: number, reading: ScanOutcome): void => {
  const { added, before, kept, revived } = reading
  const stands = db.prepare("SELECT before FROM strange_scan WHERE scan = ?").pluck().get(scan) as number | undefined
  if (stands !== undefined && 2 * revived >= stands) {
    db.prepare("DELETE FROM strange_scan WHERE scan = ?").run(scan)
    return
  }
  const guard = strange(reading)
  if (guard === undefined) return
  db.prepare(
    "INSERT INTO strange_scan VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET now = excluded.now, guard = excluded.guard"
  ).run(scan, guard, before, kept + added + revived)
}

/** The strange scans of a connection, and of those that pay for it. */
export const of = (db: Db, connection: string): ReadonlyArray<StrangeScan> =>
  db
    .prepare(
      `SELECT s.connection, s.name, x.guard, x.before, x.now FROM strange_scan x JOIN scan s ON s.id = x.scan
        WHERE s.connection = :connection OR s.connection IN (SELECT connection FROM paying WHERE pays = :connection)
        ORDER BY s.connection, s.name`
    )
    .all({ connection }) as ReadonlyArray<StrangeScan>

/** Records that a person confirmed what these connections read, and that it was sent. */
export const accept = (db: Db, connections: ReadonlyArray<string>): void => {
  const remove = db.prepare(
    `DELETE FROM strange_scan WHERE scan IN (SELECT id FROM scan WHERE connection = :connection
      OR connection IN (SELECT connection FROM paying WHERE pays = :connection))`
  )
  for (const connection of connections) remove.run({ connection })
}
