/** Workers that run tenants of a database: when they are due, each in a process of its own, whatever happens to it. */
import { assert, describe, it } from "@effect/vitest"
import type { ChildProcess } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { desk, useCommand } from "../support/Cli.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { freePort } from "../support/Servers.ts"
import { asking, childrenOf, company, COUNT, HOOK_WORD, invoices, PATIENT, until } from "../support/Workers.ts"

useCommand({ alone: true })
const url = clusterTables()
const ask = asking(url)
const rowOf = async (name: string) => (await ask("SELECT * FROM daybook.tenant WHERE id = $1", name))[0] ?? {}

describe("workers", () => {
  it("wait for a PostgreSQL that is away, as after a power failure", PATIENT, async () => {
    let child: ChildProcess | undefined
    const env = { DAYBOOK_SEAL: Buffer.alloc(32, 7).toString("base64") }
    const away = `postgres://daybook@127.0.0.1:${await freePort()}/daybook`
    const done = desk().runWith(
      { env, onStart: (one) => void (child = one) },
      ...["tenants", "work", "--database", away]
    )
    await pause(8000)
    assert.isNull(child?.exitCode)
    child?.kill("SIGTERM")
    const { stderr, stdout } = await done
    assert.match(stdout + stderr, /ECONNREFUSED/)
  })

  it("run tenants when they are due, and what is new in their sources", PATIENT, async () => {
    const { created, env, folder, holds, home, isDone, start, stop } = await company(url, ["due1", "due2"])
    const port = await freePort()
    const { child, done } = await start(2, "--listen", `127.0.0.1:${port}`)
    await until("both are sent", () => isDone(2 * COUNT))
    const asked = (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, options)
    assert.deepStrictEqual(await (await asked("/readyz")).json(), { status: "ready" })
    const metrics = await (await asked("/metrics")).text()
    assert.match(metrics, /^daybook_tenants_late_seconds \d/m)
    assert.match(metrics, /^daybook_tenants_attention 0$/m)
    // Its next run says that there is none.
    await until("a tenant's attention items are summed up and named", async () => {
      await ask(
        `UPDATE daybook.status SET body = body || '{"attention": 7}' WHERE tenant = (SELECT key FROM daybook.tenant WHERE id = 'due2')`
      )
      const more = await (await asked("/metrics")).text()
      return /^daybook_tenants_attention 7$/m.test(more) && /^daybook_tenant_attention\{tenant="due2"\} 7$/m.test(more)
    })
    const hook = (tenant: string, authorization: string) => {
      const body = JSON.stringify({ id: "1", unique_id: `${tenant}/invoice/1` })
      return asked(`/t/${tenant}/webhooks/service`, { method: "POST", body, headers: { authorization } })
    }
    for (const [tenant, word] of [
      ["due1", "another"],
      ["nobody", HOOK_WORD]
    ] as const)
      assert.strictEqual((await hook(tenant, word)).status, 401)
    assert.strictEqual((await hook("due1", HOOK_WORD)).status, 200)
    const waiting = () => ask("SELECT 1 FROM daybook.webhook")
    await until("its run took the webhook", async () => (await waiting()).length === 0)
    writeFileSync(join(folder, "due1", "invoices.csv"), invoices("due1", COUNT + 1))
    await until("the new one is sent", () => isDone(2 * COUNT + 1))
    const { due, held, took } = await rowOf("due2")
    assert.isNotNull(due)
    assert.isNull(held)
    assert.isAbove(Number(took), 0)
    const slots = childrenOf(child.pid ?? 0)
    assert.strictEqual(slots.length, 2)
    const listed = await home.runWith({ env }, "tenants", "list", "--cluster", url(), "--search", "due", "--json")
    assert.notInclude(listed.stdout, "no living node")
    const said = (...args: ReadonlyArray<string>) => home.runWith({ env }, "tenants", ...args, "--database", url())
    assert.include((await said("pause", "due2", "--why", "an audit")).stdout, "due2 is paused")
    writeFileSync(join(folder, "due2", "invoices.csv"), invoices("due2", COUNT + 1))
    await pause(15_000)
    assert.include((await said("list", "--search", "due2")).stdout, "an audit")
    assert.strictEqual((await created()).length, 2 * COUNT + 1)
    assert.include((await said("resume", "due2")).stdout, "due2 runs again")
    await until("it is sent", () => isDone(2 * COUNT + 2))
    child.kill("SIGTERM")
    assert.include([0, 130, 143], ((await done) as { status: number }).status)
    await stop()
    await until("the slots have ended", () => slots.every((pid) => !readdirSync("/proc").includes(String(pid))))
    assert.strictEqual((await created()).length, 2 * COUNT + 2)
    assert.strictEqual(Object.keys(await holds()).length, 2 * COUNT + 2)
    const wrong = { ...env, DAYBOOK_SEAL: Buffer.alloc(32, 8).toString("base64") }
    const refused = await home.runWith({ env: wrong }, "tenants", "work", "--database", url())
    assert.include(refused.stderr, "this machine's DAYBOOK_SEAL is not that of the database")
  })

  it("go on with what a killed slot and a killed worker left, and send nothing twice", PATIENT, async () => {
    const { created, holds, isDone, late, start, stop } = await company(url, ["killed"])
    await late()
    const one = await start(1)
    await until("invoices are under way", () => isDone(3))
    const [slot] = childrenOf(one.child.pid ?? 0)
    process.kill(slot ?? 0, "SIGKILL")
    await until("it goes on", () => isDone(10))
    const before = childrenOf(one.child.pid ?? 0)
    one.child.kill("SIGKILL")
    await start(1)
    await until("the other worker ends it", () => isDone(COUNT))
    await until("a run has ended", async () => (await rowOf("killed"))["took"] !== null)
    await until("the slots of the killed worker have ended", () =>
      before.every((pid) => !readdirSync("/proc").includes(String(pid)))
    )
    await stop()
    assert.strictEqual((await created()).length, COUNT)
    assert.strictEqual(Object.keys(await holds()).length, COUNT)
    assert.isNull((await rowOf("killed"))["held"])
  })

  it("leave to others what they had when they were stopped, and send none of it again", PATIENT, async () => {
    const { created, holds, isDone, late, start, stop } = await company(url, ["stopped"])
    await late()
    const one = await start(1)
    await until("invoices are under way", () => isDone(3))
    const all = [one.child.pid ?? 0, ...childrenOf(one.child.pid ?? 0)]
    for (const pid of all) process.kill(pid, "SIGSTOP")
    await start(1)
    await until("the other worker ends it", () => isDone(COUNT))
    for (const pid of all) process.kill(pid, "SIGCONT")
    await until("a run has ended", async () => (await rowOf("stopped"))["took"] !== null)
    await stop()
    assert.strictEqual((await created()).length, COUNT)
    assert.strictEqual(Object.keys(await holds()).length, COUNT)
  })
})
