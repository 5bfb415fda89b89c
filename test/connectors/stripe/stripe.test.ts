/** Stripe where the kit does not reach: what was a fact and is none any more, and currencies that it counts its own way. */
import { assert, describe, it } from "vitest"
import * as Document from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import * as Mapping from "../../../connectors/stripe/Mapping.ts"
import { subject } from "../../../connectors/stripe/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

const AT = 1_770_112_800

const whole = (parts: Readonly<Record<string, object>> = {}) => {
  const { invoice = {}, ...lists } = parts
  const record = {
    id: "in_1",
    payments: [
      {
        id: "inpay_1",
        invoice: "in_1",
        amount_paid: 10_000,
        status: "paid",
        created: AT,
        payment: { payment_intent: "pi_1" }
      }
    ],
    refunds: [],
    disputes: [],
    credit_notes: [],
    ...lists,
    invoice: { id: "in_1", status: "paid", currency: "gbp", customer_name: "A", created: AT, total: 10_000, ...invoice }
  }
  return Mapping.invoice(new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members))
}

/** The facts beside the invoice and its payment: `reversal re_1 20`. */
const facts = ({ documents }: Json.Decoded) =>
  documents.slice(2).map((one) => {
    assert.isTrue(Document.isAllocated(one))
    return `${one.kind} ${one.id} ${Document.isAllocated(one) ? Decimal.format(one.shares[0]!.amount) : ""}`
  })
const deleted = (decoded: Json.Decoded) => (decoded.deleted ?? []).map(({ id, kind }) => `${kind} ${id}`)

describe("Stripe's refunds", () => {
  const refund = (status: string) =>
    whole({ refunds: [{ id: "re_1", payment_intent: "pi_1", amount: 2000, currency: "gbp", created: AT, status }] })

  it("count from the moment they are asked for, and no longer when they fail", () => {
    for (const status of ["pending", "succeeded"]) assert.deepStrictEqual(facts(refund(status)), ["reversal re_1 20"])
    for (const status of ["failed", "canceled", "requires_action"]) {
      assert.deepStrictEqual(facts(refund(status)), [])
      assert.include(deleted(refund(status)), "reversal re_1")
    }
  })

  it("that fail late are gone from the books after the next pull", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    assert.isTrue(fold(first.pages).has("reversal/re_1"))
    const { events } = stage.source!.lists
    const [asked] = copy([{ id: "evt_9", type: "refund.failed", created: AT + 26 * 86_400 }])
    const { answer } = stage.source!
    // The refund itself, as it is asked for again.
    const source = {
      ...stage.source!,
      answer: (...all: Parameters<typeof answer>) => {
        const answered = answer(...all)
        const { data } = (answered?.body ?? {}) as { data?: ReadonlyArray<Record<string, unknown>> }
        for (const one of data ?? []) if (one["id"] === "re_1") one["status"] = "failed"
        return answered
      }
    }
    events!.records.unshift({ ...asked, data: { object: { id: "re_1", object: "refund", payment_intent: "pi_1" } } })
    const last = first.pages[first.pages.length - 1]!
    const next = await run(subject, { ...stage, source }, { after: bookmark(subject.connector, last) })
    assert.isFalse(fold([...first.pages, ...next.pages]).has("reversal/re_1"))
  })
})

describe("Stripe's payments for several invoices", () => {
  const paid = (id: string, invoice: string, amount_paid: number) => ({
    id,
    invoice,
    amount_paid,
    currency: "gbp",
    status: "paid",
    created: AT,
    payment: { type: "payment_intent", payment_intent: "pi_1" }
  })
  const shared = [paid("inpay_1", "in_1", 10_000), paid("inpay_2", "in_2", 5000)]

  it("that are refunded give each invoice its part, to the penny", () => {
    const refund = (amount: number) => [
      { id: "re_1", payment_intent: "pi_1", amount, currency: "gbp", created: AT, status: "succeeded" }
    ]
    const of = (id: string, amount: number) =>
      facts(
        whole({
          invoice: { id },
          payments: shared.filter(({ invoice }) => invoice === id),
          refunds: refund(amount),
          shared
        })
      )
    assert.deepStrictEqual(of("in_1", 15_000), ["reversal re_1/in_1 100"])
    assert.deepStrictEqual(of("in_2", 15_000), ["reversal re_1/in_2 50"])
    assert.deepStrictEqual(
      [...of("in_1", 1000), ...of("in_2", 1000)],
      ["reversal re_1/in_1 6.67", "reversal re_1/in_2 3.33"]
    )
    // Known by the one invoice first, and then by both.
    assert.include(deleted(whole({ refunds: refund(1000), shared })), "reversal re_1")
    assert.include(deleted(whole({ refunds: refund(1000), shared: shared.slice(0, 1) })), "reversal re_1/in_1")
  })

  it("that are charged back and won give each invoice its part, there and back", () => {
    const disputes = [
      { id: "dp_1", payment_intent: "pi_1", amount: 15_000, currency: "gbp", created: AT, status: "won" }
    ]
    assert.deepStrictEqual(facts(whole({ disputes, shared })), ["reversal dp_1/in_1 100", "payment dp_1/in_1/won 100"])
  })

  it("are read with what they pay elsewhere, and every invoice is read again when money goes back", async () => {
    const stage = subject.open()
    const { events, invoices } = stage.source!.lists
    assert.isAbove(invoices!.records.length, 0)
    const first = await run(subject, stage)
    events!.records.unshift(
      ...copy([
        {
          id: "evt_9",
          type: "refund.updated",
          created: AT + 26 * 86_400,
          data: { object: { id: "re_1", object: "refund", payment_intent: "pi_1" } }
        }
      ])
    )
    const last = first.pages[first.pages.length - 1]!
    const next = await run(subject, stage, { after: bookmark(subject.connector, last) })
    const asked = next.asked.map(({ path, query }) => `${path} ${query.get("payment[payment_intent]") ?? ""}`)
    assert.include(asked, "/v1/invoice_payments pi_1")
    assert.deepStrictEqual(fold([...first.pages, ...next.pages]), fold(first.pages))
  })

  it("that are taken off their invoice are gone", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const { events, invoice_payments } = stage.source!.lists
    invoice_payments!.records.splice(
      invoice_payments!.records.findIndex(({ id }) => id === "inpay_1"),
      1
    )
    const object = { id: "inpay_1", object: "invoice_payment", invoice: "in_1" }
    events!.records.unshift(
      ...copy([{ id: "evt_9", type: "invoice_payment.detached", created: AT + 26 * 86_400, data: { object } }])
    )
    const last = first.pages[first.pages.length - 1]!
    const next = await run(subject, stage, { after: bookmark(subject.connector, last) })
    const state = fold([...first.pages, ...next.pages])
    assert.deepStrictEqual([state.has("payment/inpay_1"), state.has("invoice/in_1")], [false, true])
  })
})

describe("Stripe's disputes", () => {
  const dispute = (status: string) =>
    whole({ disputes: [{ id: "dp_1", payment_intent: "pi_1", amount: 10_000, currency: "gbp", created: AT, status }] })

  it("take the money for as long as they are open or lost, and bring it back when they are won", () => {
    for (const status of ["needs_response", "under_review", "lost"]) {
      assert.deepStrictEqual(facts(dispute(status)), ["reversal dp_1 100"])
      assert.include(deleted(dispute(status)), "payment dp_1/won")
    }
    assert.deepStrictEqual(facts(dispute("won")), ["reversal dp_1 100", "payment dp_1/won 100"])
  })

  it("that never took money, or were prevented, are no chargebacks", () => {
    for (const status of ["warning_needs_response", "warning_closed", "prevented", "charge_refunded"]) {
      assert.deepStrictEqual(facts(dispute(status)), [])
      assert.include(deleted(dispute(status)), "reversal dp_1")
    }
  })
})

describe("Stripe's credit notes", () => {
  const note = (more: object) =>
    whole({ credit_notes: [{ id: "cn_1", currency: "gbp", total: 1000, status: "issued", created: AT, ...more }] })

  it("lower the invoice by what they took off before it was paid", () => {
    assert.deepStrictEqual(facts(note({ type: "pre_payment" })), ["credit_note cn_1 10"])
    const mixed = note({
      type: "mixed",
      pre_payment_amount: 400,
      post_payment_amount: 600,
      customer_balance_transaction: "b"
    })
    assert.deepStrictEqual(facts(mixed), ["credit_note cn_1 4"])
    assert.deepStrictEqual(facts(note({ type: "post_payment" })), [])
  })

  it("lower the invoice by what was paid back, and not by what is credited for later", () => {
    const after = { type: "post_payment", pre_payment_amount: 0, post_payment_amount: 1000 }
    const refunds = [{ refund: "re_1", amount_refunded: 700 }]
    assert.deepStrictEqual(facts(note({ ...after, refunds })), ["credit_note cn_1/refunded 10"])
    const partly = note({ ...after, refunds, customer_balance_transaction: "cbtxn_1" })
    assert.deepStrictEqual(facts(partly), ["credit_note cn_1/refunded 7"])
    assert.deepInclude(partly.documents.at(-1), { refunded: true })
    const voided = note({ ...after, refunds, status: "void" })
    assert.deepStrictEqual(facts(voided), [])
    assert.include(deleted(voided), "credit_note cn_1/refunded")
  })

  it("that are voided are gone", () => {
    assert.deepStrictEqual(facts(note({ status: "void", type: "pre_payment" })), [])
    assert.include(deleted(note({ status: "void", type: "pre_payment" })), "credit_note cn_1")
  })

  it("report money that was paid back past Stripe", () => {
    const outside = note({ type: "post_payment", out_of_band_amount: 300 })
    assert.deepStrictEqual(facts(outside), ["reversal cn_1/out_of_band 3", "credit_note cn_1/refunded 3"])
    assert.include(deleted(note({ status: "void", out_of_band_amount: 300 })), "reversal cn_1/out_of_band")
  })
})

describe("Stripe's invoices", () => {
  it("say when they were settled, also where no payment shows", () => {
    const paid = whole({ invoice: { status_transitions: { paid_at: AT + 86_400 } }, payments: [] })
    assert.propertyVal(paid.documents[0], "paidOn", "2026-02-04")
    const open = whole({ invoice: { status: "open", status_transitions: { paid_at: null } }, payments: [] })
    assert.notProperty(open.documents[0], "paidOn")
  })

  it("that were paid outside Stripe have a payment, of what no payment there accounts for", () => {
    const marked = { amount_paid: 15_000, amount_remaining: 0, status_transitions: { paid_at: AT + 86_400 } }
    const outside = whole({ invoice: { ...marked, total: 15_000 } })
    assert.deepStrictEqual(facts(outside), ["payment in_1/outside 50"])
    assert.propertyVal(outside.documents.at(-1), "date", "2026-02-04")
    for (const none of [whole({ invoice: { ...marked, amount_paid: 10_000 } }), whole({ invoice: { status: "open" } })])
      assert.include(deleted(none), "payment in_1/outside")
  })

  it("ask for what the customer owed from before as well", () => {
    const { documents } = whole({ invoice: { starting_balance: 2000, ending_balance: 0, total_excluding_tax: 8000 } })
    assert.deepInclude(documents[0], { gross: Decimal.of("120") })
    assert.notProperty(documents[0], "net")
  })

  it("are lowered by the customer's credit balance", () => {
    const balance = (starting_balance: number, ending_balance: number | null) =>
      whole({ invoice: { starting_balance, ending_balance } })
    assert.deepStrictEqual(facts(balance(-3000, 0)), ["credit_note in_1/balance 30"])
    assert.deepStrictEqual(facts(balance(-3000, -1000)), ["credit_note in_1/balance 20"])
    for (const none of [balance(0, 0), balance(-3000, null), balance(2000, 0)]) {
      assert.deepStrictEqual(facts(none), [])
      assert.include(deleted(none), "credit_note in_1/balance")
    }
  })

  it("are counted as Stripe counts their currency", () => {
    const gross = (currency: string) => {
      const [one] = whole({ invoice: { currency, total: 123_400 }, payments: [] }).documents
      return one?.kind === "invoice" && Decimal.format(one.gross!)
    }
    const counted = ["gbp", "jpy", "krw", "kwd", "isk", "ugx", "mga", "xof"].map((one) => `${one} ${gross(one)}`)
    assert.deepStrictEqual(counted, [
      "gbp 1234",
      "jpy 123400",
      "krw 123400",
      "kwd 123.4",
      "isk 1234",
      "ugx 1234",
      "mga 123400",
      "xof 123400"
    ])
  })

  it("with money in another currency are quarantined, not added up", () => {
    const refunds = [
      { id: "re_1", payment_intent: "pi_1", amount: 5, currency: "usd", created: AT, status: "succeeded" }
    ]
    assert.throws(() => whole({ refunds }), /is in USD, and its invoice in GBP/)
  })
})

describe("Stripe's debtors", () => {
  it("are called by their name, else by their email address, else by their id, which a notice names", () => {
    const called = (invoice: object) => {
      const { documents, notices = [] } = whole({ invoice: { customer: "cus_1", customer_name: null, ...invoice } })
      const [one] = documents
      return [one?.kind === "invoice" && one.party.name, notices.length]
    }
    assert.deepStrictEqual(called({ customer_name: "Tern & Sons" }), ["Tern & Sons", 0])
    assert.deepStrictEqual(called({ customer_email: "books@tern.example" }), ["books@tern.example", 0])
    assert.deepStrictEqual(called({}), ["cus_1", 1])
    const { notices } = whole({ invoice: { customer: { id: "cus_1" }, customer_name: "" } })
    assert.match(notices![0]!, /neither a name nor an email address/)
  })
})

describe("Stripe's interface", () => {
  it("is asked in the version that the mapping was written for", async () => {
    const { asked } = await run(subject, subject.open())
    assert.isNotEmpty(asked)
    for (const { headers } of asked) assert.strictEqual(headers["stripe-version"], "2025-05-28.basil")
  })

  it("is not asked for what a charge paid, which it does not state: a charge by itself stops nothing", async () => {
    const stage = subject.open()
    const { events, invoices } = stage.source!.lists
    const first = await run(subject, stage)
    // An invoice of old, paid by a charge, part of which came back.
    const old = stage.source!.lists["invoice_payments"]!.records.find(({ id }) => id === "inpay_1")
    Object.assign(old, { payment: { type: "charge", charge: "ch_1" } })
    const again = await run(subject, stage)
    assert.isUndefined(again.error)
    assert.isTrue(fold(again.pages).has("reversal/re_1"))
    events!.records.unshift(
      ...copy([
        {
          id: "evt_9",
          type: "charge.refunded",
          created: AT + 26 * 86_400,
          data: { object: { id: "ch_9", object: "charge" } }
        }
      ])
    )
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    assert.isUndefined(next.error)
    assert.isAbove(invoices!.records.length, 0)
  })
})
