/**
 * What happens to one order, or to two that have to do with each other, told by what is true: what really left, came
 * back or was cancelled says in minor units what must be captured, voided and refunded of each deferred payment. Knows
 * nothing of how the sync works.
 *
 * After each sync the service says what is true, or an open attention says that it does not; and no money ever moves
 * further than is true, attention or not.
 */
import { type Fact, type Goods, type Kind, type Line, type Order, STANDARD, totalOf } from "./Books.ts"
import type { Desk, Synced } from "./Desk.ts"
import type { Figures, Hand, Service } from "./Service.ts"
import { money } from "../world/views/OrderFiles.ts"

/** Minor units, or from and to. */
export type Amount = number | readonly [number, number]

export interface Truth {
  readonly captured?: Amount
  readonly voided?: Amount
  readonly refunded?: Amount
}

/** Whether a person has to be told, may be, or must not be bothered. */
export type Attention = "must" | "may" | "not"

/** Of the standard order's three lines. */
const ROUNDING = 4

const charged = ({ captured, refunded }: Figures): number => captured - refunded

/** The least and the most that the buyer is charged: what was captured and refunded depends on when the shop was read. */
const chargeable = ({ captured, refunded }: Truth): readonly [number, number] => {
  const [[least, most], [few, many]] = [range(captured), range(refunded)]
  return [least - many, most - few]
}

const range = (amount: Amount = 0): readonly [number, number] =>
  typeof amount === "number" ? [amount, amount] : amount

/** One thing after another; each `yield` is a sync of everything. */
export type Plot = (tale: Tale) => AsyncGenerator<void, void>

export interface SaleOptions {
  readonly id?: string
  readonly number?: string
  readonly lines?: ReadonlyArray<Line>
  readonly currency?: string
  /** Of the checkout, where it is not the order's. */
  readonly paidIn?: string
  readonly status?: string
  /** What was authorised; otherwise what the order comes to. */
  readonly total?: number
  readonly linked?: boolean
}

export class Tale {
  readonly name: string
  readonly desk: Desk
  readonly service: Service
  readonly orders: Array<Order> = []
  facts: Array<Fact> = []
  readonly truths = new Map<string, Truth>()
  /** What has happened so far, in words. */
  readonly log: Array<string> = []
  readonly found: Array<string> = []
  attention: Attention = "not"
  /** Something happened to the state file or the settings: the statement may name a difference instead. */
  lenient = false
  /** A person closed a matter: from now on a difference of the statement may say what that did not settle. */
  settled = false
  /** How its sync may end. */
  statuses: ReadonlyArray<number> = [0, 3]
  last: Synced | undefined
  /** The figures when `reconcile --fix` took the service's word for them. */
  fixed: ReadonlyMap<string, Figures> | undefined
  /** The service holds something else since it was last read, and there is no reason to read it. */
  unread = false
  /** Orders that were compared with what is exported. */
  inSheet = 0
  /** After the last sync. */
  figures: ReadonlyMap<string, Figures> = new Map()
  #day = 0

  constructor(name: string, desk: Desk, service: Service) {
    this.name = name
    this.desk = desk
    this.service = service
  }

  say(what: string): void {
    this.log.push(what)
  }

  /** An order, with the deferred payment that its buyer's checkout made. */
  async sell(options: SaleOptions = {}): Promise<{ readonly order: Order; readonly payment: string }> {
    const { currency = "GBP", id = "A", lines = STANDARD, paidIn = currency, status } = options
    const order = this.addOrder({ ...options, id, lines, currency })
    const total = options.total ?? totalOf(lines)
    const payment = await this.service.checkout({
      number: order.number,
      total,
      currency: paidIn,
      ...(status === undefined ? {} : { status })
    })
    if (options.linked === true) order.payment = payment
    this.truths.set(payment, {})
    return { order, payment }
  }

  /** An order in the books alone. */
  addOrder({ currency = "GBP", id = "A", lines = STANDARD, number }: SaleOptions = {}): Order {
    const order: Order = {
      id: `${this.name}-${id}`,
      number: number ?? `N-${this.name}-${id}`,
      status: "open",
      currency,
      lines
    }
    this.orders.push(order)
    this.say(`order ${id} of ${totalOf(lines)} ${currency}, number ${order.number}`)
    return order
  }

  /** @param goods without any, all that is left */
  fact(kind: Kind, goods: Goods = {}, more: Partial<Fact> = {}): Fact {
    const day = ++this.#day
    const name = `${this.name}-${kind[0]!.toUpperCase()}${day}`
    const order = this.orders.find(({ id }) => id === more.order) ?? this.orders[0]!
    const one: Fact = { id: name, kind, order: order.id, day, goods, ...more }
    this.facts.push(one)
    const what = Object.entries(goods).map(([line, quantity]) => `${quantity} ${line}`)
    const of = what.length === 0 ? "without lines" : what.join(", ")
    this.say(`${kind} ${one.id} of ${one.order}: ${of}${one.amount === undefined ? "" : `, stated ${one.amount}`}`)
    return one
  }

  async hand(payment: string, what: Hand, amount: number): Promise<void> {
    this.say(`${what} of ${amount} by hand`)
    await this.service.byHand(payment, what, amount)
  }

  /** A person accepts what there is to say about this, or of it what is about such words. */
  async resolve(about = ""): Promise<void> {
    this.settled = true
    for (const { id, why } of this.mine(this.last!)) {
      if (!why.includes(about)) continue
      this.say(`attention ${id} is resolved`)
      await this.desk.run("attention", "resolve", `${id}`, "--note", "seen to", "--json")
    }
  }

  /** A person has it sent once more. */
  async retry(): Promise<void> {
    for (const { id } of this.mine(this.last!)) await this.desk.run("attention", "retry", `${id}`, "--json")
  }

  /** From now on this is true of a deferred payment. */
  expect(payment: string, truth: Truth, attention: Attention): void {
    this.truths.set(payment, truth)
    this.attention = attention
  }

  mine({ attention }: Synced) {
    const names = this.orders.map((order) => this.desk.keyOf(order))
    return attention.filter(({ document }) => names.includes(document))
  }

  judge(before: ReadonlyMap<string, Figures>, after: ReadonlyMap<string, Figures>, synced: Synced): void {
    this.last = synced
    this.figures = after
    const mine = this.mine(synced)
    const wrong: Array<string> = []
    if (!this.statuses.includes(synced.status ?? -1)) wrong.push(`the sync ended with ${synced.status}: ${synced.said}`)
    let apart = false
    const named = this.lenient || this.settled
    for (const [payment, truth] of this.truths) {
      const [was, is] = [before.get(payment)!, after.get(payment)!]
      if (was.authorised !== is.authorised) wrong.push(`${was.authorised} was authorised, now ${is.authorised}`)
      const [truly, now, then] = [chargeable(truth), charged(is), charged(was)]
      // Rounding may come to a minor unit for each line, and one for the rest.
      const [least, most] = [truly[0] - ROUNDING, truly[1] + ROUNDING]
      if (now > then && now > most) wrong.push(`${then} was charged, now ${now}, and ${most} is right`)
      if (now >= least && now <= most) continue
      apart = true
      // A person took what the service says for what was sent.
      if (this.fixed?.has(payment) === true) continue
      if (mine.length === 0 && !this.#stopped(synced) && !(named && this.#named(synced)))
        wrong.push(`${now} is charged, ${least} to ${most} is right, no attention`)
    }
    if (apart && this.attention === "not") wrong.push("the service says something else than is true")
    if (this.attention === "not" && mine.length > 0)
      wrong.push(`attention for nothing: ${mine.map(({ why }) => why).join("; ")}`)
    if (this.attention === "must" && mine.length === 0 && !this.#stopped(synced)) wrong.push("no attention")
    this.log.push(
      `-- sync (${synced.status}): ${this.#figures(after)}; ${mine.map(({ why }) => why).join("; ") || "no attention"}`
    )
    for (const what of wrong) this.found.push(`${this.name}: ${what}`)
  }

  /** What is exported of its orders, where nobody is told anything: what the service says, was sent, and is in the books. */
  judgeSheet(rows: ReadonlyMap<string, Readonly<Record<string, string>>>): void {
    if (this.last === undefined || this.unread || this.isNamed || this.#stopped(this.last)) return
    for (const order of this.orders) {
      const row = rows.get(this.desk.keyOf(order))
      const figures = this.figures.get(row?.["Deferred payment"] ?? "")
      if (row === undefined || figures === undefined) continue
      const { captured, open, refunded, voided } = figures
      const said = (name: string) => [row[name], row[`${name} (source)`]].join(" ")
      const right = (minor: number) => [minor, minor].map((one) => money(one, order.currency)).join(" ")
      const wanted: Readonly<Record<string, string>> = {
        Captured: right(captured),
        Voided: right(voided),
        Refunded: right(refunded)
      }
      for (const [name, all] of Object.entries(wanted))
        if (said(name) !== all)
          this.found.push(`${this.name}: exported as ${name} is ${said(name)}, and ${all} is right`)
      if (row["Open"] !== money(open, order.currency))
        this.found.push(`${this.name}: exported as open is ${row["Open"]}, and ${money(open, order.currency)} is right`)
      this.inSheet++
    }
  }

  /** The last statement names a difference of its orders. */
  get isInStatement(): boolean {
    return this.last !== undefined && this.#named(this.last)
  }

  /** The last statement names a difference of its orders, or a person is told of them. */
  get isNamed(): boolean {
    const { last } = this
    return last !== undefined && (this.#named(last) || this.mine(last).length > 0)
  }

  /** The statement names a difference of its orders. */
  #named({ named }: Synced): boolean {
    return this.orders.some((order) => named.has(this.desk.keyOf(order)))
  }

  /** A guard that refuses the whole run says so. */
  #stopped({ status }: Synced): boolean {
    return status === 4
  }

  #figures(after: ReadonlyMap<string, Figures>): string {
    return [...this.truths.keys()]
      .map((payment) => {
        const { captured, open, refunded, status, voided } = after.get(payment)!
        return `captured ${captured}, voided ${voided}, refunded ${refunded}, open ${open} (${status})`
      })
      .join(" | ")
  }
}

const figuresOf = async (tales: ReadonlyArray<Tale>): Promise<ReadonlyMap<string, Figures>> => {
  const all = tales.flatMap((tale) => [...tale.truths.keys()].map((payment) => ({ payment, tale })))
  const found = new Map<string, Figures>()
  const one = async (): Promise<void> => {
    for (let next = all.pop(); next !== undefined; next = all.pop())
      found.set(next.payment, await next.tale.service.figures(next.payment))
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return found
}

export interface Around {
  readonly before?: () => Promise<void>
  readonly after?: (synced: Synced) => Promise<void>
}

/** Tells tales that share a desk side by side: each goes on to its next sync, and there is one sync for all of them. */
export const play = async (
  desk: Desk,
  plots: ReadonlyArray<readonly [Tale, Plot]>,
  /** Before each sync, and after it. */
  { after = async () => {}, before = async () => {} }: Around = {}
): Promise<void> => {
  const tales = plots.map(([tale]) => tale)
  let running = plots.map(([tale, plot]) => plot(tale))
  for (;;) {
    await before()
    const going: typeof running = []
    for (const one of running) if ((await one.next()).done !== true) going.push(one)
    running = going
    if (running.length === 0) break
    desk.write(
      tales.flatMap(({ orders }) => orders),
      tales.flatMap(({ facts }) => facts)
    )
    const was = await figuresOf(tales)
    const synced = await desk.sync()
    const is = await figuresOf(tales)
    for (const tale of tales) tale.judge(was, is, synced)
    await after(synced)
  }
  const rows = await desk.sheet()
  for (const tale of tales) tale.judgeSheet(rows)
}
