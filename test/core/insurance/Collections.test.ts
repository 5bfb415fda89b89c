/**
 * Row by row: collections and their documents (II 2.10, 2.11, 3.4, 4, 7).
 */
import { beforeEach, describe, expect, test } from "vitest"
import { POLICY_STATUSES } from "../../../core/insurance/Policies.ts"
import {
  at,
  DAYS,
  detail,
  fields,
  INVOICE,
  insured,
  late,
  messages,
  organisation,
  sandbox,
  upload,
  user,
  wire
} from "./Rows.ts"

const api = sandbox({ keys: ["sandbox-key", "other-key"] })

beforeEach(() => api.post("/sandbox/reset"))

const create = (policy: string, more: Readonly<Record<string, unknown>> = {}) =>
  api.post("/v1/collections", { policy, ...more })

const ready = async () => {
  const whole = await late(api)
  const collection = (await create(whole.policy.id)).body
  return { ...whole, collection, path: `/v1/collections/${collection.id}` }
}

const conflict = { status: 409, body: detail }

describe("collections", () => {
  test("II 4: POST /v1/collections: 201 collection, prefilled", async () => {
    const { admin, policy } = await late(api)
    const person = (await api.get(`/v1/users/${admin}`)).body
    const { body, status } = await create(policy.id)
    expect(status).toBe(201)
    expect(body).toEqual({
      url: `${api.url}/v1/collections/${body.id}`,
      id: expect.stringMatching(/^coll-/),
      policy: policy.id,
      created: expect.stringMatching(/^2024-05-20T12:/),
      modified: body.created,
      sent: null,
      confirm_correct: false,
      confirmed_correct: null,
      collections_terms_acceptance: false,
      accepted_collections_terms: null,
      collect_fees_from_debtor: false,
      creditor_contact_name: person.name,
      creditor_contact_email: person.email,
      creditor_contact_phone: "",
      debtor_address: "1 Example Street",
      debtor_postcode: "EX1 1EX",
      debtor_city: "Exampleton",
      debtor_country: "GB",
      debtor_contact_name: "",
      debtor_contact_email: "",
      debtor_contact_phone: "",
      debtor_website: "",
      bank_account_name: "",
      bank_account_sortcode: "",
      bank_account_number: "",
      bank_account_email: "",
      actions_taken: "",
      partial_payment: "0.00",
      disputed: false,
      other_invoices: false,
      reasons: "",
      comments: ""
    })
    expect((await api.get(`/v1/policies/${policy.id}`)).body.collection).toBe(body.id)
  })

  test("II 4: GET /v1/collections: a page", async () => {
    const { collection, policy } = await ready()
    const { body } = await api.get("/v1/collections?expand=policy")
    expect([body.count, body.results[0].id, body.results[0].policy.id]).toEqual([1, collection.id, policy.id])
    expect((await api.get("/v1/collections?limit=x")).body).toEqual({ limit: messages })
  })

  test("II 4: GET /v1/collections/<collection_id>: the collection", async () => {
    const { collection, path } = await ready()
    expect((await api.get(path)).body).toEqual(collection)
    expect((await api.get(`${path}/?expand=policy`)).body.policy).toMatchObject({ collection: collection.id })
  })

  test("II 4: PATCH /v1/collections/<collection_id>: writable fields of 2.10", async () => {
    const { collection, path } = await ready()
    const changes = {
      collect_fees_from_debtor: true,
      creditor_contact_phone: "+44 1",
      debtor_country: "France",
      debtor_contact_email: "pays@late.example",
      bank_account_number: "12345678",
      actions_taken: "called twice",
      partial_payment: 12.5,
      disputed: true,
      reasons: "none given"
    }
    const { body, status } = await api.patch(path, changes)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...collection,
      ...changes,
      debtor_country: "FR",
      partial_payment: "12.50",
      modified: expect.any(String)
    })
    expect((await api.patch(path, { reasons: null, partial_payment: null })).body).toMatchObject({
      reasons: "",
      partial_payment: "0.00"
    })
    expect(
      (await api.patch(path, { id: "coll-x", sent: "2024-01-01T00:00:00Z", policy: collection.policy })).body.sent
    ).toBeNull()
  })

  test("II 4: PUT /v1/collections/<collection_id>/send: hands over the request", async () => {
    const { collection, path, policy } = await ready()
    await upload(api, { policy: policy.id, type: "invoice", file: INVOICE })
    const { body, status } = await api.put(`${path}/send/`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...collection, sent: expect.stringMatching(/^2024-05-20T12:/), modified: body.sent })
    expect((await api.get(path)).body).toEqual(body)
  })
})

describe("II 3.4", () => {
  test("II 3.4: 1. Create: only when the policy is late_can_handover (else 409)", async () => {
    await at(api, "2024-03-01")
    const { policy } = await insured(api, { owner: await user(api) })
    for (const [day, status] of [
      [DAYS.active, 409],
      [DAYS.late, 409],
      [DAYS.lapsed, 409],
      [DAYS.late_can_handover, 201]
    ] as const) {
      await at(api, day)
      expect([day, (await create(policy.id)).status]).toEqual([day, status])
    }
    expect(await create(policy.id)).toMatchObject(conflict)
  })

  test("II 3.4: 1. Create: the owning organisation must have at least one admin user", async () => {
    const owner = await organisation(api)
    const { policy } = await late(api, { owner })
    const member = await user(api)
    await api.post(`/v1/organisations/${owner}/users`, { id: member, role: "member" })
    expect(await create(policy.id)).toMatchObject(conflict)
    await api.post(`/v1/organisations/${owner}/users`, { id: member, role: "admin" })
    expect((await create(policy.id)).status).toBe(201)
  })

  test("II 3.4: 2. Update: confirm_correct and collections_terms_acceptance are set here, not at creation", async () => {
    const whole = await late(api)
    const both = { confirm_correct: true, collections_terms_acceptance: true }
    expect(fields(await create(whole.policy.id, both))).toEqual(["collections_terms_acceptance", "confirm_correct"])
    const { id } = (await create(whole.policy.id, { confirm_correct: false, comments: "c" })).body
    await api.post("/sandbox/clock", { advance: "PT1H" })
    const set = (await api.patch(`/v1/collections/${id}`, both)).body
    expect(set).toMatchObject({ ...both, comments: "c", confirmed_correct: expect.stringMatching(/T13:/) })
    expect(set.accepted_collections_terms).toBe(set.confirmed_correct)
    await api.post("/sandbox/clock", { advance: "PT1H" })
    const kept = (await api.patch(`/v1/collections/${id}`, { ...both, comments: "d" })).body
    expect(kept.confirmed_correct).toBe(set.confirmed_correct)
    const taken = (await api.patch(`/v1/collections/${id}`, { confirm_correct: false })).body
    expect([taken.confirm_correct, taken.confirmed_correct]).toEqual([false, null])
  })

  test("II 3.4: 3. Send: afterwards it is not modifiable, and its documents cannot be deleted", async () => {
    const { path, policy } = await ready()
    const document = (await upload(api, { policy: policy.id, file: INVOICE })).body.id
    await api.put(`${path}/send`)
    const before = (await api.get(path)).body
    for (const answer of [
      await api.patch(path, { comments: "late" }),
      await api.put(`${path}/send`),
      await api.remove(`/v1/collectiondocuments/${document}`),
      await upload(api, { policy: policy.id, file: INVOICE })
    ]) {
      expect(answer).toMatchObject(conflict)
    }
    expect((await api.get(path)).body).toEqual(before)
    expect((await api.get("/v1/collectiondocuments")).body.count).toBe(1)
  })

  test("II 4: documents must be attached before sending", async () => {
    const { path, policy } = await ready()
    expect((await api.put(`${path}/send`)).body).toEqual({ non_field_errors: messages })
    const { id } = (await upload(api, { policy: policy.id, file: INVOICE })).body
    await api.remove(`/v1/collectiondocuments/${id}`)
    expect((await api.put(`${path}/send`)).status).toBe(400)
    expect((await api.get(`/v1/policies/${policy.id}`)).body.status).toBe("late_can_handover")
  })
})

describe("documents", () => {
  test("II 4: POST /v1/collectiondocuments: multipart, 201 collection document", async () => {
    const { policy } = await late(api)
    const { body, status } = await upload(api, {
      policy: policy.id,
      type: "invoice",
      description: "the invoice",
      file: INVOICE
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      url: `${api.url}/v1/collectiondocuments/${body.id}`,
      id: expect.stringMatching(/^cdoc-/),
      policy: policy.id,
      type: "invoice",
      description: "the invoice",
      file: expect.stringMatching(/^http.*invoice\.pdf$/)
    })
    const file = await fetch(body.file, { headers: { authorization: "Token sandbox-key" } })
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(await file.text()).toBe(INVOICE.content)
  })

  test("II 2.11: every type, and the other spelling of proof of order, which is sent as the specification's", async () => {
    const { policy } = await late(api)
    const types = ["invoice", "statement", "prood_order", "proof_delivery", "shipping", "correspondence", "other"]
    for (const type of [...types, "proof_order"]) {
      const { body } = await upload(api, { policy: policy.id, type, file: INVOICE })
      expect(body.type).toBe(type === "proof_order" ? "prood_order" : type)
    }
    expect((await upload(api, { policy: policy.id, file: INVOICE })).body).toMatchObject({
      type: "other",
      description: ""
    })
  })

  test("II 4: GET /v1/collectiondocuments: a page, by policy_id", async () => {
    const [a, b] = [await late(api), await late(api)]
    for (const { policy } of [a, b, b]) await upload(api, { policy: policy.id, file: INVOICE })
    expect((await api.get("/v1/collectiondocuments")).body.count).toBe(3)
    const { body } = await api.get(`/v1/collectiondocuments?policy_id=${b.policy.id}&expand=policy&limit=1`)
    expect([body.count, body.results[0].policy.id]).toEqual([2, b.policy.id])
    expect(body.next).toContain(`policy_id=${b.policy.id}`)
    expect((await api.get("/v1/collectiondocuments?policy_id=pol-nobody")).body.count).toBe(0)
  })

  test("II 4: GET /v1/collectiondocuments/<document_id>: the document", async () => {
    const { policy } = await late(api)
    const made = (await upload(api, { policy: policy.id, file: INVOICE })).body
    expect((await api.get(`/v1/collectiondocuments/${made.id}`)).body).toEqual(made)
  })

  test("II 4: DELETE /v1/collectiondocuments/<document_id>: 204, and its file is gone", async () => {
    const { policy } = await late(api)
    const made = (await upload(api, { policy: policy.id, file: INVOICE })).body
    const path = `/v1/collectiondocuments/${made.id}`
    expect((await api.remove(path)).status).toBe(204)
    expect(await api.get(path)).toMatchObject({ status: 404, body: detail })
    expect((await api.get(made.file.slice(api.url.length))).status).toBe(404)
  })

  test("a form that is wrong: 400 with every field", async () => {
    const { policy } = await late(api)
    expect(fields(await upload(api, {}))).toEqual(["file", "policy"])
    expect(fields(await upload(api, { policy: "pol-nobody", file: { ...INVOICE, content: "" } }))).toEqual([
      "file",
      "policy"
    ])
    expect(fields(await upload(api, { policy: policy.id, type: "poem", file: "no file" }))).toEqual(["file", "type"])
    expect(fields(await api.post("/v1/collectiondocuments", { policy: policy.id, type: "invoice" }))).toEqual(["file"])
  })
})

describe("after a collection", () => {
  const moved = (policy: string, body: unknown) => api.put(`/sandbox/policies/${policy}/status`, body)

  test("II 3.3: every status among collections and claims can follow, and stays when time passes", async () => {
    const { path, policy } = await ready()
    await upload(api, { policy: policy.id, type: "invoice", file: INVOICE })
    await api.put(`${path}/send`)
    for (const status of POLICY_STATUSES.filter((one) => !(one in DAYS))) {
      expect((await moved(policy.id, { status })).body).toMatchObject({ id: policy.id, status })
      await api.post("/sandbox/clock", { advance: "P1D" })
      const read = (await api.get(`/v1/policies/${policy.id}`)).body
      expect([read.status, "recovered_amount" in read]).toEqual([status, false])
    }
  })

  test("an amount that was recovered is stated from then on", async () => {
    const { policy } = await ready()
    expect((await moved(policy.id, { status: "recovery_installments", recovered: "100" })).body.recovered_amount).toBe(
      "100.00"
    )
    await moved(policy.id, { status: "recovery_complete" })
    const { collection, recovered_amount, status } = (await api.get(`/v1/policies/${policy.id}`)).body
    expect([status, recovered_amount, collection]).toEqual(["recovery_complete", "100.00", expect.any(String)])
  })

  test("a status that is none, an amount that is none and a policy that is none are refused", async () => {
    const { policy } = await ready()
    expect(fields(await moved(policy.id, { status: "won" }))).toEqual(["status"])
    expect(fields(await moved(policy.id, { recovered: -1 }))).toEqual(["recovered", "status"])
    expect((await moved("pol-nobody", { status: "other" })).status).toBe(404)
  })

  test("II 2.2: exposure lasts until the policy has ended", async () => {
    const { policy, transaction } = await ready()
    const inUse = async () =>
      (await api.post(`/v1/credit_limits/debtor/company/${transaction.debtor}/`)).body.current_insured_amount
    for (const [status, amount] of [
      ["under_collection", "900.00"],
      ["claim_submitted", "900.00"],
      ["recovery_complete", "0.00"]
    ]) {
      await moved(policy.id, { status })
      expect([status, await inUse()]).toEqual([status, amount])
    }
  })
})

test("DP 5: another key sees none of it", async () => {
  const { path, policy } = await ready()
  const document = (await upload(api, { policy: policy.id, file: INVOICE })).body
  const trader = { unique_id: "t", trading_name: "T", proprietor_name: "P", proprietor_address_country: "GB" }
  const { body } = await api.post("/v1/soletraders", { ...trader, owner: await user(api) })
  const stranger = wire(() => api.url, "other-key")
  for (const one of [
    path,
    `/v1/collectiondocuments/${document.id}`,
    document.file.slice(api.url.length),
    `/documents/${policy.id}/policy.pdf`,
    `/v1/soletraders/${body.soletrader_id}`,
    `/v1/companies/${body.id}`
  ]) {
    expect([one, (await api.get(one)).status, (await stranger.get(one)).status]).toEqual([one, 200, 404])
  }
  for (const list of ["collections", "collectiondocuments", "soletraders"]) {
    expect([list, (await stranger.get(`/v1/${list}`)).body.count]).toEqual([list, 0])
  }
  expect((await stranger.post("/v1/scores", { company: body.id })).body).toEqual({ company: messages })
  expect((await stranger.post("/v1/collections", { policy: policy.id })).body).toEqual({ policy: messages })
  expect((await stranger.patch(path, {})).status).toBe(404)
  const mine = await stranger.post("/v1/soletraders", { ...trader, owner: await user(stranger) })
  expect(mine.status).toBe(201)
})
