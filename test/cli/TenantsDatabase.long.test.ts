/** Tenants without a folder: moved to PostgreSQL, run there by any process that has the seal, and moved back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { announce, takeFree } from "../../sync/cluster/ClusterTables.ts"
import { Membership } from "../../sync/cluster/Membership.ts"
import { status as clusterStatus } from "../../sync/cluster/Operations.ts"
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
  return { at, away, created, env, folder: join(tenants, name), here, holds, late, moveIn, sync }
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

  it("is checked by the doctor of all tenants, with what nodes hold back, and what nothing runs", PATIENT, async () => {
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
      return wrong.filter(({ name }) => ["checked", "held", "lost", "broken"].includes(String(name)))
    }
    assert.strictEqual((await here("tenants", "doctor")).status, 0)
    assert.strictEqual((await moveIn()).status, 0)
    assert.deepStrictEqual(await problems(), [])
    const other = { ...env, DAYBOOK_SEAL: Buffer.alloc(32, 8).toString("base64") }
    assert.include(String((await problems({ env: other }))[0]?.["says"]), "cannot be unsealed with this key")
    mkdirSync(join(folder, "../broken"))
    await ask("INSERT INTO daybook.tenant (key, id, tries) VALUES ('held', 'held', 2), ('lost', 'lost', 0)")
    const said = Object.groupBy(await problems(), ({ name }) => String(name))
    assert.sameMembers(Object.keys(said), ["broken", "held", "lost"])
    assert.include(String(said["broken"]?.[0]?.["says"]), "there is no daybook.config.json")
    assert.include(String(said["held"]?.[0]?.["says"]), "2 nodes ended while they had it open")
    assert.include(String(said["lost"]?.[0]?.["says"]), "nothing runs it")
    assert.strictEqual((await here("tenants", "doctor")).status, 1)
    await ask("DELETE FROM daybook.tenant WHERE key IN ('held', 'lost')")
  })

  it("is taken by no node that still has its folder, and does not count as one without a node", async () => {
    const { moveIn } = await tenant("apart")
    assert.strictEqual((await moveIn()).status, 0)
    const [{ key } = { key: "" }] = await ask("SELECT key FROM daybook.tenant WHERE id = 'apart'")
    const ids = new Map([["apart", String(key)]])
    await using((sessions) =>
      Effect.gen(function* () {
        const node = yield* Membership.join(sessions, { name: "a", leaseMs: 10_000 })
        assert.deepStrictEqual(yield* takeFree(sessions, node, ids.values(), 9), [])
        const [stranger] = yield* announce(sessions, ids)
        assert.deepInclude(stranger, { name: "apart", isKept: true })
        const { nobodys } = yield* clusterStatus(sessions)
        const [own] = yield* sessions.use(({ ask: said }) =>
          said<{ n: number }>(
            "SELECT count(*)::int AS n FROM daybook.tenant WHERE removed IS NULL AND settings IS NULL"
          )
        )
        assert.strictEqual(nobodys, own?.n)
      })
    )
  })
})
