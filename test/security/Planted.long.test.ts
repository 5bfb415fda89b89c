/**
 * Secrets that are planted wherever a program can have one, and a connector that repeats all of them in whatever goes
 * wrong: nothing that is said, logged, shown, stored, copied or exported has any of them, with `--debug` neither.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { inflateRawSync } from "node:zlib"
import { configuration, type Desk, desk, INVOICES, KEY, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const MAIN = join(import.meta.dirname, "../../cli/main.ts")
const script = `const { main } = await import(${JSON.stringify(MAIN)}); await main("0")`
/** The daemon from its source: a third-party connector needs the library that it was written for. */
const program = ["--input-type=module", "-e", script, "--", "daybook"]

/** What each of these says with `--debug`, and the status that the last of them ends with. */
const said = async (here: Desk, commands: ReadonlyArray<ReadonlyArray<string>>) => {
  let all = ""
  let status: number | null = null
  for (const args of commands) {
    const ran = await here.runWith({ from: "source", env: SECRETS }, ...args, "--debug")
    all += ran.stdout + ran.stderr
    status = ran.status
  }
  assert.deepStrictEqual(
    all.split("\n").filter((line) => found(line).length > 0),
    []
  )
  assert.deepStrictEqual(found(all), [])
  return { all, status }
}

const SECRETS = {
  SERVICE_KEY: KEY,
  LEDGER_KEY: "ledger-key-c0ffee/+=",
  LEDGER_SECRET: 'ledger "secret" \\ 77aa',
  WEBHOOK_SECRET: "whsec-planted-1b2c3d",
  SERVICE_WEBHOOKS: "Bearer planted-webhooks-9f",
  PAGE_PASSWORD: "planted page password",
  METRICS_TOKEN: "planted-metrics-token",
  COLLECTOR_KEY: "planted-collector-key",
  BOOKS_DATABASE: "postgres://reader:planted-db-password@127.0.0.1:9/books",
  DAYBOOK_SEAL: Buffer.from("planted-seal-key-of-32-bytes-!!!").toString("base64")
}

/** As they are, and as they are written in addresses, headers and JSON; of an address its password. */
const FORMS = [...Object.values(SECRETS), "planted-db-password"].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64"),
  JSON.stringify(secret).slice(1, -1)
])

const found = (bytes: Buffer | string): ReadonlyArray<string> => FORMS.filter((form) => bytes.includes(form))

/** A connector that fails with everything it knows: in its message, in what caused it, and in its own members. */
const LEDGER = `import { Connector } from "daybook/connectors"
import { Effect, Schema, Stream } from "effect"

const broken = (environment) => {
  const all = ["LEDGER_KEY", "LEDGER_SECRET"].map((name) => environment[name])
  const headers = { authorization: "Basic " + Buffer.from(all[0]).toString("base64"), "x-key": all[1] }
  const cause = Object.assign(new Error("sent " + JSON.stringify(headers)), { headers })
  return Object.assign(new Error("https://ledger.example/?key=" + encodeURIComponent(all[0]) + " " + all.join(" "), { cause }), { request: headers })
}
const Env = Schema.Struct({ env: Schema.String })

export const connector = Connector.make({
  name: "ledger",
  title: "repeats secrets",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({ key: Env, more: Schema.Struct({ secret: Env }) }),
  bookmark: Schema.Struct({}),
  check: (settings, { environment }) => Effect.die(broken(environment)),
  pull: (settings, after, { environment }) => Stream.die(broken(environment)),
  webhook: {
    verify: () => { throw broken(process.env) },
    hints: () => [],
    reread: (settings, ids, { environment }) => Stream.die(broken(environment))
  }
})
`

const place = (url: string, more: object = {}) => {
  const { connections, service: address } = configuration(url)
  const { first_sync, owner } = connections[0]!
  const ledger = {
    id: "ledger",
    every: "1 hour",
    source: { connector: "./ledger", key: { env: "LEDGER_KEY" }, more: { secret: { env: "LEDGER_SECRET" } } },
    webhook: { secret: { env: "WEBHOOK_SECRET" } },
    first_sync,
    owner
  }
  const columns = { id: "id", customer: "buyer", issued: "issued", due: "due", gross: "gross" }
  const database = {
    id: "database",
    every: "1 hour",
    source: {
      connector: "sql",
      url: { env: "BOOKS_DATABASE" },
      invoices: { query: "SELECT * FROM invoice", columns, currency: "GBP" }
    },
    first_sync,
    owner
  }
  return desk({
    "daybook.config.json": JSON.stringify({
      service: address,
      daemon: {
        page: { password: { env: "PAGE_PASSWORD" } },
        metrics: { token: { env: "METRICS_TOKEN" } },
        webhooks: { authorization: { env: "SERVICE_WEBHOOKS" } },
        telemetry: { url: "http://127.0.0.1:9", headers: { "x-key": { env: "COLLECTOR_KEY" } } }
      },
      connections: [{ ...connections[0], every: "1 hour" }, ledger, database],
      ...more
    }),
    "ledger/Connector.ts": LEDGER,
    "invoices.csv": INVOICES,
    "payments.csv": PAYMENTS
  })
}

/** What is in a workbook, unpacked. */
const unpacked = (bytes: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  for (let at = bytes.indexOf("PK\u0003\u0004"); at >= 0; at = bytes.indexOf("PK\u0003\u0004", at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    if (bytes.readUInt16LE(at + 8) === 8) parts.push(inflateRawSync(bytes.subarray(start), { finishFlush: 2 }))
  }
  return Buffer.concat(parts)
}

/** Files of the desk that hold a secret. */
const holding = ({ folder }: Desk): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return false
    const bytes = readFileSync(path)
    return found(/\.(xlsx|zip)$/.test(name) ? unpacked(bytes) : bytes).length > 0
  })

const COMMANDS = [
  ["doctor"],
  ["preview"],
  ["doctor", "--json"],
  ["pull"],
  ["sync"],
  ["sync", "--json"],
  ["plan", "--save", "saved.plan"],
  ["apply"],
  ["status"],
  ["attention"],
  ["explain", "INV-1"],
  ["match"],
  ["reconcile"],
  ["export", "all.xlsx"],
  ["export", "all.csv"],
  ["close", "2026-03", "--pack", "march.zip"],
  ["backup", "copy.db"],
  ["connectors", "list"]
]

describe("planted secrets", { timeout: 180_000 }, () => {
  it("are in no output of any command, nor in any file that it leaves, with --debug neither", async () => {
    const { url } = await service()
    const here = place(url)
    const { all } = await said(here, COMMANDS)
    assert.match(all, /the connector failed: .*https:\/\/ledger\.example\/\?key=…/, "it did fail, and was shown")
    assert.include(all, '{"type":"check"')
    assert.deepStrictEqual(holding(here), [])
    assert.includeMembers(readdirSync(here.folder), ["all.xlsx", "copy.db", "daybook.db", "march.zip", "saved.plan"])
  })

  it("are in no log of the daemon, on no page of it, and in no answer to a webhook that its connector breaks on", async () => {
    const { url } = await service()
    const here = place(url)
    const running = await startDaemon(here.folder, { env: SECRETS, args: ["--debug"], program })
    for (const id of ["books", "ledger", "database"])
      await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
    const webhook = await fetch(`${running.url}/webhooks/source/ledger`, { method: "POST", body: "{}" })
    assert.strictEqual(webhook.status, 500)
    assert.deepStrictEqual(found(await webhook.text()), [])
    await running.says(({ message }) => message.includes("/webhooks/source/:connection failed"))
    const wrong = await fetch(`${running.url}/login`, {
      method: "POST",
      body: new URLSearchParams({ password: SECRETS.PAGE_PASSWORD.slice(1) })
    })
    assert.deepStrictEqual([wrong.status, found(await wrong.text())], [403, []])
    const entered = await fetch(`${running.url}/login`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ password: SECRETS.PAGE_PASSWORD })
    })
    const cookie = entered.headers.get("set-cookie")!.split(";")[0]!
    const pages = [
      "/",
      "/plans",
      "/attention",
      "/documents",
      "/debtors",
      "/documents/books%2Finvoice%2FINV-1",
      "/metrics",
      "/readyz"
    ]
    for (const path of pages) {
      const answer = await fetch(`${running.url}${path}`, { headers: { cookie } })
      assert.deepStrictEqual([answer.status, found(await answer.text())], [200, []], path)
    }
    await running.stop()
    assert.include(running.text(), "https://ledger.example/?key=…")
    assert.deepStrictEqual(found(running.text()), [])
    assert.deepStrictEqual(holding(here), [])
  })

  it("are in no message about a configuration that has them written in it", async () => {
    const { url } = await service()
    const literal = [
      { service: { url, key: SECRETS.LEDGER_KEY } },
      { service: { url: url.replace("//", `//user:${SECRETS.WEBHOOK_SECRET}@`), key: { env: "SERVICE_KEY" } } },
      { daemon: { metrics: { token: SECRETS.METRICS_TOKEN } } },
      { daemon: { page: { password: SECRETS.PAGE_PASSWORD } } },
      { daemon: { telemetry: { url: "http://127.0.0.1:9", headers: { "x-key": SECRETS.COLLECTOR_KEY } } } }
    ]
    for (const more of literal) {
      const { all, status } = await said(place(url, more), [["pull"], ["pull", "--json"]])
      assert.strictEqual(status, 2, all)
    }
  })
})
