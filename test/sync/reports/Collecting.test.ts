/** Figures of who collects: days sales outstanding, when money is expected, how customers pay, and one customer's account. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as CustomerStore from "../../../sync/apply/CustomerStore.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Customers from "../../../sync/reports/Customers.ts"
import * as DaysOutstanding from "../../../sync/reports/DaysOutstanding.ts"
import * as Expected from "../../../sync/reports/Expected.ts"
import { monthsTo } from "../../../sync/reports/FailedDebits.ts"
import { mondayOf } from "../../../sync/reports/Receivables.ts"
import * as Body from "../../../sync/state/Body.ts"
import { creditNote, invoice, payment, reversal } from "../../support/Documents.ts"
import { at, machine } from "../Machine.ts"

/** A Tuesday. */
const TODAY = Day.of("2026-06-30")

const month = fc.record({ days: fc.integer({ min: 1, max: 31 }), sales: fc.bigInt({ min: 0n, max: 10n ** 12n }) })
const months = fc.array(month, { minLength: 1, maxLength: 24 })

const outstanding = (open: bigint, all: ReadonlyArray<DaysOutstanding.MonthOfSales>) => {
  const { days, more } = DaysOutstanding.countBack(open, all)
  return [Decimal.format(days), more]
}

describe("days sales outstanding", () => {
  it("counts back: months that are covered whole, and of the last one its share", () => {
    const sales = [
      { days: 20, sales: 100_000n },
      { days: 31, sales: 80_000n },
      { days: 30, sales: 70_000n }
    ]
    assert.deepStrictEqual(outstanding(212_000n, sales), ["64.7", false])
    assert.deepStrictEqual(outstanding(0n, sales), ["0", false])
    assert.deepStrictEqual(outstanding(-5n, sales), ["0", false])
    assert.deepStrictEqual(outstanding(50_000n, sales), ["10", false])
    assert.deepStrictEqual(outstanding(100_000n, sales), ["20", false])
    assert.deepStrictEqual(outstanding(250_000n, sales), ["81", false])
    assert.deepStrictEqual(outstanding(250_001n, sales), ["81", true])
    assert.deepStrictEqual(
      outstanding(10n, [
        { days: 5, sales: 0n },
        { days: 30, sales: 20n }
      ]),
      ["20", false]
    )
  })

  it("is exact where months are covered whole, grows with what is open, and knows no unit", () => {
    fc.assert(
      fc.property(months, fc.nat({ max: 24 }), fc.bigInt({ min: 1n, max: 1000n }), (all, n, by) => {
        const covered = all.slice(0, n)
        const open = covered.reduce((sum, { sales }) => sum + sales, 0n)
        const { days, more } = DaysOutstanding.countBack(open, all)
        const whole = Decimal.fromInteger(BigInt(covered.reduce((sum, one) => sum + one.days, 0)))
        assert.isFalse(more)
        assert.isTrue(days <= whole)
        const next = DaysOutstanding.countBack(open + by, all)
        assert.isTrue(next.days >= days)
        const scaled = all.map((one) => ({ ...one, sales: one.sales * by }))
        assert.deepStrictEqual(DaysOutstanding.countBack(open * by, scaled), { days, more })
      })
    )
  })
})

describe("what is expected", () => {
  const open = fc.record({
    currency: fc.constantFrom("GBP", "EUR"),
    open: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
    due: fc.integer({ min: -200, max: 200 }).map((n) => Day.addDays(TODAY, n)),
    customer: fc.nat({ max: 5 })
  })

  it("has each open invoice in exactly one week, in which its customer usually pays", () => {
    fc.assert(
      fc.property(fc.array(open, { maxLength: 30 }), fc.array(fc.integer({ min: -20, max: 60 })), (all, late) => {
        const invoices = all.map((one, n) => ({ ...one, document: n, insured: false }))
        const lateOf = (customer: number) =>
          late[customer] === undefined ? undefined : { invoices: 3, days: late[customer] }
        const weeks = Expected.expectedByWeek(invoices, lateOf, TODAY, 7)
        assert.sameMembers(
          weeks.flatMap(({ documents }) => [...documents]),
          invoices.map(({ document }) => document)
        )
        for (const { amount, currency, documents, week } of weeks) {
          const own = invoices.filter(({ document }) => documents.includes(document))
          assert.isTrue(own.every((one) => one.currency === currency))
          const sum = own.reduce((all, one) => all + one.open, 0n)
          assert.strictEqual(amount, (sum * Decimal.one) / 100n)
          for (const { customer, due } of own) {
            const day = Day.addDays(due, late[customer] ?? 0)
            if (week === "late") assert.isTrue(day < TODAY)
            else if (week === "later") assert.isTrue(day > Day.addDays(mondayOf(TODAY), 55))
            else assert.strictEqual(mondayOf(day), week)
          }
        }
      })
    )
  })

  it("takes the mean of how late the last ones were, and says nothing of fewer than three", () => {
    assert.isUndefined(Expected.usual([1, 2]))
    assert.deepStrictEqual(Expected.usual([1, 2, 2]), { invoices: 3, days: 2 })
    assert.deepStrictEqual(Expected.usual([1, 2, 1, 2]), { invoices: 4, days: 2 })
    assert.deepStrictEqual(Expected.usual([-1, -2, -1, -2]), { invoices: 4, days: -1 })
    assert.deepStrictEqual(Expected.usual([0, 0, -1]), { invoices: 3, days: 0 })
  })

  it("goes back over months and years", () => {
    assert.deepStrictEqual(monthsTo(Day.of("2026-02-28"), 4), ["2025-11", "2025-12", "2026-01", "2026-02"])
    assert.lengthOf(new Set(monthsTo(TODAY, 24)), 24)
  })
})

const books = async () => {
  const made = await machine("2026-06-30T12:00:00Z", [])
  const { db } = made
  db.prepare("INSERT INTO scan (id, connection, name) VALUES (900, 'books', 'a')").run()
  const document = db.prepare(
    "INSERT INTO document (key, scan, n, deleted, read, record, body) VALUES (?, 900, 1, 0, 0, 0, ?)"
  )
  const ledger = db.prepare(
    "INSERT INTO ledger (subject, connection, remote, currency, books_open, service_open) VALUES (?, 'books', ?, ?, ?, ?)"
  )
  const facts = (
    ...all: ReadonlyArray<ReturnType<typeof payment> | ReturnType<typeof reversal> | ReturnType<typeof creditNote>>
  ) => {
    for (const one of all) {
      const { lastInsertRowid } = document.run(`books/${one.kind}/${one.id}`, Body.write(one))
      for (const { invoice } of one.shares)
        db.prepare("INSERT INTO allocation VALUES (?, ?, NULL)").run(`books/invoice/${invoice}`, lastInsertRowid)
    }
  }
  const add = (id: string, open: bigint, changes: Parameters<typeof invoice>[0] = {}) => {
    const key = `books/invoice/${id}`
    document.run(key, Body.write(invoice({ id, number: id, ...changes })))
    ledger.run(key, id, changes.currency ?? "GBP", open, open)
    CustomerStore.write(db, key, open, undefined)
  }
  return { ...made, db, add, facts, close: () => made.close() }
}

describe("a customer", () => {
  it("has what is open, how they pay quarter by quarter, and an account that ends with what is open", async () => {
    const made = await books()
    const { add, db, facts } = made
    facts(
      payment("P1", { A: "120" }, "2026-02-03"),
      payment("P2", { B: "120" }, "2026-02-05"),
      payment("P3", { C: "120" }, "2026-04-30"),
      payment("P4", { D: "120" }, "2026-02-01"),
      reversal("R4", { D: "120" }, "error", { date: "2026-02-04" }),
      creditNote("N5", { D: "20" })
    )
    for (const id of ["A", "B", "C"]) add(id, 0n)
    add("D", 10_000n)
    add("E", 7_700n, { currency: "EUR", gross: "77", due: "2026-08-01" })
    add("F", 500n, { party: { id: "c2", name: "100% Bob_s", country: "GB" } })
    const list = (filter: object, sort: "open" | "overdue" | "name" = "open") =>
      Customers.customers(db, { connections: ["books"], ...filter }, { sort, skip: 0, most: 10 }, TODAY).map(
        ({ currency, invoices, name, open, overdue }) => [
          name,
          currency,
          invoices,
          Decimal.format(open),
          Decimal.format(overdue)
        ]
      )
    assert.deepStrictEqual(list({}), [
      ["Harbour Lane Bakery", "GBP", 1, "100", "100"],
      ["Harbour Lane Bakery", "EUR", 1, "77", "0"],
      ["100% Bob_s", "GBP", 1, "5", "5"]
    ])
    assert.deepStrictEqual(
      list({ text: "100% bob_" }, "name").map(([name]) => name),
      ["100% Bob_s"]
    )
    assert.deepStrictEqual(list({ connections: ["elsewhere"] }), [])
    const [id] = db.prepare("SELECT id FROM customer WHERE party = 'c1'").pluck().all() as ReadonlyArray<number>
    const one = Customers.find(db, ["books"], id!)!
    assert.isUndefined(Customers.find(db, ["elsewhere"], id!))
    db.prepare("INSERT INTO customer_note (connection, party, written, who, words) VALUES (?, ?, ?, ?, ?)").run(
      one.connection,
      one.party,
      at("2026-06-30T12:00:00Z"),
      "Ada",
      "calls back"
    )
    const story = Customers.story(db, one, [])
    assert.deepStrictEqual(story.quarters, [
      { quarter: "2026 Q2", invoices: 1, late: 89 },
      { quarter: "2026 Q1", invoices: 2, late: 4 }
    ])
    assert.deepStrictEqual([story.usual, story.invoices, story.notes.length], [{ invoices: 3, days: 32 }, 5, 1])
    const account = Customers.account(db, id!)
    const last = (currency: string) => Decimal.format(account.findLast((line) => line.currency === currency)!.balance)
    assert.deepStrictEqual([last("GBP"), last("EUR"), account.length], ["100", "77", 11])
    const months = [...DaysOutstanding.sales(db, ["books"], "GBP", TODAY)]
    assert.deepStrictEqual(
      [months.length, months[0], months[5]],
      [24, { days: 30, sales: 0n }, { days: 31, sales: 60_000n }]
    )
    await made.close()
  })
})
