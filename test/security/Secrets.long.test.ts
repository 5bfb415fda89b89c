/**
 * Secrets are nowhere in the clear: after runs with faults, with a service that repeats the key in its refusals, no
 * output, no export, no plan, no error and no file has any of them.
 */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import { networkInterfaces } from "node:os"
import type { AddressInfo } from "node:net"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { EFFORT } from "../support/Effort.ts"
import {
  books,
  configuration,
  type Desk,
  KEY,
  NOWHERE,
  type Ran,
  type RunOptions,
  service,
  useCommand
} from "../support/Cli.ts"

useCommand()

/** Names of files in a folder that hold any of these. */
const holding = (folder: string, secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    if (statSync(join(folder, name)).isDirectory()) return false
    const bytes = readFileSync(join(folder, name))
    return secrets.some((secret) => bytes.includes(secret))
  })

const SECRETS = [KEY, Buffer.from(`${KEY}:`).toString("base64"), Buffer.from(KEY).toString("base64")]

const silent = (ran: Ran, what: string) => {
  for (const secret of SECRETS) assert.notInclude(ran.stdout + ran.stderr, secret, what)
}

const COMMANDS = [
  ["doctor"],
  ["preview"],
  ["sync", "--json"],
  ["plan", "--save", "saved.plan"],
  ["apply"],
  ["status"],
  ["attention"],
  ["explain", "INV-1"],
  ["export", "all.xlsx"],
  ["export", "all.csv"],
  ["sync", "--config", "nowhere.json"]
]

const SENDING = ["doctor", "sync", "apply"]

const everything = async (desk: Desk, commands = COMMANDS, options: RunOptions = {}) => {
  let all = ""
  for (const args of commands) {
    const ran = await desk.runWith(options, ...args)
    assert.isAbove((ran.stdout + ran.stderr).length, 0)
    silent(ran, args.join(" "))
    all += `${ran.stdout}${ran.stderr}\n`
  }
  assert.deepStrictEqual(holding(desk.folder, SECRETS), [])
  return all
}

describe("the key of the service", () => {
  it("is in no output and in no file, after runs with faults of every kind", { timeout: 60_000 }, async () => {
    const there = await service()
    for (const kind of ["lose_response", "garble", "lose_request"])
      await there.control("POST", "faults", { path: "/v1", kind, skip: 1, times: 1 })
    for (const status of [400, 401, 403, 404, 409, 500])
      await there.control("POST", "faults", { path: "/v1", kind: "status", status, skip: 4, times: 1 })
    const settings = configuration(there.url)
    const quick = { ...settings, service: { ...settings.service, settle_after: "100 millis" } }
    // Whatever a process of its own writes, is seen.
    const desk = books(there.url, { "daybook.config.json": JSON.stringify(quick) })
    await everything(desk, COMMANDS, { alone: true })
  })

  it("nor where the service repeats it in every refusal", { timeout: 60_000 }, async () => {
    for (const status of [400, 401, 403]) {
      const echo = createServer((request, response) => {
        const said = `you sent ${request.headers.authorization}`
        response.writeHead(status, { "content-type": "application/json" })
        response.end(JSON.stringify({ detail: said, number: [said] }))
      })
      await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve))
      // One refusal stands for all of them at commands that send little; nightly each is tried.
      const commands = status === 401 || EFFORT > 1 ? COMMANDS : COMMANDS.filter(([name]) => SENDING.includes(name!))
      const said = await everything(books(`http://127.0.0.1:${(echo.address() as AddressInfo).port}`), commands)
      assert.include(said, "you sent Token …")
      await new Promise((resolve) => echo.close(resolve))
    }
  })

  it("nor where nobody answers", async () => void (await everything(books(NOWHERE), COMMANDS.slice(0, 2))))
})

describe("the sandbox", () => {
  it("listens on this machine only, unless told otherwise", async () => {
    const sandbox = await startSandbox({ port: 0 })
    try {
      const { hostname, port } = new URL(sandbox.url)
      assert.strictEqual(hostname, "127.0.0.1")
      const others = Object.values(networkInterfaces())
        .flatMap((one) => one ?? [])
        .filter(({ family, internal }) => family === "IPv4" && !internal)
      for (const { address } of others) {
        const reached = await fetch(`http://${address}:${port}/docs`).then(
          () => true,
          () => false
        )
        assert.isFalse(reached, address)
      }
    } finally {
      await sandbox.close()
    }
  })
})

describe("a value of a source", () => {
  it("is text wherever it goes: into SQL, addresses, files and tables", { timeout: 60_000 }, async () => {
    const there = await service()
    const evil = [
      "'; DROP TABLE document; --",
      "../../etc/passwd",
      "x/../../organisations",
      "=cmd|' /C calc'!A0",
      "<b>{{7*7}}</b>",
      "a?b#c%2F"
    ]
    const invoices = evil.map((id, n) => `"${id}","${id}",GB,2026-03-0${n + 1},2026-04-01,100.00,120.00,Sent`)
    const payments = evil.map((id, n) => `"P ${id}","${id}",2026-03-2${n},120.00,,`)
    const desk = books(there.url, {
      "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${invoices.join("\n")}\n`,
      "payments.csv": `Ref,Invoice,Date,Amount,Type,Code\n${payments.join("\n")}\n`
    })
    const before = readdirSync(desk.folder)
    const ran = await desk.run("sync", "--json")
    assert.strictEqual(ran.status, 0, ran.stdout + ran.stderr)
    const held = await there.holds()
    assert.strictEqual(Object.keys(held).length, evil.length)
    assert.isTrue(Object.values(held).every((one) => (one as { readonly status: string }).status === "paid"))
    for (const id of evil) assert.strictEqual((await desk.run("explain", id)).status, 0, id)
    const again = await desk.run("sync", "--json")
    assert.include(again.stdout, '"done":0,"failed":0,"attention":0,"unknown":0,"recovered":0')
    assert.sameMembers(
      readdirSync(desk.folder).filter((name) => !before.includes(name)),
      readdirSync(desk.folder).filter((name) => name.startsWith("daybook.db"))
    )
  })
})
