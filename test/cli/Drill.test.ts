/**
 * What a drill rests on: the judge who sees only a service's log and holdings, and the copy of the books that knows of no service.
 *
 * Fails where `judge` takes one side only, or where a table of what the service was told stays in the copy.
 */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { judge, type Seen } from "../../cli/drill/Outside.ts"
import { copyWithoutService } from "../../sync/state/ForgetService.ts"
import { books, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const call = (method: string, path: string, acted = true) => ({ method, path, acted, status: acted ? 200 : 500 })
const held = (id: string, unique_id: string, gross_amount = "120.00") => ({ id, unique_id, gross_amount })

/** The same two invoices on a service that gave them ids of its own. */
const seen = (ids: readonly [string, string], more: Partial<Seen> = {}): Seen => ({
  calls: [
    ...ids.map(() => call("POST", "/v1/transactions/")),
    ...ids.map((id) => call("POST", `/v1/transactions/${id}/payments/`))
  ],
  holds: [held(ids[0], "books/invoice/1"), held(ids[1], "books/invoice/2")],
  ...more
})

const PLAIN = seen(["trns-000000000000aa01", "trns-000000000000aa02"])
const IDS = ["trns-000000000000bb01", "trns-000000000000bb02"] as const
const SAME = seen(IDS)

const judged = (more: Partial<Seen>) => {
  const { lost, twice } = judge(PLAIN, { ...SAME, ...more })
  return { lost: lost.join("; "), twice: twice.join("; ") }
}

describe("who judges a drill from outside", () => {
  it("sees no difference where only ids and failed calls differ", () => {
    const failed = [...SAME.calls, call("POST", "/v1/transactions/", false), call("GET", "/v1/transactions/")]
    assert.deepStrictEqual(judged({}), { lost: "", twice: "" })
    assert.deepStrictEqual(judged({ calls: failed }), { lost: "", twice: "" })
  })

  it("names what is missing, and what is there twice or otherwise", () => {
    assert.include(
      judged({ calls: SAME.calls.slice(0, -1) }).lost,
      "POST /v1/transactions/books/invoice/2/payments/: 0 instead of 1"
    )
    assert.include(
      judged({ calls: [...SAME.calls, SAME.calls[2]!] }).twice,
      "books/invoice/1/payments/: 2 instead of 1"
    )
    assert.include(judged({ calls: [...SAME.calls, SAME.calls[0]!] }).twice, "POST /v1/transactions/: 3 instead of 2")
    assert.include(judged({ holds: SAME.holds.slice(1) }).lost, "books/invoice/1: not there")
    assert.include(
      judged({ holds: [held(IDS[0], "books/invoice/1", "12.00"), SAME.holds[1]!] }).lost,
      "books/invoice/1"
    )
    assert.include(
      judged({ holds: [...SAME.holds, held("trns-000000000000bb03", "books/invoice/2")] }).twice,
      "books/invoice/2: there twice"
    )
  })
})

/** Tables of the books, of this machine, and of what people chose about the books: a copy for a drill keeps them. */
const KEPT = [
  ...[
    "state",
    "scan",
    "record_page",
    "document",
    "version",
    "allocation",
    "changed",
    "quarantine",
    "notice",
    "control"
  ],
  ...["stated_total", "stated", "strange_scan", "chunk", "bookmark", "schema_drift", "source", "connection"],
  ...["setting_change", "customer", "customer_invoice", "customer_note", "closed_month", "chain", "first_sync"],
  ...["requests_made", "config_change", "api_request", "connect_link", "alert", "alert_message", "alert_notice"],
  ...[
    "collection_file",
    "collection_file_piece",
    "collection_gathered",
    "ledger_sum",
    "unbooked",
    "ledger_was",
    "cover_was",
    "statement",
    "entry",
    "coverage",
    "sighting"
  ],
  ...["to_join", "several_lists", "same_money", "payout_line", "paying", "to_match", "payable", "matching", "mention"],
  ...[
    "unreadable",
    "to_group",
    "to_explain",
    "to_report",
    "choice",
    "payer",
    "standing",
    "not_ours",
    "sign_in",
    "decision"
  ]
]

describe("a copy of the books for a drill", () => {
  it("has nothing of what the service was told, and everything of the books", { timeout: 60_000 }, async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    const copy = join(here.folder, "copy.db")
    await Effect.runPromise(copyWithoutService(here.path("daybook.db"), copy))
    const rows = (file: string) => {
      const raw = new Sqlite(file, { readonly: true })
      const tables = raw
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .pluck()
        .all() as ReadonlyArray<string>
      const counts = new Map(
        tables.map((name) => [name, Number(raw.prepare(`SELECT count(*) FROM ${name}`).pluck().get())])
      )
      raw.close()
      return counts
    }
    const [before, after] = [rows(here.path("daybook.db")), rows(copy)]
    for (const [table, count] of after)
      if (!KEPT.includes(table))
        assert.strictEqual(count, 0, `${table} is neither kept nor forgotten, see ForgetService.ts`)
      else if (!["changed", "ledger_sum", "unbooked", "ledger_was", "cover_was"].includes(table))
        assert.strictEqual(count, before.get(table), table)
    assert.isAbove(before.get("ledger") ?? 0, 0)
    const plan = await here.run("plan", "--state", "copy.db", "--json")
    assert.strictEqual(ofType(plan, "summary")[0]?.["calls"], 6, plan.stderr)
  })
})
