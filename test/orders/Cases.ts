/**
 * The faults that an attack on orders found, each as a tale with its figures written out: the standard order is 100.00,
 * of which 66.67 goes with the chairs, 22.22 with the lamps and 11.11 with the rug, delivery shared out by value.
 */
import { CHAIRS, type Order } from "./Books.ts"
import type { Plot, Tale } from "./Tale.ts"

export interface Case {
  /** The item's number, with a letter where there are several. */
  readonly item: string
  readonly what: string
  readonly plot: Plot
}

/** Two of the chairs, all of the order, a return of one chair after that. */
const TWO_CHAIRS = 3334
const ALL = 10_000
const ONE_CHAIR = 1667
const RUG = 1111
const LAMPS = 2222

/** All was shipped and captured. */
export const shipped = async (tale: Tale) => {
  const sold = await tale.sell()
  tale.fact("parcel")
  tale.expect(sold.payment, { captured: ALL }, "not")
  return sold
}

const late = (status: Order["status"], reopened: boolean): Plot =>
  async function* (tale) {
    const { order, payment } = await tale.sell()
    order.status = status
    // A shop that puts orders away without having sent anything is asked about it.
    tale.expect(payment, { voided: ALL }, "may")
    yield
    if (reopened) order.status = "open"
    tale.fact("parcel")
    tale.expect(payment, { captured: [0, ALL], voided: [0, ALL] }, "may")
    yield
  }

export const CASES: ReadonlyArray<Case> = [
  {
    item: "0",
    what: "what left and was not captured is told, and no more once a person knows it",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      order.status = "cancelled"
      tale.expect(payment, { voided: ALL }, "not")
      yield
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: [0, TWO_CHAIRS], voided: [0, ALL] }, "must")
      yield
      await tale.resolve()
      tale.attention = "may"
      yield
    }
  },
  { item: "1a", what: "a parcel without lines after a cancelled order was voided", plot: late("cancelled", false) },
  { item: "1b", what: "the same of an order that was opened again", plot: late("cancelled", true) },
  { item: "1c", what: "a parcel without lines after a closed order was voided", plot: late("closed", false) },
  {
    item: "2a",
    what: "a parcel that was sent, edited to all that is left",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      const parcel = tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      parcel.goods = {}
      tale.expect(payment, { captured: ALL }, "may")
      yield
    }
  },
  {
    item: "2b",
    what: "a return that was sent, edited to all that is left",
    plot: async function* (tale) {
      const { payment } = await shipped(tale)
      yield
      const back = tale.fact("return", { chairs: 1 })
      tale.expect(payment, { captured: ALL, refunded: ONE_CHAIR }, "not")
      yield
      back.goods = {}
      tale.expect(payment, { captured: ALL, refunded: ALL }, "may")
      yield
    }
  },
  {
    item: "2c",
    what: "a return without lines of an order that was captured by hand, its parcel not in the books",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      yield
      await tale.hand(payment, "capture", 6667)
      tale.fact("return")
      tale.expect(payment, { captured: 6667, refunded: [0, 6667] }, "must")
      yield
      yield
    }
  },
  {
    item: "3",
    what: "a return of an order that is captured and no longer exported",
    plot: async function* (tale) {
      const { order, payment } = await shipped(tale)
      yield
      order.hidden = true
      yield
      tale.fact("return", { rug: 1 })
      tale.expect(payment, { captured: ALL, refunded: RUG }, "may")
      yield
    }
  },
  {
    item: "3b",
    what: "a parcel that is gone, its return, and then the order that is no longer exported",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      order.status = "cancelled"
      tale.expect(payment, { captured: TWO_CHAIRS, voided: ALL - TWO_CHAIRS }, "not")
      yield
      tale.facts = []
      tale.fact("return", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS, voided: ALL - TWO_CHAIRS }, "must")
      yield
      order.hidden = true
      yield
      yield
    }
  },
  {
    item: "3c",
    what: "a return that was refunded and is deleted, while more leaves",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      const back = tale.fact("return", { chairs: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS, refunded: ONE_CHAIR }, "not")
      yield
      tale.facts = tale.facts.filter((one) => one !== back)
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS + RUG, refunded: ONE_CHAIR }, "must")
      yield
    }
  },
  {
    item: "4a",
    what: "three chairs back for a stated 15.00, then the last chair for its own price",
    plot: async function* (tale) {
      const { payment } = await tale.sell({ lines: CHAIRS })
      tale.fact("parcel")
      tale.fact("return", { chairs: 3 }, { amount: 1500 })
      tale.expect(payment, { captured: ALL, refunded: 1500 }, "not")
      yield
      tale.fact("return", { chairs: 1 })
      tale.expect(payment, { captured: ALL, refunded: 4000 }, "not")
      yield
    }
  },
  {
    item: "4b",
    what: "three chairs cancelled for a stated 15.00, then the last chair for its own price",
    plot: async function* (tale) {
      const { payment } = await tale.sell({ lines: CHAIRS })
      tale.fact("cancellation", { chairs: 3 }, { amount: 1500 })
      tale.expect(payment, { voided: 1500 }, "not")
      yield
      tale.fact("cancellation", { chairs: 1 })
      tale.expect(payment, { voided: 4000 }, "not")
      yield
    }
  },
  {
    item: "5a",
    what: "an order in GBP on a deferred payment in EUR",
    plot: async function* (tale) {
      const { payment } = await tale.sell({ paidIn: "EUR" })
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, {}, "must")
      yield
    }
  },
  {
    item: "5b",
    what: "an order of 10,000 JPY on a deferred payment of 100.00 EUR",
    plot: async function* (tale) {
      const { payment } = await tale.sell({ currency: "JPY", paidIn: "EUR" })
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, {}, "must")
      yield
    }
  },
  {
    item: "5c",
    what: "a return whose amount is stated in USD",
    plot: async function* (tale) {
      const { payment } = await shipped(tale)
      yield
      tale.fact("return", { rug: 1 }, { amount: RUG, currency: "USD" })
      tale.expect(payment, { captured: ALL }, "must")
      yield
    }
  },
  {
    item: "5d",
    what: "an order whose currency is edited after a capture",
    plot: async function* (tale) {
      const { order, payment } = await tale.sell()
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "not")
      yield
      order.currency = "EUR"
      tale.fact("parcel", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "must")
      yield
    }
  },
  {
    item: "13a",
    what: "a capture by hand before the parcel is in the books",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      yield
      await tale.hand(payment, "capture", TWO_CHAIRS)
      tale.fact("parcel", { chairs: 2 })
      tale.expect(payment, { captured: TWO_CHAIRS }, "may")
      yield
    }
  },
  {
    item: "13b",
    what: "a capture by hand that a person accepts before the parcel is in the books",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      yield
      await tale.hand(payment, "capture", TWO_CHAIRS)
      tale.fact("cancellation", { rug: 1 })
      tale.expect(payment, { captured: TWO_CHAIRS, voided: RUG }, "may")
      yield
      await tale.resolve()
      tale.fact("parcel", { chairs: 2 })
      yield
    }
  },
  {
    item: "13c",
    what: "a refund by hand before the return is in the books",
    plot: async function* (tale) {
      const { payment } = await shipped(tale)
      yield
      await tale.hand(payment, "refund", RUG)
      tale.fact("return", { rug: 1 })
      tale.expect(payment, { captured: ALL, refunded: RUG }, "may")
      yield
    }
  },
  {
    item: "13d",
    what: "a void by hand before the cancellation is in the books",
    plot: async function* (tale) {
      const { payment } = await tale.sell()
      yield
      await tale.hand(payment, "void", LAMPS)
      tale.fact("cancellation", { lamps: 3 })
      tale.expect(payment, { voided: LAMPS }, "may")
      yield
    }
  }
]
