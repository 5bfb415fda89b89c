/** Reads calls wherever they are: as rows, or packed (`CallPages.ts`). */
import type { Statement } from "better-sqlite3"
import { CLAIMS, RECEIPTS } from "../chain/Chained.ts"
import * as CallPages from "./CallPages.ts"

interface Db {
  readonly prepare: (sql: string) => Statement
}

export interface PastCall {
  readonly id: number
  readonly run: number
  readonly subject: string
  readonly fact: string
  readonly rule: string
  readonly operation: string
  /** JSON. */
  readonly request: string
  readonly reason: string
  /** When it was claimed and answered, in milliseconds since the epoch. */
  readonly claimed: number
  readonly answered: number | null
  readonly sends: number
  /** Null: not known yet. */
  readonly outcome: string | null
  readonly status: number | null
  readonly remote: string | null
  readonly answer: string | null
}

const COLUMNS = [CLAIMS.key, ...CLAIMS.columns, ...RECEIPTS.columns].map(String)

const ROW = `SELECT ${COLUMNS.join(", ")} FROM call`

const read = ({ claim, receipt }: CallPages.PackedCall): PastCall => {
  const [, ...answered] = JSON.parse(receipt) as ReadonlyArray<unknown>
  const values = [...(JSON.parse(claim) as ReadonlyArray<unknown>), ...answered]
  // What a page has was read back and compared when it was written.
  return Object.fromEntries(values.map((value, n) => [COLUMNS[n], value])) as unknown as PastCall
}

/** A document's calls, oldest first. */
export const of = (db: Db, subject: string): ReadonlyArray<PastCall> => {
  const pages = db
    .prepare(
      `SELECT p.id, p.first, p.size, p.content FROM ledger l JOIN call_of o ON o.ledger = l.id JOIN call_page p ON p.id = o.page
        WHERE l.subject = ? ORDER BY p.id`
    )
    .all(subject) as ReadonlyArray<CallPages.CallPage>
  // Most of a page's calls are about other documents: theirs need not be parsed.
  const mayBe = /[\p{Cc}"\\]/u.test(subject) ? "" : `"${subject}"`
  const packed = pages
    .flatMap(CallPages.callsIn)
    .filter(({ claim }) => claim.includes(mayBe))
    .map(read)
    .filter((call) => call.subject === subject)
  const rows = db.prepare(`${ROW} WHERE subject = ?`).all(subject) as ReadonlyArray<PastCall>
  return [...packed, ...rows].toSorted((a, b) => a.id - b.id)
}

export const find = (db: Db, id: number): PastCall | undefined => {
  const row = db.prepare(`${ROW} WHERE id = ?`).get(id) as PastCall | undefined
  const packed = row === undefined ? CallPages.reader(db)(id) : undefined
  return packed === undefined ? row : read(packed)
}

/** All calls in the order of their numbers, or the latest first. */
export function* all(db: Db, order: "asc" | "desc"): Generator<PastCall> {
  const sign = order === "asc" ? 1 : -1
  const packed = CallPages.packed(db, order)
  try {
    let next = packed.next()
    const rows = db.prepare(`${ROW} ORDER BY id ${order}`).iterate() as IterableIterator<PastCall>
    for (const row of rows) {
      for (; next.done !== true && (next.value.id - row.id) * sign < 0; next = packed.next()) yield read(next.value)
      yield row
    }
    for (; next.done !== true; next = packed.next()) yield read(next.value)
  } finally {
    packed.return(undefined)
  }
}

/** Whether another run has claimed a call for a document since. Of packed calls it is known by the page: rather once too often. */
export const isClaimedByOthers = (
  db: Db,
  subject: string,
  { after, run }: { readonly after: number; readonly run: number }
): boolean =>
  db
    .prepare(
      `SELECT 1 FROM claim WHERE subject = :subject AND id > :after AND run <> :run
        UNION ALL SELECT 1 FROM ledger l CROSS JOIN call_of o ON o.ledger = l.id AND o.page > :after
          CROSS JOIN call_page p ON p.id = o.page
          WHERE l.subject = :subject AND (p.first_run <> :run OR p.last_run <> :run) LIMIT 1`
    )
    .get({ subject, after, run }) !== undefined

/** Whether anything was sent for one of these documents after a call. */
export const isAnySince = (db: Db, subjects: ReadonlyArray<string>, call: number): boolean => {
  const mayBe = db
    .prepare(
      `SELECT value FROM json_each(:subjects) WHERE EXISTS (SELECT 1 FROM claim WHERE subject = value AND id > :call)
        OR EXISTS (SELECT 1 FROM ledger l JOIN call_of o ON o.ledger = l.id WHERE l.subject = value AND o.page > :call)`
    )
    .pluck()
    .all({ subjects: JSON.stringify(subjects), call }) as ReadonlyArray<string>
  return mayBe.some((subject) => of(db, subject).some(({ id }) => id > call))
}
