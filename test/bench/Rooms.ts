/**
 * How long each room of the page takes, its first showing and later ones, after a write and without one:
 * `node test/bench/Rooms.ts 100000` makes books of so many invoices, one of twenty open, with 2,000 items that need attention and a
 * plan of 2,000 calls that waits, and prints a table. Each room is first asked for in a process of its own.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { Database } from "../../sync/state/Database.ts"
import { median } from "./Figure.ts"
import { build as buildPage, configurationOf, visiting } from "./Page.ts"
import { run, timed } from "./Process.ts"

const ITEMS = 2000
const TURNS = 5

const ROOMS: ReadonlyArray<string> = [
  "/",
  "/attention",
  "/plans",
  "/plans?connection=books",
  "/receivables",
  "/failed",
  "/customers",
  "/customers?sort=overdue",
  "/customers/7",
  "/documents",
  "/documents?only=open",
  `/documents/${encodeURIComponent("books/invoice/INV-0000400")}`,
  "/cover",
  "/months",
  "/months?month=2024-03",
  "/activity",
  "/connections",
  "/debtors",
  "/payouts",
  "/alerts",
  "/people",
  "/settings",
  "/rules",
  "/changes",
  "/search?q=Bakery",
  "/search?q=0000400"
]

/** Side: the books, as the bench of the page makes them. */
export const build = buildPage

/** Side: the items and the plan. */
export const addWork = async (folder: string, state: string): Promise<void> => {
  const { connections } = await configurationOf(folder)
  // Open ones: only their number is to be corrected.
  const key = (n: number) => `books/invoice/INV-${String(n * 40).padStart(7, "0")}`
  const program = Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => {
      for (let n = 0; n < ITEMS; n++) {
        const why = `${n + 1}.00 GBP is allocated to an invoice that was not found in the source`
        const item = { subject: key(n), fact: `books/payment/LOST-${n}`, rule: "P1" as const, why, todo: "look at it" }
        AttentionStore.announce(db, key(n), [item], Date.UTC(2026, 0, 2))
      }
      // The service has these with another number.
      const other = db.prepare("UPDATE ledger SET held = json_set(held, '$.f.n', 'X') WHERE subject = ?")
      const touch = db.prepare("INSERT INTO changed (subject) VALUES (?) ON CONFLICT DO NOTHING")
      for (let n = 0; n < ITEMS; n++) for (const one of [other, touch]) one.run(key(n))
    })
    const tally = new Tally()
    yield* Stream.runForEach(Plan.stream(connections), (planned) => Effect.sync(() => tally.add(planned)))
    yield* db.transaction(() => Approvals.ask(db, "books", tally.summary(), Date.UTC(2026, 0, 3)))
    return tally.summary().calls
  })
  const calls = await Effect.runPromise(Effect.provide(program, Database.layer({ file: state, mode: "write" })))
  console.log(`${calls} calls wait`)
}

/** Milliseconds of processor, or of the clock if that is less: others may use this machine, too. */
const took = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  const wall = 1000 * (await timed(work))
  const { system, user } = process.cpuUsage(before)
  return Math.min(wall, (system + user) / 1000)
}

/** Side: milliseconds of one room: the first time, then after a write each, and then again without one. */
export const measure = (folder: string, state: string, path: string) =>
  visiting(folder, state, async ({ look, write }) => {
    // What every page needs is loaded before.
    await look("/rules")
    const first = await took(() => look(path))
    const [written, again]: [Array<number>, Array<number>] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      write()
      written.push(await took(() => look(path)))
      again.push(await took(() => look(path)))
    }
    return { first, written: median(written), again: median(again), bytes: (await look(path)).length }
  })

if (import.meta.main) {
  const [count = "100000", kept] = process.argv.slice(2)
  const folder = kept ?? mkdtempSync(join(tmpdir(), "daybook-rooms-"))
  const state = join(folder, "daybook.db")
  try {
    if (!existsSync(state)) {
      await run(import.meta.url, "build", folder, state, Number(count))
      await run(import.meta.url, "addWork", folder, state)
    }
    console.log("| room | first, ms of processor | after a write | again | kB of HTML |\n|---|---|---|---|---|")
    for (const room of ROOMS) {
      const { again, bytes, first, written } = (
        await run<Awaited<ReturnType<typeof measure>>>(import.meta.url, "measure", folder, state, room)
      ).result
      const figures = [first.toFixed(0), written.toFixed(1), again.toFixed(1), (bytes / 1000).toFixed(0)]
      console.log(`| ${room} | ${figures.join(" | ")} |`)
    }
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
