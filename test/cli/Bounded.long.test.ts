/**
 * The real daemon before what it cannot do: an approved plan with a key that the service refuses, and a backup with an
 * approved plan that was put back. It tries once and waits, and keeps the approval.
 *
 * What it waits for is the line of `due` in sync/schedule/Due.ts that asks `RunState.rested` for pressing reasons.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, renameSync, rmSync } from "node:fs"
import { books, configuration, type Desk, ofType, PAYMENTS, service, type Service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

/** How often it tried, and how often it asked the service, from its first failure on for so long. */
const watched = async (here: Desk, there: Service, env: Readonly<Record<string, string>> = {}) => {
  const all = async () => (await there.control<ReadonlyArray<unknown>>("GET", "requests?since=0")).length
  const before = await all()
  const daemon = await startDaemon(here.folder, { env })
  await daemon.says(({ outcome }) => outcome === "failed")
  await new Promise((resolve) => setTimeout(resolve, 4000))
  const failed = daemon.said().filter(({ outcome }) => outcome === "failed")
  await daemon.stop()
  return { failed, requests: (await all()) - before }
}

describe("an approved plan that cannot be sent", () => {
  it("is tried once and left alone, in the real daemon", { timeout: 120_000 }, async () => {
    const there = await service()
    const { connections, service: settings } = configuration(there.url)
    const here = books(there.url, {
      "payments.csv": PAYMENTS.split("\n").slice(0, 3).join("\n"),
      "daybook.config.json": JSON.stringify({
        service: settings,
        connections: [{ ...connections[0], approve: true, every: "1 hour" }]
      })
    })
    const daemon = await startDaemon(here.folder)
    await daemon.says(({ outcome }) => outcome === "waits for approval")
    await daemon.stop()
    const asked = async () => ofType(await here.run("approve", "--json"), "approval")[0]
    const digest = String((await asked())!["digest"])
    assert.strictEqual((await here.run("approve", "books", "--digest", digest.slice(0, 12), "--by", "Ann")).status, 0)
    assert.strictEqual((await here.run("backup", "approved.db")).status, 0)

    const refused = await watched(here, there, { SERVICE_KEY: "nonsense" })
    assert.strictEqual(refused.failed.length, 1)
    assert.match(refused.failed[0]!.message, /key.*trying again in 1 minute/)
    assert.isAtMost(refused.requests, 10)
    assert.strictEqual((await asked())!["decision"], "approved")

    // A person does not wait; then the backup is put back, of before anything was sent.
    assert.strictEqual((await here.run("sync")).status, 0)
    const sent = (await there.calls()).length
    for (const name of readdirSync(here.folder)) if (name.startsWith("daybook.db")) rmSync(here.path(name))
    renameSync(here.path("approved.db"), here.path("daybook.db"))
    const restored = await watched(here, there)
    assert.strictEqual(restored.failed.length, 1)
    assert.match(restored.failed[0]!.message, /reconcile --fix.*trying again in 1 minute/)
    assert.isAtMost(restored.requests, 10)
    assert.strictEqual((await there.calls()).length, sent, "nothing is sent again")
    assert.strictEqual((await asked())!["decision"], "approved")
  })
})
