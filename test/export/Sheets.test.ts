/**
 * What the sheets say of the books: one seller with two connections, invoices in every state, money both ways, and a
 * service that some of it was sent to.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import type { ReportedPayment } from "../../sync/model/RemoteInvoice.ts"
import * as Sheets from "../../sync/reports/Sheets.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { creditNote, day, invoice, payment, reversal } from "../support/Documents.ts"
import { books, type Db, exported, formatted } from "./Reading.ts"
import { called, keep, NOW, settle, remoteOf } from "./State.ts"

const I = (id: string) => `books/invoice/${id}`

const posting = (fact: string, amount: string, id: string): ReportedPayment => ({
  key: fact,
  fact,
  undo: amount.startsWith("-"),
  date: day("2026-01-10"),
  amount: Decimal.of(amount),
  id
})

/** 120.00 GBP part paid and overdue, one paid, one draft, one void, one in yen that is not sent yet. */
const scenario = (db: Db) =>
  Effect.gen(function* () {
    yield* keep(
      db,
      "books",
      [
        invoice({ id: "I1", number: "N-1", due: "2026-11-01", net: "100.00", gross: "120.00" }),
        invoice({ id: "I2", number: "N-2", status: "paid", gross: "50.00", paidOn: "2026-02-02" }),
        invoice({ id: "I3", number: "N-3", status: "draft", gross: "7.00" }),
        invoice({ id: "I4", number: "N-4", status: "void", gross: "9.00" }),
        invoice({ id: "I5", number: "N-5", currency: "JPY", gross: "3000", due: "2026-12-24" }),
        payment("P1", { I1: "70.00", I2: "30.00" }),
        reversal("R1", { I1: "20.00" }, "chargeback", { providerCode: "AC04", currency: "GBP" }),
        creditNote("C1", { I1: "15.50" }),
        payment("P2", { nowhere: "5.00" }, "2026-03-01", { currency: "USD" })
      ],
      [
        {
          kind: "payment",
          origin: "payments.csv:9",
          raw: "P9,=cmd,twelve",
          field: "Amount",
          why: "not a number",
          id: "P9"
        }
      ]
    )
    yield* keep(db, "shop", [invoice({ id: "S1", number: "S-1", gross: "10.00", due: "2026-12-31" })])
    const reported = [
      posting("books/payment/P1", "70.00", "tpmt-1"),
      posting("books/reversal/R1", "-20.00", "tpmt-2"),
      posting("books/payment/P1", "-70.00", "tpmt-3")
    ]
    settle(db, I("I1"), { remote: remoteOf("trns-1", reported), currency: "GBP", books: "54.50", service: "120.00" })
    settle(db, I("I2"), {
      remote: remoteOf("trns-2", [], { status: "paid", insured: true, paidDate: day("2026-02-02") }),
      currency: "GBP",
      books: "0",
      service: "0"
    })
    settle(db, I("I3"), { reason: "T3: it is a draft", currency: "GBP", books: "0", service: "0" })
    settle(db, I("I5"), { currency: "JPY", books: "3000", service: "0" })
    const call = { kind: "invoice", subject: I("I1"), fact: I("I1"), params: {}, destructive: false } as const
    const body = { gross_amount: "120.00", currency: "GBP" }
    called(db, 1, { ...call, rule: "T2", operation: "transactions.create", body, reason: "new" }, 201, "trns-1")
    const { id: _, ...back } = reported[1]!
    const paid = { ...call, fact: "books/reversal/R1", rule: "P3", operation: "transactions.createPayment" } as const
    const params = { transaction_id: "trns-1" }
    called(db, 2, { ...paid, params, body: {}, posting: back, reason: "20.00 GBP went back" }, 400, "")
    const attention = { subject: I("I1"), fact: "books/payment/P1", rule: "P1", why: "too much", todo: "look" } as const
    AttentionStore.update(db, I("I1"), [attention, { ...attention, why: "an old matter" }], undefined, NOW)
    AttentionStore.update(db, I("I1"), [attention], undefined, NOW + 1000)
  })

/** A sheet as people see it: the columns named, blanks where there is nothing. */
const seen = (rows: ReadonlyArray<Readonly<Record<string, never>>>, columns: ReadonlyArray<string>) =>
  rows.map((row) => columns.map((column) => formatted(row[column])))

const exportedSheets = (options: { readonly connections?: ReadonlyArray<string> } = {}) =>
  Effect.gen(function* () {
    const db = yield* books
    yield* scenario(db)
    const book = yield* exported(db, options)
    return (sheet: string, columns: ReadonlyArray<string>) => seen(book.table(sheet) as never, columns)
  })

describe("the sheets", () => {
  it.effect(
    "are found without reading all documents: those of every connection, also of one that only the ledger has",
    () =>
      Effect.gen(function* () {
        const db = yield* books
        yield* scenario(db)
        for (const name of ["a-b", "a", "books-2"])
          settle(db, `${name}/invoice/X`, { currency: "GBP", books: "0", service: "0" })
        const prepared: Array<string> = []
        const prepare = (sql: string) => {
          prepared.push(sql)
          return db.raw.prepare(sql)
        }
        const raw = Object.create(db.raw, { prepare: { value: prepare } }) as Db["raw"]
        const seen = Object.create(db, { raw: { value: raw }, prepare: { value: prepare } }) as Db
        assert.deepStrictEqual(Sheets.connectionsOf(seen), ["a", "a-b", "books", "books-2", "shop"])
        const { shown } = Sheets.sheets(seen, { connections: ["books"], now: NOW })
        assert.notInclude(
          shown.map(({ name }) => name),
          "Orders"
        )
        for (const sql of prepared) {
          const plan = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(sql.match(/\?/g)?.map(() => "") ?? []))
          const scans = plan.map((one) => String((one as { readonly detail: string }).detail))
          assert.deepStrictEqual(
            scans.filter((one) => /^SCAN (document|ledger)\b(?! USING INDEX)/.test(one)),
            [],
            sql
          )
        }
        assert.isAtLeast(prepared.length, 3)
      })
  )

  it.effect("Invoices: what the source states, what was taken off, and what the service knows", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      const money = ["Currency", "Gross", "Credited", "Received", "Balance"]
      assert.deepStrictEqual(sheet("Invoices", ["Number", "Status in the books", ...money, "Days overdue"]), [
        ["N-1", "open", "GBP", "120.00", "15.50", "50.00", "54.50", "20"],
        ["N-2", "paid", "GBP", "50.00", "0.00", "30.00", "0.00", ""],
        ["N-3", "draft", "GBP", "7.00", "0.00", "0.00", "0.00", ""],
        ["N-4", "void", "GBP", "9.00", "0.00", "0.00", "0.00", ""],
        ["N-5", "open", "JPY", "3,000", "0", "0", "3,000", ""],
        ["S-1", "open", "GBP", "10.00", "0.00", "0.00", "10.00", ""]
      ])
      const service = ["Service id", "Service status", "Insured", "Open in books", "Open on service", "Paid on"]
      assert.deepStrictEqual(sheet("Invoices", ["Document", ...service, "Not sent because"]).slice(0, 5), [
        [I("I1"), "trns-1", "pending", "no", "54.50", "120.00", "", ""],
        [I("I2"), "trns-2", "paid", "yes", "0.00", "0.00", "2026-02-02", ""],
        [I("I3"), "", "", "", "0.00", "0.00", "", "T3: it is a draft"],
        [I("I4"), "", "", "", "", "", "", ""],
        [I("I5"), "", "", "", "3,000", "0", "", ""]
      ])
      const party = ["Customer", "Country", "Issued", "Due", "Net"]
      assert.deepStrictEqual(sheet("Invoices", party)[0], [
        "Harbour Lane Bakery",
        "GB",
        "2026-01-01",
        "2026-11-01",
        "100.00"
      ])
    })
  )

  it.effect("Payments: money received counts up, what went back and credit notes count down", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      const columns = ["Kind", "Source id", "Invoices", "Date", "Currency", "Amount", "Type", "Provider code"]
      assert.deepStrictEqual(sheet("Payments", columns), [
        ["payment", "P1", "I1 (70.00); I2 (30.00)", "2026-01-10", "GBP", "100.00", "", ""],
        ["payment", "P2", "nowhere", "2026-03-01", "USD", "5.00", "", ""],
        ["reversal", "R1", "I1", "2026-01-20", "GBP", "-20.00", "chargeback", "AC04"],
        ["credit note", "C1", "I1", "2026-01-15", "GBP", "-15.50", "", ""]
      ])
      assert.deepStrictEqual(sheet("Payments", ["Source id", "Times reported", "On the service", "Remote ids"]), [
        ["P1", "2", "0.00", "tpmt-1; tpmt-3"],
        ["P2", "0", "", ""],
        ["R1", "1", "-20.00", "tpmt-2"],
        ["C1", "0", "", ""]
      ])
    })
  )

  it.effect("Payments: a document that moved to another invoice still shows what was reported on the first", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [invoice(), invoice({ id: "I2" }), payment("P1", { I1: "70.00" })])
      settle(db, I("I1"), {
        remote: remoteOf("trns-1", [posting("books/payment/P1", "70.00", "tpmt-1")]),
        currency: "GBP",
        books: "120",
        service: "50"
      })
      yield* keep(db, "books", [invoice(), invoice({ id: "I2" }), payment("P1", { I2: "70.00" })])
      const book = yield* exported(db)
      assert.deepStrictEqual(seen(book.table("Payments") as never, ["Invoices", "Times reported", "Remote ids"]), [
        ["I2", "1", "tpmt-1"]
      ])
      // The money follows the document.
      assert.deepStrictEqual(seen(book.table("Invoices") as never, ["Document", "Received"]), [
        [I("I1"), "0.00"],
        [I("I2"), "70.00"]
      ])
    })
  )

  it.effect("Invoices: what is deleted in the source is marked so, and is in no total", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [invoice(), invoice({ id: "I2", gross: "1.00" }), payment("P1", "20.00")])
      yield* keep(db, "books", [invoice({ id: "I2", gross: "1.00" })])
      const book = yield* exported(db)
      const columns = ["Document", "Status in the books", "Received", "Balance"]
      assert.deepStrictEqual(seen(book.table("Invoices") as never, columns), [
        [I("I1"), "deleted", "0.00", "0.00"],
        [I("I2"), "open", "0.00", "1.00"]
      ])
      assert.deepStrictEqual(seen(book.table("Payments") as never, ["Source id", "In the source"]), [["P1", "deleted"]])
      assert.deepStrictEqual(seen(book.table("Summary") as never, ["Connection", "Invoices", "Invoiced"])[0], [
        "books",
        "1",
        "1.00"
      ])
    })
  )

  it.effect("Calls: what was asked for, why, and what came of it", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      const why = ["N", "Run", "Document", "Caused by", "Rule", "Operation", "Because"]
      assert.deepStrictEqual(sheet("Calls", why), [
        ["1", "1", I("I1"), "", "T2", "transactions.create", "new"],
        ["2", "2", I("I1"), "books/reversal/R1", "P3", "transactions.createPayment", "20.00 GBP went back"]
      ])
      assert.deepStrictEqual(sheet("Calls", ["Currency", "Amount", "Times sent", "Outcome", "Status", "Remote id"]), [
        ["GBP", "120.00", "1", "done", "201", "trns-1"],
        ["GBP", "-20.00", "1", "refused", "400", ""]
      ])
    })
  )

  it.effect("Attention: what is still open, and since when", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      assert.deepStrictEqual(sheet("Attention", ["Document", "Caused by", "Rule", "Why", "What to do"]), [
        [I("I1"), "books/payment/P1", "P1", "too much", "look"]
      ])
      assert.match(sheet("Attention", ["Since (UTC)"])[0]![0]!, /^2026-11-21 07:00:0/)
    })
  )

  it.effect("Quarantined: where it stood, what is wrong with it, and its own words", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      assert.deepStrictEqual(
        sheet("Quarantined", ["Connection", "Where", "Kind", "Id", "Field", "Why", "Raw record"]),
        [["books", "payments.csv:9", "payment", "P9", "Amount", "not a number", "P9,=cmd,twelve"]]
      )
    })
  )

  it.effect("Completeness: each statement, and beneath it every difference with its reason", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      const columns = ["Currency", "What", "Document", "Source says", "Books", "Service", "Difference", "Why"]
      assert.deepStrictEqual(sheet("Completeness", columns), [
        ["GBP", "statement", "", "", "54.50", "120.00", "-65.50", "1 difference, listed below"],
        ["GBP", "difference", I("I1"), "", "54.50", "120.00", "-65.50", "too much"],
        ["JPY", "statement", "", "", "3,000", "0", "3,000", "1 difference, listed below"],
        ["JPY", "difference", I("I5"), "", "3,000", "0", "3,000", "not sent yet"]
      ])
    })
  )

  it.effect("Completeness: lists more differences than the screen does", () =>
    Effect.gen(function* () {
      const db = yield* books
      const ids = Array.from({ length: 130 }, (_, n) => String(n))
      yield* keep(
        db,
        "books",
        ids.map((id) => invoice({ id, gross: "1.00" }))
      )
      for (const id of ids) settle(db, I(id), { currency: "GBP", books: "1", service: "0" })
      const book = yield* exported(db)
      assert.strictEqual(book.table("Completeness").length, 131)
      assert.strictEqual(book.table("Completeness")[0]!["Why"]?.v, "130 differences, listed below")
    })
  )

  it.effect("Summary: where each connection stands, and all of them, by currency", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets()
      const counts = ["Invoices", "On the service", "Differences", "Quarantined", "Not settled yet"]
      assert.deepStrictEqual(sheet("Summary", ["Connection", "Currency", ...counts]), [
        ["books", "GBP", "2", "2", "1", "1", "2"],
        ["books", "JPY", "1", "0", "1", "", ""],
        ["shop", "GBP", "1", "0", "0", "0", "1"],
        ["All connections", "GBP", "3", "2", "1", "1", "3"],
        ["All connections", "JPY", "1", "0", "1", "", ""]
      ])
      const amounts = ["Invoiced", "Credited", "Received", "Balance", "Open in books", "Open on service"]
      assert.deepStrictEqual(sheet("Summary", [...amounts, "Source says open", "Books less service"]), [
        ["170.00", "15.50", "80.00", "54.50", "54.50", "120.00", "", "-65.50"],
        ["3,000", "0", "0", "3,000", "3,000", "0", "", "3,000"],
        ["10.00", "0.00", "0.00", "10.00", "0.00", "0.00", "", "0.00"],
        ["180.00", "15.50", "80.00", "64.50", "54.50", "120.00", "", "-65.50"],
        ["3,000", "0", "0", "3,000", "3,000", "0", "", "3,000"]
      ])
    })
  )

  it.effect("are of the connections that were asked for, and of no other", () =>
    Effect.gen(function* () {
      const sheet = yield* exportedSheets({ connections: ["shop"] })
      assert.deepStrictEqual(sheet("Summary", ["Connection", "Balance"]), [
        ["shop", "10.00"],
        ["All connections", "10.00"]
      ])
      assert.deepStrictEqual(sheet("Invoices", ["Number"]), [["S-1"]])
      for (const name of ["Payments", "Calls", "Attention", "Quarantined", "Completeness"]) {
        assert.deepStrictEqual(sheet(name, ["Document"]), [], name)
      }
    })
  )
})
