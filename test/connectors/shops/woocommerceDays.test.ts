/** Days of WooCommerce's orders: by the shop's own clock, and what a refund of a parcel's day is. */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../../connectors/Document.ts"
import { line, order, type Refunds, refund, shopOf, subject } from "../../../connectors/woocommerce/Sample.ts"
import { of } from "../../../core/money/Decimal.ts"
import { read, subjectOf } from "./World.ts"

const plain = (status: string, more: object = {}) =>
  order(1, status, "GBP", "10.00", { line_items: [line(11, "Chair", 10, "10.00")], ...more })

const shop = (orders: ReadonlyArray<object>, refunds: Refunds = {}) => subjectOf(subject, shopOf(orders, refunds))

const JUNE = "2026-06-01T00:00:00"

describe("days of WooCommerce's", () => {
  const HOUR_MS = 3_600_000
  /** By the shop's clock, so many hours ahead of Greenwich. */
  const time = (hours: number, name: string, own: string) => ({
    [name]: own,
    [`${name}_gmt`]: new Date(Date.parse(`${own}Z`) - hours * HOUR_MS).toISOString().slice(0, 19)
  })
  /** A day, as the plugins for tracking write it. */
  const midnight = (day: string) => `${Date.parse(day) / 1000}`
  const parcels = (...all: ReadonlyArray<readonly [id: string, shipped: string, qty: number]>) => ({
    meta_data: [
      {
        id: 1,
        key: "_wc_shipment_tracking_items",
        value: all.map(([tracking_id, date_shipped, qty]) => ({
          tracking_id,
          date_shipped,
          products_list: [{ item_id: "11", qty }]
        }))
      }
    ]
  })
  const back = (id: number, quantity: number, created: object) => ({
    ...refund(id, JUNE, "0.00", { "11": [quantity, "0.00"] }),
    ...created
  })
  const days = (documents: ReadonlyArray<Document>) =>
    documents.map((one) =>
      one.kind === "order"
        ? `placed ${one.placed}`
        : one.kind === "fulfilment" || one.kind === "cancellation" || one.kind === "return"
          ? `${one.kind} ${one.id} ${one.date}`
          : ""
    )

  it("are the shop's own, east and west of Greenwich, so that none comes before what came before it", async () => {
    for (const [hours, evening] of [
      [-5, "21:00:00"],
      [11, "08:00:00"]
    ] as const) {
      const at = (name: string, day: string) => time(hours, name, `${day}T${evening}`)
      const record = plain("completed", {
        ...at("date_created", "2026-02-03"),
        ...at("date_modified", "2026-02-09"),
        ...at("date_completed", "2026-02-08"),
        ...parcels(["a", midnight("2026-02-05"), 4])
      })
      const refunds = [
        back(31, 1, at("date_created", "2026-02-04")),
        back(32, 1, at("date_created", "2026-02-06")),
        back(33, 1, at("date_created", "2026-02-09"))
      ]
      const { documents } = await read(shop([record], { "1": refunds }))
      assert.deepStrictEqual(days(documents), [
        "placed 2026-02-03",
        "fulfilment 1/a 2026-02-05",
        "fulfilment 1/all 2026-02-08"
      ])
      const [first] = documents
      assert.deepStrictEqual(first?.kind === "order" && first.state?.lines, [
        { line: "11", left: of("10"), back: of("3"), still: 0n }
      ])
    }
  })

  it("change twice a year: each time goes by the shop's clock at the nearest time that is known", async () => {
    const winter = time(-5, "date_created", "2026-02-03T12:00:00")
    const summer = time(-4, "date_modified", "2026-06-03T12:00:00")
    // 04:30 GMT: half past eleven in winter, half past midnight in summer.
    const left = (day: string) => `${Date.parse(`${day}T04:30:00Z`) / 1000}`
    const record = plain("processing", {
      ...winter,
      ...summer,
      ...parcels(["a", left("2026-02-05"), 1], ["b", left("2026-06-02"), 1])
    })
    const { documents } = await read(shop([record]))
    assert.deepStrictEqual(days(documents).slice(1), ["fulfilment 1/a 2026-02-04", "fulfilment 1/b 2026-06-02"])
    const foreign = plain("processing", {
      date_created: "2020-01-01T00:00:00",
      date_created_gmt: "2026-02-03T12:00:00"
    })
    const other = await read(shop([foreign]))
    assert.deepStrictEqual(days(other.documents), ["placed 2026-02-03"])
  })

  it("of a refund and a parcel the same: what is in no parcel was never sent, and the rest came back", async () => {
    const on = (own: string) => time(11, "date_created", own)
    const units = async (refunds: ReadonlyArray<object>, shipped: number) => {
      const record = plain("processing", { ...parcels(["a", midnight("2026-02-05"), shipped]) })
      const { documents } = await read(shop([record], { "1": refunds }))
      const [first] = documents
      const [one] = first?.kind === "order" ? (first.state?.lines ?? []) : []
      return [one?.left, one?.back, one?.still, one?.unsure ?? 0n].map((units) => Number((units ?? 0n) / of("1")))
    }
    const morning = on("2026-02-05T08:00:00")
    assert.deepStrictEqual(await units([back(31, 4, morning)], 6), [6, 0, 0, 0])
    assert.deepStrictEqual(await units([back(31, 4, morning)], 10), [10, 4, 0, 0])
    assert.deepStrictEqual(await units([back(31, 4, on("2026-02-04T08:00:00"))], 6), [6, 0, 0, 0])
    // On a later day it may be for either.
    assert.deepStrictEqual(await units([back(31, 4, on("2026-02-06T08:00:00"))], 6), [6, 0, 4, 4])
  })
})
