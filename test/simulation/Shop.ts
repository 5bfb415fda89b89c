/**
 * A shop whose orders are paid later, some of which the sync has to create first: parcels, cancellations and returns come in any order, references change, orders
 * are closed, and payments are accepted late. What must hold of each is read off the service: no fact twice, never over
 * what is authorised, and once all is quiet every fact of the shop is there, to the minor unit.
 */
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask } from "../sync/InWorld.ts"
import { booked, buy, payment } from "../sync/Shop.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"

interface Goods {
  readonly order: Order
  /** Its deferred payment, once the buyer has taken a plan. */
  readonly payment: string | undefined
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

/** Where the shop meets the service, past the sync. */
export interface Counter {
  readonly ask: (method: string, path: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>
  readonly look: (payment: string) => Promise<Standing>
  /** Whether the sync has found an order: a reference that changed before is nothing that it could know of. */
  readonly found: (order: string) => boolean
  /** What the sync created for an order of this number; absent where it creates none. */
  readonly made?: (number: string) => {
    readonly orders: number
    readonly offers: ReadonlyArray<{ readonly id: string; readonly plan: string }>
  }
}

export const counterOf = (world: World, found: Counter["found"]): Counter => ({
  ask: (method, path, body) => ask(world, method, path, body),
  look: async (id) => ({
    ...payment(world, id),
    events: booked(world, id).map(([type]) => type),
    reference: world.service.order.get(String(world.service.deferred_payment.get(id)!["order"]))?.["unique_id"]
  }),
  found,
  made: (number) => {
    const { offer, order } = world.service
    const made = [...order.values()].filter((one) => one["unique_id"] === number)
    const offers = [...offer.values()].filter((one) => made.some(({ id }) => id === one["order"]))
    const plans = (one: (typeof offers)[number]) =>
      one["offered_payment_plans"] as ReadonlyArray<{ readonly id: string }>
    return { orders: made.length, offers: offers.map((one) => ({ id: one.id, plan: plans(one)[0]?.id ?? "" })) }
  }
})

const buyer = { id: "B1", name: "Corner Bakery Ltd", email: "bob@example.com", company: "co-1000" }

const LINES = ["a", "b", "c"]

const total = ({ lines }: Order): number => Number(lines.reduce((sum, { gross }) => sum + gross, 0n) / 10n ** 6n)

export class Shop {
  readonly #counter: Counter
  /** Shipping goes whole with the first parcel. */
  readonly #first: boolean
  #all: ReadonlyArray<Goods> = []
  #n = 0

  constructor(counter: Counter, first: boolean) {
    this.#counter = counter
    this.#first = first
  }

  get documents(): ReadonlyArray<Document> {
    return this.#all.flatMap(({ facts, order }) => [order, ...facts])
  }

  /** Somebody buys. */
  async sell(dice: Dice): Promise<void> {
    const n = this.#all.length + 1
    const lines = LINES.map((name, at) =>
      line(name, `${[3, 1, 4][at]!}`, `${10 + dice.below(90)}.${10 + dice.below(90)}`)
    )
    const bare = order({ id: `O${n}`, number: `SHOP-${n}`, lines: [...lines, line("ship", "1", "4.99", "shipping")] })
    const goods = { facts: [], here: { a: 3, b: 1, c: 4 }, there: {} }
    if (this.#counter.made !== undefined && dice.chance(0.3)) {
      const { deferredPayment: _, ...unknown } = bare
      this.#all = [...this.#all, { ...goods, order: { ...unknown, buyer }, payment: undefined }]
      return
    }
    const made = await buy(this.#counter.ask, bare, dice.chance(0.6) ? "accepted" : "pending_review")
    const { deferredPayment: _, ...carried } = bare
    const known = dice.chance(0.7) ? { deferredPayment: made.payment } : { serviceOrder: made.order }
    this.#all = [...this.#all, { ...goods, order: { ...carried, ...known }, payment: made.payment }]
  }

  /** Something happens to one of the orders that can happen to it. */
  change(dice: Dice): void {
    const chosen = dice.below(this.#all.length)
    this.#all = this.#all.map((one, at) => (at === chosen ? this.#happen(one, dice) : one))
  }

  #happen(goods: Goods, dice: Dice): Goods {
    if (goods.order.status !== "open") return goods
    const n = ++this.#n
    const kind = dice.of(["parcel", "parcel", "parcel", "cancel", "return", "discount", "close", "rename"])!
    if (kind === "close") return dice.chance(0.3) ? goods : { ...goods, order: { ...goods.order, status: "closed" } }
    if (kind === "discount") {
      if (LINES.every((name) => (goods.there[name] ?? 0) === 0)) return goods
      const given = { ...returned(`D${n}`, {}, "2026-03-01", goods.order.id), amount: of("0.01") }
      return { ...goods, facts: [...goods.facts, given] }
    }
    if (kind === "rename" && (goods.order.buyer !== undefined || !this.#counter.found(goods.order.id))) return goods
    if (kind === "rename") return { ...goods, order: { ...goods.order, number: `${goods.order.number}${n}` } }
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

  /** Every payment that waits for a person is accepted, and buyers take the first plan that they are offered. */
  async accept(): Promise<void> {
    const bought: Array<Goods> = []
    for (const goods of this.#all) {
      const [offer] = goods.payment === undefined ? (this.#counter.made?.(goods.order.number).offers ?? []) : []
      if (offer === undefined) bought.push(goods)
      else {
        const path = `/sandbox/offers/${offer.id}/plans/${offer.plan}/accept`
        bought.push({ ...goods, payment: String((await this.#counter.ask("POST", path, {}))["id"]) })
      }
    }
    this.#all = bought
    for (const { payment } of this.#all) {
      if (payment === undefined) continue
      if ((await this.#counter.look(payment)).status === "pending_review")
        await this.#counter.ask("PUT", `/sandbox/deferred_payments/${payment}/status`, { status: "accepted" })
    }
  }

  /** At every moment: nothing twice, nothing over. */
  always(): Promise<ReadonlyArray<string>> {
    return this.#each((name, { facts, order }, now, count) => {
      const found: Array<string> = []
      const stated = (kind: string) => facts.filter((one) => one.kind === kind).length
      if (now.open + now.captured + now.voided !== total(order)) found.push(`${name} is out of balance`)
      if (now.open < 0 || now.refunded > now.captured) found.push(`${name}: more than there is was taken`)
      if (count("capture") > stated("fulfilment")) found.push(`${name}: a parcel was captured twice`)
      if (count("refund") > stated("return")) found.push(`${name}: a return was refunded twice`)
      if (count("void") > stated("cancellation") + 1) found.push(`${name}: something was voided twice`)
      return found
    })
  }

  /** Once it is quiet: everything is told. */
  async settled(): Promise<ReadonlyArray<string>> {
    // One that was closed before it was told needs none.
    const absent = this.#all.filter(({ order, payment }) => payment === undefined && order.status === "open")
    const told = await this.#each((name, { facts, here, order, there }, now, count) => {
      const found: Array<string> = []
      const stated = (kind: string) => facts.filter((one) => one.kind === kind).length
      if (count("capture") !== stated("fulfilment")) found.push(`${name}: ${count("capture")} captures`)
      if (count("refund") !== stated("return")) found.push(`${name}: ${count("refund")} refunds`)
      const left = LINES.some((name) => (here[name] ?? 0) > 0)
      if (now.open > 0 !== (left && order.status === "open")) found.push(`${name}: ${now.open} is open`)
      const kept = LINES.some((name) => (there[name] ?? 0) > 0)
      // Shipping that went whole with the first parcel is not given back with the goods.
      if (!this.#first && now.captured > now.refunded !== kept)
        found.push(`${name}: ${now.captured} less ${now.refunded} is kept`)
      if (now.reference !== order.number) found.push(`${name} is called ${String(now.reference)}, not ${order.number}`)
      return found
    })
    return [...absent.map(({ order }) => `${order.id} was not created`), ...told]
  }

  async #each(
    check: (name: string, goods: Goods, now: Standing, count: (type: string) => number) => ReadonlyArray<string>
  ): Promise<ReadonlyArray<string>> {
    const found: Array<string> = []
    for (const goods of this.#all) {
      const { offers = [], orders = 0 } = this.#counter.made?.(goods.order.number) ?? {}
      if (orders > 1 || offers.length > 1) found.push(`${goods.order.id} was created or offered twice`)
      if (goods.payment === undefined) continue
      const now = await this.#counter.look(goods.payment)
      found.push(...check(goods.order.id, goods, now, (type) => now.events.filter((one) => one === type).length))
    }
    return found
  }
}
