/**
 * Turns withdrawals (goods taken off an order) and refunds into cancellations and returns, for shops that write them as two
 * records, in any order. Each record is decided by what happened before it, so later events do not change the decision.
 * Pure.
 *
 * Withdrawn goods that had not been shipped are a cancellation, with their part of the order's price, delivery included; a
 * refund for them adds nothing. Withdrawn goods that had been shipped become a return once a refund states its amount. If
 * some of a line had been shipped, the unshipped ones are withdrawn first. A refund beyond that is a discount: after the
 * sale if goods had been shipped, before it otherwise; goods that are withdrawn later are reported less that discount.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { LinePart, OrderFact } from "./Document.ts"
import { byMoment, type Left, moment } from "./Refunds.ts"

interface Event {
  readonly id: string
  readonly millis: number
  readonly date: Day
}

/** Goods taken off the order. */
export interface Withdrawal extends Event {
  readonly lines: ReadonlyArray<LinePart>
  /** They had been shipped, even if some of the line had not. */
  readonly isBack?: boolean
  /** Whether the delivery charge is withdrawn as well. */
  readonly delivery?: boolean
}

/** A refund. */
export interface Given extends Event {
  readonly amount: bigint
}

export interface Goods {
  readonly order: string
  readonly currency: string
  /** Everything ever ordered, with the price of each whole line. */
  readonly lines: ReadonlyArray<LinePart & { readonly gross: bigint }>
  /** What the order costs besides its lines. */
  readonly delivery: bigint
  readonly left: ReadonlyArray<Left>
  readonly withdrawn: ReadonlyArray<Withdrawal>
  readonly given: ReadonlyArray<Given>
}

type Step = { readonly at: string } & (
  | { readonly left: Left }
  | { readonly withdrawal: Withdrawal }
  | { readonly given: Given }
)

/** Everything that happened, in order; at the same moment parcels come first, refunds last. */
const stepsOf = ({ given, left, withdrawn }: Goods): ReadonlyArray<Step> => {
  const at = ({ date, millis }: Event) => moment(date, millis)
  return [
    ...left.map((one): Step => ({ at: one.at, left: one })),
    ...withdrawn.map((one): Step => ({ at: at(one), withdrawal: one })),
    ...given.map((one): Step => ({ at: at(one), given: one }))
  ].toSorted(byMoment)
}

/** Tracks one order, from one record to the next. */
class Account {
  readonly documents: Array<OrderFact> = []
  readonly #goods: Goods
  /** Unshipped quantity per line. */
  readonly #here: Map<string, bigint>
  /** The amount of cancelled goods not yet refunded. */
  #owed = 0n
  /** Money refunded for no goods, before any were withdrawn. */
  #ahead = 0n
  /** Returned goods not yet refunded. */
  readonly #back = new Map<string, bigint>()
  #delivery: bigint
  #hasLeft = false

  constructor(goods: Goods) {
    this.#goods = goods
    this.#here = new Map(goods.lines.map(({ line, quantity }) => [line, quantity]))
    this.#delivery = goods.delivery
  }

  #tell(kind: "return" | "cancellation", { date, id }: Event, lines: ReadonlyArray<LinePart>, amount?: bigint): void {
    const { currency, order } = this.#goods
    const its = amount === undefined ? {} : { amount }
    this.documents.push({ kind, id: `${order}/${id}`, order, date, currency, lines, ...its })
  }

  /** The price of `quantity` of a line. */
  #worth(line: string, quantity: bigint): bigint {
    const { currency, lines } = this.#goods
    const held = lines.find((one) => one.line === line)
    if (held === undefined || held.quantity === 0n) return 0n
    return Decimal.divide(Decimal.multiply(held.gross, quantity), held.quantity, Currency.decimals(currency))
  }

  /** The part of the delivery charge that belongs to goods of this worth. */
  #share(worth: bigint, isAll: boolean): bigint {
    const { currency, delivery, lines } = this.#goods
    const total = Decimal.sum(lines.map(({ gross }) => gross))
    const part =
      total === 0n ? delivery : Decimal.divide(Decimal.multiply(delivery, worth), total, Currency.decimals(currency))
    const share = isAll ? this.#delivery : Decimal.min(part, this.#delivery)
    this.#delivery -= share
    return share
  }

  /** Takes goods from those not yet shipped; returns how many there were. */
  #take({ line, quantity }: LinePart): bigint {
    const here = this.#here.get(line) ?? 0n
    const taken = Decimal.min(here, quantity)
    this.#here.set(line, here - taken)
    return taken
  }

  leave({ lines }: Left): void {
    this.#hasLeft = true
    if (lines.length === 0) this.#here.clear()
    for (const part of lines) this.#take(part)
  }

  withdraw(withdrawal: Withdrawal): void {
    const off: Array<LinePart> = []
    for (const { line, quantity } of withdrawal.lines) {
      const cancelled = withdrawal.isBack === true ? 0n : this.#take({ line, quantity })
      const returned = quantity - cancelled
      if (returned > 0n) this.#back.set(line, (this.#back.get(line) ?? 0n) + returned)
      if (cancelled > 0n) off.push({ line, quantity: cancelled })
    }
    if (off.length === 0) return
    const worth = Decimal.sum(off.map(({ line, quantity }) => this.#worth(line, quantity)))
    const all = worth + this.#share(worth, withdrawal.delivery === true)
    const known = Decimal.min(this.#ahead, all)
    this.#ahead -= known
    this.#owed += all - known
    if (known === 0n) this.#tell("cancellation", withdrawal, off)
    else if (all > known) this.#tell("cancellation", withdrawal, off, all - known)
  }

  give(given: Given): void {
    const covered = Decimal.min(this.#owed, given.amount)
    this.#owed -= covered
    const rest = given.amount - covered
    if (rest === 0n) return
    const lines = [...this.#back].map(([line, quantity]) => ({ line, quantity }))
    this.#back.clear()
    this.#tell(this.#hasLeft ? "return" : "cancellation", given, lines, rest)
    if (!this.#hasLeft) this.#ahead += rest
  }
}

/** The cancellations and returns of an order. */
export const facts = (goods: Goods): ReadonlyArray<OrderFact> => {
  const account = new Account(goods)
  for (const step of stepsOf(goods)) {
    if ("left" in step) account.leave(step.left)
    else if ("withdrawal" in step) account.withdraw(step.withdrawal)
    else account.give(step.given)
  }
  return account.documents
}
