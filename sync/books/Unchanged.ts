/**
 * Finds the documents that are in the books unchanged: looks up many at a time, because nearly all documents of a ledger
 * that is read again are unchanged.
 */
import type { Db } from "../state/Database.ts"
import type { Ready } from "./Ready.ts"
import { TOGETHER } from "../state/ManyRows.ts"

/** For many documents, by key and body: the positions and ids of those that a scan has unchanged. */
const UNCHANGED = `WITH read(n, key, body) AS (VALUES ${Array.from({ length: TOGETHER }, (_, n) => `(${n}, ?, ?)`).join(", ")})
  SELECT read.n, d.id FROM read CROSS JOIN document d ON d.key = read.key WHERE d.body = read.body AND d.deleted = 0 AND d.scan = ?`

/**
 * The ids of unchanged documents, by their position.
 *
 * @param read exactly `TOGETHER` documents
 */
export const unchanged = (
  { prepare }: Pick<Db, "prepare">,
  scan: number,
  read: ReadonlyArray<Pick<Ready, "key" | "body">>
): ReadonlyMap<number, number> =>
  new Map(
    prepare(UNCHANGED)
      .raw()
      .all(
        read.flatMap(({ body, key }) => [key, body]),
        scan
      ) as ReadonlyArray<[place: number, id: number]>
  )
