/** What went back of a payment that another list states as well: it is for whatever that one is for, whenever that is decided. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import * as Joins from "../../../sync/matching/Joins.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, matches, received, take } from "../Paying.ts"

const other = (id: string): Connection => ({ ...debits, id: id as Connection["id"] })

/** How the payment that says most about its invoice says it. */
const NAMED: Readonly<Record<string, Parameters<typeof received>[1]>> = {
  "by its number": { ...BAKERY, reference: "INV-1" },
  "by a link": { ...BAKERY, link: "I1" },
  "by payer and amount": { ...BAKERY, reference: "a debit" }
}

/** Connections are decided in the order of their names. */
const LISTS = ["bank", "processor"] as const

const read = (lists: ReadonlyArray<readonly [Connection, ReadonlyArray<Document>]>, together: boolean) =>
  Effect.gen(function* () {
    for (const [connection, documents] of lists) {
      yield* take(connection, documents)
      if (!together) yield* Matching.run
    }
    yield* Matching.run
  })

describe("what went back of a payment that another list states as well", () => {
  it.effect("lets its invoice wait until it is placed again, whatever dies meanwhile", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [invoice()])
      yield* take(debits, [received("D1", { ...BAKERY, reference: "INV-1" })])
      yield* take(other("bank"), [received("X1", { ...BAKERY, reference: "thanks" }), back("B1", "X1")])
      db.prepare("UPDATE bookmark SET reading = 0").run()
      yield* Matching.run
      const isUnread = () => invoiceFacts(db, "books/invoice/I1").unread === true
      assert.isFalse(isUnread())
      const id = db.prepare("SELECT id FROM document WHERE key = 'debits/payment/D1'").pluck().get() as number
      Joins.moved(db, id)
      assert.isTrue(isUnread())
      yield* Matching.run
      assert.isFalse(isUnread())
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

  const invoices = [invoice(), invoice({ id: "I2", number: "INV-2" })]
  for (const [how, named] of Object.entries(NAMED))
    for (const list of LISTS)
      for (const together of [true, false])
        for (const first of ["the payment", "what went back"])
          it.effect(
            `follows it ${how}, as ${list} before or after debits, read ${together ? "together" : "one by one"}, ${first} first`,
            () =>
              Effect.gen(function* () {
                const db = yield* Database
                const leads: readonly [Connection, ReadonlyArray<Document>] = [debits, [received("D1", named)]]
                const documents = [received("X1", { ...BAKERY, reference: "thanks" }), back("B1", "X1")]
                const follows: readonly [Connection, ReadonlyArray<Document>] = [other(list), documents]
                // One invoice of the amount, so that it is found by that as well.
                yield* take(books, how === "by payer and amount" ? invoices.slice(0, 1) : invoices)
                yield* read(first === "the payment" ? [leads, follows] : [follows, leads], together)
                assert.include(matches(db), "B1 → I1 120.00")
                assert.isUndefined(db.prepare("SELECT 1 FROM to_match").get(), "it comes to an end")
                if (how === "by payer and amount") return
                const elsewhere = [{ invoice: "INV-2", amount: Decimal.of("120.00") }]
                yield* db.transaction(() => MatchChoices.choose(db, "debits/payment/D1", elsewhere, 0))
                yield* Matching.run
                assert.sameMembers([...matches(db)], ["B1 → I2 120.00", "D1 → I2 120.00"])
              }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
          )
})
