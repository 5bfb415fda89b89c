/**
 * One example per rule of the reconciler, T1 to T13 for invoices, in the words of the documentation. Money has its own
 * examples in `Money.test.ts`. A plan is shown as it would be sent: rule, operation, body.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { reference } from "../../../sync/model/Call.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import { about, creditNote, day, invoice, key, payment, planning, reversal } from "../../support/Documents.ts"
import { insured, plan, sent, heldFor } from "../../support/Plans.ts"

const bakery = { id: "c1", name: "Harbour Lane Bakery", country: "GB" }

describe("T1 to T4: what the service is not sent yet", () => {
  it("T1: an invoice outside the scope is not sent, and the reason is kept", () => {
    const scoped = (scope: NonNullable<typeof planning.scope>) => ({ ...planning, scope })
    for (const [scope, reason] of [
      [{ issued_after: "2026-01-02" }, /issued 2026-01-01, before the scope begins \(2026-01-02\)/],
      [{ issued_before: "2025-12-31" }, /after the scope ends/],
      [{ currencies: ["EUR", "USD"] }, /GBP is not in the scope \(EUR, USD\)/]
    ] as const) {
      const { attention, calls, open, reason: why } = plan([invoice()], undefined, scoped(scope as never))
      assert.deepStrictEqual([calls, attention, open], [[], [], 0n])
      assert.match(why!, /^T1: /)
      assert.match(why!, reason)
    }
    // Both days count in.
    const edges = scoped({ issued_after: "2026-01-01", issued_before: "2026-01-01" } as never)
    assert.strictEqual(sent(plan([invoice()], undefined, edges)).length, 1)
  })

  it("T1: an invoice that was sent stays in step when the scope is narrowed later", () => {
    const remote = heldFor([invoice()])
    const narrowed = { ...planning, scope: { currencies: ["EUR"] } }
    assert.deepStrictEqual(sent(plan([invoice({ number: "INV-1b" })], remote, narrowed)), [
      ["T6", "transactions.update", { number: "INV-1b" }]
    ])
  })

  it("T1: a negative invoice belongs under credit notes", () => {
    assert.match(plan([invoice({ gross: "-5.00" })]).reason!, /T1: .*credit note/)
  })

  it("T1: an invoice that asks for nothing is not sent", () => {
    assert.match(plan([invoice({ gross: "0.00" })]).reason!, /T1: its amount is 0/)
  })

  it("T2: an open invoice is created as pending, with everything the books know", () => {
    assert.deepStrictEqual(sent(plan([invoice()])), [
      [
        "T2",
        "transactions.create",
        {
          owner: reference("books/owner"),
          unique_id: "books/invoice/I1",
          number: "INV-1",
          debtor_name: "Harbour Lane Bakery",
          debtor_country: "GB",
          currency: "GBP",
          net_amount: "100.00",
          gross_amount: "120.00",
          issue_date: "2026-01-01",
          due_date: "2026-01-31",
          scheduled_payments: [{ date: "2026-01-31", amount: "120.00" }],
          metadata: { connection: "books", source_id: "I1" },
          status: "pending"
        }
      ]
    ])
  })

  it("T2: a company id stands for its raw data, and a choice by a person for both", () => {
    const body = (match: string | undefined, company: string | undefined) => {
      const party = { ...bakery, ...(company === undefined ? {} : { company }) }
      return sent(plan([invoice({ party })], undefined, planning, match))[0]![2]
    }
    assert.strictEqual(body(undefined, "co-1")["debtor"], "co-1")
    assert.notProperty(body(undefined, "co-1"), "debtor_name")
    assert.strictEqual(body("co-2", "co-1")["debtor"], "co-2")
    assert.strictEqual(body("co-2", undefined)["debtor"], "co-2")
  })

  it("T2: instalments of the source are the schedule, and the last of them is the due date", () => {
    const schedule = [
      ["2026-02-01", "40.00"],
      ["2026-03-01", "80.00"]
    ] as const
    const [[, , body]] = sent(plan([invoice({ schedule })])) as [ReturnType<typeof sent>[number]]
    assert.deepStrictEqual(body["scheduled_payments"], [
      { date: "2026-02-01", amount: "40.00" },
      { date: "2026-03-01", amount: "80.00" }
    ])
    assert.strictEqual(body["due_date"], "2026-03-01")
  })

  it("T3: a draft is created as a draft where drafts are in the scope, and not sent elsewhere", () => {
    const draft = [invoice({ status: "draft" }), payment("P1", "10.00")]
    assert.match(plan(draft).reason!, /^T3: /)
    const drafts = sent(plan(draft, undefined, { ...planning, scope: { drafts: true } }))
    assert.deepStrictEqual(
      drafts.map(([rule, operation, body]) => [rule, operation, body["status"]]),
      [["T3", "transactions.create", "draft"]]
    )
  })

  it("T4: what is void or deleted before it was sent is not sent", () => {
    assert.match(plan([invoice({ status: "void" })]).reason!, /^T4: it is void/)
    assert.match(plan([invoice()], undefined, planning, undefined, true).reason!, /^T4: deleted in the source/)
  })

  it("T4: money on a void invoice is attention, unless all of it was returned", () => {
    const voided = invoice({ status: "void" })
    const { attention, calls } = plan([voided, payment("P1", "10.00")])
    assert.deepStrictEqual(calls, [])
    assert.deepStrictEqual(
      attention.map(({ fact, why }) => [fact, why]),
      [[key("payment", "P1"), "10.00 GBP is allocated to an invoice that is void in the source"]]
    )
    assert.isEmpty(plan([voided, payment("P1", "10.00"), reversal("R1", "10.00", "refund")]).attention)
  })
})

describe("T5 to T8: what the service has and the source changed", () => {
  const drafts = { ...planning, scope: { drafts: true } }
  const draft = heldFor([invoice({ status: "draft" })], undefined, drafts)

  it("T5: a draft that is issued becomes pending by PATCH, together with what else changed", () => {
    assert.deepStrictEqual(sent(plan([invoice()], draft, drafts)), [
      ["T5", "transactions.update", { status: "pending" }]
    ])
    assert.deepStrictEqual(sent(plan([invoice({ number: "INV-2" })], draft, drafts)), [
      ["T5", "transactions.update", { number: "INV-2", status: "pending" }]
    ])
  })

  it("T5: an insured draft that is issued is confirmed", () => {
    assert.deepStrictEqual(sent(plan([invoice()], insured(draft), drafts)), [["T5", "transactions.confirm", {}]])
  })

  it("T1, T3: the scope decides what is created; a draft that was sent is kept up to date, issued and deleted all the same", () => {
    const off = { ...planning, scope: { drafts: false } }
    assert.deepStrictEqual(plan([invoice({ status: "draft" })], draft, off).calls, [])
    assert.deepStrictEqual(sent(plan([invoice({ status: "draft", number: "INV-2" })], draft, off)), [
      ["T6", "transactions.update", { number: "INV-2" }]
    ])
    assert.deepStrictEqual(sent(plan([invoice()], draft, off)), [["T5", "transactions.update", { status: "pending" }]])
    const withdrawn = plan([invoice({ status: "draft" })], draft, off, undefined, true)
    assert.deepStrictEqual(
      withdrawn.calls.map(({ operation }) => operation),
      ["transactions.remove"]
    )
    for (const scope of [{ issued_before: day("2020-01-01") }, { currencies: ["EUR"] }]) {
      const decided = plan([invoice({ due: "2026-02-28" })], heldFor([invoice()]), { ...planning, scope })
      assert.deepStrictEqual(
        decided.calls.map(({ rule }) => rule),
        ["T6"]
      )
    }
  })

  it("T6: an edit of an uninsured invoice sends what differs and nothing else", () => {
    assert.deepStrictEqual(sent(plan([invoice({ due: "2026-02-28" })], heldFor([invoice()]))), [
      [
        "T6",
        "transactions.update",
        { due_date: "2026-02-28", scheduled_payments: [{ date: "2026-02-28", amount: "120.00" }] }
      ]
    ])
  })

  it("T6: nothing is sent when nothing differs, because an edit expires an offered quote", () => {
    assert.deepStrictEqual(sent(plan([invoice()], heldFor([invoice()]))), [])
    const metadata = (order: ReadonlyArray<string>) => Object.fromEntries(order.map((name) => [name, name]))
    const remote = heldFor([invoice({ metadata: metadata(["a", "b"]) })])
    assert.deepStrictEqual(sent(plan([invoice({ metadata: metadata(["b", "a"]) })], remote)), [])
  })

  it("T6: a member that the source lost is set to null", () => {
    const remote = heldFor([invoice({ party: { ...bakery, address: "1 High Street" } })])
    assert.deepStrictEqual(sent(plan([invoice({ party: bakery })], remote)), [
      ["T6", "transactions.update", { debtor_address: null }]
    ])
  })

  it("match: a company chosen for a party that was sent by name is matched, not patched", () => {
    assert.deepStrictEqual(sent(plan([invoice()], heldFor([invoice()]), planning, "co-7")), [
      ["match", "transactions.matchDebtor", { debtor: "co-7" }]
    ])
  })

  it("T7: amounts, dates and schedule of an insured invoice are amended", () => {
    const remote = insured(heldFor([invoice()]))
    assert.deepStrictEqual(sent(plan([invoice({ due: "2026-02-28" })], remote)), [
      [
        "T7",
        "transactions.amend",
        { due_date: "2026-02-28", scheduled_payments: [{ date: "2026-02-28", amount: "120.00" }] }
      ]
    ])
    assert.deepStrictEqual(sent(plan([invoice({ gross: "60.00", net: "50.00" })], remote)), [
      [
        "T7",
        "transactions.amend",
        { net_amount: "50.00", gross_amount: "60.00", scheduled_payments: [{ date: "2026-01-31", amount: "60.00" }] }
      ]
    ])
  })

  it("T7: an amount that the source no longer states is amended to null", () => {
    const amended = sent(plan([invoice({ gross: undefined, net: "100.00" })], insured(heldFor([invoice()]))))
    assert.deepStrictEqual(amended, [
      [
        "T7",
        "transactions.amend",
        { gross_amount: null, scheduled_payments: [{ date: "2026-01-31", amount: "100.00" }] }
      ]
    ])
  })

  it("T8: what amend does not take is attention, and the rest is amended all the same", () => {
    const decision = plan([invoice({ number: "INV-9", issued: "2026-01-02" })], insured(heldFor([invoice()])))
    assert.deepStrictEqual(sent(decision), [["T7", "transactions.amend", { issue_date: "2026-01-02" }]])
    assert.deepStrictEqual(
      decision.attention.map(({ rule, why }) => [rule, why]),
      [["T8", "it is insured, and an insured invoice cannot change number: number INV-1 → INV-9"]]
    )
    // Our own book-keeping is not worth a person's time.
    assert.isEmpty(plan([invoice({ metadata: { region: "north" } })], insured(heldFor([invoice()]))).attention)
  })
})

describe("T9 to T13: the end of an invoice", () => {
  it("T9: an uninsured invoice that is void or deleted is deleted, and the guards count it", () => {
    for (const decision of [
      plan([invoice({ status: "void" })], heldFor([invoice()])),
      plan([invoice()], heldFor([invoice()]), planning, undefined, true)
    ]) {
      assert.deepStrictEqual(sent(decision), [["T9", "transactions.remove", {}]])
      assert.isTrue(decision.calls[0]!.destructive)
    }
  })

  it("T9, T2: an invoice that is restored after it was deleted is sent anew", () => {
    const deleted = heldFor([invoice({ status: "void" })], heldFor([invoice()]))
    assert.isUndefined(deleted)
    assert.deepStrictEqual(
      sent(plan([invoice()], deleted)).map(([rule]) => rule),
      ["T2"]
    )
  })

  it("T10: an insured invoice that is void or deleted is attention, because the service refuses both", () => {
    const remote = insured(heldFor([invoice()]))
    for (const decision of [
      plan([invoice({ status: "void" })], remote),
      plan([invoice()], remote, planning, undefined, true)
    ]) {
      assert.deepStrictEqual(sent(decision), [])
      assert.deepStrictEqual(
        decision.attention.map(({ rule }) => rule),
        ["T10"]
      )
    }
  })

  it("T11: an invoice that goes back to draft is attention, and nothing is sent", () => {
    const decision = plan([invoice({ status: "draft", number: "INV-2" })], heldFor([invoice()]))
    assert.deepStrictEqual(sent(decision), [])
    assert.deepStrictEqual(
      decision.attention.map(({ rule }) => rule),
      ["T11"]
    )
  })

  it("T12: settled to zero is PUT paid once, after every payment, with the last settling day and the method", () => {
    const books = [
      invoice(),
      payment("P1", "70.00", "2026-01-10"),
      payment("P2", "50.00", "2026-01-25", { method: "bank" })
    ]
    const calls = sent(plan(books, heldFor([invoice()])))
    assert.deepStrictEqual(
      calls.map(([rule, operation]) => [rule, operation]),
      [
        ["P1", "transactions.createPayment"],
        ["P1", "transactions.createPayment"],
        ["T12", "transactions.paid"]
      ]
    )
    assert.deepStrictEqual(calls[2]![2], { pay_method: "bank", paid_date: "2026-01-25" })
    assert.deepStrictEqual(sent(plan(books, heldFor(books))), [])
  })

  it("T12: an invoice that the source calls paid, without payments, is paid on the source's day", () => {
    const books = [invoice({ status: "paid", paidOn: "2026-01-09", payMethod: "card" })]
    assert.deepStrictEqual(sent(plan(books, heldFor([invoice()]))), [
      ["T12", "transactions.paid", { pay_method: "card", paid_date: "2026-01-09" }]
    ])
  })

  it("T12: nothing is marked paid where the contract does not mix it with reported payments", () => {
    const books = [invoice(), payment("P1", "120.00")]
    const decision = plan(books, heldFor([invoice()]), { ...planning, report_paid: false })
    assert.deepStrictEqual(
      sent(decision).map(([rule]) => rule),
      ["P1"]
    )
  })

  it("T12: a credit note of everything that is open settles it", () => {
    const books = [invoice(), payment("P1", "70.00"), creditNote("C1", "50.00")]
    const calls = sent(plan(books, heldFor([invoice()])))
    assert.deepStrictEqual(
      calls.map(([rule]) => rule),
      ["T6", "P1", "T12"]
    )
    assert.deepStrictEqual(calls[2]![2], { paid_date: "2026-01-15" })
  })

  it("T13: an invoice that is open again reports the reversal and needs a person", () => {
    const paid = [invoice(), payment("P1", "120.00")]
    const decision = plan([...paid, reversal("R1", "120.00", "error", { payment: "P1" })], heldFor(paid))
    assert.deepStrictEqual(
      sent(decision).map(([rule]) => rule),
      ["P2"]
    )
    assert.deepStrictEqual(
      decision.attention.map(({ rule, why }) => [rule, why]),
      [["T13", "it is paid on the service, but 120.00 GBP is open again in the source"]]
    )
    // Paid once more: the attention is over, and there is no second PUT paid.
    const again = [...paid, reversal("R1", "120.00", "error", { payment: "P1" }), payment("P2", "120.00", "2026-02-01")]
    const last = plan(again, heldFor([...paid, reversal("R1", "120.00", "error", { payment: "P1" })], heldFor(paid)))
    assert.deepStrictEqual(
      sent(last).map(([rule]) => rule),
      ["P1"]
    )
    assert.isEmpty(last.attention)
  })

  it("T13: what a corrected payment left is that payment's item where that one names the invoice, and nowhere else", () => {
    const before = [invoice(), payment("P1", "120.00")]
    const left = (named: boolean) => {
      const unplaced = [{ key: key("payment", "P1"), date: day("2026-01-15"), amount: Decimal.of("100.00"), named }]
      return reconcile({ ...about([invoice()]), unplaced }, heldFor(before), planning).attention.map(({ why }) => why)
    }
    assert.deepStrictEqual(left(true), [])
    assert.deepStrictEqual(left(false), ["it is paid on the service, but 120.00 GBP is open again in the source"])
  })
})
