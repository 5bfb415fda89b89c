/**
 * Sources that hang: every command that waits for one ends when it is told to, in a bounded time, and keeps what was read;
 * however many hang, the other connections and tenants run on time, and monitoring tells of those that do.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  configuration,
  type Desk,
  desk,
  INVOICES,
  KEY,
  PAYMENTS,
  program,
  service,
  useCommand
} from "../support/Cli.ts"
import { killAtEnd, startDaemon, until } from "../support/Daemon.ts"
import { SILENCES, type Silent } from "../support/SilentDatabase.ts"

useCommand()

let silent: Silent
beforeAll(async () => {
  silent = await SILENCES.find(([what, scheme]) => what === "takes the login" && scheme === "mysql")![2]()
})
afterAll(() => silent.close())

const env = () => ({ DB: `mysql://u:password@127.0.0.1:${silent.port}/x` })

/** Connections that hang, and the books of files. */
const connections = (url: string, { hang = 1, timeout = "1 hour" }: { hang?: number; timeout?: string } = {}) => {
  const [books] = configuration(url).connections
  const { id, currency, columns } = {
    id: "a",
    currency: "GBP",
    columns: { id: "i", customer: "c", issued: "d", due: "e", gross: "g" }
  }
  const hung = Array.from({ length: hang }, (_, n) => ({
    id: `${id}${n}`,
    every: "1 hour",
    source: {
      connector: "sql",
      url: { env: "DB" },
      timeout,
      invoices: { query: `SELECT * FROM ${id}${n}`, columns, currency }
    },
    owner: books!.owner
  }))
  return { books: { ...books!, every: "1 hour" }, hung }
}

const world = async (options: Parameters<typeof connections>[1] & { readonly daemon?: object } = {}) => {
  const { url } = await service()
  const { service: settings } = configuration(url)
  const { books, hung } = connections(url, options)
  const { daemon = {} } = options
  const config = { service: settings, connections: hung.length > 1 ? [...hung, books] : [books, ...hung], daemon }
  return {
    url,
    here: desk({ "daybook.config.json": JSON.stringify(config), "invoices.csv": INVOICES, "payments.csv": PAYMENTS })
  }
}

/** Starts a command, its standard input open; tells it to stop once `waits`. */
const stopped = async (
  { folder }: Pick<Desk, "folder">,
  args: ReadonlyArray<string>,
  signal: NodeJS.Signals,
  waits: (said: string) => unknown,
  {
    command = [program()],
    env: more = env(),
    input = ""
  }: { command?: ReadonlyArray<string>; env?: Record<string, string>; input?: string } = {}
) => {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: folder,
    env: { ...process.env, SERVICE_KEY: KEY, ...more },
    stdio: ["pipe", "pipe", "pipe"]
  })
  killAtEnd(child)
  child.stdin.write(input)
  let text = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more) => void (text += more))
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.on("exit", (status, by) => resolve([status, by]))
  )
  await until(`${args.join(" ")} waits:\n${text}`, () => (waits(text) ? true : undefined))
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.isNull(child.exitCode, text)
  const begun = performance.now()
  child.kill(signal)
  const [status, by] = await ended
  return { status, by, text, took: performance.now() - begun }
}

const isRead = (file: string): boolean => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return (db.prepare("SELECT count(*) FROM document").pluck().get() as number) > 0
  } finally {
    db.close()
  }
}

describe("a command that waits for a source that hangs", { timeout: 60_000 }, () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    for (const args of [["pull"], ["sync"], ["doctor"], ["preview", "a0"], ["daemon", "--listen", "127.0.0.1:0"]])
      it(`ends by ${signal}, and keeps what was read: ${args[0]}`, async () => {
        const { here } = await world()
        const { by, status, text, took } = await stopped(here, args, signal, () => silent.open() > 0)
        assert.isBelow(took, 5000, text)
        assert.isNull(by)
        assert.include(args[0] === "daemon" ? [0, 3] : [130], status, text)
        if (["pull", "sync"].includes(args[0]!)) {
          assert.match(text, /stopped\. What was read .*is kept/)
          assert.isTrue(isRead(here.path("daybook.db")))
        }
        await until("it is let go", () => (silent.open() === 0 ? true : undefined))
      })

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`ends by ${signal} with many tenants`, async () => {
      const { folder, write } = await tenants(["one", "two"], {})
      write("daybook.tenants.json", JSON.stringify({ daemon: { private_addresses: true } }))
      const args = ["daemon", "--tenants", ".", "--listen", "127.0.0.1:0"]
      const { by, took, text } = await stopped({ folder }, args, signal, () => silent.open() >= 2)
      assert.isNull(by)
      assert.isBelow(took, 5000, text)
      await until("they are let go", () => (silent.open() === 0 ? true : undefined))
    })

    it(`ends by ${signal} while its standard input is open: mcp, connect`, async () => {
      const { here } = await world()
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      }
      for (const [args, more, input, says] of [
        [["mcp"], env(), `${JSON.stringify(hello)}\n`, /protocolVersion/],
        [["connect", "a0"], { DB: "", DAYBOOK_SEAL: Buffer.alloc(32).toString("base64") }, "", undefined]
      ] as const) {
        const begun = Date.now()
        // Nothing tells that it waits for a secret on its standard input.
        const waits = (said: string) => says?.test(said) ?? Date.now() - begun > 5000
        const { by, took, text } = await stopped(here, args, signal, waits, { env: more, input })
        assert.isNull(by)
        assert.isBelow(took, 5000, text)
      }
    })
  }

  it("ends although its connector never lets go", { timeout: 90_000 }, async () => {
    const { here } = await world({ hang: 0 })
    const [books] = connections("http://127.0.0.1:9").hung
    const { service: settings } = configuration("http://127.0.0.1:9")
    here.write(
      "stubborn/Connector.ts",
      `import { Connector } from "daybook/connectors"
import { Effect, Schema, Stream } from "effect"
import { writeFileSync } from "node:fs"
export const connector = Connector.make({
  name: "stubborn", title: "never lets go", capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({}), bookmark: Schema.Struct({}),
  pull: () => Stream.fromEffect(Effect.uninterruptible(Effect.callback(() => { writeFileSync("waits", ""); setInterval(() => {}, 1000) })))
})
`
    )
    const config = {
      service: settings,
      connections: [{ id: "own", source: { connector: "./stubborn" }, owner: books!.owner }]
    }
    here.write("daybook.config.json", JSON.stringify(config))
    const main = new URL("../../cli/main.ts", import.meta.url).href
    const command = ["--input-type=module", "-e", `(await import(${JSON.stringify(main)})).main("0.0.0")`, "daybook"]
    const { existsSync } = await import("node:fs")
    const { by, status, text, took } = await stopped(here, ["pull"], "SIGTERM", () => existsSync(here.path("waits")), {
      command
    })
    assert.deepStrictEqual([status, by], [130, null], text)
    assert.isBelow(took, 25_000)
  })
})

/** A folder of tenants whose databases hang, and one with books of files. */
const tenants = async (names: ReadonlyArray<string>, options: Parameters<typeof connections>[1]) => {
  const { url } = await service()
  const { service: settings } = configuration(url)
  const { folder, write } = desk()
  const { books, hung } = connections(url, options)
  for (const name of [...names, "good"]) {
    mkdirSync(join(folder, name))
    const own = (one: typeof books | (typeof hung)[number]) => ({
      ...one,
      owner: { organisation: { ...one.owner.organisation, unique_id: name } }
    })
    const config = { service: settings, connections: name === "good" ? [own(books)] : hung.map(own) }
    write(`${name}/daybook.config.json`, JSON.stringify(config))
    write(`${name}/invoices.csv`, INVOICES)
    write(`${name}/payments.csv`, PAYMENTS)
    writeFileSync(join(folder, name, ".env"), `SERVICE_KEY=${KEY}\nDB=${env().DB}\n`)
  }
  return { folder, write }
}

describe("sources that hang", { timeout: 60_000 }, () => {
  it("keep no other connection of the daemon waiting", async () => {
    const { here } = await world({ hang: 6, daemon: { at_once: 2 } })
    const daemon = await startDaemon(here.folder, { env: env() })
    await daemon.says(({ connection, outcome }) => connection === "books" && outcome === "attention")
    await until("they hang", () => (silent.open() === 6 ? true : undefined))
    assert.strictEqual((await fetch(`${daemon.url}/readyz`)).status, 200)
    assert.deepStrictEqual(await daemon.stop(), [3, null])
  })

  it("count as failures, which figures and log tell", async () => {
    const { here } = await world({ hang: 3, timeout: "1 second", daemon: { at_once: 1 } })
    const daemon = await startDaemon(here.folder, { env: env() })
    for (const id of ["a0", "a1", "a2"]) {
      const { message } = await daemon.says(({ connection, outcome }) => connection === id && outcome === "failed")
      assert.match(message, /^sql: cannot be read now: x on 127\.0\.0\.1:\d+ has sent nothing for 1 second /)
      const figures = await (await fetch(`${daemon.url}/metrics`)).text()
      assert.match(figures, new RegExp(`daybook_failures\\{connection="${id}"\\} 1`))
    }
    assert.deepStrictEqual(await daemon.stop(), [3, null])
  })

  it("keep no other tenant waiting", async () => {
    const names = Array.from({ length: 6 }, (_, n) => `hung${n}`)
    const { folder, write } = await tenants(names, {})
    write(
      "daybook.tenants.json",
      JSON.stringify({ daemon: { at_once: 2, private_addresses: true }, spread: "100 millis" })
    )
    const daemon = await startDaemon(folder, { args: ["--tenants", "."], env: env() })
    await daemon.says((line) => line["tenant"] === "good" && line.outcome === "attention")
    await until("they hang", () => (silent.open() === 6 ? true : undefined))
    assert.deepStrictEqual(await daemon.stop(), [3, null])
  })
})
