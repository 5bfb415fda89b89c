/**
 * The faults of orders that need a state file, settings or a way to the service of their own.
 */
import { totalOf } from "./Books.ts"
import type { Case } from "./Cases.ts"
import type { Between, Foreign } from "./Proxy.ts"
import type { Plot, Tale } from "./Tale.ts"

/** What happens at a desk of its own, and to what stands between it and the service. */
type OwnPlot = (between: Between) => Plot

export interface Alone extends Omit<Case, "plot"> {
  readonly plot: OwnPlot | Readonly<Record<string, OwnPlot>>
}

const ALL = 10_000
const TWO_CHAIRS = 3334
const LAMPS_AND_RUG = 3333
const CREATE = { create: { category: "/home" } }

/** Every order is there once, and was offered once. */
const once = async (tale: Tale): Promise<void> => {
  for (const { number } of tale.orders) {
    const there = (await tale.service.orders(number)).length
    if (there !== 1) tale.found.push(`${tale.name}: ${number} is on the service ${there} times`)
  }
  const offers = await tale.service.acted("POST", "/v1/payment/offers")
  if (offers !== tale.orders.length) tale.found.push(`${tale.name}: ${offers} offers were asked for`)
}

/** An order that Daybook creates, sent once. */
const created = async function* (tale: Tale): AsyncGenerator<void, void> {
  tale.desk.settings(CREATE)
  tale.addOrder()
  yield
  await once(tale)
}

/** The source says the same, something else, or nothing any more, while recovery meets a foreign page. */
const foreign =
  (status: number, now: "as it was" | "edited" | "gone"): OwnPlot =>
  (between) =>
    async function* (tale) {
      const { payment } = await tale.sell()
      const parcel = tale.fact("parcel", { chairs: 2 })
      const lost: Foreign = { method: "POST", path: `${payment}/capture`, status: 502, acts: true, times: 99 }
      const strange: Foreign = { ...lost, status, acts: false }
      between.foreign.push(lost)
      tale.expect(payment, { captured: TWO_CHAIRS }, "may")
      tale.statuses = [0, 1, 3]
      tale.say("the answers to the capture are lost")
      yield
      between.foreign.splice(between.foreign.indexOf(lost), 1, strange)
      if (now === "edited") parcel.goods = { chairs: 1 }
      if (now === "gone") tale.facts = []
      tale.say(`the parcel is ${now}; a page with ${status} answers recovery`)
      yield
      strange.times = 0
      yield
      tale.attention = "not"
      yield
    }

export const ALONE: ReadonlyArray<Alone> = [
  {
    item: "7a",
    what: "a lost state file where orders are created",
    plot: () =>
      async function* (tale) {
        yield* created(tale)
        tale.desk.loseState()
        tale.say("the state file is lost")
        tale.attention = "may"
        tale.statuses = [0, 1, 2, 3, 4]
        yield
        await once(tale)
      }
  },
  {
    item: "7b",
    what: "a connection that creates orders is renamed",
    plot: () =>
      async function* (tale) {
        yield* created(tale)
        tale.desk.connection = "shop-two"
        tale.say("the connection is renamed")
        tale.attention = "may"
        tale.statuses = [0, 1, 2, 3, 4]
        yield
        await once(tale)
      }
  },
  {
    item: "7f",
    what: "a lost state file, and the connection that creates orders is renamed",
    plot: () =>
      async function* (tale) {
        yield* created(tale)
        tale.desk.loseState()
        tale.desk.connection = "shop-two"
        tale.say("the state file is lost, and the connection renamed")
        tale.attention = "may"
        tale.statuses = [4]
        yield
        await once(tale)
        await tale.desk.run("reconcile", "--fix", "--json")
        tale.statuses = [0, 3]
        yield
        await once(tale)
      }
  },
  {
    item: "7c",
    what: "a lost state file, and the parcel that was captured is not in the books any more",
    plot: () =>
      async function* (tale) {
        const { payment } = await tale.sell()
        tale.fact("parcel")
        tale.expect(payment, { captured: ALL }, "not")
        yield
        tale.desk.loseState()
        tale.facts = []
        tale.say("the state file is lost, and the parcel gone")
        tale.expect(payment, {}, "must")
        yield
        yield
      }
  },
  {
    item: "7d",
    what: "a lost state file, and an order under another number with one more parcel",
    plot: () =>
      async function* (tale) {
        const { order, payment } = await tale.sell()
        tale.fact("parcel", { chairs: 2 })
        tale.expect(payment, { captured: TWO_CHAIRS }, "not")
        yield
        tale.desk.loseState()
        order.number += "-renamed"
        tale.say("the state file is lost, and the order renamed")
        tale.fact("parcel", { lamps: 3, rug: 1 })
        tale.expect(payment, { captured: [TWO_CHAIRS, TWO_CHAIRS + LAMPS_AND_RUG] }, "may")
        tale.lenient = true
        yield
        if (!tale.isNamed) tale.found.push("7d: nobody is told of goods that left and were not captured")
      }
  },
  {
    item: "7e",
    what: "two created orders of one number, and an older state file put back",
    plot: () =>
      async function* (tale) {
        tale.desk.settings(CREATE)
        const { number } = tale.addOrder()
        yield
        tale.desk.keepState()
        tale.addOrder({ id: "B", number })
        tale.statuses = [0, 3]
        yield
        tale.desk.putStateBack()
        tale.say("the state file of before the second is put back")
        tale.attention = "may"
        tale.statuses = [0, 1, 3, 4]
        yield
        await tale.desk.run("reconcile", "--fix", "--json")
        yield
        yield
        const there = (await tale.service.orders(number)).length
        if (there !== 2) tale.found.push(`7e: ${number} is on the service ${there} times`)
      }
  },
  {
    item: "9",
    what: "reconcile while a created order waits for its buyer",
    plot: () =>
      async function* (tale) {
        yield* created(tale)
        const { said, status } = await tale.desk.run("reconcile", "--json")
        if (status !== 0) tale.found.push(`9: reconcile ended with ${status}: ${said}`)
      }
  },
  {
    item: "10",
    what: "a foreign page answers recovery of a capture, its parcel edited or gone",
    plot: Object.fromEntries(
      [400, 404, 409, 422].flatMap((status) => [
        [`10-same-${status}`, foreign(status, "as it was")],
        [`10-edited-${status}`, foreign(status, "edited")],
        [`10-gone-${status}`, foreign(status, "gone")]
      ])
    )
  },
  {
    item: "11",
    what: "cancelled before the buyer takes the shop's own offer",
    plot: () =>
      async function* (tale) {
        tale.desk.settings({ create: { category: "/home", offers: false } })
        const order = tale.addOrder()
        yield
        const [there] = await tale.service.orders(order.number)
        const offer = await tale.service.offer(String(there!["id"]))
        order.status = "cancelled"
        yield
        const payment = await tale.service.take(offer)
        tale.expect(payment, { voided: totalOf(order.lines) }, "may")
        yield
      }
  },
  {
    item: "14",
    what: "shipping from value to quantity between two parcels",
    plot: () =>
      async function* (tale) {
        const { order, payment } = await tale.sell()
        tale.fact("parcel", { lamps: 3, rug: 1 })
        tale.expect(payment, { captured: LAMPS_AND_RUG }, "not")
        yield
        tale.desk.settings({ link: "unique_id", shipping: "quantity" })
        tale.say("shipping goes by quantity")
        tale.fact("parcel", { chairs: 4 })
        order.status = "closed"
        tale.expect(payment, { captured: ALL }, "may")
        yield
      }
  },
  {
    item: "17h",
    what: "a buyer who is merged with another one on the service, before the second order",
    plot: () =>
      async function* (tale) {
        tale.desk.settings({ create: CREATE.create, buyers: { keep: true } })
        // It is not created any more, and its buyer is.
        tale.addOrder().status = "closed"
        yield
        await tale.service.mergeBuyers()
        tale.say("its buyer is merged with another one")
        const { number } = tale.addOrder({ id: "B" })
        tale.attention = "must"
        yield
        await tale.retry()
        tale.attention = "not"
        yield
        const there = await tale.service.orders(number)
        if (there.length !== 1) tale.found.push(`17h: ${number} is on the service ${there.length} times`)
      }
  },
  {
    item: "16",
    what: "an older state file put back by cp, a parcel edited meanwhile",
    plot: () =>
      async function* (tale) {
        const { payment } = await tale.sell()
        yield
        tale.desk.keepState()
        const parcel = tale.fact("parcel", { chairs: 2 })
        tale.expect(payment, { captured: TWO_CHAIRS }, "not")
        yield
        tale.desk.putStateBack()
        parcel.goods = { chairs: 1 }
        tale.say("the state file of before is put back, the parcel is edited to one chair")
        tale.expect(payment, { captured: TWO_CHAIRS }, "must")
        tale.statuses = [4]
        yield
        await tale.desk.run("reconcile", "--fix", "--json")
        tale.say("reconcile --fix reads the service")
        tale.statuses = [3]
        yield
        yield
      }
  }
]
