/** Debtors that the service did not recognise: read from its answers, which are its own words where it refused. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as UnnamedDebtors from "../../../sync/apply/UnnamedDebtors.ts"
import * as Debtors from "../../../sync/reports/Debtors.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { books, take } from "../Paying.ts"

const SUBJECT = "books/invoice/INV-1"

for (const [what, outcome, answer, listed] of [
  ["the service's words of a refusal, which are no JSON", "refused", "400: the price is missing", true],
  ["an answer that was cut off", "failed", '{"debtor":"co-1', true],
  ["an answer without a debtor", "done", '{"debtor":null}', true],
  ["an answer with the debtor", "done", '{"debtor":"co-1"}', false]
] as const)
  it.effect(`are listed beside ${what}`, () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [invoice({ id: "INV-1", party: { name: "Anna Ltd" } })])
      db.raw.exec(`INSERT INTO ledger (subject, connection, remote, currency, books_open, service_open)
        VALUES ('${SUBJECT}', 'books', 'trns-1', 'GBP', 100, 100)`)
      db.raw.exec(`INSERT INTO claim (id, run, subject, fact, rule, operation, request, reason, claimed)
        VALUES (1, 1, '${SUBJECT}', '${SUBJECT}', 'T2', 'quotes.create', '{}', '', 0)`)
      db.prepare("INSERT INTO receipt VALUES (1, ?, 400, NULL, ?, 0)").run(outcome, answer)
      UnnamedDebtors.keep(db, SUBJECT)
      assert.deepStrictEqual(
        Debtors.list(db, "books").map(({ name }) => name),
        listed ? ["Anna Ltd"] : []
      )
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
