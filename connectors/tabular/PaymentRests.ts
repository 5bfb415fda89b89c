/**
 * Several rows of one payment say what was applied of it to each invoice, and in each row what the whole payment is. What its rows
 * leave of it is for no invoice yet. The rows need not be adjacent, so it is known at the end of the table; kept until then are
 * only payments of which something is left.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Payment, Reversal } from "../Document.ts"
import { type Context, Unreadable } from "./Cells.ts"
import type * as Repeats from "./Repeats.ts"
import type { Row } from "./Row.ts"
import type { PaymentSettings } from "./Streams.ts"

type Money = Payment | Reversal

const allOf = ({ shares, unallocated = 0n }: Money): Decimal.Decimal =>
  Decimal.sum(shares.map(({ amount }) => amount)) + unallocated

interface Open {
  readonly row: Row
  readonly first: Money
  readonly whole: Decimal.Decimal
  applied: Decimal.Decimal
  fault?: string
}

/** What is left of a payment, with its first row; or why that cannot be said. */
export type Rest = { readonly row: Row; readonly id: string } & (
  | { readonly document: Money }
  | { readonly fault: Unreadable }
)

export class PaymentRests {
  readonly #cells: Context
  readonly #at: { readonly id: number; readonly total: number }
  readonly #heading: string
  readonly #repeats: Repeats.Repeats
  readonly #open = new Map<string, Open>()

  constructor({ columns }: PaymentSettings, cells: Context, repeats: Repeats.Repeats) {
    this.#cells = cells
    this.#at = { id: cells.at("id"), total: cells.at("total") }
    this.#heading = typeof columns.total === "string" ? columns.total : "total"
    this.#repeats = repeats
  }

  /** Adds a row that was read. */
  add(row: Row, document: Money): void {
    const id = this.#cells.cell(row, this.#at.id)
    const written = this.#cells.money(row, this.#at.total, this.#heading, document.currency)
    const amount = allOf(document)
    const whole = written === undefined ? amount : written < 0n ? -written : written
    const open = this.#open.get(id)
    if (open === undefined) {
      this.#keep(id, { row, first: document, whole, applied: amount })
      return
    }
    open.applied += amount
    if (whole !== open.whole)
      open.fault ??= `is ${Currency.say(whole, document.currency)} in line ${row.line}, and ${Currency.say(open.whole, document.currency)} in line ${open.row.line} of the same payment`
    this.#keep(id, open)
  }

  /** A row of it could not be read, so what is left of it is not known. */
  misses(id: string): void {
    const open = this.#open.get(id)
    if (open !== undefined) open.fault ??= "cannot be compared with its rows, of which one could not be read"
    // Whatever row of it is read later.
    else this.#repeats.add("whole", id, 0, 1)
  }

  #keep(id: string, open: Open): void {
    this.#open.set(id, open)
    if (open.fault !== undefined || open.applied !== open.whole) return
    // Complete: only that it was there is kept, for a row of it that stands further down.
    this.#open.delete(id)
    this.#repeats.add("whole", id, 0, open.row.line)
  }

  /** After the last row. */
  *finish(): Iterable<Rest> {
    for (const [id, open] of this.#open) yield { row: open.row, id, ...this.#rest(id, open) }
    this.#open.clear()
  }

  #rest(id: string, { applied, fault, first, row, whole }: Open): { document: Money } | { fault: Unreadable } {
    const say = (amount: Decimal.Decimal) => Currency.say(amount, first.currency)
    const wrong = (why: string) => ({ fault: new Unreadable(why, this.#heading) })
    if (fault !== undefined) return wrong(fault)
    if (applied > whole)
      return wrong(
        `is ${say(whole)}, and the rows of ${JSON.stringify(id)} come to ${say(applied)}; correct one of both`
      )
    if (this.#repeats.add("whole", id, 0, row.line) !== 0)
      return wrong(
        `is ${say(whole)}, which other rows of ${JSON.stringify(id)} used up or could not be read for; correct those first`
      )
    return { document: { ...first, id, shares: [], unallocated: whole - applied } }
  }
}
