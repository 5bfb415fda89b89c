/** Business Central: which of two applied entries counts, what is taken back, and what is asked for later. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/businesscentral/Sample.ts"
import * as Mapping from "../../../connectors/businesscentral/Mapping.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const invoice = {
  Document_Type: "Invoice",
  Document_No: "I-1",
  Entry_No: "7",
  Customer_No: "1",
  Customer_Name: "A Ltd"
}
const its_invoice = {
  ...{ ...invoice, Posting_Date: "2026-01-31", Original_Amount: "10", Remaining_Amount: "0", Open: false },
  Reversed: false
}
const payment = { Document_Type: "Payment", Document_No: "P-1", Entry_No: "8" }
const detail = {
  ...{
    Entry_No: "100",
    Cust_Ledger_Entry_No: "7",
    Entry_Type: "Application",
    Amount: "-10",
    Posting_Date: "2026-02-03"
  },
  ...{ Document_Type: "Payment", Document_No: "P-1", Unapplied: false, Unapplied_by_Entry_No: "0" }
}
const mapped = (more: object) =>
  Mapping.settlement("GBP")(new Json.Fields({ ...detail, its_entry: [its_invoice], ...more }))
const kinds = (more: object) => mapped(more).documents.map(({ kind }) => kind)

describe("businesscentral", () => {
  it("counts an application once, on the side that says what both are", () => {
    assert.deepStrictEqual(kinds({}), ["invoice", "payment"])
    assert.deepStrictEqual(kinds({ Document_Type: "Invoice" }), [])
    const ofPayment = { its_entry: [payment], Amount: "10" }
    assert.deepStrictEqual(kinds(ofPayment), [])
    const byInvoice = { ...ofPayment, Document_Type: "Invoice", Document_No: "I-1", its_invoice: [its_invoice] }
    assert.deepStrictEqual(kinds(byInvoice), ["invoice", "payment"])
  })

  it("quarantines what it cannot tell: entries without a type, amounts the wrong way, other currencies", () => {
    assert.throws(() => mapped({ Document_Type: " " }), /not a known type of document/)
    assert.throws(() => mapped({ Document_Type: "Refund" }), /not a known type of document/)
    assert.throws(() => mapped({ Entry_Type: "Something New" }), /not a known type of entry/)
    assert.throws(() => mapped({ Amount: "10" }), /raises what is owed/)
    assert.throws(() => mapped({ its_entry: [{ ...its_invoice, Currency_Code: "EUR" }] }), /the invoice's is another/)
    assert.throws(() => mapped({ Entry_No: "1 or 1" }), /not the number of an entry/)
    assert.throws(() => mapped({ Unapplied: undefined }), /must be true or false/)
    assert.throws(() => mapped({ its_entry: [{ ...its_invoice, Remaining_Amount: "3" }] }), /Remaining_Amount is not 0/)
  })

  it("deletes both entries of an application that is taken back", () => {
    const { deleted = [], documents } = mapped({ Unapplied: true, Unapplied_by_Entry_No: "99" })
    assert.deepStrictEqual(
      documents.map(({ kind }) => kind),
      ["invoice"]
    )
    assert.deepStrictEqual(deleted.map(({ id }) => id).sort(), ["100", "100", "99", "99"])
  })

  it("asks later for higher numbers only, less those that may be committed late, and for the invoice as it is then", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const { details, entries } = stage.source!.lists
    details!.records.push({ ...details!.records[0], Entry_No: 91_000, Amount: -750 })
    entries!.records[0].Remaining_Amount = 0
    entries!.records[0].Open = false
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const filters = next.asked.flatMap(({ query }) => query.get("$filter") ?? [])
    assert.include(filters, "Document_Type eq 'Invoice' and Entry_No gt 69911")
    assert.include(filters, "Entry_Type ne 'Initial Entry' and Entry_No gt 89914")
    const held = fold([...first.pages, ...next.pages])
    assert.match(held.get("invoice/70001")!, /"stated":\{"open":"0n"\}/)
    assert.match(held.get("payment/91000")!, /"amount":"75000000000n"/)
    const last = await run(subject, stage, { after: bookmark(subject.connector, next.pages.at(-1)!) })
    assert.include(
      last.asked.flatMap(({ query }) => query.get("$filter") ?? []),
      "Entry_Type ne 'Initial Entry' and Entry_No gt 90900"
    )
  })

  it("puts nothing but numbers and quoted texts into a filter, so that a broken record stops nothing", async () => {
    const stage = subject.open()
    const [first, second] = stage.source!.lists["details"]!.records
    first.Cust_Ledger_Entry_No = "0 or Entry_No gt 0"
    second.Document_No = "x' or Entry_No gt 0 or Document_No eq '"
    const { asked, error, pages } = await run(subject, stage)
    assert.isUndefined(error)
    assert.match(pages.flatMap(({ quarantined }) => quarantined)[0]!.why, /customer ledger does not have/)
    const filters = asked.flatMap(({ query }) => query.get("$filter") ?? []).join(" ")
    assert.notInclude(filters, "Entry_No eq 0 or Entry_No gt 0")
    assert.include(filters, "'x'' or Entry_No gt 0 or Document_No eq '''")
  })
})
