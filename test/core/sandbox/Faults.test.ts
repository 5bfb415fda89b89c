/**
 * What can be made to go wrong on purpose (POST and DELETE /sandbox/faults): six kinds, and which requests they strike.
 * `acted` is what the service itself then knows, read without the fault.
 */
import { beforeEach, describe, expect, test } from "vitest"
import { call, KEY, organisation, sandbox } from "./Wire.ts"

const api = sandbox()
let owner = ""

beforeEach(async () => {
  await api.post("/sandbox/reset")
  owner = await organisation(api)
})

const fault = async (body: unknown) => {
  const answer = await api.post("/sandbox/faults", body)
  expect([answer.status, answer.body]).toEqual([201, { id: expect.any(String) }])
}
const attempt = (unique_id: string) => api.post("/v1/transactions", { owner, unique_id })
/** What the service knows of it. */
const known = async (unique_id: string): Promise<number> => {
  await api.remove("/sandbox/faults")
  return (await api.get(`/v1/transactions?unique_id=${unique_id}`)).body.count
}
const last = async () => (await api.get("/sandbox/requests")).body.at(-1)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe("kinds", () => {
  test("status: answers the status instead of acting, with Retry-After", async () => {
    await fault({ kind: "status", status: 429, retry_after: 60 })
    const { body, headers, status } = await attempt("a")
    expect([status, headers.get("retry-after"), body]).toEqual([429, "60", { detail: expect.any(String) }])
    expect(await last()).toMatchObject({ status: 429, acted: false })
    expect(await known("a")).toBe(0)
  })

  test("status: without retry_after there is no such header", async () => {
    await fault({ kind: "status", status: 503, times: 1 })
    expect((await attempt("a")).headers.get("retry-after")).toBeNull()
  })

  test.each([204, 304])("status: %i has no body and is not waited for", async (status) => {
    await fault({ kind: "status", status, times: 1 })
    const answer = await attempt("a")
    expect([answer.status, answer.body]).toEqual([status, undefined])
    expect((await api.get("/v1/me")).status).toBe(200)
  })

  test("lose_response: acts, then cuts the connection", async () => {
    await fault({ kind: "lose_response" })
    await expect(attempt("b")).rejects.toThrow()
    expect(await last()).toMatchObject({ path: "/v1/transactions", status: null, acted: true })
    expect(await known("b")).toBe(1)
  })

  test("lose_request: cuts before acting", async () => {
    await fault({ kind: "lose_request" })
    await expect(attempt("c")).rejects.toThrow()
    expect(await last()).toMatchObject({ path: "/v1/transactions", status: null, acted: false })
    expect(await known("c")).toBe(0)
  })

  test("delay: acts and answers, after delay_ms", async () => {
    await fault({ kind: "delay", delay_ms: 300 })
    const begun = Date.now()
    expect((await attempt("d")).status).toBe(201)
    expect(Date.now() - begun).toBeGreaterThanOrEqual(290)
    expect(await known("d")).toBe(1)
  })

  test("garble: acts, answers truncated JSON", async () => {
    await fault({ kind: "garble" })
    const answer = await fetch(`${api.url}/v1/transactions`, {
      method: "POST",
      headers: { authorization: `Token ${KEY}` },
      body: JSON.stringify({ owner, unique_id: "e" })
    })
    const text = await answer.text()
    expect([answer.status, text.startsWith("{"), text.includes("trns-")]).toEqual([201, true, true])
    expect(() => JSON.parse(text)).toThrow()
    expect(await last()).toMatchObject({ acted: true })
    expect(await known("e")).toBe(1)
  })

  test("late: cuts, then acts after delay_ms", async () => {
    await fault({ kind: "late", delay_ms: 300 })
    await expect(attempt("f")).rejects.toThrow()
    expect(await known("f")).toBe(0)
    await wait(400)
    expect(await known("f")).toBe(1)
    expect((await api.get("/sandbox/requests")).body).toContainEqual(
      expect.objectContaining({ method: "POST", path: "/v1/transactions", status: null, acted: true })
    )
  })
})

describe("which requests it strikes", () => {
  const struck = async (method: string, path: string, body?: unknown) =>
    (await call(api.url + path, method, body)).status === 503

  test("skip requests pass, then times are struck, then it is over", async () => {
    await fault({ kind: "status", status: 503, skip: 2, times: 3 })
    const seen: Array<boolean> = []
    for (let i = 0; i < 7; i++) seen.push(await struck("GET", "/v1/me"))
    expect(seen).toEqual([false, false, true, true, true, false, false])
  })

  test("without times it strikes for ever; DELETE ends it", async () => {
    await fault({ kind: "status", status: 503 })
    for (let i = 0; i < 5; i++) expect(await struck("GET", "/v1/me")).toBe(true)
    expect((await api.remove("/sandbox/faults")).status).toBe(204)
    expect(await struck("GET", "/v1/me")).toBe(false)
  })

  test("method and path, which is a prefix", async () => {
    await fault({ kind: "status", status: 503, method: "POST", path: "/v1/transactions" })
    expect(await struck("GET", "/v1/transactions")).toBe(false)
    expect(await struck("POST", "/v1/quotes", {})).toBe(false)
    expect(await struck("POST", "/v1/transactions", { owner })).toBe(true)
    expect(await struck("POST", "/v1/transactions/x/payments/", {})).toBe(true)
  })

  test("requests that do not fit are not counted by skip and times", async () => {
    await fault({ kind: "status", status: 503, path: "/v1/quotes", skip: 1, times: 1 })
    for (let i = 0; i < 3; i++) expect(await struck("GET", "/v1/me")).toBe(false)
    expect([await struck("GET", "/v1/quotes"), await struck("GET", "/v1/quotes")]).toEqual([false, true])
    expect(await struck("GET", "/v1/quotes")).toBe(false)
  })

  test("the control interface is never struck", async () => {
    await fault({ kind: "lose_request" })
    expect((await api.get("/sandbox/clock")).status).toBe(200)
    expect((await api.remove("/sandbox/faults")).status).toBe(204)
  })

  test("several faults: one after another", async () => {
    await fault({ kind: "status", status: 503, times: 1 })
    await fault({ kind: "status", status: 500, times: 1 })
    const seen: Array<number> = []
    for (let i = 0; i < 3; i++) seen.push((await api.get("/v1/me")).status)
    expect(seen).toEqual([503, 500, 200])
  })
})

test("a hostile body that is held back does not end the sandbox", async () => {
  await fault({ kind: "late", delay_ms: 10, times: 1 })
  const deep = `{"owner":"${owner}","metadata":${'{"a":'.repeat(9000)}1${"}".repeat(9002)}`
  await expect(api.post("/v1/transactions", deep)).rejects.toThrow()
  await fault({ kind: "delay", delay_ms: 10, times: 1 })
  expect((await api.post("/v1/transactions", deep)).status).toBe(400)
  await wait(50)
  expect((await api.get("/v1/transactions")).body.count).toBe(0)
})

test("a fault that makes no sense is 400 and strikes nothing", async () => {
  for (const body of [
    {},
    null,
    [],
    '"status"',
    "{",
    { kind: "earthquake" },
    { kind: "status" },
    { kind: "status", status: 7 },
    { kind: "status", status: 503.5 },
    { kind: "status", status: "503" },
    { kind: "delay", delay_ms: -1 },
    { kind: "delay", skip: "one" },
    { kind: "delay", times: 1.5 },
    { kind: "delay", path: 7 },
    { kind: "delay", method: ["GET"] }
  ]) {
    const answer = await api.post("/sandbox/faults", body)
    expect([body, answer.status]).toEqual([body, 400])
  }
  expect((await api.get("/v1/me")).status).toBe(200)
})
