/** The witness of invoices, where money went back in another list and nobody knows whose it was. */
import { assert, describe, it } from "@effect/vitest"
import { type PlainDocument, type PlainTransaction, units } from "../../../sync/witness/Plain.ts"
import { judgeInvoices } from "./Invoices.ts"

const INVOICE: PlainDocument = {
  kind: "invoice",
  id: "I1",
  number: "INV-1",
  reference: "090933755493\nRF18539007547034",
  status: "open",
  currency: "EUR",
  gross: units("500")
}
const held = (...payments: ReadonlyArray<readonly [string, string]>): PlainTransaction => ({
  unique_id: "books/invoice/I1",
  status: "pending",
  currency: "EUR",
  due: "500.00",
  payments: payments.map(([details, amount]) => ({ details, amount }))
})
const PRINTED = { connection: "books", currency: "EUR", books: "0.00", service: "0.00", differences: [], more: 0 }

describe("the witness of invoices", () => {
  it("lets an invoice wait for its state while another list has money that went back, which may be its own", () => {
    const debit = { kind: "payment", id: "D1", currency: "EUR", unallocated: units("500"), reference: "INV-1" }
    const there = [held(["debits/payment/D1", "500"])]
    const found = (back: Partial<PlainDocument>, ...more: ReadonlyArray<readonly [string, string]>) => {
      const reversal = { kind: "reversal", id: "B1", currency: "EUR", unallocated: units("500"), ...back }
      const paying = { connection: "debits", documents: [debit, reversal] }
      const transactions = [...there, ...more.map((one) => ({ ...held(one), unique_id: "books/invoice/I9" }))]
      return judgeInvoices(
        { connection: "books", documents: [INVOICE], paying },
        { transactions, printed: [PRINTED], attention: new Set(["books/invoice/I9"]) }
      ).filter((one) => one.includes("the status"))
    }
    assert.deepStrictEqual(found({}), [])
    assert.deepStrictEqual(found({ unallocated: units("77"), details: "UNPAID INV-1" }), [])
    assert.deepStrictEqual(found({ unallocated: units("77"), details: "UNPAID RF18 5390 0754 7034" }), [])
    const wrong = ["witness: books/invoice/I1: the status: paid by what was read, pending on the service"]
    assert.deepStrictEqual(found({ unallocated: units("77"), details: "UNPAID INV-11" }), wrong)
    assert.deepStrictEqual(found({ currency: "USD" }), wrong)
    // It was said whose it is.
    assert.deepStrictEqual(found({}, ["debits/reversal/B1", "-500"]), wrong)
  })
})
