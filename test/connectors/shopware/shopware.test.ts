/** Shopware: whose changes are asked for, what its states say of parts, and what they do not. */
import { assert, describe, it } from "@effect/vitest"
import * as Mapping from "../../../connectors/shopware/Mapping.ts"
import { subject } from "../../../connectors/shopware/Sample.ts"
import * as Document from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const stage = subject.open()
const records = stage.source!.lists["orders"]!.records
/** An order of the fixtures with other members. */
const mapped = (n: number, more: object = {}) =>
  Mapping.order({})(new Json.Fields(Json.parse(JSON.stringify({ ...records[n], ...more })) as Json.Members))
const orderOf = (n: number, more: object = {}) => {
  const [first] = mapped(n, more).documents
  return first?.kind === "order" ? first : assert.fail("no order")
}
const sum = (all: ReadonlyArray<{ readonly gross: bigint }>) => all.reduce((total, { gross }) => total + gross, 0n)

describe("shopware", () => {
  it("sees that only a payment, or only a delivery, changed", async () => {
    for (const part of ["transactions", "deliveries"]) {
      const fresh = subject.open()
      const first = await run(subject, fresh)
      const changed = fresh.source!.lists["orders"]!.records[0][part].at(-1)
      Object.assign(changed, { updatedAt: "2026-03-01T12:30:00Z", stateMachineState: { technicalName: "cancelled" } })
      const next = await run(subject, fresh, { after: bookmark(subject.connector, first.pages.at(-1)!) })
      assert.strictEqual(next.pages.flatMap(({ read }) => read).length, 1, part)
      const was = fold(first.pages).get(`order/${changed.orderId ?? records[0].id}`)
      if (part === "transactions") assert.notInclude(was!, '"payment":"failed"')
    }
  })

  it("has the tax in every amount, whether prices are net or gross", () => {
    for (const n of records.keys()) assert.strictEqual(sum(orderOf(n).lines), orderOf(n).state!.total)
  })

  it("asks nobody's guess: a part that left, came back or was paid is not made up", () => {
    const lineOf = (n: number) => orderOf(n).state!.lines[0]!
    assert.isUndefined(lineOf(4).left)
    assert.isUndefined(orderOf(4).state!.own.received)
    const [payment] = records[1].transactions
    assert.throws(() => mapped(1, { transactions: [{ ...payment, captures: [] }] }), /no refund says how much/)
    assert.throws(() => mapped(0, { amountTotal: undefined }), /required/)
  })

  it("is not confused by discounts on the delivery, and has a parcel for each delivery with goods", () => {
    const parcels = mapped(1).documents.filter(({ kind }) => kind === "fulfilment")
    assert.lengthOf(parcels, 1)
    assert.include(Document.encode(parcels[0]!), '"carrier":"DHL"')
  })
})
