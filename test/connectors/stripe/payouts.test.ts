/** Stripe's payouts where the kit does not reach: keys that may not read them, and what is in a payout and what is not. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, Schema, Stream } from "effect"
import { assert, describe, it } from "vitest"
import type { Payout } from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import { payout } from "../../../connectors/stripe/PayoutMapping.ts"
import { subject } from "../../../connectors/stripe/Sample.ts"
import { fold, run, simulate } from "../../../connectors/testing/index.ts"
import type { Stage } from "../../../connectors/testing/Subject.ts"

/** The same source, whose key may not read these lists. */
const refusing = (stage: Stage, ...lists: ReadonlyArray<string>): Stage => {
  const source = stage.source!
  return {
    ...stage,
    source: {
      ...source,
      answer: (asked, paging) =>
        lists.some((list) => asked.path.startsWith(`/v1/${list}`))
          ? { status: 403, body: { error: { message: "This restricted key lacks the rak_payout_read permission" } } }
          : source.answer(asked, paging)
    }
  }
}

const mapped = (transactions: ReadonlyArray<object>, more: object = {}) => {
  const its = { id: "po_9", currency: "gbp", amount: 900, arrival_date: 1_770_112_800, status: "paid", ...more }
  const record = Json.parse(JSON.stringify({ id: "po_9", payout: its, transactions })) as Json.Members
  return payout(new Json.Fields(record)).documents[0] as Payout
}

const transaction = (category: string, amount: number, fee = 0, more: object = {}) => ({
  ...{ id: "txn_1", reporting_category: category, currency: "gbp", amount, fee, net: amount - fee, source: "ch_1" },
  ...more
})

describe("Stripe's payouts", () => {
  for (const list of ["payouts", "balance_transactions"])
    it(`are left out with a notice if the key may not read ${list}, and everything else is read`, async () => {
      const all = fold((await run(subject, subject.open())).pages)
      const { pages } = await run(subject, refusing(subject.open(), list))
      const expected = [...all.keys()].filter((name) => !name.startsWith("payout/"))
      assert.deepStrictEqual([...fold(pages).keys()].sort(), expected.sort())
      const notices = pages.flatMap(({ notices = [] }) => notices).map(({ what }) => what)
      assert.include(notices.join("\n"), "give it read access to payouts and balance")
    })

  it("are read again when a webhook names one", async () => {
    const { webhook } = subject.connector
    const stage = subject.open()
    const body = Buffer.from(
      JSON.stringify({
        id: "evt_9",
        type: "payout.reconciliation_completed",
        data: { object: { object: "payout", id: "po_1" } }
      })
    )
    const events = webhook!.events({ headers: {}, body }, subject.settings)
    assert.deepStrictEqual(events, [{ about: "payout:po_1", event: "evt_9" }])
    const settings = Schema.decodeUnknownSync(subject.connector.settings as Schema.Codec<unknown>)(subject.settings)
    const again = webhook!.reread(settings, ["payout:po_1", "payout:po_none"], {
      folder: ".",
      environment: subject.environment ?? {}
    })
    const { layer } = simulate(stage.source!, { size: 100 })
    const pages = await Effect.runPromise(
      Stream.runCollect(Stream.provide(again, Layer.merge(NodeFileSystem.layer, layer)))
    )
    assert.deepStrictEqual(
      pages.flatMap(({ read }) => read.map(({ document }) => `${document.kind} ${document.id}`)),
      ["payout po_1"]
    )
  })

  it("hold what they pay out, and not themselves", () => {
    const own = transaction("payout", -900, 0, { source: "po_9" })
    const { items } = mapped([own, transaction("charge", 1000, 90), transaction("payout_reversal", -10)])
    assert.deepStrictEqual(
      items.map(({ amount, name }) => `${name} ${amount}`),
      ["charge 1000000000", "fee of charge -90000000", "payout_reversal -10000000"]
    )
  })

  it("are named by the bank's trace once Stripe has it, and by the words on the statement", () => {
    const { references } = mapped([], {
      trace_id: { status: "supported", value: "9911A" },
      statement_descriptor: "ACME 17"
    })
    assert.deepStrictEqual(references, ["9911A", "ACME 17"])
    assert.isUndefined(mapped([], { trace_id: { status: "pending", value: null } }).references)
  })

  it("are quarantined if a transaction is of another currency, or its net is not its amount less its fee", () => {
    assert.throws(() => mapped([transaction("charge", 1000, 90, { currency: "eur" })]), /is EUR in a payout in GBP/)
    assert.throws(() => mapped([transaction("charge", 1000, 90, { net: 900 })]), /is not the amount less the fee/)
  })
})
