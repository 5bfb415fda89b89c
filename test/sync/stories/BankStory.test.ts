/**
 * A whole story: invoices in a table, the bank's statements beside it in two formats, sent to the sandbox. A collected
 * direct debit comes back a week later and again in a copy of its statement; the sum of a batch turns out to be of two
 * invoices when its details come.
 */
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { files } from "../../../connectors/files/Files.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { planning } from "../../support/Documents.ts"
import { camt, transfer } from "../../connectors/files/Statements.ts"
import { write } from "../../connectors/files/support.ts"
import { ask, inWorld, report } from "../InWorld.ts"
import { KEY, URL } from "../World.ts"

type Held = Readonly<Record<"id" | "number" | "status" | "amount" | "type" | "provider_code" | "details", string>>

const settings = (source: object) => Schema.decodeUnknownSync(files.settings as Schema.Codec<unknown>)(source)

const columns = { id: "No", customer: "Buyer", issued: "Issued", due: "Due", gross: "Gross" }
const books: Connection = {
  id: "books",
  connector: files,
  settings: settings({ invoices: { path: "invoices.csv", columns, currency: "EUR" } }),
  planning,
  paid: true,
  firstSync: "send"
}
const bank: Connection = {
  id: "bank",
  connector: files,
  settings: settings({ payments: { path: "statements" } }),
  planning,
  pays: { connection: "books", days: 30 }
}

const INVOICES = `No,Buyer,Issued,Due,Gross
INV-1,Atelier Nord,2026-01-05,2026-02-03,119.00
INV-2,Cafe Sud,2026-01-05,2026-02-03,30.00
INV-3,Cafe Sud,2026-01-05,2026-02-03,70.00
`
const COLLECTED = {
  ref: "2026020300000017",
  amount: "119.00",
  details: [transfer("119.00", { name: "Atelier Nord", text: "INV-1", trace: "DD-1" })]
}
const BATCH = { ref: "2026020300000018", amount: "100.00", items: 2 }
const DETAILS = ["INV-2", "INV-3"].map((text, n) => transfer(["30.00", "70.00"][n]!, { name: "Cafe Sud", text }))
const FEBRUARY_3 = camt({ number: "1", opening: "0.00", closing: "219.00", entries: [COLLECTED, BATCH] })
const RETURNED = `:20:STARTUMS
:25:DE02120300000000202051
:28C:00002
:60F:C260203EUR219,00
:61:2602100210DR122,00NRTINONREF//2026021000000003
:86:109?00RUECKLASTSCHRIFT?20EREF+DD-1?21OAMT+EUR 119,00?22SVWZ+AM04?32ATELIER NORD
:62F:C260210EUR97,00
-
`

describe("a bank's statements for invoices in a table", () => {
  it(
    "are matched by what payers wrote; what is returned takes its payment back once; a sum gives way to its details",
    inWorld({}, async (world) => {
      const folder = write({ "invoices.csv": INVOICES, "statements/2026-02-03.xml": FEBRUARY_3 })
      const read = (connection: Connection) =>
        Effect.gen(function* () {
          const db = yield* Database
          yield* db.transaction(() => Matching.rememberSettings(db, connection))
          yield* Effect.provide(pull(connection, { folder }), Layer.mergeAll(NodeServices.layer, FetchHttpClient.layer))
          yield* Matching.run
        })
      const sync = async () =>
        report(
          await world.life(
            Effect.gen(function* () {
              yield* Account.bind(URL, Redacted.make(KEY))
              yield* read(bank)
              yield* read(books)
              return yield* apply([books, bank])
            })
          )
        )
      const needs = async () => {
        const exit = await world.life(
          Effect.map(Database, (db) => AttentionStore.list(db).map(({ subject, why }) => `${subject}: ${why}`))
        )
        return exit._tag === "Success" ? exit.value : assert.fail()
      }
      const held = async () => {
        const { results } = (await ask(world, "GET", "/v1/transactions?limit=100")) as { results: Array<Held> }
        const all = results.map(async ({ id, number, status }) => {
          const own = (await ask(world, "GET", `/v1/transactions/${id}/payments/?limit=100`)) as {
            results: Array<Held>
          }
          const said = own.results.map((one) => `${one.amount} ${one.type} ${one.provider_code}`.trimEnd())
          return [number, [status, ...said]] as [string, Array<string>]
        })
        return Object.fromEntries(await Promise.all(all))
      }

      await sync()
      const first = await held()
      assert.deepStrictEqual(first, {
        "INV-1": ["paid", "119.00 settlement"],
        "INV-2": ["pending"],
        "INV-3": ["pending"]
      })
      assert.deepStrictEqual(
        (await needs()).map((one) => one.split(":").slice(0, 3).join(":")),
        ["bank/payment/DE02120300000000202051:2026-02-03:100.00"]
      )

      // A notification says what the sum was of; the debit comes back, in a statement of another format.
      const notified = camt({ message: "054", entries: [{ ...BATCH, details: DETAILS }] })
      write({ "statements/2026-02-04.xml": notified, "statements/2026-02-10.sta": RETURNED }, folder)
      await sync()
      const second = {
        "INV-1": ["paid", "119.00 settlement", "-119.00 error AM04"],
        "INV-2": ["paid", "30.00 settlement"],
        "INV-3": ["paid", "70.00 settlement"]
      }
      assert.deepStrictEqual(await held(), second)
      assert.deepStrictEqual(await needs(), [
        "books/invoice/INV-1: it is paid on the service, but 119.00 EUR is open again in the source"
      ])

      // The same statements once more, under other names: nothing changes.
      write({ "statements/copy.xml": FEBRUARY_3, "statements/copy.sta": RETURNED }, folder)
      const before = world.changes
      await sync()
      assert.strictEqual(world.changes, before)
      assert.deepStrictEqual(await held(), second)
    })
  )
})
