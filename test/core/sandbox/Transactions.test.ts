/**
 * Transactions of the sandbox (II 2.5, 2.7, 3.1, 4, 7): what may be created and changed, by whom, and in which state;
 * and the conventions of every list and read (DP 2.1, 4, 5, 8).
 */
import { describe, expect, test } from "vitest"
import { call, companies, insured, invoice, organisation, sandbox, user } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-01T09:00:00Z" })

describe("II 2.5: create", () => {
  test("owner is the only required field", async () => {
    const owner = await organisation(api)
    const { body, status } = await api.post("/v1/transactions", { owner })
    expect(status).toBe(201)
    expect(body).toMatchObject({ owner, policy: null, quote: null, debtor: null, creditor: null, payments: [] })
    expect(body.url).toBe(`${api.url}/v1/transactions/${body.id}`)
    expect(typeof body.transaction_key).toBe("string")
    expect(body.referral_url).toContain("http")
    const none = await api.post("/v1/transactions", {})
    expect(none.status).toBe(400)
    expect(none.body).toEqual({ owner: [expect.any(String)] })
  })

  test("the owner is a user or an organisation that exists; another prefix is 400", async () => {
    expect((await api.post("/v1/transactions", { owner: await user(api) })).status).toBe(201)
    for (const owner of ["co-1000", "org-nobody", "user-nobody", "trns-1", "", 7, null]) {
      const { body, status } = await api.post("/v1/transactions", { owner })
      expect([owner, status]).toEqual([owner, 400])
      expect(Object.keys(body)).toEqual(["owner"])
      expect(body.owner).toContainEqual(expect.any(String))
    }
  })

  test("II 7: every offending field is named at once, each with a list of messages", async () => {
    const wrong = await api.post("/v1/transactions", {
      net_amount: "12.345",
      gross_amount: "lots",
      issue_date: "2024-02-30",
      due_date: "31/03/2024",
      status: "sleeping",
      pay_method: "cheque",
      debtor: "user-1",
      items: [{ description: "without quantity", unit_price: "1" }]
    })
    expect(wrong.status).toBe(400)
    expect(Object.keys(wrong.body).toSorted()).toEqual([
      "debtor",
      "due_date",
      "gross_amount",
      "issue_date",
      "items",
      "net_amount",
      "owner",
      "pay_method",
      "status"
    ])
    for (const { 0: field, 1: messages } of Object.entries(wrong.body)) {
      if (field !== "items") expect(messages).toEqual([expect.any(String)])
    }
    const unknown = await api.post("/v1/transactions", {
      owner: "org-nobody",
      debtor: "co-nobody",
      creditor: "co-nobody",
      currency: "ZZZ",
      debtor_country: "Atlantis"
    })
    expect(unknown.status).toBe(400)
    expect(Object.keys(unknown.body).toSorted()).toEqual(["creditor", "currency", "debtor", "debtor_country", "owner"])
  })

  test("II 1: numbers are read; money has 2 places, quantities 3, other amounts 6", async () => {
    const { body } = await api.post("/v1/transactions", {
      owner: await organisation(api),
      net_amount: 1000,
      gross_amount: 1199.5,
      items: [{ description: "bread", quantity: 2, unit_price: 0.5 }],
      scheduled_payments: [{ date: "2024-04-01", amount: 1199.5 }]
    })
    expect(body).toMatchObject({
      net_amount: "1000.00",
      gross_amount: "1199.50",
      items: [{ description: "bread", quantity: "2.000", unit_price: "0.500000" }],
      scheduled_payments: [{ date: "2024-04-01", amount: "1199.50" }]
    })
  })

  test("II 2.5: raw names are matched like company search; a party that is given wins", async () => {
    const { buyer, other, seller } = await companies(api)
    const owner = await organisation(api)
    const raw = (of: { name: string; country: string }, party: string) => ({
      [`${party}_name`]: of.name,
      [`${party}_country`]: of.country
    })
    const named = await api.post("/v1/transactions", { owner, ...raw(buyer, "debtor"), ...raw(seller, "creditor") })
    expect(named.body).toMatchObject({ debtor: buyer.id, creditor: seller.id, debtor_name: buyer.name })
    const numbered = await api.post("/v1/transactions", {
      owner,
      debtor_regnum: other.reg_number,
      debtor_country: other.country
    })
    expect(numbered.body.debtor).toBe(other.id)
    const strange = await api.post("/v1/transactions", { owner, debtor_name: "Nobody At All", debtor_country: "GB" })
    expect(strange.body.debtor).toBeNull()
    const given = await api.post("/v1/transactions", { owner, debtor: other.id, ...raw(buyer, "debtor") })
    expect(given.body.debtor).toBe(other.id)
  })

  test("DP 9: unknown members of a request are ignored; read-only ones cannot be set", async () => {
    const sent = { id: "trns-mine", policy: "pol-1", quote: "quo-1", source: "xero", colour: "blue" }
    const { body, status } = await api.post("/v1/transactions", { owner: await organisation(api), ...sent })
    expect(status).toBe(201)
    expect(body).toMatchObject({ policy: null, quote: null, source: null })
    expect(body.id).not.toBe("trns-mine")
    expect(body.colour).toBeUndefined()
  })
})

describe("II 4 and 7: update and delete", () => {
  test("PATCH changes what it carries and nothing else", async () => {
    const before = await invoice(api, { number: "A-1" })
    const { body, status } = await api.patch(`/v1/transactions/${before.id}`, { number: "A-2", net_amount: "900" })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, number: "A-2", net_amount: "900.00" })
    expect((await api.get(`/v1/transactions/${before.id}`)).body).toEqual(body)
    const refused = await api.patch(`/v1/transactions/${before.id}`, { debtor: "co-nobody", owner: "org-nobody" })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body).toSorted()).toEqual(["debtor", "owner"])
    expect((await api.get(`/v1/transactions/${before.id}`)).body).toEqual(body)
  })

  test("PATCH and DELETE of an insured transaction: 409, and nothing changes", async () => {
    const { transaction } = await insured(api)
    const before = (await api.get(`/v1/transactions/${transaction.id}`)).body
    for (const answer of [
      await api.patch(`/v1/transactions/${transaction.id}`, { number: "changed" }),
      await api.remove(`/v1/transactions/${transaction.id}`)
    ]) {
      expect(answer.status).toBe(409)
      expect(typeof answer.body.detail).toBe("string")
    }
    expect((await api.get(`/v1/transactions/${transaction.id}`)).body).toEqual(before)
  })

  test("DELETE: 204, and then 404 for everything under that id", async () => {
    const { id } = await invoice(api)
    const gone = await api.remove(`/v1/transactions/${id}`)
    expect([gone.status, gone.body]).toEqual([204, undefined])
    const path = `/v1/transactions/${id}`
    for (const answer of [
      await api.get(path),
      await api.patch(path, {}),
      await api.remove(path),
      await api.put(`${path}/confirm`),
      await api.put(`${path}/paid`, {}),
      await api.patch(`${path}/amend/`, {}),
      await api.put(`${path}/match_debtor`, { debtor: "co-1000" }),
      await api.get(`${path}/payments/`),
      await api.post(`${path}/payments/`, { date: "2024-03-02", amount: "1" })
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { detail: expect.any(String) }])
    }
  })
})

describe("II 3.1: status", () => {
  const made = async (status: string) => (await invoice(api, { status })).id as string
  const read = async (id: string) => (await api.get(`/v1/transactions/${id}`)).body.status

  test("draft, PATCH while not insured: pending; a draft may otherwise be edited and stays one", async () => {
    const id = await made("draft")
    expect((await api.patch(`/v1/transactions/${id}`, { number: "D-1" })).body.status).toBe("draft")
    expect((await api.patch(`/v1/transactions/${id}`, { status: "pending" })).body.status).toBe("pending")
  })

  test("draft, confirm: pending; when insured too; otherwise 409", async () => {
    const id = await made("draft")
    const { body, status } = await api.put(`/v1/transactions/${id}/confirm`)
    expect([status, body.status]).toEqual([200, "pending"])
    for (const answer of [await api.put(`/v1/transactions/${id}/confirm`)]) {
      expect([answer.status, answer.body]).toEqual([409, { detail: expect.any(String) }])
    }
    const paid = await made("pending")
    await api.put(`/v1/transactions/${paid}/paid`, {})
    expect((await api.put(`/v1/transactions/${paid}/confirm`)).status).toBe(409)
    expect(await read(paid)).toBe("paid")
    const { transaction } = await insured(api, { status: "draft" })
    expect((await api.patch(`/v1/transactions/${transaction.id}`, { status: "pending" })).status).toBe(409)
    expect((await api.put(`/v1/transactions/${transaction.id}/confirm`)).body.status).toBe("pending")
  })

  test("pending, paid endpoint: paid, with paid_date and pay_method, both optional", async () => {
    const reported = await made("pending")
    const answer = await api.put(`/v1/transactions/${reported}/paid`, { pay_method: "bank", paid_date: "2024-03-20" })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: "paid", pay_method: "bank", paid_date: "2024-03-20" })
    const unreported = await made("pending")
    const { body } = await api.put(`/v1/transactions/${unreported}/paid`)
    expect(body).toMatchObject({ status: "paid", paid_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    const wrong = await api.put(`/v1/transactions/${await made("pending")}/paid`, {
      pay_method: "shells",
      paid_date: "soon"
    })
    expect([wrong.status, Object.keys(wrong.body).toSorted()]).toEqual([400, ["paid_date", "pay_method"]])
  })

  test("pending to draft: not allowed", async () => {
    const id = await made("pending")
    const { status } = await api.patch(`/v1/transactions/${id}`, { status: "draft" })
    expect([400, 409]).toContain(status)
    expect(await read(id)).toBe("pending")
  })
})

describe("II 4: amend", () => {
  const path = async () => `/v1/transactions/${(await insured(api)).transaction.id}/amend/`

  test("changes an insured transaction", async () => {
    const { body, status } = await api.patch(await path(), { net_amount: "900", due_date: "2024-04-15" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ net_amount: "900.00", gross_amount: "1200.00", due_date: "2024-04-15" })
  })

  test("the schedule sums to gross_amount, and due_date is the date of its last payment: else 400", async () => {
    const schedule = (...amounts: ReadonlyArray<string>) =>
      amounts.map((amount, i) => ({ date: `2024-04-${10 + i}`, amount }))
    const of = await path()
    const due_date = "2024-04-11"
    const sum = await api.patch(of, { gross_amount: "100", due_date, scheduled_payments: schedule("50", "49.99") })
    expect([sum.status, Object.keys(sum.body)]).toEqual([400, ["scheduled_payments"]])
    const due = await api.patch(of, { due_date: "2024-04-10", scheduled_payments: schedule("600", "600") })
    expect([due.status, Object.keys(due.body)]).toEqual([400, ["due_date"]])
    const unsaid = await api.patch(of, { scheduled_payments: schedule("600", "600") })
    expect([unsaid.status, Object.keys(unsaid.body)]).toEqual([400, ["due_date"]])
    const good = await api.patch(of, { gross_amount: "100", due_date, scheduled_payments: schedule("50.01", "49.99") })
    expect(good.status).toBe(200)
    const kept = await api.patch(of, { net_amount: "80" })
    expect(kept.body.scheduled_payments).toEqual(good.body.scheduled_payments)
    expect((await api.patch(of, { due_date: "soon", net_amount: "x" })).body).toEqual({
      due_date: [expect.any(String)],
      net_amount: [expect.any(String)]
    })
  })

  test("II 3.2: it is an edit: an offered quote expires", async () => {
    const { id } = await invoice(api)
    const quote = (await api.post("/v1/quotes", { transaction: id })).body
    await api.patch(`/v1/transactions/${id}/amend/`, { net_amount: "2000" })
    expect((await api.get(`/v1/quotes/${quote.id}`)).body.status).toBe("expired")
  })
})

describe("II 2.7: match_debtor", () => {
  test("all transactions of that owner with the same raw name, and later ones; an unknown debtor is 400", async () => {
    const { buyer, other } = await companies(api)
    const owner = await organisation(api)
    const debtor_name = "Alltag & Söhne"
    const make = async (of: string, name: string) =>
      (await api.post("/v1/transactions", { owner: of, debtor_name: name })).body.id as string
    const [first, second] = [await make(owner, debtor_name), await make(owner, debtor_name)]
    const [differs, strangers] = [await make(owner, "Somebody Else"), await make(await organisation(api), debtor_name)]
    const unknown = await api.put(`/v1/transactions/${first}/match_debtor`, { debtor: "co-nobody" })
    expect([unknown.status, unknown.body]).toEqual([400, { debtor: [expect.any(String)] }])
    expect((await api.put(`/v1/transactions/${first}/match_debtor`, {})).body).toEqual({ debtor: [expect.any(String)] })
    const saved = await api.put(`/v1/transactions/${first}/match_debtor`, { debtor: buyer.id })
    expect([saved.status, saved.body.id, saved.body.debtor]).toEqual([200, first, buyer.id])
    const debtor = async (id: string) => (await api.get(`/v1/transactions/${id}`)).body.debtor
    expect(await debtor(second)).toBe(buyer.id)
    expect(await debtor(differs)).toBeNull()
    expect(await debtor(strangers)).toBeNull()
    expect(await debtor(await make(owner, debtor_name))).toBe(buyer.id)
    const again = await api.put(`/v1/transactions/${second}/match-debtor`, { debtor: other.id })
    expect([again.status, await debtor(first)]).toEqual([200, other.id])
  })

  test("an insured transaction is left unchanged", async () => {
    const { buyer, other } = await companies(api)
    for (const debtor_name of ["Covered Already", null]) {
      const { transaction } = await insured(api, { debtor_name })
      await api.put(`/v1/transactions/${transaction.id}/match_debtor`, { debtor: other.id })
      expect((await api.get(`/v1/transactions/${transaction.id}`)).body.debtor).toBe(buyer.id)
    }
  })
})

describe("DP 5: authentication", () => {
  test("Token and Basic work; without a key or with a wrong one: 401 and its challenge", async () => {
    const url = `${api.url}/v1/transactions`
    expect((await call(url, "GET", undefined, `Basic ${btoa("sandbox-key:")}`)).status).toBe(200)
    for (const wrong of [null, "Token wrong", "Bearer sandbox-key", "Token", `Basic ${btoa("wrong:")}`, "Basic %%%"]) {
      const { body, headers, status } = await call(url, "GET", undefined, wrong)
      expect([wrong, status, typeof body.detail]).toEqual([wrong, 401, "string"])
      expect(headers.get("www-authenticate")).toContain("Token")
    }
    expect((await call(`${api.url}/v1/countries/debtor`, "GET", undefined, null)).status).toBe(200)
  })
})
