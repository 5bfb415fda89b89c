/**
 * A shop whose orders are paid later: parcels, cancellations and returns come in any order, references change, orders
 * are closed, and payments are accepted late. What must hold of each is read off the service: no fact twice, never over
 * what is authorised, and once all is quiet every fact of the shop is there, to the minor unit.
 */
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask } from "../sync/InWorld.ts"
import { booked, buy, payment } from "../sync/Shop.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"

interface Goods {
  readonly order: Order
  readonly payment: string
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
}

export const counterOf = (world: World, found: Counter["found"]): Counter => ({
  ask: (method, path, body) => ask(world, method, path, body),
  look: async (id) => ({
    ...payment(world, id),
    events: booked(world, id).map(([type]) => type),
    reference: world.service.order.get(String(world.service.deferred_payment.get(id)!["order"]))?.["unique_id"]
  }),
  found
})

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
    const made = await buy(this.#counter.ask, bare, dice.chance(0.6) ? "accepted" : "pending_review")
    const { deferredPayment: _, ...carried } = bare
    const known = dice.chance(0.7) ? { deferredPayment: made.payment } : { serviceOrder: made.order }
    this.#all = [
      ...this.#all,
      { order: { ...carried, ...known }, payment: made.payment, facts: [], here: { a: 3, b: 1, c: 4 }, there: {} }
    ]
  }

  /** Something happens to one of the orders that can happen to it. */
  change(dice: Dice): void {
    const chosen = dice.below(this.#all.length)
    this.#all = this.#all.map((one, at) => (at === chosen ? this.#happen(one, dice) : one))
  }

  #happen(goods: Goods, dice: Dice): Goods {
    if (goods.order.status !== "open") return goods
    const n = ++this.#n
    const kind = dice.of(["parcel", "parcel", "parcel", "cancel", "return", "close", "rename"])!
    if (kind === "close") return dice.chance(0.3) ? goods : { ...goods, order: { ...goods.order, status: "closed" } }
    if (kind === "rename" && !this.#counter.found(goods.order.id)) return goods
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

  /** Every payment that waits for a person is accepted. */
  async accept(): Promise<void> {
    for (const { payment } of this.#all) {
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
  settled(): Promise<ReadonlyArray<string>> {
    return this.#each((name, { facts, here, order, there }, now, count) => {
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
  }

  async #each(
    check: (name: string, goods: Goods, now: Standing, count: (type: string) => number) => ReadonlyArray<string>
  ): Promise<ReadonlyArray<string>> {
    const found: Array<string> = []
    for (const goods of this.#all) {
      const now = await this.#counter.look(goods.payment)
      found.push(...check(goods.order.id, goods, now, (type) => now.events.filter((one) => one === type).length))
    }
    return found
  }
}
