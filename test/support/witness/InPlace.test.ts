/** What the witness says of money that stands under the key of a list that states it no more, while another still does. */
import { assert, describe, it } from "@effect/vitest"
import { judgeInvoices } from "./Invoices.ts"
import { type PlainDocument, type PlainTransaction, units } from "../../../sync/witness/Plain.ts"

const invoice: PlainDocument = {
  kind: "invoice",
  id: "I1",
  number: "INV-1",
  status: "open",
  currency: "EUR",
  gross: units("500")
}

const payment = (id: string, amount: string, changes: Partial<PlainDocument> = {}): PlainDocument => ({
  kind: "payment",
  id,
  shares: [{ invoice: "I1", amount: units(amount) }],
  date: "2026-01-20",
  ...changes
})

const there = (details: string, amount: string): PlainTransaction => ({
  unique_id: "books/invoice/I1",
  status: "pending",
  currency: "EUR",
  due: "500.00",
  payments: [{ details, amount, day: "2026-01-20" }]
})

describe("the witness of invoices", () => {
  it("accepts what stands under one list's key where only another still states it, and no more than that", () => {
    const judged = (
      documents: ReadonlyArray<PlainDocument>,
      paid: ReadonlyArray<PlainDocument>,
      transaction: PlainTransaction
    ) =>
      judgeInvoices(
        { connection: "books", documents: [invoice, ...documents], paying: { connection: "debits", documents: paid } },
        { transactions: [transaction], printed: [], attention: new Set() }
      ).filter((one) => !one.includes("statement"))
    const corrected = payment("D1", "50", { currency: "EUR", shares: [], unallocated: units("50") })
    // The other list corrected its payment to another amount, or deleted it.
    const own = payment("P1", "77")
    assert.deepStrictEqual(judged([own], [corrected], there("debits/payment/D1", "77")), [])
    assert.deepStrictEqual(judged([own], [], there("debits/payment/D1", "77")), [])
    assert.isNotEmpty(judged([], [corrected], there("debits/payment/D1", "77")))
    // The books deleted it.
    const linked = payment("D1", "77", { currency: "EUR" })
    assert.deepStrictEqual(judged([], [linked], there("books/payment/P1", "77")), [])
    assert.isNotEmpty(judged([], [], there("books/payment/P1", "77")))
    assert.isNotEmpty(judged([], [linked], there("books/payment/P1", "70")))
  })
})
