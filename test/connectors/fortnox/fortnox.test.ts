/** Fortnox: what is set off, written off and taken back, and what it costs to know. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/fortnox/Sample.ts"
import * as Mapping from "../../../connectors/fortnox/Mapping.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const LATER = Date.parse("2026-03-01T12:30:00Z")

describe("fortnox", () => {
  it("reads by number what the lists do not say, and nothing else", async () => {
    const { asked } = await run(subject, subject.open())
    const byNumber = asked.flatMap(({ path }) => /\/3\/(\w+\/\d+)$/.exec(path)?.[1] ?? [])
    assert.deepStrictEqual(byNumber.sort(), [
      ...["invoicepayments/2012", "invoicepayments/2014", "invoices/1005", "invoices/1008", "invoices/1009"]
    ])
  })

  it("reads the invoice of a changed payment again, although its own time did not move", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const { invoices, payments } = stage.source!.lists
    Object.assign(payments!.records[2], { Booked: true, modified: LATER })
    Object.assign(invoices!.records[0], { Balance: 0 })
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const held = fold([...first.pages, ...next.pages])
    assert.match(held.get("invoice/1001")!, /"stated":\{"open":"0n"\}/)
    assert.match(held.get("payment/2013")!, /"amount":"75000000000n"/)
  })

  it("takes back what is not booked any more, and quarantines what it cannot tell", () => {
    const payment = { Number: "1", InvoiceNumber: "2", Currency: "SEK", Amount: "10", PaymentDate: "2026-02-03" }
    const mapped = (more: object) => Mapping.payment(new Json.Fields({ ...payment, ...more }))
    assert.deepStrictEqual(
      mapped({ Booked: false }).deleted?.map(({ kind }) => kind),
      ["payment", "reversal", "credit_note"]
    )
    assert.throws(() => mapped({}), /Booked|required/)
    assert.throws(() => mapped({ Booked: true, Amount: "-10" }), /required/)
  })
})
