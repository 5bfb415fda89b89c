/**
 * A shop whose orders are paid later, some of which the sync has to create on the service first: parcels, cancellations,
 * returns and discounts come in any order, references change, orders are closed, and payments are accepted late. What must hold of
 * each is read off the service, in sums: how many captures they come in depends on when the shop was read. Never is more taken
 * than what left is worth, never more given back than what came back; once all is quiet, what is kept is what the goods are
 * worth that the buyer has.
 */
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask } from "../sync/InWorld.ts"
import { booked, buy, payment } from "../sync/Shop.ts"
import type { World } from "../sync/World.ts"
import type { Shipping } from "../support/witness/Orders.ts"
import type { Dice } from "./Dice.ts"

interface Goods {
  readonly order: Order
  /** Every reference that it ever had. */
  readonly numbers: ReadonlyArray<string>
  /** Its deferred payment; of an order that is to be created, once the buyer has taken a plan. */
  readonly payment: string | undefined
  /** Its buyer came when the offer had expired: nothing was taken, and a person is told. */
  readonly tooLate?: true
  readonly facts: ReadonlyArray<OrderFact>
  /** Units of each line that are still in the warehouse, and those with the buyer. */
  readonly here: Readonly<Record<string, number>>
  readonly there: Readonly<Record<string, number>>
}

/** What the service says of one deferred payment: minor units, what it booked, and how its order is called. */
export interface Standing {
  readonly open: number
  readonly captured: number
  readonly voided: number
  readonly refunded: number
  readonly status: unknown
  /** Captures, voids and refunds, each as often as it was booked. */
  readonly events: ReadonlyArray<unknown>
  readonly reference: unknown
}

/** Orders on the service, and offers for them, each with a plan that the buyer may take. */
export interface Created {
  readonly orders: number
  readonly offers: ReadonlyArray<{ readonly id: string; readonly plan: string }>
  /** Those that a buyer can still take: another one is made once the one before is over. */
  readonly standing: number
}

/** Where the shop meets the service, past the sync. */
export interface Counter {
  readonly ask: (method: string, path: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>
  readonly look: (payment: string) => Promise<Standing>
  /** Whether the sync has found an order: a reference that changed before is nothing that it could know of. */
  readonly found: (order: string) => boolean
  /** What is on the service under these references; given where the sync creates orders, and sends amounts without goods. */
  readonly created?: (references: ReadonlyArray<string>) => Created
}

export const counterOf = (world: World, found: Counter["found"]): Counter => ({
  ask: (method, path, body) => ask(world, method, path, body),
  look: async (id) => ({
    ...payment(world, id),
    events: booked(world, id).map(([type]) => type),
    reference: world.service.order.get(String(world.service.deferred_payment.get(id)!["order"]))?.["unique_id"]
  }),
  found,
  created: (references) => {
    const { offer, order } = world.service
    const made = [...order.values()].filter((one) => references.includes(String(one["unique_id"])))
    const offers = [...offer.values()].filter((one) => made.some(({ id }) => id === one["order"]))
    const planOf = (one: (typeof offers)[number]) =>
      (one["offered_payment_plans"] as ReadonlyArray<{ id: string; valid_until: string }>)[0]!
    const now = world.time.now
    const standing = offers.filter((one) => Instant.toEpochMillis(planOf(one).valid_until) > now).length
    return { standing, orders: made.length, offers: offers.map((one) => ({ id: one.id, plan: planOf(one).id })) }
  }
})

const BUYER = { id: "B1", name: "Corner Bakery Ltd", email: "ann@example.com", company: "co-1000" }

const BOUGHT = { a: 3, b: 1, c: 4 }
const LINES = Object.keys(BOUGHT)

/** What the service says of an offer whose time is over. */
const EXPIRED = "The plan is no longer valid."

/** What a rule may round, in minor units: one for each line, and one for the order. */
const ROUNDING = LINES.length + 2

const minor = (amount: bigint): number => Number(amount / 10n ** 6n)
const count = (quantity: bigint): number => Number(quantity / 10n ** 8n)

const total = ({ lines }: Order): number => minor(lines.reduce((sum, { gross }) => sum + gross, 0n))

const shippingOf = ({ lines }: Order): number => minor(lines.find(({ type }) => type === "shipping")!.gross)

/** Units of each line in all facts of a kind. */
const unitsOf = ({ facts }: Goods, kind: OrderFact["kind"]): Readonly<Record<string, number>> => {
  const units: Record<string, number> = {}
  for (const { lines } of facts.filter((one) => one.kind === kind))
    for (const { line, quantity } of lines) units[line] = (units[line] ?? 0) + count(quantity)
  return units
}

const unitsIn = (units: Readonly<Record<string, number>>): number => Object.values(units).reduce((a, b) => a + b, 0)

/** What was given back without goods. */
const discounts = ({ facts }: Goods): number =>
  facts.reduce((sum, one) => sum + (one.kind === "return" && one.amount !== undefined ? minor(one.amount) : 0), 0)

export class Shop {
  readonly #counter: Counter
  /** How shipping is shared: by the price of the goods, by their number, or whole with the first parcel. */
  readonly #shipping: Shipping
  #all: ReadonlyArray<Goods> = []
  #n = 0

  constructor(counter: Counter, shipping: Shipping) {
    this.#counter = counter
    this.#shipping = shipping
  }

  get documents(): ReadonlyArray<Document> {
    return this.#all.flatMap(({ facts, order }) => [order, ...facts])
  }

  /** The deferred payment of each order that has one. */
  get payments(): ReadonlyMap<string, string> {
    return new Map(this.#all.flatMap(({ order, payment }) => (payment === undefined ? [] : [[order.id, payment]])))
  }

  /** Somebody buys. */
  async sell(dice: Dice): Promise<void> {
    const n = this.#all.length + 1
    const lines = Object.entries(BOUGHT).map(([name, many]) =>
      line(name, `${many}`, `${10 + dice.below(90)}.${10 + dice.below(90)}`)
    )
    const bare = order({ id: `O${n}`, number: `SHOP-${n}`, lines: [...lines, line("ship", "1", "4.99", "shipping")] })
    const here = BOUGHT
    const { deferredPayment: _, ...carried } = bare
    const fresh = { numbers: [bare.number], facts: [], here, there: {} }
    if (this.#counter.created !== undefined && dice.chance(0.3)) {
      this.#all = [...this.#all, { order: { ...carried, buyer: BUYER }, payment: undefined, ...fresh }]
      return
    }
    const made = await buy(this.#counter.ask, bare, dice.chance(0.6) ? "accepted" : "pending_review")
    const known = dice.chance(0.7) ? { deferredPayment: made.payment } : { serviceOrder: made.order }
    this.#all = [...this.#all, { order: { ...carried, ...known }, payment: made.payment, ...fresh }]
  }

  /** Something happens to one of the orders that can happen to it. */
  change(dice: Dice): void {
    const chosen = dice.below(this.#all.length)
    this.#all = this.#all.map((one, at) => (at === chosen ? this.#happen(one, dice) : one))
  }

  #happen(goods: Goods, dice: Dice): Goods {
    if (goods.order.status !== "open") return goods
    const n = ++this.#n
    const kind = dice.of(["parcel", "parcel", "parcel", "cancel", "return", "close", "rename", "discount"])!
    if (kind === "close") return dice.chance(0.3) ? goods : { ...goods, order: { ...goods.order, status: "closed" } }
    if (kind === "rename" && !this.#counter.found(goods.order.id)) return goods
    if (kind === "rename") {
      const number = `${goods.order.number}/${n}`
      return { ...goods, order: { ...goods.order, number }, numbers: [...goods.numbers, number] }
    }
    if (kind === "discount") {
      const kept = LINES.some((name) => (goods.there[name] ?? 0) > 0)
      if (this.#counter.created === undefined || !kept) return goods
      const given = { ...returned(`D${n}`, {}, "2026-03-01", goods.order.id), amount: of("0.01") }
      return { ...goods, facts: [...goods.facts, given] }
    }
    const from = kind === "return" ? goods.there : goods.here
    const name = dice.of(LINES.filter((name) => (from[name] ?? 0) > 0))
    if (name === undefined) return goods
    const many = 1 + dice.below(from[name]!)
    const move = (of: Goods["here"], by: number) => ({ ...of, [name]: (of[name] ?? 0) + by })
    const lines = { [name]: `${many}` }
    const date = `2026-03-${String(2 + dice.below(20)).padStart(2, "0")}`
    const { id } = goods.order
    if (kind === "return") {
      return { ...goods, facts: [...goods.facts, returned(`R${n}`, lines, date, id)], there: move(goods.there, -many) }
    }
    const here = move(goods.here, -many)
    return kind === "cancel"
      ? { ...goods, facts: [...goods.facts, cancellation(`C${n}`, lines, date, id)], here }
      : { ...goods, facts: [...goods.facts, parcel(`P${n}`, lines, date, id)], here, there: move(goods.there, many) }
  }

  /** The buyers of orders that were created meanwhile take the first plan that they are offered. */
  async take(): Promise<void> {
    const all: Array<Goods> = []
    for (const goods of this.#all) {
      // Of several the last: those before it are over.
      const offer = goods.payment === undefined ? this.#counter.created?.(goods.numbers).offers.at(-1) : undefined
      const path = `/sandbox/offers/${offer?.id}/plans/${offer?.plan}/accept`
      if (offer === undefined) {
        all.push(goods)
        continue
      }
      try {
        const made = await this.#counter.ask("POST", path, {})
        const { tooLate: _, ...rest } = goods
        all.push({ ...rest, payment: String(made["id"]) })
      } catch (cause) {
        if (!String(cause).includes(EXPIRED)) throw cause
        all.push({ ...goods, tooLate: true })
      }
    }
    this.#all = all
  }

  /** Whether something is said of an order because its buyer came too late for its offer. */
  isTooLate(said: string): boolean {
    return this.#all.some(
      ({ order, tooLate }) =>
        tooLate === true && said.includes(`/order/${order.id}: the offer expired before its buyer accepted a plan`)
    )
  }

  /** Every payment that waits for a person is accepted. */
  async accept(): Promise<void> {
    for (const { payment } of this.#all) {
      if (payment !== undefined && (await this.#counter.look(payment)).status === "pending_review")
        await this.#counter.ask("PUT", `/sandbox/deferred_payments/${payment}/status`, { status: "accepted" })
    }
  }

  /** At every moment: nothing twice, nothing over. */
  async always(): Promise<ReadonlyArray<string>> {
    const doubles = this.#all.flatMap(({ numbers, order }) => {
      const { orders = 1, standing = 0 } = this.#counter.created?.(numbers) ?? {}
      return orders > 1 || standing > 1 ? [`${order.id} was created or offered twice`] : []
    })
    const found = await this.#each((name, goods, now) => {
      const found: Array<string> = []
      if (now.open + now.captured + now.voided !== total(goods.order)) found.push(`${name} is out of balance`)
      if (now.open < 0 || now.refunded > now.captured) found.push(`${name}: more than there is was taken`)
      const worth = (kind: OrderFact["kind"]) => this.#worth(goods, unitsOf(goods, kind))
      const most = (this.#shipping === "first" ? shippingOf(goods.order) : 0) + ROUNDING
      const [left, back] = [worth("fulfilment") + most, worth("return") + discounts(goods) + most]
      if (now.captured > left) found.push(`${name}: ${now.captured} is more than ${left}, which left`)
      if (now.refunded > back) found.push(`${name}: ${now.refunded} is more than ${back}, which came back`)
      // What came back before it was captured is voided, as what was cancelled is.
      const given = back + worth("cancellation")
      if (goods.order.status === "open" && now.refunded + now.voided > given)
        found.push(`${name}: ${now.refunded + now.voided} is more than ${given}, which came back or was cancelled`)
      return found
    })
    return [...doubles, ...found]
  }

  /** Orders with a discount that could not be read until everything had been given back: nothing is left to give it from. */
  async tooLate(late: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    await this.#each((name, { facts }, now) => {
      const discounted = facts.some(({ id, kind }) => id.startsWith("D") && late.has(`${kind}/${id}`))
      if (discounted && now.captured === now.refunded) found.add(name)
      return []
    })
    return found
  }

  /** Once it is quiet: everything is sent, but for discounts that came too late (`tooLate`). */
  async settled(tooLate: ReadonlySet<string> = new Set()): Promise<ReadonlyArray<string>> {
    // One that was closed before it was sent is nothing to create.
    const missing = this.#all.filter(
      ({ order, payment, tooLate }) => payment === undefined && order.status === "open" && tooLate !== true
    )
    const found = await this.#each((name, goods, now) => {
      const found: Array<string> = []
      const { here, order, there } = goods
      const left = LINES.some((name) => (here[name] ?? 0) > 0)
      if (now.open > 0 !== (left && order.status === "open")) found.push(`${name}: ${now.open} is open`)
      const isKept = LINES.some((name) => (there[name] ?? 0) > 0)
      // Shipping that went whole with the first parcel is not given back with the goods.
      const shipping =
        this.#shipping === "first" && goods.facts.some(({ kind }) => kind === "fulfilment") ? shippingOf(order) : 0
      const kept = this.#worth(goods, there) + shipping - discounts(goods)
      const net = now.captured - now.refunded
      // Rounded parts may leave less open than what is still to leave costs: it needs what was charged beyond them.
      const isNeeded = now.open > 0 && now.open < this.#worth(goods, here)
      const isOnly = this.#shipping === "first" || isNeeded || net > 0 === isKept
      if (!tooLate.has(name) && (Math.abs(net - kept) > ROUNDING || !isOnly))
        found.push(`${name}: ${now.captured} less ${now.refunded} is kept, and the goods are worth ${kept}`)
      if (now.reference !== order.number) found.push(`${name} is called ${String(now.reference)}, not ${order.number}`)
      return found
    })
    return [...missing.map(({ order }) => `${order.id} was not created`), ...found]
  }

  /** What these units are worth, in minor units; with their share of the shipping, unless it went with the first parcel. */
  #worth({ order }: Goods, units: Readonly<Record<string, number>>): number {
    const worth = LINES.reduce((sum, name) => {
      const { gross, quantity } = order.lines.find(({ id }) => id === name)!
      return sum + (minor(gross) * (units[name] ?? 0)) / count(quantity)
    }, 0)
    if (this.#shipping === "first") return worth
    const shipping = shippingOf(order)
    if (this.#shipping === "value") return worth * (total(order) / (total(order) - shipping))
    return worth + (shipping * unitsIn(units)) / unitsIn(BOUGHT)
  }

  async #each(
    check: (name: string, goods: Goods, now: Standing) => ReadonlyArray<string>
  ): Promise<ReadonlyArray<string>> {
    const found: Array<string> = []
    for (const goods of this.#all) {
      if (goods.payment === undefined) continue
      const now = await this.#counter.look(goods.payment)
      found.push(...check(goods.order.id, goods, now))
    }
    return found
  }
}
