/**
 * A shop whose orders are paid later, some of which the sync has to create on the service first: parcels, cancellations,
 * returns and discounts come in any order, references change, orders are closed, and payments are accepted late. What must hold of each is read off the service: no goods are paid
 * twice, nothing is over what is authorised, and once all is quiet what is charged and what is open are the worth of the goods that the buyer has and of those
 * that are still here. How many captures that takes depends on when the shop was read.
 */
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask } from "../sync/InWorld.ts"
import { buy, payment } from "../sync/Shop.ts"
import type { World } from "../sync/World.ts"
import type { SharingTerms } from "../../sync/model/DeferredPayment.ts"
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
    reference: world.service.order.get(String(world.service.deferred_payment.get(id)!["order"]))?.["unique_id"]
  }),
  found,
  created: (references) => {
    const { offer, order } = world.service
    const made = [...order.values()].filter((one) => references.includes(String(one["unique_id"])))
    const offers = [...offer.values()].filter((one) => made.some(({ id }) => id === one["order"]))
    const planOf = (one: (typeof offers)[number]) =>
      (one["offered_payment_plans"] as ReadonlyArray<{ id: string; valid_until: string }>)[0]!
    const now = world.clock.currentTimeMillisUnsafe()
    const standing = offers.filter((one) => Instant.toEpochMillis(planOf(one).valid_until) > now).length
    return { standing, orders: made.length, offers: offers.map((one) => ({ id: one.id, plan: planOf(one).id })) }
  }
})

const BUYER = { id: "B1", name: "Corner Bakery Ltd", email: "ann@example.com", company: "co-1000" }

const LINES = ["a", "b", "c"]

/** What the service says of an offer whose time is over. */
const EXPIRED = "The plan is no longer valid."

const minor = (lines: Order["lines"]): number => Number(lines.reduce((sum, { gross }) => sum + gross, 0n) / 10n ** 6n)

const total = ({ lines }: Order): number => minor(lines)

/** A minor unit for the rounding of each line, of the charges and of the whole, and each discount is one. */
const rounding = (facts: ReadonlyArray<OrderFact>): number =>
  LINES.length + 2 + facts.filter(({ id }) => id.startsWith("D")).length

export class Shop {
  readonly #counter: Counter
  /** How shipping is shared out over the goods. */
  readonly #shipping: SharingTerms["shipping"]
  #all: ReadonlyArray<Goods> = []
  #n = 0

  constructor(counter: Counter, shipping: SharingTerms["shipping"] = "value") {
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
    const lines = LINES.map((name, at) =>
      line(name, `${[3, 1, 4][at]!}`, `${10 + dice.below(90)}.${10 + dice.below(90)}`)
    )
    const bare = order({ id: `O${n}`, number: `SHOP-${n}`, lines: [...lines, line("ship", "1", "4.99", "shipping")] })
    const here = { a: 3, b: 1, c: 4 }
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
      const { facts, order } = goods
      const found: Array<string> = []
      const apart = rounding(facts)
      const left = this.#worthOf(goods, "fulfilment")
      const back = this.#worthOf(goods, "return")
      const off = order.status === "open" ? this.#worthOf(goods, "cancellation") : total(order)
      if (now.open + now.captured + now.voided !== total(order)) found.push(`${name} is out of balance`)
      if (now.open < 0 || now.refunded > now.captured) found.push(`${name}: more than there is was taken`)
      if (now.captured > left + apart) found.push(`${name}: ${now.captured} captured of ${left} that left`)
      if (now.refunded > back + apart) found.push(`${name}: ${now.refunded} refunded of ${back} that came back`)
      // Of goods that were read as shipped and returned at once, the price is voided.
      if (now.refunded + now.voided > back + off + apart)
        found.push(`${name}: ${now.refunded} refunded and ${now.voided} voided of ${back + off}`)
      return found
    })
    return [...doubles, ...found]
  }

  /** What the goods of an order's facts of one kind are worth, with their share of the shipping, in minor units. */
  #worthOf({ facts, order }: Goods, kind: OrderFact["kind"]): number {
    const products = order.lines.filter(({ type }) => type === "product")
    const all = minor(products)
    const shipping = total(order) - all
    const units = products.reduce((sum, { quantity }) => sum + Number(quantity), 0)
    const parts = facts.flatMap((one) => (one.kind === kind ? one.lines : []))
    let [worth, many] = [0, 0]
    for (const { line, quantity } of parts) {
      const { gross, quantity: ordered } = products.find(({ id }) => id === line)!
      worth += (Number(gross) / 1e6) * (Number(quantity) / Number(ordered))
      many += Number(quantity)
    }
    const isFirst = kind === "fulfilment" && parts.length > 0
    const share = { value: worth / all, quantity: many / units, first: isFirst ? 1 : 0 }[this.#shipping ?? "value"]
    return Math.round(worth + shipping * share)
  }

  /** Once it is quiet: everything is sent. */
  async settled(): Promise<ReadonlyArray<string>> {
    // One that was closed before it was sent is nothing to create.
    const missing = this.#all.filter(
      ({ order, payment, tooLate }) => payment === undefined && order.status === "open" && tooLate !== true
    )
    const found = await this.#each((name, goods, now) => {
      const { facts, here, order, there } = goods
      const found: Array<string> = []
      const worth = this.#worthOf(goods, "fulfilment") - this.#worthOf(goods, "return")
      const apart = Math.abs(now.captured - now.refunded - worth)
      if (apart > rounding(facts)) found.push(`${name}: ${now.captured} less ${now.refunded} is kept, not ${worth}`)
      const off = this.#worthOf(goods, "cancellation")
      const rest = order.status === "open" ? total(order) - this.#worthOf(goods, "fulfilment") - off : 0
      if (Math.abs(now.open - rest) > rounding(facts)) found.push(`${name}: ${now.open} is open, not ${rest}`)
      const left = LINES.some((name) => (here[name] ?? 0) > 0)
      if (now.open > 0 !== (left && order.status === "open")) found.push(`${name}: ${now.open} is open`)
      const kept = LINES.some((name) => (there[name] ?? 0) > 0)
      // Shipping that went whole with the first parcel is not given back with the goods.
      if (this.#shipping !== "first" && now.captured > now.refunded !== kept)
        found.push(`${name}: ${now.captured} less ${now.refunded} is kept`)
      if (now.reference !== order.number) found.push(`${name} is called ${String(now.reference)}, not ${order.number}`)
      return found
    })
    return [...missing.map(({ order }) => `${order.id} was not created`), ...found]
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
