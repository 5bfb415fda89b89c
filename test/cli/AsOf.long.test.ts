/**
 * `daybook status --as-of`: as of each past run's instant, the statement and the receivables are what was printed then, figure by figure,
 * whatever was edited, moved, paid or deleted since.
 *
 * Fails where a trigger of `LedgerHistory.ts` leaves an event out, or where the first change after an entry does not count.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as AsOf from "../../sync/reports/AsOf.ts"
import * as Receivables from "../../sync/reports/Receivables.ts"
import { Database } from "../../sync/state/Database.ts"
import { failed, lines, ofType, service, STATED, statedBooks, useCommand } from "../support/Cli.ts"

useCommand()

const HEAD = "Ref,Invoice,Date,Amount,Type,Code\n"
const row = (n: number, gross: string, open: string, more: { due?: string; state?: string; buyer?: string } = {}) =>
  `INV-${n},${more.buyer ?? "Tern & Sons"},GB,2026-03-0${n},${more.due ?? "2026-04-02"},${gross},${gross},${more.state ?? "Sent"},${open}\n`

/** What the source says at each run: invoices and payments. */
const RUNS: ReadonlyArray<{ readonly invoices: string; readonly payments: string }> = [
  { invoices: row(1, "120.00", "120.00") + row(2, "300.00", "300.00"), payments: "" },
  // Paid in part, another one is new, and one is due later.
  {
    invoices: row(1, "120.00", "70.00") + row(2, "300.00", "300.00", { due: "2026-05-02" }) + row(3, "10.00", "10.00"),
    payments: "P-1,INV-1,2026-03-20,50.00,,\n"
  },
  // An amount and a name are edited, and the payment moves to another invoice.
  {
    invoices:
      row(1, "120.00", "120.00") +
      row(2, "280.00", "230.00", { due: "2026-05-02", buyer: "Brightwater" }) +
      row(3, "10.00", "10.00"),
    payments: "P-1,INV-2,2026-03-20,50.00,,\n"
  },
  // One is deleted with its source, one is void, everything of the first is paid.
  {
    invoices: row(1, "120.00", "0.00") + row(3, "10.00", "0.00", { state: "Cancelled" }),
    payments: "P-1,INV-2,2026-03-20,50.00,,\nP-2,INV-1,2026-03-22,120.00,,\n"
  },
  // It is back.
  {
    invoices:
      row(1, "120.00", "0.00") +
      row(2, "280.00", "230.00", { due: "2026-05-02" }) +
      row(3, "10.00", "0.00", { state: "Cancelled" }),
    payments: "P-1,INV-2,2026-03-20,50.00,,\nP-2,INV-1,2026-03-22,120.00,,\n"
  }
]

const TODAY = Day.of("2026-05-20")
const books = ["books"]

/** The figures of the statement as it prints them. */
const figures = (one: Readonly<Record<string, unknown>>) => ({
  currency: one["currency"],
  books: one["books"],
  service: one["service"],
  says: one["source_says"] ?? one["sourceSays"],
  unchecked: one["unchecked"] ?? 0,
  credit: one["credit"] ?? { amount: "0.00", invoices: 0 }
})

describe("daybook status --as-of", { timeout: 300_000 }, () => {
  it("says of each past run what was printed then", async () => {
    const there = await service()
    const here = statedBooks(there.url, { "invoices.csv": STATED, "payments.csv": HEAD })
    const inBooks = <A>(work: (db: Database["Service"]) => A) =>
      Effect.runPromise(
        Effect.provide(Effect.map(Database, work), Database.layer({ file: here.path("daybook.db"), mode: "read" }))
      )
    const printed: Array<{
      readonly at: number
      readonly statement: unknown
      readonly open: unknown
      readonly chain: unknown
    }> = []
    const page = { sort: "number", most: 100, skip: 0 } as const
    for (const { invoices, payments } of RUNS) {
      here.write("invoices.csv", STATED + invoices)
      here.write("payments.csv", HEAD + payments)
      const ran = await here.run("sync", "--json", "--allow", "G1,G6")
      assert.include([0, 3], ran.status, ran.stderr)
      const open = await inBooks((db) =>
        Receivables.receivables(db, { connections: books }, page, TODAY).map(
          ({ customer, due, issued, key, late, number, open }) =>
            [key, number, customer, issued, due, late, open].join(" ")
        )
      )
      printed.push({
        at: await Effect.runPromise(Clock.currentTimeMillis),
        statement: ofType(ran, "completeness").map(figures),
        open,
        chain: lines(ran).find(({ type }) => type === "chain")
      })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.strictEqual(new Set(printed.map((one) => JSON.stringify([one.statement, one.open]))).size > 3, true)
    for (const { at, chain, open, statement } of printed) {
      const then = await inBooks((db) => {
        const moment = AsOf.momentOf(db, at)
        if (moment === undefined) throw new Error("nothing had been read")
        const rows = [...AsOf.open(db, books, moment, TODAY)]
        return {
          statement: AsOf.statements(db, books, moment).map((one) => figures({ ...one })),
          open: rows
            .toSorted((a, b) => (a.number < b.number ? -1 : 1))
            .map((one) =>
              [one.document, one.number, one.customer, one.issued, one.due, one.late, one.minor * 1_000_000n].join(" ")
            ),
          chain: { type: "chain", entry: moment.entry, hash: moment.hash },
          ages: AsOf.byAge(rows)
        }
      })
      assert.deepStrictEqual(
        { statement: then.statement, open: then.open, chain: then.chain },
        { statement, open, chain }
      )
      assert.strictEqual(
        then.ages.reduce((sum, { invoices }) => sum + invoices, 0),
        then.open.length
      )
    }
    // What is not of the past is now.
    const [now, day] = [await here.run("status", "--json"), new Date().toISOString().slice(0, 10)]
    const asOf = await here.run("status", "--as-of", day, "--json")
    assert.strictEqual(asOf.status, 0, asOf.stderr)
    assert.deepStrictEqual(ofType(asOf, "completeness").map(figures), ofType(now, "completeness").map(figures))
    assert.include(failed(await here.run("status", "--as-of", "2020-01-01"), 2), "nothing had been read by then")
    assert.include(failed(await here.run("status", "--as-of", "soon"), 2), "is not a day")
    // A run that changes nothing keeps nothing.
    const kept = await inBooks((db) => db.prepare("SELECT count(*) FROM ledger_was").pluck().get())
    await here.run("sync")
    assert.strictEqual(await inBooks((db) => db.prepare("SELECT count(*) FROM ledger_was").pluck().get()), kept)
  })
})
