/**
 * A source that changes what it says: a new value, a member that is missing, another type. What cannot be read is quarantined
 * with its text, what was known of it stays, equal troubles are reported as one, and once the connector has learned them
 * the sweep brings the records back.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Connector } from "../../../connectors/Connector.ts"
import type { Document, Payment } from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as QuarantinedRecords from "../../../sync/reports/QuarantinedRecords.ts"
import * as Status from "../../../sync/reports/Status.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { sweep } from "../../../sync/pull/Sweep.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { connection, connector, read } from "../Source.ts"

const layer = Layer.mergeAll(
  Database.layer({ file: ":memory:", mode: "write" }),
  NodeFileSystem.layer,
  FetchHttpClient.layer
)

const record = (id: string, changes: object = {}) => ({
  id,
  state: "sent",
  buyer: { name: "Harbour Tea Ltd" },
  day: "2026-01-31",
  total: "120.00",
  ...changes
})

/** A connector over these records, which knows these states. */
const source = (records: () => ReadonlyArray<object>, states: ReadonlyArray<string>): Connector => {
  const read = (all: ReadonlyArray<object>) => {
    const into = Json.batch()
    Json.decodeAll(into, Json.parse(JSON.stringify(all)) as ReadonlyArray<unknown>, {
      name: "invoices",
      kind: "invoice",
      id: "id",
      decode: (fields) => {
        const state = fields.text("state")
        if (!states.includes(state)) throw new Json.Unfit("state", `${JSON.stringify(state)} is not a known status`)
        const day = fields.day("day")
        return {
          documents: [
            {
              kind: "invoice",
              id: fields.text("id"),
              number: fields.text("id"),
              status: "open",
              party: { name: fields.text("buyer.name") },
              currency: "GBP",
              issued: day,
              due: day,
              gross: fields.major("total", "GBP")
            }
          ]
        }
      }
    })
    return into
  }
  return {
    ...connector(() => Stream.suspend(() => Stream.make({ ...read(records()), bookmark: { page: 1 } }))),
    reread: (_, ids) =>
      Stream.suspend(() => {
        const found = records().filter((one) => ids.includes((one as { readonly id: string }).id))
        const deleted = ids.filter((id) => !found.some((one) => (one as { readonly id: string }).id === id))
        return Stream.make({ ...read(found), deleted: deleted.map((id) => ({ kind: "invoice" as const, id })) })
      })
  }
}

const options = { folder: ".", limit: 10 }

describe("a source that drifts", () => {
  it.effect("a new value, a missing member and another type are reported once each, and nothing known is lost", () =>
    Effect.gen(function* () {
      const db = yield* Database
      let records = ["a", "b", "c", "d", "e", "f"].map((id) => record(id))
      const one = connection(source(() => records, ["sent"]))
      yield* pull(one, { folder: "." })
      records = [
        record("a", { state: "disputed" }),
        record("b", { state: "disputed" }),
        record("c", { total: undefined }),
        record("d", { total: undefined }),
        record("e", { buyer: { name: ["Harbour", "Tea"] } }),
        record("f", { buyer: { name: ["Harbour", "Tea"] } })
      ]
      const taken = yield* pull(one, { folder: "." })
      assert.deepInclude(taken, { read: 0, quarantined: 6, changed: 0, deleted: 0 })
      assert.deepStrictEqual(
        Status.drift(db, 10).map(({ field, kind, records, why }) => `${records} ${kind} ${field}: ${why}`),
        [
          "2 invoice buyer.name: is a list; text is expected",
          '2 invoice state: "disputed" is not a known status',
          "2 invoice total: is missing; it is required"
        ]
      )
      const held = db.prepare("SELECT count(*) FROM document WHERE deleted = 0").pluck().get()
      assert.strictEqual(held, 6)
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.effect("the sweep tries them again by id: what can be read now comes back, what is gone is let go", () =>
    Effect.gen(function* () {
      const db = yield* Database
      let records = [
        record("a", { state: "disputed" }),
        record("b", { state: "disputed" }),
        record("c", { total: "?" })
      ]
      const before = connection(source(() => records, ["sent"]))
      yield* pull(before, { folder: "." })
      assert.strictEqual(Status.quarantinedCount(db), 3)
      // Nothing was mended: the same records are quarantined, and none twice.
      assert.deepInclude(yield* sweep(before, options), { asked: 3, quarantined: 3 })
      assert.strictEqual(Status.quarantinedCount(db), 3)
      // The connector learned the status, and the source let go of one and edited another that still cannot be read.
      records = [record("a", { state: "disputed" }), record("c", { total: "many" })]
      const after = connection(source(() => records, ["sent", "disputed"]))
      assert.deepInclude(yield* sweep(after, options), { asked: 3, added: 1, quarantined: 1 })
      assert.deepStrictEqual(
        QuarantinedRecords.all(db, 10).map(({ origin, why }) => `${origin}: ${why.slice(0, 6)}`),
        ['invoices/c: "many"']
      )
      assert.deepStrictEqual(db.prepare("SELECT key FROM document").pluck().all(), ["books/invoice/a"])
    }).pipe(Effect.provide(layer, { local: true }))
  )
})

describe("a source that says less than it used to", () => {
  const many = (count: number, of: (n: number) => Document) => Array.from({ length: count }, (_, n) => of(n))
  const paid = (id: string, more: Partial<Payment>) => payment(id, "50", "2026-01-10", more)

  /** What is reported once these pages were read, one behind the other. */
  const reported = (...pages: ReadonlyArray<ReadonlyArray<Document>>) =>
    Effect.gen(function* () {
      const db = yield* Database
      for (const documents of pages)
        yield* pull(
          connection(
            connector(() => Stream.make({ read: documents.map(read), quarantined: [], bookmark: { page: 1 } }))
          ),
          { folder: "." }
        )
      return Status.drift(db, 10).map(
        ({ field, kind, origin, records, why }) => `${records} ${kind} ${field}: ${why} (${origin})`
      )
    }).pipe(Effect.provide(layer, { local: true }))

  const before = many(60, (n) => paid(`A${n}`, n === 7 ? {} : { reference: `INV-${n}` }))
  const lacking = many(25, (n) => paid(`B${n}`, {}))

  it.effect("is reported, with what was usual and from which on it no longer is", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reported(before), [])
      assert.deepStrictEqual(yield* reported(before, lacking), [
        "25 payment reference: is missing; 59 of the 60 records read before had it (payment/B0)"
      ])
      // Read once more it is no more of them.
      assert.deepStrictEqual(yield* reported(before, lacking, lacking), [
        "25 payment reference: is missing; 59 of the 60 records read before had it (payment/B0)"
      ])
      assert.deepStrictEqual(yield* reported(before, ...lacking.slice(0, 20).map((one) => [one])), [
        "20 payment reference: is missing; 59 of the 60 records read before had it (payment/B0)"
      ])
    })
  )

  it.effect("is not where it comes back, where few came, where it was not usual, or where that is usual by now", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reported(before, lacking, [paid("C", { reference: "INV-9" })]), [])
      assert.deepStrictEqual(yield* reported(before, lacking.slice(0, 19)), [])
      assert.deepStrictEqual(yield* reported(before.slice(0, 49), lacking), [])
      assert.deepStrictEqual(
        yield* reported(
          before,
          many(61, (n) => paid(`B${n}`, {}))
        ),
        []
      )
      const some = many(100, (n) => paid(`D${n}`, n % 10 === 0 ? {} : { reference: `INV-${n}` }))
      assert.deepStrictEqual(yield* reported(some, lacking), [])
    })
  )

  it.effect("counts what it says of invoices by what does not change with age", () =>
    Effect.gen(function* () {
      const settled = many(60, (n) => invoice({ id: `I${n}`, status: "paid", paidOn: "2026-02-01" }))
      const open = many(30, (n) => invoice({ id: `J${n}` }))
      assert.deepStrictEqual(yield* reported(settled, open), [])
      const nameless = many(30, (n) => invoice({ id: `J${n}`, party: { name: "Harbour Lane Bakery" } }))
      const abroad = many(60, (n) => invoice({ id: `I${n}`, party: { name: "Harbour Lane Bakery", country: "GB" } }))
      assert.deepStrictEqual(yield* reported(abroad, nameless), [
        "30 invoice party.country: is missing; 60 of the 60 records read before had it (invoice/J0)"
      ])
    })
  )
})
