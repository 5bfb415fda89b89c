/**
 * An invoice of Chargebee that is paid in part, credited, paid in full, charged back and refunded, over its wire and sent to the
 * sandbox: each is told once, the figures that Chargebee states agree, and a run without news sends nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { subject } from "../../../connectors/chargebee/Sample.ts"
import { copy, simulate } from "../../../connectors/testing/index.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { planning } from "../../support/Documents.ts"
import { ask, inWorld, report } from "../InWorld.ts"
import { KEY, URL } from "../World.ts"

const connection: Connection = {
  id: "billing",
  connector: subject.connector,
  settings: Schema.decodeUnknownSync(subject.connector.settings as Schema.Codec<unknown>)(subject.settings),
  planning,
  firstSync: "send"
}

const at = (day: string) => Date.parse(`2026-${day}T09:00:00Z`) / 1000

describe("Chargebee", () => {
  it(
    "tells the service each payment, credit, chargeback and refund of an invoice once",
    inWorld({}, async (world) => {
      const source = subject.open().source!
      const [invoices, transactions, notes] = ["invoices", "transactions", "credit_notes"].map(
        (name) => source.lists[name]!.records
      ) as [Array<object>, Array<object>, Array<object>]
      const [invoice, payment, refund, note] = [invoices[0]!, transactions[0]!, transactions[3]!, notes[0]!]
      for (const list of [transactions, notes]) list.splice(0)
      for (const record of [invoice, payment, refund, note]) Object.assign(record, { updated_at: at("12-31") })
      const say = (more: object) => invoices.splice(0, invoices.length, { ...invoice, total: 12000, ...more })
      const pay = (id: string, applied_amount: number, more: object = {}) =>
        copy([
          { ...payment, id, linked_invoices: [{ invoice_id: "i1", applied_amount, applied_at: at("02-10") }], ...more }
        ])
      const give = (id: string, applied_amount: number, more: object = {}) =>
        copy([
          {
            ...{
              ...refund,
              id,
              currency_code: "GBP",
              refunded_txn_id: "p2",
              amount: applied_amount,
              date: at("02-20")
            },
            linked_credit_notes: [{ cn_id: "c3", applied_amount, cn_reference_invoice_id: "i1" }],
            ...more
          }
        ])

      const sync = async (attention = 0) => {
        const exit = await world.life(
          Effect.gen(function* () {
            yield* Account.bind(URL, Redacted.make(KEY))
            const context = { folder: ".", environment: subject.environment! }
            yield* Effect.provide(pull(connection, context), simulate(source).layer)
            return yield* apply([connection], { allow: GUARDS })
          })
        )
        assert.deepInclude(report(exit), { failed: 0, unknown: 0, attention })
        const { results } = (await ask(world, "GET", "/v1/transactions?limit=100")) as {
          results: ReadonlyArray<Record<string, string>>
        }
        assert.deepStrictEqual(
          results.map(({ number }) => number),
          ["i1"]
        )
        const held = (await ask(world, "GET", `/v1/transactions/${results[0]!["id"]}/payments/?limit=100`)) as {
          results: ReadonlyArray<Record<string, string>>
        }
        return [results[0]!["gross_amount"], ...held.results.map(({ amount, type }) => `${amount} ${type}`)]
      }

      say({ status: "posted", amount_due: 12000 })
      assert.deepStrictEqual(await sync(), ["120.00"])
      transactions.push(...pay("p1", 5000))
      say({ status: "payment_due", amount_due: 7000 })
      const part = ["50.00 settlement"]
      assert.deepStrictEqual(await sync(), ["120.00", ...part])
      notes.push(...copy([{ ...note, total: 1000 }]))
      say({ status: "payment_due", amount_due: 6000 })
      assert.deepStrictEqual(await sync(), ["110.00", ...part])
      transactions.push(...pay("p2", 6000))
      say({ status: "paid", amount_due: 0 })
      const paid = [...part, "60.00 settlement"]
      assert.deepStrictEqual(await sync(), ["110.00", ...paid])
      // Neither changes what Chargebee says of the invoice. What was charged back is open again, and a person is told.
      transactions.push(...give("r1", 2000, { payment_method: "chargeback" }))
      const back = [...paid, "-20.00 chargeback"]
      assert.deepStrictEqual(await sync(2), ["110.00", ...back])
      transactions.push(...give("r2", 1500))
      const all = [...back, "-15.00 refund"]
      assert.deepStrictEqual(await sync(2), ["110.00", ...all])
      const before = world.changes
      assert.deepStrictEqual(await sync(2), ["110.00", ...all])
      assert.strictEqual(world.changes, before)
    })
  )
})
