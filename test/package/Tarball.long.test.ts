/**
 * The packed tarball, put into an empty project as npm would unpack it, with its dependencies beside it: its command
 * runs, its types are checked in programs with Effect and without, and those programs run.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { files, GUIDE } from "../../cli/NewConnector.ts"
import { copyLibrary, remove, temporary } from "../support/Built.ts"
import { checkTypes } from "../support/Compiler.ts"
import { configuration, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const folder = temporary()
const project = join(folder, "project")
const installed = join(project, "node_modules", "daybook")

beforeAll(() => {
  const built = join(folder, "built")
  copyLibrary(built)
  // What is packed is what stands there, not what links point to.
  rmSync(join(built, "examples"))
  cpSync(join(ROOT, "examples"), join(built, "examples"), { recursive: true })
  const quiet = ["--ignore-scripts", "--silent", "--offline", "--pack-destination", folder]
  execFileSync("npm", ["pack", ...quiet], { cwd: built, shell: process.platform === "win32" })
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["xzf", join(folder, tarball), "-C", installed, "--strip-components", "1"])
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    const place = join(project, "node_modules", name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, "node_modules", name), place)
  }
  write("package.json", '{ "type": "module" }')
  write("invoices.csv", INVOICES)
  write("payments.csv", PAYMENTS)
}, 120_000)
afterAll(() => remove(folder))

const write = (name: string, text: string) => writeFileSync(join(project, name), text)

/** What is wrong with which line of each program, by what the types say: all of them are checked at once. */
const wrong = (): ReadonlyArray<string> => (checked ??= typecheck())
let checked: ReadonlyArray<string> | undefined

const typecheck = (): ReadonlyArray<string> => {
  for (const [name, text] of Object.entries({ plain: PLAIN, effect: EFFECT, every: EVERY, wrong: WRONG }))
    write(`${name}.ts`, text)
  const files = ["plain.ts", "effect.ts", "every.ts", "wrong.ts"]
  // The types of the package itself are checked too, with no others than those that npm installs beside it.
  const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false }
  const compilerOptions = { ...strict, module: "nodenext", target: "es2023", types: ["node"] }
  write("tsconfig.json", JSON.stringify({ compilerOptions, files }))
  const { stdout } = checkTypes(project)
  return stdout.split("\n").filter((line) => /^\S/.test(line))
}

const CONFIG = `defineConfig({ ...(${JSON.stringify(configuration("URL"))} as Config), service: { url: sandbox.url, key: env("KEY") } })`

const PLAIN = `import { type Config, Daybook, defineConfig, env, type Event, type Handle, type Status } from "daybook"
import { startSandbox } from "daybook/sandbox"

const sandbox = await startSandbox({ port: 0, keys: ["${KEY}"] })
const config: Config = ${CONFIG}
const daybook: Handle = await Daybook.open(config, { state: "plain.db", environment: { KEY: "${KEY}" } })
const receipts: Array<string> = []
const end: () => void = daybook.on("receipt", ({ call, status }) => receipts.push(\`\${call.rule} \${status}\`))
const types = new Set<Event["type"]>()
const events = daybook.events()
const taking = (async () => { for await (const event of events) types.add(event.type) })()
const problems: ReadonlyArray<string> = await daybook.check("books")
const result = await daybook.sync({ connections: ["books"], allowReductions: false })
const [matter] = await daybook.attention()
const closed: boolean = await daybook.resolve(matter!.id, "known")
const [story] = await daybook.explain("INV-1")
const status: Status = await daybook.status()
const { files } = await daybook.export("books.csv")
const { bytes } = await daybook.backup("copy.db")
const shares: ReadonlyArray<{ readonly invoice: string; readonly amount: string }> =
  await daybook.assign(404, ["INV-1"]).catch(() => [])
const { differences, found } = await daybook.reconcile()
const debtors = await daybook.debtors()
const matched: number = await daybook.match({ connection: "books", party: "nobody" }, null)
end()
await daybook.close()
await taking
await sandbox.close()
console.log(JSON.stringify({ receipts: receipts.length, types: [...types].toSorted(), problems, done: result.done,
  open: result.completeness[0]?.service, orders: result.orders.length, closed, calls: story?.calls.length,
  sent: status.connections[0]?.sent, files: files.length, copied: bytes > 0, shares: shares.length,
  differences: differences + found.length, debtors: debtors.length, matched }))
`

const EFFECT = `import { type Api, type Config, type ConfigError, Daybook, defineConfig, env } from "daybook"
import { start } from "daybook/sandbox"
import { Console, Effect, Stream } from "effect"

const books: Effect.Effect<number, unknown, Daybook> = Effect.gen(function* () {
  const daybook: Api = yield* Daybook
  const watched = yield* Effect.forkChild(
    Stream.runForEach(daybook.events, (event) => event.type === "applied" ? Console.log(\`applied \${event.report.done}\`) : Effect.void),
    { startImmediately: true }
  )
  const { done } = yield* daybook.sync()
  const plan = yield* daybook.plan()
  yield* Effect.yieldNow
  return plan.calls.length === 0 ? done + (watched === undefined ? 1 : 0) : -1
})

await Effect.gen(function* () {
  const sandbox = yield* start({ port: 0, keys: ["${KEY}"] })
  const config = ${CONFIG}
  const layer = Daybook.layer(config, { state: "effect.db", environment: { KEY: "${KEY}" } })
  yield* Console.log(\`done \${yield* Effect.provide(books, layer)}\`)
  const wrong: ConfigError = yield* Effect.flip(
    Effect.provide(books, Daybook.layer({ ...config, connections: [] }))
  ).pipe(Effect.map((error) => error as ConfigError))
  yield* Console.log(wrong._tag)
}).pipe(Effect.scoped, Effect.runPromise)
`

/** Every way into the package. */
const EVERY = `export * as daybook from "daybook"
export * as core from "daybook/core"
export * as checkout from "daybook/checkout"
export * as connectors from "daybook/connectors"
export * as testing from "daybook/testing"
export * as sandbox from "daybook/sandbox"
`

const WRONG = `import { Daybook, type Handle } from "daybook"
export const run = async (daybook: Handle) => {
  daybook.on("reciept", () => {})
  await daybook.resolve("3")
  await daybook.sync({ connection: ["books"] })
  const done: number = await daybook.attention()
  return [Daybook, done]
}
`

const run = (name: string) => execFileSync(process.execPath, [name], { cwd: project, encoding: "utf8" })

describe("the packed tarball in an empty project", () => {
  it("has the command", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(installed, "dist/daybook.js"), "--help"], {
      cwd: project,
      encoding: "utf8"
    })
    assert.strictEqual(status, 0)
    assert.match(stdout, /^ {2}daemon {2,}Run on schedules, receive webhooks/m)
  })

  it("shows the whole of it in an empty folder, with nothing else", { timeout: 60_000 }, () => {
    const empty = join(folder, "empty")
    mkdirSync(empty)
    const ran = spawnSync(process.execPath, [join(installed, "dist/daybook.js"), "demo"], {
      cwd: empty,
      encoding: "utf8"
    })
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "Sent 133 calls")
    assert.include(ran.stdout, "daybook-demo/books.xlsx")
    assert.includeMembers(readdirSync(join(empty, "daybook-demo")), [
      "daybook.config.json",
      "invoices.csv",
      "books.xlsx"
    ])
  })

  it("begins a connector outside the repository, which passes the kit and the types", { timeout: 120_000 }, () => {
    const daybook = (...words: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [join(installed, "dist/daybook.js"), ...words], { cwd: project, encoding: "utf8" })
    const made = daybook("connectors", "new", "acme")
    assert.strictEqual(made.status, 0, made.stderr)
    for (const [name, text] of Object.entries(files("acme")))
      assert.strictEqual(readFileSync(join(project, "acme", name), "utf8"), text, name)
    assert.isTrue(existsSync(join(project, GUIDE)), made.stdout)
    const tested = daybook("connectors", "test", "acme")
    assert.strictEqual(tested.status, 0, tested.stdout)
    assert.match(tested.stdout, /^acme: \d+ hold, \d+ do not apply, 0 wrong$/m)
    assert.strictEqual(checkTypes(join(project, "acme")).stdout, "")
  })

  it("names nowhere the folder that it was built in", () => {
    const named = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => readFileSync(path, "utf8").includes(join(ROOT, "node_modules")))
    assert.deepStrictEqual(named, [])
  })

  it("is checked by the types of a program that knows nothing of Effect, and runs in it", { timeout: 60_000 }, () => {
    assert.deepStrictEqual(
      wrong().filter((line) => !line.startsWith("wrong.ts(")),
      []
    )
    assert.deepStrictEqual(JSON.parse(run("plain.ts")), {
      receipts: 6,
      types: ["applied", "attention", "pulled", "receipt"],
      problems: [],
      done: 6,
      open: "200.60",
      orders: 0,
      closed: true,
      calls: 3,
      sent: 2,
      files: 7,
      copied: true,
      shares: 0,
      differences: 0,
      debtors: 0,
      matched: 0
    })
  })

  it("is checked by the types of a program with Effect, and runs in it", { timeout: 60_000 }, () => {
    assert.deepStrictEqual(
      wrong().filter((line) => !line.startsWith("wrong.ts(")),
      []
    )
    assert.strictEqual(run("effect.ts"), "applied 6\ndone 6\nConfigError\n")
  })

  it("refuses what does not fit, at its line", { timeout: 60_000 }, () => {
    const lines = wrong().flatMap((line) => /^wrong\.ts\((\d+),/.exec(line)?.[1] ?? [])
    assert.deepStrictEqual([...new Set(lines)], ["3", "4", "5", "6"], wrong().join("\n"))
  })
})
