/** Downloads whose clients go away: nothing of them stays open, and others are answered. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { books, configuration, NOWHERE, many, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

const TOKEN = "reader-0123456789abcdef"
const headers = { authorization: `Bearer ${TOKEN}` }

describe("a download", { timeout: 60_000 }, () => {
  it("that is abandoned leaves nothing open, and no folder", async () => {
    const api = { tokens: [{ name: "reader", token: { env: "READER" }, scopes: ["read"] }] }
    const here = books(NOWHERE, {
      ...many(600),
      "daybook.config.json": JSON.stringify({ ...configuration(NOWHERE), daemon: { api } })
    })
    assert.strictEqual((await here.run("pull")).status, 0)
    const temporary = here.path(".")
    const { child, url } = await startDaemon(here.folder, { env: { READER: TOKEN, TMPDIR: temporary } })
    const folders = () => readdirSync(temporary).filter((name) => name.startsWith("daybook-download-")).length
    const open = () => readdirSync(`/proc/${child.pid}/fd`).length
    for (const path of ["views.sqlite", "export.xlsx", "export/invoices.csv"]) {
      const whole = await fetch(`${url}/api/v1/${path}`, { headers })
      assert.strictEqual(whole.status, 200, path)
      assert.isAbove((await whole.arrayBuffer()).byteLength, 1000)
    }
    const before = open()
    const abandoned = async (n: number) => {
      const answer = await fetch(`${url}/api/v1/views.sqlite`, { headers, signal: AbortSignal.timeout(3 + n * 3) })
      await answer.body?.cancel()
    }
    for (let n = 0; n < 16; n++) await abandoned(n).catch(() => undefined)
    await until("nothing is left open", () => (open() <= before + 3 && folders() === 0 ? true : undefined))
  })
})
