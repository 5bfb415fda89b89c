/**
 * Databases that stop answering: whatever is waited for ends, the pages that came are kept, and whoever does not want to wait
 * any more can go at once. Answers that keep coming may take as long as they take.
 */
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import Sqlite from "better-sqlite3"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sql } from "../../../connectors/sql/Sql.ts"
import type { Settings } from "../../../connectors/sql/Settings.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { until } from "../../support/Daemon.ts"
import { PASSWORD } from "../../support/Servers.ts"
import { network, SILENCES, type Silent } from "../../support/SilentDatabase.ts"
import { type Desk, engines, names, pull } from "./Databases.ts"

const invoices = {
  query: "SELECT * FROM invoice",
  columns: { id: "id", customer: "buyer", issued: "issued", due: "due", gross: "gross" },
  currency: "GBP"
}

const settings = (timeout: string): Settings => ({ url: { env: "DB" }, timeout, invoices }) as unknown as Settings
const at = (scheme: string, { port }: Silent) => ({
  folder: ".",
  environment: { DB: `${scheme}://daybook:${PASSWORD}@127.0.0.1:${port}/books` }
})

/** Everything that asks a database something. */
const ASKS = {
  pull: (place: ReturnType<typeof at>, timeout: string) =>
    Stream.runDrain(sql.pull(settings(timeout), undefined, place)),
  reread: (place: ReturnType<typeof at>, timeout: string) =>
    Stream.runDrain(sql.reread!({ ...settings(timeout), invoices: { ...invoices, cursor: "changed" } }, ["1"], place)),
  check: (place: ReturnType<typeof at>, timeout: string) =>
    Effect.flatMap(sql.check!(settings(timeout), place), (problems) =>
      problems.length > 0 ? Effect.fail(new Error(`sql: ${problems.join()}`)) : Effect.void
    )
}

describe("a database that falls silent", { timeout: 10_000 }, () => {
  for (const [what, scheme, start] of SILENCES)
    for (const [asked, ask] of Object.entries(ASKS)) {
      it(`fails what waits for it, and is let go: ${scheme} ${what}, ${asked}`, async () => {
        const silent = await start()
        const begun = performance.now()
        const exit = await Effect.runPromiseExit(Effect.provide(ask(at(scheme, silent), "1 second"), outside))
        assert.isBelow(performance.now() - begun, 3000)
        assert.isTrue(Exit.isFailure(exit))
        const said = Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : ""
        assert.match(
          said,
          /^sql: .*(has sent nothing for 1 second \(.*\); check the server, .* or set source\.timeout|nothing answers at)/
        )
        await until("it is let go", () => (silent.open() === 0 ? true : undefined))
        silent.close()
      })

      it(`is let go as soon as nobody waits any more: ${scheme} ${what}, ${asked}`, async () => {
        const silent = await start()
        const fiber = Effect.runFork(Effect.provide(ask(at(scheme, silent), "1 hour"), outside))
        await until("it is connected", () => (silent.open() > 0 ? true : undefined))
        await new Promise((resolve) => setTimeout(resolve, 150))
        const begun = performance.now()
        await Effect.runPromise(Fiber.interrupt(fiber))
        await until("it is let go", () => (silent.open() === 0 ? true : undefined))
        assert.isBelow(performance.now() - begun, 1000)
        silent.close()
      })
    }
})

describe("a database whose answer has no end", { timeout: 30_000 }, () => {
  for (const [what, scheme, start] of SILENCES.slice(0, -1))
    it(`is let go before it fills the memory: ${scheme} ${what}`, async () => {
      const endless = await start(true)
      const exit = await Effect.runPromiseExit(Effect.provide(ASKS.pull(at(scheme, endless), "1 minute"), outside))
      const said = Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : ""
      assert.include(
        said,
        "sends more than 64 MB for one page of rows; select fewer or shorter columns, or set source.page"
      )
      await until("it is let go", () => (endless.open() === 0 ? true : undefined))
      endless.close()
    })
})

describe("a SQLite file whose query never ends", { timeout: 10_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-endless-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  new Sqlite(join(folder, "books.db")).exec("CREATE TABLE one (a)").close()
  const endless = {
    ...invoices,
    query:
      "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS id, 'b' AS buyer, '2026-01-01' AS issued, '2026-01-31' AS due, 1 AS gross FROM n"
  }
  const reading = (timeout: string) =>
    Stream.runDrain(
      sql.pull({ file: "books.db", timeout, invoices: endless } as unknown as Settings, undefined, { folder })
    )
  /** The processes that this one started and that are still there. */
  const processes = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
      .split(" ")
      .filter((pid) => pid.trim() !== "").length

  it("fails what waits for it, is let go, and keeps nobody else waiting", async () => {
    const before = processes()
    let [last, still] = [performance.now(), 0]
    const watch = setInterval(() => {
      still = Math.max(still, performance.now() - last)
      last = performance.now()
    }, 10)
    const exit = await Effect.runPromiseExit(Effect.provide(reading("1 second"), outside))
    clearInterval(watch)
    assert.isBelow(still, 500)
    const said = Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : ""
    assert.match(
      said,
      /^sql: cannot be read now: books\.db gave no row for 1 second \(the query for invoices\); make the query faster/
    )
    await until("its process is gone", () => (processes() === before ? true : undefined))
  })

  it("is let go as soon as nobody waits any more", async () => {
    const before = processes()
    const fiber = Effect.runFork(Effect.provide(reading("1 hour"), outside))
    await until("it is read", () => (processes() > before ? true : undefined))
    await Effect.runPromise(Fiber.interrupt(fiber))
    await until("its process is gone", () => (processes() === before ? true : undefined))
  })
})

const ROWS = 4000

for (const engine of engines.filter(({ name }) => name !== "SQLite")) {
  describe(engine.name, { timeout: 60_000 }, () => {
    let missing: string | undefined
    let desk: Desk
    beforeAll(async () => {
      missing = await engine.start()
      if (missing !== undefined) return console.info(`${missing}: skipped`)
      desk = await engine.desk()
      await desk.exec(
        "CREATE TABLE invoice (id int, buyer varchar(200), issued date, due date, gross numeric(9, 2))",
        `INSERT INTO invoice WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, repeat('a', 150), '2026-01-01', '2026-01-31', 1 FROM n`,
        ...[1, 2, 3].map(
          (n) => `INSERT INTO invoice SELECT id + ${n * 1000}, buyer, issued, due, gross FROM invoice WHERE id <= 1000`
        )
      )
    }, 120_000)
    afterAll(async () => {
      if (missing === undefined) await desk.close()
      await engine.stop()
    })
    /** The same books, over this network. */
    const over = async (how: Parameters<typeof network>[1]) => {
      const between = await network(engine.server().port, how)
      const environment = { BOOKS_DATABASE: desk.environment["BOOKS_DATABASE"]!.replace(/:\d+\//, `:${between.port}/`) }
      return { between, there: { ...desk, environment } }
    }

    it("is not silent because a glance left most of its rows", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      const payments = {
        query: "SELECT id, id AS invoice, issued AS paid, gross AS amount FROM invoice",
        columns: { id: "id", invoice: "invoice", date: "paid", amount: "amount" },
        currency: "GBP"
      }
      const two = { ...desk.place, timeout: "2 seconds", invoices, payments } as unknown as Settings
      const glance = sql.pull(two, undefined, { folder: ".", environment: desk.environment, first: 5 })
      const pages = await Effect.runPromise(Effect.provide(Stream.runCollect(glance), outside))
      assert.deepStrictEqual(
        pages.flatMap(({ read }) => read.map(({ document }) => document.kind)),
        [...Array(5).fill("invoice"), ...Array(5).fill("payment")]
      )
    })

    it("is read as long as it keeps answering, however long that takes", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      const { between, there } = await over({ pieceMs: 25 })
      const begun = performance.now()
      const ran = await pull(there, { timeout: "1 second", page: 2000, invoices })
      assert.strictEqual(names(ran).length, ROWS)
      assert.isAbove(performance.now() - begun, 2000, "it took longer than it may be silent")
      between.close()
    })

    it("that falls silent amid the rows fails what is read, and keeps the pages that came", async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      const { between, there } = await over({ bytes: 300_000 })
      const { error, pages } = await pull(there, { timeout: "1 second", page: 100, invoices })
      assert.match(error!.message, /has sent nothing for 1 second \(the query for invoices\)/)
      const read = pages.flatMap(({ read }) => read).length
      assert.isAbove(read, 0)
      assert.isBelow(read, ROWS)
      await until("it is let go", () => (between.open() === 0 ? true : undefined))
      between.close()
    })
  })
}
