/** How long ago the source said something about an order: shops give back goods first, and the money some days later. */
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { Db } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

const READ = `SELECT max(coalesce(d.read, (SELECT p.read FROM record_page p WHERE p.id = d.record ${ROW}))) FROM document d
  WHERE d.key IN (SELECT value FROM json_each(?))`

/** Until when the latest record of an order and its facts is news, in milliseconds; undefined if it is none any more. */
export const newsUntil = (
  db: Db,
  { key, movements, parts = [key] }: Pick<OrderFacts, "key" | "movements" | "parts">,
  now: number | undefined
): number | undefined => {
  if (now === undefined) return undefined
  const keys = [...parts, ...movements.map((fact) => fact.key)]
  const read = db.prepare(READ).pluck().get(JSON.stringify(keys)) as number | null
  return read !== null && now < read + WEEK_MS ? read + WEEK_MS : undefined
}
