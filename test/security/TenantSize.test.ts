/** A tenant's configuration, which somebody else may have written, cannot keep the daemon of all tenants busy by its size. */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { load } from "../../sync/library/config/ConfigFile.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import { remove } from "../support/Built.ts"
import { atEnd } from "../support/AtEnd.ts"

const OWNER = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
const KB = 1024

let home = ""

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "daybook-size-"))
  atEnd(() => remove(home))
  mkdirSync(join(home, "acme"))
})

const text = (connections: unknown) =>
  JSON.stringify({ service: { url: "https://pay.example.com", key: { env: "SERVICE_KEY" } }, connections })

const stripes = (n: number, one: (n: number) => object = () => ({})) =>
  Array.from({ length: n }, (_, i) => ({
    ...{ id: `c${i}`, owner: OWNER, source: { connector: "stripe", key: { env: "STRIPE" } } },
    ...one(i)
  }))

/** What is wrong with it, and how much processor time it took to say so. Milliseconds. */
const wrong = async (written: string, name = "daybook.config.json") => {
  writeFileSync(join(home, "acme", name), written)
  const before = process.threadCpuUsage()
  const done = await Effect.runPromise(Effect.result(tenantIn(join(home, "acme"), "acme").read))
  const { system, user } = process.threadCpuUsage(before)
  return { why: done._tag === "Failure" ? done.failure.message : "", ms: (system + user) / 1000 }
}

describe("a tenant's configuration", () => {
  it("of many connections, or of many kilobytes, is refused before it is looked at", async () => {
    const many = await wrong(text(stripes(1000, () => ({ owner: undefined, source: { connector: "x" } }))))
    assert.include(many.why, "connections: a tenant may have 200; these are 1,000")
    const large = await wrong(text(stripes(1, () => ({ scope: "x".repeat(257 * KB) }))))
    assert.match(large.why, /it has 25\d KB; a tenant's may have 256 KB/)
    for (const { ms } of [many, large]) assert.isBelow(ms, 250)
  })

  it("is held to that together with the connections that were made by links", async () => {
    writeFileSync(join(home, "acme", "daybook.connections.json"), JSON.stringify({ connections: stripes(150) }))
    assert.include((await wrong(text(stripes(51)))).why, "a tenant may have 200; these are 201")
    writeFileSync(join(home, "acme", "daybook.connections.json"), " ".repeat(257 * KB))
    assert.include((await wrong(text(stripes(1)))).why, "a tenant's may have 256 KB")
  })

  it("with its own variables, of which there are too many, is refused", async () => {
    writeFileSync(join(home, "acme", ".env"), "A=1\n".repeat(70 * KB))
    assert.include((await wrong(text(stripes(1)))).why, "a tenant's may have 256 KB")
  })

  it("of the largest size with nothing but mistakes is told in some of them, soon", async () => {
    const members = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`conector${i}`, 1]))
    await wrong(text(stripes(1)))
    const all = [
      text(stripes(200, (n) => ({ owner: undefined, source: { connector: `strip${n}` } }))),
      text(stripes(1, () => members(13_000))),
      text(stripes(1, () => ({ source: { connector: "stripe", ...members(13_000) } }))),
      text(stripes(200, () => members(50))),
      JSON.stringify(JSON.parse(text(stripes(200, () => members(35)))), null, 1),
      text(`${"[".repeat(100 * KB)}`).replace(/"(\[+)"/, (_, open: string) => open + "]".repeat(open.length))
    ]
    for (const one of all) {
      const { ms, why } = await wrong(one)
      assert.isBelow(why.length, 30_000)
      assert.isBelow(ms, 2000, `${one.slice(0, 200)}: ${why.slice(0, 200)}`)
    }
  })

  it("is not held to it where it is the operator's own", async () => {
    writeFileSync(join(home, "acme", "daybook.config.json"), text(stripes(201)))
    const read = await Effect.runPromise(load(join(home, "acme", "daybook.config.json")))
    assert.lengthOf(read.connections, 201)
  })
})
