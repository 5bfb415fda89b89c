/**
 * Orders of the sandbox (DP 2.6, 4): every item rule, each refused under the member that breaks it, and all at once.
 */
import { describe, expect, test } from "vitest"
import { address, basket, buyer, discount, order, shipping, widgets } from "./Ordering.ts"
import { type Json, sandbox } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-01T09:00:00Z" })
const lenient = sandbox({ lenient: true })

const place = async (more: Readonly<Record<string, unknown>> = {}) =>
  api.post("/v1/payment/orders", await basket(api, more))

/** An order of one item, whose sums are the item's. */
const single = (item: Json) => place({ items: [item], total_amount: item.total_amount, tax_amount: item.tax_amount })

const some = [expect.any(String)]

describe("DP 2.6: orders", () => {
  test("DP 4 POST /v1/payment/orders: 201 with the order, which reports unpaid whatever was sent", async () => {
    for (const status of ["draft", "pending", undefined]) {
      const sent = await basket(api, { status })
      const { body, status: answered } = await api.post("/v1/payment/orders", sent)
      expect(answered).toBe(201)
      expect(body.id).toMatch(/^order-./)
      const { customer, items, status: _, ...members } = sent
      expect(body).toMatchObject({
        ...members,
        url: `${api.url}/v1/payment/orders/${body.id}`,
        status: "unpaid",
        po_number: "",
        created: expect.stringMatching(/^2024-03-01T09:\d\d:\d\d\.\d{6}Z$/),
        payment_offer: null,
        deferred_payment: null,
        customer: { ...customer, billing_address: null }
      })
      expect(body.items.map(({ total_amount }: Json) => total_amount)).toEqual([2400, 500, -900])
      expect(body.items[0]).toMatchObject({
        ...items[0],
        quantity: "2.000",
        tax_rate: "20.00",
        reference: null,
        supplier_id: null,
        fulfilled_quantity: 0,
        cancelled_quantity: 0,
        returned_quantity: 0,
        fulfillment_info: null
      })
    }
  })

  test("DP 2.6 rule 1: prices and totals include taxes, so the tax is not added", async () => {
    const added = { ...widgets, total_amount: 2880 }
    expect((await single(added)).body).toMatchObject({ items: { 0: { total_amount: some } } })
  })

  test("DP 2.6 rule 2: total is quantity x price, tax is total x rate / 100", async () => {
    expect((await single(widgets)).status).toBe(201)
    const cases = [
      [{ quantity: "3" }, ["total_amount"]],
      [{ unit_price: 1200.00001 }, ["total_amount"]],
      [{ total_amount: 2400.00001 }, ["total_amount"]],
      [{ total_amount: 2410 }, ["tax_amount", "total_amount"]],
      [{ tax_amount: 480.00001 }, ["tax_amount"]],
      [{ tax_rate: "20.001" }, ["tax_amount"]],
      // On the net amount, as some clients compute it.
      [{ tax_amount: 400 }, ["tax_amount"]]
    ] as const
    for (const [change, members] of cases) {
      const { body, status } = await single({ ...widgets, ...change })
      expect([change, status, Object.keys(body)]).toEqual([change, 400, ["items"]])
      expect([change, Object.keys(body.items[0]).toSorted()]).toEqual([change, members])
    }
  })

  test("DP 2.6 rule 3: a pre-sale discount has negative amounts, and only a discount", async () => {
    expect((await place()).body.items[2]).toMatchObject({ total_amount: -900, tax_amount: -180 })
    const positive = { ...widgets, type: "discount" }
    expect((await single(positive)).body).toEqual({ items: { 0: { total_amount: some } } })
    for (const type of ["product", "shipping"]) {
      const items = [{ ...discount, type }, widgets]
      expect((await place({ items, total_amount: 1500, tax_amount: 300 })).body).toEqual({
        items: { 0: { total_amount: some } }
      })
    }
    // Other types are possible.
    const items = [widgets, { ...discount, type: "voucher" }]
    expect((await place({ items, total_amount: 1500, tax_amount: 300 })).status).toBe(201)
  })

  test("DP 2.6 rule 4: shipping is an ordinary item of type shipping", async () => {
    expect((await single(shipping)).body.items[0].type).toBe("shipping")
    expect((await single({ ...shipping, tax_amount: 0 })).body).toEqual({ items: { 0: { tax_amount: some } } })
  })

  test("DP 2.6 rule 5: up to 5 digits after the decimal point, not 6", async () => {
    const fine = {
      ...widgets,
      quantity: "3",
      unit_price: 33.33333,
      total_amount: 99.99999,
      tax_rate: "0",
      tax_amount: 0
    }
    const { body } = await single(fine)
    expect([body.total_amount, body.items[0].unit_price]).toEqual([99.99999, 33.33333])
    const finer = { ...fine, unit_price: 33.333333 }
    expect((await single(finer)).body).toEqual({
      items: { 0: { unit_price: ["Ensure that there are no more than 5 decimal places."] } }
    })
    // 0.5 x 0.00005 = 0.000025, a tie; to even.
    const tie = { ...fine, quantity: "0.5", unit_price: 0.00005, total_amount: 0.00002 }
    expect((await single(tie)).status).toBe(201)
    expect((await single({ ...tie, total_amount: 0.00003 })).status).toBe(400)
  })

  test("DP 2.6 rule 6: the order's amounts are the sums of its items'", async () => {
    for (const [member, amount] of [
      ["total_amount", 2000.00001],
      ["total_amount", 2001],
      ["tax_amount", 399.99999],
      ["tax_amount", 0]
    ] as const) {
      expect((await place({ [member]: amount })).body).toEqual({ [member]: some })
    }
    const { body } = await place({ total_amount: 1, tax_amount: 2, items: [widgets, { ...shipping, tax_amount: 99 }] })
    expect(Object.keys(body).toSorted()).toEqual(["items", "tax_amount", "total_amount"])
  })

  test("DP 2.6 rule 7: items of several vendors are in the one order", async () => {
    const vendors = [widgets, shipping, discount].map((item, i) => ({
      ...item,
      supplier_id: `v-${i}`,
      supplier_name: "V"
    }))
    const { body } = await place({ items: vendors })
    expect(body.items.map(({ supplier_id }: Json) => supplier_id)).toEqual(["v-0", "v-1", "v-2"])
  })

  test("DP 2.6 category: required for every item", async () => {
    const items = [widgets, { ...shipping, category: undefined }, { ...discount, category: "" }]
    expect((await place({ items })).body).toEqual({
      items: { 1: { category: ["This field is required."] }, 2: { category: ["This field may not be blank."] } }
    })
  })

  test("a basket is not empty, and not worth less than nothing", async () => {
    expect((await place({ items: [] })).body).toEqual({ items: ["This list may not be empty."] })
    expect((await single(discount)).body).toEqual({ total_amount: some })
  })

  test("organisation and user exist; countries and currency are known; all at once", async () => {
    const customer = {
      type: "registered",
      organisation: "org-nobody",
      user: "user-nobody",
      delivery_address: { ...address, country: "Atlantis" },
      invoice_address: { ...address, country: "United Kingdom" }
    }
    expect(await place({ customer, currency: "GPB", total_amount: 1 })).toMatchObject({
      status: 400,
      body: {
        customer: { organisation: some, user: some, delivery_address: { country: some } },
        currency: some,
        total_amount: some
      }
    })
    expect((await place({ customer })).body.customer).not.toHaveProperty("invoice_address")
  })

  test("every member of the wrong type is named, nested as it was sent", async () => {
    const { body, status } = await api.post("/v1/payment/orders", {
      unique_id: 7,
      customer: { type: "company", organisation: "co-1000", user: 1, delivery_address: "x" },
      status: "unpaid",
      currency: null,
      total_amount: "a lot",
      order_date: "2024-02-30",
      items: [{ ...widgets, quantity: "two", tax_rate: true, total_amount: "2400" }]
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      unique_id: some,
      customer: {
        type: ['"company" is not a valid choice.'],
        organisation: ['Invalid id "co-1000" - an identifier that begins with org- is expected.'],
        user: some,
        delivery_address: some
      },
      status: ['"unpaid" is not a valid choice.'],
      currency: some,
      total_amount: ["A valid number is required."],
      tax_amount: ["This field is required."],
      order_date: some,
      items: { 0: { quantity: some, tax_rate: some, total_amount: some } }
    })
  })

  test("what cannot be read does not hide which rules the rest breaks", async () => {
    const { body } = await place({
      order_date: "yesterday",
      currency: "GPB",
      customer: { type: "company", organisation: "org-nobody", delivery_address: { ...address, country: "Atlantis" } },
      items: [
        { ...widgets, tax_amount: 1 },
        { ...shipping, category: undefined, total_amount: 7 },
        { ...discount, quantity: "x" },
        7
      ]
    })
    expect(body).toEqual({
      order_date: some,
      currency: some,
      customer: { type: some, organisation: some, user: some, delivery_address: { country: some } },
      items: {
        0: { tax_amount: some },
        1: { category: some, total_amount: some, tax_amount: some },
        2: { quantity: some },
        3: ["An object is required."]
      }
    })
  })

  test("amounts beyond what a JSON number carries are refused, not rounded", async () => {
    for (const amount of ["1e21", "1e400", "123456789012345678", "1234567890123.45678", "9007199254740993"]) {
      const text = JSON.stringify(await basket(api)).replace('"total_amount":2000,', `"total_amount":${amount},`)
      const { body, status } = await api.post("/v1/payment/orders", text)
      expect([amount, status, Object.keys(body)]).toEqual([amount, 400, ["total_amount"]])
    }
  })
})

describe("DP 4: reading and changing orders", () => {
  test("DP 4 GET /v1/payment/orders/: 200 page, with and without the slash", async () => {
    const { id } = await order(api)
    for (const path of ["/v1/payment/orders/", "/v1/payment/orders"]) {
      const { body, status } = await api.get(`${path}?limit=1000`)
      expect([status, body.count, body.next, body.previous]).toEqual([200, body.results.length, null, null])
      expect(body.results.map((one: Json) => one.id)).toContain(id)
    }
    const { body } = await api.get("/v1/payment/orders/?limit=1&offset=1")
    expect([body.results.length, body.previous]).toEqual([1, `${api.url}/v1/payment/orders/?limit=1&offset=0`])
  })

  test("DP 4 PATCH /v1/payment/orders/<order_id>: 200, unique_id and nothing else", async () => {
    const before = await order(api)
    const path = `/v1/payment/orders/${before.id}`
    const { body, status } = await api.patch(path, { unique_id: "PO-7", total_amount: 1, status: "paid" })
    expect([status, body]).toEqual([200, { ...before, unique_id: "PO-7" }])
    expect((await api.patch(path, { unique_id: "" })).body).toEqual({ unique_id: some })
    expect((await api.patch("/v1/payment/orders/order-nobody", { unique_id: "x" })).status).toBe(404)
  })

  test("DP 4.6: one order is read alone; one that does not exist is 404", async () => {
    const made = await order(api)
    expect((await api.get(`/v1/payment/orders/${made.id}`)).body).toEqual(made)
    for (const id of ["order-nobody", made.customer.organisation, "%00"]) {
      const { body, status } = await api.get(`/v1/payment/orders/${id}`)
      expect([id, status, body]).toEqual([id, 404, { detail: expect.any(String) }])
    }
  })

  test("documents of an order: an invoice or a credit note, as a form", async () => {
    const { id } = await order(api)
    const put = async (members: Readonly<Record<string, string | Blob>>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(members)) form.append(name, value as string)
      const answer = await fetch(`${api.url}/v1/payment/orders/${id}/documents`, {
        method: "PUT",
        headers: { authorization: "Token sandbox-key" },
        body: form
      })
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const file = new Blob(["%PDF-1.4"], { type: "application/pdf" })
    expect(await put({ doc_type: "invoice", amount: "2000", description: "March", file })).toMatchObject({
      status: 200,
      body: { doc_type: "invoice", amount: 2000, description: "March" }
    })
    expect(await put({ doc_type: "letter", amount: "lots" })).toEqual({
      status: 400,
      body: { doc_type: some, amount: some, file: some }
    })
    expect(await put({ doc_type: "invoice", amount: "-1", file: new Blob([]) })).toEqual({
      status: 400,
      body: { amount: some, file: some }
    })
  })
})

describe("a lenient sandbox", () => {
  test("takes tax on the net amount, items without category, type fee, customer guest, an address's phone", async () => {
    const net = { ...widgets, category: undefined, type: "fee", tax_amount: 400 }
    const more = {
      items: [net],
      total_amount: 2400,
      tax_amount: 400,
      customer: { type: "guest", ...(await buyer(lenient)), delivery_address: { ...address, phone: "1" } }
    }
    const { body, status } = await lenient.post("/v1/payment/orders", await basket(lenient, more))
    expect([status, body.items?.[0].category, body.items?.[0].type, body.customer?.type]).toEqual([
      201,
      null,
      "fee",
      "guest"
    ])
    const refused = await place({ ...more, customer: { ...more.customer, ...(await buyer(api)) } })
    expect(refused.body).toEqual({ customer: { type: some }, items: { 0: { category: some, tax_amount: some } } })
  })

  test("still refuses what is right on neither basis", async () => {
    const items = [
      { ...widgets, tax_amount: 401, tax_rate: "20" },
      { ...widgets, tax_rate: "-100" }
    ]
    const more = { items, total_amount: 4800, tax_amount: 881 }
    expect((await lenient.post("/v1/payment/orders", await basket(lenient, more))).body).toEqual({
      items: { 0: { tax_amount: some }, 1: { tax_rate: some } }
    })
  })
})
