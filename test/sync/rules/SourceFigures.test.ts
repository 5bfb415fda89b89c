/** The source's own word on what is open, held against the facts that were read of it, and what is owed to buyers. */
import { assert, describe, it } from "@effect/vitest"
import type { Document, Stated } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import type { InvoiceFacts } from "../../../sync/model/InvoiceFacts.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import * as SourceFigures from "../../../sync/rules/SourceFigures.ts"
import { about, creditNote, invoice, payment, planning, reversal } from "../../support/Documents.ts"

const says = (open: string, more: Stated = {}): Stated => ({ open: of(open), ...more })

const facts = (
  invoiced: Parameters<typeof invoice>[0],
  documents: ReadonlyArray<Document> = [],
  more: Partial<InvoiceFacts> = {}
): InvoiceFacts => ({ ...about([invoice(invoiced), ...documents]), ...more })

/** The attention that a first look at these facts gives. */
const attention = (all: InvoiceFacts) =>
  reconcile(all, undefined, planning).attention.map(({ rule, todo, why }) => `${rule} ${why} → ${todo}`)

const agrees = (all: InvoiceFacts) => !SourceFigures.differs(SourceFigures.of(all, all.invoice!, planning))

describe("what the source itself says of an invoice (S1)", () => {
  it("agrees with its facts, or is named with both amounts and what was added up", () => {
    const paid = [payment("P1", "50.00"), creditNote("C1", "20.00")]
    assert.deepStrictEqual(attention(facts({ stated: says("50.00") }, paid)), [])
    assert.deepStrictEqual(attention(facts({ stated: says("48.00") }, paid)), [
      "S1 the source says that 48.00 GBP is open; the records that were read give 50.00 GBP: 120.00 asked − 20.00 credited − 50.00 received (1 payment) → a payment or credit note is not read, not allocated to it, or in another currency: look for it in the source"
    ])
  })

  it("says what usually causes it", () => {
    const todo = (...of: Parameters<typeof facts>) =>
      attention(facts(...of))
        .find((one) => one.startsWith("S1"))!
        .split(" → ")[1]!
    assert.match(todo({ stated: says("0.00", { paid: of("120.00") }) }), /^payments are not read/)
    assert.match(todo({ stated: says("70.00", { credited: of("50.00") }) }), /^a credit note is not read/)
    assert.match(todo({ stated: says("100.00") }), /^they are apart by the tax/)
    assert.match(todo({ stated: says("120.00") }, [payment("P1", "50.00")]), /that the source does not count/)
    const dollars = payment("P1", "50.00", "2026-01-10", { currency: "USD" })
    assert.match(todo({ stated: says("70.00") }, [dollars]), /another currency/)
  })

  it("where it states what was paid and not what is open, the rest of it is its word", () => {
    assert.isTrue(agrees(facts({ stated: { paid: of("50.00") } }, [payment("P1", "50.00")])))
    assert.isFalse(agrees(facts({ stated: { paid: of("50.00") } })))
  })

  it("an invoice that it calls paid is settled by that alone only where no payment could be read", () => {
    const paid = { status: "paid", stated: says("0.00") } as const
    assert.isTrue(agrees(facts(paid)))
    assert.isFalse(agrees(facts(paid, [], { hasPayments: true })))
    assert.isFalse(agrees(facts({ ...paid, stated: says("0.00", { paid: of("120.00") }) })))
    assert.isTrue(agrees(facts({ ...paid, stated: says("0.00", { paid: of("120.00") }) }, [payment("P1", "120.00")])))
  })

  it("a payment of another connection may be in its own books, or not yet; beyond that it differs", () => {
    const of = (open: string) => {
      const all = facts({ stated: says(open) }, [payment("P1", "50.00")])
      return { ...all, payments: all.payments.map((one) => ({ ...one, key: "debits/payment/P1" })) }
    }
    for (const open of ["120.00", "70.00"]) assert.isTrue(agrees(of(open)), open)
    for (const open of ["69.99", "120.01"]) assert.isFalse(agrees(of(open)), open)
  })

  it("has what others state in part: a payment of theirs may be in its figure, and that it went back not yet, or only that", () => {
    const all = (open: string) =>
      facts({ stated: says(open) }, [payment("P1", "50.00"), reversal("R1", "50.00", "error")])
    const of = (open: string): InvoiceFacts => ({
      ...all(open),
      payments: all(open).payments.map((one) => ({ ...one, key: "debits/payment/P1" })),
      reversals: all(open).reversals.map((one) => ({ ...one, key: "debits/reversal/R1" }))
    })
    for (const open of ["120.00", "70.00", "170.00"]) assert.isTrue(agrees(of(open)), open)
    assert.isFalse(agrees(of("20.00")))
  })

  it("counts a payment that went back, as others state, only until somebody is asked (T14)", () => {
    const own = payment("P1", "120.00")
    const back = [own, reversal("R1", "120.00", "chargeback")]
    const all = facts({ stated: says("0.00") }, back)
    const elsewhere = (one: InvoiceFacts): InvoiceFacts => ({
      ...one,
      reversals: one.reversals.map((its) => ({ ...its, key: its.key.replace(/^[^/]+/, "debits") }))
    })
    assert.match(
      attention(elsewhere(all)).join(),
      /^T14 the source has a payment of it as received, but 120.00 GBP went back/
    )
    // Its own books have it too; or somebody paid again; or it was refunded.
    assert.notMatch(attention(all).join(), /T14/)
    assert.deepStrictEqual(attention(elsewhere(facts({}, [...back, payment("P2", "120.00")]))), [])
    assert.deepStrictEqual(attention(elsewhere(facts({}, [own, reversal("R1", "120.00", "refund")]))), [])
  })

  it("a refund opens the invoice again, or does not where the source's figures stand before it", () => {
    const refunded = [payment("P1", "120.00"), reversal("R1", "20.00", "refund")]
    assert.isTrue(agrees(facts({ stated: says("20.00") }, refunded)))
    assert.isFalse(agrees(facts({ stated: says("0.00") }, refunded)))
    assert.isTrue(agrees(facts({ stated: says("0.00", { beforeReversals: true }) }, refunded)))
  })

  it("is not a matter while not all of the source was read: the invoice is looked at again", () => {
    const { attention, waits } = reconcile(facts({ stated: says("48.00") }, [], { unread: true }), undefined, planning)
    assert.deepStrictEqual({ attention, waits }, { attention: [], waits: true })
  })

  it("counts neither what was credited and paid back, nor that it went back, where its figures are of before", () => {
    const stated = says("0.00", { beforeReversals: true })
    const documents = [
      payment("P1", "120.00"),
      reversal("R1", "20.00", "refund"),
      { ...creditNote("C1", "20.00"), refunded: true as const }
    ]
    assert.isTrue(agrees(facts({ stated }, documents)))
    assert.deepStrictEqual(attention(facts({ stated }, documents)), [])
    assert.isFalse(agrees(facts({ stated }, [...documents.slice(0, 2), creditNote("C1", "20.00")])))
  })

  it("drafts, voided invoices and what is out of scope are held against nothing", () => {
    for (const status of ["draft", "void"] as const)
      assert.isUndefined(reconcile(facts({ status, stated: says("48.00") }), undefined, planning).figures)
    const scope = { issued_after: invoice({ issued: "2026-06-01" }).issued }
    assert.isUndefined(reconcile(facts({ stated: says("48.00") }), undefined, { ...planning, scope }).figures)
  })
})

describe("more than an invoice asks for (S2)", () => {
  it("is a matter, and a balance below zero", () => {
    const all = facts({}, [payment("P1", "7320.00")])
    assert.deepStrictEqual(attention(all), [
      "S2 7,200.00 GBP more was received than it asks for: 120.00 asked − 7,320.00 received (1 payment) → allocate the rest to another invoice or pay it back, and record that in the source; check that no payment was entered twice"
    ])
    assert.strictEqual(SourceFigures.of(all, all.invoice!, planning).balance, -of("7200.00"))
  })

  it("also where the source calls it paid, and agrees with a balance below zero", () => {
    const all = facts({ status: "paid", stated: says("-30.00") }, [payment("P1", "150.00")])
    assert.isTrue(agrees(all))
    assert.lengthOf(attention(all), 1)
  })

  it("what was credited beyond it is named by its amount", () => {
    assert.match(
      attention(facts({}, [creditNote("C1", "125.00")])).join(),
      /^T6 its credit notes exceed its amount by 5.00 GBP/
    )
  })
})
