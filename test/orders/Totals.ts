/**
 * What the shop says in all, what the service ends or changes by itself, and what happens on one day. Figures as in `Cases.ts`.
 */
import { type Case, shipped } from "./Cases.ts"

const TWO_CHAIRS = 3334
const ALL = 10_000
const ONE_CHAIR = 1667
const RUG = 1111
const LAMPS = 2222

export const TOTALS: ReadonlyArray<Case> = [
  {
    item: "0b",
    what: "what the shop says that it gave back in all is compared with the service",
    plot: async function* (tale) {
      const { order, payment } = await shipped(tale)
      tale.fact("return", { rug: 1 })
      order.refunded = RUG
      tale.expect(payment, { captured: ALL, refunded: RUG }, "not")
      yield
      if (tale.isInStatement) tale.found.push("0b: the statement names a difference, and there is none")
      order.refunded = RUG + LAMPS
      tale.attention = "may"
      yield
      if (!tale.isInStatement) tale.found.push("0b: the statement does not name what the shop says")
    }
  },
  {
    item: "17",
    what: "a deferred payment that is rejected after its first capture",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      await tale.service.move(payment, "rejected")
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "must")
      yield
      yield
    }
  },
  {
    item: "17d",
    what: "goods that are cancelled on the day on which the others of their line leave",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      const { day } = tale.fact("cancellation", { chairs: 2 })
      tale.expect(payment, { voided: TWO_CHAIRS - 1 }, "not")
      yield
      tale.fact("parcel", { chairs: 2, lamps: 3, rug: 1 }, { day })
      tale.expect(payment, { captured: ALL - TWO_CHAIRS + 1, voided: TWO_CHAIRS - 1 }, "not")
      yield
    }
  },
  {
    item: "17e",
    what: "goods that come back on the day on which all left",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      const { day } = tale.fact("parcel", { chairs: 4, lamps: 3, rug: 1 })
      tale.fact("return", { chairs: 1 }, { day })
      tale.expect(payment, { captured: ALL, refunded: ONE_CHAIR }, "not")
      yield
      yield
    }
  },
  {
    item: "17f",
    what: "a deferred payment that expires after its first capture, and goods that leave then",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      await tale.service.move(payment, "expired")
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "must")
      yield
      yield
    }
  },
  {
    item: "17i",
    what: "a deferred payment that the service cancels after its first capture, and an order that is cancelled then",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      await tale.service.move(payment, "cancelled")
      order.status = "cancelled"
      tale.expect(payment, { captured: TWO_CHAIRS, voided: ALL - TWO_CHAIRS }, "must")
      yield
      yield
    }
  },
  {
    item: "17g",
    what: "a deferred payment that is authorised for less than the next parcel, and then for more than the order",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      await tale.service.authorise(payment, RUG - 1)
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS + RUG - 1 }, "must")
      yield
      await tale.service.authorise(payment, ALL)
      order.status = "closed"
      // What is authorised beyond the order may be for something else.
      tale.expect(payment, { captured: TWO_CHAIRS + RUG }, "must")
      yield
      yield
    }
  }
]
