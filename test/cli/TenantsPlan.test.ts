/**
 * `daybook tenants plan` and `daybook tenants change`: other settings planned over all tenants of a folder, in which ways they differ,
 * and the change made for a group of them, which ends at the first tenant that differs too much.
 *
 * Fails where `Ways` counts a tenant twice, where `change` writes before it has planned, or where either writes a state file.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Daybook } from "../../sync/library/Daybook.ts"
import { overlaid, settingsChanged } from "../../sync/library/config/Overlay.ts"
import {
  configuration,
  desk,
  type Desk,
  failed,
  INVOICES,
  KEY,
  lines,
  ofType,
  PAYMENTS,
  service,
  useCommand
} from "../support/Cli.ts"

useCommand()

/** INV-1 of March 1st is in these books; without it a later scope changes nothing. */
const LATER = INVOICES.replace(
  "INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01",
  "INV-1,Harbour Lane Bakery Ltd,GB,2026-03-05"
)

const tenant = (here: Desk, name: string, url: string, invoices: string, more: object = {}) => {
  const { connections, service } = configuration(url)
  const owner = { organisation: { ...connections[0]!.owner.organisation, unique_id: name } }
  const config = { service, connections: [{ ...connections[0]!, owner, ...more }] }
  here.write(`tenants/${name}/daybook.config.json`, `${JSON.stringify(config, null, 2)}\n`)
  here.write(`tenants/${name}/.env`, `SERVICE_KEY=${KEY}\n`)
  here.write(`tenants/${name}/invoices.csv`, invoices)
  here.write(`tenants/${name}/payments.csv`, PAYMENTS)
}

const configOf = (here: Desk, name: string) => readFileSync(here.path(`tenants/${name}/daybook.config.json`), "utf8")

const SCOPE = { connections: [{ source: { connector: "files" }, scope: { issued_after: "2026-03-02" } }] }

/** Everything in the tenants' folders, as bytes. */
const bytes = (here: Desk) =>
  readdirSync(here.path("tenants"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map(({ name, parentPath }) => [name, readFileSync(`${parentPath}/${name}`)] as const)
    .filter(([, content]) => content.length > 0)
    .map(([name, content]) => `${name} ${createHash("sha256").update(content).digest("hex")}`)
    .toSorted()

/** Two tenants that a later scope changes, one that it does not, one with another connector's settings, one without books. */
const fleet = async () => {
  const there = await service()
  const here = desk({ "change.json": JSON.stringify(SCOPE), "copies/.keep": "" })
  tenant(here, "acme", there.url, INVOICES)
  tenant(here, "calm", there.url, LATER)
  tenant(here, "globex", there.url, INVOICES)
  tenant(here, "scoped", there.url, INVOICES, { scope: { issued_after: "2026-03-02", drafts: false } })
  for (const name of ["acme", "calm", "globex", "scoped"]) {
    const ran = await here.run(
      "pull",
      "--config",
      `tenants/${name}/daybook.config.json`,
      "--state",
      `tenants/${name}/daybook.db`
    )
    assert.include([0, 3], ran.status, ran.stderr)
  }
  return { here, there }
}

describe("daybook tenants plan and change", { timeout: 120_000 }, () => {
  let here: Desk
  let there: Awaited<ReturnType<typeof service>>
  beforeAll(async () => void ({ here, there } = await fleet()), 120_000)

  it("groups the tenants by the ways in which they differ; writes nothing and asks nobody", async () => {
    const [before, asked] = [bytes(here), await there.control("GET", "requests?since=0")]
    const ran = await here.runWith(
      { env: { TMPDIR: here.path("copies") } },
      "tenants",
      "plan",
      "--with",
      "change.json",
      "--json",
      "--detailed-exitcode"
    )
    assert.strictEqual(ran.status, 6, ran.stderr)
    assert.deepStrictEqual(
      ofType(ran, "tenant").map(({ outcome, tenant }) => `${tenant} ${outcome}`),
      ["acme differs", "calm same", "globex differs", "scoped untouched"]
    )
    const { example, ...way } = ofType(ran, "way")[0] as { readonly example: { readonly why: string } }
    assert.deepStrictEqual(way as object, {
      ...{ type: "way", change: "only today", what: "calls", rule: "T1", fields: [], tenants: 2, documents: 2 },
      // Each invoice and its payment.
      amounts: { today: { GBP: "480.00" }, other: {} }
    })
    assert.include(JSON.stringify(example), "acme")
    assert.include(JSON.stringify(example), "books/invoice/INV-1")
    assert.deepStrictEqual(ofType(ran, "summary"), [
      { type: "summary", ways: 1, asOf: null, same: 2, untouched: 1, differ: 2, failed: 0, partly: 0, tenants: 4 }
    ])
    assert.deepStrictEqual(bytes(here), before)
    assert.deepStrictEqual(await there.control("GET", "requests?since=0"), asked)
    assert.deepStrictEqual(readdirSync(here.path("copies")), [".keep"])
    const text = await here.run("tenants", "plan", "--with", "change.json")
    assert.include(
      text.stdout,
      "4 tenants under the other settings: 2 the same (1 of them have nothing that it changes), 2 differ in one way."
    )
  })

  it("says the same as `plan --with` of each tenant under the whole configuration", async () => {
    const other = overlaid(JSON.parse(configOf(here, "acme")), SCOPE)
    here.write("tenants/acme/other.json", JSON.stringify(other))
    const own = await here.run(
      "plan",
      "--config",
      "tenants/acme/daybook.config.json",
      "--state",
      "tenants/acme/daybook.db",
      "--with",
      "tenants/acme/other.json",
      "--json"
    )
    const fleets = await here.run("tenants", "plan", "--with", "change.json", "--json", "acme")
    assert.deepInclude(ofType(fleets, "tenant")[0], {
      differ: ofType(own, "document").length,
      same: ofType(own, "summary")[0]?.["same"]
    })
    assert.deepStrictEqual(
      ofType(fleets, "way").map(({ amounts }) => amounts),
      ofType(own, "document").map(({ amounts }) => amounts)
    )
  })

  it("names a tenant that cannot be planned, with why, and plans the others", async () => {
    const broken = desk({ "change.json": JSON.stringify(SCOPE) })
    tenant(broken, "new", there.url, INVOICES)
    broken.write("tenants/odd/daybook.config.json", "{")
    const ran = await broken.run("tenants", "plan", "--with", "change.json", "--json")
    assert.strictEqual(ran.status, 1)
    assert.include(ran.stderr, "new: it has no state file yet")
    assert.match(ran.stderr, /odd: .*it has no state file yet|odd: .*cannot be read/)
    assert.deepInclude(ofType(ran, "summary")[0], { tenants: 2, failed: 2 })
  })

  it("refuses what says nothing, is no settings, or names nobody", async () => {
    here.write("list.json", "[]")
    here.write("wrong.json", '{"connections": {"scope": {}}}')
    const said = async (...args: ReadonlyArray<string>) => failed(await here.run("tenants", "plan", ...args), 2)
    assert.include(await said(), "say what is compared")
    assert.include(await said("--with", "list.json"), "in braces, as in a configuration")
    assert.include(await said("--with", "wrong.json"), "write a list, each entry in braces")
    assert.include(await said("--with", "change.json", "nobody"), "no such tenant in tenants: nobody")
    assert.include(await said("--with", "gone.json"), "gone.json cannot be read")
  })

  it("does the same in the library", async () => {
    const all = await Daybook.tenants({ folder: here.path("tenants") })
    const found = await all.plan({ with: SCOPE })
    await all.close()
    assert.deepInclude(found, { tenants: 4, same: 2, differ: 2, failed: 0 })
    assert.deepStrictEqual(
      found.ways.map(({ rule, tenants }) => [rule, tenants]),
      [["T1", 2]]
    )
  })

  it("leaves a tenant of whose source only a new reading would tell, and one that could not be planned", async () => {
    here.write("source.json", JSON.stringify({ connections: [{ source: { invoices: { currency: "EUR" } } }] }))
    const unseen = await here.run("tenants", "change", "--with", "source.json", "--within", "99", "calm")
    assert.strictEqual(unseen.status, 4)
    assert.include(unseen.stderr, "its source is set otherwise (invoices)")
    here.write("bad.json", JSON.stringify({ connections: [{ scope: { issued_after: "soon" } }] }))
    const bad = await here.run("tenants", "change", "--with", "bad.json", "--within", "99", "calm")
    assert.strictEqual(bad.status, 4)
    assert.include(bad.stderr, "could not be planned")
    assert.include(configOf(here, "calm"), "2024-01-01")
    assert.isFalse(existsSync(here.path("tenants/calm/daybook.config.json.part")))
  })

  it("changes tenants one after the other, and stops at the first whose plan is beyond the limit", async () => {
    const before = configOf(here, "acme")
    const within = (...args: ReadonlyArray<string>) =>
      here.run("tenants", "change", "--with", "change.json", "--json", ...args)
    const stopped = await within("calm", "globex")
    assert.strictEqual(stopped.status, 4)
    assert.match(
      stopped.stderr,
      /Stopped at globex: 1 document would be planned otherwise, and at most 0 may be; .*INV-1/
    )
    assert.deepStrictEqual(
      lines(stopped).map(({ tenant, type }) => `${type} ${tenant}`),
      ["changed calm", "stopped globex"]
    )
    assert.include(configOf(here, "calm"), '"issued_after": "2026-03-02"')
    assert.include(configOf(here, "globex"), '"issued_after": "2024-01-01"')
    assert.strictEqual(configOf(here, "acme"), before)
    const rest = await within("--within", "1")
    assert.strictEqual(rest.status, 0, rest.stderr)
    assert.deepInclude(ofType(rest, "summary")[0], { tenants: 4, changed: 2, untouched: 2 })
    // Nothing else in the file was changed.
    assert.strictEqual(
      configOf(here, "acme"),
      before.replace('2024-01-01",\n        "drafts', '2026-03-02",\n        "drafts')
    )
    assert.strictEqual((await within("--within", "1")).status, 0)
  })
})

describe("an overlay", () => {
  const written = {
    a: { b: 1, c: [1] },
    connections: [
      { id: "x", source: { connector: "stripe" }, n: 1 },
      { id: "y", n: 1 }
    ]
  }

  it("is for the connections that it names, or for all, and null removes", () => {
    const over = (...connections: ReadonlyArray<object>) =>
      (overlaid(written, { connections }) as typeof written).connections.map(({ n }) => n)
    assert.deepStrictEqual(over({ n: 2 }), [2, 2])
    assert.deepStrictEqual(over({ id: "y", n: 2 }), [1, 2])
    assert.deepStrictEqual(over({ source: { connector: "stripe" }, n: 2 }), [2, 1])
    assert.deepStrictEqual(over({ id: "y", source: { connector: "stripe" }, n: 2 }), [1, 1])
    assert.deepStrictEqual(overlaid(written, { a: { b: null, c: [2, 3] } }), { ...written, a: { c: [2, 3] } })
  })

  it("is written setting by setting", () => {
    assert.deepStrictEqual(
      settingsChanged(written, overlaid(written, { a: { b: null }, connections: [{ id: "y", n: 2 }] })),
      [
        { path: ["a", "b"], value: undefined },
        { path: ["connections", 1, "n"], value: 2 }
      ]
    )
  })
})
