/**
 * What is charged of an order of Odoo whose goods are exchanged, sent again or lowered: as much as Odoo itself counts as delivered,
 * and never more than was ordered. Four at 25.00.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Odoo from "../../../connectors/odoosales/Mapping.ts"
import { back, line, move, order, transfer } from "../../../connectors/odoosales/Sample.ts"
import { standingOf } from "../../../sync/rules/OrderStanding.ts"
import { plain } from "../../orders/laws/Numbers.ts"
import { outcome } from "../../orders/laws/Play.ts"
import { booksOf, fields } from "../shops/Stories.ts"

const FULL = { delivery_status: "full" }
const PART = { delivery_status: "partial" }
const WAITS = { state: "assigned", quantity: 0 }
const BACK = { to_refund: false }

const out = (day: number, units: number, more: object = {}) =>
  transfer(
    day,
    `2026-03-0${day}`,
    [move(1, units, { id: 7000 + day, ...more })],
    "state" in more ? { state: "assigned", date_done: false } : {}
  )
const waiting = (day: number, units: number, more: object = {}) =>
  out(day, units, { product_uom_qty: units, ...WAITS, ...more })
const returned = (day: number, units: number, more: object = {}) =>
  transfer(day, `2026-03-0${day}`, [back(1, units, { id: 7000 + day, ...more })])

/** Of picking for a customer, from where the goods are moved on. */
const PICKING = { location_dest_usage: "internal", location_final_id: { id: 5, usage: "customer" } }

/** The order as it is read day by day, and what comes of it. */
const sums = (
  ...days: ReadonlyArray<
    readonly [pickings: ReadonlyArray<object>, more?: object, lines?: ReadonlyArray<ReturnType<typeof line>>]
  >
) => {
  const read = days.map(([picking_ids, more = {}, lines = [line(1, 4, 100)]]) => {
    const { facts, order: its } = booksOf(
      Odoo.order("client_order_ref")(fields({ ...order(1, lines), picking_ids, ...PART, ...more }))
    )
    return plain(standingOf(its, facts, {}))
  })
  const { asks, captured, held, open, refunded, voided } = outcome(100, read)
  return { asks, held, captured, refunded, voided, open }
}

const right = (its: Readonly<Record<"captured" | "refunded" | "voided" | "open", number>>) => ({
  asks: [],
  held: false,
  ...its
})
const ALL = right({ captured: 100, refunded: 0, voided: 0, open: 0 })

describe("an order of Odoo, of which one is exchanged", () => {
  const gone = [out(1, 4)]
  const exchanged = [...gone, returned(2, 1), waiting(3, 1)]
  const again = [...gone, returned(2, 1), out(3, 1)]

  it("is charged whole, while its replacement waits and once it left", () => {
    assert.deepStrictEqual(sums([gone, FULL], [exchanged]), ALL)
    assert.deepStrictEqual(sums([gone, FULL], [exchanged], [again, FULL]), ALL)
    assert.deepStrictEqual(sums([again, FULL]), ALL)
  })

  it("keeps what its replacement costs, if it is first read before that leaves", () => {
    assert.deepStrictEqual(sums([exchanged]), right({ captured: 75, refunded: 0, voided: 0, open: 25 }))
    assert.deepStrictEqual(sums([exchanged], [again, FULL]), ALL)
  })

  it("keeps it while the replacement is picked, and the move to the customer is not made yet", () => {
    assert.deepStrictEqual(sums([gone, FULL], [[...gone, returned(2, 1), waiting(3, 1, PICKING)]]), ALL)
  })

  it("is charged whole, if the return is not to be refunded", () => {
    const kept = [...gone, returned(2, 1, BACK)]
    assert.deepStrictEqual(
      sums([gone, FULL], [kept], [[...kept, out(3, 1, { origin_returned_move_id: 7002 })], FULL]),
      ALL
    )
    assert.deepStrictEqual(sums([[...kept, out(3, 1)], FULL]), ALL)
  })

  it("is charged whole, if the replacement of a lost parcel leaves", () => {
    assert.deepStrictEqual(sums([gone, FULL], [[...gone, waiting(3, 1)]], [[...gone, out(3, 1)], FULL]), ALL)
  })

  it("is charged for what left, while another one is still here", () => {
    const three = [out(1, 2), returned(2, 1), out(3, 1), out(4, 1), waiting(5, 1)]
    const kept = [out(1, 2), returned(2, 1, BACK), out(3, 1), out(4, 1), waiting(5, 1)]
    for (const days of [three, kept])
      assert.deepStrictEqual(sums([days]), right({ captured: 75, refunded: 0, voided: 0, open: 25 }))
  })

  it("gives up what is cancelled of the rest", () => {
    const two = [out(1, 2), returned(2, 1), out(3, 1)]
    assert.deepStrictEqual(sums([two, FULL]), right({ captured: 50, refunded: 0, voided: 50, open: 0 }))
  })
})

describe("an order of Odoo that is lowered", () => {
  const gone = [out(1, 4)]
  const refunded = right({ captured: 100, refunded: 25, voided: 0, open: 0 })

  it("gives back once what came back, whether its quantity is lowered by that or not", () => {
    const came = [...gone, returned(2, 1)]
    assert.deepStrictEqual(sums([gone, FULL], [came, FULL]), refunded)
    assert.deepStrictEqual(sums([gone, FULL], [came, FULL], [came, FULL, [line(1, 3, 75)]]), refunded)
    assert.deepStrictEqual(sums([gone, FULL], [came, FULL, [line(1, 3, 75)]]), refunded)
  })

  it("gives back what its lower total says", () => {
    assert.deepStrictEqual(sums([gone, FULL], [gone, FULL, [line(1, 4, 75)]]), refunded)
  })

  it("is not stopped by goods that were added to its transfer", () => {
    const lines = [line(1, 4, 100), line(2, 0, 0)]
    assert.deepStrictEqual(sums([[...gone, transfer(2, "2026-03-02", [move(2, 1)])], FULL, lines]), ALL)
  })
})

describe("an order of Odoo that is charged by its invoices", () => {
  const part = (id: number, quantity: number, price_total: number, move_type = "out_invoice") => ({
    ...{ id, quantity, price_total, product_uom_id: 1 },
    move_id: { id, state: "posted", move_type, invoice_date: `2026-03-0${id}` }
  })
  const tea = (units: number, ...invoice_lines: ReadonlyArray<object>) => line(1, units, units * 25, { invoice_lines })
  const invoiced = (...lines: ReadonlyArray<ReturnType<typeof line>>) => {
    const { facts, order: its } = booksOf(
      Odoo.order("client_order_ref", true)(fields({ ...order(1, lines), ...FULL, picking_ids: [] }))
    )
    const total = lines.reduce((sum, one) => sum + one.price_total, 0)
    const { asks, held, net, open } = outcome(total, [plain(standingOf(its, facts, {}))])
    return { asks, held, net, open }
  }
  const charged = (net: number) => ({ asks: [], held: false, net, open: 0 })

  it("is charged whole, if what was credited is invoiced again", () => {
    assert.deepStrictEqual(
      invoiced(tea(4, part(1, 4, 100), part(2, 1, 25, "out_refund"), part(3, 1, 25))),
      charged(100)
    )
  })

  it("gives back what was credited, whether its quantity is lowered by that or not", () => {
    const credited = [part(1, 4, 100), part(2, 1, 25, "out_refund")]
    assert.deepStrictEqual(invoiced(tea(4, ...credited)), charged(75))
    assert.deepStrictEqual(invoiced(tea(3, ...credited)), charged(75))
  })

  it("gives back discounts that are credited, with goods or without", () => {
    const [sold, off] = [part(1, 4, 100), (units: number) => part(2, units, 10, "out_refund")]
    const credited = (n: number, units: number, of: number) => part(n, units, of, "out_refund")
    assert.deepStrictEqual(invoiced(tea(4, sold, off(4))), charged(90))
    assert.deepStrictEqual(invoiced(tea(4, sold, off(4), credited(3, 1, 25))), charged(65))
    assert.deepStrictEqual(invoiced(tea(4, sold, off(1), credited(3, 4, 90))), charged(0))
    assert.deepStrictEqual(invoiced(tea(3, sold, credited(2, 1, 25), credited(3, 3, 10))), charged(65))
  })

  it("takes what is invoiced again at its own amount, whatever else was credited", () => {
    const [sold, credited] = [part(1, 4, 100), part(2, 1, 25, "out_refund")]
    assert.deepStrictEqual(invoiced(tea(4, sold, credited, part(3, 1, 25), part(4, 1, 10, "out_refund"))), charged(90))
    assert.deepStrictEqual(invoiced(tea(4, sold, part(2, 4, 100, "out_refund"), part(3, 4, 90))), charged(90))
    const discount = (...invoice_lines: ReadonlyArray<object>) => line(2, 1, -10, { invoice_lines })
    const off = (n: number, type?: string) => part(n, 1, -10, type)
    const [gone, again] = [part(2, 4, 100, "out_refund"), part(3, 4, 100)]
    assert.deepStrictEqual(
      invoiced(tea(4, sold, gone, again), discount(off(1), off(2, "out_refund"), off(3))),
      charged(90)
    )
    assert.deepStrictEqual(invoiced(tea(4, sold, gone), discount(off(1), off(2, "out_refund"))), charged(0))
  })

  it("is charged by its last invoice, if a part was paid before", () => {
    const before = line(2, 0, 0, { invoice_lines: [part(1, 1, 30), part(2, -1, -30)] })
    assert.deepStrictEqual(invoiced(tea(4, part(2, 4, 100)), before), charged(100))
  })

  it("gives back of a credit note what is not invoiced again", () => {
    const cup = line(2, 1, 10, { invoice_lines: [part(1, 1, 10), part(2, 1, 10, "out_refund")] })
    const again = tea(4, part(1, 4, 100), part(2, 1, 25, "out_refund"), part(3, 1, 25))
    assert.deepStrictEqual(invoiced(again, cup), charged(100))
  })
})
