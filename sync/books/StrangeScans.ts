/**
 * Whole readings of a scan after which the source looks like another one: all ids are new (G8), or nine tenths of the
 * documents are missing (G9). Remembered until the documents are back or a person says that it is meant: what follows from
 * such a reading is deletions, reversals, and everything once more.
 */
import type { Guard } from "../model/Guard.ts"
import type { Database } from "../state/Database.ts"

type Db = Pick<Database["Service"], "prepare">

/** What a whole reading made of a scan, in documents. */
export interface ScanOutcome {
  /** Before it. */
  readonly before: number
  /** Of those, how many it still has. */
  readonly kept: number
  /** Never seen before. */
  readonly added: number
  /** They had been deleted, and are back. */
  readonly revived: number
}

/** Smaller scans change wholly in an ordinary day. */
const FEWEST = 10

/** Which guard this reading is for. */
export const strange = ({ added, before, kept, revived }: ScanOutcome): Guard | undefined => {
  if (before < FEWEST) return undefined
  if (kept === 0 && 2 * added >= before) return "G8"
  return 10 * (kept + added + revived) <= before ? "G9" : undefined
}

/** What a guard is given: what stands since a reading of this scan. */
export interface StrangeScan {
  readonly connection: string
  readonly name: string
  readonly guard: Guard
  readonly before: number
  readonly now: number
}

/** A scan was read to its end. */
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

/** Those of a connection, and of what pays for it. */
export const of = (db: Db, connection: string): ReadonlyArray<StrangeScan> =>
  db
    .prepare(
      `SELECT s.connection, s.name, x.guard, x.before, x.now FROM strange_scan x JOIN scan s ON s.id = x.scan
        WHERE s.connection = :connection OR s.connection IN (SELECT connection FROM paying WHERE pays = :connection)
        ORDER BY s.connection, s.name`
    )
    .all({ connection }) as ReadonlyArray<StrangeScan>

/** A person said that what these connections read is meant, and it was sent. */
export const accept = (db: Db, connections: ReadonlyArray<string>): void => {
  const remove = db.prepare(
    `DELETE FROM strange_scan WHERE scan IN (SELECT id FROM scan WHERE connection = :connection
      OR connection IN (SELECT connection FROM paying WHERE pays = :connection))`
  )
  for (const connection of connections) remove.run({ connection })
}
