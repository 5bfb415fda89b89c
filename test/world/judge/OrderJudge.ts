/**
 * What an order's deferred payment must be, from the truth alone: nothing charged before goods left and never beyond them,
 * nothing given up that is still owed, and in the end exactly what the buyer owes.
 */
import type { AttentionItem } from "../../../sync/library/Daybook.ts"
import type { Payment } from "../Checkout.ts"
import type { Said } from "../Product.ts"
import type { Order } from "../truth/Order.ts"
import { type Day, least, major, type Minor, most } from "../Values.ts"
import type { Failure, Kind } from "./Judge.ts"

export class OrderJudge {
  readonly failures: Array<Failure> = []
  readonly #orders: ReadonlyMap<string, Order>
  /** How often a person looked at an item and said that it is all right. */
  readonly #answered = new Map<string, number>()
  #day: Day = 0

  constructor(orders: ReadonlyMap<string, Order>) {
    this.#orders = orders
  }

  answered(item: AttentionItem): void {
    this.#answered.set(item.subject, (this.#answered.get(item.subject) ?? 0) + 1)
  }

  fails(kind: Kind, about: string, what: string): void {
    if (this.failures.every((one) => one.kind !== kind || one.about !== about))
      this.failures.push({ kind, about, what, day: this.#day })
  }

  /** Differences of so much are rounding. */
  #slack(order: Order, authorised: Minor): Minor {
    const placed = order.placed - authorised
    return BigInt(order.lines.length + 1) + (placed < 0n ? -placed : placed)
  }

  /** At any time. */
  look(day: Day, said: Said, payments: ReadonlyMap<string, Payment>): void {
    this.#day = day
    const before = this.failures.length
    for (const [number, payment] of payments) this.#one(this.#orders.get(number)!, payment)
    const wrong = this.failures.slice(before).find(({ kind }) => kind === "wrong money")
    if (wrong !== undefined && said.exit === 0)
      this.fails("false agree", `${wrong.about}, and everything agrees`, wrong.what)
  }

  #one(order: Order, { authorised, captured, open, refunded, voided }: Payment): void {
    const { end, placing } = order
    const slack = this.#slack(order, authorised)
    const net = captured - refunded
    const left = order.units.filter(({ everLeft }) => everLeft)
    const words = `${placing.number}: ${major(authorised)} authorised, ${major(captured)} captured, ${major(voided)} voided, ${major(refunded)} refunded`
    if (captured + voided + open !== authorised)
      this.fails("wrong money", "captured, voided and open are not what was authorised", words)
    if (left.length === 0 && captured > 0n) this.fails("wrong money", "captured before anything left", words)
    const worth = left.length === 0 ? 0n : order.worth(left) + placing.shipping + most(0n, order.kept)
    if (net > worth + slack)
      this.fails("wrong money", "more is charged than what left is worth", `${words}; ${major(worth)} left`)
    const needed = least(order.owed(), authorised)
    if (net + open < needed - slack)
      this.fails("wrong money", "what is owed can no longer be charged", `${words}; ${major(needed)} is owed`)
    if (placing.paid === "at once" && end === undefined && refunded + voided > order.own.given + slack)
      this.fails(
        "wrong money",
        "more is given back than the shop gave back",
        `${words}; the shop gave back ${major(order.own.given)}`
      )
  }

  /** When nothing happens any more. */
  end(said: Said, payments: ReadonlyMap<string, Payment>): void {
    if (said.exit === 1) return this.fails("a question nobody can answer", "every run fails", said.error ?? "")
    if (said.quarantined > 0)
      return this.fails(
        "a question nobody can answer",
        "an order cannot be read",
        `${said.quarantined} records cannot be read`
      )
    const before = this.failures.length
    for (const [number, payment] of payments) this.#settled(this.#orders.get(number)!, payment, said)
    if (this.failures.length > before) return
    for (const item of said.attention)
      this.fails("a question nobody can answer", "about an order, though all is right", `${item.subject}: ${item.why}`)
    if (said.attention.length === 0 && said.exit === 3) {
      const differences = (said.proof?.orders ?? []).flatMap((one) =>
        one.differences.map(({ document, why }) => `${document}: ${why}`)
      )
      this.fails(
        "a question nobody can answer",
        "an order differs for ever, though all is right",
        differences.join("; ")
      )
    }
  }

  #settled(order: Order, { authorised, captured, open, refunded, voided }: Payment, said: Said): void {
    const { number } = order.placing
    // Until it ends, what is still to leave is not charged.
    const isOver = order.end !== undefined || order.all("here").length === 0
    const right = least(order.owed(), authorised)
    const net = captured - refunded
    const slack = this.#slack(order, authorised)
    const gap = net - right
    // An unpaid order that gave something back before its end cannot always be charged again.
    const isRight =
      gap <= slack &&
      (!isOver || gap >= -slack || (order.lost && order.placing.paid === "never" && open === 0n)) &&
      (open <= slack || order.end === undefined)
    if (isRight) return
    const what = `${number}: ${major(right)} is owed; ${major(captured)} captured, ${major(refunded)} refunded, ${major(voided)} voided, ${major(open)} open`
    const about =
      gap > slack
        ? "too much is charged in the end"
        : gap < -slack
          ? "too little is charged in the end"
          : "stays authorised in the end"
    const items = said.attention.filter(
      ({ subject, why }) =>
        subject.endsWith(`/${number}`) || subject.endsWith(`/${order.placing.id}`) || why.includes(number)
    )
    if (items.length > 0)
      this.fails("a question nobody can answer", `${about}, and no answer helps`, `${what}: ${items[0]!.why}`)
    else if (
      [...this.#answered.keys()].some(
        (subject) => subject.endsWith(`/${order.placing.id}`) || subject.endsWith(`/${number}`)
      )
    )
      this.fails("a question nobody can answer", `${about}, having been asked`, what)
    else this.fails("silence", about, what)
    if (said.exit === 0) this.fails("false agree", `${about}, and everything agrees`, what)
  }
}
