/**
 * The faults that have to do with which order, which deferred payment and which fact is which: numbers that are taken
 * again, payments that two orders carry, parcels under other keys. Figures as in `Cases.ts`.
 */
import { type Case, shipped } from "./Cases.ts"
import type { Tale } from "./Tale.ts"

const TWO_CHAIRS = 3334
const ALL = 10_000
const ONE_CHAIR = 1667
const RUG = 1111

/** What one after the other would do is a matter of luck side by side: several are tried. */
const PAIRS = ["A", "B", "C", "D", "E"]

const drop = (tale: Tale, ...gone: ReadonlyArray<{ readonly id: string }>) => {
  tale.facts = tale.facts.filter((one) => !gone.includes(one))
}

export const IDENTITIES: ReadonlyArray<Case> = [
  {
    item: "6a",
    what: "an order that was entered once more under its number",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      const again = tale.addOrder({ id: "B", number: order.number })
      tale.fact("parcel", { chairs: 2 }, { order: again.id })
      tale.expect(payment, { captured: TWO_CHAIRS }, "must")
      yield
    }
  },
  {
    item: "6d",
    what: "the same, with a parcel of each between two syncs",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      yield
      const again = tale.addOrder({ id: "B", number: order.number })
      tale.fact("parcel", { chairs: 2 })
      tale.fact("parcel", { chairs: 2 }, { order: again.id })
      tale.expect(payment, { captured: [0, TWO_CHAIRS] }, "must")
      yield
      yield
    }
  },
  {
    item: "6b",
    what: "two orders that carry one deferred payment",
    plot: async function* (tale) {
      const { payment } = await tale.sell({ linked: true })
      const other = tale.addOrder({ id: "B" })
      other.payment = payment
      tale.fact("parcel", { chairs: 2 })
      tale.fact("parcel", { chairs: 2 }, { order: other.id })
      tale.expect(payment, { captured: [0, TWO_CHAIRS] }, "must")
      yield
      yield
    }
  },
  {
    item: "6c",
    what: "an order that gets another number while a new one takes its own",
    plot: async function* (tale) {
      const sold: Array<Awaited<ReturnType<Tale["sell"]>>> = []
      for (const id of PAIRS) sold.push(await tale.sell({ id }))
      yield
      for (const { order, payment } of sold) {
        const { number } = order
        order.number = `${number}-renamed`
        const other = await tale.sell({ id: `${order.id}-next`, number })
        tale.fact("parcel", { chairs: 2 }, { order: other.order.id })
        tale.expect(payment, {}, "may")
        tale.expect(other.payment, { captured: TWO_CHAIRS }, "may")
      }
      yield
      yield
    }
  },
  {
    item: "8",
    what: "an order whose deferred payment is another one after the first look",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell({ linked: true })
      yield
      const other = await tale.service.checkout({ number: `${order.number}-second`, total: ALL })
      order.payment = other
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, {}, "may")
      tale.expect(other, { captured: TWO_CHAIRS }, "may")
      yield
    }
  },
  {
    item: "12a",
    what: "a parcel under another key",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      const parcel = tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      parcel.id = `${parcel.id}-again`
      tale.expect(payment, { captured: TWO_CHAIRS }, "may")
      yield
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS + RUG }, "may")
      yield
    }
  },
  {
    item: "12b",
    what: "a parcel that was split in two",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      const parcel = tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      drop(tale, parcel)
      tale.fact("parcel", { chairs: 1 })
      tale.fact("parcel", { chairs: 1 })
      tale.expect(payment, { captured: [TWO_CHAIRS - 1, TWO_CHAIRS] }, "may")
      yield
    }
  },
  {
    item: "12d",
    what: "a return under another key",
    plot: async function* (tale) {
      const { payment } = await shipped(tale)
      const back = tale.fact("return", { chairs: 1 })
      tale.expect(payment, { captured: ALL, refunded: ONE_CHAIR }, "not")
      yield
      back.id = `${back.id}-again`
      tale.expect(payment, { captured: ALL, refunded: ONE_CHAIR }, "may")
      yield
    }
  },
  {
    item: "15a",
    what: "a rejected first checkout and an accepted second one under one number",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell({ status: "rejected" })
      const second = await tale.service.checkout({ number: order.number, total: ALL })
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, {}, "not")
      tale.expect(second, { captured: TWO_CHAIRS }, "not")
      yield
      yield
    }
  },
  {
    item: "15b",
    what: "the same, the accepted one first",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      const second = await tale.service.checkout({ number: order.number, total: ALL, status: "rejected" })
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      tale.expect(second, {}, "not")
      yield
      yield
    }
  }
]
