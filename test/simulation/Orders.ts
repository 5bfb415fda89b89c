/**
 * One seed's history of a shop: orders with deferred payment, some of which the sync has to create first, parcels,
 * cancellations and returns that come in any order, payments that are accepted late, a network that fails in every way, and
 * a machine that dies between any two steps.
 *
 * What must hold is read off the service: no fact twice, never over what is authorised, and once all is quiet every fact
 * of the shop is there, to the minor unit.
 */
import { Cause } from "effect"
import type { Document, Order, OrderFact } from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import type { Fault } from "../../core/sandbox/Faults.ts"
import { ServiceError } from "../../core/ServiceError.ts"
import { planning } from "../support/Documents.ts"
import { cancellation, line, order, parcel, returned } from "../support/Orders.ts"
import { ask, open } from "../sync/InWorld.ts"
import { booked, checkout, payment } from "../sync/Shop.ts"
import { Killed, World } from "../sync/World.ts"
import { Dice } from "./Dice.ts"

const KINDS = ["lose_request", "lose_response", "late", "status", "garble"] as const
const SETTLED = 5000

interface Goods {
  readonly order: Order
  /** Its deferred payment, once the buyer has taken a plan. */
  readonly payment: string | undefined
  readonly accepted: boolean
  readonly facts: ReadonlyArray<OrderFact>
  /** Units of each line that are still in the warehouse, and those with the buyer. */
  readonly here: Readonly<Record<string, number>>
  readonly there: Readonly<Record<string, number>>
}

const LINES = ["a", "b", "c"]

/** Something happens to an order that can happen to it. */
const happen = (goods: Goods, dice: Dice, n: number): Goods => {
  if (goods.order.status !== "open") return goods
  const kind = dice.of(["parcel", "parcel", "parcel", "cancel", "return", "discount", "close"])!
  if (kind === "close") return dice.chance(0.7) ? goods : { ...goods, order: { ...goods.order, status: "closed" } }
  if (kind === "discount") {
    if (LINES.every((name) => (goods.there[name] ?? 0) === 0)) return goods
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

/** Of every order: nothing twice, nothing over. */
const always = (world: World, all: ReadonlyArray<Goods>): ReadonlyArray<string> =>
  all.flatMap(({ facts, order, payment: id }) => {
    const found: Array<string> = []
    const { offer, order: orders } = world.service
    const made = [...orders.values()].filter((one) => one["unique_id"] === order.number)
    const offers = [...offer.values()].filter((one) => made.some(({ id }) => id === one["order"]))
    if (made.length > 1 || offers.length > 1) found.push(`${order.id} was created or offered twice`)
    if (id === undefined) return found
    const now = payment(world, id)
    const count = (type: string) => booked(world, id).filter(([one]) => one === type).length
    const stated = (kind: string) => facts.filter((one) => one.kind === kind).length
    if (now.open + now.captured + now.voided !== total(order)) found.push(`${order.id} is out of balance`)
    if (now.open < 0 || now.refunded > now.captured) found.push(`${order.id}: more than there is was taken`)
    if (count("capture") > stated("fulfilment")) found.push(`${order.id}: a parcel was captured twice`)
    if (count("refund") > stated("return")) found.push(`${order.id}: a return was refunded twice`)
    if (count("void") > stated("cancellation") + 1) found.push(`${order.id}: something was voided twice`)
    return found
  })

const total = ({ lines }: Order): number => Number(lines.reduce((sum, { gross }) => sum + gross, 0n) / 10n ** 6n)

/** Once it is quiet: everything is told. */
const settled = (world: World, all: ReadonlyArray<Goods>): ReadonlyArray<string> =>
  all.flatMap(({ facts, here, order, payment: id, there }) => {
    const found: Array<string> = []
    // Closed before it was told.
    if (id === undefined) return order.status === "open" ? [`${order.id} was not created`] : []
    const now = payment(world, id)
    const count = (type: string) => booked(world, id).filter(([one]) => one === type).length
    const stated = (kind: string) => facts.filter((one) => one.kind === kind).length
    if (count("capture") !== stated("fulfilment")) found.push(`${order.id}: ${count("capture")} captures`)
    if (count("refund") !== stated("return")) found.push(`${order.id}: ${count("refund")} refunds`)
    const left = LINES.some((name) => (here[name] ?? 0) > 0)
    if (now.open > 0 !== (left && order.status === "open")) found.push(`${order.id}: ${now.open} is open`)
    const kept = LINES.some((name) => (there[name] ?? 0) > 0)
    // Shipping that went whole with the first parcel is not given back with the goods.
    const first = world.connection.planning.orders?.shipping === "first"
    if (!first && now.captured > now.refunded !== kept)
      found.push(`${order.id}: ${now.captured} less ${now.refunded} is kept`)
    return found
  })

const buyer = { id: "B1", name: "Corner Bakery Ltd", email: "ann@example.com", company: "co-1000" }

/** The buyers of orders that were created meanwhile take the first plan that they are offered. */
const buy = async (world: World, all: ReadonlyArray<Goods>): Promise<ReadonlyArray<Goods>> => {
  const { offer, order: orders } = world.service
  return Promise.all(
    all.map(async (goods) => {
      const made = [...orders.values()].find((one) => one["unique_id"] === goods.order.number)
      const offered = [...offer.values()].find((one) => one["order"] === made?.id)
      if (goods.payment !== undefined || offered === undefined) return goods
      const [plan] = offered["offered_payment_plans"] as ReadonlyArray<{ readonly id: string }>
      const accepted = await ask(world, "POST", `/sandbox/offers/${offered.id}/plans/${plan!.id}/accept`, {})
      return { ...goods, payment: String(accepted["id"]) }
    })
  )
}

export const simulateOrders = async (seed: number): Promise<ReadonlyArray<string>> => {
  const dice = new Dice(seed)
  const rate = dice.throw() * 0.4
  let quiet = false
  const world = new World({
    planning: {
      ...planning,
      orders: { shipping: dice.of(["value", "quantity", "first"])!, create: { category: "/goods", tax_rate: "20" } }
    },
    fault: (): Omit<Fault, "id"> | undefined => {
      if (quiet || !dice.chance(rate)) return undefined
      const kind = dice.of(KINDS)!
      return kind === "status" ? { kind, status: 503 } : { kind, delay_ms: dice.below(SETTLED) }
    },
    dice
  })
  const found: Array<string> = []
  try {
    let all: ReadonlyArray<Goods> = []
    let n = 0
    quiet = true
    for (let i = 1 + dice.below(3); i > 0; i--) {
      const lines = LINES.map((name, at) =>
        line(name, `${[3, 1, 4][at]!}`, `${10 + dice.below(90)}.${10 + dice.below(90)}`)
      )
      const bare = order({ id: `O${i}`, number: `SHOP-${i}`, lines: [...lines, line("ship", "1", "4.99", "shipping")] })
      const here = { a: 3, b: 1, c: 4 }
      if (dice.chance(0.3)) {
        const { deferredPayment: _, ...unknown } = bare
        const fresh: Order = { ...unknown, buyer }
        all = [...all, { order: fresh, payment: undefined, accepted: true, facts: [], here, there: {} }]
        continue
      }
      const accepted = dice.chance(0.6)
      const id = await checkout(world, bare, accepted ? "accepted" : "pending_review")
      all = [...all, { order: { ...bare, deferredPayment: id }, payment: id, accepted, facts: [], here, there: {} }]
    }
    quiet = false
    const documents = (): ReadonlyArray<Document> => all.flatMap(({ facts, order }) => [order, ...facts])
    for (let round = 3 + dice.below(5); round > 0 && found.length === 0; round--) {
      for (let more = dice.below(6); more > 0; more--) {
        const chosen = dice.below(all.length)
        const [number, next] = [++n, dice]
        all = all.map((one, at) => (at === chosen ? happen(one, next, number) : one))
      }
      world.documents = documents()
      world.killAt = dice.chance(0.4) ? 1 + dice.below(60) : undefined
      const exit = await world.sync({ concurrency: 1 + dice.below(3), settleAfter: SETTLED })
      if (exit._tag === "Failure" && !expected(exit.cause)) found.push(Cause.pretty(exit.cause))
      if (dice.chance(0.4)) all = await buy(world, all)
      found.push(...always(world, all))
    }
    quiet = true
    world.killAt = undefined
    await world.clock.settle()
    await world.sync({ settleAfter: SETTLED })
    all = await buy(world, all)
    for (const { payment: id } of all.filter(({ accepted }) => !accepted))
      await ask(world, "PUT", `/sandbox/deferred_payments/${id}/status`, { status: "accepted" })
    for (let n = 0; n < 3; n++) await world.sync({ settleAfter: SETTLED })
    found.push(...always(world, all), ...settled(world, all))
    found.push(...open(world, "SELECT why FROM attention WHERE closed IS NULL").map(({ why }) => String(why)))
    const requests = world.instance.journal.length
    await world.sync({ settleAfter: SETTLED })
    if (world.instance.journal.length !== requests) found.push("a further quiet run makes requests")
    return found
  } finally {
    world.close()
  }
}

const expected = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.every(
    (reason) =>
      (reason._tag === "Die" && reason.defect instanceof Killed) ||
      (reason._tag === "Fail" && reason.error instanceof ServiceError) ||
      reason._tag === "Interrupt"
  )
