/**
 * Orders that people change after they were sent: parcels and returns are edited, deleted, come under another key, are split,
 * move to another order, name no lines, state amounts, are in another currency; orders are closed and opened again; somebody
 * captures by hand. What must come of each is left to the witness (`../support/witness/Orders.ts`).
 */
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask } from "../sync/InWorld.ts"
import { buy, byHand, payment } from "../sync/Shop.ts"
import type { Watched } from "../sync/Witnessed.ts"
import type { World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import type { MoveName, MoveRates } from "./Moves.ts"

/** Somebody captured of an order by hand; for goods that the shop states from this moment, or for none. */
type Captured = (order: string, amount: bigint, stated: boolean) => void

const LINES = { a: 3, b: 1, c: 4 } as const
const NAMES = Object.keys(LINES) as ReadonlyArray<keyof typeof LINES>

const OWN: ReadonlyArray<MoveName> = [
  "parcel_bare",
  "stated_amount",
  "fact_edited",
  "fact_rekeyed",
  "by_hand",
  "reopened",
  "order_currency"
]

/** Whether a document is about an order of this shop. */
export const isWild = (key: string): boolean => /\/order\/W\d/.test(key)

export class WildShop {
  readonly #world: World
  readonly #rates: MoveRates
  readonly #captured: Captured
  readonly #payments = new Map<string, string>()
  readonly #byHand = new Set<string>()
  #orders: ReadonlyArray<Order> = []
  #facts: ReadonlyArray<OrderFact> = []
  #n = 0

  constructor(world: World, rates: MoveRates, captured: Captured) {
    this.#world = world
    this.#rates = rates
    this.#captured = captured
  }

  get isOpen(): boolean {
    return OWN.some((name) => this.#rates[name] > 0)
  }

  get documents(): ReadonlyArray<Document> {
    return [...this.#orders, ...this.#facts]
  }

  get watched(): Pick<Watched, "payments"> & { readonly byHand: ReadonlySet<string> } {
    return { payments: this.#payments, byHand: this.#byHand }
  }

  async sell(dice: Dice): Promise<void> {
    const n = this.#orders.length + 1
    const lines = NAMES.map((name) => line(name, `${LINES[name]}`, `${10 + dice.below(90)}.${10 + dice.below(90)}`))
    const made = order({ id: `W${n}`, number: `WILD-${n}`, lines: [...lines, line("ship", "1", "4.99", "shipping")] })
    const { deferredPayment: _, ...carried } = made
    const at = await buy((method, path, body) => ask(this.#world, method, path, body), made, "accepted")
    this.#payments.set(made.id, at.payment)
    this.#orders = [...this.#orders, { ...carried, deferredPayment: at.payment }]
  }

  /** Something happens to one of the orders, or nothing where there is nothing that it could happen to. */
  async change(dice: Dice): Promise<string> {
    const one = dice.of(this.#orders)
    if (one === undefined) return "nothing"
    const mine = this.#facts.filter((fact) => fact.order === one.id)
    const fact = dice.of(mine)
    const move = OWN.find((name) => dice.chance(this.#rates[name]))
    switch (move) {
      case "parcel_bare":
        this.#add(
          dice.chance(0.7)
            ? parcel(this.#id("P"), {}, "2026-03-28", one.id)
            : returned(this.#id("R"), {}, "2026-03-29", one.id)
        )
        break
      case "stated_amount":
        this.#amount(one, dice)
        break
      case "fact_edited":
        if (fact !== undefined) this.#edit(fact, dice)
        break
      case "fact_rekeyed":
        if (fact !== undefined) this.#rekey(fact, dice)
        break
      case "by_hand":
        await this.#hand(one, dice)
        break
      case "reopened":
        this.#replaceOrder({
          ...one,
          status: one.status === "open" ? dice.of(["closed", "cancelled"] as const)! : "open"
        })
        break
      case "order_currency":
        if (fact === undefined || dice.chance(0.3))
          this.#replaceOrder({ ...one, currency: one.currency === "GBP" ? "EUR" : "GBP" })
        // Of as many decimal places: a record that cannot be read may be for any order, and all of them would wait.
        else this.#replace(fact, { ...fact, currency: dice.of(["CHF", "USD"])! })
        break
      default:
        this.#plain(one, dice)
    }
    return `${move ?? "goods"} of ${one.id}`
  }

  #id(letter: string): string {
    return `W${letter}${++this.#n}`
  }

  #add(fact: OrderFact): void {
    this.#facts = [...this.#facts, fact]
  }

  #replace(fact: OrderFact, ...by: ReadonlyArray<OrderFact>): void {
    this.#facts = this.#facts.flatMap((one) => (one === fact ? by : [one]))
  }

  #replaceOrder(order: Order): void {
    this.#orders = this.#orders.map((one) => (one.id === order.id ? order : one))
  }

  /** Units of a line that the facts leave in the warehouse, and those with the buyer. */
  #left(order: Order, name: keyof typeof LINES): { readonly here: number; readonly there: number } {
    let [here, there]: [number, number] = [LINES[name], 0]
    for (const { kind, lines, order: of } of this.#facts) {
      if (of !== order.id) continue
      if (lines.length === 0) {
        if (kind === "fulfilment") [here, there] = [0, there + here]
        else if (kind === "return") there = 0
      }
      for (const { line, quantity } of lines) {
        if (line !== name) continue
        const units = Number(quantity / 100_000_000n)
        if (kind === "return") there -= units
        else here -= units
        if (kind === "fulfilment") there += units
      }
    }
    return { here, there }
  }

  /** Goods leave, are cancelled or come back. */
  #plain(order: Order, dice: Dice): void {
    const kind = dice.of(["parcel", "parcel", "cancel", "return"])!
    const left = (name: keyof typeof LINES) => this.#left(order, name)[kind === "return" ? "there" : "here"]
    const name = dice.of(NAMES.filter((one) => left(one) > 0))
    if (name === undefined) return
    const lines = { [name]: `${1 + dice.below(left(name))}` }
    const date = `2026-03-${String(2 + dice.below(20)).padStart(2, "0")}`
    this.#add(
      kind === "parcel"
        ? parcel(this.#id("P"), lines, date, order.id)
        : kind === "cancel"
          ? cancellation(this.#id("C"), lines, date, order.id)
          : returned(this.#id("R"), lines, date, order.id)
    )
  }

  #amount(order: Order, dice: Dice): void {
    const name = dice.of(NAMES.filter((one) => this.#left(order, one).there > 0))
    if (name === undefined) return
    const units = 1 + dice.below(this.#left(order, name).there)
    const amount = of(`${1 + dice.below(3)}.${10 + dice.below(90)}`)
    this.#add({ ...returned(this.#id("R"), { [name]: `${units}` }, "2026-03-25", order.id), amount })
  }

  #edit(fact: OrderFact, dice: Dice): void {
    const [first, ...rest] = fact.lines
    switch (dice.below(4)) {
      case 0:
        return this.#replace(fact)
      case 1:
        return this.#replace(fact, { ...fact, lines: [] })
      case 2:
        if (first !== undefined)
          this.#replace(fact, { ...fact, lines: [{ ...first, quantity: of(`${1 + dice.below(3)}`) }, ...rest] })
        return
      default:
        if (first !== undefined) this.#replace(fact, { ...fact, lines: [{ ...first, line: dice.of(NAMES)! }, ...rest] })
    }
  }

  #rekey(fact: OrderFact, dice: Dice): void {
    const [first, ...rest] = fact.lines
    const id = this.#id("K")
    switch (dice.below(3)) {
      case 0:
        return this.#replace(fact, { ...fact, id })
      case 1: {
        if (first === undefined || first.quantity < of("2") || ("amount" in fact && fact.amount !== undefined)) return
        const less = { ...first, quantity: first.quantity - of("1") }
        return this.#replace(
          fact,
          { ...fact, lines: [less, ...rest] },
          { ...fact, id, lines: [{ ...first, quantity: of("1") }] }
        )
      }
      default: {
        const other = dice.of(this.#orders)!
        this.#replace(fact, { ...fact, order: other.id })
      }
    }
  }

  /** Somebody captures one unit of some goods past Daybook; often the parcel is stated later. */
  async #hand(order: Order, dice: Dice): Promise<void> {
    const id = this.#payments.get(order.id)!
    const name = dice.of(NAMES.filter((one) => this.#left(order, one).here > 0))
    const there = payment(this.#world, id)
    if (name === undefined || (there.status !== "accepted" && there.status !== "part_fulfilled")) return
    const { gross, quantity } = order.lines.find((one) => one.id === name)!
    const amount = Number(gross / 1_000_000n / (quantity / 100_000_000n))
    if (amount > there.open) return
    await byHand(this.#world, id, "capture", amount, `hand-${++this.#n}`)
    this.#byHand.add(order.id)
    // Often it is for goods that the shop states as well: nothing more is to be captured for them.
    const stated = dice.chance(0.7)
    if (stated) this.#add(parcel(this.#id("P"), { [name]: "1" }, "2026-03-24", order.id))
    this.#captured(order.id, BigInt(amount), stated)
  }
}
