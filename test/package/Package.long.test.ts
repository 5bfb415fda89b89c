/**
 * The package as others use it: built, put beside a stranger's program, imported from JavaScript and from TypeScript
 * with the types that are shipped, and run by a Node that is too old.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { connectors } from "../../connectors/index.ts"
import { copyLibrary, remove, temporary } from "../support/Built.ts"
import { checkTypes } from "../support/Compiler.ts"
import { configuration, INVOICES, KEY, NOWHERE, PAYMENTS } from "../support/Cli.ts"

const folder = temporary()
const daybook = join(folder, "package")
const consumer = join(folder, "consumer")

// It makes the package where nobody did yet.
beforeAll(() => {
  copyLibrary(daybook)
  mkdirSync(join(consumer, "node_modules"), { recursive: true })
  symlinkSync(daybook, join(consumer, "node_modules", "daybook"))
  write("package.json", '{ "type": "module" }')
  write("invoices.csv", INVOICES)
  write("payments.csv", PAYMENTS)
}, 240_000)
afterAll(() => remove(folder))

const write = (name: string, text: string) => writeFileSync(join(consumer, name), text)

/** Runs a program of the consumer and reads the JSON that it prints. */
const node = (name: string, text: string) => {
  write(name, text)
  const { SERVICE_KEY: _, ...env } = process.env
  return JSON.parse(execFileSync(process.execPath, [name], { cwd: consumer, env, encoding: "utf8" }))
}

const CONFIG = JSON.stringify(configuration("URL"))

/** Programs against the package's types: one that fits, and two of which some lines do not. */
const PROGRAMS = {
  accepted: `import { type Config, Daybook, defineConfig, env, type Plan, type Result } from "daybook"
import { Client, ServiceError } from "daybook/core"
import { connectors } from "daybook/connectors"
import { startSandbox, type Sandbox } from "daybook/sandbox"

export const config: Config = defineConfig({
  service: { url: "${NOWHERE}", key: env("SERVICE_KEY"), timeout: "20 seconds" },
  connections: [
    {
      id: "books",
      source: { connector: "files" },
      first_sync: "send",
      owner: { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
})
export const run = async (): Promise<readonly [Plan, Result]> => {
  const sandbox: Sandbox & { close: () => Promise<void> } = await startSandbox({ port: 0 })
  const daybook = await Daybook.open(config)
  const plan = await daybook.plan()
  const result = await daybook.apply(plan, { allowReductions: false })
  const rules: ReadonlyArray<string> = plan.calls.map(({ rule }) => rule)
  const open: string | undefined = result.completeness[0]?.service
  await daybook.close()
  await sandbox.close()
  return [plan, result]
}
export const names: ReadonlyArray<string> = connectors.map(({ name }) => name)
export const known = [Client, ServiceError]
`,
  refused: `import { Daybook, defineConfig, env } from "daybook"
defineConfig({ service: { url: "x", key: "secret" }, connections: [] })
defineConfig({ service: { url: "x", key: env("K"), concurency: 4 }, connections: [] })
const daybook = await Daybook.open({ service: { url: "x", key: env("K") }, connections: [] })
const plan: number = await daybook.plan()
`,
  page: `import { defineElements, type Failure, load, type Selection } from "daybook/checkout"
const sdk = load({ sdk: "${NOWHERE}/sdk/v1", publicKey: "pk-1" })
const checkout = sdk.elements().create("checkout", { paymentOffer: {}, paymentPlanId: "ppln-1", headless: true })
checkout.on("failure", ({ message }: Failure) => message?.length)
checkout.confirmOrder()
sdk.elements().create("companySearch", { country: "GB" }).on("companySelection", (chosen: Selection | null) => chosen?.type)
defineElements(sdk)
sdk.elements().create("checkout", { paymentOffer: {}, intent: {} })
sdk.elements().create("checkout", { paymentOffer: {}, headless: true })
checkout.on("sucess", () => {})
sdk.elements().create("companySearch", {}).confirmOrder()
`
} as const

describe("the built package", () => {
  it("has every file that its package.json names", () => {
    const { bin, exports, files } = JSON.parse(readFileSync(join(daybook, "package.json"), "utf8"))
    const named = [
      ...Object.values<string>(bin),
      ...Object.values<string | Record<string, string>>(exports).flatMap((one) =>
        typeof one === "string" ? [one] : Object.values(one)
      ),
      // One with an exclamation mark is left out of the package.
      ...(files as ReadonlyArray<string>).filter((name) => !name.startsWith("!"))
    ]
    assert.isAbove(named.length, 10)
    for (const name of named) assert.isTrue(existsSync(join(daybook, name)), name)
  })

  it("serves a JavaScript program that knows nothing of Effect: open, pull, plan, apply, close", () => {
    const said = node(
      "program.js",
      `import { Daybook, defineConfig, env } from "daybook"
import * as core from "daybook/core"
import { connectors } from "daybook/connectors"
import { startSandbox } from "daybook/sandbox"

const sandbox = await startSandbox({ port: 0, keys: ["${KEY}"] })
process.env.ACME_KEY = "${KEY}"
const written = ${CONFIG}
const config = defineConfig({ ...written, service: { url: sandbox.url, key: env("ACME_KEY") } })
const daybook = await Daybook.open(config, { state: "js.db" })
const pulled = await daybook.pull()
const plan = await daybook.plan()
const report = await daybook.apply(plan)
const again = await daybook.plan()
const moved = await daybook.apply(plan).catch(({ _tag, message }) => ({ _tag, message }))
const synced = await daybook.sync()
await daybook.close()
const held = await Daybook.open(config, { state: "js.db" })
const second = await Daybook.open(config, { state: "js.db" }).catch(({ _tag, kind }) => ({ _tag, kind }))
await held.close()
const wrong = await Daybook.open({ ...config, connections: [] }).catch(({ _tag, message }) => ({ _tag, message }))
await sandbox.close()
console.log(JSON.stringify({
  read: pulled.books.read,
  calls: plan.calls.length,
  attention: plan.attention.map(({ rule }) => rule),
  done: report.done,
  open: report.completeness.map(({ books, currency, service, source }) => [currency, source, books, service]),
  again: again.calls.length,
  moved, synced: synced.done, second, wrong,
  connectors: connectors.map(({ name }) => name),
  core: ["Client", "ServiceError"].every((name) => name in core)
}))
`
    )
    assert.deepStrictEqual(said, {
      read: 6,
      calls: 6,
      attention: ["P1"],
      done: 6,
      open: [["GBP", "200.60", "200.60", "200.60"]],
      again: 0,
      moved: {
        _tag: "PlanMoved",
        message:
          "the books or the ledger changed since this plan was saved; nothing was sent. Make a new plan with `daybook plan --save` and review it"
      },
      synced: 0,
      second: { _tag: "StateError", kind: "locked" },
      wrong: {
        _tag: "ConfigError",
        message: "the configuration: connections: the list is empty; add one with an id, a source and an owner"
      },
      connectors: connectors.map(({ name }) => name),
      core: true
    })
  })

  it("examines files and copies the books in a thread, so that the program around it answers others", () => {
    const rows = Array.from(
      { length: 12_000 },
      (_, n) => `S-${n},Harbour ${n % 90},GB,2026-01-02,2026-02-01,100.00,120.00`
    )
    write("many.csv", ["Number,Customer,Country,Date,Due,Net,Gross", ...rows, ""].join("\n"))
    const shares = node(
      "turns.js",
      `import { Daybook, env } from "daybook"
import { rmSync } from "node:fs"
process.env.ACME_KEY = "${KEY}"
/** The part of all processor time that the thread with the event loop took. */
const share = async (work) => {
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  await work()
  const took = ({ system, user }) => system + user
  return took(process.threadCpuUsage(thread)) / took(process.cpuUsage(all))
}
let first
const shares = { init: await share(async () => (first = await Daybook.init(["many.csv"], { accept: true, answers: { currency: "GBP" } }))) }
const [connection] = ${CONFIG}.connections
const config = { ...first.config, service: { url: "http://127.0.0.1:9", key: env("ACME_KEY") } }
config.connections = config.connections.map((one) => ({ ...one, owner: connection.owner }))
rmSync("many.db", { force: true })
const daybook = await Daybook.open(config, { state: "many.db" })
const pulled = await daybook.pull()
shares.backup = await share(() => daybook.backup("many-copy.db"))
await daybook.close()
console.log(JSON.stringify({ ...shares, read: Object.values(pulled)[0].read }))
`
    )
    assert.strictEqual(shares.read, 12_000)
    assert.isBelow(shares.init, 0.4)
    assert.isBelow(shares.backup, 0.6)
    assert.isTrue(existsSync(join(consumer, "many-copy.db")))
  })

  it("serves a program in the older module format, too", () => {
    assert.deepStrictEqual(
      node(
        "older.cjs",
        'const { Daybook, defineConfig } = require("daybook")\nconsole.log(JSON.stringify([typeof Daybook.open, typeof defineConfig]))\n'
      ),
      ["function", "function"]
    )
  })

  /** What is wrong with each program, by line: all of them are checked at once, with the package's types. */
  const wrongIn = (name: keyof typeof PROGRAMS): ReadonlyArray<number> => {
    checked ??= typecheck()
    const lines = [...checked.matchAll(/^(\w+)\.ts\((\d+),/gm)]
    assert.strictEqual(lines.length, checked.split("\n").filter((line) => /^\S/.test(line)).length, checked)
    return [...new Set(lines.flatMap(([, file, line]) => (file === name ? [Number(line)] : [])))]
  }
  let checked: string | undefined

  const typecheck = (): string => {
    for (const [name, text] of Object.entries(PROGRAMS)) write(`${name}.ts`, text)
    write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { module: "nodenext", target: "es2023", strict: true, noEmit: true, types: [] },
        files: Object.keys(PROGRAMS).map((name) => `${name}.ts`)
      })
    )
    return checkTypes(consumer).stdout
  }

  it("gives a TypeScript program types: what fits is accepted", () => {
    assert.deepStrictEqual(wrongIn("accepted"), [])
  })

  it("gives a TypeScript program types: what does not fit is refused", () => {
    assert.deepStrictEqual(wrongIn("refused"), [2, 3, 5])
  })

  it("gives a page types and one file: options that contradict each other are refused", () => {
    assert.deepStrictEqual(wrongIn("page"), [8, 9, 10, 11])
    // On a server there is no page, and importing it does nothing.
    const program = `import { load } from "daybook/checkout"\nconst sdk = load({ sdk: "x", publicKey: "pk-1" })\nsdk.elements().create("companySearch", {}).mount("#a")\nconsole.log(JSON.stringify(Object.keys(sdk)))\n`
    assert.deepStrictEqual(node("page.js", program), ["loaded", "elements"])
  })

  it("loads a daybook.config.ts that imports it", () => {
    const config = configuration(NOWHERE)
    write(
      "daybook.config.ts",
      `import { type Config, defineConfig, env } from "daybook"\nconst config: Config = ${JSON.stringify(config)}\nexport default defineConfig({ ...config, service: { ...config.service, key: env("K") } })\n`
    )
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [join(daybook, "dist", "daybook.js"), "pull", "--state", "config.db"],
      { cwd: consumer, encoding: "utf8" }
    )
    assert.deepStrictEqual([status, stdout, stderr], [0, "books: 6 read, 6 documents new\n", ""])
  })
})

/** A Node on the path that is older than the one that is needed. */
const older = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((file) => existsSync(file))
    .find((file) => {
      const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" })
      return Number(/^v(\d+)/.exec(stdout ?? "")?.[1] ?? "99") < 24
    })

describe("a Node that is too old", () => {
  it("is told so in one plain line", ({ skip }) => {
    const file = older()
    if (file === undefined) return skip("there is no Node older than 24 on PATH to try it with")
    for (const args of [["--version"], ["sync"], []]) {
      const { status, stderr, stdout } = spawnSync(file, [join(daybook, "dist", "daybook.js"), ...args], {
        encoding: "utf8"
      })
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.match(
        stderr,
        /^Daybook needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. Install a newer one from nodejs\.org, and run this again\.\n$/
      )
    }
  })
})
