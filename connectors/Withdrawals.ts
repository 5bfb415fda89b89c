/**
 * Shops that write goods taken off an order and money given back as two records, in whatever order: what is told of each.
 * Decided by what happened up to then, so that nothing later changes it. Pure.
 *
 * Goods that had not left will not be shipped: a cancellation, by their part of the order, delivery and all. Money that is
 * given back for them is told with that. Goods that had left are told once money was given back for them: a return of that
 * amount. Of a line of which some had left, those that are still here are taken off first. What is given back beyond that is a discount: after the sale when goods had left, and before it otherwise; goods
 * that are taken off later are told less it.
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

/** Goods that were taken off the order. */
export interface Withdrawal extends Event {
  readonly lines: ReadonlyArray<LinePart>
  /** They had left, whatever is still here. */
  readonly isBack?: boolean
  /** The delivery as well. */
  readonly delivery?: boolean
}

/** Money that was given back. */
export interface Given extends Event {
  readonly amount: bigint
}

export interface Goods {
  readonly order: string
  readonly currency: string
  /** What was ordered ever, and what a line costs as a whole. */
  readonly lines: ReadonlyArray<LinePart & { readonly gross: bigint }>
  /** What the order costs beside its lines. */
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

/** In their order; of one moment parcels first, money last. */
const stepsOf = ({ given, left, withdrawn }: Goods): ReadonlyArray<Step> => {
  const at = ({ date, millis }: Event) => moment(date, millis)
  return [
    ...left.map((one): Step => ({ at: one.at, left: one })),
    ...withdrawn.map((one): Step => ({ at: at(one), withdrawal: one })),
    ...given.map((one): Step => ({ at: at(one), given: one }))
  ].toSorted(byMoment)
}

/** One order, from one record to the next. */
class Account {
  readonly documents: Array<OrderFact> = []
  readonly #goods: Goods
  /** Of each line, how many are still here. */
  readonly #here: Map<string, bigint>
  /** What goods that will not be shipped come to, for which no money was given back yet. */
  #owed = 0n
  /** Money that was given back for no goods, before any of them were taken off. */
  #ahead = 0n
  /** Goods that came back, for which no money was given back yet. */
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

  /** What so many of a line come to. */
  #worth(line: string, quantity: bigint): bigint {
    const { currency, lines } = this.#goods
    const held = lines.find((one) => one.line === line)
    if (held === undefined || held.quantity === 0n) return 0n
    return Decimal.divide(Decimal.multiply(held.gross, quantity), held.quantity, Currency.decimals(currency))
  }

  /** The part of the delivery that goes with goods of this worth. */
  #share(worth: bigint, isAll: boolean): bigint {
    const { currency, delivery, lines } = this.#goods
    const total = Decimal.sum(lines.map(({ gross }) => gross))
    const part =
      total === 0n ? delivery : Decimal.divide(Decimal.multiply(delivery, worth), total, Currency.decimals(currency))
    const share = isAll ? this.#delivery : Decimal.min(part, this.#delivery)
    this.#delivery -= share
    return share
  }

  /** How many of these were still here; they are not any more. */
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

/** The cancellations and returns that come of it. */
export const facts = (goods: Goods): ReadonlyArray<OrderFact> => {
  const account = new Account(goods)
  for (const step of stepsOf(goods)) {
    if ("left" in step) account.leave(step.left)
    else if ("withdrawal" in step) account.withdraw(step.withdrawal)
    else account.give(step.given)
  }
  return account.documents
}
