/**
 * The control interface of the sandbox, row by row: reset, clock, companies and decisions, the journal, webhooks, and
 * a state file that outlives the process. Faults have a file of their own.
 */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { startSandbox, type WebhookTarget } from "../../../core/sandbox/index.ts"
import { publicKeyOf } from "../../../core/sandbox/server/PublicKeys.ts"
import { RETRIES_MS } from "../../../core/sandbox/server/Webhooks.ts"
import { call, companies, insured, invoice, type Json, KEY, organisation, sandbox, wire } from "./Wire.ts"

const api = sandbox()

describe("POST /sandbox/reset", () => {
  test("forgets everything but the built-in directory; 204", async () => {
    const built = (await api.get("/sandbox/companies")).body
    await api.post("/sandbox/companies", { name: "Added Ltd", country: "GB" })
    await api.put("/sandbox/companies/co-1000/decision", { code: "buyer-limit" })
    await insured(api, { creditor: "co-1002" })
    await api.post("/sandbox/clock", { advance: "P1Y" })
    await api.post("/sandbox/faults", { kind: "status", status: 503 })
    const answer = await api.post("/sandbox/reset")
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await api.get("/sandbox/companies")).body).toEqual(built)
    for (const list of ["transactions", "quotes", "policies", "organisations", "users"]) {
      expect([list, (await api.get(`/v1/${list}`)).body?.count]).toEqual([list, 0])
    }
    expect(Math.abs(Date.parse((await api.get("/sandbox/clock")).body.now) - Date.now())).toBeLessThan(5000)
  })

  test("needs no key", async () => {
    expect((await call(`${api.url}/sandbox/reset`, "POST", undefined, null)).status).toBe(204)
  })
})

describe("a guarded sandbox", () => {
  test("lets nobody without one of its keys at its control interface", async () => {
    const { close, url } = await startSandbox({ port: 0, keys: [KEY], guarded: true })
    try {
      for (const [method, path] of [
        ["GET", "requests"],
        ["GET", "webhooks"],
        ["GET", "companies"],
        ["GET", "clock"],
        ["POST", "reset"],
        ["POST", "clock"],
        ["POST", "faults"],
        ["DELETE", "faults"],
        ["PUT", "policies/x/status"],
        ["GET", "nothing"]
      ] as const)
        for (const key of [null, "Token another-key", `Bearer ${publicKeyOf(KEY)}`])
          expect([path, (await call(`${url}/sandbox/${path}`, method, undefined, key)).status]).toEqual([path, 401])
      expect((await call(`${url}/sandbox/requests`, "GET")).status).toBe(200)
    } finally {
      await close()
    }
  })
})

describe("GET, POST /sandbox/clock", () => {
  const now = async () => Date.parse((await api.get("/sandbox/clock")).body.now)
  const near = async (instant: string) => expect(Math.abs((await now()) - Date.parse(instant))).toBeLessThan(2000)

  test("set and advance", async () => {
    const set = await api.post("/sandbox/clock", { set: "2024-01-31T10:00:00Z" })
    expect(set.status).toBe(200)
    expect(set.body.now).toMatch(/^2024-01-31T10:00:0/)
    for (const [advance, then] of [
      ["P1D", "2024-02-01T10:00:00Z"],
      ["P31D", "2024-03-03T10:00:00Z"],
      ["P1W", "2024-03-10T10:00:00Z"],
      ["PT90M", "2024-03-10T11:30:00Z"],
      ["P1M", "2024-04-10T11:30:00Z"],
      ["P1Y2M3DT4H5M6S", "2025-06-13T15:35:06Z"]
    ]) {
      expect((await api.post("/sandbox/clock", { advance })).status).toBe(200)
      await near(then!)
    }
    expect((await api.post("/v1/transactions", { owner: await organisation(api) })).status).toBe(201)
  })

  test("anything else is 400 and moves nothing", async () => {
    await api.post("/sandbox/clock", { set: "2024-01-31T10:00:00Z" })
    for (const body of [
      {},
      null,
      [],
      7,
      "text",
      "{",
      { set: "soon" },
      { set: 7 },
      { advance: "a day" },
      { advance: "P" },
      { advance: "PT" },
      { advance: "P1DT" },
      { advance: "P99999999Y" },
      { advance: `P${"9".repeat(400)}D` },
      { set: "+275760-09-13T00:00:00Z" }
    ]) {
      const answer = await api.post("/sandbox/clock", body === "text" ? '"text"' : body)
      expect([body, answer.status]).toEqual([body, 400])
    }
    await near("2024-01-31T10:00:00Z")
  })
})

describe("/sandbox/companies", () => {
  test("GET: the directory; POST: adds one, searchable, with its decision; PUT decision: followed from now on", async () => {
    await api.post("/sandbox/reset")
    for (const one of (await api.get("/sandbox/companies")).body) {
      expect(Object.keys(one).toSorted()).toEqual(["country", "decision", "id", "name", "reg_number", "vat_number"])
    }
    const decision = { code: "buyer-high-risk-long-term", params: { max_term: 30 } }
    const company = { name: "Überlandwerk Süd", country: "DE", reg_number: "HRB 77", vat_number: "DE77", decision }
    const added = await api.post("/sandbox/companies", company)
    expect(added.status).toBe(201)
    const { id } = added.body
    expect((await api.get("/sandbox/companies")).body).toContainEqual({ id, ...company })
    expect((await api.post("/v1/companies/search", { country: "DE", name: "uberlandwerk" })).body.matches[0].id).toBe(
      id
    )
    expect((await api.get(`/v1/companies/${id}`)).body).toMatchObject({ id, name: company.name, country: "DE" })
    const quote = async () =>
      (await api.post("/v1/quotes", { transaction: (await invoice(api, { debtor: id })).id })).body
    expect((await quote()).rejection_reason).toMatchObject(decision)
    const changed = await api.put(`/sandbox/companies/${id}/decision`, { code: "buyer-limit", params: {} })
    expect(changed.status).toBe(200)
    expect((await quote()).rejection_reason.code).toBe("buyer-limit")
    expect((await api.put(`/sandbox/companies/${id}/decision`, "null")).status).toBe(200)
    expect((await quote()).status).toBe("offered")
  })

  test("what is wrong is named; an unknown company is 404", async () => {
    const wrong = await api.post("/sandbox/companies", { country: "Atlantis", decision: "no" })
    expect([wrong.status, Object.keys(wrong.body).toSorted()]).toEqual([400, ["country", "decision", "name"]])
    for (const body of [null, [], "7", "{"]) expect((await api.post("/sandbox/companies", body)).status).toBe(400)
    expect((await api.put("/sandbox/companies/co-nobody/decision", "null")).status).toBe(404)
    for (const body of ["7", "{}", "[]", "{"]) {
      expect((await api.put("/sandbox/companies/co-1000/decision", body)).status).toBe(400)
    }
    expect((await api.get("/sandbox/nothing")).status).toBe(404)
  })
})

test("GET /sandbox/requests?since=N: the journal, without the control interface itself", async () => {
  await api.post("/sandbox/reset")
  const owner = await organisation(api)
  await api.post("/v1/transactions", { owner: "org-nobody" })
  await call(`${api.url}/v1/me`, "GET", undefined, null)
  await fetch(`${api.url}/v1/organisations/${owner}`, {
    method: "DELETE",
    headers: { authorization: `Token ${KEY}`, "idempotency-key": "once" }
  })
  const { body } = await api.get("/sandbox/requests")
  const last: Json = body.at(-1)
  expect(body.map(({ key, method, path, status }: Json) => [method, path, status, key])).toEqual([
    ["POST", "/v1/organisations", 201, KEY],
    ["POST", "/v1/transactions", 400, KEY],
    ["GET", "/v1/me", 401, null],
    ["DELETE", `/v1/organisations/${owner}`, 204, KEY]
  ])
  expect(body.map(({ acted }: Json) => acted)).toEqual([true, false, false, true])
  expect(last.idempotency_key).toBe("once")
  expect(Object.keys(last).toSorted()).toEqual(
    ["acted", "at", "idempotency_key", "key", "method", "n", "path", "status"].toSorted()
  )
  expect((await api.get(`/sandbox/requests?since=${last.n - 2}`)).body).toEqual(body.slice(2))
  expect((await api.get(`/sandbox/requests?since=${last.n}`)).body).toEqual([])
  for (const since of ["x", "-1", "1.5"]) expect((await api.get(`/sandbox/requests?since=${since}`)).status).toBe(400)
})

describe("webhooks (II 6)", () => {
  const open: Array<() => unknown> = []
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  /** A platform's own address, which answers with each of `statuses` in turn and then 204. */
  const receiver = async (...statuses: ReadonlyArray<number>) => {
    const received: Array<{ readonly at: number; readonly authorization: string | undefined; readonly body: Json }> = []
    const server: Server = createServer(async (request, response) => {
      let text = ""
      for await (const chunk of request) text += chunk
      const { authorization } = request.headers
      received.push({ at: Date.now(), authorization, body: JSON.parse(text) })
      response.writeHead(statuses[received.length - 1] ?? 204).end()
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    open.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const until = async (n: number) => {
      const end = Date.now() + 9000
      while (received.length < n && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(received.length).toBeGreaterThanOrEqual(n)
      return received
    }
    return { url, received, until }
  }

  const platform = async (webhook: WebhookTarget) => {
    const started = await startSandbox({ port: 0, webhook, clock: "2024-03-01T09:00:00Z" })
    open.push(started.close)
    return wire(() => started.url)
  }

  test("the transaction with policy and quote expanded, and the agreed Authorization", async () => {
    const { until, url } = await receiver()
    const mine = await platform({ url, authorization: "as agreed" })
    const { policy, quote, transaction } = await insured(mine)
    const received = await until(3)
    expect(received.every(({ authorization }) => authorization === "as agreed")).toBe(true)
    expect(received.every(({ body }) => body.id === transaction.id)).toBe(true)
    const last = received.find(({ body }) => body.policy !== null)!.body
    expect(last.policy).toMatchObject({ id: policy.id, documents: policy.documents, status: "active" })
    expect(last.quote).toMatchObject({ id: quote.id, status: "accepted" })
    const { buyer } = await companies(mine)
    expect(last.quote.client).toMatchObject({ id: buyer.id, name: buyer.name })
    const { body } = await mine.get("/sandbox/webhooks")
    expect(body.map((one: Json) => [one.url, one.attempt, one.status])).toEqual(received.map(() => [url, 1, 204]))
    expect(Object.keys(body[0]).toSorted()).toEqual(["at", "attempt", "n", "status", "url"])
  })

  test("no Authorization unless agreed; nothing is sent for reads and refusals", async () => {
    const { received, until, url } = await receiver()
    const mine = await platform({ url })
    const { id } = await invoice(mine)
    await until(1)
    await mine.get(`/v1/transactions/${id}`)
    await mine.patch(`/v1/transactions/${id}`, { due_date: "soon" })
    await mine.post(`/v1/transactions/${id}/payments/`, { date: "2024-03-05", amount: "1" })
    await until(2)
    expect(received).toHaveLength(2)
    expect(received.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
    expect(received[1]!.body.payments).toHaveLength(1)
  })

  test("without a 2xx: three retries, after 0, 2 and 4 seconds", async () => {
    expect(RETRIES_MS).toEqual([0, 2000, 4000])
    const { until, url } = await receiver(500, 302, 404)
    // The same at a hundredth of the pace.
    const retries = RETRIES_MS.map((wait) => wait / 100)
    const mine = await platform({ url, retries })
    await invoice(mine)
    const times = (await until(4)).map(({ at }) => at)
    for (const [i, wait] of retries.entries()) expect(times[i + 1]! - times[i]!).toBeGreaterThanOrEqual(wait - 1)
    const { body } = await mine.get("/sandbox/webhooks")
    expect(body.map(({ attempt, status }: Json) => [attempt, status]).slice(0, 3)).toEqual([
      [1, 500],
      [2, 302],
      [3, 404]
    ])
  })
})

describe("--state FILE", () => {
  test("survives a restart: objects, their order and their links, added companies and decisions", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
    const state = join(folder, "state.db")
    try {
      const first = await startSandbox({ port: 0, state })
      const before = wire(() => first.url)
      await before.put("/sandbox/companies/co-1002/decision", { code: "buyer-limit", params: {} })
      const added = (await before.post("/sandbox/companies", { name: "Added Ltd", country: "GB" })).body.id
      const { policy, quote, transaction } = await insured(before, { debtor: added })
      await before.post(`/v1/transactions/${transaction.id}/payments/`, { date: "2024-03-05", amount: "10" })
      const removed = (await invoice(before)).id
      await before.remove(`/v1/transactions/${removed}`)
      const directory = (await before.get("/sandbox/companies")).body
      const [old, now] = [first.url, () => second.url]
      const read = async (mine: typeof before) =>
        Promise.all(
          ["/v1/transactions", `/v1/quotes/${quote.id}`, `/v1/policies/${policy.id}`, "/v1/organisations"].map(
            async (path) => (await mine.get(path)).body
          )
        )
      const kept = await read(before)
      await first.close()
      const second = await startSandbox({ port: 0, state })
      const after = wire(now)
      try {
        expect(JSON.parse(JSON.stringify(await read(after)).replaceAll(second.url, old))).toEqual(kept)
        expect((await after.get(`/v1/transactions/${removed}`)).status).toBe(404)
        expect((await after.get("/sandbox/companies")).body).toEqual(directory)
        expect((await invoice(after)).id).not.toBe(removed)
        await after.post("/sandbox/reset")
      } finally {
        await second.close()
      }
      const third = await startSandbox({ port: 0, state })
      expect((await wire(() => third.url).get("/v1/transactions")).body.count).toBe(0)
      await third.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
