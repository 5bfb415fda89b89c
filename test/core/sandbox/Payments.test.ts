/**
 * Payments reported on a transaction of the sandbox (II 2.6): settlements, reversals, and what is refused.
 */
import { describe, expect, test } from "vitest"
import { insured, invoice, type Json, sandbox } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-10T12:00:00Z" })
const lenient = sandbox({ clock: "2024-03-10T12:00:00Z", lenient: true })

const date = "2024-03-09"

const opened = async (): Promise<string> => `/v1/transactions/${(await invoice(api)).id}/payments/`

describe("II 2.6: a positive payment", () => {
  test("is a settlement unless it says so; currency is the transaction's unless given", async () => {
    const path = await opened()
    const { body, status } = await api.post(path, { date: "2024-03-09", amount: "100.00" })
    expect(status).toBe(201)
    expect(body).toMatchObject({ date: "2024-03-09", amount: "100.00", type: "settlement", currency: "GBP" })
    expect(typeof body.id).toBe("string")
    const reported = {
      date: "2024-03-09",
      amount: "1.00",
      type: "settlement",
      details: "by bank",
      provider_code: "AM04"
    }
    expect((await api.post(path, reported)).body).toMatchObject(reported)
  })

  test("date is required; where real clients are met half-way it is today without, by the sandbox's clock", async () => {
    const required = { status: 400, body: { date: ["This field is required."] } }
    expect(await api.post(await opened(), { amount: "5" })).toMatchObject(required)
    const path = `/v1/transactions/${(await invoice(lenient)).id}/payments/`
    expect((await lenient.post(path, { amount: "5" })).body.date).toBe("2024-03-10")
  })

  test("amount has two places; numbers are read; anything else is 400", async () => {
    const path = await opened()
    for (const [amount, written] of [
      ["7", "7.00"],
      ["7.5", "7.50"],
      [7.25, "7.25"],
      ["7.500", "7.50"],
      ["0.01", "0.01"]
    ]) {
      expect((await api.post(path, { date, amount })).body.amount).toBe(written)
    }
    for (const amount of ["7.255", 0.001, "", "1,000", "1e3", " 1", "£1", "NaN", null, true, [], {}, undefined]) {
      const { body, status } = await api.post(path, { date: "2024-03-09", amount })
      expect([amount, status, Object.keys(body)]).toEqual([amount, 400, ["amount"]])
    }
  })

  test("every offending field at once", async () => {
    const { body, status } = await api.post(await opened(), { amount: "x", date: "9 March", type: "gift" })
    expect([status, Object.keys(body).toSorted()]).toEqual([400, ["amount", "date", "type"]])
    expect((await api.post(await opened(), { date, amount: "1", currency: "ZZZ" })).body).toEqual({
      currency: [expect.any(String)]
    })
  })
})

describe("II 2.6: a negative payment", () => {
  test.each(["chargeback", "refund", "error", "unknown", "other"])("of type %s is taken", async (type) => {
    const path = await opened()
    await api.post(path, { date, amount: "50" })
    const { body, status } = await api.post(path, { date, amount: "-50", type, provider_code: "insufficient_funds" })
    expect(status).toBe(201)
    expect(body).toMatchObject({ amount: "-50.00", type, provider_code: "insufficient_funds" })
  })

  test("needs a type, and settlement is none", async () => {
    const path = await opened()
    await api.post(path, { date, amount: "50" })
    for (const type of [undefined, null, "settlement"]) {
      const { body, status } = await api.post(path, { date, amount: "-10", type })
      expect([type, status, Object.keys(body)]).toEqual([type, 400, ["type"]])
    }
    expect((await api.get(path)).body.count).toBe(1)
  })

  test("needs earlier positive payments of at least that amount", async () => {
    const path = await opened()
    const refund = async (amount: string) => {
      const { body, status } = await api.post(path, { date, amount, type: "refund" })
      return [status, ...(status === 400 ? Object.keys(body) : [])]
    }
    expect(await refund("-0.01")).toEqual([400, "amount"])
    await api.post(path, { date, amount: "60" })
    await api.post(path, { date, amount: "40" })
    expect(await refund("-100.01")).toEqual([400, "amount"])
    expect(await refund("-70")).toEqual([201])
    expect(await refund("-30.01")).toEqual([400, "amount"])
    expect(await refund("-30")).toEqual([201])
    expect(await refund("-0.01")).toEqual([400, "amount"])
  })

  test("payments of another transaction do not cover it", async () => {
    await api.post(await opened(), { date, amount: "500" })
    expect((await api.post(await opened(), { date, amount: "-1", type: "error" })).status).toBe(400)
  })

  test("without type and without cover both are named", async () => {
    const { body } = await api.post(await opened(), { date, amount: "-1" })
    expect(Object.keys(body).toSorted()).toEqual(["amount", "type"])
  })
})

describe("II 4: reading payments", () => {
  test("a page of them, one alone, and those of the transaction itself", async () => {
    const path = await opened()
    const made: Array<Json> = []
    for (const amount of ["1", "2", "3"]) made.push((await api.post(path, { date: "2024-03-05", amount })).body)
    const list = (await api.get(`${path}?limit=2`)).body
    expect([list.count, list.results]).toEqual([3, made.slice(0, 2)])
    const rest = (await api.get(list.next.slice(api.url.length))).body
    expect([rest.results, rest.next]).toEqual([made.slice(2), null])
    expect((await api.get(`${path}${made[1].id}`)).body).toEqual(made[1])
    expect((await api.get(path.replace("/payments/", ""))).body.payments).toEqual(
      made.map(({ amount, date, id }) => ({ id, date, amount }))
    )
  })

  test("one that is not there, or is another transaction's: 404", async () => {
    const path = await opened()
    const { id } = (await api.post(path, { date, amount: "1" })).body
    for (const wrong of [`${path}nothing`, `${await opened()}${id}`]) {
      expect(await api.get(wrong)).toMatchObject({ status: 404, body: { detail: expect.any(String) } })
    }
    expect((await api.remove(`${path}${id}`)).status).toBe(405)
  })

  test("they are reported on an insured transaction as well", async () => {
    const { transaction } = await insured(api)
    const path = `/v1/transactions/${transaction.id}/payments/`
    expect((await api.post(path, { date, amount: "10" })).status).toBe(201)
  })
})

describe("II 2.5: payments that come with a transaction", () => {
  const received = [
    { date: "2024-03-05", amount: "100.00" },
    { date: "2024-03-05", amount: "100.00" }
  ]

  test("are reported with it, and read alone as any other", async () => {
    const { id, payments } = await invoice(api, { payments: [received[0], { ...received[1], amount: 100 }] })
    expect(payments).toMatchObject(received)
    const { body } = await api.get(`/v1/transactions/${id}/payments/`)
    expect(body.results.map(({ id }: Json) => id)).toEqual(payments.map(({ id }: Json) => id))
    expect(body.results[0]).toMatchObject({ ...received[0], type: "settlement", currency: "GBP" })
    expect((await invoice(api, { payments: null })).payments).toEqual([])
  })

  test("a change adds those that are not there yet: what was read can be sent back", async () => {
    const whole = await invoice(api, { payments: [received[0]] })
    const path = `/v1/transactions/${whole.id}`
    await api.post(`${path}/payments/`, { date, amount: "-100.00", type: "error" })
    const { body: read } = await api.get(path)
    expect((await api.patch(path, { payments: read.payments })).body.payments).toEqual(read.payments)
    const { payments } = (await api.patch(path, { payments: [...read.payments, received[1]] })).body
    expect(payments).toEqual([...read.payments, { ...received[1], id: payments[2].id }])
    expect((await api.get(path)).body.payments).toEqual(payments)
  })

  test("every one that is wrong is named where it stands, and nothing is kept", async () => {
    const { id, owner } = await invoice(api)
    const payments = [received[0], { date, amount: "-1" }]
    const wrong = { payments: { 1: { amount: ["A reversal needs a type: report it as a payment of its own."] } } }
    expect(await api.post("/v1/transactions", { owner, payments })).toMatchObject({ status: 400, body: wrong })
    expect(await api.patch(`/v1/transactions/${id}`, { payments })).toMatchObject({ status: 400, body: wrong })
    expect((await api.get(`/v1/transactions/${id}`)).body.payments).toEqual([])
    const unread = await api.post("/v1/transactions", { owner, payments: [{ amount: "x" }, "y", payments[1]] })
    expect(unread.body).toEqual({
      payments: {
        0: { date: ["This field is required."], amount: [expect.any(String)] },
        1: [expect.any(String)],
        2: wrong.payments[1]
      }
    })
  })
})
