/** Xero where the kit does not reach: days in other zones, prepayments, credit that is taken back, reading again by id. */
import { assert, describe, it } from "vitest"
import * as Json from "../../../connectors/Json.ts"
import { fold, run } from "../../../connectors/testing/index.ts"
import * as Mapping from "../../../connectors/xero/Mapping.ts"
import * as Day from "../../../core/wire/Day.ts"
import { subject } from "../../../connectors/xero/Sample.ts"

const decode = (mapping: (fields: Json.Fields) => Json.Decoded, record: object) =>
  mapping(new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members))

const invoice = {
  Type: "ACCREC",
  InvoiceID: "i-1",
  Status: "AUTHORISED",
  Contact: { Name: "Harbour Tea Ltd" },
  Date: "/Date(1769817600000+0000)/",
  CurrencyCode: "GBP",
  SubTotal: 100,
  Total: 120
}
const note = {
  Type: "ACCRECCREDIT",
  CreditNoteID: "cn-1",
  Status: "AUTHORISED",
  Date: "/Date(1769817600000+0000)/",
  CurrencyCode: "GBP",
  Allocations: [{ Amount: 20, Invoice: { InvoiceID: "i-1" } }]
}

describe("Xero's records", () => {
  it("have the day that it is where the organisation is", () => {
    const issued = (text: string): string | false => {
      const [one] = decode(Mapping.invoice, { ...invoice, Date: text }).documents
      return one?.kind === "invoice" && one.issued
    }
    // 2026-01-31 in London, and its midnights in Auckland, Calcutta and New York.
    assert.deepStrictEqual(
      ["1769817600000", "1769817600000+0000", "1769770800000+1300", "1769797800000+0530", "1769835600000-0500"].map(
        (millis) => issued(`/Date(${millis})/`)
      ),
      Array.from({ length: 5 }, () => "2026-01-31")
    )
  })

  it("say when they were settled, also where credit settled them", () => {
    const paid = { ...invoice, Status: "PAID", FullyPaidOnDate: "/Date(1771027200000+0000)/" }
    assert.deepInclude(decode(Mapping.invoice, paid).documents[0], { status: "paid", paidOn: Day.of("2026-02-14") })
    assert.notProperty(decode(Mapping.invoice, { ...paid, Status: "AUTHORISED" }).documents[0], "paidOn")
  })

  it("lower an invoice for as long as they are allocated to it", () => {
    assert.strictEqual(decode(Mapping.creditNote, note).documents.length, 1)
    const deleted = [{ kind: "credit_note", id: "cn-1" }]
    const dropped = [{ ...note.Allocations[0], IsDeleted: true }]
    for (const change of [{ Status: "VOIDED" }, { Status: "DELETED" }, { Allocations: [] }, { Allocations: dropped }]) {
      assert.deepStrictEqual(decode(Mapping.creditNote, { ...note, ...change }), { documents: [], deleted } as never)
    }
  })

  it("of every kind of money in advance pay what they are allocated to, and what was spent pays nothing", () => {
    const of = (mapping: typeof Mapping.overpayment, id: string, Type: string) =>
      decode(mapping, { ...note, Type, [id]: "x-1" }).documents.map(({ kind }) => kind)
    const pre = (type: string) => of(Mapping.prepayment, "PrepaymentID", type)
    const over = (type: string) => of(Mapping.overpayment, "OverpaymentID", type)
    for (const type of ["RECEIVE-PREPAYMENT", "ARPREPAYMENT"]) assert.deepStrictEqual(pre(type), ["payment"])
    for (const type of ["RECEIVE-OVERPAYMENT", "AROVERPAYMENT"]) assert.deepStrictEqual(over(type), ["payment"])
    assert.deepStrictEqual([...pre("SPEND-PREPAYMENT"), ...pre("APPREPAYMENT"), ...over("SPEND-OVERPAYMENT")], [])
  })
})

describe("Xero, read again by id", () => {
  it("brings what belongs to an invoice, as its own lists show it", async () => {
    const stage = subject.open()
    const pulled = fold((await run(subject, stage)).pages)
    const again = fold((await run(subject, stage, { reread: ["inv-1"] })).pages)
    assert.sameMembers([...again.keys()], ["invoice/inv-1", "payment/pay-1", "payment/over-1"])
    for (const [name, text] of again) assert.strictEqual(text, pulled.get(name))
  })
})
