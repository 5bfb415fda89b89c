/**
 * The state file's write-ahead log, deleted while a part of the ledger was in it and nowhere else: what was sent is not
 * sent once more.
 */
import { assert, describe, it } from "@effect/vitest"
import type { ChildProcess } from "node:child_process"
import { rmSync, statSync } from "node:fs"
import { books, configuration, many, service, useCommand } from "../support/Cli.ts"

useCommand()

/** What this answers once it has answered the same for a while. */
const still = async (ask: () => Promise<number>): Promise<number> => {
  for (let before = await ask(); ; ) {
    await new Promise((go) => setTimeout(go, 500))
    const now = await ask()
    if (now === before) return now
    before = now
  }
}

describe("a write-ahead log", () => {
  it("that is deleted after a kill is noticed, and nothing is sent twice", { timeout: 120_000 }, async () => {
    const there = await service()
    const settings = configuration(there.url)
    const slow = { ...settings, service: { ...settings.service, concurrency: 2, settle_after: "150 millis" } }
    const here = books(there.url, { ...many(30), "daybook.config.json": JSON.stringify(slow) })
    assert.strictEqual((await here.run("pull")).status, 0)
    await there.control("POST", "faults", { method: "POST", path: "/v1", kind: "delay", delay_ms: 20 })
    let killed: Promise<void> | undefined
    const onStart = (child: ChildProcess) => {
      killed = (async () => {
        while (child.exitCode === null && (await there.calls()).length < 40)
          await new Promise((go) => setTimeout(go, 5))
        child.kill("SIGKILL")
      })()
    }
    const ran = await here.runWith({ onStart }, "apply")
    await killed
    assert.strictEqual(ran.signal, "SIGKILL")
    assert.isAbove(statSync(here.path("daybook.db-wal")).size, 0)
    for (const end of ["-wal", "-shm"]) rmSync(here.path(`daybook.db${end}`))
    // What was on its way when it died arrives all the same.
    const sent = await still(async () => (await there.calls()).length)

    const stopped = await here.run("apply")
    assert.strictEqual(stopped.status, 4, stopped.stderr)
    assert.match(stopped.stderr, /is behind the service.*daybook reconcile --fix/)
    assert.strictEqual((await there.calls()).length, sent)

    await here.run("reconcile", "--fix")
    assert.strictEqual((await here.run("sync")).status, 0)
    const holds = await there.holds()
    assert.strictEqual(Object.keys(holds).length, 30)
    const made = (await there.calls()).filter(({ method, path }) => method === "POST" && /transactions\/?$/.test(path))
    assert.isAtMost(made.length, 30, "each invoice once")
  })
})
