/** What the library answers and reports, as JSON: amounts are text, instants ISO text. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { type Config, Daybook, type Event } from "../../sync/library/Daybook.ts"
import { configuration, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"

/** Amounts are text and instants ISO text: nothing that JSON cannot say, and no number as large as milliseconds are. */
const isPlain = (value: unknown): void => {
  assert.deepStrictEqual(JSON.parse(JSON.stringify(value, (_, one) => (one === undefined ? null : one))), nulled(value))
  const text = JSON.stringify(value)
  assert.notMatch(text, /[:[,]\d{12,}[,}\]]/)
}

/** The same with null for what JSON leaves out. */
const nulled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(nulled)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nulled(one)]))
      : (value ?? null)

describe("a program that writes JSON", () => {
  it("gets values that JSON can say: amounts are text, instants ISO text", async () => {
    const sandbox = await startSandbox({ port: 0, keys: [KEY] })
    const folder = mkdtempSync(join(tmpdir(), "daybook-library-"))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write("invoices.csv", INVOICES)
    write("payments.csv", PAYMENTS)
    const { connections, service } = configuration(sandbox.url)
    const books = { ...connections[0]!, every: "1 hour", approve: true }
    const columns = { id: "No", date: "Day", amount: "Amount", customer: "From" }
    write("bank.csv", "No,Day,Amount,From\n1,2026-03-22,300.60,Somebody Else\n")
    const source = { connector: "files", payments: { path: "bank.csv", columns, currency: "GBP" } }
    const bank = { id: "bank", source, pays: "books" }
    const daybook = await Daybook.open({ service, connections: [books, bank] } as Config, {
      folder,
      state: join(folder, "daybook.db"),
      environment: { SERVICE_KEY: KEY }
    })
    const events: Array<Event> = []
    const listening = (["pulled", "receipt", "attention", "applied", "turn"] as const).map((type) =>
      daybook.on(type, (event) => void events.push(event))
    )
    isPlain(await daybook.pull())
    const plan = await daybook.plan()
    isPlain(plan)
    const payment = plan.calls.find(({ operation }) => operation === "transactions.createPayment")
    assert.strictEqual((payment as { posting?: { amount?: unknown } }).posting?.amount, "120")
    isPlain(await daybook.apply(plan))
    isPlain(await daybook.alerts())
    assert.deepStrictEqual(await daybook.retryAlerts(), [])
    const witness = await daybook.independent()
    isPlain(witness)
    assert.deepInclude(witness.amounts[0], {
      connection: "books",
      currency: "GBP",
      source: "200.60",
      service: "200.60"
    })
    assert.deepStrictEqual([witness.found, witness.failed], [[], []])
    write("payments.csv", PAYMENTS.replace("120.00", "110.00"))
    const apart = await daybook.independent({ connections: ["books"] })
    assert.deepInclude(apart.found[0], { document: "books/invoice/INV-1", source: "10.00 GBP" })
    write("payments.csv", PAYMENTS)
    const running = new AbortController()
    const runs = daybook.run({ signal: running.signal })
    await until("a turn ended", () => events.find((event) => event.type === "turn" && event.event.type === "ended"))
    running.abort()
    await runs
    isPlain(events)
    for (const end of listening) end()
    const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
    const attention = events.flatMap((event) => (event.type === "attention" ? [event.attention] : []))
    assert.match(attention[0]!.since, instant)
    const open = await daybook.attention()
    isPlain(open)
    for (const { since } of open) assert.match(since, instant)
    const unmatched = open.find(({ subject }) => subject === "bank/payment/1")
    await daybook.assign(unmatched!.id, [])
    const choices = await daybook.choices()
    isPlain(choices)
    assert.match(choices[0]!.chosen, instant)
    const status = await daybook.status()
    isPlain(status)
    const [run] = status.runs
    const of = ({ connection }: { readonly connection: string }) => connection === "books"
    const [read, turn] = [status.connections.find(of)!.read, status.turns.find(of)!]
    for (const text of [read, run!.started, run!.ended, turn.began]) assert.match(String(text), instant)
    const [story] = await daybook.explain("INV-1")
    isPlain(story)
    for (const text of [story!.versions[0]!.read, story!.calls[0]!.claimed, story!.calls[0]!.answered])
      assert.match(String(text), instant)
    isPlain(await daybook.completeness())
    isPlain(await daybook.reconcile())
    isPlain(await daybook.debtors())
    await daybook.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
