/** Downloads whose clients go away: nothing of them stays open, and others are answered. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
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

  it("that was being written when its process was killed is deleted by the next one", async () => {
    const here = books(NOWHERE, { "daybook.config.json": JSON.stringify(configuration(NOWHERE)) })
    const temporary = here.path(".")
    const host = hash("sha256", hostname(), "hex").slice(0, 8)
    const gone = spawnSync(process.execPath, ["-e", ""]).pid
    const made = (name: string) => {
      mkdirSync(join(temporary, name))
      writeFileSync(join(temporary, name, "books.sqlite"), "books")
      return () => existsSync(join(temporary, name))
    }
    const stale = ["download", "page", "node"].map((what) => made(`daybook-${what}-${host}-${gone}-abcdef`))
    const others = [
      made(`daybook-download-${host}-${process.pid}-abcdef`),
      made(`daybook-download-00000000-${gone}-abcdef`),
      made(`daybook-download-${gone}`),
      made("books")
    ]
    await startDaemon(here.folder, { env: { TMPDIR: temporary } })
    assert.deepStrictEqual(
      stale.map((is) => is()),
      [false, false, false]
    )
    assert.deepStrictEqual(
      others.map((is) => is()),
      [true, true, true, true]
    )
  })
})
