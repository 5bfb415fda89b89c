/**
 * `--as-of`: as of each past run, the statements, the receivables and cover are what was printed then, figure by figure, whatever was
 * edited, moved, paid or deleted since.
 *
 * Fails where a trigger of `History.ts` leaves an event out, where the first change after a run does not count, or where a run keeps
 * nothing though it said something else.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as RunReport from "../../cli/RunReport.ts"
import { records } from "../../cli/render/CoverReportView.ts"
import * as Output from "../../cli/render/Output.ts"
import * as Day from "../../core/wire/Day.ts"
import * as AsOf from "../../sync/reports/AsOf.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import * as Receivables from "../../sync/reports/Receivables.ts"
import { Database } from "../../sync/state/Database.ts"
import { type Desk, failed, lines, type Ran, service, STATED, statedBooks, useCommand } from "../support/Cli.ts"
import { coverDesk, invoices as coveredInvoices, SETTINGS } from "../support/CoverDesk.ts"
import { planning } from "../support/Documents.ts"
import { shopFiles } from "../support/ShopFiles.ts"

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

const STATEMENTS = ["completeness", "orders", "payments", "cover"]

/** The statements that a run printed. */
const statementsIn = (ran: Ran) => lines(ran).filter(({ type }) => STATEMENTS.includes(String(type)))

/** What is kept of a run, as it would be printed. */
const printed = async (kept: AsOf.KeptStatements) => {
  const all: Array<unknown> = []
  const options = { json: true, quiet: false, color: false, progress: false, width: 80 }
  const out = { ...Output.make(options), emit: (record: unknown) => Effect.sync(() => void all.push(record)) }
  await Effect.runPromise(RunReport.statements(kept, out))
  return JSON.parse(JSON.stringify(all)) as ReadonlyArray<unknown>
}

const inBooks = <A>(here: Pick<Desk, "path">, work: (db: Database["Service"]) => A) =>
  Effect.runPromise(
    Effect.provide(Effect.map(Database, work), Database.layer({ file: here.path("daybook.db"), mode: "read" }))
  )

/** This instant; what comes after it is later. */
const instant = async (): Promise<number> => {
  const at = await Effect.runPromise(Clock.currentTimeMillis)
  await new Promise((resolve) => setTimeout(resolve, 5))
  return at
}

const momentOf = (db: Database["Service"], at: number): AsOf.StoodMoment => {
  const moment = AsOf.momentOf(db, at)
  if (moment === undefined) throw new Error("no run had ended")
  return moment
}

const KEPT = ["statement", "ledger_was", "cover_was"]

/** How many rows are kept of the past. */
const kept = (here: Pick<Desk, "path">) =>
  inBooks(here, (db) => KEPT.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()))

describe("daybook status --as-of", { timeout: 300_000 }, () => {
  it("says of each past run what was printed then", async () => {
    const there = await service()
    const here = statedBooks(there.url, { "invoices.csv": STATED, "payments.csv": HEAD })
    const seen: Array<{
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
      const open = await inBooks(here, (db) =>
        Receivables.receivables(db, { connections: books }, page, TODAY).map(
          ({ customer, due, issued, key, late, number, open }) =>
            [key, number, customer, issued, due, late, open].join(" ")
        )
      )
      seen.push({
        at: await instant(),
        statement: statementsIn(ran),
        open,
        chain: lines(ran).find(({ type }) => type === "chain")
      })
    }
    assert.strictEqual(new Set(seen.map((one) => JSON.stringify([one.statement, one.open]))).size > 3, true)
    for (const { at, chain, open, statement } of seen) {
      const then = await inBooks(here, (db) => {
        const moment = momentOf(db, at)
        const rows = [...AsOf.open(db, books, moment, TODAY)]
        return {
          statement: AsOf.statements(db, books, moment),
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
        { statement: await printed(then.statement), open: then.open, chain: then.chain },
        { statement, open, chain }
      )
      assert.strictEqual(
        then.ages.reduce((sum, { invoices }) => sum + invoices, 0),
        then.open.length
      )
    }
    // What is not of the past is now.
    const day = new Date().toISOString().slice(0, 10)
    const asOf = await here.run("status", "--as-of", day, "--json")
    assert.strictEqual(asOf.status, 0, asOf.stderr)
    assert.deepStrictEqual(statementsIn(asOf), seen.at(-1)?.statement)
    assert.include(failed(await here.run("status", "--as-of", "2020-01-01"), 2), "no run had ended by then")
    assert.include(failed(await here.run("status", "--as-of", "soon"), 2), "is not a day")
    // A run that says the same of the same keeps nothing.
    const before = await kept(here)
    await here.run("sync")
    assert.deepStrictEqual(await kept(here), before)
  })

  it("says of each past run what was printed of orders", async () => {
    const { buys, here, say, sync } = await shopFiles(await service(), {})
    await buys()
    const seen: Array<{ readonly at: number; readonly statement: unknown }> = []
    const facts = [
      {},
      { parcels: [{ id: "P1", lines: { chairs: 4 } }] },
      { parcels: [{ id: "P1", lines: { chairs: 4, lamps: 3 } }], returns: [{ id: "R1", lines: { chairs: 1 } }] },
      { parcels: [{ id: "P1", lines: { chairs: 4 } }], cancellations: [{ id: "C1", lines: { rug: 1 } }] }
    ]
    for (const books of facts) {
      say(books)
      seen.push({ statement: statementsIn(await sync()), at: await instant() })
    }
    assert.strictEqual(new Set(seen.map(({ statement }) => JSON.stringify(statement))).size, facts.length)
    for (const { at, statement } of seen)
      assert.deepStrictEqual(
        await printed(await inBooks(here, (db) => AsOf.statements(db, ["shop"], momentOf(db, at)))),
        statement
      )
  })
})

describe("daybook cover --as-of", { timeout: 300_000 }, () => {
  it("says of each past run what was insured, spent and due then", async () => {
    const desk = await coverDesk()
    // Of the past, limits and why something waited are not kept.
    const figures = (all: Iterable<Readonly<Record<string, unknown>>>) =>
      [...all].flatMap(({ limit: _, why: __, ...one }) =>
        ["offer", "summary", "as of"].includes(String(one["type"])) ? [] : [JSON.parse(JSON.stringify(one))]
      )
    const seen: Array<{ readonly at: number; readonly cover: ReadonlyArray<unknown> }> = []
    const see = async () => {
      const ran = await desk.does("sync", "--allow", "G1,G3,G6")
      assert.include([0, 3], ran.status, ran.stderr)
      seen.push({ cover: figures(lines(await desk.does("cover", "--json"))), at: await instant() })
    }
    await see()
    const digest = /--digest (\S+)/.exec((await desk.does("cover", "buy", "INV-2")).stdout)?.[1] ?? ""
    await desk.does("cover", "buy", "INV-2", "--yes", "--digest", digest, "--by", "Pat")
    await see()
    desk.write("invoices.csv", coveredInvoices().replace(/^INV-4.*\n/m, ""))
    await see()
    desk.write("payments.csv", "Ref,Invoice,Date,Amount,Type,Code\nP-1,INV-1,2026-03-20,400.00,,\n")
    await see()
    assert.strictEqual(new Set(seen.map(({ cover }) => JSON.stringify(cover))).size > 2, true)
    for (const { at, cover } of seen)
      assert.deepStrictEqual(
        figures(
          records(
            await inBooks(desk, (db) => {
              const moment = momentOf(db, at)
              const { budgets } = AsOf.statements(db, books, moment)
              return Cover.reportThen(db, [{ id: "books", planning: { ...planning, cover: SETTINGS } }], moment, {
                budgets,
                now: at
              })
            })
          )
        ),
        cover
      )
    const day = new Date().toISOString().slice(0, 10)
    const asOf = await desk.does("cover", "--as-of", day, "--json")
    assert.strictEqual(asOf.status, 0, asOf.stderr)
    assert.deepStrictEqual(figures(lines(asOf)), seen.at(-1)?.cover)
    assert.notInclude((await desk.does("cover", "--as-of", day)).stdout, "Limit")
    assert.include(failed(await desk.does("cover", "--as-of", "2020-01-01"), 2), "no run had ended by then")
    const before = await kept(desk)
    await desk.does("sync")
    assert.deepStrictEqual(await kept(desk), before)
  })
})
