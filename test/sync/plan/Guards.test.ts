/**
 * What stops a run before its first call, and what does not.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Planning } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import { check, stops } from "../../../sync/plan/Guards.ts"
import { GuardError } from "../../../sync/state/LedgerTrust.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import { day, invoice, payment, planning } from "../../support/Documents.ts"
import { inWorld, paidInvoices, report, requests } from "../InWorld.ts"
import { violations } from "../Invariants.ts"
import { connection, whole } from "../Source.ts"

/** What the guard says of so many reductions on a service that holds so many invoices. */
const says = (reductions: number, held: number, guards?: Planning["guards"]) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (let n = 0; n < held; n++) {
      db.prepare(
        "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, ?, 'books', ?, '{}', NULL, 'GBP', 0, 0)"
      ).run(`books/invoice/${n}`, `trns-${n}`)
    }
    db.prepare(
      "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, 'books/invoice/unsent', 'books', NULL, NULL, 'T1', 'GBP', 0, 0)"
    ).run()
    const books = connection(
      whole(() => []),
      guards === undefined ? planning : { ...planning, guards }
    )
    const guarded = new Map([
      [
        "books",
        { invoices: held, changes: reductions, sources: new Set<string>(), reductions: new Map(), oddities: new Map() }
      ]
    ])
    const summary = { ...new Tally().summary(), reductions: new Map([["books", reductions]]), guarded }
    return check(stops(db, [books], summary, day("2026-03-01")))?.message
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" }), { local: true }))

describe("the guard against reductions", () => {
  it.effect("lets three pass always, and more within the number and the share", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* says(0, 0))
      assert.isUndefined(yield* says(3, 0))
      assert.isUndefined(yield* says(4, 20))
      assert.isDefined(yield* says(4, 19))
      assert.isUndefined(yield* says(50, 250))
      assert.isDefined(yield* says(51, 10_000))
      assert.isDefined(yield* says(50, 249))
    })
  )

  it.effect("says how many, of how many, what is allowed, and what to do", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* says(60, 100),
        "books: G1: this run would make 60 calls that reduce what the service holds (deletions, reversals, lower " +
          "amounts, voids, refunds), in a ledger of 100 invoices and orders; the guard allows at most 50 and at most 20% of the ledger. Nothing was sent. Look at `daybook plan`; " +
          "if it is right, run again with --allow G1, or raise `guards` in the configuration"
      )
    })
  )

  it.effect("takes its number and its share from the configuration", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* says(60, 100, { number: 60, share: 0.6 }))
      assert.include(
        (yield* says(61, 100, { number: 60, share: 1 }))!,
        "the guard allows at most 60 and at most 100% of the ledger"
      )
      assert.include(
        (yield* says(60, 100, { number: 60 }))!,
        "the guard allows at most 60 and at most 20% of the ledger"
      )
      assert.isDefined(yield* says(4, 100, { number: 3, share: 1 }))
    })
  )

  it(
    "an emptied source sends nothing until a person says so",
    inWorld({}, async (world) => {
      world.documents = paidInvoices(5)
      report(await world.sync())
      const before = requests(world).length
      world.documents = [invoice({ id: "I1", number: "INV-1" }), payment("P1", { I1: "120.00" })]
      const exit = await world.sync({ allow: ["G6"] })
      const [reason] = exit._tag === "Failure" ? exit.cause.reasons : []
      assert.isTrue(reason?._tag === "Fail" && reason.error instanceof GuardError)
      assert.strictEqual(requests(world).length, before, "nothing was sent")
      assert.strictEqual(world.service.transaction.size, 5)
      assert.deepInclude(report(await world.sync({ allow: ["G1", "G6"] })), { done: 4, failed: 0 })
      assert.strictEqual(world.service.transaction.size, 1)
    })
  )

  it(
    "deletions, negative payments and lower amounts count; new invoices and higher amounts do not",
    inWorld({}, async (world) => {
      const some = (gross: string, more = 0) => [
        ...[1, 2, 3, 4].map((n) => invoice({ id: `I${n}`, number: `INV-${n}`, gross })),
        ...Array.from({ length: more }, (_, n) => invoice({ id: `J${n}`, number: `INV-1${n}` }))
      ]
      world.documents = some("100.00")
      report(await world.sync({ allow: [] }))
      world.documents = some("150.00", 9)
      assert.deepInclude(report(await world.sync({ allow: [] })), { done: 13 })
      world.documents = some("140.00", 9)
      assert.strictEqual((await world.sync({ allow: [] }))._tag, "Failure", "4 of 13 lower amounts")
      world.documents = [...some("150.00", 9).slice(0, 12), invoice({ id: "J8", number: "INV-18", gross: "61.00" })]
      assert.deepInclude(report(await world.sync({ allow: [] })), { done: 1 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )
})
