/** Tenants without a folder: moved to PostgreSQL, run there by any process that has the seal, and moved back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { configuration, desk, KEY, lines, type RunOptions, service, useCommand } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"

useCommand({ alone: true })
const url = clusterTables()

const SEAL = Buffer.alloc(32, 7).toString("base64")
const row = (n: number) => `INV-${n},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent`
const invoices = (count: number) =>
  `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${Array.from({ length: count }, (_, n) => row(n + 1)).join("\n")}\n`

const COUNT = 20
/** More than a fifth of them, at which a guard would stop a run that reduces as much. */
const MORE = 12
/** Each starts a dozen processes. */
const PATIENT = { timeout: 300_000 }

/** A folder with one tenant that was imported, and another place from which it is run. */
const tenant = async (name: string) => {
  const { calls, control, holds, url: address } = await service()
  const { connections, service: account } = configuration(address)
  const home = desk({
    [`tenants/${name}/daybook.config.json`]: JSON.stringify({
      service: { ...account, key: { env: "OWN_KEY" } },
      connections
    }),
    [`tenants/${name}/.env`]: `OWN_KEY=${KEY}\n`,
    [`tenants/${name}/invoices.csv`]: invoices(COUNT),
    [`tenants/${name}/payments.csv`]: "Ref,Invoice,Date,Amount,Type,Code\n"
  })
  const away = desk()
  const tenants = join(home.folder, "tenants")
  const env = { DAYBOOK_SEAL: SEAL, OWN_KEY: undefined }
  const at = ["--database", url()]
  const here = (...args: ReadonlyArray<string>) => home.runWith({ env }, ...args)
  const moveIn = () => here("tenants", "import", name, ...at, "--json")
  const sync = (options: RunOptions = {}) =>
    away.runWith({ env, ...options }, "tenants", "sync", name, ...at, "--files", tenants, "--json")
  const created = async () => (await calls()).filter(({ acted, path }) => acted && /^\/v1\/transactions\/?$/.test(path))
  const late = () => control("POST", "faults", { kind: "delay", path: "/v1/", delay_ms: 300 })
  /** The service's number of a document. */
  const remoteOf = async (subject: string) => {
    const headers = { authorization: `Token ${KEY}` }
    const page = await (await fetch(`${address}/v1/transactions?limit=100`, { headers })).json()
    const { results } = page as { readonly results: ReadonlyArray<Record<"id" | "unique_id", string>> }
    return results.find((one) => one.unique_id === subject)?.id
  }
  return { at, away, created, env, folder: join(tenants, name), here, holds, late, moveIn, remoteOf, sync }
}

const using = <A>(work: (sessions: Effect.Success<ReturnType<typeof connect>>) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(connect(url(), 2), work)))

const ask = (sql: string, ...values: ReadonlyArray<unknown>) =>
  using(({ use }) => use((session) => session.ask<Record<string, unknown>>(sql, values)))

describe("a tenant whose configuration is in PostgreSQL", () => {
  it("is moved there with its state and secrets, sealed, and goes on from anywhere", PATIENT, async () => {
    const { at, away, created, env, folder, here, moveIn, sync } = await tenant("moved")
    assert.strictEqual((await here("tenants", "sync", "moved")).status, 0)
    assert.strictEqual((await created()).length, COUNT)
    const unsealed = await away.runWith({ env: { ...env, DAYBOOK_SEAL: undefined } }, "tenants", "sync", "moved", ...at)
    assert.include(unsealed.stderr, "set DAYBOOK_SEAL or DAYBOOK_SEAL_FILE")
    const unknown = await sync()
    assert.include(unknown.stderr, "the database has no configuration of moved; daybook tenants import brings it there")
    const moved = await moveIn()
    assert.strictEqual(moved.status, 0, moved.stderr)
    assert.deepStrictEqual(lines(moved), [
      { type: "imported", tenant: "moved", files: ["invoices.csv", "payments.csv"] }
    ])
    assert.isFalse(existsSync(join(folder, "daybook.db")))
    const [kept] = await ask("SELECT settings, key FROM daybook.tenant WHERE id = 'moved'")
    assert.notInclude(String(kept?.["settings"]), KEY)
    // Whoever goes on with the folder would send what was sent.
    assert.notStrictEqual((await here("tenants", "sync", "moved")).status, 0)
    const wrong = await sync({ env: { ...env, DAYBOOK_SEAL: Buffer.alloc(32, 8).toString("base64") } })
    assert.strictEqual(wrong.status, 1)
    assert.include(wrong.stderr, "cannot be unsealed with this key")
    const again = await sync()
    assert.strictEqual(again.status, 0, again.stderr)
    assert.deepInclude(lines(again)[0], { type: "tenant", tenant: "moved", sent: 0 })
    writeFileSync(join(folder, "invoices.csv"), invoices(COUNT + 1))
    assert.deepInclude(lines(await sync())[0], { type: "tenant", tenant: "moved" })
    assert.strictEqual((await created()).length, COUNT + 1)
    const listed = await away.runWith({ env }, "tenants", "list", "--cluster", url(), "--json")
    assert.include(listed.stdout, '"name":"moved"')
  })

  it("is moved back, and sends nothing from there until the service was read", PATIENT, async () => {
    const { at, away, created, env, holds, moveIn, sync } = await tenant("back")
    assert.strictEqual((await moveIn()).status, 0)
    assert.strictEqual((await sync()).status, 0)
    const [kept] = await ask("SELECT key FROM daybook.tenant WHERE id = 'back'")
    const back = await away.runWith({ env }, "tenants", "export", "back", "--tenants", ".", ...at, "--json")
    assert.strictEqual(back.status, 0, back.stderr)
    const own = join(away.folder, "back")
    assert.strictEqual(readFileSync(join(own, ".env"), "utf8"), `OWN_KEY=${KEY}\n`)
    assert.deepStrictEqual(
      await ask("SELECT id, settings, seq::int FROM daybook.tenant WHERE key = $1", kept?.["key"]),
      [{ id: null, settings: null, seq: 0 }]
    )
    assert.notStrictEqual((await sync()).status, 0)
    writeFileSync(join(own, "invoices.csv"), invoices(COUNT + 1))
    writeFileSync(join(own, "payments.csv"), "Ref,Invoice,Date,Amount,Type,Code\n")
    const copy = (...args: ReadonlyArray<string>) =>
      away.runWith(
        { env: { ...env, OWN_KEY: KEY } },
        "--config",
        "back/daybook.config.json",
        "--state",
        "back/daybook.db",
        ...args
      )
    await copy("sync", "--yes")
    assert.strictEqual((await created()).length, COUNT, "a copy sends nothing until the service was read")
    const mended = await copy("reconcile", "--fix")
    assert.strictEqual(mended.status, 3, "one invoice is not sent yet")
    assert.strictEqual((await copy("sync", "--yes")).status, 0)
    assert.strictEqual((await created()).length, COUNT + 1)
    assert.strictEqual(Object.keys(await holds()).length, COUNT + 1)
  })

  it("has each thing done once though it is started twice at once, and killed in the middle", PATIENT, async () => {
    const { created, holds, late, moveIn, sync } = await tenant("both")
    const moved = await moveIn()
    assert.strictEqual(moved.status, 0, moved.stderr)
    await late()
    let child: ChildProcess | undefined
    const killed = sync({ onStart: (one) => void (child = one) })
    await until("invoices are under way", async () => ((await created()).length >= 3 ? true : undefined))
    child!.kill("SIGKILL")
    assert.strictEqual((await killed).signal, "SIGKILL")
    const both = await Promise.all([sync(), sync()])
    // Whoever was first may have lost it to the other.
    for (const { status, stderr } of both)
      assert.isTrue(status === 0 || /has taken this tenant over/.test(stderr), stderr)
    const last = await sync()
    assert.strictEqual(last.status, 0, last.stderr)
    assert.strictEqual((await created()).length, COUNT)
    assert.strictEqual(Object.keys(await holds()).length, COUNT)
  })

  it("goes on in a process that was stopped only if nobody has taken it meanwhile", PATIENT, async () => {
    const { created, holds, late, moveIn, sync } = await tenant("stopped")
    await moveIn()
    await late()
    let child: ChildProcess | undefined
    const stopped = sync({ onStart: (one) => void (child = one) })
    await until("invoices are under way", async () => ((await created()).length >= 3 ? true : undefined))
    child!.kill("SIGSTOP")
    const other = await sync()
    assert.strictEqual(other.status, 0, other.stderr)
    assert.strictEqual((await created()).length, COUNT)
    child!.kill("SIGCONT")
    assert.include((await stopped).stderr, "has taken this tenant over")
    assert.strictEqual((await created()).length, COUNT)
    assert.strictEqual(Object.keys(await holds()).length, COUNT)
  })

  it("is imported again to change its configuration, and not while it is paused or a program", PATIENT, async () => {
    const { folder, here, moveIn, sync } = await tenant("changed")
    assert.strictEqual((await moveIn()).status, 0)
    const file = join(folder, "daybook.config.json")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace('"OWN_KEY"', '"OTHER_KEY"'))
    const invalid = await moveIn()
    assert.include(invalid.stderr, "OTHER_KEY", "what is not set is said here, and not by the next run")
    writeFileSync(join(folder, ".env"), `OTHER_KEY=${KEY}\n`)
    assert.strictEqual((await moveIn()).status, 0)
    assert.strictEqual((await sync()).status, 0)
    assert.strictEqual((await here("tenants", "pause", "changed")).status, 0)
    assert.include((await moveIn()).stderr, "changed is paused, which PostgreSQL would not know")
    assert.strictEqual((await here("tenants", "resume", "changed")).status, 0)
    writeFileSync(join(folder, "daybook.config.ts"), "export default {}")
    assert.include((await moveIn()).stderr, "is a program")
  })

  it("is checked by the doctor of all tenants, with what is held back, and what nothing runs", PATIENT, async () => {
    const { away, env, folder, here, moveIn } = await tenant("checked")
    const problems = async (options: RunOptions = {}) => {
      const ran = await away.runWith(
        { env, ...options },
        "tenants",
        "doctor",
        "--tenants",
        join(folder, ".."),
        "--cluster",
        url(),
        "--json"
      )
      const wrong = lines(ran).filter(({ type }) => type === "check")
      assert.strictEqual(ran.status, wrong.length > 0 ? 1 : 0, ran.stderr)
      // Other tests leave tenants that have no folder here.
      return wrong.filter(({ name }) => ["checked", "lost", "broken"].includes(String(name)))
    }
    assert.strictEqual((await here("tenants", "doctor")).status, 0)
    assert.strictEqual((await moveIn()).status, 0)
    assert.deepStrictEqual(await problems(), [])
    const other = { ...env, DAYBOOK_SEAL: Buffer.alloc(32, 8).toString("base64") }
    assert.include(String((await problems({ env: other }))[0]?.["says"]), "cannot be unsealed with this key")
    mkdirSync(join(folder, "../broken"))
    await ask("UPDATE daybook.tenant SET held = 'it ended its process' WHERE id = 'checked'")
    await ask("INSERT INTO daybook.tenant (key, id) VALUES ('lost', 'lost')")
    const said = Object.groupBy(await problems(), ({ name }) => String(name))
    assert.sameMembers(Object.keys(said), ["broken", "checked", "lost"])
    assert.include(String(said["broken"]?.[0]?.["says"]), "there is no daybook.config.json")
    assert.include(String(said["checked"]?.[0]?.["says"]), "it is held back: it ended its process")
    assert.include(String(said["lost"]?.[0]?.["says"]), "daybook tenants import brings that from its folder")
    assert.strictEqual((await here("tenants", "doctor")).status, 1)
    await ask("DELETE FROM daybook.tenant WHERE key = 'lost'")
  })

  it("is planned, changed and copied from its row, and not from the folder that it had", PATIENT, async () => {
    const { at, away, created, env, folder, here, moveIn, sync } = await tenant("planned")
    assert.strictEqual((await moveIn()).status, 0)
    assert.strictEqual((await sync()).status, 0)
    assert.strictEqual((await created()).length, COUNT)
    // Nobody reads it there any more.
    rmSync(join(folder, "daybook.config.json"))
    writeFileSync(
      join(folder, "..", "change.json"),
      JSON.stringify({ connections: [{ id: "books", every: "2 hours" }] })
    )
    const over = ["--with", "tenants/change.json", ...at, "planned"]
    const planned = await here("tenants", "plan", ...over, "--json")
    assert.strictEqual(planned.status, 0, planned.stderr)
    assert.deepInclude(lines(planned)[0], { type: "tenant", tenant: "planned", outcome: "same" })
    const changed = await here("tenants", "change", ...over, "--json")
    assert.strictEqual(changed.status, 0, changed.stderr)
    const copies = join(away.folder, "copies")
    const copied = await away.runWith({ env }, "tenants", "backup", copies, ...at)
    assert.strictEqual(copied.status, 0, copied.stderr)
    const config = JSON.parse(readFileSync(join(copies, "planned", "daybook.config.json"), "utf8"))
    assert.strictEqual(config.connections[0].every, "2 hours")
    assert.isTrue(existsSync(join(copies, "planned", "daybook.db")))
    assert.isFalse(existsSync(join(copies, "planned", ".env")), "its secrets stay sealed")
    const [asked] = await ask("SELECT asked IS NOT NULL AS asked FROM daybook.tenant WHERE id = 'planned'")
    assert.deepStrictEqual(asked, { asked: true })
    const unsealed = await away.runWith(
      { env: { ...env, DAYBOOK_SEAL: undefined } },
      "tenants",
      "backup",
      "more",
      ...at
    )
    assert.include(unsealed.stderr, "their configurations are not part of the copies")
  })

  it("sends nothing once PostgreSQL is an earlier backup of itself, until the service was read", PATIENT, async () => {
    const { created, folder, moveIn, remoteOf, sync } = await tenant("earlier")
    assert.strictEqual((await moveIn()).status, 0)
    assert.strictEqual((await sync()).status, 0)
    const [row] = await ask("SELECT key FROM daybook.tenant WHERE id = 'earlier'")
    const id = row?.["key"]
    const columns = "seq, base, size, page_size, hash"
    await ask(`CREATE TABLE kept AS SELECT ${columns} FROM daybook.tenant WHERE key = $1`, id)
    await ask("CREATE TABLE kept_log AS SELECT * FROM daybook.shipment WHERE tenant = $1", id)
    writeFileSync(join(folder, "invoices.csv"), invoices(COUNT + MORE))
    assert.strictEqual((await sync()).status, 0)
    assert.strictEqual((await created()).length, COUNT + MORE)
    /** As the backup has it: on the same timeline, and with the same identifier. */
    const putBack = async () => {
      await ask("DELETE FROM daybook.shipment WHERE tenant = $1", id)
      await ask("INSERT INTO daybook.shipment SELECT * FROM kept_log")
      await ask(`UPDATE daybook.tenant SET (${columns}) = (SELECT ${columns} FROM kept) WHERE key = $1`, id)
    }
    await putBack()
    const mark = join(folder, "..", ".daybook", "shipped", String(id))
    assert.isTrue(existsSync(mark))
    await sync()
    assert.strictEqual((await created()).length, COUNT + MORE)
    // Once more, so that its source was not read since.
    await putBack()
    // What somebody heard late of a call that is lost here is no news, once the service was read.
    const subject = `books/invoice/INV-${COUNT + MORE}`
    const late = [{ call: COUNT + MORE, subject, remote: await remoteOf(subject) }]
    await ask("UPDATE daybook.tenant SET reconcile = now(), late = $2 WHERE key = $1", id, JSON.stringify(late))
    writeFileSync(join(folder, "invoices.csv"), invoices(COUNT + MORE + 1))
    const mended = await sync()
    assert.strictEqual(mended.status, 0, mended.stderr)
    assert.deepInclude(lines(mended)[0], { type: "tenant", tenant: "earlier", sent: 1, attention: 0 })
    assert.strictEqual((await created()).length, COUNT + MORE + 1)
    const [after] = await ask("SELECT late, reconcile FROM daybook.tenant WHERE key = $1", id)
    assert.deepStrictEqual(after, { late: [], reconcile: null })
    await ask("DROP TABLE kept, kept_log")
  })
})
