/**
 * Public samples of what sources send, where they are present beside this checkout: each record becomes documents, or
 * says why it is none, with every amount and day as it was written.
 */
import { assert, describe, it } from "vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Day from "../../../core/wire/Day.ts"
import * as Json from "../../../connectors/Json.ts"
import * as GoCardless from "../../../connectors/gocardless/Mapping.ts"
import * as QuickBooks from "../../../connectors/quickbooks/Mapping.ts"
import * as Stripe from "../../../connectors/stripe/Mapping.ts"
import * as Tryton from "../../../connectors/tryton/Mapping.ts"
import * as Xero from "../../../connectors/xero/Mapping.ts"

const FOLDER = ["../shared/samples", "../../shared/samples"].find((path) => existsSync(path))

const load = (path: string): Json.Fields =>
  new Json.Fields(Json.parse(readFileSync(`${FOLDER}/${path}`, "utf8")) as Json.Members)

/** Skips, and says so, where the samples are not there. */
const present = (skip: (why: string) => void): boolean => {
  if (FOLDER !== undefined) return true
  console.info("the public samples are not beside this checkout (../shared/samples): skipped")
  skip("the public samples are not here")
  return false
}

describe("public samples", () => {
  it("of GoCardless", ({ skip }) => {
    if (!present(skip)) return
    const payments = Json.objects(load("gocardless/fixtures/payments.json").get("list.body.payments"))
    const refunds = Json.objects(load("gocardless/fixtures/refunds.json").get("list.body.refunds"))
    const events = Json.objects(load("gocardless/fixtures/events.json").get("list.body.events"))
    assert.isAbove(payments.length, 0)
    for (const record of payments) {
      const decode = (changes: object) =>
        GoCardless.payment("reference")(
          new Json.Fields({ id: record["id"], payment: { ...record, ...changes }, events, refunds } as never)
        ).documents
      // As it is: submitted, so no money has come, and none can be given back.
      const [tried, ...more] = decode({})
      assert.deepInclude(tried, { kind: "payment", id: "PM123", date: Day.of("2014-05-21"), tried: "pending" })
      assert.deepStrictEqual(more, [])
      const [received, back] = decode({ status: "confirmed" })
      assert.deepInclude(received, { kind: "payment", id: "PM123", date: Day.of("2014-05-21"), currency: "EUR" })
      assert.deepStrictEqual((received as { shares: unknown }).shares, [
        { invoice: "WINEBOX001", amount: 10n * 10n ** 8n }
      ])
      assert.deepInclude(back, {
        kind: "reversal",
        id: "RF123",
        payment: "PM123",
        date: Day.of("2014-01-01"),
        type: "refund"
      })
    }
  })

  it("of Stripe", ({ skip }) => {
    if (!present(skip)) return
    const one = (name: string) => load(`stripe/resources/${name}.json`).record
    const decode = (changes: { readonly [name: string]: object }) =>
      Stripe.invoice(
        new Json.Fields({
          id: one("invoice")["id"],
          payments: [],
          refunds: [],
          disputes: [],
          credit_notes: [],
          ...changes,
          invoice: { ...one("invoice"), ...changes["invoice"] }
        } as never)
      ).documents
    const [invoice] = decode({})
    assert.deepInclude(invoice, { kind: "invoice", id: "in_1Pgc6tB7WZ01zgkWu9fdqL6I", currency: "USD" })
    assert.deepInclude(invoice, { issued: Day.of("2009-02-13"), due: Day.of("2009-02-13"), gross: 10n * 10n ** 8n })
    const [, refund, dispute, note] = decode({
      refunds: [one("refund")],
      disputes: [{ ...one("dispute"), status: "lost" }],
      credit_notes: [one("credit_note")]
    })
    assert.deepInclude(refund, { kind: "reversal", id: "re_1Pgc72B7WZ01zgkWqPvrRrPE", type: "refund" })
    assert.deepInclude(dispute, { kind: "reversal", id: "dp_1Pgc71B7WZ01zgkWMevJiAUx", type: "chargeback" })
    assert.deepInclude(note, { kind: "credit_note", id: "cn_1Pgc75B7WZ01zgkWJMPt5riP", date: Day.of("2009-02-13") })
    // What a note took off the invoice before it was paid is made up in the sample, and not its total.
    const amounts = [refund, dispute, note].map(
      (each) => (each as unknown as { shares: [{ amount: bigint }] }).shares[0].amount
    )
    assert.deepStrictEqual(
      amounts,
      [100n, 1000n, 251024947n].map((minor) => minor * 10n ** 6n)
    )
    // The sample of a payment names "currency" as its currency: it is the text of a reference, no record.
    const paid = { ...one("invoice_payment"), currency: "usd", status: "paid", amount_paid: 1112626247 }
    const [, payment] = decode({ payments: [Json.parse(JSON.stringify(paid)) as object] })
    assert.deepInclude(payment, { kind: "payment", id: "obj_123", date: Day.of("2002-08-05") })
    // Inquiries move no money.
    assert.strictEqual(decode({ disputes: [one("dispute")] }).length, 1)
  })

  it("of QuickBooks Online", ({ skip }) => {
    if (!present(skip)) return
    const folder = "quickbooks/examples"
    const found = readdirSync(`${FOLDER}/${folder}`).filter((name) => name.endsWith(".json"))
    // Answers wrap their record in its name; the other files are what is sent, or parts of it.
    const answers = found.map((name) => load(`${folder}/${name}`).record)
    const decode = (name: string, mapping: QuickBooks.Mapping) =>
      answers.flatMap((one) =>
        Json.isObject(one[name]) ? mapping({ currency: "USD" })(new Json.Fields(one[name])).documents : []
      )
    const [invoice] = decode("Invoice", QuickBooks.invoice)
    assert.deepInclude(invoice, { kind: "invoice", id: "130", number: "1037", status: "open", currency: "USD" })
    assert.deepInclude(invoice, { issued: Day.of("2019-12-20"), due: Day.of("2020-01-19"), gross: 100n * 10n ** 8n })
    assert.deepStrictEqual(decode("Payment", QuickBooks.payment), [
      {
        kind: "payment",
        id: "145",
        date: Day.of("2023-10-15"),
        currency: "USD",
        shares: [{ invoice: "130", amount: 555n * 10n ** 8n }],
        method: "cash"
      }
    ])
    // The refund in the samples is of a sale that was paid at once; named for an invoice, it takes its amount back.
    const refunds = answers.flatMap((one) => (Json.isObject(one["RefundReceipt"]) ? [one["RefundReceipt"]] : []))
    assert.isAbove(refunds.length, 0)
    for (const record of refunds) {
      assert.deepStrictEqual(QuickBooks.refund({ currency: "USD" })(new Json.Fields(record)).documents, [])
      const linked = { ...record, LinkedTxn: [{ TxnId: "130", TxnType: "Invoice" }] }
      const [back] = QuickBooks.refund({ currency: "USD" })(new Json.Fields(linked)).documents
      assert.deepInclude(back, { kind: "reversal", id: "162", date: Day.of("2025-01-15") })
      assert.deepInclude(back, { shares: [{ invoice: "130", amount: 99n * 10n ** 8n }] })
    }
  })

  it("of Xero", ({ skip }) => {
    if (!present(skip)) return
    const decode = (list: string, map: (fields: Json.Fields) => Json.Decoded) => {
      const records = Json.objects(load(`xero/examples/get_${list}.200.json`).get(list))
      assert.isAbove(records.length, 0)
      return records.flatMap((record) => map(new Json.Fields(record)).documents)
    }
    const invoices = decode("Invoices", Xero.invoice)
    const shown = invoices.map(
      (one) => one.kind === "invoice" && [one.number, one.status, one.issued, one.due, one.gross]
    )
    assert.deepStrictEqual(shown, [
      ["INV-0001", "void", Day.of("2018-10-20"), Day.of("2018-12-30"), 4000n * 10n ** 6n],
      ["INV-0002", "paid", Day.of("2018-10-20"), Day.of("2018-12-30"), 4600n * 10n ** 6n],
      ["INV-0003", "open", Day.of("2018-11-02"), Day.of("2018-11-07"), 11500n * 10n ** 6n]
    ])
    // The second payment pays out a credit note: no invoice is touched.
    const payments = decode("Payments", Xero.payment)
    assert.strictEqual(payments.length, 1)
    assert.deepInclude(payments[0], { id: "99ea7f6b-c513-4066-bc27-b7c65dcd76c2", date: Day.of("2018-11-29") })
    assert.deepInclude(payments[0], {
      shares: [{ invoice: "046d8a6d-1ae1-4b4d-9340-5601bdf41b87", amount: 4600n * 10n ** 6n }]
    })
    // None of these is allocated to an invoice, so none is a fact yet.
    assert.deepStrictEqual(decode("CreditNotes", Xero.creditNote), [])
    assert.deepStrictEqual(decode("Prepayments", Xero.prepayment), [])
    for (const one of decode("Overpayments", Xero.overpayment)) assert.strictEqual(one.kind, "payment")
  })

  it("of Tryton", ({ skip }) => {
    if (!present(skip)) return
    // The samples were asked for without the company's currency, which is the invoices' own.
    const own = { "company.": { "currency.": { code: "USD" } } }
    const records = Json.objects(load("tryton/sample_invoices.json").get("result")).map((one) => ({ ...one, ...own }))
    const lines = Json.objects(load("tryton/sample_lines.json").get("result")).map(Tryton.line)
    assert.isAbove(records.length, 0)
    const decode = Tryton.invoice(new Map(lines.map((line) => [line.id, line])))
    const invoices = records.flatMap((record) => decode(new Json.Fields(record)).documents)
    const shown = invoices.map((one) => one.kind === "invoice" && [one.id, one.status, one.issued, one.net, one.gross])
    const issued = Day.of("2026-11-20")
    assert.deepStrictEqual(shown.slice(0, 4), [
      ["4", "open", issued, 100000n * 10n ** 6n, 120000n * 10n ** 6n],
      ["3", "void", issued, 9999n * 10n ** 6n, 11999n * 10n ** 6n],
      ["2", "paid", issued, 20000n * 10n ** 6n, 24000n * 10n ** 6n],
      ["1", "open", issued, 20000n * 10n ** 6n, 24000n * 10n ** 6n]
    ])
    // Every record is a customer's invoice or a credit note, and none is lost.
    const notes = records.filter((record) => Tryton.bill(record).total < 0n)
    assert.strictEqual(invoices.length + notes.length, records.length)
    // Which move is whose was not asked for either: lines without an invoice's own move are money.
    const facts = Tryton.settle({ bills: records.map(Tryton.bill), lines: lines.filter(({ id }) => id === "15") })
    assert.deepInclude(facts.get("15"), {
      kind: "payment",
      date: issued,
      currency: "USD",
      shares: [{ invoice: "4", amount: 40000n * 10n ** 6n }]
    })
  })
})
