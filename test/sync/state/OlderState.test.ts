/**
 * A state file that an older version wrote, with calls whose answer never came: it opens, its ledger and its calls read as
 * what they were, and the plan made of it is the one that the older version made of it.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Result, Stream } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Claims from "../../../sync/apply/Claims.ts"
import * as StoredCall from "../../../sync/apply/StoredCall.ts"
import { recover } from "../../../sync/apply/Recovery.ts"
import { decode } from "../../../sync/library/config/Configuration.ts"
import { bodyOf, type Call, idempotencyKey } from "../../../sync/model/Call.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import * as Plan from "../../../sync/plan/Plan.ts"
import { Database } from "../../../sync/state/Database.ts"

const read = (name: string) => readFileSync(new URL(`../../fixtures/state/${name}`, import.meta.url), "utf8")

type Db = Database["Service"]
type Connections = Parameters<typeof Plan.stream>[0]

const withFile = <A>(work: (db: Db, connections: Connections) => Effect.Effect<A, unknown, Database>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-older-"))
  const file = join(folder, "daybook.db")
  const raw = new Sqlite(file)
  raw.pragma("journal_mode = WAL")
  raw.exec(read("version-14.sql"))
  raw.close()
  const config = JSON.parse(read("version-14.config.json"))
  return Effect.runPromise(
    Effect.gen(function* () {
      const { connections } = yield* decode(config, { file: "daybook.config.json", folder, environment: {} })
      return yield* Effect.flatMap(Database, (db) => work(db, connections)).pipe(
        Effect.provide(Database.layer({ file, mode: "write" }))
      )
    }).pipe(Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true }))))
  )
}

/** The calls for all documents, as if each had just changed. */
const planned = (db: Db, connections: Connections) =>
  Effect.gen(function* () {
    yield* db.transaction(() => {
      Plan.rememberSettings(db, connections)
      for (const { id } of connections) Facts.touchAll(db, id)
    })
    const all = yield* Stream.runCollect(Plan.stream(connections))
    return all.flatMap(({ calls }) => calls.map((call) => `${call.operation} ${call.subject} ${keyOf(call)}`.trim()))
  })

/** By which the service, or a reading of it, shows whether a call was carried out before. */
const keyOf = (call: Call): string => idempotencyKey(call) ?? ("posting" in call ? call.posting.key : "")

/** As the older version had named it, and as it is named now: by the sums before and after. */
const REFUND = "ada96d3d-e651-5be4-aa24-5a07a7df322c"
const REFUND_NOW = "c0b233e3-1c48-550c-9907-e075a4c8e2ef"
const TAKEN_BACK = [
  "transactions.createPayment books/invoice/INV-2 books/payment/P-2/INV-2#2",
  "transactions.createPayment books/invoice/INV-2 books/payment/P-2/INV-2#3"
]

/** What its calls are, and of which documents. */
const KINDS = [
  "buyer: organisations.addUser buyer",
  "buyer: organisations.create buyer",
  "buyer: organisations.update buyer",
  "buyer: users.create buyer",
  "invoice: transactions.create invoice",
  "invoice: transactions.createPayment invoice",
  "invoice: transactions.paid invoice",
  "order: deferredPayments.capture order",
  "order: deferredPayments.refund order",
  "order: deferredPayments.void order",
  "order: offers.create order",
  "order: orders.create order",
  "order: orders.get order",
  "order: orders.list order",
  "owner: organisations.create owner"
]

describe("a state file of an older version", () => {
  it("says of each document what the service holds of it", () =>
    withFile((db) =>
      Effect.sync(() => {
        const invoice = Facts.remoteInvoice(db, "books/invoice/INV-2")!
        assert.deepInclude(invoice, { kind: "invoice", id: "trns-87ae0eb7a9576a47", status: "pending", insured: false })
        assert.deepStrictEqual(
          invoice.postings.map(({ amount, date, fact, id, undo }) => [fact, `${date}`, amount, undo, id.slice(0, 4)]),
          [
            ["books/payment/P-2/INV-2", "2026-03-21", 10_000_000_000n, false, "pay-"],
            ["books/reversal/P-4/INV-2", "2026-03-25", -2_000_000_000n, false, "pay-"]
          ]
        )
        const order = Facts.remoteOrder(db, "shop/order/1041")!
        assert.deepInclude(order, { id: "defpay-2f2d756dde6e5e0d", captured: "8889", voided: "1111", refunded: "1667" })
        assert.deepStrictEqual(
          order.postings.map(({ amount, taking }) => [taking, amount]),
          [
            ["capture", "4075"],
            ["capture", "3333"],
            ["void", "1111"],
            ["capture", "1481"],
            ["refund", "1667"]
          ]
        )
        const created = Facts.remoteOrder(db, "telephone/order/2001")!
        assert.match(created.created!.offer!.id, /^off/)
        const buyer = Facts.remoteBuyer(db, "telephone/buyer/orders@harbourlane.example")!
        assert.deepInclude(buyer, { kind: "buyer", id: "org-35d5b04d8a3e7aa1" })
        assert.match(buyer.user!.id, /^user-/)
      })
    ))

  it("gives the plan that the older version made of it", () =>
    withFile((db, connections) =>
      Effect.map(planned(db, connections), (calls) =>
        assert.deepStrictEqual(calls, [
          "transactions.createPayment books/invoice/INV-2 books/payment/P-5/INV-2",
          ...TAKEN_BACK,
          "transactions.create books/invoice/INV-4",
          "transactions.create books/invoice/INV-5",
          "deferredPayments.get shop/order/1041",
          `deferredPayments.refund shop/order/1041 ${REFUND_NOW}`
        ])
      )
    ))

  it("has calls that all read as what they were, whatever they were", () =>
    withFile((db) =>
      Effect.sync(() => {
        const rows = db.prepare("SELECT * FROM claim ORDER BY id").all() as ReadonlyArray<StoredCall.CallRow>
        const calls = rows.map((row) => Result.getOrThrow(StoredCall.decode(row)))
        const kinds = calls.map(({ kind, operation, subject }) => `${kind}: ${operation} ${subject.split("/")[1]}`)
        assert.deepStrictEqual([...new Set(kinds)].toSorted(), KINDS)
        for (const [n, call] of calls.entries()) {
          const { request } = rows[n]!
          const { destructive, reduces } = JSON.parse(request)
          assert.deepStrictEqual([call.destructive, bodyOf(call)], [destructive ?? reduces, JSON.parse(request).body])
          // And again, as it is written down now.
          assert.deepStrictEqual(
            StoredCall.decode({ ...rows[n]!, request: StoredCall.encode(call) }),
            Result.succeed(call)
          )
        }
      })
    ))

  it("says which call cannot be read, where one was damaged", () =>
    withFile((db) =>
      Effect.gen(function* () {
        const { id } = db.prepare("SELECT id FROM claim WHERE has_receipt = 0").get() as { readonly id: number }
        db.prepare("UPDATE claim SET request = '{\"params\":{}}' WHERE id = ?").run(id)
        const error = yield* Effect.flip(db.read(() => Claims.pending(db)))
        assert.include(error.why, `it is damaged (call ${id} cannot be read:`)
      })
    ))

  it("has its calls without an answer looked up as they were made, and none of them is planned again", () =>
    withFile((db, connections) =>
      Effect.gen(function* () {
        const asked: Array<Call> = []
        const sender = {
          readBack: (call: Call) => {
            asked.push(call)
            const ids = { "transactions.create": "trns-5", "transactions.createPayment": "tpmt-5" } as const
            return Effect.succeed({ done: { id: ids[call.operation as keyof typeof ids] ?? "" } })
          }
        }
        const { held, recovered } = yield* recover(db, sender as never, connections)
        assert.deepStrictEqual([recovered, held], [3, []])
        assert.deepStrictEqual(
          asked.map((call) => [call.operation, keyOf(call), call.reason]),
          [
            ["transactions.createPayment", "books/payment/P-5/INV-2", "30.00 GBP received on 2026-03-28"],
            ["transactions.create", "", "new: INV-5 to Quay Books, issued 2026-03-05, due 2026-04-02"],
            ["deferredPayments.refund", REFUND, "return of 2026-03-10: 1 of lamps 7.41 GBP"]
          ]
        )
        assert.deepStrictEqual(bodyOf(asked[2]!), { amount: 741 })
        assert.deepStrictEqual(Claims.pending(db), [])
        assert.deepStrictEqual(yield* planned(db, connections), [
          ...TAKEN_BACK,
          "transactions.create books/invoice/INV-4",
          // Its debtor was chosen after the call was made.
          "transactions.matchDebtor books/invoice/INV-5"
        ])
        assert.deepInclude(Facts.remoteOrder(db, "shop/order/1041")!, { refunded: "2408" })
      })
    ))
})
