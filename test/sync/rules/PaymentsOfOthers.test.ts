/** P9: what somebody else reported on the service counts, and nothing is reported or taken back on top of it unseen. */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { openOn, type RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { orphans } from "../../../sync/rules/OrphanMoney.ts"
import { about, invoice, payment, reversal } from "../../support/Documents.ts"
import { heldFor, plan, sent } from "../../support/Plans.ts"

const other = (amount: string, id = "pay-9") => ({ id, amount, date: "2026-02-03" })
const on = (remote: RemoteInvoice, ...others: ReadonlyArray<ReturnType<typeof other>>): RemoteInvoice => ({
  ...remote,
  others
})
const items = (planned: ReturnType<typeof plan>) => planned.attention.map(({ rule, why }) => `${rule} ${why}`)

describe("a payment that somebody else reported", () => {
  const remote = heldFor([invoice()])!
  const paid = (gross: string) => payment("P1", gross)

  it("P9: counts in what is open on the service, and a person hears of it", () => {
    const now = on(remote, other("100.00"))
    assert.strictEqual(openOn(now), Decimal.of("20.00"))
    const planned = plan([invoice()], now)
    assert.deepStrictEqual(sent(planned), [])
    assert.deepStrictEqual(items(planned), [
      "P9 somebody else reported on the service: 100.00 GBP received on 2026-02-03 (pay-9)"
    ])
  })

  it("needs nobody once it is reversed", () => {
    const now = on(remote, other("100.00"), other("-100.00", "pay-10"))
    assert.strictEqual(openOn(now), Decimal.of("120.00"))
    assert.deepStrictEqual(items(plan([invoice()], now)), [])
  })

  it("may be the same as one of the books: that waits if both exceed the invoice, and it is not marked as paid", () => {
    const planned = plan([invoice(), paid("120.00")], on(remote, other("100.00")))
    assert.deepStrictEqual(sent(planned), [])
    assert.match(items(planned).join(), /^P9 .*payment\/P1.* of 120\.00 GBP waits, which may be the same$/)
  })

  it("leaves room for some of several: the rest waits", () => {
    const planned = plan(
      [invoice(), payment("P1", "40.00"), payment("P2", "40.00", "2026-01-11")],
      on(remote, other("60.00"))
    )
    assert.deepStrictEqual(
      sent(planned).map(([, , body]) => body["amount"]),
      ["40.00"]
    )
    assert.match(items(planned).join(), /payment\/P2.* of 40\.00 GBP waits/)
  })

  it("keeps both halves of a correction back where the new amount does not fit, and neither where it does", () => {
    const before = heldFor([invoice(), payment("P1", "50.00")])!
    const to = (amount: string) => plan([invoice(), payment("P1", amount)], on(before, other("60.00")))
    assert.deepStrictEqual(sent(to("70.00")), [])
    assert.deepStrictEqual(
      sent(to("60.00")).map(([, , body]) => body["amount"]),
      ["-50.00", "60.00"]
    )
  })

  it("stands beside one of the books where both fit", () => {
    const planned = plan([invoice(), paid("20.00")], on(remote, other("100.00")))
    assert.deepStrictEqual(
      sent(planned).map(([rule]) => rule),
      ["P1"]
    )
    assert.lengthOf(items(planned), 1)
  })
})

describe("a payment that somebody else took back on the service", () => {
  const remote = heldFor([invoice(), payment("P1", "60.00")])!

  it("is not taken back again when the books lose it, and all agree", () => {
    const planned = plan([invoice()], on(remote, other("-60.00")))
    assert.deepStrictEqual([sent(planned), items(planned)], [[], []])
    assert.strictEqual(openOn(on(remote, other("-60.00"))), Decimal.of("120.00"))
  })

  it("is taken back where they took back less, as far as the service allows", () => {
    const planned = plan([invoice()], on(remote, other("-20.00")))
    assert.deepStrictEqual(sent(planned), [])
    assert.match(items(planned).join(), /60\.00 GBP cannot be reversed/)
  })

  it("is for a person while the books have it", () => {
    const planned = plan([invoice(), payment("P1", "60.00")], on(remote, other("-60.00")))
    assert.deepStrictEqual(sent(planned), [])
    assert.match(items(planned).join(), /60\.00 GBP taken back on 2026-02-03/)
  })
})

describe("money that may be the same as another payment", () => {
  it("P1: is somebody's on an invoice that is void as well, though what its books have of it was returned", () => {
    const [own, other] = about([payment("P1", "120.00"), payment("D1", "120.00")]).payments
    const facts = about([invoice({ status: "void" }), payment("P1", "120.00"), reversal("R1", "120.00", "refund")])
    assert.deepStrictEqual(orphans(facts), [])
    const waiting = [{ fact: other!, like: [own!] }]
    assert.deepStrictEqual(
      orphans({ ...facts, waiting }).map(({ fact, rule }) => `${rule} ${fact}`),
      ["P1 books/payment/D1"]
    )
  })
})
