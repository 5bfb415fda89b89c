/**
 * Which documents that were read are in the books already, as they are: asked many at a time, as a ledger that is read again
 * is nearly all of that kind.
 */
import type { Database } from "../state/Database.ts"
import type { Ready } from "./Ready.ts"
import { TOGETHER } from "../state/ManyRows.ts"

/** Of so many documents, by key and body, the places and the ids of those that a scan has like that. */
const UNCHANGED = `WITH read(n, key, body) AS (VALUES ${Array.from({ length: TOGETHER }, (_, n) => `(${n}, ?, ?)`).join(", ")})
  SELECT read.n, d.id FROM read CROSS JOIN document d ON d.key = read.key WHERE d.body = read.body AND d.deleted = 0 AND d.scan = ?`

/**
 * By their places among these, the ids of those that are as they were.
 *
 * @param read `TOGETHER` of them
 */
export const unchanged = (
  { prepare }: Pick<Database["Service"], "prepare">,
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
