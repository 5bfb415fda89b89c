/**
 * Packs calls that ended: a claim and its receipt take about 1.4 kB as rows, and 50 bytes in a page of several hundred, because
 * requests and answers resemble each other. A page has the very texts that the chain has digests of, a line for each claim and for each
 * receipt, by column (`Columns.ts`) and compressed with Zstandard. `PastCalls.ts` reads calls wherever they are.
 *
 * What statements look for in the claims themselves stays there: calls that are open, purchases, orders and collections. The latest call
 * is never packed, so that the numbers of calls go on.
 */
import type { Statement } from "better-sqlite3"
import { zstdCompressSync } from "node:zlib"
import { CLAIMS, factColumns, RECEIPTS } from "../chain/Chained.ts"
import { unpacked } from "../RecordPages.ts"
import { smallest } from "../Zstandard.ts"
import { fromColumns, toColumns } from "./Columns.ts"

interface Db {
  readonly prepare: (sql: string) => Statement
}

/** How many calls make a page. */
export const CALLS_OF_PAGE = 512

/** The most characters in a page, not counting its last call. */
const MOST_CHARACTERS = 1 << 21

/** Among so many of the latest calls, those are looked for that can be packed. */
const LOOKED = 4096

/** If that many are not enough for a page of each connection, so few make one. */
const FEW = 64

/** A call that ended, as the chain has it. */
export interface PackedCall {
  readonly id: number
  /** JSON, as in `facts/claim.jsonl` and `facts/receipt.jsonl` of an evidence pack. */
  readonly claim: string
  readonly receipt: string
}

export interface CallPage {
  /** The number of its last call. */
  readonly id: number
  readonly first: number
  readonly size: number
  readonly content: Buffer
}

interface Row {
  readonly id: number
  readonly run: number
  readonly connection: string
  readonly ledger: number
}

interface Text {
  readonly claim: string
  readonly receipt: string
  readonly named: number
}

const PACKABLE = `SELECT c.id, c.run, l.id AS ledger, l.connection FROM (SELECT * FROM claim ORDER BY id DESC LIMIT ${LOOKED} OFFSET 1) c
  JOIN ledger l ON l.subject = c.subject
  WHERE c.has_receipt = 1 AND (c.operation LIKE 'transactions.%' OR c.operation = 'quotes.create') ORDER BY c.id`

const TEXT = `SELECT ${factColumns(CLAIMS, "c.")} AS claim, ${factColumns(RECEIPTS, "r.")} AS receipt,
    CASE WHEN r.outcome = 'done' AND json_valid(r.answer) THEN r.answer ->> '$.debtor' IS NOT NULL ELSE 0 END AS named
  FROM claim c JOIN receipt r ON r.claim = c.id WHERE c.id = ?`

/**
 * Packs what makes whole pages. In a transaction that writes no calls: these are settled and chained, so that nothing new is to be said of
 * them.
 *
 * @param run packs only calls of this run, so that a page shows whose it is while others look for calls of other runs than theirs
 */
export const pack = (db: Db, run?: number): void => {
  const rows = db.prepare(PACKABLE).all() as ReadonlyArray<Row>
  const least = rows.length < LOOKED / 2 ? CALLS_OF_PAGE : FEW
  for (const of of Map.groupBy(
    rows.filter((row) => run === undefined || row.run === run),
    ({ connection }) => connection
  ).values())
    for (let at = 0; of.length - at >= least; ) at += write(db, of.slice(at, at + CALLS_OF_PAGE))
}

/** Writes a page of these calls, or of as many as one may have. Returns how many. */
const write = (db: Db, rows: ReadonlyArray<Row>): number => {
  const textOf = db.prepare(TEXT)
  const texts: Array<Text> = []
  for (let characters = 0; texts.length < rows.length && characters <= MOST_CHARACTERS; ) {
    const text = textOf.get(rows[texts.length]?.id) as Text
    texts.push(text)
    characters += text.claim.length + text.receipt.length
  }
  const taken = rows.slice(0, texts.length)
  const lines = texts.map(({ claim, receipt }) => `${claim}\n${receipt}`)
  const columns = Buffer.from(toColumns(lines))
  const content = zstdCompressSync(columns, smallest())
  const [first, last] = [taken[0], taken.at(-1)]
  const read = fromColumns(textIn(content, columns.length))
  if (
    first === undefined ||
    last === undefined ||
    read.some((text, n) => text !== lines[n]) ||
    read.length !== lines.length
  )
    throw new Error("calls could not be packed: what was written is not what is read back")
  const runs = taken.map((row) => row.run)
  db.prepare("INSERT INTO call_page VALUES (?, ?, ?, ?, ?, ?, ?)").run(
    last.id,
    first.id,
    last.connection,
    Math.min(...runs),
    Math.max(...runs),
    columns.length,
    content
  )
  const of = db.prepare(
    "INSERT INTO call_of VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET named = max(named, excluded.named)"
  )
  for (const [n, { id, ledger }] of taken.entries()) {
    of.run(ledger, last.id, texts[n]?.named)
    for (const sql of GONE) db.prepare(sql).run(id)
  }
  return taken.length
}

/** The chain has them as they are: it is to say nothing of a row that went into a page. */
const GONE = [
  "DELETE FROM receipt WHERE claim = ?",
  "DELETE FROM claim WHERE id = ?",
  "DELETE FROM temp.to_chain WHERE kind = 'receipt' AND key = ?",
  "DELETE FROM temp.to_chain WHERE kind = 'claim' AND key = ?"
]

/** The calls of a page; none if it was damaged. */
export const callsIn = ({ content, size }: Pick<CallPage, "content" | "size">): ReadonlyArray<PackedCall> =>
  fromColumns(textIn(content, size)).map((text) => {
    const [claim = "", receipt = ""] = text.split("\n")
    return { id: Number.parseInt(claim.slice(1), 10), claim, receipt }
  })

const textIn = (content: Buffer, size: number): string => {
  try {
    return unpacked(content, size).toString()
  } catch {
    return ""
  }
}

/** How many pages a reader keeps: those of several connections are between each other. */
const KEPT = 8

const HOLDING = "SELECT id, first, size, content FROM call_page WHERE id >= :id AND first <= :id ORDER BY id"

/** Looks packed calls up by number. */
export const reader = (db: Db): ((id: number) => PackedCall | undefined) => {
  const kept: Array<{ readonly first: number; readonly id: number; readonly calls: ReadonlyMap<number, PackedCall> }> =
    []
  return (id) => {
    for (const page of kept) {
      const found = page.first <= id && id <= page.id ? page.calls.get(id) : undefined
      if (found !== undefined) return found
    }
    for (const page of db.prepare(HOLDING).all({ id }) as ReadonlyArray<CallPage>) {
      if (kept.some((one) => one.id === page.id)) continue
      const calls = new Map(callsIn(page).map((call) => [call.id, call]))
      kept.unshift({ first: page.first, id: page.id, calls })
      if (kept.length > KEPT) kept.pop()
      const found = calls.get(id)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** All packed calls in the order of their numbers, or the latest first. */
export function* packed(db: Db, order: "asc" | "desc"): Generator<PackedCall> {
  const sign = order === "asc" ? 1 : -1
  const nearest = order === "asc" ? "first" : "id"
  let waiting: Array<PackedCall> = []
  const pages = db.prepare(`SELECT id, first, size, content FROM call_page ORDER BY ${nearest} ${order}`).iterate()
  for (const page of pages as IterableIterator<CallPage>) {
    // Pages of several connections are between each other: what comes before this one is complete.
    const rest = waiting.findIndex(({ id }) => (id - page[nearest]) * sign >= 0)
    yield* rest < 0 ? waiting : waiting.slice(0, rest)
    waiting = [...(rest < 0 ? [] : waiting.slice(rest)), ...callsIn(page)].toSorted((a, b) => (a.id - b.id) * sign)
  }
  yield* waiting
}
