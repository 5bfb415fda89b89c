/**
 * The figures behind the page's charts: what is open by age and cover to the last unit, calls by day; and what a chart
 * draws of them.
 */
import { assert, describe, it } from "@effect/vitest"
import { html, render } from "../../../cli/page/Html.ts"
import * as Charts from "../../../cli/page/Charts.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Dashboard from "../../../sync/reports/Dashboard.ts"
import * as Expected from "../../../sync/reports/Expected.ts"
import { at, machine } from "../Machine.ts"

const TODAY = Day.fromEpochMillis(at("2026-06-30T12:00:00Z"))

const markup = (chart: unknown): string => render(html`<div>${chart}</div>`)

describe("what is open", () => {
  it("is shown by currency, age and cover, each amount in one place", () => {
    const invoice = (due: string, open: bigint, insured: boolean, currency = "GBP") => ({
      ...{ due: Day.of(due), open, insured, currency },
      ...{ document: 1, customer: 1 }
    })
    const open = [
      invoice("2026-06-30", 100n, false),
      invoice("2026-07-01", 11n, true),
      invoice("2026-06-29", 200n, false),
      invoice("2026-05-31", 30n, false),
      invoice("2026-05-30", 400n, true),
      invoice("2026-05-01", 1n, true),
      invoice("2026-04-30", 500n, false),
      invoice("2026-04-01", 2n, false),
      // More than a JavaScript number holds exactly.
      invoice("2026-03-31", 9_007_199_254_740_993n, true),
      invoice("2025-01-01", 46_899n, false, "JPY")
    ]
    const rows = Expected.ageing(open, TODAY).map(
      ({ amount, bucket, currency, insured, invoices }) =>
        `${currency} ${bucket} ${insured ? "insured" : "not"} ${invoices} ${amount}`
    )
    assert.sameMembers(rows, [
      "GBP not due not 1 100",
      "GBP not due insured 1 11",
      "GBP 1-30 not 2 230",
      "GBP 31-60 insured 2 401",
      "GBP 61-90 not 2 502",
      "GBP over 90 insured 1 9007199254740993",
      "JPY over 90 not 1 46899"
    ])
    const ofPounds = Expected.ageing(open, TODAY).filter(({ currency }) => currency === "GBP")
    const chart = markup(Charts.receivables("GBP", ofPounds))
    for (const words of ["90,071,992,547,409.93 GBP", "4.01 GBP", "2.30 GBP", "0.11 GBP", "insured", "not insured"])
      assert.include(chart, words)
    const yen = Expected.ageing(open, TODAY).filter(({ currency }) => currency === "JPY")
    const bars = markup(Charts.receivables("JPY", yen))
    assert.include(bars, ">46,899</text>")
    assert.match(bars, /<rect class="c2" x="394" width="76" y="0" height="120">/)
  })
})

describe("calls", () => {
  it("are told by day, those without any included, and what failed apart", async () => {
    const made = await machine("2026-06-30T12:00:00Z", [])
    const { db } = made
    const add = (time: string, done: number, failed: number, unknown = 0) =>
      db
        .prepare("INSERT INTO run (command, started, figures) VALUES ('apply', ?, ?)")
        .run(at(time), JSON.stringify({ done, failed, unknown }))
    add("2026-05-31T23:59:59Z", 1000, 0)
    add("2026-06-01T00:00:00Z", 3, 0)
    add("2026-06-29T08:00:00Z", 5, 1)
    add("2026-06-29T09:00:00Z", 1, 1, 2)
    db.prepare("INSERT INTO run (command, started) VALUES ('apply', ?)").run(at("2026-06-30T11:00:00Z"))
    const days = Dashboard.calls(db, TODAY, 30)
    assert.strictEqual(days.length, 30)
    assert.deepStrictEqual(
      [days.at(0), days.at(1), days.at(-2), days.at(-1)],
      [
        { day: "2026-06-01", done: 3, failed: 0 },
        { day: "2026-06-02", done: 0, failed: 0 },
        { day: "2026-06-29", done: 6, failed: 4 },
        { day: "2026-06-30", done: 0, failed: 0 }
      ]
    )
    const chart = markup(Charts.calls(days))
    assert.include(chart, "10 on the busiest day")
    assert.match(chart, /2026-06-29<\/a><\/td><td[^>]*>6<\/td><td[^>]*>4<\/td>/)
    await made.close()
  })
})
