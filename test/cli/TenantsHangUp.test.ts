/** SIGHUP to a daemon over many tenants: everything is read again, or it says why not; and nothing ends. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { configuration, NOWHERE, program, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

describe("SIGHUP to the daemon over many tenants", () => {
  useCommand()

  it("looks at the folder and its tenants again, and ends nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-signal-"))
    mkdirSync(join(folder, "tenants"))
    const settings = (text: string) => writeFileSync(join(folder, "tenants", "daybook.tenants.json"), text)
    settings("{}")
    const daemon = await startDaemon(folder, { args: ["--tenants", "tenants"] })
    const hangUp = async (said: string) => {
      const from = daemon.said().length
      daemon.child.kill("SIGHUP")
      return await daemon.says(({ message }) => message.includes(said), from)
    }
    for (const name of ["acme", "globex"]) {
      mkdirSync(join(folder, "tenants", name))
      writeFileSync(join(folder, "tenants", name, "daybook.config.json"), JSON.stringify(configuration(NOWHERE)))
    }
    await hangUp("2 tenants read again")
    const own = join(folder, "tenants", "globex", "daybook.config.json")
    const before = readFileSync(own)
    writeFileSync(own, "{ broken")
    await hangUp("globex: its configuration is invalid; it does not run: ")
    writeFileSync(own, before)
    rmSync(join(folder, "tenants", "acme"), { recursive: true })
    await hangUp("1 tenant read again")
    settings('{ "max_open": 7 }')
    await hangUp("tenants/daybook.tenants.json takes effect at the next start")
    settings("{")
    await hangUp("not everything was read again: ")
    assert.strictEqual((await fetch(`${daemon.url}/healthz`)).status, 200)
    daemon.child.kill("SIGTERM")
    daemon.child.kill("SIGHUP")
    await daemon.ended
    assert.include(daemon.text(), "stopped; what was sent is kept")
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it("does not end one that is starting", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-signal-"))
    const child = spawn(process.execPath, [program(), "daemon", "--tenants", "nowhere"], {
      cwd: folder,
      stdio: "ignore"
    })
    const ended = once(child, "exit")
    await once(child, "spawn")
    const hears = () =>
      (Number.parseInt(/SigCgt:\s+\w*(\w)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]!, 16) & 1) === 1
    while (!hears()) await pause(1)
    child.kill("SIGHUP")
    assert.deepStrictEqual(await ended, [2, null])
    rmSync(folder, { recursive: true, force: true })
  })
})
