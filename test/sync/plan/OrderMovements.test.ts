/** Orders whose parcels another connection has: which order a parcel is of, that it is planned again, and what waits. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { orderFacts } from "../../../sync/plan/Facts.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { Database } from "../../../sync/state/Database.ts"
import { keep } from "../../export/State.ts"
import { planning } from "../../support/Documents.ts"
import { line, order, parcel } from "../../support/Orders.ts"

const orders = { ships: "warehouse" }
const lines = [{ ...line("L1", "4", "100.00"), sku: "TEA" }]
const shop = (id: string, number: string) => order({ id, number, lines, deferredPayment: `defpay-${id}` })

const ask = (name: string, act: (at: Asked) => Effect.Effect<void, unknown, Database>) =>
  it.effect(name, () =>
    Effect.provide(
      Effect.gen(function* () {
        const db = yield* Database
        for (const [id, settings] of [
          ["shop", { orders }],
          ["warehouse", {}]
        ] as const)
          db.prepare("INSERT INTO connection (id, planning) VALUES (?, ?)").run(id, JSON.stringify(settings))
        yield* act({
          keep: (connection, ...documents) =>
            Effect.tap(keep(db, connection, documents), () =>
              Effect.sync(() => db.prepare("UPDATE bookmark SET reading = 0").run())
            ),
          goods: (id) =>
            orderFacts(db, `shop/order/${id}`).movements.map(
              ({ document, key }) =>
                `${key} ${document.lines.map(({ line, quantity }) => `${quantity / of("1")} ${line}`).join()}`
            ),
          reading: (id) => void db.prepare("UPDATE bookmark SET reading = 1 WHERE connection = ?").run(id),
          plan: (id) => reconcileOrder(orderFacts(db, `shop/order/${id}`), undefined, { ...planning, orders }),
          stray: (id) => reconcileOrder(orderFacts(db, `warehouse/order/${id}`), undefined, planning).attention,
          changed: () => {
            const all = db.prepare("SELECT subject FROM changed ORDER BY 1").pluck().all()
            db.prepare("DELETE FROM changed").run()
            return all.filter((one) => String(one).startsWith("shop/"))
          }
        })
      }),
      Database.layer({ file: ":memory:", mode: "write" })
    )
  )

interface Asked {
  readonly keep: (connection: string, ...documents: ReadonlyArray<Document>) => Effect.Effect<void, unknown>
  readonly goods: (id: string) => ReadonlyArray<string>
  readonly reading: (connection: string) => void
  readonly plan: (id: string) => ReturnType<typeof reconcileOrder>
  readonly stray: (id: string) => ReadonlyArray<unknown>
  readonly changed: () => ReadonlyArray<unknown>
}

const captures = ({ calls }: ReturnType<typeof reconcileOrder>) =>
  calls.flatMap((call) => ("orderPosting" in call ? [call.orderPosting.amount] : []))

describe("parcels of another connection", () => {
  ask(
    "are of the order that they name by id or number, in place of its own, and have it planned again once they are read",
    (at) =>
      Effect.gen(function* () {
        yield* at.keep("shop", shop("7", "1042"), shop("8", "7"), parcel("own", { L1: "4" }, "2026-03-02", "7"))
        at.changed()
        const some = parcel("1", { L1: "1" }, "2026-03-02", "1042")
        yield* at.keep("warehouse", some, parcel("2", { TEA: "2" }, "2026-03-02", "7"))
        assert.deepStrictEqual(at.goods("7"), ["warehouse/fulfilment/2 2 L1", "warehouse/fulfilment/1 1 L1"])
        assert.deepStrictEqual(at.goods("8"), [])
        assert.deepStrictEqual(at.changed(), ["shop/order/7"])
        assert.deepStrictEqual(at.stray("1042"), [])
        yield* at.keep("warehouse", some)
        assert.deepStrictEqual(at.goods("7"), ["warehouse/fulfilment/1 1 L1"])
        assert.deepStrictEqual(at.changed(), ["shop/order/7"])
        assert.deepStrictEqual(captures(at.plan("7")), ["2500"])
        at.reading("warehouse")
        assert.deepStrictEqual(captures(at.plan("7")), [])
      })
  )

  ask("may come before their order, and are nobody's where two orders have the number", (at) =>
    Effect.gen(function* () {
      yield* at.keep("warehouse", parcel("1", { TEA: "1" }, "2026-03-02", "1042"))
      yield* at.keep("shop", shop("7", "1042"))
      assert.deepStrictEqual(at.goods("7"), ["warehouse/fulfilment/1 1 L1"])
      yield* at.keep("shop", shop("7", "1042"), shop("8", "1042"))
      assert.deepStrictEqual([at.goods("7"), at.goods("8")], [[], []])
    })
  )

  ask("wait for a person if they name goods that the order does not have", (at) =>
    Effect.gen(function* () {
      const state = {
        lines: [{ line: "L1", left: 0n, back: 0n, still: of("4") }],
        total: of("100.00"),
        own: { given: 0n },
        others: { received: 0n, given: 0n }
      }
      yield* at.keep("shop", { ...shop("7", "1042"), state })
      yield* at.keep("warehouse", parcel("1", { SALT: "1" }, "2026-03-02", "7"))
      assert.match(at.plan("7").attention[0]?.why ?? "", /its fulfilment of 2026-03-02 names line SALT/)
      yield* at.keep("warehouse", parcel("1", { TEA: "5" }, "2026-03-02", "7"))
      assert.match(at.plan("7").attention[0]?.why ?? "", /more of line L1 left or was cancelled than was ordered/)
      yield* at.keep("warehouse", parcel("1", { TEA: "1" }, "2026-03-02", "7"))
      assert.deepStrictEqual(captures(at.plan("7")), ["2500"])
    })
  )
})
