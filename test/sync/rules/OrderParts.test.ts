/** Orders of one connection that share a deferred payment: parts of one sale are decided as one order, all else is asked about. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document, Order } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import * as Claims from "../../../sync/apply/Claims.ts"
import { advanceOrder, type RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { rivals } from "../../../sync/plan/PaymentHolders.ts"
import { reconcileOrder } from "../../../sync/rules/Orders.ts"
import { Database } from "../../../sync/state/Database.ts"
import { keep } from "../../export/State.ts"
import { planning } from "../../support/Documents.ts"
import { cancellation, line, order, parcel, returned } from "../../support/Orders.ts"

/** A seller's part of a checkout of 100.00 for four and 50.00 for two. */
const part = (id: string, count: number, changes: Partial<Order> = {}) =>
  order({ id, number: id, lines: [line("tea", `${count}`, `${25 * count}.00`)], ...changes })
const A = part("A", 4)
const B = part("B", 2)

/** What is sent for the documents, one reading after the other, of a payment of so many minor units; and what is asked last. */
const played = (authorised: number, ...readings: ReadonlyArray<ReadonlyArray<Document>>) =>
  Effect.provide(
    Effect.gen(function* () {
      const db = yield* Database
      db.prepare("INSERT INTO connection (id, planning) VALUES ('shop', '{}')").run()
      const sent: Array<string> = []
      let asked: ReadonlyArray<string> = []
      const subjects = ["A", "B", "C"].map((id) => `shop/order/${id}`)
      const planOf = (key: string, looked: boolean) => {
        const [facts, remote] = [Facts.orderFacts(db, key), Facts.remoteOrder(db, key)]
        const claims = rivals(db, { id: "shop", planning }, facts, remote)
        return { remote, ...reconcileOrder(facts, remote, planning, { looked, rivals: claims }) }
      }
      const hold = (key: string, held: RemoteOrder | undefined) =>
        Claims.writeLedger(db, key, "shop", held, { currency: "GBP", books: 0n, service: 0n })
      for (const documents of readings) {
        yield* keep(db, "shop", documents)
        db.prepare("UPDATE bookmark SET reading = 0").run()
        for (const key of subjects) {
          const [look] = planOf(key, false).calls
          if (look?.operation !== "deferredPayments.get") continue
          const before = Facts.remoteOrder(db, key)
          const seen = { id: "defpay-1", status: "accepted", currency: "GBP", voided: "0", expired: "0" }
          const payment = before ?? { ...seen, open: `${authorised}`, captured: "0", refunded: "0" }
          hold(key, advanceOrder(before, look, { kind: "payment", payment }))
          for (const call of planOf(key, true).calls) {
            if (!("orderPosting" in call)) continue
            sent.push(`${key.slice(-1)} ${call.orderPosting.taking} ${call.orderPosting.amount}`)
            hold(key, advanceOrder(Facts.remoteOrder(db, key), call))
          }
        }
        asked = subjects.flatMap((key) => planOf(key, true).attention.map(({ why }) => why))
      }
      return { sent, asked }
    }),
    Database.layer({ file: ":memory:", mode: "write" })
  )

describe("orders that share a deferred payment", () => {
  it.effect("are decided as one where they come to what it authorises: each is charged for what left of it", () =>
    Effect.gen(function* () {
      const first = [A, B, parcel("1", { tea: "1" }, "2026-03-02", "B")]
      const second = [
        ...first,
        parcel("2", { tea: "4" }, "2026-03-03", "A"),
        returned("R", { tea: "1" }, "2026-03-04", "A")
      ]
      const third = [...second, cancellation("C", { tea: "1" }, "2026-03-05", "B")]
      const found = yield* played(15_000, first, second.slice(0, 4), second, third)
      assert.deepStrictEqual(found, {
        sent: ["A capture 2500", "A capture 10000", "A refund 2500", "A void 2500"],
        asked: []
      })
    })
  )

  it.effect("state like shops do: their sums are added", () =>
    Effect.gen(function* () {
      const state = (count: number, left: number, given = "0.00"): Partial<Order> => ({
        state: {
          lines: [{ line: "tea", left: of(`${left}`), back: 0n, still: of(`${count - left}`) }],
          total: of(`${25 * count}.00`),
          own: { received: of(`${25 * count}.00`), given: of(given) },
          others: { received: 0n, given: 0n },
          ...(count === left ? { end: "complete" as const } : {})
        }
      })
      const at = (a: number, b: number, given?: string) => [part("A", 4, state(4, a)), part("B", 2, state(2, b, given))]
      const found = yield* played(15_000, at(0, 1), at(4, 1), at(4, 2), at(4, 2, "10.00"))
      assert.deepStrictEqual(found, {
        sent: ["A capture 2500", "A capture 10000", "A capture 2500", "A refund 1000"],
        asked: []
      })
    })
  )

  it.effect("are asked about, and nothing is sent, where they come to something else", () =>
    Effect.gen(function* () {
      const left = [A, B, parcel("1", { tea: "1" }, "2026-03-02", "A"), parcel("2", { tea: "1" }, "2026-03-02", "B")]
      for (const authorised of [10_000, 5000, 20_000]) {
        const { asked, sent } = yield* played(authorised, left)
        assert.deepStrictEqual(sent, [])
        assert.match(asked[0]!, /shop\/order\/A and shop\/order\/B claim the deferred payment defpay-1/)
      }
    })
  )

  it.effect("and so are those of two currencies, those with a parcel for the rest, and one that comes later", () =>
    Effect.gen(function* () {
      const left = parcel("1", { tea: "1" }, "2026-03-02", "A")
      const third = part("C", 1)
      for (const readings of [[[A, { ...B, currency: "EUR" }, left]], [[A, B, parcel("1", {}, "2026-03-02", "A")]]])
        assert.deepStrictEqual((yield* played(15_000, ...readings)).sent, [])
      const { asked, sent } = yield* played(
        15_000,
        [A, B, left],
        [A, B, third, left, parcel("2", { tea: "1" }, "2026-03-02", "C")]
      )
      assert.deepStrictEqual(sent, ["A capture 2500"])
      assert.isNotEmpty(asked)
    })
  )
})
