/**
 * Keeps control totals: adds up what was read of a scan (a file, a listing) as it is read, and what the books hold of it as
 * it is written. The completeness statement compares the two.
 *
 * If a scan is read from beginning to end, its total is the sum of that reading. If it is read in pieces, or such a reading
 * has not ended, each piece changes the total.
 */
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"

/** Sums by currency; the empty currency is for documents without one. */
export type Totals = Map<string, { count: number; sum: bigint }>

export const add = (totals: Totals, currency: string, count: number, sum: bigint) => {
  const total = totals.get(currency)
  if (total === undefined) totals.set(currency, { count, sum })
  else {
    total.count += count
    total.sum += sum
  }
}

/**
 * What a document adds to the open amount: invoices and reversals raise it, payments and credit notes lower it. An order
 * adds its total; shipments are given in quantities and add nothing. A payout moves the seller's own money.
 */
export const contribution = (document: Document.Document): bigint => {
  if (document.kind === "order") return document.lines.reduce((sum, { gross }) => sum + gross, 0n)
  if (Document.isOrderFact(document) || document.kind === "payout") return 0n
  if (document.kind === "invoice") {
    return document.status === "void" || document.status === "draft" ? 0n : (document.gross ?? document.net ?? 0n)
  }
  let sum = document.kind === "credit_note" ? 0n : (document.unallocated ?? 0n)
  for (const share of document.shares) sum += share.amount
  return document.kind === "reversal" ? sum : -sum
}

/** What a document adds; the empty currency where it names none. */
interface Added {
  readonly currency: string
  readonly sum: bigint
}

type Side = "source" | "books"

/** The control totals of one connection's scans while pages are stored. Use inside a page's transaction. */
export class Control {
  readonly #db: Db
  /** The changes of this page, by scan. */
  readonly #moves = new Map<number, Readonly<Record<Side, Totals>>>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Discards the changes of a page that failed. */
  clear(): void {
    this.#moves.clear()
  }

  /** A document enters or leaves a scan. */
  move(scan: number, { currency, sum }: Added, count: 1 | -1, ...sides: ReadonlyArray<Side>): void {
    let moves = this.#moves.get(scan)
    if (moves === undefined) this.#moves.set(scan, (moves = { source: new Map(), books: new Map() }))
    for (const side of sides) add(moves[side], currency, count, count === 1 ? sum : -sum)
  }

  /** Writes the page's changes so far. */
  flush(): void {
    for (const [scan, { books, source }] of this.#moves) {
      this.#add(scan, "books", books)
      this.#add(scan, "source", source)
    }
    this.#moves.clear()
  }

  /** Records the totals of a scan that was read to its end. */
  read(scan: number, totals: Totals): void {
    this.#db.prepare("UPDATE control SET source_count = 0, source_sum = '0' WHERE scan = ?").run(scan)
    this.#add(scan, "source", totals)
  }

  #add(scan: number, side: Side, totals: Totals): void {
    const { prepare } = this.#db
    for (const [currency, { count, sum }] of totals) {
      if (count === 0 && sum === 0n) continue
      prepare("INSERT INTO control VALUES (?, ?, 0, '0', 0, '0') ON CONFLICT DO NOTHING").run(scan, currency)
      const before = prepare(`SELECT ${side}_sum FROM control WHERE scan = ? AND currency = ?`)
        .pluck()
        .get(scan, currency)
      prepare(
        `UPDATE control SET ${side}_count = ${side}_count + ?, ${side}_sum = ? WHERE scan = ? AND currency = ?`
      ).run(count, String(BigInt(before as string) + sum), scan, currency)
    }
  }
}
