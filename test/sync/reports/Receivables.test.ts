/** Receivables: every open invoice is in exactly one week, one age and one customer, and the figures come to the same. */
import { assert, describe, it } from "@effect/vitest"
import * as CustomerStore from "../../../sync/apply/CustomerStore.ts"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Body from "../../../sync/state/Body.ts"
import * as Customers from "../../../sync/reports/Customers.ts"
import * as Expected from "../../../sync/reports/Expected.ts"
import * as Receivables from "../../../sync/reports/Receivables.ts"
import { invoice } from "../../support/Documents.ts"
import { at, machine } from "../Machine.ts"

/** A Tuesday. */
const TODAY = Day.fromEpochMillis(at("2026-06-30T12:00:00Z"))
const ALL = { connections: ["books"] }

const books = async () => {
  const made = await machine("2026-06-30T12:00:00Z", [])
  const { db } = made
  db.prepare("INSERT INTO scan (id, connection, name) VALUES (900, 'books', 'a')").run()
  const document = db.prepare(
    "INSERT INTO document (key, scan, n, deleted, read, record, body) VALUES (?, 900, 1, 0, 0, 0, ?)"
  )
  const ledger = db.prepare(
    "INSERT INTO ledger (subject, connection, remote, held, currency, books_open, service_open) VALUES (?, ?, ?, ?, ?, ?, ?)"
  )
  const add = (
    id: string,
    due: string,
    open: bigint,
    { books = "books", currency = "GBP", insured = false, name = "Ann Ltd", service = open } = {}
  ) => {
    const key = `${books}/invoice/${id}`
    const party = { id: name, name, country: "GB" }
    document.run(key, Body.write(invoice({ id, number: `N-${id}`, due: Day.of(due), currency, party })))
    ledger.run(key, books, id, JSON.stringify({ insured, f: { due_date: due } }), currency, open, service)
    CustomerStore.write(db, key, open, { kind: "invoice", insured, fields: { due_date: due } } as never)
  }
  add("today", "2026-06-30", 100n)
  add("yesterday", "2026-06-29", 2n, { name: "100% Bob_s" })
  add("sunday", "2026-07-05", 30n, { insured: true })
  add("monday", "2026-07-06", 400n, { name: "100% Bob_s" })
  add("old", "2026-03-31", 5_000n)
  add("far", "2027-01-01", 9_007_199_254_740_993n)
  add("credit", "2026-06-01", -7n)
  add("apart", "2026-07-01", 60n, { service: 0n })
  add("settled", "2026-07-01", 0n, { service: 60n })
  add("paid", "2026-07-01", 0n)
  add("yen", "2026-07-14", 46_899n, { currency: "JPY" })
  add("others", "2026-07-01", 1n, { books: "elsewhere" })
  return Object.assign(made, { add })
}

describe("receivables", () => {
  it("are read from an index of what is open: no other invoice, no document beside those of the page, no row of the ledger", async () => {
    const made = await books()
    const { db } = made
    const looked: Array<string> = []
    const prepare = (sql: string) => {
      looked.push(sql)
      return db.prepare(sql)
    }
    const watched = { ...db, prepare } as typeof db
    /** How SQLite finds the rows of the statements of a report. */
    const steps = (report: () => unknown): ReadonlyArray<string> => {
      looked.length = 0
      report()
      return looked.flatMap((sql) =>
        (db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values(sql)) as ReadonlyArray<{ detail: string }>).map(
          ({ detail }) => detail
        )
      )
    }
    const values = (sql: string) => {
      const all = { connections: "[]", today: TODAY, customer: 1, most: 1, skip: 0, documents: "[]" }
      return Object.fromEntries(Object.entries(all).filter(([name]) => sql.includes(`:${name}`)))
    }
    const page = { sort: "due", skip: 0, most: 100 } as const
    const few = { most: 10, skip: 0, sort: "open" } as const
    const reports: Readonly<Record<string, () => unknown>> = {
      totals: () => Receivables.totals(watched, ALL, TODAY),
      ofCustomer: () => Receivables.totals(watched, { ...ALL, customer: 1 }, TODAY),
      page: () => Receivables.receivables(watched, ALL, page, TODAY),
      pageOfCustomer: () => Receivables.receivables(watched, { ...ALL, customer: 1 }, page, TODAY),
      expected: () => Expected.openInvoices(watched, ALL.connections),
      customers: () => Customers.customers(watched, ALL, few, TODAY)
    }
    for (const [name, report] of Object.entries(reports)) {
      const found = steps(report)
      assert.isTrue(
        found.some((one) => one.includes(`USING COVERING INDEX customer_invoice_open`)),
        `${name}: ${found.join("; ")}`
      )
      for (const one of found)
        assert.notMatch(one, /^(SCAN|SEARCH) (ledger|l|d|i)( (?!.*(customer_invoice_open|PRIMARY KEY))|$)/, name)
      if (name.endsWith("Customer")) assert.match(found.join("; "), /customer_invoice_open \(customer=\?\)/, name)
    }
    await made.close()
  })

  it("are what is open in the books of these connections, filtered, sorted and paged", async () => {
    const made = await books()
    const { db } = made
    const ids = (filter: object, sort: Receivables.Page["sort"] = "due", skip = 0, most = 100) =>
      Receivables.receivables(db, { ...ALL, ...filter }, { sort, skip, most }, TODAY).map(({ key }) => key.slice(14))
    const byDue = ["old", "credit", "yesterday", "today", "apart", "sunday", "monday", "yen", "far"]
    assert.deepStrictEqual(ids({}), byDue)
    assert.deepStrictEqual([...ids({}, "due", 0, 4), ...ids({}, "due", 4, 4), ...ids({}, "due", 8, 4)], byDue)
    assert.deepStrictEqual(ids({}, "amount").slice(0, 2), ["far", "yen"])
    assert.deepStrictEqual(ids({ age: "overdue" }), ["old", "credit", "yesterday"])
    assert.deepStrictEqual(ids({ age: "1-30" }), ["credit", "yesterday"])
    assert.deepStrictEqual(ids({ age: "over 90" }), ["old"])
    assert.deepStrictEqual(ids({ week: Day.of("2026-06-29") }), ["yesterday", "today", "apart", "sunday"])
    assert.deepStrictEqual(ids({ text: "100% bob_" }), ["yesterday", "monday"])
    assert.deepStrictEqual(ids({ text: "n-mon" }), ["monday"])
    assert.deepStrictEqual(ids({ currency: "JPY" }), ["yen"])
    const sheet = Receivables.receivablesSheet(db, { ...ALL, age: "overdue" }, "due", TODAY)
    assert.deepStrictEqual(
      [...sheet.rows()].map((row = []) => [row[1], row[5], row[8]]),
      [
        ["N-old", 91, Decimal.of("50.00")],
        ["N-credit", 29, Decimal.of("-0.07")],
        ["N-yesterday", 1, Decimal.of("0.02")]
      ]
    )
    await made.close()
  })

  it("come to the same by currency, by week and by customer", async () => {
    const made = await books()
    const { db } = made
    const totals = Receivables.totals(db, ALL, TODAY)
    assert.deepStrictEqual(
      totals.map(({ currency, invoices, open, overdue }) => [
        currency,
        invoices,
        Decimal.format(open),
        Decimal.format(overdue)
      ]),
      [
        ["GBP", 8, "90071992547465.78", "49.95"],
        ["JPY", 1, "46899", "0"]
      ]
    )
    const open = Expected.openInvoices(db, ALL.connections)
    assert.deepStrictEqual(Expected.totalsOf(open, TODAY), totals)
    const weeks = Expected.expectedByWeek(open, () => undefined, TODAY, 7)
    assert.deepStrictEqual(
      weeks
        .map(({ amount, currency, invoices, week }) => [currency, week, invoices, Decimal.format(amount)])
        .toSorted(),
      [
        ["GBP", "2026-06-29", 3, "1.9"],
        ["GBP", "2026-07-06", 1, "4"],
        ["GBP", "late", 3, "49.95"],
        ["GBP", "later", 1, "90071992547409.93"],
        ["JPY", "2026-07-13", 1, "46899"]
      ]
    )
    const customers = Expected.topCustomers(db, open, TODAY, 10)
    for (const { currency, invoices, open } of totals)
      for (const parts of [
        weeks.filter((one) => one.currency === currency).map((one) => ({ invoices: one.invoices, open: one.amount })),
        customers.filter((one) => one.currency === currency)
      ]) {
        assert.strictEqual(
          parts.reduce((sum, one) => sum + one.invoices, 0),
          invoices
        )
        assert.strictEqual(
          parts.reduce((sum, one) => sum + one.open, 0n),
          open
        )
      }
    // Each figure by age is what the list that it leads to comes to.
    for (const { currency } of totals)
      for (const age of ["not due", "1-30", "31-60", "61-90", "over 90"] as const) {
        const [listed] = Receivables.totals(db, { ...ALL, currency: currency as never, age }, TODAY)
        const own = Expected.ageing(open, TODAY).filter((one) => one.currency === currency && one.bucket === age)
        const amount = own.reduce((sum, one) => sum + one.amount, 0n)
        assert.strictEqual(Currency.ofMinor(amount, currency as never), listed?.open ?? 0n, `${currency} ${age}`)
      }
    assert.deepStrictEqual(
      Expected.topCustomers(db, open, TODAY, 1).map(({ currency, customer }) => [currency, customer]),
      [
        ["GBP", "Ann Ltd"],
        ["JPY", "Ann Ltd"]
      ]
    )
    await made.close()
  })
})
