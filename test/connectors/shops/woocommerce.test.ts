/** What the kit does not reach of WooCommerce: clocks, refunds past the cursor, the trash, statuses, plugins, totals. */
import { assert, describe, it } from "@effect/vitest"
import { fold, run } from "../../../connectors/testing/index.ts"
import type { Source } from "../../../connectors/testing/Simulator.ts"
import type { Document } from "../../../connectors/Document.ts"
import * as Documents from "../../../connectors/Document.ts"
import { line, order, type Refunds, refund, shipping, shopOf, subject } from "../../../connectors/woocommerce/Sample.ts"
import { of } from "../../../core/money/Decimal.ts"
import { orderOf, read, type Settings, subjectOf } from "./World.ts"

const plain = (status: string, more: object = {}) =>
  order(1, status, "GBP", "10.00", { line_items: [line(11, "Chair", 10, "10.00")], ...more })

const shop = (orders: ReadonlyArray<object>, refunds: Refunds = {}, settings: Settings = {}) =>
  subjectOf(subject, shopOf(orders, refunds), settings)

/** Parcels, and of each order what was given back. */
const facts = (documents: ReadonlyArray<Document>) =>
  documents.flatMap((one) =>
    one.kind === "fulfilment"
      ? [
          `fulfilment ${one.id}: ${one.lines.map(({ line, quantity }) => `${quantity / of("1")} of ${line}`).join(", ")}`
        ]
      : one.kind === "order" && (one.state?.own.given ?? 0n) > 0n
        ? [`order ${one.id}: ${one.state!.own.given / of("1")} given back`]
        : []
  )

/** The source, whose answers state these times in turn, and then the last. */
const dated = (source: Source, ...dates: ReadonlyArray<string>): Source => {
  let n = 0
  return {
    ...source,
    answer: (asked, paging) => {
      const given = source.answer(asked, paging)
      const date = dates[Math.min(n++, dates.length - 1)] ?? ""
      return given === undefined ? undefined : { ...given, headers: { ...given.headers, date } }
    }
  }
}

const mark = (pages: ReadonlyArray<{ readonly bookmark: unknown }>) => JSON.stringify(pages.at(-1)!.bookmark)

const JUNE = "2026-06-01T00:00:00"

describe("an order of WooCommerce's", () => {
  it("has left when it is completed, or when a status of the shop's own says so", async () => {
    const done = plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })
    const status = async (record: object, settings: Settings = {}) => {
      const { documents } = await read(shop([record], {}, settings))
      const [first] = documents
      return [first?.kind === "order" && first.status, ...facts(documents)]
    }
    assert.deepStrictEqual(await status(done), ["closed", "fulfilment 1/all: "])
    assert.deepStrictEqual(await status(done, { shipped: [] }), ["open"])
    assert.deepStrictEqual(await status(plain("packed")), ["open"])
    const own = await status(plain("handed-over"), { shipped: ["handed-over"] })
    assert.deepStrictEqual(own, ["closed", "fulfilment 1/all: "])
    assert.deepStrictEqual(await status(plain("lost"), { statuses: { lost: "cancelled" } }), ["cancelled"])
    assert.deepStrictEqual(await status(plain("failed")), ["cancelled"])
    assert.deepStrictEqual(await status(plain("checkout-draft")), [false])
    // Refunded later, it had left all the same.
    assert.deepStrictEqual(await status({ ...done, status: "refunded" }), ["closed", "fulfilment 1/all: "])
  })

  it("has what was refunded before and after it left once it is complete", async () => {
    const refunds = [
      refund(31, "2026-02-06T09:00:00", "2.00", { "11": [2, "2.00"] }),
      refund(32, "2026-02-08T09:00:00", "3.00", { "11": [3, "3.00"] })
    ]
    const { state } = await orderOf(
      shop([plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })], { "1": refunds })
    )
    assert.deepInclude(state, { own: { given: of("5") }, end: "complete" })
    assert.deepStrictEqual(state?.lines, [{ line: "11", left: of("10"), back: of("5"), still: 0n }])
  })

  it("counts as paid from its payment date on, and as other methods' where the setting names them", async () => {
    const paid = plain("processing", { date_paid_gmt: "2026-02-04T09:00:00", payment_method: "cheque" })
    const one = await orderOf(shop([paid]))
    assert.deepInclude(one.state, { own: { given: 0n, received: of("10") } })
    assert.strictEqual(one.otherwise, undefined)
    const named = await orderOf(shop([paid], {}, { method: ["pay_later"] }))
    assert.strictEqual(named.otherwise, true)
  })

  it("that was refunded before anybody saw it complete does not say what left", async () => {
    const { state } = await orderOf(shop([plain("refunded")], { "1": [refund(31, "2026-02-06T09:00:00", "10.00")] }))
    assert.deepStrictEqual(state?.lines, [{ line: "11", back: 0n, still: 0n }])
  })

  it("is sent in parcels where a plugin says what is in them, by line or by product", async () => {
    const value = {
      "0": { tracking_id: "a", date_shipped: "2026-02-05", products_list: [{ product: "511", qty: "4" }] },
      "1": { tracking_id: "b", date_shipped: "1770422400", products_list: { "11": { item_id: "11", qty: 2 } } },
      "2": { tracking_id: "c", date_shipped: "1770422400" }
    }
    const named = (key: string) => [{ id: 1, key, value: Object.values(value) }]
    const { documents } = await read(shop([plain("processing", { meta_data: named("_wc_shipment_tracking_items") })]))
    assert.deepStrictEqual(facts(documents), ["fulfilment 1/a: 4 of 11", "fulfilment 1/b: 2 of 11"])
    const other = await read(shop([plain("processing", { meta_data: named("_parcels") })], {}, { parcels: "_parcels" }))
    assert.deepStrictEqual(facts(other.documents), facts(documents))
  })

  it("carries its deferred payment in its metadata, or as its transaction", async () => {
    const meta_data = [{ id: 1, key: "_pay_id", value: "defpay-7" }]
    const carried = async (more: object, settings: Settings = {}) =>
      (await orderOf(shop([plain("processing", more)], {}, settings))).deferredPayment
    assert.strictEqual(await carried({}), "defpay-1")
    assert.strictEqual(await carried({ meta_data }), undefined)
    assert.strictEqual(await carried({ meta_data }, { deferred_payment: "_pay_id" }), "defpay-7")
    assert.strictEqual(await carried({ meta_data, transaction_id: "defpay-9" }), "defpay-9")
    assert.strictEqual(await carried({ meta_data, transaction_id: "ch_1" }), undefined)
  })

  it("comes to its total, whatever took a part of it off, and a cent of rounding is no matter", async () => {
    const lines = async (total: string) => {
      const subject = shop([plain("processing", { total, shipping_lines: [shipping(12, "2.00", "0.40")] })])
      const { notices } = await read(subject)
      return [(await orderOf(subject)).lines.slice(1).map(({ gross, type }) => [type, gross]), notices.length]
    }
    const delivery = ["shipping", of("2.4")]
    assert.deepStrictEqual(await lines("12.40"), [[delivery], 0])
    assert.deepStrictEqual(await lines("12.41"), [[delivery, ["fee", of("0.01")]], 0])
    assert.deepStrictEqual(await lines("7.40"), [[delivery, ["discount", of("-5")]], 1])
  })
})

describe("what people read of an order of WooCommerce's", () => {
  it("has characters where the shop keeps HTML's entities, decoded once", async () => {
    const names: ReadonlyArray<readonly [string, string]> = [
      ["Smith &amp; Sons", "Smith & Sons"],
      ["4 &#8211; 6&nbsp;cm &times; 2&#x2033;", "4 – 6\u00a0cm × 2″"],
      ["&quot;Caf&eacute;&quot; &#039;98 &lt;new&gt;", '"Café" \'98 <new>'],
      ["&#150; &#128;", "– €"],
      ["R&D, A & B; &unknown; &#0; &#xD800; &#99999999;", "R&D, A & B; &unknown; &#0; &#xD800; &#99999999;"],
      ["&amp;amp; &amp;#39;", "&amp; &#39;"]
    ]
    for (const [kept, shown] of names) {
      const billing = {
        first_name: "Ann",
        last_name: "O&#039;Hara",
        company: kept,
        email: "ann@example.com",
        address_1: kept,
        country: "GB"
      }
      const record = plain("completed", {
        billing,
        line_items: [line(11, kept, 1, "9.00")],
        shipping_lines: [{ ...shipping(12, "1.00"), method_title: kept }]
      })
      const { buyer, invoicing, lines } = await orderOf(shop([record], {}, { buyers: {} }))
      assert.deepStrictEqual(
        lines.map(({ description }) => description),
        [shown, shown]
      )
      assert.deepStrictEqual([buyer?.name, buyer?.contact, invoicing?.line1], [shown, "Ann O'Hara", shown])
    }
  })
})

describe("WooCommerce", () => {
  it("is asked for changes in GMT, whatever the shop's own clock says", async () => {
    const source = shopOf([plain("processing", { date_modified_gmt: "2026-05-31T23:59:00" })], {})
    const known = subjectOf(subject, source)
    // At 01:00 GMT, in a shop that is three hours behind.
    const after = JSON.stringify({ marks: { orders: Date.parse(`${JUNE}Z`) } })
    const { asked, documents } = await read(known, { after })
    assert.strictEqual(documents.length, 1)
    assert.deepInclude(Object.fromEntries(asked[0]!.query), {
      // Five minutes earlier, and one second, because WooCommerce leaves out what changed at that time.
      modified_after: "2026-05-31T23:54:59",
      dates_are_gmt: "true"
    })
  })

  it("goes on from the shop's own time, when this machine's is wrong", async () => {
    const date = "Mon, 01 Jun 2026 00:00:00 GMT"
    const { pages } = await read(subjectOf(subject, dated(shopOf([plain("processing")], {}), date)))
    const began = Date.parse(date) - 1000
    assert.strictEqual(mark(pages), JSON.stringify({ marks: { orders: began, refunds: began } }))
  })

  it("says nothing of an order's refund in the order, and it is read", async () => {
    const source = shopOf([plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })], {})
    const known = subjectOf(subject, source)
    const { pages } = await read(known)
    source.refunds.push({ ...refund(31, JUNE, "2.00", { "11": [2, "2.00"] }), parent_id: 1 })
    const { documents } = await read(known, { after: mark(pages) })
    assert.deepStrictEqual(facts(documents), ["order 1: 2 given back", "fulfilment 1/all: "])
  })

  it("lists all refunds at first, and asks for those of an order that names one which the list does not have", async () => {
    const refunds = {
      "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })],
      "2": [refund(32, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })]
    }
    const left = { date_completed_gmt: "2026-02-07T09:00:00" }
    const some = shop([plain("completed", left), plain("completed", { ...left, id: 2 })], refunds)
    const paths = ({ asked }: Awaited<ReturnType<typeof run>>) => asked.map(({ path }) => path.replace(/.*\/v3/, ""))
    const first = await run(some, some.open(), { bend: { size: 100 } })
    assert.deepStrictEqual(paths(first), ["/orders", "/refunds"])
    // One of them is made between the two lists.
    const { source, ...stage } = some.open()
    let listed = 0
    const late: typeof source = {
      ...source!,
      answer: (asked, paging) => {
        const answered = source!.answer(asked, paging)
        if (!asked.path.endsWith("/v3/refunds") || ++listed > 1) return answered
        return { ...answered!, body: (answered!.body as ReadonlyArray<{ readonly id: number }>).slice(0, 1) }
      }
    }
    const second = await run(some, { ...stage, source: late! }, { bend: { size: 100 } })
    assert.deepStrictEqual(paths(second), ["/orders", "/refunds", "/orders/2/refunds"])
    assert.deepStrictEqual(fold(second.pages), fold(first.pages))
  })

  it("is asked once for the refunds of an order that changed and has a new one", async () => {
    const refunds = {
      "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })],
      "2": [refund(32, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })]
    }
    const left = { date_completed_gmt: "2026-02-07T09:00:00" }
    const old = plain("completed", { ...left, id: 2, date_modified_gmt: "2026-02-07T09:00:00" })
    const times = ["Mon, 01 Jun 2026 00:00:00 GMT", "Mon, 01 Jun 2026 00:00:09 GMT"]
    const some = subjectOf(subject, dated(shopOf([plain("completed", left), old], refunds), ...times))
    const began = Date.parse("2026-02-08T08:00:00Z")
    const after = JSON.stringify({ marks: { orders: began, refunds: began } })
    const { asked, documents, pages } = await read(some, { after })
    assert.deepStrictEqual(
      asked.map(({ path }) => path.replace(/.*\/v3/, "")),
      ["/orders", "/orders/1/refunds", "/refunds", "/orders/2", "/orders/2/refunds"]
    )
    assert.includeMembers(facts(documents), ["order 1: 2 given back", "order 2: 2 given back"])
    // A refund that was made since its order was read is listed again.
    const first = Date.parse(times[0] ?? "") - 1000
    assert.strictEqual(mark(pages), JSON.stringify({ marks: { orders: first, refunds: first } }))
  })

  it("quarantines a refund that names no order, and joins the others", async () => {
    const refunds = { "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })] }
    const source = shopOf([plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })], refunds)
    source.refunds.push({ ...refund(39, "2026-02-08T09:00:00", "1.00"), parent_id: null })
    const { documents, quarantined } = await read(subjectOf(subject, source))
    assert.deepStrictEqual(facts(documents), ["order 1: 2 given back", "fulfilment 1/all: "])
    assert.deepStrictEqual(
      quarantined.map(({ field, id }) => [id, field]),
      [["39", "parent_id"]]
    )
  })

  it("reads the orders that changed since the day in the settings, at first", async () => {
    const { asked } = await read(shop([plain("processing")], {}, { since: "2026-02-20" }))
    assert.deepInclude(Object.fromEntries(asked[0]!.query), { modified_after: "2026-02-20T00:00:00" })
  })

  it("goes on where a first pull was stopped, and nothing is lost", async () => {
    const refunds = { "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })] }
    const some = shop([plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })], refunds)
    const { pages: all } = await run(some, some.open())
    const began = Date.parse("2026-02-28T00:00:00Z")
    const stage = some.open()
    // Made while that reading was stopped.
    const more = stage.source as ReturnType<typeof shopOf>
    more.refunds.push({ ...refund(32, "2026-02-28T10:00:00", "1.00", { "11": [1, "1.00"] }), parent_id: 1 })
    const after = JSON.stringify({ marks: {}, now: { list: "orders", began, page: 1 } })
    const { pages } = await run(some, stage, { after })
    const order = Documents.decode(fold(pages, fold(all)).get("order/1") ?? "")
    assert.deepStrictEqual(facts([order]), ["order 1: 3 given back"])
  })

  it("that does not list an order's refunds: the order is quarantined, and nothing is taken to be gone", async () => {
    const refunds = { "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })] }
    const instead = ({ path }: { readonly path: string }) =>
      path.endsWith("/refunds") ? new Response('{"code":"rest_no_route"}', { status: 404 }) : undefined
    const { complete, documents, quarantined } = await read(shop([plain("completed")], refunds), { bend: { instead } })
    assert.deepStrictEqual([documents, complete], [[], []])
    assert.deepStrictEqual(
      quarantined.map(({ field, id }) => [id, field]),
      [["1", "returns"]]
    )
  })

  it("before version 9 has no list of all refunds: an order's own are read with it", async () => {
    const refunds = { "1": [refund(31, "2026-02-08T09:00:00", "2.00", { "11": [2, "2.00"] })] }
    const old = shop([plain("completed", { date_completed_gmt: "2026-02-07T09:00:00" })], refunds)
    const instead = ({ path }: { readonly path: string }) =>
      path.endsWith("/v3/refunds") ? new Response('{"code":"rest_no_route"}', { status: 404 }) : undefined
    const { documents, error } = await read(old, { bend: { instead } })
    assert.isUndefined(error)
    assert.deepStrictEqual(facts(documents), ["order 1: 2 given back", "fulfilment 1/all: "])
  })

  it("loses none when one is put in the trash while the list is read", async () => {
    const all = Array.from({ length: 6 }, (_, n) => ({ ...plain("processing"), id: n + 1, number: `W-${n + 1}` }))
    const source = shopOf(all, {})
    const { records } = source.lists["orders"]!
    let lists = 0
    const { documents } = await read(subjectOf(subject, source), {
      bend: {
        instead: ({ path }) => {
          if (path.endsWith("/orders") && ++lists === 2) records[0].status = "trash"
          return undefined
        }
      }
    })
    const ids = new Set(documents.flatMap((one) => (one.kind === "order" ? [one.id] : [])))
    assert.deepStrictEqual([...ids].toSorted().join(), "1,2,3,4,5,6")
  })

  it("shows what lies in the trash when it is asked for by id, and what is no more", async () => {
    const hidden = { ...plain("trash"), id: 2 }
    const { documents, deleted } = await read(shop([plain("processing"), hidden]), { reread: ["1", "2", "3"] })
    assert.deepStrictEqual(
      documents.map(({ id }) => id),
      ["1"]
    )
    assert.includeMembers([...deleted], ["order/2", "order/3"])
    assert.notInclude(deleted, "order/1")
  })

  it("that refuses says what to do", async () => {
    const code = { code: "woocommerce_rest_cannot_view", message: "Sorry, you cannot list resources." }
    const invalid = { code: "woocommerce_rest_authentication_error", message: "Consumer key is invalid." }
    const rows: ReadonlyArray<readonly [number, object, RegExp]> = [
      [401, code, /make a key with the permission to read.*the host drops the header Authorization/],
      [401, invalid, /WOO_KEY or WOO_SECRET/],
      [403, code, /make a key with the permission to read/],
      [404, { code: "rest_no_route" }, /the source has no .*orders; check url.*permalinks/],
      [200, { message: "maintenance" }, /the answer has no list records/]
    ]
    for (const [status, body, words] of rows) {
      const instead = () => new Response(JSON.stringify(body), { status })
      const { error } = await read(shop([plain("processing")]), { bend: { instead } })
      assert.match(error?.message ?? "", words)
      for (const secret of ["ck_sample", "cs_sample"]) assert.notInclude(error?.message ?? "", secret)
    }
  })

  it("is not sent its key in the clear", async () => {
    try {
      await read(shop([], {}, { url: "http://shop.example" }))
      assert.fail("plain http was accepted")
    } catch (cause) {
      assert.match(String(cause), /would send the key in the clear; use https/)
    }
  })
})
