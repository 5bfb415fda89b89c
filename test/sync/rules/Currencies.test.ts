/**
 * Amounts of another currency than their invoice's enter none of its sums and no call: a person is told, naming both.
 *
 * The property at the end fails where `counted` is left out of `Invoices.ts`; what was reported and stands, where
 * `Payments.ts` forgets what is foreign; the rows of the ledger, where `LedgerStore.ts` writes them in the invoice's currency.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { bodyOf, type InvoiceCall } from "../../../sync/model/Call.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import type { Decision } from "../../../sync/model/Decision.ts"
import { oneOf } from "../../support/Books.ts"
import { about, creditNote, invoice, key, payment, planning, reversal } from "../../support/Documents.ts"
import { inWorld, open, report } from "../InWorld.ts"
import type { World } from "../World.ts"

const judge = (documents: ReadonlyArray<Document>, remote?: RemoteInvoice): Decision<InvoiceCall> =>
  reconcile(about(documents), remote, planning)

/** What the service holds once these calls were answered. */
const carried = (calls: ReadonlyArray<InvoiceCall>): RemoteInvoice =>
  calls.reduce<RemoteInvoice | undefined>((remote, call) => advanceInvoice(remote, call), undefined)!

const whys = ({ attention }: Decision) => attention.map(({ fact, why }) => [fact, why])
const operations = ({ calls }: Decision) => calls.map(({ operation }) => operation)

const euros = invoice({ currency: "EUR", gross: "500.00" })

describe("an invoice in euros", () => {
  it("is not paid by yen: a payment in another currency is not reported, and an attention item names both", () => {
    const decision = judge([euros, payment("P1", "10000", "2026-01-10", { currency: "JPY" })])
    assert.deepStrictEqual(operations(decision), ["transactions.create"])
    assert.strictEqual(decision.open, of("500"))
    assert.deepStrictEqual(whys(decision), [
      [key("payment", "P1"), "10,000 JPY received on 2026-01-10 is in JPY, and the invoice in EUR: it is not counted"]
    ])
  })

  it("is not marked as paid by the source's word alone while a payment of it cannot be counted", () => {
    const documents = [{ ...euros, status: "paid" as const }, payment("P1", "600", "2026-01-10", { currency: "USD" })]
    const decision = judge(documents)
    assert.deepStrictEqual(operations(decision), ["transactions.create"])
    assert.lengthOf(decision.attention, 1)
    assert.deepStrictEqual(operations(judge(documents, carried(decision.calls))), [])
    const own = judge([documents[0]!, payment("P1", "500.00", "2026-01-10", { currency: "EUR" })])
    assert.deepStrictEqual(operations(own), ["transactions.create", "transactions.createPayment", "transactions.paid"])
  })

  it("is not lowered by a credit note in yen, nor raised again by a reversal in dollars", () => {
    const decision = judge([
      euros,
      { ...creditNote("C1", "400"), currency: "JPY" },
      payment("P1", "100.00"),
      reversal("R1", "100.00", "refund", { currency: "USD" })
    ])
    assert.strictEqual(bodyOf(decision.calls[0]!)?.["gross_amount"], "500.00")
    assert.strictEqual(decision.open, of("400"))
    assert.deepStrictEqual(operations(decision), ["transactions.create", "transactions.createPayment"])
    assert.sameDeepMembers(whys(decision), [
      [key("credit_note", "C1"), "400 JPY credited on 2026-01-15 is in JPY, and the invoice in EUR: it is not counted"],
      [key("reversal", "R1"), "100.00 USD paid back on 2026-01-20 is in USD, and the invoice in EUR: it is not counted"]
    ])
  })

  it("keeps what was reported of a payment that is said to be in another currency since", () => {
    const remote = carried(judge([euros, payment("P1", "100.00")]).calls)
    const decision = judge([euros, payment("P1", "100", "2026-01-10", { currency: "JPY" })], remote)
    assert.deepStrictEqual(operations(decision), [])
    assert.deepStrictEqual(whys(decision), [
      [
        key("payment", "P1"),
        "100 JPY received on 2026-01-10 is in JPY, and the invoice in EUR: it is not counted; 100.00 EUR was reported of it"
      ]
    ])
  })

  it("takes the same facts in its own currency as they are", () => {
    const decision = judge([euros, payment("P1", "500.00", "2026-01-10", { currency: "EUR" })])
    assert.deepStrictEqual(decision.attention, [])
    assert.deepStrictEqual(operations(decision), [
      "transactions.create",
      "transactions.createPayment",
      "transactions.paid"
    ])
  })
})

describe("an invoice whose currency changes", () => {
  const dollars = invoice({ currency: "USD", gross: "600.00" })

  it("is patched while nothing hangs on it", () => {
    const remote = carried(judge([euros]).calls)
    const decision = judge([dollars], remote)
    assert.deepStrictEqual(operations(decision), ["transactions.update"])
    assert.deepStrictEqual(judge([dollars], carried([...judge([euros]).calls, ...decision.calls])).calls, [])
  })

  it("is left alone once payments were reported: nothing is sent, nothing is added up, there is an attention item", () => {
    const remote = carried(judge([euros, payment("P1", "100.00")]).calls)
    for (const facts of [[payment("P1", "100.00")], [payment("P1", "100.00"), payment("P2", "500.00")], []]) {
      const decision = judge([dollars, ...facts], remote)
      assert.deepStrictEqual(decision.calls, [])
      assert.strictEqual(decision.open, 0n)
      assert.deepStrictEqual(whys(decision), [
        [
          key("invoice", "I1"),
          "it is now 600.00 USD in the source; the service has it as 500.00 EUR, reported with 100.00 EUR received"
        ]
      ])
    }
  })

  it("is not amended either where it is insured", () => {
    const sentBefore = { ...carried(judge([euros]).calls), insured: true }
    const decision = judge([dollars], sentBefore)
    assert.deepStrictEqual(decision.calls, [])
    assert.deepStrictEqual(
      decision.attention.map(({ rule }) => rule),
      ["T8"]
    )
  })

  it("can still be voided", () => {
    const remote = carried(judge([euros, payment("P1", "100.00")]).calls)
    const decision = judge([{ ...dollars, status: "void" }], remote)
    assert.deepStrictEqual(operations(decision), ["transactions.remove"])
  })
})

describe("an amount that is finer than its currency", () => {
  it("of an invoice is not sent, and there is an attention item", () => {
    const decision = judge([invoice({ currency: "JPY", gross: "100.50" })])
    assert.deepStrictEqual(decision.calls, [])
    assert.deepStrictEqual(whys(decision), [
      [key("invoice", "I1"), "its amount 100.5 has more decimal places than JPY allows"]
    ])
  })

  it("of a payment without a currency is not counted on an invoice in yen", () => {
    const decision = judge([invoice({ currency: "JPY", gross: "100" }), payment("P1", "100.50")])
    assert.deepStrictEqual(operations(decision), ["transactions.create"])
    assert.strictEqual(decision.open, of("100"))
    assert.deepStrictEqual(whys(decision), [
      [key("payment", "P1"), "100.50 received on 2026-01-10 has more decimal places than JPY allows: it is not counted"]
    ])
  })
})

const ledger = (world: World) => open(world, "SELECT currency, books_open, service_open FROM ledger WHERE held <> ''")
const posted = ({ instance }: World) =>
  instance.journal.filter(({ method, path }) => method !== "GET" && !path.includes("organisations")).length

describe("books with two currencies", () => {
  it(
    "send the service nothing of a payment in yen on an invoice in euros, and add up neither",
    inWorld({}, async (world) => {
      world.documents = [euros, payment("P1", "10000", "2026-01-10", { currency: "JPY" })]
      const first = report(await world.sync())
      assert.deepStrictEqual([first.done, first.attention], [2, 1])
      assert.include(
        ledger(world).map((row) => JSON.stringify(row)),
        '{"currency":"EUR","books_open":50000,"service_open":50000}'
      )
      assert.deepStrictEqual(posted(world), 1)
    })
  )

  it(
    "keep the sums of an invoice whose currency changed apart, and send nothing of it",
    inWorld({}, async (world) => {
      world.documents = [euros, payment("P1", "100.00")]
      report(await world.sync())
      const before = posted(world)
      world.documents = [invoice({ currency: "JPY", gross: "40000" }), payment("P1", "100.00")]
      const second = report(await world.sync())
      assert.deepStrictEqual([second.done, second.attention], [0, 1])
      assert.strictEqual(posted(world), before)
      assert.include(
        ledger(world).map((row) => JSON.stringify(row)),
        '{"currency":"EUR","books_open":0,"service_open":40000}'
      )
    })
  )
})

/** Facts of one invoice in euros: most in its currency, or in none, some in another. */
const facts: Arbitrary.Arbitrary<ReadonlyArray<Document>> = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all({
      kind: oneOf("payment", "payment", "reversal", "credit_note"),
      currency: oneOf("EUR", undefined, "JPY", "USD", "KWD"),
      amount: oneOf("1.00", "250.00", "500.00", "0.10", "40000.00"),
      day: oneOf("2026-01-10", "2026-01-20")
    }),
    (one) => one
  ),
  { maxLength: 6 }
).pipe((all) =>
  Arbitrary.map(all, (list) =>
    list.map(({ amount, currency, day, kind }, n): Document => {
      const its = currency === undefined ? {} : { currency }
      if (kind === "payment") return payment(`P${n}`, amount, day, its)
      if (kind === "reversal") return reversal(`R${n}`, amount, "refund", { date: day, ...its })
      return { ...creditNote(`C${n}`, amount, undefined, day), ...its }
    })
  )
)

describe("facts of another currency", () => {
  it.prop(
    "change no call and no sum, whatever was sent before: with them it is as without, but that nothing is marked as paid",
    { before: facts, now: facts },
    ({ before, now }) => {
      const own = (documents: ReadonlyArray<Document>) =>
        documents.filter(({ currency }) => currency === undefined || currency === "EUR")
      const remote = carried(judge([euros, ...own(before)]).calls)
      const unpaid = ({ calls }: Decision) => calls.filter(({ operation }) => operation !== "transactions.paid")
      for (const state of [undefined, { ...remote, status: "pending" }]) {
        // What was reported of a fact that is in another currency now stands: so it counts as unchanged here.
        const stated = now.map((one) => before.find(({ id }) => id === one.id && state !== undefined) ?? one)
        const [all, some] = [judge([euros, ...stated], state), judge([euros, ...own(stated)], state)]
        assert.deepStrictEqual(unpaid(all), unpaid(some))
        assert.strictEqual(all.open, some.open)
        const foreign = stated.length - own(stated).length
        assert.strictEqual(all.attention.length, some.attention.length + foreign)
        if (foreign > 0) assert.lengthOf(unpaid(all), all.calls.length)
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
