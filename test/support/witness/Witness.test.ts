/**
 * Tests the witness itself: it reports nothing if all is well, and every error, above all a statement that agrees although
 * source and service do not.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { judgeInvoices, type InvoicesSeen } from "./Invoices.ts"
import { OrderWitness, type OrdersSeen } from "./Orders.ts"
import { type PlainDocument, type PlainPayment, type PlainTransaction, units } from "../../../sync/witness/Plain.ts"

const FOLDER = new URL("./", import.meta.url)

describe("what the witness knows", () => {
  it("it imports nothing but its own files, here and in the room that is shipped", () => {
    const OWN = /^(\.|\.\.\/\.\.\/\.\.\/sync\/witness)\/\w+\.ts$|^better-sqlite3$/
    const here = readdirSync(FOLDER).filter((name) => !name.endsWith(".test.ts"))
    const shipped = ["Plain", "Notes", "Invoices", "Payments", "Orders"].map(
      (name) => `../../../sync/witness/${name}.ts`
    )
    for (const name of [...here, ...shipped]) {
      const imports = readFileSync(new URL(name, FOLDER), "utf8").matchAll(/from "([^"]+)"/g)
      for (const [, from] of imports) assert.match(from!, OWN, `${name} imports ${from}`)
    }
  })
})

const invoice = (changes: Partial<PlainDocument> = {}): PlainDocument => ({
  kind: "invoice",
  id: "I1",
  number: "INV-1",
  status: "open",
  currency: "EUR",
  gross: units("500"),
  ...changes
})
const payment = (id: string, amount: string, changes: Partial<PlainDocument> = {}): PlainDocument => ({
  kind: "payment",
  id,
  shares: [{ invoice: "I1", amount: units(amount) }],
  ...changes
})
const held = (...payments: ReadonlyArray<readonly [string, string]>): PlainTransaction => ({
  unique_id: "books/invoice/I1",
  status: "pending",
  currency: "EUR",
  due: "500.00",
  payments: payments.map(([details, amount]) => ({ details, amount }))
})
const printed = (books: string, service: string, ...documents: ReadonlyArray<string>) => ({
  connection: "books",
  currency: "EUR",
  books,
  service,
  differences: documents.map((document) => ({ document })),
  more: 0
})
const judge = (
  documents: ReadonlyArray<PlainDocument>,
  transactions: ReadonlyArray<PlainTransaction>,
  statement: InvoicesSeen["printed"][number],
  ...attention: ReadonlyArray<string>
) =>
  judgeInvoices(
    { connection: "books", documents },
    { transactions, printed: [statement], attention: new Set(attention) }
  )

describe("the witness of invoices", () => {
  it("says nothing where source, service and statement are the same", () => {
    const documents = [invoice(), payment("P1", "77.00")]
    assert.deepStrictEqual(judge(documents, [held(["books/payment/P1", "77"])], printed("423.00", "423.00")), [])
  })

  it("names a payment that was never sent, though the statement agrees", () => {
    const documents = [invoice(), payment("P1", "77.00")]
    const found = judge(documents, [held()], printed("500.00", "500.00")).join("\n")
    assert.include(found, "books/payment/P1: 77.00 EUR by what was read, nothing on the service")
    assert.include(found, "the statement says 500.00 EUR is open, the documents say 423.00 EUR")
  })

  it("accepts it where the statement names the invoice, and its sums are true", () => {
    const documents = [invoice(), payment("P1", "77.00")]
    assert.deepStrictEqual(judge(documents, [held()], printed("423.00", "500.00", "books/invoice/I1")), [])
  })

  it("names a payment of another currency that entered the arithmetic, and one without an attention item", () => {
    const documents = [invoice(), payment("P1", "400", { currency: "JPY" })]
    const said = judge(documents, [held(["books/payment/P1", "400"])], printed("100.00", "100.00")).join("\n")
    assert.include(said, "books/payment/P1 is not in EUR, and counts in no sum, and nobody was told")
    assert.include(said, "the statement says 100.00 EUR is open, the documents say 500.00 EUR")
    assert.deepStrictEqual(judge(documents, [held()], printed("500.00", "500.00"), "books/payment/P1"), [])
  })

  it("names an invoice of which the source itself says another balance than was read of it", () => {
    const documents = [invoice({ stated: { open: units("423") } })]
    const found = judge(documents, [held()], printed("500.00", "500.00"))
    assert.deepStrictEqual(found, [
      "witness: books/invoice/I1: open: 423.00 EUR as the source itself says, 500.00 EUR by what was read",
      "witness: books/invoice/I1: open: 423.00 EUR as the source itself says, 500.00 EUR by what was read, and no statement names it"
    ])
    const statement = (source: string) => {
      const difference = { document: "books/invoice/I1", source, facts: "500.00" }
      return judge(documents, [held()], { ...printed("500.00", "500.00"), differences: [difference] })
    }
    assert.deepStrictEqual(statement("423.00"), [])
    assert.include(statement("420.00")[0], "the statement says that the source says 420.00 EUR of books/invoice/I1")
    const read = [...documents, payment("P1", "77")]
    assert.deepStrictEqual(judge(read, [held(["books/payment/P1", "77"])], printed("423.00", "423.00")), [])
    const paid = [invoice({ stated: { paid: units("77") } }), payment("P1", "77")]
    assert.deepStrictEqual(judge(paid, [held(["books/payment/P1", "77"])], printed("423.00", "423.00")), [])
  })

  it("believes a source whose balance does not have what others paid, or money that went back", () => {
    const stated = { open: units("423"), beforeReversals: true }
    const back = { ...payment("R1", "77"), kind: "reversal" }
    const there = held(["books/payment/P1", "77"], ["books/reversal/R1", "-77"])
    const documents = [invoice({ stated }), payment("P1", "77"), back]
    assert.deepStrictEqual(judge(documents, [there], printed("500.00", "500.00")), [])
    const said = judge(
      [invoice({ stated: { open: units("423") } }), payment("P1", "77"), back],
      [there],
      printed("500.00", "500.00")
    )
    assert.include(said[0], "423.00 EUR as the source itself says, 500.00 EUR by what was read")
    const debit = { kind: "payment", id: "D1", currency: "EUR", unallocated: units("77"), reference: "inv 1" }
    for (const open of ["500", "423", "450"]) {
      const books = [invoice({ stated: { open: units(open) } })]
      const paying = { connection: "debits", documents: [debit] }
      const seen = { transactions: [held(["debits/payment/D1", "77"])], printed: [printed("423.00", "423.00")] }
      const found = judgeInvoices({ connection: "books", documents: books, paying }, { ...seen, attention: new Set() })
      // It has the debit as a whole or not at all: a part of it is nobody's balance.
      const why = "witness: books/invoice/I1: open: 450.00 EUR as the source itself says, 423.00 EUR by what was read"
      assert.deepStrictEqual(found, open === "450" ? [why, `${why}, and no statement names it`] : [])
    }
  })

  it("names a second transaction of the same invoice", () => {
    const found = judge(
      [invoice()],
      [
        { ...held(), id: "1" },
        { ...held(), id: "2" }
      ],
      printed("500.00", "1000.00")
    )
    assert.deepStrictEqual(found, [
      "witness: books/invoice/I1: a second transaction of the same invoice: nothing by what was read, 2, 500.00 EUR on the service"
    ])
  })

  it("names a transaction in another currency than its invoice", () => {
    const found = judge([invoice()], [{ ...held(), currency: "USD" }], printed("500.00", "500.00"))
    assert.include(found[0], "the currency: EUR by what was read, USD on the service")
  })

  it("names a payment of another source that is lost, sent twice, or in another currency", () => {
    const debit = {
      kind: "payment",
      id: "D1",
      currency: "EUR",
      shares: [],
      unallocated: units("77"),
      reference: "inv 1"
    }
    const asking = invoice({ reference: "+++090/9337/55493+++\nRF18539007547034" })
    const paid = (one: PlainDocument, ...payments: ReadonlyArray<readonly [string, string]>) =>
      judgeInvoices(
        { connection: "books", documents: [asking], paying: { connection: "debits", documents: [one] } },
        { transactions: [held(...payments)], printed: [], attention: new Set() }
      ).filter((one) => !one.includes("statement"))
    assert.deepStrictEqual(paid(debit, ["debits/payment/D1", "77"]), [])
    for (const reference of ["090933755493", "RF18 5390 0754 7034"])
      assert.include(paid({ ...debit, reference })[0], "books/invoice/I1: debits/payment/D1, which names it: 77.00 EUR")
    assert.include(
      paid(debit)[0],
      "books/invoice/I1: debits/payment/D1, which names it: 77.00 EUR by what was read, nothing on the service"
    )
    assert.include(
      paid(debit, ["debits/payment/D1", "77"], ["debits/payment/D1#2", "77"])[0],
      "debits/payment/D1: on the service: 77.00 EUR by what was read, 154.00 EUR on the service"
    )
    assert.include(
      paid({ ...debit, currency: "JPY" }, ["debits/payment/D1", "77"])[0],
      "the currency: JPY by what was read, 77.00 EUR on books/invoice/I1 on the service"
    )
  })
})

const E8 = 100_000_000n
const order = (changes: Partial<PlainDocument> = {}): PlainDocument => ({
  kind: "order",
  id: "O1",
  number: "SHOP-1",
  status: "open",
  currency: "GBP",
  lines: [
    { id: "chairs", type: "product", quantity: 4n * E8, gross: units("60") },
    { id: "lamps", type: "product", quantity: 3n * E8, gross: units("20") },
    { id: "rug", type: "product", quantity: E8, gross: units("10") },
    { id: "delivery", type: "shipping", quantity: E8, gross: units("10") }
  ],
  ...changes
})
const fact = (kind: string, id: string, lines: Readonly<Record<string, bigint>>, amount?: string): PlainDocument => ({
  kind,
  id,
  order: "O1",
  date: "2026-03-02",
  lines: Object.entries(lines).map(([line, quantity]) => ({ line, quantity: quantity * E8 })),
  ...(amount === undefined ? {} : { amount: units(amount) })
})
const pays = (captured: bigint, voided = 0n, refunded = 0n): PlainPayment => ({
  id: "defpay-1",
  currency: "GBP",
  open: 10_000n - captured - voided,
  captured,
  voided,
  refunded
})
const text = (minor: bigint) => `${minor / 100n}.${`${minor % 100n}`.padStart(2, "0")}`
const look = (documents: ReadonlyArray<PlainDocument>, now: PlainPayment, seen: Partial<OrdersSeen> = {}) => {
  const witness = new OrderWitness("books", "value")
  witness.see(documents)
  const { captured, open, refunded, voided } = now
  const statement = { connection: "books", currency: now.currency, differences: [], more: 0 }
  const sums = { captured: text(captured), open: text(open), refunded: text(refunded), voided: text(voided) }
  return witness.judge(documents, {
    payments: new Map([["O1", now]]),
    printed: [{ ...statement, ...sums }],
    attention: new Set(),
    ...seen
  })
}

describe("the witness of orders", () => {
  it("says nothing where a parcel was captured, what was cancelled voided, and a return refunded", () => {
    const documents = [
      order(),
      fact("fulfilment", "P1", { chairs: 4n }),
      fact("cancellation", "C1", { rug: 1n }),
      fact("return", "R1", { chairs: 1n })
    ]
    // 60.00 of the goods' 90.00, with two thirds of the delivery.
    assert.deepStrictEqual(look(documents, pays(6667n, 1111n, 1667n)), [])
  })

  it("names a parcel without lines that was not captured, unless there is an attention item", () => {
    const documents = [order({ status: "closed" }), fact("fulfilment", "P1", {})]
    assert.include(
      look(documents, pays(0n, 10_000n))[0],
      "charged: 100.00 GBP by what the shop states, the service says 0.00 GBP"
    )
    assert.deepStrictEqual(look(documents, pays(0n, 10_000n), { attention: new Set(["books/order/O1"]) }), [])
  })

  it("takes what names no lines for all that the others leave, or that the buyer had by its day", () => {
    const on = (date: string, one: PlainDocument): PlainDocument => ({ ...one, date })
    const documents = [
      order(),
      on("2026-03-03", fact("cancellation", "C1", {})),
      on("2026-03-03", fact("fulfilment", "P1", { chairs: 4n })),
      on("2026-03-02", fact("fulfilment", "P2", { rug: 1n })),
      on("2026-03-02", fact("return", "R1", {}))
    ]
    // Chairs and rug were shipped, the lamps cancelled; only the rug was there to be returned on its day.
    assert.deepStrictEqual(look(documents, pays(7778n, 2222n, 1111n)), [])
    assert.include(look(documents, pays(7778n, 2222n, 7778n))[0], "7778 is refunded")
  })

  it("names a refund of more than the goods were sold for, whatever attention items there are", () => {
    const documents = [
      order(),
      fact("fulfilment", "P1", {}),
      fact("return", "R1", { chairs: 3n }, "15.00"),
      fact("return", "R2", { chairs: 1n })
    ]
    assert.deepStrictEqual(look(documents, pays(10_000n, 0n, 1500n + 1667n)), [])
    const found = look(documents, pays(10_000n, 0n, 8500n), { attention: new Set(["books/order/O1"]) })
    assert.include(found[0], "8500 is refunded")
  })

  it("names what was captured twice under another key, whatever attention items there are", () => {
    const witness = new OrderWitness("books", "value")
    witness.see([order(), fact("fulfilment", "P1", { chairs: 1n })])
    witness.see([order(), fact("fulfilment", "P1-new", { chairs: 1n })])
    const payments = (captured: bigint) => ({ payments: new Map([["O1", pays(captured)]]) })
    assert.deepStrictEqual(witness.always(payments(1667n)), [])
    assert.include(witness.always(payments(3334n))[0], "3334 is captured")
  })

  it("names what was captured beyond what either order was ever stated to be, of a parcel that moved from one to the other", () => {
    const other = order({ id: "O2", number: "SHOP-2" })
    const of = (id: string): PlainDocument => ({ ...fact("fulfilment", "P1", { chairs: 1n }), order: id })
    const witness = new OrderWitness("books", "value")
    const captured = (one: bigint, two: bigint) =>
      witness.always({
        payments: new Map([
          ["O1", pays(one)],
          ["O2", pays(two)]
        ])
      })
    witness.see([order(), other, of("O1")])
    assert.deepStrictEqual(captured(1667n, 0n), [])
    assert.include(captured(0n, 1667n)[0], "O2: 1667 is captured")
    witness.see([order(), other, of("O2")])
    // It left for the second by what the shop states now; what the first was charged is used up by what leaves next.
    assert.deepStrictEqual(captured(1667n, 1667n), [])
    assert.include(captured(1667n, 3334n)[0], "O2: 3334 is captured")
    const next = fact("fulfilment", "P2", { chairs: 1n })
    witness.see([order(), other, of("O2"), next])
    assert.include(captured(3334n, 1667n)[0], "O1: 3334 is captured")
  })

  it("excuses what somebody captured past Daybook, whatever becomes of the goods that it was for, and no more", () => {
    const witness = new OrderWitness("books", "value")
    const captured = (amount: bigint) => witness.always({ payments: new Map([["O1", pays(amount)]]) })
    witness.see([order()])
    witness.byHand("O1", 1500n, true)
    witness.see([order(), fact("fulfilment", "P1", { chairs: 1n })])
    assert.deepStrictEqual(captured(1500n), [])
    assert.include(captured(1500n + 1667n)[0], "3167 is captured")
    // That parcel is deleted, and another amount is captured by hand.
    witness.see([order()])
    witness.byHand("O1", 1500n, true)
    witness.see([order(), fact("fulfilment", "P2", { chairs: 1n })])
    assert.deepStrictEqual(captured(3000n), [])
    // For goods that the shop does not state; a parcel that it states follows.
    witness.byHand("O1", 700n, false)
    witness.see([order(), fact("fulfilment", "P2", { chairs: 1n }), fact("fulfilment", "P3", { chairs: 1n })])
    assert.deepStrictEqual(captured(3000n + 700n), [])
    assert.include(captured(3000n + 700n + 1667n)[0], "5367 is captured")
  })

  it("names an order in another currency than its payment", () => {
    assert.include(
      look([order()], { ...pays(0n), currency: "EUR" })[0],
      "the currency: GBP by what the shop states, the service says EUR"
    )
  })

  it("names a statement that does not say what the service holds", () => {
    const documents = [order(), fact("fulfilment", "P1", {})]
    const statement = { connection: "books", currency: "GBP", differences: [], more: 0 }
    const sums = { captured: "0.00", open: "100.00", refunded: "0.00", voided: "0.00" }
    const found = look(documents, pays(10_000n), { printed: [{ ...statement, ...sums }] })
    assert.include(found[0], "the statement says 0.00 GBP is captured, the service says 100.00 GBP")
  })
})
