/** Work on many documents, in one process with others who wait for answers: they have their turn between its parts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { type AccountEntry, statementPdf } from "../../sync/collections/StatementOfAccount.ts"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"
import { sheets } from "../../sync/reports/Sheets.ts"
import { Database } from "../../sync/state/Database.ts"
import { books, configuration, KEY, many, NOWHERE, useCommand } from "../support/Cli.ts"

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
