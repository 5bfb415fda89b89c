/** Which invoices, orders and buyers are planned again: those of which something changed, and those that are due. */
import * as Document from "../../connectors/Document.ts"
import { COUNT_AGAIN } from "../books/ChangedDocuments.ts"
import type { Db } from "../state/Database.ts"

/** Subjects that are due to be planned again, and offers: whether one is bought depends on other documents, too. */
const WOKEN = `SELECT subject FROM wake WHERE at <= :now AND subject > :after AND subject < :end UNION
  SELECT subject FROM cover WHERE state = 'offered' AND subject > :after AND subject < :end`

/**
 * A connection's subjects to plan again, in the order of their keys. Reads page by page, so they may change meanwhile.
 *
 * @property all yields every subject
 * @property now also yields those that are due by then
 */
export function* changed(
  db: Db,
  connection: string,
  kinds: ReadonlyArray<(typeof Document.SUBJECTS)[number]>,
  { all, now }: { readonly all: boolean; readonly now?: number }
): Generator<string> {
  for (const kind of kinds) {
    const every =
      kind === "buyer"
        ? "SELECT invoice FROM allocation WHERE invoice > :after AND invoice < :end"
        : "SELECT key FROM document WHERE key > :after AND key < :end"
    const some = "SELECT subject FROM changed WHERE subject > :after AND subject < :end"
    const parts = [...(all ? [every] : []), some, ...(now !== undefined && kind !== "buyer" ? [WOKEN] : [])]
    const sql = `${parts.join(" UNION ")} ORDER BY 1 LIMIT 500`
    let after = `${connection}/${kind}/`
    for (;;) {
      const page = db
        .prepare(sql)
        .pluck()
        .all({
          after,
          end: `${connection}/${kind}0`,
          ...(sql.includes(":now") ? { now } : {})
        }) as ReadonlyArray<string>
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < 500) break
      after = last
    }
  }
}

/**
 * Marks everything of a connection to be planned again, because its settings changed.
 *
 * @param ships the connection that has its parcels: what these named until now, too
 */
export const touchAll = (db: Db, connection: string, ships?: string): void => {
  if (ships !== undefined)
    db.prepare(
      `INSERT INTO changed (subject) SELECT DISTINCT invoice FROM allocation WHERE invoice > ? AND invoice < ? ${COUNT_AGAIN}`
    ).run(`${ships}/order/`, `${ships}/order0`)
  for (const kind of Document.SUBJECTS) {
    const [column, table] = kind === "buyer" ? ["invoice", "allocation"] : ["key", "document"]
    db.prepare(
      `INSERT INTO changed (subject) SELECT DISTINCT ${column} FROM ${table} WHERE ${column} > ? AND ${column} < ? ${COUNT_AGAIN}`
    ).run(`${connection}/${kind}/`, `${connection}/${kind}0`)
  }
}
