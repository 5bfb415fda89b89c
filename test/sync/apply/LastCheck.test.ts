/** Sums that hold whatever the rules decided: a call that breaks one does not leave, and its document says why. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Client } from "../../../core/Client.ts"
import type { Reason } from "../../../core/ServiceError.ts"
import type { SendingOptions } from "../../../sync/apply/Report.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { CHECKED, objection } from "../../../sync/apply/LastCheck.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { Worker } from "../../../sync/apply/Worker.ts"
import type { Call, InvoiceCall } from "../../../sync/model/Call.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import type { RemoteOrder } from "../../../sync/model/RemoteOrder.ts"
import { planOne } from "../../../sync/plan/Plan.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment as pays } from "../../support/Documents.ts"
import { inWorld, report, requests } from "../InWorld.ts"

const UNIT = 100_000_000n

const reports = (key: string, amount: bigint) =>
  ({
    operation: "transactions.createPayment",
    subject: "books/invoice/I1",
    fact: "books/payment/P1",
    posting: { key, amount }
  }) as unknown as Call

const received = (...amounts: ReadonlyArray<bigint>) =>
  ({
    kind: "invoice",
    postings: amounts.map((amount, n) => ({ id: `pay-${n}`, key: `key-${n}`, amount: amount * UNIT }))
  }) as unknown as RemoteInvoice

const posts = (operation: "capture" | "void" | "refund", amount: number) =>
  ({
    operation: `deferredPayments.${operation}`,
    subject: "shop/order/1",
    fact: "f",
    body: { amount },
    orderPosting: {}
  }) as unknown as Call

const payment = (sums: Partial<Record<"open" | "captured" | "voided" | "refunded", string>>) =>
  ({ kind: "order", open: "0", captured: "0", voided: "0", refunded: "0", expired: "0", ...sums }) as RemoteOrder

describe("the last check before a call", () => {
  it("I2, I3: lets no more go back than was received, and no payment be sent twice", () => {
    assert.isUndefined(objection(reports("new", -40n * UNIT), received(100n, -60n)))
    const beyond = objection(reports("new", -41n * UNIT), received(100n, -60n))
    assert.deepInclude(beyond, { rule: "I2", subject: "books/invoice/I1" })
    assert.match(beyond!.why, /41 would go back, and 40 was received/)
    assert.strictEqual(objection(reports("key-1", 10n * UNIT), received(100n, 20n))!.rule, "I3")
    assert.isUndefined(objection(reports("key-1", 10n * UNIT), received(100n)))
  })

  it("I1: keeps captured, voided, expired and open together at what was authorised", () => {
    const half = payment({ open: "5000", captured: "4000", voided: "1000", refunded: "1500" })
    for (const [operation, most] of [
      ["capture", 5000],
      ["void", 5000],
      ["refund", 2500]
    ] as const) {
      assert.isUndefined(objection(posts(operation, most), half), operation)
      const beyond = objection(posts(operation, most + 1), half)
      assert.strictEqual(beyond!.rule, "I1", operation)
      assert.match(beyond!.why, /10000 authorised, 4000 captured, 1000 voided, 0 expired, 5000 open, 1500 refunded/)
    }
    assert.strictEqual(objection(posts("capture", -1), half)!.rule, "I1")
  })

  it(
    "stops the document, and counts",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      world.documents = [invoice(), pays("P1", { I1: "50.00" })]
      const seen = await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          yield* pull(world.connection, { folder: "." })
          const plan = planOne(db, world.connection, "books/invoice/I1")
          const calls = plan.calls as ReadonlyArray<InvoiceCall>
          const stopped = yield* Ref.make<Reason | undefined>(undefined)
          const options: SendingOptions = { settleAfter: 1000, concurrency: 1 } as never
          const worker = new Worker(db, yield* Client, 1, stopped, options)
          yield* worker.run({ ...plan, calls: [...calls, ...calls] } as typeof plan, world.connection)
          const items = AttentionStore.list(db)
          return { items, count: AttentionStore.countOfRules(db, CHECKED), calls: calls.length }
        })
      )
      if (seen._tag === "Failure") throw new Error("it fails")
      const { calls, count, items } = seen.value
      assert.strictEqual(calls, 1)
      assert.strictEqual(count, 1)
      assert.match(items[0]!.why, /was already sent/)
      assert.lengthOf(
        requests(world).filter((one) => /POST .*payments/.test(one)),
        1
      )
    })
  )
})
