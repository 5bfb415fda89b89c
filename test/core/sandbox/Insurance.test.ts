/**
 * Quotes and policies of the sandbox (II 2.8, 2.9, 3.2, 3.3, 4, 7): what is offered and declined, how an offer ends,
 * what payment tokens do, and what time does to a policy. The tests share one clock, which only moves forward.
 */
import { beforeEach, describe, expect, test } from "vitest"
import { companies, insured, invoice, type Json, organisation, sandbox } from "./Wire.ts"

const api = sandbox()

beforeEach(async () => {
  await api.post("/sandbox/reset")
  await api.post("/sandbox/clock", { set: "2024-03-01T09:00:00Z" })
})

const quoteOf = async (id: string) => (await api.post("/v1/quotes", { transaction: id })).body
const statusOf = async (id: string) => (await api.get(`/v1/quotes/${id}`)).body.status
const buy = (quote: unknown, stripe_id: unknown = "tok_visa") => api.post("/v1/policies", { quote, stripe_id })

/** A decimal string with two places, as a count of hundredths. */
const hundredths = (text: string): bigint => {
  expect(text).toMatch(/^\d+\.\d\d$/)
  return BigInt(text.replace(".", ""))
}

describe("II 3.2: a quote request", () => {
  test("without a rejection: offered, with its price and what it insures", async () => {
    const transaction = await invoice(api)
    const { body, status } = await api.post("/v1/quotes", { transaction: transaction.id })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      transaction: transaction.id,
      client: transaction.debtor,
      status: "offered",
      payment_required: true,
      policy: null,
      rejection_reason: null,
      currency: "GBP",
      proposed_quote: null,
      url: `${api.url}/v1/quotes/${body.id}`
    })
    expect(hundredths(body.premium) + hundredths(body.ipt)).toBe(hundredths(body.total_price))
    const { ipt, premium, total_price } = body
    expect(body.price).toMatchObject({ currency: "GBP", ipt, premium, total_price, discounts: [] })
    expect(body.insured.currency).toBe("GBP")
    expect(hundredths(body.insured.insured_amount)).toBeLessThanOrEqual(hundredths("1000.00"))
    expect(Date.parse(body.valid_until)).toBeGreaterThan(Date.parse(body.created))
    expect(body.created).toMatch(/^2024-03-01T09:00:\d\d\.\d{6}Z$/)
    const read = (await api.get(`/v1/transactions/${transaction.id}`)).body
    expect([read.quote, read.policy]).toEqual([body.id, null])
  })

  test("II 2.8: every rejection code has a company that is declined for it, with the params of its sentence", async () => {
    const { all, buyer, seller } = await companies(api)
    const declined = all.filter(({ decision }) => decision !== null)
    expect(new Set(declined.map(({ decision }) => decision.code)).size).toBe(42)
    const owner = await organisation(api)
    for (const { decision, id } of declined) {
      const [creditor, debtor] = decision.code.startsWith("seller-") ? [id, buyer.id] : [seller.id, id]
      const quote = await quoteOf((await invoice(api, { owner, creditor, debtor })).id)
      expect([decision.code, quote.status, quote.payment_required]).toEqual([decision.code, "declined", false])
      expect(quote.rejection_reason).toEqual({ ...decision, detail: expect.any(String) })
      for (const name of Object.keys(decision.params)) expect(quote.rejection_reason.detail).toContain(`{${name}}`)
      const refused = await buy(quote.id)
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["quote"]])
    }
  })

  test("II 2.5: what a quote needs, every missing field at once; and a transaction that exists", async () => {
    const bare = (await api.post("/v1/transactions", { owner: await organisation(api) })).body.id
    const { body, status } = await api.post("/v1/quotes", { transaction: bare })
    expect(status).toBe(400)
    expect(Object.keys(body).toSorted()).toEqual([
      "creditor",
      "currency",
      "debtor",
      "due_date",
      "issue_date",
      "net_amount"
    ])
    for (const wrong of [{}, { transaction: "trns-nobody" }, { transaction: null }, { transaction: 7 }]) {
      const refused = await api.post("/v1/quotes", wrong)
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["transaction"]])
    }
    const both = await api.post("/v1/quotes", { transaction: "trns-nobody", client: "co-nobody" })
    expect(Object.keys(both.body).toSorted()).toEqual(["client", "transaction"])
  })

  test("client is the one that is given", async () => {
    const { other } = await companies(api)
    const { body } = await api.post("/v1/quotes", { transaction: (await invoice(api)).id, client: other.id })
    expect(body.client).toBe(other.id)
  })
})

describe("II 3.2: how an offer ends", () => {
  test("a new quote on the same transaction expires the one before", async () => {
    const { id } = await invoice(api)
    const [first, second] = [await quoteOf(id), await quoteOf(id)]
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["expired", "offered"])
    expect((await api.get(`/v1/transactions/${id}`)).body.quote).toBe(second.id)
    expect((await buy(first.id)).body).toEqual({ quote: [expect.any(String)] })
  })

  test("one that is then declined expires it as well", async () => {
    const { id } = await invoice(api)
    const first = await quoteOf(id)
    const { buyer } = await companies(api)
    await api.put(`/sandbox/companies/${buyer.id}/decision`, { code: "buyer-limit", params: {} })
    expect((await quoteOf(id)).status).toBe("declined")
    expect(await statusOf(first.id)).toBe("expired")
  })

  test("an edit expires it; a refused edit does not", async () => {
    const { id } = await invoice(api)
    const quote = await quoteOf(id)
    expect((await api.patch(`/v1/transactions/${id}`, { due_date: "soon" })).status).toBe(400)
    expect(await statusOf(quote.id)).toBe("offered")
    expect((await api.patch(`/v1/transactions/${id}`, { net_amount: "1" })).status).toBe(200)
    expect(await statusOf(quote.id)).toBe("expired")
    expect((await buy(quote.id)).status).toBe(400)
  })

  test("another debtor is an edit too", async () => {
    const { other } = await companies(api)
    const { id } = await invoice(api)
    const quote = await quoteOf(id)
    await api.put(`/v1/transactions/${id}/match_debtor`, { debtor: other.id })
    expect(await statusOf(quote.id)).toBe("expired")
  })

  test("II 8: valid_until bounds it, by the sandbox's clock", async () => {
    const quote = await quoteOf((await invoice(api)).id)
    const until = Date.parse(quote.valid_until)
    await api.post("/sandbox/clock", { set: new Date(until - 60_000).toISOString() })
    expect(await statusOf(quote.id)).toBe("offered")
    await api.post("/sandbox/clock", { set: new Date(until + 1000).toISOString() })
    expect(await statusOf(quote.id)).toBe("expired")
    const refused = await buy(quote.id)
    expect([refused.status, refused.body]).toEqual([400, { quote: [expect.any(String)] }])
    expect((await api.get("/v1/policies")).body.count).toBe(0)
  })

  test("DELETE: 204, then 404; 409 when accepted", async () => {
    const quote = await quoteOf((await invoice(api)).id)
    expect((await api.remove(`/v1/quotes/${quote.id}`)).status).toBe(204)
    expect((await api.get(`/v1/quotes/${quote.id}`)).body).toEqual({ detail: expect.any(String) })
    expect((await buy(quote.id)).body).toEqual({ quote: [expect.any(String)] })
    const accepted = (await insured(api)).quote.id
    expect((await api.remove(`/v1/quotes/${accepted}`)).status).toBe(409)
    expect(await statusOf(accepted)).toBe("accepted")
  })
})

describe("II 4 and 7: a policy", () => {
  test("accepts the quote and insures the transaction", async () => {
    const { id } = await invoice(api)
    const quote = await quoteOf(id)
    const { body, status } = await buy(quote.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({ quote: quote.id, status: "active", collection: null, number: expect.any(String) })
    expect(body.documents).toContainEqual({ category: "policy", url: expect.stringMatching(/^http.*\.pdf$/) })
    expect(Object.keys(body).toSorted()).toEqual(
      ["collection", "created", "documents", "id", "loss_payee", "number", "quote", "status", "url"].toSorted()
    )
    expect((await api.get(`/v1/quotes/${quote.id}`)).body).toMatchObject({ status: "accepted", policy: body.id })
    expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({ policy: body.id, quote: quote.id })
    const twice = await buy(quote.id)
    expect([twice.status, Object.keys(twice.body)]).toEqual([400, ["quote"]])
    const again = await api.post("/v1/quotes", { transaction: id })
    expect([again.status, again.body]).toEqual([409, { detail: expect.any(String) }])
  })

  test.each([
    ["tok_visa", 201],
    ["src_anything", 201],
    ["pm_anything", 201],
    ["tok_declined", 402],
    ["tok_error", 502],
    ["tok_timeout", 504],
    ["card_4242", 400],
    ["4242424242424242", 400]
  ])("stripe_id %s: %i", async (token, status) => {
    const { id } = await invoice(api)
    const quote = await quoteOf(id)
    const answer = await buy(quote.id, token)
    expect(answer.status).toBe(status)
    if (status === 201) return
    expect(answer.body).toEqual({ detail: expect.any(String) })
    expect(await statusOf(quote.id)).toBe("offered")
    expect((await api.get(`/v1/transactions/${id}`)).body.policy).toBeNull()
    expect((await buy(quote.id)).status).toBe(201)
  })

  test("missing or invalid payment information: 400 under non_field_errors; a quote that is not there: under quote", async () => {
    const quote = (await quoteOf((await invoice(api)).id)).id
    for (const body of [{ quote }, { quote, stripe_id: null }, { quote, stripe_id: "" }, { quote, stripe_id: 4242 }]) {
      const refused = await api.post("/v1/policies", body)
      expect([refused.status, refused.body]).toEqual([400, { non_field_errors: [expect.any(String)] }])
    }
    const lost = await api.post("/v1/policies", { quote: "quo-nobody", stripe_id: "tok_visa" })
    expect([lost.status, lost.body]).toEqual([400, { quote: [expect.any(String)] }])
    expect(Object.keys((await api.post("/v1/policies", {})).body).toSorted()).toEqual(["non_field_errors", "quote"])
  })

  test("II 2.9: it cannot be deleted or modified", async () => {
    const { policy } = await insured(api)
    const path = `/v1/policies/${policy.id}`
    for (const answer of [await api.remove(path), await api.patch(path, {}), await api.put(path, {})]) {
      expect([answer.status, answer.body]).toEqual([405, { detail: expect.any(String) }])
    }
    expect((await api.get(path)).body).toEqual(policy)
    expect((await api.get("/v1/policies/pol-nobody")).status).toBe(404)
  })
})

describe("II 3.3: a policy's status", () => {
  const at = async (id: string, day: string) => {
    await api.post("/sandbox/clock", { set: `${day}T12:00:00Z` })
    return (await api.get(`/v1/policies/${id}`)).body.status
  }

  test("active until the due date has passed, then late, then open to handover for a while, then lapsed", async () => {
    const { policy } = await insured(api)
    expect(await at(policy.id, "2024-03-31")).toBe("active")
    expect(await at(policy.id, "2024-04-01")).toBe("late")
    const seen: Array<Json> = []
    for (let n = 0; n < 60; n++) {
      await api.post("/sandbox/clock", { advance: "P3D" })
      seen.push((await api.get(`/v1/policies/${policy.id}`)).body.status)
    }
    expect(seen.filter((status, i) => status !== seen[i - 1])).toEqual(["late", "late_can_handover", "lapsed"])
    expect(seen.filter((status) => status === "late_can_handover")).toHaveLength(10)
  })

  test("paid when the transaction is marked paid, while active, late or open to handover", async () => {
    for (const day of ["2024-03-20", "2024-04-02", "2024-05-20"]) {
      await api.post("/sandbox/clock", { set: "2024-03-01T09:00:00Z" })
      const { policy, transaction } = await insured(api)
      await at(policy.id, day)
      expect((await api.put(`/v1/transactions/${transaction.id}/paid`, {})).status).toBe(200)
      expect([day, await at(policy.id, "2024-12-31")]).toEqual([day, "paid"])
    }
  })

  test("lapsed stays lapsed", async () => {
    const { policy, transaction } = await insured(api)
    expect(await at(policy.id, "2024-12-31")).toBe("lapsed")
    await api.patch(`/v1/transactions/${transaction.id}/amend/`, { due_date: "2024-12-20" })
    expect(await at(policy.id, "2024-12-31")).toBe("lapsed")
    await api.put(`/v1/transactions/${transaction.id}/paid`, {})
    expect(await at(policy.id, "2024-12-31")).toBe("lapsed")
  })

  test("II 4: amend moves the due date of what is insured", async () => {
    const { policy, transaction } = await insured(api)
    expect((await api.patch(`/v1/transactions/${transaction.id}/amend/`, { due_date: "2024-06-30" })).status).toBe(200)
    expect(await at(policy.id, "2024-06-30")).toBe("active")
    expect(await at(policy.id, "2024-07-01")).toBe("late")
  })
})
