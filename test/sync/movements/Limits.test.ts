/** The limits of what one invoice counts, of what several lists have of it. */
import { assert, describe, it } from "@effect/vitest"
import type { Payment } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Day } from "../../../core/wire/Day.ts"
import type { Fact, InvoiceFacts } from "../../../sync/model/InvoiceFacts.ts"
import type { Answers } from "../../../sync/movements/Join.ts"
import { certain } from "../../../sync/movements/Limits.ts"

const NONE: Answers = { same: new Set(), apart: new Set() }

const day = (n: number): Day => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10) as Day

const payment = (key: string, n: number, amount: string): Fact<Payment> => ({
  key,
  amount: Decimal.of(amount),
  document: { kind: "payment", id: key, date: day(n), shares: [] }
})

const facts = (payments: ReadonlyArray<Fact<Payment>>, gross = "1000.00"): InvoiceFacts => ({
  key: "books/invoice/1",
  connection: "books",
  invoice: {
    kind: "invoice",
    id: "1",
    number: "1",
    status: "open",
    party: { name: "Meyer" },
    currency: "EUR",
    issued: day(0),
    due: day(30),
    gross: Decimal.of(gross)
  },
  deleted: false,
  payments,
  reversals: [],
  creditNotes: []
})

const held = (payments: ReadonlyArray<Fact<Payment>>, gross?: string, stands = (_: string) => false) => {
  const found = certain(facts(payments, gross), stands, NONE)
  return {
    counted: found.payments.map(({ key }) => key),
    waits: (found.waiting ?? []).map(({ fact, like }) => `${fact.key} ~ ${like.map(({ key }) => key).join(" ")}`)
  }
}

describe("the limits of one invoice", () => {
  it("a payment that may be another list's waits, with both sides", () => {
    const alike = [payment("books/payment/P1", 0, "400.00"), payment("bank/payment/B1", 20, "400.00")]
    assert.deepStrictEqual(held(alike), {
      counted: ["books/payment/P1"],
      waits: ["bank/payment/B1 ~ books/payment/P1"]
    })
    const fee = [payment("books/payment/P1", 0, "400.00"), payment("bank/payment/B1", 1, "390.00")]
    assert.deepStrictEqual(
      held(fee).waits,
      ["bank/payment/B1 ~ books/payment/P1"],
      "somebody may have typed a wrong digit"
    )
    const fees = [payment("debits/payment/D1", 0, "400.00"), payment("bank/payment/B1", 1, "390.00")]
    assert.deepStrictEqual(held(fees, "400.00").waits, ["bank/payment/B1 ~ debits/payment/D1"], "neither is the books'")
    const later = [payment("books/payment/P1", 0, "400.00"), payment("bank/payment/B1", 2, "390.00")]
    assert.deepStrictEqual(held(later).waits, [], "a fee is kept back of what settles an invoice, not of a part")
    const parts = [
      payment("books/payment/P1", 0, "600.00"),
      payment("bank/payment/B1", 1, "200.00"),
      payment("bank/payment/B2", 2, "400.00")
    ]
    assert.deepStrictEqual(held(parts), {
      counted: ["books/payment/P1"],
      waits: ["bank/payment/B1 ~ books/payment/P1", "bank/payment/B2 ~ books/payment/P1"]
    })
  })

  it("what a bank took its fee of is what the books have whole, whichever came first", () => {
    const [books, bank] = [payment("books/payment/P1", 3, "400.00"), payment("bank/payment/B1", 1, "390.00")]
    for (const stands of [() => false, (key: string) => key === bank.key]) {
      const { payments, waiting = [] } = certain(facts([books, bank], "400.00"), stands, NONE)
      assert.deepStrictEqual(waiting, [])
      assert.deepStrictEqual(
        payments.map(({ amount, seen = [] }) => [amount, seen.length]),
        [[books.amount, 1]]
      )
    }
    const late = payment("books/payment/P1", 27, "400.00")
    assert.strictEqual(certain(facts([late, bank], "400.00"), () => false, NONE).waiting?.length, 1, "too far apart")
  })

  it("what was left to pay of an invoice may be of the same money, if the whole of the payment is", () => {
    const books = payment("books/payment/P1", 0, "738.06")
    const rest = (n: number, whole: string) => ({
      ...payment("bank/payment/B1", n, "1.00"),
      rest: Decimal.of(whole) - Decimal.of("1.00")
    })
    const same = { counted: ["books/payment/P1"], waits: ["bank/payment/B1 ~ books/payment/P1"] }
    assert.deepStrictEqual(held([books, rest(0, "731.56")], "739.06"), same)
    assert.deepStrictEqual(held([books, rest(20, "738.06")], "739.06"), same)
    assert.deepStrictEqual(held([books, rest(0, "500.00")], "739.06").waits, [])
  })

  it("no more is counted than the invoice asks for, unless one list alone says so", () => {
    const over = [payment("books/payment/P1", 0, "70.00"), payment("debits/payment/D1", 50, "50.00")]
    assert.deepStrictEqual(held(over, "100.00"), {
      counted: ["books/payment/P1"],
      waits: ["debits/payment/D1 ~ books/payment/P1"]
    })
    const alone = [payment("books/payment/P1", 0, "70.00"), payment("books/payment/P2", 50, "50.00")]
    assert.deepStrictEqual(held(alone, "100.00").waits, [])
  })

  it("a list that says nothing of the invoice does not say that more was received", () => {
    const line = payment("bank/payment/B1", 0, "120.00")
    const entry = payment("books/payment/P1", 50, "120.00")
    const seen = (how: string) => [{ ...entry, seen: [{ key: "bank/payment/B2", date: entry.document.date, how }] }]
    for (const how of ["payer", "late"]) assert.strictEqual(held([line, ...seen(how)], "120.00").waits.length, 1, how)
    assert.deepStrictEqual(held([line, ...seen("invoice")], "120.00").waits, [])
  })

  it("what stands on the service stays", () => {
    const over = [payment("books/payment/P1", 0, "70.00"), payment("debits/payment/D1", 50, "50.00")]
    assert.deepStrictEqual(held(over, "100.00", () => true).waits, [])
  })

  it("a part of a payment for several is the books' payment of the same invoice and amount", () => {
    const line = payment("bank/payment/B1", 1, "400.00")
    const shares = [
      { invoice: "1", amount: Decimal.of("400.00") },
      { invoice: "2", amount: Decimal.of("300.00") }
    ]
    const part = { ...line, document: { ...line.document, shares } }
    const found = certain(facts([part, payment("books/payment/P1", 0, "400.00")]), () => false, NONE)
    assert.deepStrictEqual(
      found.payments.map(({ key, seen = [] }) => [key, ...seen.map((one) => one.key)]),
      [["books/payment/P1", "bank/payment/B1"]]
    )
    assert.isUndefined(found.waiting)
    const late = payment("books/payment/P1", 20, "400.00")
    const waits = (gross: string) =>
      certain(facts([part, late], gross), (key) => key === part.key, NONE).waiting?.length
    assert.strictEqual(waits("1000.00"), 1, "it may have both")
    assert.isUndefined(waits("400.00"), "books are late")
    const refund = {
      key: "bank/reversal/R1",
      amount: Decimal.of("300.00"),
      document: {
        kind: "reversal" as const,
        id: "R1",
        date: day(9),
        shares: [],
        type: "refund" as const,
        payment: "B1"
      }
    }
    const unsure = certain(
      { ...facts([part, payment("books/payment/P1", 0, "400.00")]), reversals: [refund] },
      () => false,
      NONE
    )
    assert.deepStrictEqual(
      [unsure.payments, unsure.waiting ?? []].map((all) => all.length),
      [1, 1]
    )
    assert.deepStrictEqual(unsure.reversals, [])
  })

  it("books that have only what is left after a refund may have the same money; what went back of it waits as well", () => {
    const payments = [payment("books/payment/P1", 0, "60.00"), payment("debits/payment/PM1/1", 1, "100.00")]
    const refund = {
      key: "debits/reversal/RF1/1",
      amount: Decimal.of("40.00"),
      document: {
        kind: "reversal" as const,
        id: "RF1/1",
        date: day(9),
        shares: [],
        type: "refund" as const,
        payment: "PM1"
      }
    }
    const found = certain({ ...facts(payments, "100.00"), reversals: [refund] }, () => false, NONE)
    assert.deepStrictEqual(
      (found.waiting ?? []).map(({ fact }) => fact.key),
      ["debits/payment/PM1/1"]
    )
    assert.deepStrictEqual(found.reversals, [])
    // What the service has of it stays.
    const standing = certain({ ...facts(payments, "100.00"), reversals: [refund] }, (key) => key === refund.key, NONE)
    assert.deepStrictEqual(standing.reversals, [refund])
  })
})
