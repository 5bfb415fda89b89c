/** Queues payments whose movements are decided again: what else changed says something of them. */
import type { Db } from "../state/Database.ts"

/** An invoice that these payments name is another now: which of them are the same money is decided again. */
export const again = (db: Db, documents: ReadonlyArray<number>): void =>
  void db
    .prepare(
      `INSERT INTO to_join SELECT d.key FROM json_each(?) k CROSS JOIN sighting s ON s.document = k.value
        JOIN document d ON d.id = s.document ON CONFLICT DO NOTHING`
    )
    .run(JSON.stringify(documents))

/** Which others a payment is the same as is decided again, because of what went back of it, or no longer does. */
export const returned = (db: Db, reversal: number): void =>
  void db
    .prepare(
      `INSERT INTO to_join SELECT d.key FROM matching m JOIN document d ON d.key = m.of JOIN sighting s ON s.document = d.id
        WHERE m.document = ? ON CONFLICT DO NOTHING`
    )
    .run(reversal)

/** What was in doubt is decided again, after other lists went on: a list that tells of later days leaves less of it. */
export const doubts = (db: Db): void =>
  void db
    .prepare(
      `INSERT INTO to_join SELECT d.key FROM several_lists f CROSS JOIN sighting s INDEXED BY sighting_doubt
        ON s.family = f.family AND s.how = 'doubt' JOIN document d ON d.id = s.document WHERE true ON CONFLICT DO NOTHING`
    )
    .run()

/** Whether something is to be joined again. */
export const isDue = (db: Db): boolean => db.prepare("SELECT 1 FROM to_join LIMIT 1").get() !== undefined

/** What the books have of these invoices is a part of another list's payment for several now, or no longer. */
export const parts = (db: Db, document: number): void =>
  void db
    .prepare(
      `INSERT INTO to_join SELECT d.key FROM allocation a JOIN allocation o ON o.invoice = a.invoice AND o.amount IS NULL
        JOIN document d ON d.id = o.document WHERE a.document = :document
        AND EXISTS (SELECT 1 FROM sighting s WHERE s.leader = o.document) AND (SELECT count(*) FROM allocation WHERE document = :document) > 1 ON CONFLICT DO NOTHING`
    )
    .run({ document })
