/**
 * One sandbox, two interfaces: what each speaks, what its OpenAPI document says of that, and that orders and keys outlive
 * the process that took them.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { startSandbox } from "../../../core/sandbox/index.ts"
import { payment, send } from "./Ordering.ts"
import { call, type Json, sandbox, wire } from "./Wire.ts"

const spoken = {
  both: sandbox(),
  "deferred-payment": sandbox({ interface: "deferred-payment" }),
  insurance: sandbox({ interface: "insurance" })
}

const PATHS = {
  shared: ["/v1/organisations", "/v1/users", "/v1/soletraders", "/v1/me", "/v1/countries/debtor"],
  "deferred-payment": ["/v1/payment/orders", "/v1/payment/orders/order-x"],
  insurance: ["/v1/transactions", "/v1/quotes", "/v1/policies", "/v1/collections"]
}

describe("--interface", () => {
  test.each(Object.entries(spoken))(
    "%s answers its own paths and the shared ones, and documents them",
    async (name, api) => {
      const { body: document } = await call(`${api.url}/openapi.json`, "GET")
      expect([document.openapi, document.servers]).toEqual([expect.stringMatching(/^3\.1/), [{ url: api.url }]])
      const documented = Object.keys(document.paths).map((path) => path.replace(/\/$/, ""))
      for (const [kind, paths] of Object.entries(PATHS)) {
        for (const path of paths) {
          const there = kind === "shared" || name === "both" || name === kind
          const { body, status } = await api.get(path)
          expect([path, body.detail === "Not found." && status === 404]).toEqual([path, !there || path.endsWith("-x")])
          if (!path.endsWith("-x")) expect([path, documented.includes(path)]).toEqual([path, there])
        }
      }
      expect(await (await fetch(`${api.url}/docs`)).text()).toMatch(/<html/)
    }
  )

  test("every documented operation of deferred payment has an identifier of its own, and its references lead somewhere", async () => {
    const { body: document } = await call(`${spoken.both.url}/openapi.json`, "GET")
    const ids: Array<string> = []
    const references: Array<string> = []
    JSON.stringify(document, (name, value) => {
      if (name === "operationId") ids.push(value)
      if (name === "$ref") references.push(value)
      return value
    })
    expect(new Set(ids).size).toBe(ids.length)
    for (const reference of references) {
      const parts = reference.slice(2).split("/")
      expect([reference, parts.reduce<Json>((at, part) => at?.[part], document)]).not.toEqual([reference, undefined])
    }
    const capture = document.paths["/v1/payment/deferred_payments/{deferred_payment_id}/capture"].post
    expect(capture.parameters.map((one: Json) => one.name)).toContain("idempotency-key")
    expect(Object.keys(capture.responses)).toEqual(expect.arrayContaining(["201", "400", "401", "404", "409", "429"]))
  })
})

describe("--state", () => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  test("orders, payments and idempotency keys are there after a restart", async () => {
    const options = { port: 0, state: join(folder, "sandbox.db") }
    const before = await startSandbox(options)
    const api = wire(() => before.url)
    const paid = await payment(api)
    const path = `/v1/payment/deferred_payments/${paid.id}`
    const key = { "idempotency-key": "k-1" }
    const first = await send(`${before.url}${path}/capture`, "POST", { amount: 700 }, key)
    await before.close()

    const after = await startSandbox(options)
    const again = wire(() => after.url)
    const repeated = await send(`${after.url}${path}/capture`, "POST", { amount: 700 }, key)
    expect([repeated.status, repeated.body]).toEqual([201, first.body])
    expect((await again.get(path)).body).toMatchObject({ protected_captures: 700, status: "part_fulfilled" })
    expect((await again.get(`/v1/payment/orders/${paid.order}?expand=payment_offer`)).body).toMatchObject({
      deferred_payment: paid.id,
      payment_offer: { order: paid.order }
    })
    expect((await again.get("/v1/payment/orders/")).body.count).toBe(1)
    const next = await payment(again)
    expect(next.id).not.toBe(paid.id)
    await after.close()
  })
})
