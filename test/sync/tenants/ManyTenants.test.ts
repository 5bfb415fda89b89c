/**
 * Many tenants over a real service: each is read and sent on its schedule, by people's word, and in no other way; one that
 * is broken stops no other; nothing is sent twice, wherever a tenant is moved.
 */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { startSandbox } from "../../../core/sandbox/index.ts"
import { type Config, Daybook, type Tenants, type TenantsOptions } from "../../../sync/library/Daybook.ts"
import type { TenantEvent } from "../../../sync/library/many/ManyTenants.ts"
import * as Changes from "../../../sync/library/many/TenantChanges.ts"
import { shardOf } from "../../../sync/tenants/Shard.ts"
import { receiver, SECRETS } from "../../support/AlertDesk.ts"
import { configuration, INVOICES, KEY, PAYMENTS } from "../../support/Cli.ts"
import { until } from "../../support/Daemon.ts"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let root = ""
const left: Array<() => unknown> = []
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
})
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "daybook-many-"))
})
afterAll(async () => {
  for (const one of left) await one()
  await sandbox.close()
})

let count = 0

/** The folder of a tenant, with owner and secrets of its own. */
const tenant = (name: string, { every = "1 hour", folder = root }: { every?: string; folder?: string } = {}) => {
  const place = join(folder, name)
  mkdirSync(place, { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(place, file), text)
  write("invoices.csv", INVOICES)
  write("payments.csv", PAYMENTS)
  const { connections, service } = configuration(sandbox.url)
  const [books] = connections
  const owner = { organisation: { ...books!.owner.organisation, unique_id: `many-${count++}` } }
  const config = { service, connections: [{ ...books!, every, owner }] } as unknown as Config
  write("daybook.config.json", JSON.stringify(config))
  write(".env", `SERVICE_KEY=${KEY}\n`)
  return { place, write, config }
}

const open = async (options: TenantsOptions = {}) => {
  const tenants = await Daybook.tenants({
    ...(options.list === undefined ? { folder: root } : {}),
    spreadMs: 0,
    ...options
  })
  const turns: Array<string> = []
  tenants.on(({ event, tenant }: TenantEvent) => {
    if (event.type === "turn") turns.push(`${tenant} ${event.event.type}`)
  })
  left.push(() => tenants.close())
  const running = () => void tenants.run()
  return { tenants, turns, running }
}

const sent = async () => {
  const journal = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as ReadonlyArray<{ method: string }>
  return journal.filter(({ method }) => method !== "GET").length
}

const ends = (turns: ReadonlyArray<string>, name: string, times = 1) =>
  until(`${name} ended`, () => (turns.filter((one) => one === `${name} ended`).length >= times ? true : undefined))

const waits = (tenants: Tenants, name: string) =>
  until(`${name} waits`, () => (tenants.status(name)?.state === "waiting" ? true : undefined))

describe("many tenants in one process", () => {
  it("runs each when it is due, with secrets of its own, and shows what needs attention without opening it", async () => {
    tenant("acme")
    tenant("globex")
    const { running, tenants, turns } = await open({ maxOpen: 2, atOnce: 1 })
    running()
    await ends(turns, "acme")
    await ends(turns, "globex")
    await waits(tenants, "acme")
    const { attention, next, succeeded } = tenants.status("acme")!
    assert.strictEqual(attention, 1)
    assert.isNotNull(succeeded)
    assert.isAbove(next!, succeeded!)
    const again = await tenants.with("globex", async (daybook) => (await daybook.sync()).done)
    assert.strictEqual(again, 0)
    await tenants.close()
    // What is known of them is there before any is opened, and none is due before its time.
    const later = await open()
    later.running()
    assert.deepInclude(later.tenants.status("acme"), { attention: 1, state: "waiting" })
    assert.isAbove(later.tenants.status("acme")!.next!, Date.now())
    await later.tenants.ask("acme")
    await ends(later.turns, "acme")
    assert.isFalse(later.turns.some((one) => one.startsWith("globex")))
    await later.tenants.close()
  })

  it("is not stopped by one that is broken, and runs that one as soon as it is mended", async () => {
    tenant("fine")
    const { config, write } = tenant("broken")
    write("daybook.config.json", JSON.stringify({ ...config, connections: [] }))
    const { running, tenants, turns } = await open()
    running()
    await ends(turns, "fine")
    await until("it says what is wrong", () => (tenants.status("broken")?.state === "in trouble" ? true : undefined))
    assert.include(tenants.status("broken")!.trouble, "the list is empty")
    write("daybook.config.json", JSON.stringify(config))
    await tenants.ask("broken")
    await ends(turns, "broken")
    await tenants.close()
  })

  it("tries one again whatever is wrong with it, also what nobody thought of", async () => {
    const { config, place } = tenant("acme", { folder: mkdtempSync(join(tmpdir(), "daybook-many-")) })
    let asked = 0
    const environment = new Proxy({} as Record<string, string>, {
      get: (_, name) => {
        if (name === "SERVICE_KEY" && asked++ === 0) throw new Error("out of order")
        return KEY
      }
    })
    const { running, tenants, turns } = await open({ folder: undefined as never, list: [] })
    await tenants.add({ name: "acme", config, folder: place, environment })
    running()
    await until("it says what is wrong", () => tenants.status("acme")?.trouble)
    assert.strictEqual(tenants.status("acme")!.trouble, "out of order")
    assert.isAbove(tenants.status("acme")!.next!, Date.now())
    await tenants.ask("acme")
    await ends(turns, "acme")
    await tenants.close()
  })

  it("leaves a paused tenant alone until it is resumed", async () => {
    tenant("acme")
    tenant("other")
    await Effect.runPromise(Changes.pause(root, "acme", "Ann", "an audit"))
    const { running, tenants, turns } = await open({ atOnce: 1 })
    running()
    // It would have had its turn before this one.
    await ends(turns, "other")
    assert.isFalse(turns.some((one) => one.startsWith("acme")))
    assert.deepInclude(tenants.status("acme")!.paused, { by: "Ann", why: "an audit" })
    const refused = await tenants.ask("acme").catch((error: Error) => error.message)
    assert.strictEqual(refused, "acme is paused; resume it first")
    assert.isTrue(await tenants.resume("acme"))
    await ends(turns, "acme")
    assert.isFalse(await tenants.resume("acme"))
    await tenants.close()
  })

  it("takes tenants that are added and removed while it runs, and keeps the folder of one that was removed", async () => {
    const other = mkdtempSync(join(tmpdir(), "daybook-many-"))
    const { place } = tenant("acme", { folder: other })
    const { running, tenants, turns } = await open()
    running()
    await tenants.add({ name: "newcomer", from: place })
    await ends(turns, "newcomer")
    const wrong = await tenants.add({ name: "newcomer", from: place }).catch((error: Error) => error.message)
    assert.strictEqual(wrong, "there is a tenant newcomer already")
    await waits(tenants, "newcomer")
    // Who has its state file makes the removal wait, while the folder is looked at every second.
    const used = tenants.with("newcomer", () => new Promise((done) => setTimeout(done, 2500)))
    const kept = await tenants.remove("newcomer", "Ann")
    await used
    assert.deepStrictEqual(tenants.list(), [])
    // Its state file was let go at once, though it would have stayed open for a minute.
    assert.isTrue(existsSync(join(kept!, "daybook.db")))
    assert.isFalse(existsSync(join(root, "newcomer")))
    const missing = await tenants.with("newcomer", async () => {}).catch((error: Error) => error.message)
    assert.include(missing, 'there is no tenant "newcomer"')
    await tenants.close()
    rmSync(other, { recursive: true, force: true })
  })

  it("runs only the tenants of its shard; one that is moved is in one place, and sends nothing twice", async () => {
    const other = mkdtempSync(join(tmpdir(), "daybook-many-"))
    tenant("acme")
    const shard = `${shardOf("acme", 4)}/4`
    const elsewhere = await open({ shard: `${(shardOf("acme", 4) % 4) + 1}/4` })
    assert.deepStrictEqual(elsewhere.tenants.list(), [])
    await elsewhere.tenants.close()
    const { running, tenants, turns } = await open({ shard })
    running()
    await ends(turns, "acme")
    await tenants.close()
    const before = await sent()
    await Effect.runPromise(Changes.move(root, "acme", other, "Ann"))
    assert.isFalse(existsSync(join(root, "acme")))
    assert.isFalse(existsSync(join(other, "acme", "daybook.paused")))
    const there = await open({ folder: other })
    there.running()
    await there.tenants.ask("acme")
    await ends(there.turns, "acme")
    assert.strictEqual(await sent(), before)
    await there.tenants.close()
    rmSync(other, { recursive: true, force: true })
  })

  it("goes on with a move that was cut off between the two places", async () => {
    const other = mkdtempSync(join(tmpdir(), "daybook-many-"))
    tenant("acme")
    // As it is left where the machine stops once the tenant has left its place.
    mkdirSync(join(other, ".daybook"))
    writeFileSync(join(other, ".daybook", "arriving"), "in the way")
    await Effect.runPromise(Effect.exit(Changes.move(root, "acme", other, "Ann")))
    assert.isFalse(existsSync(join(root, "acme")))
    assert.isFalse(existsSync(join(other, "acme")))
    rmSync(join(other, ".daybook", "arriving"))
    await Effect.runPromise(Changes.move(root, "acme", other, "Ann"))
    assert.include(readFileSync(join(other, "acme", "invoices.csv"), "utf8"), "INV-1")
    assert.isFalse(existsSync(join(root, ".daybook", "leaving", "acme")))
    rmSync(other, { recursive: true, force: true })
  })

  it("copies all of them, each whole", async () => {
    tenant("acme")
    tenant("globex")
    const { running, tenants, turns } = await open()
    running()
    await ends(turns, "acme")
    await ends(turns, "globex")
    const copies = await tenants.backup(join(root, ".copies"))
    assert.deepStrictEqual(copies.map(({ tenant }) => tenant).toSorted(), ["acme", "globex"])
    for (const { copy, tenant } of copies) {
      assert.strictEqual(copy!.file, join(root, ".copies", tenant, "daybook.db"))
      assert.isTrue(existsSync(join(root, ".copies", tenant, "daybook.config.json")))
    }
    await tenants.close()
  })

  it("sends each tenant's alerts after its run", async () => {
    const { posted, url } = await receiver((response) => response.end())
    const [acme, globex] = [tenant("acme"), tenant("globex")]
    const alerts = { channels: { pager: { webhook: { url, secret: { env: "PAGER_SECRET" } } } } }
    const environment = { SERVICE_KEY: KEY, PAGER_SECRET: SECRETS.PAGER_SECRET }
    const list = [
      { name: "acme", config: { ...acme.config, alerts } as Config, folder: acme.place, environment },
      { name: "globex", config: globex.config, folder: globex.place, environment }
    ]
    const { running, tenants, turns } = await open({ list })
    running()
    await ends(turns, "acme")
    await ends(turns, "globex")
    await until("it is sent", () => (posted.length === 1 ? true : undefined))
    const [first] = posted
    assert.isTrue(first!.signed)
    // Its own, and nothing about the machine.
    assert.match(JSON.stringify(first!.body.alerts), /"kind":"attention","connection":"books"/)
    assert.notMatch(JSON.stringify(posted), /disk|clock/i)
    await tenants.close()
  })

  it("takes tenants from a program's own list, and says what is wrong with a name", async () => {
    const { config, place } = tenant("acme", { folder: mkdtempSync(join(tmpdir(), "daybook-many-")) })
    const entry = { name: "acme", config, folder: place, environment: { SERVICE_KEY: KEY } }
    const tenants = await Daybook.tenants({ list: [entry] })
    const status = await tenants.with("acme", (daybook) => daybook.status())
    assert.strictEqual(status.attention, 0)
    const typo = await tenants.with("acmee", async () => {}).catch((error: Error) => error.message)
    assert.strictEqual(typo, 'there is no tenant "acmee"; did you mean acme?')
    const pausing = await tenants.pause("acme", "Ann").catch((error: Error) => error.message)
    assert.include(pausing, "a list of the program")
    await tenants.close()
    const named = await Daybook.tenants({ list: [{ ...entry, name: "../x" }] }).catch((error: Error) => error.message)
    assert.include(named as string, "cannot be a tenant's name")
    const shard = await Daybook.tenants({ folder: root, shard: "5/4" }).catch((error: Error) => error.message)
    assert.strictEqual(shard, 'shard "5/4": write one like "3/16"')
  })
})
