/**
 * Two tenants of one state file: a connection's name is one tenant's, and nobody sees or decides what is another's,
 * whatever method and whatever name they try.
 *
 * Fails where `ofTenant` in sync/library/Daybook.ts is `make`, where `narrow` leaves a table out, or where a guard of sync/library/Tenant.ts
 * goes.
 */
import Sqlite from "better-sqlite3"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, Daybook, type Handle } from "../../sync/library/Daybook.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import { Database } from "../../sync/state/Database.ts"
import { narrow } from "../../sync/state/TenantView.ts"
import { configuration, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let folder = ""
let state = ""
let north: Handle
let south: Handle

/** A tenant with a bank account that pays for its books; everything of it has its name in it. */
const open = (name: string, more: object = {}, files = name) => {
  const place = mkdtempSync(join(folder, `${files}-`))
  writeFileSync(join(place, "invoices.csv"), INVOICES.replaceAll(/ (Ltd|GmbH|Inc)/g, ` ${name} $1`))
  writeFileSync(join(place, "payments.csv"), PAYMENTS)
  writeFileSync(join(place, "bank.csv"), `Ref,Date,Amount,Text\n${name}-77,2026-03-20,77.77,\n`)
  const { connections, service } = configuration(sandbox.url)
  const [books] = connections
  const owner = { organisation: { ...books!.owner.organisation, unique_id: `acme-${files}` } }
  const bank = {
    id: `${name}-bank`,
    source: {
      connector: "files",
      payments: {
        path: "bank.csv",
        columns: { id: "Ref", date: "Date", amount: "Amount", reference: "Text" },
        currency: "GBP",
        date_format: "yyyy-MM-dd",
        decimal: "."
      }
    },
    pays: name
  }
  const config = { service, connections: [{ ...books!, id: name, owner, ...more }, bank] } as unknown as Config
  return Daybook.open(config, { folder: place, state, shared: true, environment: { SERVICE_KEY: KEY } })
}

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
  folder = mkdtempSync(join(tmpdir(), "daybook-tenants-"))
  state = join(folder, "daybook.db")
  north = await open("north")
  south = await open("south")
  await north.sync()
  await south.sync()
  const raw = new Sqlite(state)
  for (const name of ["north", "south"])
    raw
      .prepare(
        "INSERT INTO approval (connection, digest, calls, attention, reductions, made) VALUES (?, 'd1', 1, 0, 0, 1)"
      )
      .run(name)
  raw.close()
})
afterAll(async () => {
  await north?.close()
  await south?.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Everything of it as text. Amounts are bigints. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one instanceof Map ? [...one] : one))

const rejected = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    return `${(error as { _tag?: string })._tag}: ${(error as Error).message}`
  }
  throw new Error("it was done")
}

describe("a tenant of a shared state file", () => {
  // What is read, exported and decided fails where `open` in sync/state/Database.ts does not `narrow`.
  it("reads nothing of another", async () => {
    const seen = {
      status: await south.status(),
      attention: await south.attention(),
      completeness: await south.completeness(),
      plan: await south.plan(),
      debtors: await south.debtors(),
      reconcile: await south.reconcile(),
      number: await south.explain("INV-1"),
      key: await south.explain("south/invoice/INV-1"),
      calls: (await Promise.all(Array.from({ length: 40 }, (_, n) => south.explain(`#${n}`)))).flat()
    }
    assert.isAbove(seen.attention.length, 0)
    assert.strictEqual(seen.status.attention, seen.attention.length)
    assert.strictEqual(seen.number.length, 1)
    assert.isAbove(seen.calls.length, 0)
    assert.strictEqual(seen.status.runs.length, 1)
    assert.match(
      (await south.verify()).problems.join(),
      /^\d+ facts of this file, which others use too, do not follow from the chain/
    )
    assert.deepStrictEqual(
      seen.status.approvals.map(({ connection }) => connection),
      ["south"]
    )
    for (const [what, value] of Object.entries(seen)) {
      assert.notInclude(textOf(value), "north", what)
      if (!["debtors", "plan", "reconcile"].includes(what)) assert.include(textOf(value), "south", what)
    }
    for (const name of ["north/invoice/INV-1", "north/owner", "north", "north-77"])
      assert.deepStrictEqual(await south.explain(name), [], name)
  })

  it("exports nothing of another", async () => {
    const into = mkdtempSync(join(folder, "export-"))
    await south.export(join(into, "all.csv"))
    await south.export(join(into, "theirs.csv"), { connections: ["north", "north-bank"] })
    const all = readdirSync(into).map((name) => [name, readFileSync(join(into, name), "utf8")] as const)
    assert.isAbove(all.length, 5)
    for (const [name, text] of all) assert.notMatch(text, /INV-\d.*north|north.*INV-\d|north (Ltd|GmbH)|north-77/, name)
    assert.isTrue(all.some(([, text]) => text.includes("south")))
  })

  it("works on no connection of another", async () => {
    const choice = { connections: ["north"] }
    const plan = { ...(await north.plan()), connections: ["north"] }
    for (const tried of [
      south.pull(choice),
      south.plan(choice),
      south.apply(undefined, choice),
      south.apply(plan),
      south.sync(choice),
      south.completeness(choice),
      south.reconcile(choice),
      south.reconcile({ ...choice, fix: true }),
      south.debtors(choice),
      south.check("north"),
      south.match({ connection: "north", party: "C1" }, "comp-1" as never),
      south.match({ connection: "north", party: "C1" }, null)
    ])
      assert.match(await rejected(tried), /^ConfigError: .*connection "north" not found; available: south, south-bank$/)
  })

  it("decides nothing for another", async () => {
    const theirs = await north.attention()
    assert.isAbove(theirs.length, 1)
    for (const { id } of theirs) {
      assert.isFalse(await south.resolve(id, "not yours"))
      assert.isFalse(await south.retry(id))
      assert.match(await rejected(south.assign(id, [])), new RegExp(`there is no open attention item ${id}`))
    }
    assert.isFalse(await south.approve("north", "d1", "Eve"))
    assert.isFalse(await south.reject("north", "d1", "Eve"))
    assert.deepStrictEqual(await north.attention(), theirs)
    assert.isNull((await north.status()).approvals[0]!.decision)
    // What is theirs they may decide.
    const own = (await south.attention()).find(({ subject }) => subject.startsWith("south-bank/"))!
    assert.match(await rejected(south.assign(own.id, ["north/invoice/INV-1"])), /north\/invoice\/INV-1/)
    assert.deepStrictEqual(await south.assign(own.id, []), [])
    // A part of a plan stays a part.
    assert.match(await rejected(south.approve("south", "d1", "Sue", ["INV-404"])), /nothing is sent for "INV-404"/)
    assert.isTrue(await south.approve("south", "d1", "Sue"))
  })

  it("says of its own connections alone that they are meant, and renames none", async () => {
    assert.match(await rejected(south.acceptConnection("north")), /connection "north" not found/)
    await south.acceptConnection("south")
    for (const [from, to] of [
      ["north", "south-2"],
      ["south", "north"],
      ["south", "south-2"]
    ] as const)
      assert.match(await rejected(south.renameConnection(from, to)), /a tenant cannot rename connections/)
  })

  it("is answered a statement that names an index, which a view has not", () =>
    Effect.flatMap(Database, (db) =>
      db.read(() => {
        const count = (by: string) => db.prepare(`SELECT count(*) FROM customer_invoice${by}`).pluck().get() as number
        assert.isAbove(count(""), 0)
        assert.strictEqual(count(" INDEXED BY customer_invoice_issued"), count(""))
      })
    ).pipe(Effect.provide(Database.layer({ file: state, mode: "read", only: ["north"] })), Effect.runPromise))

  it("finds every table narrowed, with all rows of its tenant", () => {
    const whole = new Sqlite(state, { readonly: true })
    const views = (["north", "south"] as const).map((name) => {
      const view = new Sqlite(state, { readonly: true })
      assert.deepStrictEqual(narrow(view, [name, `${name}-bank`]), [], "tables that are nobody's")
      return { name, view }
    })
    const tables = whole
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as ReadonlyArray<string>
    assert.isAbove(tables.length, 20)
    // No tenant sees the chain, which proves the whole file.
    for (const { view } of views) assert.strictEqual(view.prepare("SELECT count(*) FROM chain").pluck().get(), 0)
    for (const table of tables.filter((name) => name !== "state" && name !== "chain")) {
      const count = (db: Sqlite.Database) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
      assert.strictEqual(count(views[0]!.view) + count(views[1]!.view), count(whole), table)
      for (const { name, view } of views) {
        const other = name === "north" ? "south" : "north"
        assert.notInclude(textOf(view.prepare(`SELECT * FROM ${table}`).all()), other, table)
      }
    }
    for (const { view } of [...views, { view: whole }]) view.close()
  })

  it("does not get a connection of a name that another has open, and does once it was closed", async () => {
    const said = await rejected(open("north", {}, "another"))
    assert.match(
      said,
      /^ConfigError: (.|\n)*connection north: another tenant of this state file has a connection of this name/
    )
    const later = await open("west")
    assert.strictEqual((await later.sync()).done, 6)
    await later.close()
  })
})
