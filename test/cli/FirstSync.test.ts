/** The first sync of a connection, as a person, a schedule, a daemon and a program meet it. */
import { assert, describe, it } from "@effect/vitest"
import { Daybook } from "../../sync/library/Daybook.ts"
import { books, configuration, failed, INVOICES, KEY, lines, ofType, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const QUIET = "Ref,Invoice,Date,Amount,Type,Code\nP-1,INV-1,2026-03-20,120.00,,\n"

/** Books of a connection of which nothing was said. */
const asking = async (more: object = {}) => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const { first_sync: _, ...connection } = connections[0]!
  const config = { service: settings, connections: [{ ...connection, ...more }] }
  const here = books(there.url, { "payments.csv": QUIET, "daybook.config.json": JSON.stringify(config) })
  return { there, here, config }
}

const MESSAGE =
  'daybook: books: this is the first sync: 2 to create, 1 payment, 1 to mark as paid: +300.60 GBP open. Nothing was sent. Look at `daybook plan`; if it is right, run again with --yes, which sends it, or write "first_sync": "send" in the configuration of the connection\n'

const LATER = `${INVOICES}INV-7,Late Ltd,GB,2026-03-05,2026-04-03,20.00,24.00,Sent\n`

describe.concurrent("the first sync", () => {
  it("without a terminal ends with 4 and its sums, until --yes sends it", async () => {
    const { here, there } = await asking()
    assert.strictEqual(failed(await here.run("sync"), 4), MESSAGE)
    const [again, json, status] = await here.runEach(["apply"], ["sync", "--json"], ["status"])
    assert.strictEqual(failed(again!, 4), MESSAGE)
    assert.deepInclude(lines(json!).at(-1), { type: "error", error: "FirstSync" })
    assert.include(status!.stdout, "the first sync needs confirmation")
    assert.deepStrictEqual(await there.calls(), [])
    assert.strictEqual((await here.run("sync", "--yes")).status, 0)
    const sent = (await there.calls()).length
    assert.isAbove(sent, 3)
    here.write("invoices.csv", LATER)
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.strictEqual((await there.calls()).length, sent + 1)
  })

  it("with debits that failed long ago is one question, and one answer names everything that stops it", async () => {
    const numbers = [1, 2, 3, 4, 5]
    const history = {
      "invoices.csv": `${INVOICES.split("\n")[0]}\n${numbers.map((n) => `H-${n},Buyer ${n} Ltd,GB,2026-03-0${n},2026-04-0${n},100.00,120.00,Sent\n`).join("")}`,
      "payments.csv": `${QUIET.split("\n")[0]}\n${numbers.map((n) => `P-${n},H-${n},2026-03-1${n},120.00,,\nR-${n},H-${n},2026-03-2${n},-120.00,error,AC04\n`).join("")}`
    }
    const { here, there } = await asking()
    for (const [name, text] of Object.entries(history)) here.write(name, text)
    const [plain, allowed] = await here.runEach(["sync"], ["sync", "--allow", "G1"])
    for (const one of [plain!, allowed!]) {
      const said = failed(one, 4)
      assert.match(said, /this is the first sync: 5 to create, 5 payments, 5 reversals/)
      assert.include(said, "run again with --yes, ")
    }
    assert.notInclude((await here.run("plan")).stdout, "Stopped by guards")
    // A due date decades ahead is not history: that guard still stops it, and each refusal names the whole answer.
    here.write("invoices.csv", `${history["invoices.csv"]}H-6,Far Ltd,GB,2026-03-05,2096-04-03,20.00,24.00,Sent\n`)
    for (const words of [[], ["--yes"], ["--allow", "G7"]])
      assert.include(failed(await here.run("sync", ...words), 4), "run again with --yes --allow G7")
    assert.include((await here.run("plan")).stdout, "daybook sync --yes --allow G7")
    assert.deepStrictEqual(await there.calls(), [])
    assert.strictEqual((await here.run("sync", "--yes", "--allow", "G7")).status, 0)
    assert.isAbove((await there.calls()).length, 15)
  })

  it("goes ahead with a plan that was saved and looked at, or where the configuration says so", async () => {
    const saved = await asking()
    await saved.here.runEach(["pull"], ["plan", "--save", "a.plan"])
    assert.strictEqual((await saved.here.run("apply", "--plan", "a.plan")).status, 0)
    const set = await asking({ first_sync: "send" })
    assert.strictEqual((await set.here.run("sync")).status, 0)
  })

  it("of a program fails with what it would send, unless the program says that it goes ahead", async () => {
    const { config, here, there } = await asking()
    const daybook = await Daybook.open(config, {
      folder: here.folder,
      state: here.path("library.db"),
      environment: { SERVICE_KEY: KEY }
    })
    try {
      const refused = await daybook.sync().catch((error) => error)
      assert.deepInclude(
        { tag: refused._tag, connections: refused.connections, comes: refused.comes },
        {
          tag: "FirstSync",
          connections: ["books"],
          comes: "2 to create, 1 payment, 1 to mark as paid: +300.60 GBP open"
        }
      )
      assert.strictEqual((await daybook.apply(await daybook.plan()).catch((error) => error))._tag, "FirstSync")
      assert.deepStrictEqual(await there.calls(), [])
      assert.deepInclude(await daybook.sync({ firstSync: "send" }), { done: 5, failed: 0 })
      assert.deepInclude(await daybook.sync(), { done: 0 })
    } finally {
      await daybook.close()
    }
  })

  it("in a daemon waits for approval, and so does what a guard stops later", { timeout: 90_000 }, async () => {
    const { here, there } = await asking({ every: "10 seconds" })
    const daemon = await startDaemon(here.folder)
    const first = await daemon.says(({ outcome }) => outcome === "waits for approval")
    assert.include(first.message, "5 calls waiting for approval (the first sync)")
    assert.match((await here.run("approve")).stdout, /^books: 5 calls, the first sync, waits since/)
    assert.deepStrictEqual(await there.calls(), [])
    const approve = async () => {
      for (;;) {
        const [waiting] = ofType(await here.run("approve", "--json"), "approval")
        const ran = await here.run("approve", "books", "--digest", String(waiting!["digest"]), "--by", "Ann")
        if (ran.status !== 5) return ran.status
      }
    }
    assert.strictEqual(await approve(), 0)
    daemon.turn()
    const sent = await daemon.says(({ message }) => String(message).includes("approved by Ann"))
    assert.strictEqual(sent.outcome, "done")
    const before = (await there.calls()).length

    here.write("invoices.csv", INVOICES.replace("250.50,300.60", "25.05,30.06"))
    daemon.turn()
    const second = await daemon.says(({ message }) => String(message).includes("stopped by G4"))
    assert.strictEqual(second.outcome, "waits for approval")
    assert.include((await here.run("approve", "books")).stdout, "Stopped by guards\n  books G4: ")
    assert.strictEqual((await there.calls()).length, before)
    // Put right in the source, it waits for nobody.
    here.write("invoices.csv", LATER)
    daemon.turn()
    await daemon.says(({ message }) => String(message).includes("1 call sent"))
    assert.strictEqual((await here.run("approve")).stdout, "No plan waits for approval.\n")
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })
})
