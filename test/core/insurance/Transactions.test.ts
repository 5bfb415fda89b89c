/**
 * Row by row: transactions and their payments (II 2.5 to 2.7, 3.1, 4). What is finer than a row is in the sandbox's
 * own tests, test/core/sandbox.
 */
import { describe, expect, test } from "vitest"
import {
  companies,
  detail,
  fields,
  handOver,
  insured,
  invoice,
  type Json,
  late,
  messages,
  sandbox,
  START
} from "./Rows.ts"

const api = sandbox({ clock: START })
const read = async (id: string) => (await api.get(`/v1/transactions/${id}`)).body

describe("II 4", () => {
  test("II 4: POST /v1/transactions: 201 with every member of 2.5", async () => {
    const made = await invoice(api, { unique_id: "u-1", number: "INV-1", metadata: { a: [1] }, pay_method: "bank" })
    expect(Object.keys(made).toSorted()).toEqual(
      [
        ...["url", "id", "owner", "unique_id", "debtor", "creditor", "debtor_name", "debtor_country", "debtor_regnum"],
        ...["debtor_address", "creditor_name", "creditor_country", "creditor_regnum", "creditor_address", "number"],
        ...["status", "pay_method", "net_amount", "gross_amount", "currency", "issue_date", "due_date", "paid_date"],
        ...["items", "scheduled_payments", "payments", "policy", "quote", "source", "referral_url", "transaction_key"],
        ...["metadata", "estimated_quote_price"]
      ].toSorted()
    )
    expect(made).toMatchObject({ status: "pending", estimated_quote_price: null, metadata: { a: [1] } })
  })

  test("II 4: PUT /v1/transactions/<transaction_id>/match_debtor: 200 transaction; unknown debtor gives 400", async () => {
    const { other } = await companies(api)
    const { id } = await invoice(api, { debtor_name: "Somebody" })
    const answer = await api.put(`/v1/transactions/${id}/match_debtor`, { debtor: other.id })
    expect([answer.status, answer.body.debtor]).toEqual([200, other.id])
    expect((await api.put(`/v1/transactions/${id}/match_debtor`, { debtor: "co-nobody" })).body).toEqual({
      debtor: messages
    })
  })

  test("II 4: GET /v1/transactions: a page", async () => {
    const made = await invoice(api, { unique_id: "paged" })
    expect((await api.get("/v1/transactions?unique_id=paged")).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [made]
    })
  })

  test("II 4: GET /v1/transactions/<transaction_id>: expand=debtor,creditor,policy,quote", async () => {
    const { policy, quote, transaction } = await insured(api)
    const { body } = await api.get(`/v1/transactions/${transaction.id}?expand=debtor,creditor,policy,quote,owner`)
    expect([body.debtor.id, body.creditor.id, body.policy.id, body.quote.id, body.owner.id]).toEqual([
      transaction.debtor,
      transaction.creditor,
      policy.id,
      quote.id,
      transaction.owner
    ])
  })

  test("II 4: PATCH /v1/transactions/<transaction_id>: any writable fields of an uninsured one", async () => {
    const before = await invoice(api)
    const changes = {
      number: "N",
      net_amount: "2.00",
      debtor_country: "France",
      due_date: "2024-04-30",
      currency: "EUR"
    }
    const { body, status } = await api.patch(`/v1/transactions/${before.id}`, changes)
    expect([status, body]).toEqual([200, { ...before, ...changes, debtor_country: "FR" }])
  })

  test("II 4: DELETE /v1/transactions/<transaction_id>: 204, only uninsured", async () => {
    const { id } = await invoice(api)
    expect((await api.remove(`/v1/transactions/${id}`)).status).toBe(204)
    expect((await api.remove(`/v1/transactions/${(await insured(api)).transaction.id}`)).status).toBe(409)
  })

  test("II 4: PUT /v1/transactions/<transaction_id>/confirm: draft to pending", async () => {
    const { id } = await invoice(api, { status: "draft" })
    const { body, status } = await api.put(`/v1/transactions/${id}/confirm`)
    expect([status, body]).toEqual([200, await read(id)])
    expect(body.status).toBe("pending")
  })

  test("II 4: PUT /v1/transactions/<transaction_id>/paid: pay_method and paid_date, both optional", async () => {
    const { id } = await invoice(api)
    const { body, status } = await api.put(`/v1/transactions/${id}/paid`, {
      pay_method: "card",
      paid_date: "2024-02-29"
    })
    expect([status, body.status, body.pay_method, body.paid_date]).toEqual([200, "paid", "card", "2024-02-29"])
    expect((await api.put(`/v1/transactions/${(await invoice(api)).id}/paid`)).body.pay_method).toBe("unknown")
  })

  test("II 4: PATCH /v1/transactions/<transaction_id>/amend/: amounts, dates and schedule of an insured one", async () => {
    const { transaction } = await insured(api)
    const scheduled_payments = [
      { date: "2024-05-31", amount: "500.00" },
      { date: "2024-04-30", amount: "400.00" }
    ]
    const changes = { net_amount: "750.00", gross_amount: "900.00", issue_date: "2024-03-02", due_date: "2024-05-31" }
    const { body, status } = await api.patch(`/v1/transactions/${transaction.id}/amend/`, {
      ...changes,
      scheduled_payments
    })
    expect([status, body]).toEqual([200, { ...(await read(transaction.id)), ...changes, scheduled_payments }])
  })

  test("II 4: GET /v1/transactions/<transaction_id>/payments/: a page of payments", async () => {
    const path = `/v1/transactions/${(await invoice(api)).id}/payments/`
    for (const amount of ["1", "2", "3"]) await api.post(path, { date: "2024-03-02", amount })
    const { body } = await api.get(`${path}?limit=2&offset=1`)
    expect([body.count, body.results.map(({ amount }: Json) => amount), body.next]).toEqual([3, ["2.00", "3.00"], null])
  })

  test("II 4: POST /v1/transactions/<transaction_id>/payments/: 201 payment", async () => {
    const { id } = await invoice(api)
    const path = `/v1/transactions/${id}/payments/`
    const payload = { date: "2024-03-02", amount: "10.00", currency: "GBP", details: "first" }
    const first = await api.post(path, payload)
    expect([first.status, first.body]).toEqual([
      201,
      { ...payload, id: first.body.id, type: "settlement", provider_code: "" }
    ])
    const back = { date: "2024-03-05", amount: "-10.00", type: "error", provider_code: "AC04" }
    const second = await api.post(path, back)
    expect([second.status, second.body]).toMatchObject([201, back])
    expect((await api.get(`${path}${second.body.id}`)).body).toEqual(second.body)
    expect((await read(id)).payments).toHaveLength(2)
    expect(fields(await api.post(path, { amount: "-0.01" }))).toEqual(["amount", "date", "type"])
  })
})

describe("II 3.1", () => {
  const draft = async () => (await invoice(api, { status: "draft" })).id as string

  test("II 3.1: draft | update (PATCH) | transaction not insured -> pending; it may otherwise be edited like any", async () => {
    const id = await draft()
    expect((await api.patch(`/v1/transactions/${id}`, { number: "1" })).body).toMatchObject({
      status: "draft",
      number: "1"
    })
    expect((await api.patch(`/v1/transactions/${id}`, { status: "pending" })).body.status).toBe("pending")
    for (const status of ["paid", "defaulted"]) {
      expect((await api.patch(`/v1/transactions/${await draft()}`, { status })).body).toEqual({ status: messages })
    }
  })

  test("II 3.1: draft | confirm endpoint -> pending; works when insured too, the only way to change an insured draft", async () => {
    const { transaction } = await insured(api, { status: "draft" })
    expect((await read(transaction.id)).status).toBe("draft")
    expect((await api.patch(`/v1/transactions/${transaction.id}`, { status: "pending" })).status).toBe(409)
    expect((await api.put(`/v1/transactions/${transaction.id}/confirm`)).body.status).toBe("pending")
  })

  test("II 3.1: pending | paid endpoint -> paid; paid_date and pay_method recorded", async () => {
    const { id } = await invoice(api)
    await api.put(`/v1/transactions/${id}/paid`, { pay_method: "cash", paid_date: "2024-03-03" })
    expect(await read(id)).toMatchObject({ status: "paid", pay_method: "cash", paid_date: "2024-03-03" })
    expect((await api.put(`/v1/transactions/${await draft()}/paid`)).status).toBe(409)
  })

  test("II 3.1: pending | any -> draft is not allowed", async () => {
    const { id } = await invoice(api)
    expect((await api.patch(`/v1/transactions/${id}`, { status: "draft" })).body).toEqual({ status: messages })
    expect((await read(id)).status).toBe("pending")
  })

  test("II 3.1: an insured transaction cannot be updated except via amend and confirm", async () => {
    const { transaction } = await insured(api, { status: "draft" })
    const path = `/v1/transactions/${transaction.id}`
    expect((await api.patch(path, { number: "1" })).status).toBe(409)
    expect((await api.patch(`${path}/amend/`, { net_amount: "1" })).status).toBe(200)
    expect((await api.put(`${path}/confirm`)).status).toBe(200)
  })
})

test("II 7: Amend transaction 400 / 409: modification not allowed once the invoice has been handed over", async () => {
  const { policy, transaction } = await late(api)
  const amend = () => api.patch(`/v1/transactions/${transaction.id}/amend/`, { net_amount: "900" })
  expect((await amend()).status).toBe(200)
  await handOver(api, policy.id)
  const before = await read(transaction.id)
  expect(await amend()).toMatchObject({ status: 409, body: detail })
  expect(await read(transaction.id)).toEqual(before)
})
