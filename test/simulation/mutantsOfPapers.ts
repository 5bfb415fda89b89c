/** Mistakes in what is attached to orders, and in orders with several deferred payments. */
import type { UnitMutant } from "./unitMutants.ts"

const PAPERS = "test/cli/OrderPapers.long.test.ts"

const SEVERAL = "test/cli/SeveralPayments.long.test.ts"

const by =
  (test: string) =>
  (name: string, words: string, file: string, from: string, to: string): UnitMutant => ({
    name,
    caughtBy: [test, words],
    changes: [{ file, from, to }]
  })

const mutant = by(PAPERS)
const several = by(SEVERAL)

export const PAPERS_OF_ORDERS: ReadonlyArray<UnitMutant> = [
  mutant(
    "an invoice that is void keeps the place of the one that was written for it",
    "in the place of a void one",
    "sync/plan/OrderPapers.ts",
    'gone.includes(one.fact) ? { ...one, amount: "0" } : one',
    "gone.includes(one.fact) ? { ...one } : one"
  ),
  mutant(
    "a document goes before its capture",
    "go after the capture",
    "sync/rules/OrderPapers.ts",
    "paper.amount <= room + cents ||",
    "paper.amount > 0n ||"
  ),
  mutant(
    "a document of the whole order never goes where a part was voided",
    "nothing more will be captured",
    "sync/rules/OrderPapers.ts",
    "(room > 0n && isSettled())",
    "(room < 0n && isSettled())"
  ),
  mutant(
    "a document is attached in each run",
    "of less than was captured",
    "sync/rules/OrderPapers.ts",
    "remote.currency || isThere) continue",
    "remote.currency) continue"
  ),
  mutant(
    "a document that is sent again has a key of its own",
    "there once",
    "sync/model/Call.ts",
    'if (call.operation === "orders.putDocument") return call.key',
    'if (call.operation === "orders.putDocument") return String(Math.random())'
  ),
  mutant(
    "a credit note goes before its money went back",
    "its money went back",
    "sync/rules/OrderPapers.ts",
    "credit_note: givenUp(remote)",
    "credit_note: BigInt(remote.captured)"
  ),
  several(
    "of several payments the first is refunded first",
    "are captured in their order",
    "sync/rules/OrderPlan.ts",
    'taking === "capture" ? rooms : rooms.toReversed()',
    "rooms"
  ),
  several(
    "all steps of several payments are of the first",
    "are captured in their order",
    "sync/rules/OrderCalls.ts",
    "params: { deferred_payment_id: payment },\n  body: { amount",
    "params: { deferred_payment_id: remote.id },\n  body: { amount"
  ),
  several(
    "a payment that is not accepted yet counts",
    "are used from when they are named and accepted",
    "sync/model/RemoteOrder.ts",
    "each.filter((one) => isReady(one) || isOver(one))",
    "each"
  ),
  several(
    "a payment that is not accepted yet is not read again",
    "are used from when they are named and accepted",
    "sync/rules/Orders.ts",
    "waits: open.held || isAwaited ||",
    "waits: open.held ||"
  ),
  {
    name: "several payments are for something else, too",
    caughtBy: [
      "test/sync/rules/SecondPayment.test.ts",
      "what a second payment authorises of an order that became dearer"
    ],
    changes: [
      {
        file: "sync/rules/OrderPlan.ts",
        from: "began === undefined || each !== undefined",
        to: "began === undefined"
      }
    ]
  },
  several(
    "another order's payment is used as a second one",
    "of which another order names one",
    "sync/plan/PaymentHolders.ts",
    "for (const payment of payments.length === 0 ? [null] : payments)",
    "for (const payment of payments.length === 0 ? [null] : payments.slice(0, 1))"
  ),
  several(
    "what another order has as its second payment is used",
    "of which another order names one",
    "sync/plan/PaymentHolders.ts",
    "some((payment) => payments.includes(payment))",
    "every((payment) => payments.includes(payment))"
  ),
  several(
    "another currency of a second payment counts",
    "of another currency than the order's",
    "sync/model/RemoteOrder.ts",
    "one.currency !== first.currency",
    'one.currency === "none"'
  )
]
