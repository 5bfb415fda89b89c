/**
 * The state file and its lock as somebody treats them who does not know what they are: deleted, put back from a copy,
 * copied, while the real command or the daemon works. Nothing is sent twice, and it is said what to do.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { type ChildProcess, spawn } from "node:child_process"
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { books, configuration, failed, KEY, many, ofType, program, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

const INVOICES = 12
/** The owner, and of each invoice: itself, its payment, and that it is paid. */
const CALLS = 1 + 3 * INVOICES

const world = async (every = false) => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const config = {
    service: { ...settings, concurrency: 3, settle_after: "300 millis" },
    connections: [{ ...connections[0]!, ...(every ? { every: "1 hour" } : {}) }]
  }
  const text = JSON.stringify(config)
  const here = books(there.url, { ...many(INVOICES), "daybook.config.json": text })
  const slow = async (delay_ms: number) => {
    for (const method of ["POST", "PUT"])
      await there.control("POST", "faults", { method, path: "/v1", kind: "delay", delay_ms })
  }
  const fast = () => there.control("DELETE", "faults")
  return { there, here, slow, fast, text, state: here.path("daybook.db") }
}

/** The command, running. */
const start = (folder: string, ...args: ReadonlyArray<string>) => {
  const env = { ...process.env, SERVICE_KEY: KEY }
  const child = spawn(process.execPath, [program(), ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  let stderr = ""
  child.stdout.resume()
  child.stderr.setEncoding("utf8").on("data", (more) => void (stderr += more))
  const ended = new Promise<{ readonly status: number | null; readonly stderr: string }>((resolve) =>
    child.on("close", (status) => resolve({ status, stderr }))
  )
  return { child, ended }
}

/** Stops it between two writes; where it was within one, it goes on. */
const stands = (child: ChildProcess, state: string): true | undefined => {
  child.kill("SIGSTOP")
  const db = new Sqlite(state, { timeout: 0 })
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK")
    return true
  } catch {
    child.kill("SIGCONT")
    return undefined
  } finally {
    db.close()
  }
}

describe("the lock file that is deleted while the command sends", () => {
  it("lets no other process send beside it: that one says who does, and the first one stops", async () => {
    const { fast, here, slow, state, there } = await world()
    await slow(250)
    const first = start(here.folder, "sync")
    await until("it sends", async () => ((await there.calls()).length >= 5 ? true : undefined))
    await until("it stands still", () => stands(first.child, state))
    rmSync(here.path("daybook.db.lock"))
    assert.match(failed(await here.run("sync"), 5), /another process is sending from it \(run 1, process \d+ on /)
    first.child.kill("SIGCONT")
    const { status, stderr } = await first.ended
    assert.strictEqual(status, 1)
    assert.match(stderr, /its lock, .*daybook\.db\.lock, was deleted or replaced while this program held it/)
    await fast()
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.strictEqual(Object.keys(await there.holds()).length, INVOICES)
    for (const one of Object.values(await there.holds()) as ReadonlyArray<{ payments: ReadonlyArray<string> }>)
      assert.strictEqual(one.payments.length, 1)
    const sent = (await there.calls()).length
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.strictEqual((await there.calls()).length, sent)
    assert.isAtMost(
      sent,
      CALLS + 3,
      "only what was on its way is sent again, and only where the service does not have it"
    )
  })
})

describe("the state file", () => {
  for (const [name, happens, says] of [
    ["deleted", (state: string) => rmSync(state), /was deleted, moved or replaced while this program used it/],
    [
      "replaced by another",
      (state: string) => {
        copyFileSync(state, `${state}.copy`)
        renameSync(`${state}.copy`, state)
      },
      /was deleted, moved or replaced while this program used it/
    ],
    [
      "overwritten with an older one",
      (state: string) => writeFileSync(state, readFileSync(`${state}.older`)),
      /an older version was put in its place/
    ]
  ] as const)
    it(`that is ${name} under a daemon ends it, with what to do, before it sends anything more`, async () => {
      const { here, state, text, there } = await world(true)
      assert.strictEqual((await here.run("pull")).status, 0)
      copyFileSync(state, `${state}.older`)
      const daemon = await startDaemon(here.folder)
      await daemon.says(({ outcome }) => outcome === "done")
      const sent = (await there.calls()).length
      assert.strictEqual(sent, CALLS)
      // Once it has let go of the file: what happens to that before is not seen where the inode stays the same.
      await here.run("pull")
      happens(state)
      // A connection that is new has its turn at once.
      const config = JSON.parse(text) as { connections: ReadonlyArray<object> }
      const more = { ...config.connections[0], id: "more" }
      here.write("daybook.config.json", JSON.stringify({ ...config, connections: [...config.connections, more] }))
      daemon.child.kill("SIGHUP")
      assert.deepStrictEqual(await daemon.ended, [1, null])
      assert.match(daemon.text(), says)
      assert.strictEqual((await there.calls()).length, sent)
    })

  it("that is put back from a copy sends nothing until it was compared with the service", async () => {
    const { here, state, there } = await world()
    assert.strictEqual((await here.run("sync")).status, 0)
    copyFileSync(state, `${state}.older`)
    const payments = readFileSync(here.path("payments.csv"), "utf8")
    here.write("payments.csv", `${payments}P-more,INV-1,2026-03-22,5.00,,\n`)
    // More was paid than was asked.
    assert.strictEqual((await here.run("sync")).status, 3)
    const [holds, sent] = [await there.holds(), (await there.calls()).length]
    writeFileSync(state, readFileSync(`${state}.older`))
    assert.match(failed(await here.run("sync"), 4), /an older version of it was put back in its place/)
    assert.strictEqual((await there.calls()).length, sent)
    await here.run("reconcile", "--fix")
    const last = await here.run("sync", "--json")
    assert.strictEqual(last.status, 3, last.stdout + last.stderr)
    assert.deepStrictEqual(await there.holds(), holds)
    assert.strictEqual(ofType(last, "summary")[0]!["done"], 0)
  })

  it("that is a copy of another which still exists is not worked with", async () => {
    const { here, state, there } = await world()
    assert.strictEqual((await here.run("sync")).status, 0)
    const sent = (await there.calls()).length
    copyFileSync(state, here.path("copy.db"))
    assert.include(
      failed(await here.run("sync", "--state", "copy.db"), 1),
      `it is a copy of ${state}, which still exists`
    )
    assert.strictEqual((await here.run("sync")).status, 0)
    rmSync(state)
    here.write("invoices.csv", readFileSync(here.path("invoices.csv"), "utf8").replaceAll("2026-03-31", "2026-04-30"))
    assert.match(failed(await here.run("sync", "--state", "copy.db"), 4), /it is a copy of/)
    assert.isFalse(existsSync(state))
    assert.strictEqual((await there.calls()).length, sent)
  })
})
