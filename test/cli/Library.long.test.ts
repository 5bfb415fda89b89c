/**
 * Daybook inside another program: everything that the commands can do, with promises; events; many tenants in one
 * process; and the same as an Effect layer.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, Daybook, type DaybookOptions, type Event } from "../../sync/library/Daybook.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import { configuration, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
const folders: Array<string> = []
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys: [KEY, "sk-second-tenant"] })
})
afterAll(async () => {
  await sandbox.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Books of one tenant; the ids on the service are of this folder alone. */
const tenant = (id = "books", more: object = {}, key = KEY) => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-library-"))
  folders.push(folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("invoices.csv", INVOICES)
  write("payments.csv", PAYMENTS)
  const { connections, service } = configuration(sandbox.url)
  const unique_id = `acme-${folders.length}`
  const owner = { organisation: { ...connections[0]!.owner.organisation, unique_id } }
  const config = { service, connections: [{ ...connections[0]!, id, owner, ...more }] } as Config
  const options: DaybookOptions = {
    folder,
    state: join(folder, "daybook.db"),
    environment: { SERVICE_KEY: key }
  }
  return { folder, write, config, options }
}

const changes = async () => {
  const journal = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as ReadonlyArray<{ method: string }>
  return journal.filter(({ method }) => method !== "GET").length
}

describe("a program without Effect", () => {
  it("can do what the commands can do", async () => {
    const { config, folder, options, write } = tenant()
    const daybook = await Daybook.open(config, options)
    assert.deepStrictEqual(await daybook.check("books"), [])
    assert.strictEqual((await daybook.pull())["books"]!.read, 6)
    const plan = await daybook.plan()
    assert.strictEqual(plan.calls.length, 6)
    const result = await daybook.apply(plan)
    assert.deepInclude(result, { done: 6, failed: 0, attention: 1 })
    assert.deepStrictEqual((await daybook.completeness()).completeness, result.completeness)
    assert.strictEqual(result.completeness[0]!.service, "200.60")

    const [matter] = await daybook.attention()
    assert.strictEqual(matter!.rule, "P1")
    assert.isTrue(await daybook.retry(matter!.id))
    assert.isFalse(await daybook.retry(matter!.id))
    const { timing } = await daybook.sync({ timing: true })
    assert.hasAllKeys(timing, ["source", "limits", "disk", "service", "us", "total"])
    const [again] = await daybook.attention()
    assert.isTrue(await daybook.resolve(again!.id, "called them"))
    assert.isFalse(await daybook.resolve(again!.id))
    assert.deepStrictEqual(await daybook.attention(), [])
    const [story] = await daybook.explain("INV-1")
    assert.strictEqual(story!.key, "books/invoice/INV-1")
    assert.deepStrictEqual(
      story!.calls.map(({ rule }) => rule),
      ["T2", "P1", "T12"]
    )
    assert.deepStrictEqual(await daybook.explain("INV-404"), [])

    const status = await daybook.status()
    assert.strictEqual(status.service, sandbox.url)
    assert.deepInclude(status.connections[0], { connection: "books", invoices: 3, sent: 2 })
    assert.deepInclude(status, { attention: 0, pendingCalls: 0, quarantined: 0 })
    assert.isAtLeast(status.runs.length, 2)

    const exported = await daybook.export(join(folder, "books.xlsx"))
    assert.isTrue(existsSync(join(folder, "books.xlsx")))
    assert.isAbove(exported.sheets.length, 5)

    write("invoices.csv", "Invoice,Nothing\n")
    assert.match((await daybook.check("books")).join(), /column/)
    await daybook.close()
  })

  it("gets events as they happen", async () => {
    const { config, options } = tenant()
    const daybook = await Daybook.open(config, options)
    const heard: Array<string> = []
    const ends = [
      daybook.on("pulled", ({ connection, taken }) => heard.push(`pulled ${connection} ${taken.read}`)),
      daybook.on("receipt", ({ call, status }) => heard.push(`${call.rule} ${status}`)),
      daybook.on("attention", ({ attention }) => heard.push(`attention ${attention.rule}`)),
      daybook.on("applied", ({ report }) => heard.push(`applied ${report.done}`))
    ]
    const all: Array<Event["type"]> = []
    const events = daybook.events()
    const taking = (async () => {
      for await (const { type } of events) all.push(type)
    })()
    await daybook.sync()
    await until("all of it was heard", () => (heard.length === 9 ? true : undefined))
    assert.strictEqual(heard[0], "pulled books 6")
    assert.deepStrictEqual(heard.slice(1, -2).toSorted(), [
      "P1 201",
      "P1 201",
      "T12 200",
      "T2 201",
      "T2 201",
      "owner 201"
    ])
    assert.deepStrictEqual(heard.slice(-2), ["attention P1", "applied 6"])
    for (const end of ends) end()
    await daybook.sync()
    assert.strictEqual(heard.length, 9)
    await daybook.close()
    await taking
    assert.deepStrictEqual(all.slice(-2), ["pulled", "applied"])
    assert.strictEqual(all.length, 11)
  })

  it("that does two things at once gets them one after the other, and each fact is sent once", async () => {
    const { config, options } = tenant()
    const daybook = await Daybook.open(config, options)
    const before = await changes()
    const done = await Promise.all([daybook.sync(), daybook.sync(), daybook.apply(), daybook.pull()])
    assert.deepStrictEqual([done[0].done + done[1].done + done[2].done, done[0].failed, done[1].failed], [6, 0, 0])
    assert.strictEqual((await changes()) - before, 6)
    await daybook.close()
  })

  it("that closes it in the middle waits for what is under way", async () => {
    const { config, options } = tenant()
    const daybook = await Daybook.open(config, options)
    const syncing = daybook.sync()
    await daybook.close()
    assert.strictEqual((await syncing).done, 6)
    const again = await Daybook.open(config, options)
    assert.strictEqual((await again.sync()).done, 0)
    await again.close()
  })

  it("whose first source cannot be read has the other read and sent, and hears of the one that failed", async () => {
    const { config, options, write } = tenant("broken")
    const [broken] = config.connections
    const fine = {
      ...broken!,
      id: "fine",
      owner: { organisation: { ...(broken!.owner as { organisation: object }).organisation, unique_id: "fine" } },
      source: { ...broken!.source, invoices: { ...(broken!.source["invoices"] as object), path: "fine.csv" } }
    }
    write("fine.csv", INVOICES)
    write("invoices.csv", "Invoice,Nothing\n")
    const daybook = await Daybook.open({ ...config, connections: [broken!, fine] } as Config, options)
    const pulled = await daybook.pull().catch((error: unknown) => error)
    assert.deepInclude(pulled, { _tag: "SourceError", connection: "broken" })
    const { connections } = await daybook.status()
    assert.deepInclude(
      connections.find(({ connection }) => connection === "fine"),
      { invoices: 3 }
    )
    const before = await changes()
    const synced = await daybook.sync().catch((error: unknown) => error)
    assert.deepInclude(synced, { _tag: "SourceError", connection: "broken" })
    assert.isAbove(await changes(), before, "what could be read was sent")
    const { completeness } = await daybook.completeness()
    assert.deepInclude(completeness[0], { connection: "fine", differences: [] })
    await daybook.close()
  })

  it("may run it on its schedules until it has had enough", async () => {
    const { config, options } = tenant("books", { every: "1 hour" })
    const daybook = await Daybook.open(config, options)
    const outcomes: Array<string> = []
    daybook.on("turn", ({ event }) => void (event.type === "ended" && outcomes.push(event.outcome)))
    const enough = new AbortController()
    const running = daybook.run({ signal: enough.signal })
    await until("a turn ended", () => (outcomes.length > 0 ? true : undefined))
    assert.deepStrictEqual(outcomes, ["attention"])
    enough.abort()
    await running
    // Closing ends it as well.
    const second = daybook.run()
    await daybook.close()
    await second
  })

  it("is told which connections there are when it names another", async () => {
    const { config, options } = tenant()
    const daybook = await Daybook.open(config, options)
    const error = await daybook.pull({ connections: ["book"] }).catch((cause) => cause)
    assert.strictEqual(error.message, 'the configuration: connection "book" not found; did you mean "books"?')
    await daybook.close()
  })

  it("approves and refuses plans that wait for a person", async () => {
    const { config, options } = tenant("books", { every: "1 hour", approve: true })
    const daybook = await Daybook.open(config, options)
    const turns: Array<string> = []
    daybook.on("turn", ({ event }) => void (event.type === "ended" && turns.push(event.outcome)))
    void daybook.run()
    await until("it waits", () => (turns.length === 1 ? true : undefined))
    const [waiting] = (await daybook.status()).approvals
    assert.deepInclude(waiting, { connection: "books", calls: 6, decision: null })
    assert.isFalse(await daybook.approve("books", "another", "Ann"))
    assert.isTrue(await daybook.approve("books", waiting!.digest, "Ann"))
    await until("it was sent", () => (turns.length === 2 ? true : undefined))
    assert.deepStrictEqual(turns, ["waits for approval", "attention"])
    assert.deepStrictEqual((await daybook.status()).approvals, [])
    await daybook.close()
  })

  it("says which invoices a payment is for, and takes a copy of the state file", async () => {
    const { config, folder, options, write } = tenant()
    write("payments.csv", "Ref,Invoice,Date,Amount,Type,Code\n")
    write("bank.csv", "No,Day,Amount,From\n1,2026-03-22,300.60,Somebody Else\n2,2026-03-23,1.00,Nobody\n")
    const columns = { id: "No", date: "Day", amount: "Amount", customer: "From" }
    const source = { connector: "files", payments: { path: "bank.csv", columns, currency: "GBP" } }
    const bank = { id: "bank", source, pays: "books" } as unknown as Config["connections"][number]
    const daybook = await Daybook.open({ ...config, connections: [...config.connections, bank] }, options)
    await daybook.sync()
    const [matter, other] = await daybook.attention()
    assert.deepInclude(matter!.candidates?.[0], { invoice: "books/invoice/INV-2", open: "300.60" })
    assert.deepStrictEqual(other!.candidates, [])
    const wrong = await daybook.assign(matter!.id, ["INV-404"]).catch((cause) => cause)
    assert.match(wrong.message, /there is no invoice "INV-404" in books/)
    assert.deepStrictEqual(await daybook.assign(matter!.id, ["INV-2"]), [
      { invoice: "books/invoice/INV-2", amount: "300.60", currency: "GBP" }
    ])
    assert.deepStrictEqual(await daybook.assign(other!.id, []), [])
    const late = (await daybook.assign(other!.id, []).catch((cause) => cause)) as Error
    assert.match(late.message, /was already closed at .* UTC: marked by hand as not for an invoice/)
    assert.strictEqual(await daybook.unassign("bank/payment/2"), true)
    assert.strictEqual(await daybook.unassign("bank/payment/2"), false)
    assert.deepStrictEqual(
      (await daybook.choices()).map(({ payment }) => payment),
      ["bank/payment/1"]
    )
    const [back] = await daybook.attention()
    assert.strictEqual(back!.subject, "bank/payment/2")
    await daybook.assign(back!.id, [])
    assert.deepStrictEqual(await daybook.attention(), [])
    assert.strictEqual((await daybook.sync()).payments[0]!.matched, "300.60")
    const { file } = await daybook.backup(join(folder, "copy.db"))
    await daybook.close()
    // Beside its original it is refused: used both, each would send what the other has sent.
    const refused = await Daybook.open(config, { ...options, state: file }).catch((cause: Error) => cause.message)
    assert.include(String(refused), "it is a copy of")
    renameSync(options.state!, join(folder, "original.db"))
    const again = await Daybook.open(config, { ...options, state: file })
    assert.strictEqual((await again.status()).connections.find(({ connection }) => connection === "books")!.sent, 2)
    await again.close()
  })
})

describe("many tenants in one process", () => {
  it("each with its own state file and its own key", async () => {
    const tenants = Array.from({ length: 8 }, (_, n) => tenant("books", {}, n % 2 === 0 ? KEY : "sk-second-tenant"))
    const open = await Promise.all(tenants.map(({ config, options }) => Daybook.open(config, options)))
    const done = await Promise.all(open.map((daybook) => daybook.sync()))
    assert.deepStrictEqual(
      done.map(({ done }) => done),
      Array(8).fill(6)
    )
    await Promise.all(open.map((daybook) => daybook.close()))
  })

  it("with one account and the same names for their invoices: none takes another's for its own", async () => {
    const [one, two] = [tenant(), tenant()]
    const first = await Daybook.open(one.config, one.options)
    assert.strictEqual((await first.sync()).done, 6)
    // Its first invoice is created, and it does not hear of it: it has to look it up.
    const lost = { method: "POST", path: "/v1/transactions", kind: "lose_response", times: 1 }
    const headers = { "content-type": "application/json" }
    const set = await fetch(`${sandbox.url}/sandbox/faults`, { method: "POST", headers, body: JSON.stringify(lost) })
    assert.isBelow(set.status, 300, await set.text())
    const second = await Daybook.open(two.config, { ...two.options })
    await second.sync()
    await second.sync()
    const [seen, other] = [await second.reconcile(), await first.reconcile()]
    assert.deepStrictEqual([seen.found, other.found], [[], []])
    assert.deepStrictEqual([seen.transactions, other.transactions], [2, 2])
    assert.isAtLeast(seen.others, 2)
    await first.close()
    await second.close()
  })

  it("all with one, which is held until the last of them is closed", async () => {
    const [one, two, other] = [tenant("north"), tenant("south"), tenant("west")]
    const shared = { state: one.options.state!, shared: true }
    const north = await Daybook.open(one.config, { ...one.options, ...shared })
    const south = await Daybook.open(two.config, { ...two.options, ...shared })
    const [a, b] = await Promise.all([north.sync(), south.sync()])
    assert.deepStrictEqual([a.done, b.done], [6, 6])
    assert.deepStrictEqual(
      a.completeness.map(({ connection }) => connection),
      ["north"]
    )
    assert.deepStrictEqual(
      b.completeness.map(({ connection }) => connection),
      ["south"]
    )
    await north.close()
    const refused = await Daybook.open(other.config, { ...other.options, state: one.options.state! }).catch(
      (cause) => cause.kind
    )
    assert.strictEqual(refused, "locked")
    assert.strictEqual((await south.sync()).done, 0)
    await south.close()
    const alone = await Daybook.open(one.config, one.options)
    assert.strictEqual((await alone.sync()).done, 0)
    const late = await Daybook.open(two.config, { ...two.options, ...shared }).catch((cause) => cause.kind)
    assert.strictEqual(late, "locked", "somebody holds it who does not share")
    await alone.close()
    const again = await Daybook.open(two.config, { ...two.options, ...shared })
    assert.strictEqual((await again.sync()).done, 0)
    await again.close()
  })
})

describe("a program with Effect", () => {
  it.live("gets the same as a service", () => {
    const { config, options } = tenant()
    return Effect.gen(function* () {
      const daybook = yield* Daybook
      const receipts = yield* Effect.forkChild(
        daybook.events.pipe(
          Stream.filter(({ type }) => type === "receipt"),
          Stream.take(6),
          Stream.runCollect
        ),
        { startImmediately: true }
      )
      const { done } = yield* daybook.sync()
      assert.strictEqual(done, 6)
      assert.strictEqual((yield* Fiber.join(receipts)).length, 6)
      const error = yield* Effect.flip(daybook.plan({ connections: ["none"] }))
      assert.strictEqual(error._tag, "ConfigError")
    }).pipe(Effect.provide(Daybook.layer(config, options)))
  })
})
