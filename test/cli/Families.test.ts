/**
 * Several things asked of one handle at once, where one connection pays for another: whoever came first ends first, and
 * nothing is sent twice or forgotten.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import { configuration, KEY } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
const folders: Array<string> = []
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
})
afterAll(async () => {
  await sandbox.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const control = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${sandbox.url}/sandbox/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  return text === "" ? undefined : JSON.parse(text)
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const invoices = (n: number, due: string) =>
  `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${numbers(n)
    .map((i) => `INV-${i},Harbour Lane Bakery Ltd,GB,2026-03-01,${due},100.00,120.00,Sent\n`)
    .join("")}`
const statement = (rows: ReadonlyArray<readonly [number, string]>) =>
  `No,Day,Amount,Text,From\n${rows.map(([i, amount]) => `${i},2026-03-20,${amount},Invoice INV-${i},Harbour Lane Bakery\n`).join("")}`

/** Books of `n` invoices, and a bank that pays for them. */
const open = async (n: number, service: object = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-families-"))
  folders.push(folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("invoices.csv", invoices(n, "2026-03-31"))
  write("bank.csv", statement([]))
  const { connections, service: plain } = configuration(sandbox.url)
  const [first] = connections
  const { payments: _, ...source } = first!.source
  const owner = { organisation: { ...first!.owner.organisation, unique_id: `family-${folders.length}` } }
  const bank = {
    id: "bank",
    source: {
      connector: "files",
      payments: {
        path: "bank.csv",
        columns: { id: "No", date: "Day", amount: "Amount", reference: "Text", customer: "From" },
        currency: "GBP"
      }
    },
    pays: "books",
    every: "1 hour"
  }
  const config = { service: { ...plain, ...service }, connections: [{ ...first, source, owner }, bank] }
  const options = { folder, state: join(folder, "daybook.db"), environment: { SERVICE_KEY: KEY } }
  const daybook = await Daybook.open(config as unknown as Config, options)
  return { daybook, write, owner: owner.organisation.unique_id }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly status: number
}

const paths = async (since: number) => ((await control("GET", `requests?since=${since}`)) as ReadonlyArray<Asked>) ?? []
const payments = (asked: ReadonlyArray<Asked>) =>
  asked.filter(({ method, path }) => method === "POST" && /payments\/?$/.test(path)).length
const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("what is asked of connections of which one pays for the other", () => {
  it("a turn of the paying one and an apply of the paid one send each payment once", async () => {
    const n = 40
    const { daybook, write } = await open(n)
    await daybook.sync()
    write("bank.csv", statement(numbers(n).map((i) => [i, "120.00"])))
    await control("POST", "faults", { method: "POST", path: "/v1", kind: "delay", delay_ms: 100 })
    const since = (await paths(0)).length
    const stop = new AbortController()
    const turn = new Promise<void>((resolve) => {
      daybook.on("turn", ({ event }) => event.type === "ended" && event.connection === "bank" && resolve())
    })
    const running = daybook.run({ signal: stop.signal })
    await wait(45)
    const report = await daybook.apply(undefined, { connections: ["books"] })
    await turn
    stop.abort()
    await running
    await control("DELETE", "faults")
    assert.deepInclude(report, { failed: 0, unknown: 0 })
    assert.strictEqual(payments(await paths(since)), n)
    assert.deepStrictEqual(report.completeness[0]!.differences, [])
    await daybook.close()
  })

  it("what the bank states while the books are sent is sent by the next sync", async () => {
    const { daybook, write } = await open(6, { concurrency: 1 })
    await daybook.sync()
    write("invoices.csv", invoices(6, "2026-04-30"))
    write("bank.csv", statement([[6, "77.00"]]))
    await daybook.pull({ connections: ["books"] })
    await control("POST", "faults", { method: "PATCH", path: "/v1", kind: "delay", delay_ms: 300 })
    const applied = daybook.apply(undefined, { connections: ["books"] })
    await wait(400)
    await daybook.pull({ connections: ["bank"] })
    assert.deepInclude(await applied, { done: 6, failed: 0 })
    await control("DELETE", "faults")
    const since = (await paths(0)).length
    const { completeness } = await daybook.sync()
    assert.strictEqual(payments(await paths(since)), 1)
    assert.deepInclude(completeness[0], { books: "643.00", service: "643.00", differences: [] })
    assert.deepInclude(await daybook.reconcile(), { differences: 0 })
    await daybook.close()
  })

  it("a person's decision waits for the run that is going on, and has its effect", async () => {
    const { daybook, write } = await open(3, { concurrency: 1 })
    write("bank.csv", "No,Day,Amount,Text,From\n9,2026-03-20,77.00,thank you,Somebody\n")
    await daybook.sync()
    const [matter] = await daybook.attention()
    write("invoices.csv", invoices(3, "2026-04-30"))
    await daybook.pull({ connections: ["books"] })
    await control("POST", "faults", { method: "PATCH", path: "/v1", kind: "delay", delay_ms: 200 })
    const order: Array<string> = []
    const applied = daybook.apply(undefined, { connections: ["books"] }).then(() => order.push("applied"))
    await wait(250)
    await daybook.assign(matter!.id, ["INV-3"]).then(() => order.push("assigned"))
    await applied
    await control("DELETE", "faults")
    assert.deepStrictEqual(order, ["applied", "assigned"])
    const since = (await paths(0)).length
    const { completeness } = await daybook.sync()
    assert.strictEqual(payments(await paths(since)), 1)
    assert.deepInclude(completeness[0], { books: "283.00", service: "283.00", differences: [] })
    await daybook.close()
  })

  it("runs once at a time, and again once it has ended", async () => {
    const { daybook } = await open(1)
    const stop = new AbortController()
    const first = daybook.run({ signal: stop.signal })
    await until("it looks", async () => ((await daybook.status()).turns.length > 0 ? true : undefined))
    const why = await daybook.run().then(
      () => "",
      (error: Error) => error.message
    )
    assert.strictEqual(why, "run() is already running; call it again after it has ended")
    stop.abort()
    await first
    const over = new AbortController()
    const second = daybook.run({ signal: over.signal })
    await wait(50)
    over.abort()
    await second
    await daybook.close()
  })
})
