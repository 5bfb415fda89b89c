/** Work on many documents, in one process with others who wait for answers: they have their turn between its parts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { openSync } from "node:fs"
import { join } from "node:path"
import { monthAnswer } from "../../cli/remote/ReadHandlers.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { type AccountEntry, statementPdf } from "../../sync/collections/StatementOfAccount.ts"
import { writePack } from "../../sync/evidence/Pack.ts"
import { exportTo, exportViews } from "../../sync/export/index.ts"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"
import { views } from "../../sync/library/Views.ts"
import { late } from "../../sync/reports/CloseLate.ts"
import { sheets } from "../../sync/reports/Sheets.ts"
import { copyInParts } from "../../sync/state/OwnFile.ts"
import { contentOf, filePages } from "../../sync/state/replication/Shipment.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Bench from "../bench/Invoices.ts"
import { build } from "../bench/Sent.ts"
import * as Replicas from "../support/Replicas.ts"
import { MemoryStore } from "../support/MemoryStore.ts"
import { books, configuration, desk, KEY, many, NOWHERE, useCommand } from "../support/Cli.ts"

useCommand({ alone: true })

const INVOICES = 2000
/** The most documents that others wait for. */
const PART = 200

/** How often the event loop turned meanwhile. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, isOver] = [0, false]
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

describe("the statement of a customer with many invoices", { timeout: 60_000 }, () => {
  it("is laid out in parts", async () => {
    const entries = (count: number): ReadonlyArray<AccountEntry> =>
      Array.from({ length: count }, (_, n) => ({
        date: Day.of("2026-04-01"),
        what: `Invoice INV-${n}`,
        due: Day.of("2026-05-01"),
        amount: Decimal.of(String(n))
      }))
    const party = { name: "Harbour Lane Bakery Ltd", details: [] }
    const made = (count: number) =>
      statementPdf({ seller: party, buyer: { ...party, country: "GB" }, currency: "GBP", entries: entries(count) })
    await made(1)
    assert.isAtLeast(await turnsDuring(() => made(PART)), 2 * (PART / 20))
  })
})

describe("many documents that are not sent yet", { timeout: 120_000 }, () => {
  it("are proved, planned and exported in parts", async () => {
    const here = books(NOWHERE, many(INVOICES))
    const state = here.path("daybook.db")
    const daybook = await Daybook.open(configuration(NOWHERE) as Config, {
      folder: here.folder,
      state,
      environment: { SERVICE_KEY: KEY }
    })
    await daybook.sync().catch(() => undefined)
    const proved = await turnsDuring(async () => {
      const { completeness } = await daybook.completeness()
      assert.strictEqual(completeness[0]?.pending, INVOICES)
    })
    assert.isAtLeast(proved, INVOICES / PART, "proved")
    assert.isAtLeast(await turnsDuring(() => daybook.plan()), INVOICES / PART, "planned")
    await daybook.close()

    const pauses = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Database, (db) =>
          db.read(() =>
            sheets(db, { connections: ["books"], now: 0 }).reading.map(
              ({ name, rows }) => [name, Array.from(rows()).filter((row) => row === undefined).length] as const
            )
          )
        ),
        Database.layer({ file: state, mode: "read" })
      )
    )
    for (const name of ["Summary", "Completeness"])
      assert.isAtLeast(new Map(pauses).get(name) ?? 0, INVOICES / PART, name)
  })
})

describe("many documents that were sent", { timeout: 240_000 }, () => {
  it("are looked through, copied and written in parts, whatever is done with them", async () => {
    const { folder, path } = desk({})
    await build(folder, path("invoices.csv"), path("daybook.db"), INVOICES)
    const now = Bench.configuration(folder, path("invoices.csv"))
    const turns = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const db = yield* Database
          const see = views({ configuration: now, db })
          const month = yield* see.month("2025-03")
          // Of as many customers as the largest sellers have.
          const long = { ...month, customers: Array.from({ length: 5000 }, () => month.customers[0]!) }
          const answered = HttpServerResponse.toWeb(monthAnswer(long))
          const works: Readonly<Record<string, () => Effect.Effect<unknown, unknown, never>>> = {
            verified: () => see.verify(),
            closed: () => see.month("2025-03"),
            answered: () => Effect.promise(async () => assert.deepStrictEqual(await answered.json(), long)),
            compared: () => see.whatIf({ asOf: "2025-06-01" }),
            packed: () => Effect.scoped(writePack(db, join(folder, "pack.zip"), month)),
            exported: () => exportTo(db, join(folder, "books.xlsx")),
            viewed: () => exportViews(db, join(folder, "books.sqlite")),
            copied: () => Effect.promise(() => copyInParts(db.raw, join(folder, "copy.db"))),
            hashed: () =>
              Effect.promise(() =>
                contentOf(
                  filePages(
                    openSync(path("daybook.db"), "r"),
                    db.raw.pragma("page_count", { simple: true }) as number,
                    4096
                  )
                )
              )
          }
          const counted: Record<string, number> = {}
          for (const [name, work] of Object.entries(works))
            counted[name] = yield* Effect.promise(() => turnsDuring(() => Effect.runPromise(work())))
          return counted
        }).pipe(Effect.provide(Database.layer({ file: path("daybook.db"), mode: "read" })))
      )
    )
    // What waits for the disk besides has many more.
    const least = {
      verified: 40,
      closed: 20,
      answered: 25,
      compared: 40,
      hashed: 9,
      copied: 3,
      packed: 3,
      exported: 3,
      viewed: 3
    }
    for (const [name, most] of Object.entries(least)) assert.isAtLeast(turns[name] ?? 0, most, name)
  })

  it("are looked for in parts where a month was closed before they were read", async () => {
    const { folder, path } = desk({})
    await build(folder, path("invoices.csv"), path("daybook.db"), INVOICES)
    const found = await Effect.runPromise(
      Effect.flatMap(Database, (db) => db.read(() => [...late(db, "books", Date.now(), Day.of("2025-03-31"))])).pipe(
        Effect.provide(Database.layer({ file: path("daybook.db"), mode: "read" }))
      )
    )
    assert.deepStrictEqual(found, [undefined, undefined, undefined, undefined])
  })
})

describe("a large commit of a replicated state file", { timeout: 60_000 }, () => {
  it("is read from the log, hashed and compressed in parts", async () => {
    const store = new MemoryStore()
    const shipped = Effect.flatMap(Replicas.folder, (folder) =>
      Replicas.opened(join(folder, "daybook.db"), store.replica("t"), (db) =>
        Effect.promise(() =>
          turnsDuring(() =>
            Effect.runPromise(db.transaction(() => Array.from({ length: 3000 }, (_, n) => Replicas.add(db, n, 3800)())))
          )
        )
      )
    )
    assert.isAtLeast(await Effect.runPromise(Effect.scoped(shipped)), 3000 / 256)
    assert.isAtLeast(store.mostParts, 3000 / 256)
  })
})
