/** What the kit does not reach of Shopify: long lists, other money, scopes, budgets, partial answers, odd refunds. */
import { assert, describe, it } from "@effect/vitest"
import type { Asked } from "../../../connectors/testing/Simulator.ts"
import { Effect, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Json from "../../../connectors/Json.ts"
import type { Api } from "../../../connectors/shopify/GraphQL.ts"
import { listing } from "../../../connectors/shopify/Shopify.ts"
import { gid, line, order, parcel, set, shipping, subject, transaction } from "../../../connectors/shopify/Sample.ts"
import { shopOf } from "../../../connectors/shopify/SampleShop.ts"
import { of } from "../../../core/money/Decimal.ts"
import { orderOf, read, type Settings, subjectOf } from "./World.ts"

const shop = (orders: ReadonlyArray<object>, settings: Settings = {}) => subjectOf(subject, shopOf(orders), settings)

const plain = (more: object = {}) =>
  order("1", "GBP", "10.00", { lineItems: [line("11", "Chair", 10, "10.00", "GBP")], ...more })

const answer = (body: unknown) => new Response(JSON.stringify(body))

describe("an order of Shopify's", () => {
  it("is read to the end of every list in it", async () => {
    const lines = Array.from({ length: 45 }, (_, n) => line(`${100 + n}`, "Cup", 1, "1.00", "GBP"))
    const parcels = Array.from({ length: 9 }, (_, n) =>
      parcel(
        `2${n}`,
        "2026-02-05T08:00:00Z",
        Object.fromEntries(lines.slice(n * 5, n * 5 + 5).map((_, i) => [100 + n * 5 + i, 1]))
      )
    )
    const whole = order("1", "GBP", "45.00", { lineItems: lines, fulfillments: parcels })
    const { documents } = await read(shop([whole]))
    const [first, ...rest] = documents
    assert.strictEqual(first?.kind === "order" && first.lines.length, 45)
    const count = (kind: string) =>
      rest.flatMap((one) => (one.kind === kind && "lines" in one ? one.lines.length : [])).reduce((a, b) => a + b, 0)
    assert.deepStrictEqual([rest.length, count("fulfilment")], [9, 45])
  })

  it("is in the money that the buyer saw, or in the shop's", async () => {
    const record = order("1", "GBP", "40.00", {
      totalPriceSet: set("40.00", "GBP", "46.00"),
      lineItems: [line("11", "Chair", 4, "40.00", "GBP", { shop: "46.00" })]
    })
    assert.deepInclude(await orderOf(shop([record])), { currency: "GBP" })
    const inShopMoney = await orderOf(shop([record], { money: "shop" }))
    assert.deepInclude(inShopMoney, { currency: "EUR" })
    assert.strictEqual(inShopMoney.lines[0]!.gross, of("46"))
  })

  it("carries its deferred payment in an attribute, a metafield or a tag", async () => {
    const tagged = plain({ customAttributes: [], tags: ["vip", "defpay-7f"], metafield: { value: "order-9c" } })
    const carried = async (record: object, deferred_payment?: object) => {
      const { deferredPayment, serviceOrder } = await orderOf(
        shop([record], deferred_payment === undefined ? {} : { deferred_payment })
      )
      return deferredPayment ?? serviceOrder
    }
    assert.strictEqual(await carried(plain()), "defpay-1")
    assert.strictEqual(await carried(tagged), undefined)
    assert.strictEqual(await carried(tagged, { tag: "defpay-" }), "defpay-7f")
    assert.strictEqual(await carried(plain({ tags: ["deferred:defpay-8"] }), { tag: "deferred:" }), "defpay-8")
    assert.strictEqual(await carried(tagged, { metafield: "shop.deferred" }), "order-9c")
  })

  it("has its duties, fees, tip and shipping as lines, and makes up what the total is apart from them", async () => {
    const record = plain({
      totalPriceSet: set("19.99", "GBP"),
      totalTipReceivedSet: set("1.00", "GBP"),
      originalTotalDutiesSet: set("2.00", "GBP"),
      originalTotalAdditionalFeesSet: set("3.00", "GBP"),
      shippingLines: [shipping("12", "4.00", "GBP")]
    })
    const lines = async (total: string) =>
      (await orderOf(shop([{ ...record, totalPriceSet: set(total, "GBP") }]))).lines.map(({ gross, id }) => [id, gross])
    const all = [
      ["11", of("10")],
      ["shipping/12", of("4")],
      ["duties", of("2")],
      ["fees", of("3")]
    ]
    assert.deepStrictEqual(await lines("20.00"), [...all, ["tip", of("1")]])
    // A tip may be a line of its own already.
    assert.deepStrictEqual(await lines("19.00"), all)
    assert.deepStrictEqual(await lines("18.50"), [...all, ["difference", of("-0.5")]])
    const { notices } = await read(shop([{ ...record, totalPriceSet: set("18.50", "GBP") }]))
    assert.deepStrictEqual(notices, [
      "the order's total is -0.50 GBP different from the sum of its lines; a line was added for the difference"
    ])
  })

  it("stands as its quantities say, whatever was edited, exchanged, refunded or relabelled", async () => {
    const stands = async (more: object) => (await orderOf(shop([plain(more)]))).state!
    const units = async (more: object, quantities: object) => {
      const lineItems = [line("11", "Chair", 10, "10.00", "GBP", quantities)]
      const [first] = (await stands({ lineItems, ...more })).lines
      return [first!.left, first!.back, first!.still]
    }
    const sent = {
      fulfillments: [
        parcel("21", "2026-02-05T08:00:00Z", { "11": 3 }),
        parcel("22", "2026-02-09T08:00:00Z", { "11": 2 }),
        parcel("23", "2026-02-04T08:00:00Z", { "11": 4 }, "CANCELLED")
      ]
    }
    assert.deepStrictEqual(await units(sent, { unfulfilled: 5 }), [of("5"), 0n, of("5")])
    assert.deepStrictEqual(await units(sent, { current: 7, unfulfilled: 4 }), [of("5"), of("2"), of("4")])
    assert.deepStrictEqual(await units(sent, { current: 7 }), [of("5"), 0n, of("2")])
    assert.strictEqual((await stands({ closedAt: "2026-02-10T10:00:00Z" })).end, "archived")
    assert.strictEqual((await stands({ cancelledAt: "2026-02-10T10:00:00Z" })).end, "cancelled")
  })

  it("knows by its transactions whose money moved", async () => {
    const paid = (id: string, kind: string, gateway: string, amount: string) =>
      transaction(id, kind, gateway, amount, "GBP")
    const sums = async (transactions: ReadonlyArray<object>, settings: Settings = {}) => {
      const { others, own, unclear } = (await orderOf(shop([plain({ transactions })], settings))).state!
      return [own.received, own.given, others.received, others.given, unclear]
    }
    const mixed = [
      paid("1", "SALE", "gift_card", "3.00"),
      paid("2", "CAPTURE", "Pay later", "7.00"),
      paid("3", "REFUND", "Pay later", "1.00"),
      paid("4", "REFUND", "shopify_store_credit", "2.00"),
      { ...paid("5", "SALE", "Pay later", "7.00"), status: "FAILURE" }
    ]
    assert.deepStrictEqual(await sums(mixed), [of("7"), of("1"), of("3"), of("2"), undefined])
    const two = [paid("1", "SALE", "Pay later", "7.00"), paid("2", "SALE", "card", "3.00")]
    assert.deepStrictEqual((await sums(two))[4], ["Pay later", "card"])
    assert.deepStrictEqual(await sums(two, { method: ["Pay later"] }), [of("7"), 0n, of("3"), 0n, undefined])
    assert.deepStrictEqual(await sums([paid("1", "AUTHORIZATION", "Pay later", "10.00")]), [
      undefined,
      0n,
      0n,
      0n,
      undefined
    ])
  })

  it("that Shopify reads out in part only is quarantined, and the others are read", async () => {
    const subject = shop([plain(), order("2", "GBP", "5.00", { lineItems: [line("13", "Cup", 1, "5.00", "GBP")] })])
    const { documents, error, quarantined } = await read(subject, {
      bend: {
        instead: ({ body }) =>
          body.includes("query Whole") && body.includes(gid("Order", "1") + '"')
            ? answer({ data: { order: null }, errors: [{ message: "Fulfillment is broken", path: ["order"] }] })
            : /query Orders.*lineItems/s.test(body)
              ? answer({ data: { orders: null }, errors: [{ message: "Fulfillment is broken", path: ["orders"] }] })
              : undefined
      }
    })
    assert.isUndefined(error)
    assert.deepStrictEqual(
      documents.map(({ id }) => id),
      ["2"]
    )
    assert.deepInclude(quarantined[0], {
      id: "1",
      kind: "order",
      why: "Shopify returns only part of it (it says: Fulfillment is broken)"
    })
  })

  it("with a parcel whose id is none, so that the rest of its goods cannot be asked for, is quarantined alone", async () => {
    const lines = ["11", "12", "13"].map((id) => line(id, "Cup", 1, "1.00", "GBP"))
    const sent = parcel("21", "2026-02-05T08:00:00Z", { "11": 1, "12": 1, "13": 1 })
    const odd = order("1", "GBP", "3.00", { lineItems: lines, fulfillments: [{ ...sent, id: "/Date(9999)/" }] })
    const { documents, error, quarantined } = await read(
      shop([odd, order("2", "GBP", "5.00", { lineItems: [line("15", "Cup", 1, "5.00", "GBP")] })])
    )
    assert.isUndefined(error)
    assert.deepStrictEqual(
      documents.map(({ id }) => id),
      ["2"]
    )
    assert.deepInclude(quarantined[0], { id: "1", kind: "order" })
    assert.match(quarantined[0]!.why, /provided invalid value/)
  })
})

describe("Shopify", () => {
  it("is waited for while its request cost limit is used up", async () => {
    const source = shopOf([plain()], ["read_all_orders"], [1, 2])
    const { asked, documents } = await read(subjectOf(subject, source))
    assert.deepStrictEqual([documents.length, asked.length], [1, 3])
  })

  it("hides orders of more than 60 days from most tokens: that is said, and none is taken to be deleted", async () => {
    const source = shopOf([plain()], ["read_orders"])
    const blind = subjectOf(subject, source)
    const words = /orders of the last 60 days only: give the app the scope read_all_orders/
    assert.match((await read(blind)).notices.join(), words)
    const again = await read(blind, { reread: ["1", "2"] })
    assert.deepStrictEqual([again.deleted, again.documents.length], [[], 1])
    assert.match(again.notices.join(), words)
    const seeing = subjectOf(subject, shopOf([plain()]))
    assert.deepStrictEqual((await read(seeing, { reread: ["1", "2"] })).deleted, ["order/2"])
  })

  it("goes on from a little before the last change that was read", async () => {
    const { pages } = await read(shop([plain()]))
    const { asked } = await read(shop([plain()]), { after: JSON.stringify(pages.at(-1)!.bookmark) })
    assert.include(asked[0]!.body, "updated_at:>='2026-02-20T09:55:00Z'")
    const first = await read(shop([plain()], { since: "2026-02-01" }))
    assert.include(first.asked[0]!.body, "updated_at:>='2026-02-01T00:00:00Z'")
  })

  it("is asked anew before it has given all that it gives of one question, and nothing is lost to that", async () => {
    // Six orders that changed at one time stand where a question ends.
    const minute = (n: number) => `2026-02-01T00:${String(n < 5 ? n : n < 11 ? 5 : n).padStart(2, "0")}:00Z`
    const all = Array.from({ length: 20 }, (_, n) => ({ id: gid("Order", `${n}`), updatedAt: minute(n) }))
    const questions: Array<string> = []
    let depth = 0
    let deepest = 0
    const api: Api = {
      scopes: Effect.succeed(["read_all_orders"]),
      whole: (id) => Effect.succeed({ order: Json.parse(JSON.stringify({ ...plain(), id })) as Json.Members }),
      ask: () => Effect.die(new Error("only pages are asked for")),
      page: ({ after, query }) =>
        Effect.sync(() => {
          const from = /'(.*)'/.exec(query ?? "")?.[1] ?? ""
          if (after === undefined) {
            questions.push(from)
            depth = 0
          }
          const fit = all.filter(({ updatedAt }) => updatedAt >= from)
          const at = after === undefined ? 0 : fit.findIndex(({ id }) => id === after) + 1
          const nodes = fit.slice(at, at + 2)
          depth += nodes.length
          deepest = Math.max(deepest, depth)
          const pageInfo = { hasNextPage: at + 2 < fit.length, endCursor: nodes.at(-1)?.id }
          return new Json.Fields({ orders: { nodes, pageInfo } })
        })
    }
    const settings = { shop: "sample", token: { env: "T" } }
    const pages = await Effect.runPromise(
      Stream.runCollect(listing(api, settings, undefined, 8)).pipe(Effect.provide(FetchHttpClient.layer))
    )
    const ids = pages.flatMap(({ read }) => read.map(({ document }) => document.id))
    assert.deepStrictEqual(
      ids,
      all.map((_, n) => `${n}`)
    )
    assert.deepStrictEqual(questions, ["", minute(7), minute(12)])
    assert.isAtMost(deepest, 8)
    assert.deepStrictEqual(pages.at(-1)!.bookmark, { at: minute(19), id: "19" })
  })

  it("that cannot read out a further page of one order quarantines that one", async () => {
    const lines = Array.from({ length: 5 }, (_, n) => line(`${n}`, "Cup", 1, "1.00", "GBP"))
    const two = [
      order("1", "GBP", "5.00", { lineItems: lines }),
      order("2", "GBP", "1.00", { lineItems: lines.slice(0, 1) })
    ]
    const { documents, quarantined } = await read(shop(two), {
      bend: {
        instead: ({ body }) =>
          body.includes("query Rest") ? answer({ data: { node: null }, errors: [{ message: "Broken" }] }) : undefined
      }
    })
    assert.deepStrictEqual([documents.map(({ id }) => id), quarantined.map(({ id }) => id)], [["2"], ["1"]])
    assert.match(quarantined[0]!.why, /only in part .it says: Broken/)
  })

  it("that refuses says what to do", async () => {
    const denied = { message: "Access denied for orders field.", extensions: { code: "ACCESS_DENIED" } }
    const rows: ReadonlyArray<readonly [() => Response, RegExp]> = [
      [() => answer({ data: { orders: null }, errors: [denied] }), /give the app the scope read_orders/],
      [() => new Response('{"errors":"Not Found"}', { status: 404 }), /no such shop.*check shop .its name before/],
      [() => new Response('{"errors":"Unavailable Shop"}', { status: 402 }), /Unavailable Shop.*frozen.*bill/],
      [() => new Response('{"errors":"[API] Invalid API key"}', { status: 401 }), /key in SHOPIFY_TOKEN is wrong/],
      [() => answer({ errors: [{ message: "Field 'x' doesn't exist" }] }), /Field 'x' doesn't exist.*set version/],
      [() => answer({ errors: [{ message: "Internal error. Reference: 1" }], data: null }), /run again later/]
    ]
    for (const [instead, words] of rows) {
      const { error } = await read(shop([plain()]), { bend: { instead } })
      assert.match(error?.message ?? "", words)
      assert.notInclude(error?.message ?? "", "shpat_sample")
    }
  })

  it("gives an app of the Dev Dashboard a token for a day, and another when that is over", async () => {
    const source = shopOf([plain()])
    const { token: _, ...rest } = subject.settings as { token: unknown }
    const app = {
      ...subjectOf({ ...subject, settings: rest }, source, {
        client_id: { env: "ID" },
        client_secret: { env: "SECRET" }
      }),
      environment: { ID: "app-1", SECRET: "very-secret" }
    }
    let given = 0
    const instead = ({ body, headers, path }: Asked) => {
      if (path === "/admin/oauth/access_token") {
        assert.strictEqual(body, "grant_type=client_credentials&client_id=app-1&client_secret=very-secret")
        given++
        return answer({ access_token: given === 1 ? "shpat_over" : "shpat_sample", expires_in: 86_399 })
      }
      assert.notInclude(JSON.stringify(headers), "very-secret")
      return undefined
    }
    const { documents, error } = await read(app, { bend: { instead } })
    assert.isUndefined(error)
    assert.deepStrictEqual([documents.length, given], [1, 2])

    const wrong = await read(app, {
      bend: { instead: () => new Response('{"error":"application_cannot_be_found"}', { status: 400 }) }
    })
    assert.match(
      wrong.error?.message ?? "",
      /issued no token \(400\); check ID and SECRET, and that the app is installed/
    )
    assert.notInclude(JSON.stringify(wrong.error), "very-secret")
  })

  it("is given credentials of one kind", async () => {
    try {
      await read(shop([], { client_id: { env: "ID" } }))
      assert.fail("two kinds of credentials were accepted")
    } catch (cause) {
      assert.match(String(cause), /give either token .* or client_id and client_secret/)
    }
  })
})
