/**
 * How long each room of the page takes, its first showing and later ones, each after a write:
 * `node test/bench/Rooms.ts 100000` makes books of so many invoices, one of twenty open, with 2,000 items that need attention and a
 * plan of 2,000 calls that waits, and prints a table. Each room is first asked for in a process of its own.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Redacted, Stream } from "effect"
import { handle } from "../../cli/page/Page.ts"
import { Sessions } from "../../cli/page/Sessions.ts"
import { Client } from "../../core/Client.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { Database } from "../../sync/state/Database.ts"
import { median } from "./Figure.ts"
import { build as buildPage, configurationOf } from "./Page.ts"
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
  const key = (n: number) => `books/invoice/INV-${String(n * 40 + 3).padStart(7, "0")}`
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

/** Side: milliseconds of one room, the first time and then. */
export const measure = async (folder: string, state: string, path: string) => {
  const { connections } = await configurationOf(folder)
  const writer = new Sqlite(state)
  const sessions = new Sessions(Redacted.make("not needed"))
  const cookie = sessions.issue(Date.now(), "", { encrypted: false })[0]!.split(";")[0]!
  const around = Effect.succeed({
    connections,
    folder: ".",
    environment: {},
    file: "daybook.config.json",
    wake: () => Effect.void
  })
  const client = Client.layer({ url: "http://127.0.0.1:9", key: Redacted.make("none") })
  const program = Effect.gen(function* () {
    const context = yield* Effect.context<Database | Client>()
    const ask = handle(sessions, around)
    const times: Array<number> = []
    let bytes = 0
    const look = async (address: string) => {
      const request = new Request(`http://localhost${address}`, { headers: { cookie } })
      const response = await Effect.runPromise(Effect.provide(ask(request, "127.0.0.1"), context))
      const text = await response.text()
      if (!text.includes("<main")) throw new Error(`${address}: ${response.status} ${text}`)
      bytes = text.length
    }
    // What every page needs is loaded before.
    yield* Effect.promise(() => look("/rules"))
    for (let turn = 0; turn <= TURNS; turn++) {
      writer.exec("UPDATE state SET clean = 1 - clean")
      const before = process.cpuUsage()
      const wall = 1000 * (yield* Effect.promise(() => timed(() => look(path))))
      const { system, user } = process.cpuUsage(before)
      // Others may use this machine, too.
      times.push(Math.min(wall, (system + user) / 1000))
    }
    return { first: times[0]!, warm: median(times.slice(1)), bytes }
  })
  const layer = Layer.merge(Database.layer({ file: state, mode: "read" }), client)
  const found = await Effect.runPromise(Effect.provide(program, layer))
  writer.close()
  return found
}

if (import.meta.main) {
  const [count = "100000", kept] = process.argv.slice(2)
  const folder = kept ?? mkdtempSync(join(tmpdir(), "daybook-rooms-"))
  const state = join(folder, "daybook.db")
  try {
    if (!existsSync(state)) {
      await run(import.meta.url, "build", folder, state, Number(count))
      await run(import.meta.url, "addWork", folder, state)
    }
    console.log("| room | first, ms of processor | after a write | kB of HTML |\n|---|---|---|---|")
    for (const room of ROOMS) {
      const { bytes, first, warm } = (
        await run<Awaited<ReturnType<typeof measure>>>(import.meta.url, "measure", folder, state, room)
      ).result
      console.log(`| ${room} | ${first.toFixed(0)} | ${warm.toFixed(1)} | ${(bytes / 1000).toFixed(0)} |`)
    }
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
