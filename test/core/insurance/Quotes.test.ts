/**
 * Row by row: quotes and policies (II 2.8, 2.9, 3.2, 3.3, 4, 8), by moving the sandbox's clock.
 */
import { beforeEach, describe, expect, test } from "vitest"
import { REJECTIONS } from "../../../core/sandbox/rules/Rejections.ts"
import { at, companies, DAYS, insured, invoice, type Json, late, sandbox, START, upload, INVOICE } from "./Rows.ts"

const api = sandbox()

beforeEach(async () => {
  await api.post("/sandbox/reset")
  await api.post("/sandbox/clock", { set: START })
})

const request = async (transaction: string, more = {}) => (await api.post("/v1/quotes", { transaction, ...more })).body
const quote = async (id: string) => (await api.get(`/v1/quotes/${id}`)).body
const policy = async (id: string) => (await api.get(`/v1/policies/${id}`)).body
const buy = (id: string, stripe_id = "tok_visa") => api.post("/v1/policies", { quote: id, stripe_id })

describe("II 4", () => {
  test("II 4: POST /v1/quotes: 201 with every member of 2.8", async () => {
    const transaction = await invoice(api)
    const { body, status } = await api.post("/v1/quotes", { transaction: transaction.id })
    expect(status).toBe(201)
    expect(body).toEqual({
      url: `${api.url}/v1/quotes/${body.id}`,
      id: expect.stringMatching(/^quo-/),
      transaction: transaction.id,
      client: transaction.debtor,
      status: "offered",
      payment_required: true,
      created: expect.stringMatching(/^2024-03-01T09:/),
      valid_until: expect.stringMatching(/^2024-03-31T09:/),
      policy: null,
      referral_url: expect.stringContaining(transaction.transaction_key),
      insured: { currency: "GBP", insured_amount: "900.00" },
      insured_pc_net: "90.000000",
      insured_pc_gross: null,
      rejection_reason: null,
      currency: "GBP",
      total_price: "22.40",
      premium: "20.00",
      ipt: "2.40",
      price: {
        currency: "GBP",
        total_price: "22.40",
        ipt: "2.40",
        premium: "20.00",
        total_price_without_discount: "22.40",
        discount_amount: "0.00",
        discounts: []
      },
      proposed_quote: null
    })
  })

  test("II 4: POST /v1/quotes: client is matched by raw data; a country that is none is 400", async () => {
    const { other } = await companies(api)
    const { id } = await invoice(api)
    const named = await request(id, { client_name: other.name, client_country: "United Kingdom" })
    expect(named.client).toBe(other.id)
    expect((await request(id, { client_regnum: other.reg_number, client_country: "GB" })).client).toBe(other.id)
    expect(Object.keys(await request(id, { client_country: "Atlantis", client: "co-nobody" })).toSorted()).toEqual([
      "client",
      "client_country"
    ])
  })

  test("II 4: GET /v1/quotes: a page", async () => {
    const { id } = await invoice(api)
    const all = [await request(id), await request(id)]
    const { body } = await api.get("/v1/quotes?expand=transaction,client&limit=1")
    expect([body.count, body.next, body.results[0].id]).toEqual([2, expect.stringContaining("expand="), all[0].id])
    expect([body.results[0].transaction.id, body.results[0].client.id]).toEqual([id, all[0].client])
  })

  test("II 4: GET /v1/quotes/<quote_id>: the quote", async () => {
    const made = await request((await invoice(api)).id)
    expect(await quote(made.id)).toEqual(made)
  })

  test("II 4: DELETE /v1/quotes/<quote_id>: 204; not when accepted", async () => {
    const { id } = await request((await invoice(api)).id)
    expect((await api.remove(`/v1/quotes/${id}`)).status).toBe(204)
    expect((await api.get(`/v1/quotes/${id}`)).status).toBe(404)
    expect((await api.remove(`/v1/quotes/${(await insured(api)).quote.id}`)).status).toBe(409)
  })

  test("II 4: POST /v1/policies: 201 with every member of 2.9", async () => {
    const made = await request((await invoice(api)).id)
    const { body, status } = await buy(made.id)
    expect(status).toBe(201)
    expect(body).toEqual({
      url: `${api.url}/v1/policies/${body.id}`,
      id: expect.stringMatching(/^pol-/),
      number: expect.any(String),
      quote: made.id,
      status: "active",
      created: expect.stringMatching(/^2024-03-01T09:/),
      documents: [
        { category: "policy", url: expect.any(String) },
        { category: "general_conditions", url: expect.any(String) }
      ],
      collection: null,
      loss_payee: expect.any(String)
    })
    for (const { url } of body.documents) {
      const file = await fetch(url, { headers: { authorization: "Token sandbox-key" } })
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"])
      expect((await file.text()).startsWith("%PDF-")).toBe(true)
    }
  })

  test("II 4: GET /v1/policies: a page", async () => {
    const { policy, quote } = await insured(api)
    const { body } = await api.get("/v1/policies?expand=quote,collection")
    expect([body.count, body.results[0].id, body.results[0].quote.id]).toEqual([1, policy.id, quote.id])
  })

  test("II 4: GET /v1/policies/<policy_id>: the policy", async () => {
    const made = (await insured(api)).policy
    expect(await policy(made.id)).toEqual(made)
  })
})

describe("II 2.8: rejections", () => {
  test.each(Object.entries(REJECTIONS))("II 2.8: %s", async (code, { detail, params }) => {
    const { all, buyer, seller } = await companies(api)
    const declined = all.find(({ decision }) => decision?.code === code)
    const parties = code.startsWith("seller-")
      ? { creditor: declined.id, debtor: buyer.id }
      : { creditor: seller.id, debtor: declined.id }
    const made = await request((await invoice(api, parties)).id)
    expect(made).toMatchObject({
      status: "declined",
      payment_required: false,
      policy: null,
      price: null,
      premium: null
    })
    expect(made.rejection_reason).toEqual({ code, detail, params })
    expect([...detail.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()).toEqual(
      Object.keys(params).toSorted()
    )
  })

  test("II 2.8: discounts: promotional credits make a small invoice free, then a larger one cheaper", async () => {
    const { all } = await companies(api)
    const creditor = all.find(({ name }) => name.startsWith("Launch Credit")).id
    const free = await request((await invoice(api, { creditor })).id)
    expect(free).toMatchObject({ status: "offered", payment_required: false, total_price: "0.00", premium: "0.00" })
    expect(free.price).toMatchObject({ total_price_without_discount: "22.40", discount_amount: "22.40" })
    expect(free.price.discounts).toEqual([
      {
        type: "credits",
        reason: expect.any(String),
        discount_amount: "22.40",
        remaining_credits_amount_after: "2.60",
        remaining_credits_amount_after_currency: "GBP"
      }
    ])
    expect((await buy(free.id, "tok_declined")).status).toBe(201)
    const rest = await request((await invoice(api, { creditor })).id)
    expect(rest).toMatchObject({ payment_required: true, total_price: "19.80" })
    expect(rest.price).toMatchObject({ discount_amount: "2.60" })
    expect((await buy(rest.id)).status).toBe(201)
    const none = await request((await invoice(api, { creditor })).id)
    expect([none.total_price, none.price.discounts]).toEqual(["22.40", []])
  })
})

describe("II 3.2", () => {
  test("II 3.2: (new) | quote request | no rejection -> offered", async () => {
    expect(await request((await invoice(api)).id)).toMatchObject({ status: "offered", rejection_reason: null })
  })

  test("II 3.2: (new) | quote request | rejection -> declined", async () => {
    const { buyer } = await companies(api)
    await api.put(`/sandbox/companies/${buyer.id}/decision`, { code: "own-reason", params: { who: "me" } })
    expect(await request((await invoice(api, { debtor: buyer.id })).id)).toMatchObject({
      status: "declined",
      payment_required: false,
      rejection_reason: { code: "own-reason", detail: "Not covered {who}.", params: { who: "me" } },
      insured: { currency: "GBP", insured_amount: "0.00" }
    })
  })

  test("II 3.2: offered | new quote requested on the same transaction -> expired", async () => {
    const { id } = await invoice(api)
    const first = await request(id)
    await request(id)
    expect((await quote(first.id)).status).toBe("expired")
  })

  test("II 3.2: offered | transaction edited -> expired", async () => {
    const { other } = await companies(api)
    for (const edit of [
      (id: string) => api.patch(`/v1/transactions/${id}`, { number: "2" }),
      (id: string) => api.patch(`/v1/transactions/${id}/amend/`, { net_amount: "2" }),
      (id: string) => api.put(`/v1/transactions/${id}/match_debtor`, { debtor: other.id })
    ]) {
      const { id } = await invoice(api)
      const made = await request(id)
      expect((await edit(id)).status).toBe(200)
      expect((await quote(made.id)).status).toBe("expired")
    }
  })

  test("II 3.2: offered | policy created -> accepted", async () => {
    const made = await request((await invoice(api)).id)
    const { body } = await buy(made.id)
    expect(await quote(made.id)).toMatchObject({ status: "accepted", policy: body.id })
  })

  test("II 3.2: policy creation on an expired, declined or accepted quote gives 400", async () => {
    const made = (await insured(api)).quote
    const old = await request((await invoice(api)).id)
    await api.post("/sandbox/clock", { advance: "P31D" })
    for (const id of [made.id, old.id]) {
      expect(await buy(id)).toMatchObject({ status: 400, body: { quote: [expect.any(String)] } })
    }
  })

  test("II 8: valid_until bounds acceptance", async () => {
    const made = await request((await invoice(api)).id)
    await api.post("/sandbox/clock", { set: made.valid_until.replace("000Z", "Z") })
    await api.post("/sandbox/clock", { advance: "PT1S" })
    expect((await quote(made.id)).status).toBe("expired")
    expect(await buy(made.id)).toMatchObject({ status: 400, body: { quote: ["The quote is expired."] } })
  })
})

describe("II 3.3", () => {
  const statusOn = async (id: string, day: string) => {
    await at(api, day)
    return (await policy(id)).status
  }

  test("II 3.3: (new) | policy created | quote accepted -> active", async () => {
    expect((await insured(api)).policy.status).toBe("active")
  })

  test("II 3.3: active | due date passes | no payment indicated -> late", async () => {
    const { policy } = await insured(api)
    expect([await statusOn(policy.id, DAYS.active), await statusOn(policy.id, DAYS.late)]).toEqual(["active", "late"])
  })

  test("II 3.3: active or late | customer or platform marks paid -> paid", async () => {
    for (const day of [DAYS.active, DAYS.late, DAYS.late_can_handover]) {
      await at(api, "2024-03-01")
      const { policy, transaction } = await insured(api)
      await at(api, day)
      await api.put(`/v1/transactions/${transaction.id}/paid`)
      expect([day, await statusOn(policy.id, DAYS.lapsed)]).toEqual([day, "paid"])
    }
  })

  test("II 3.3: late | automatic -> late_can_handover", async () => {
    const { policy } = await insured(api)
    expect([await statusOn(policy.id, "2024-05-15"), await statusOn(policy.id, "2024-05-16")]).toEqual([
      "late",
      "late_can_handover"
    ])
  })

  test("II 3.3: late_can_handover | handover window ends (30 days) -> lapsed", async () => {
    const { policy } = await insured(api)
    expect([await statusOn(policy.id, "2024-06-14"), await statusOn(policy.id, "2024-06-15")]).toEqual([
      "late_can_handover",
      "lapsed"
    ])
  })

  test("II 3.3: late_can_handover | collection sent -> under_collection, and there it stays", async () => {
    const { policy, transaction } = await late(api)
    const made = (await api.post("/v1/collections", { policy: policy.id })).body
    await upload(api, { policy: policy.id, file: INVOICE })
    expect((await api.put(`/v1/collections/${made.id}/send`)).status).toBe(200)
    expect(await statusOn(policy.id, DAYS.late_can_handover)).toBe("under_collection")
    await api.put(`/v1/transactions/${transaction.id}/paid`)
    expect(await statusOn(policy.id, DAYS.lapsed)).toBe("under_collection")
  })

  test("II 9: every status is shown in lists too", async () => {
    await insured(api)
    await at(api, DAYS.late)
    expect((await api.get("/v1/policies")).body.results.map(({ status }: Json) => status)).toEqual(["late"])
  })
})
