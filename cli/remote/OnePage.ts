/** Long lists in pages: each says where the next one begins. */
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import type { Db } from "../../sync/state/Database.ts"

/** The most rows in one answer; and the default. */
export const MOST = 200
export const ROWS = 50

export interface Page {
  readonly limit?: number
  readonly after?: string
}

/** One page of a list in the order of its cursors, which no other row has. */
export const onePage = <A>(
  rows: ReadonlyArray<A>,
  cursorOf: (row: A) => string,
  { after = "", limit = ROWS }: Page
) => {
  const ordered = rows
    .map((row) => [cursorOf(row), row] as const)
    .filter(([cursor]) => cursor > after)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const shown = ordered.slice(0, limit)
  const last = shown.at(-1)?.[0]
  return {
    rows: shown.map(([, row]) => row),
    total: rows.length,
    ...(ordered.length > limit && last !== undefined ? { next: last } : {})
  }
}

/** The most quarantined records that a search looks through. */
const MOST_QUARANTINED = 20_000

/** The records of these connections that contain a text. */
export const quarantined = (db: Db, connections: ReadonlyArray<string>, text: string, page: Page) =>
  onePage(
    connections.flatMap((id) => QuarantinedRecords.searched(db, id, text, MOST_QUARANTINED)),
    ({ connection, kind, origin, since }) => `${connection} ${origin} ${kind} ${since}`,
    page
  )
