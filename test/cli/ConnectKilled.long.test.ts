/**
 * `daybook connect` as a process that dies: while it waits for the browser, after the source gave tokens and before they
 * are on the disk, and after that. What was kept stays whole, and the next one works.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Encryption from "../../sync/vault/Encryption.ts"
import * as Vault from "../../sync/vault/Vault.ts"
import { configuration, type Desk, desk, NOWHERE, useCommand } from "../support/Cli.ts"

useCommand()

const MAIN = join(import.meta.dirname, "../../cli/main.ts")
const SEAL = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
const CLIENT = { CLIENT_ID: "me", CLIENT_SECRET: "secret" }

/** The command from its source, which dies at a commit of the vault once the source has answered (`DIES`). */
const script = `import { createRequire } from "node:module"
import { existsSync } from "node:fs"
const Sqlite = createRequire(${JSON.stringify(MAIN)})("better-sqlite3")
const { exec } = Sqlite.prototype
const die = () => process.kill(process.pid, "SIGKILL")
Sqlite.prototype.exec = function (sql) {
  const now = sql === "COMMIT" && this.name.endsWith(".vault") && existsSync("answered") ? process.env.DIES : undefined
  if (now === "before") die()
  const done = exec.call(this, sql)
  if (now === "after") die()
  return done
}
const { main } = await import(${JSON.stringify(MAIN)})
await main("0")`
const through = (node: string) => [node, "--input-type=module", "-e", script, "--", "daybook"] as const

const LEDGER = `import { Connector } from "daybook/connectors"
import { Schema, Stream } from "effect"

export const connector = Connector.make({
  name: "ledger",
  title: "authorised in the browser",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [], authorises: "oauth2" },
  settings: Schema.Struct({ tokens: Schema.String }),
  bookmark: Schema.Struct({}),
  authorisation: ({ tokens }) => ({
    page: "https://ledger.example/authorize", tokens, scopes: ["read"], client: { id: "CLIENT_ID", secret: "CLIENT_SECRET" }
  }),
  pull: () => Stream.empty
})
`

/** A source that gives tokens for its code, each time others, and leaves a file when it has answered. */
const source = async (here: () => Desk): Promise<Server> => {
  let n = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => {
      n++
      writeFileSync(here().path("answered"), "")
      response.end(JSON.stringify({ access_token: `access-${n}`, refresh_token: `refresh-${n}`, expires_in: 1800 }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}

/** Starts it, agrees in the browser when it asks, and waits for its end. */
const connect = async (here: Desk, how: { readonly dies?: string; readonly waiting?: true } = {}) => {
  rmSync(here.path("answered"), { force: true })
  let text = ""
  const onStart = (child: ChildProcess) =>
    child.stdout!.on("data", (more) => {
      text += more
      const asked = text.split("\n").find((line) => line.includes('"authorise"') && line.endsWith("}"))
      if (asked === undefined) return
      text = ""
      if (how.waiting) return void child.kill("SIGKILL")
      const { address, redirect } = JSON.parse(asked)
      const state = new URL(address).searchParams.get("state")
      fetch(`${redirect}?code=code-1&state=${state}`).catch(() => {})
    })
  const env = { ...CLIENT, DAYBOOK_SEAL: SEAL, DIES: how.dies }
  return here.runWith({ through, env, onStart }, "connect", "books", "--json", "--port", "0", "--no-browser")
}

const kept = (here: Desk) =>
  Effect.runPromise(
    Vault.make({
      file: here.path("daybook.db.vault"),
      key: Encryption.key(SEAL, "the test"),
      name: "books",
      connector: "ledger"
    }).read
  )

describe("an authorisation whose process is killed", () => {
  it("keeps what was there or what is new, whole, and the next one works", { timeout: 120_000 }, async () => {
    let here = desk()
    const server = await source(() => here)
    const { port } = server.address() as AddressInfo
    const { connections, service } = configuration(NOWHERE)
    const ledger = { ...connections[0], source: { connector: "./ledger", tokens: `http://127.0.0.1:${port}/token` } }
    here = desk({
      "daybook.config.json": JSON.stringify({ service, connections: [ledger] }),
      "ledger/Connector.ts": LEDGER
    })
    // While it waits: nothing was asked for, and no vault holds anything.
    assert.strictEqual((await connect(here, { waiting: true })).signal, "SIGKILL")
    assert.isFalse(existsSync(here.path("answered")))
    assert.isUndefined(await kept(here))

    assert.strictEqual((await connect(here, { dies: "before" })).signal, "SIGKILL")
    assert.isTrue(existsSync(here.path("answered")))
    assert.isUndefined(await kept(here), "there was nothing, and there is nothing")

    const first = await connect(here)
    assert.strictEqual(first.status, 0, first.stderr)
    assert.include(await kept(here), '"refresh-2"')

    assert.strictEqual((await connect(here, { dies: "before" })).signal, "SIGKILL")
    assert.include(await kept(here), '"refresh-2"', "what was kept before is whole")

    assert.strictEqual((await connect(here, { dies: "after" })).signal, "SIGKILL")
    assert.include(await kept(here), '"refresh-4"', "what is new is whole")

    assert.strictEqual((await connect(here)).status, 0)
    assert.include(await kept(here), '"refresh-5"')
    server.close()
  })
})
