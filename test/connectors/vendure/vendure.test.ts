/** Vendure: what moves no order is found all the same, once; what is refused or unknown says so. */
import { assert, describe, it } from "@effect/vitest"
import { GraphQL } from "../../../connectors/index.ts"
import { subject } from "../../../connectors/vendure/Sample.ts"
import * as Document from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

type Ran = Awaited<ReturnType<typeof run>>

const open = () => {
  const stage = subject.open()
  return { stage, orders: stage.source!.lists["orders"]!.records }
}

const next = (stage: ReturnType<typeof subject.open>, before: Ran) =>
  run(subject, stage, { after: bookmark(subject.connector, before.pages.at(-1)!) })

const news = (ran: Ran, known: ReadonlyMap<string, string>) =>
  [...fold(ran.pages)].flatMap(([name, text]) => (known.get(name) === text ? [] : [name])).sort()

const quarantined = ({ pages }: Ran) =>
  pages.flatMap((page) => page.quarantined).map(({ origin, why }) => `${origin}: ${why}`)

const AT = "2026-03-01T12:30:00.000Z"

describe("vendure", () => {
  it("finds a refund that moves no order, of those placed within half a year, and asks for no other", async () => {
    const { orders, stage } = open()
    const first = await run(subject, stage)
    const books = fold(first.pages)
    const refund = { id: "79", createdAt: AT, updatedAt: AT, state: "Settled", total: 300 }
    orders[1].payments[0].refunds.push(...copy([refund]))
    const second = await next(stage, first)
    assert.deepStrictEqual(news(second, books), ["order/2"])
    const asked = second.asked.map(({ body }) => JSON.parse(body).variables.options.filter)
    assert.deepStrictEqual(
      asked.flatMap(({ id }) => (id === undefined ? [] : [id.eq])),
      ["2"]
    )
    assert.deepStrictEqual(news(await next(stage, second), fold(second.pages, books)), [])
    // One that was placed before that is a blind spot, which the connector declares.
    orders[5].orderPlacedAt = "2025-01-01T00:00:00.000Z"
    orders[5].payments[0].refunds.push(...copy([{ ...refund, id: "80" }]))
    assert.deepStrictEqual(news(await next(stage, first), fold(second.pages, books)), [])
    assert.strictEqual(subject.connector.capabilities.blindSpots.length, 2)
  })

  it("finds an order whose time is that of its cart, long before it was placed", async () => {
    const { orders, stage } = open()
    const [late] = orders.splice(5, 1)
    const first = await run(subject, stage)
    Object.assign(late, { orderPlacedAt: AT, updatedAt: "2026-01-29T10:00:00.000Z" })
    late.payments[0].updatedAt = "2026-01-29T10:00:00.000Z"
    orders.push(late)
    assert.deepStrictEqual(news(await next(stage, first), fold(first.pages)), ["order/5"])
  })

  it("counts a refund once its money was given", async () => {
    const { orders, stage } = open()
    const first = await run(subject, stage)
    const pending = orders[1].payments[0].refunds[1]
    Object.assign(pending, { state: "Settled", updatedAt: AT })
    const data = { refundId: pending.id, from: "Pending", to: "Settled" }
    orders[1].history.items.push(...copy([{ id: "99", type: "ORDER_REFUND_TRANSITION", createdAt: AT, data }]))
    orders[1].history.totalItems++
    const second = await next(stage, first)
    const given = (ran: Ran) => {
      const order = Document.decode(fold(ran.pages).get("order/2") ?? "")
      return order.kind === "order" ? order.state!.own.given : 0n
    }
    assert.strictEqual(given(second) - given(first), of("1"))
  })

  it("is stopped by a key that is refused, and by an answer in part", async () => {
    const { stage } = open()
    const ran = await run({ ...subject, environment: { VENDURE_KEY: "another" } }, stage)
    assert.match(ran.error?.message ?? "", /You are not currently authorized/)
    assert.match(ran.error?.message ?? "", /ReadOrder/)
    const inspect = GraphQL.inspect("")
    assert.isUndefined(inspect({ data: {} }))
    assert.isTrue(inspect({ errors: [{ message: "no", extensions: { code: "INTERNAL_SERVER_ERROR" } }] })?.again)
    const part = inspect({ data: { orders: {} }, errors: [{ message: "one item failed" }] })
    assert.strictEqual(part?.again, false)
  })

  it("says what an earlier Vendure needs, which does not say where its refunds went", async () => {
    const { stage } = open()
    const errors = [{ message: 'Cannot query field "destination" on type "Refund".' }]
    const asked: Array<string> = []
    const source = {
      ...stage.source!,
      answer: (...[request, paging]: Parameters<NonNullable<typeof stage.source>["answer"]>) => {
        asked.push(request.body)
        return request.body.includes("destination")
          ? { status: 400, body: { errors } }
          : stage.source!.answer(request, paging)
      }
    }
    const ran = await run(subject, { ...stage, source })
    assert.match(ran.error?.message ?? "", /set refund_destinations to false/)
    const older = { ...subject, settings: { ...(subject.settings as object), refund_destinations: false } }
    assert.isUndefined((await run(older, { ...stage, source })).error)
    assert.lengthOf(
      asked.filter((body) => body.includes("destination")),
      1
    )
  })

  it("quarantines what it does not know: states, totals that do not fit, a history that is cut off", async () => {
    const { orders, stage } = open()
    orders[0].state = "OnHold"
    orders[1].history.totalItems = 501
    orders[2].fulfillments.push(...copy([{ id: "1", state: "InTheAir", lines: [] }]))
    orders[5].totalWithTax = 1900
    assert.deepStrictEqual(quarantined(await run(subject, stage)), [
      'orders/1: "OnHold" is not a known state; map it in states',
      "orders/2: has more than 500 entries, which is as many as are read",
      'orders/3: "InTheAir" is not a known status',
      "orders/5: its lines, deliveries and surcharges come to 18.00 EUR, and it says 19.00 EUR; correct one of both in the source"
    ])
    const states = { OnHold: "open" }
    const settings = { ...(subject.settings as object), states, shipped: ["InTheAir"] }
    const own = { ...subject, settings }
    assert.notInclude(quarantined(await run(own, stage)).join(), "OnHold")
  })

  it("reads the orders of one seller where a channel is given, and says of an order of several what to do", async () => {
    const { orders, stage } = open()
    orders[0].type = "Aggregate"
    assert.match(quarantined(await run(subject, stage)).join(), /connect the channel of each seller/)
    const own = { ...subject, settings: { ...(subject.settings as object), channel: "seller" } }
    const ran = await run(own, stage)
    assert.deepStrictEqual(quarantined(ran), [])
    const names = [...fold(ran.pages).keys()]
    assert.include(names, "order/77777")
    assert.notInclude(names, "order/1")
    assert.isTrue(ran.asked.every(({ headers }) => headers["vendure-token"] === "seller"))
  })
})
