/** What commands and the page say of problems: each once, and the advice once for all that it is for. */
import { assert, describe, it } from "@effect/vitest"
import { attentionLines } from "../../cli/render/AttentionView.ts"
import { books, configuration, INVOICES, NOWHERE, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const times = (text: string, words: string): number => text.split(words).length - 1

const MORE = ["11", "12", "13", "14", "15"].map((n) => `INV-${n},Ann,GB,2026-03-01,2026-03-31,10.00,12.00,Sent\n`)

const BROKEN = `${INVOICES}${MORE.join("")}INV-7,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
INV-8,Broken Ltd,GB,2026-03-99,2026-04-03,20.00,24.00,Sent
INV-9,Broken Ltd,GB,2026-03-98,2026-04-03,20.00,24.00,Sent
`
const LOST = "Ref,Invoice,Date,Amount,Type,Code\nP-1,INV-91,2026-03-20,5.00,,\nP-2,INV-92,2026-03-20,6.00,,\n"

/** A bank's payments that nobody can tell. */
const BANK = {
  id: "bank",
  pays: "books",
  source: {
    connector: "files",
    payments: {
      path: "bank.csv",
      columns: { id: "No", date: "Day", amount: "Amount", customer: "From" },
      currency: "GBP"
    }
  }
}

const troubled = (url: string, connection: object = {}) => {
  const { connections, ...rest } = configuration(url)
  return books(url, {
    "daybook.config.json": JSON.stringify({ ...rest, connections: [{ ...connections[0], ...connection }, BANK] }),
    "invoices.csv": BROKEN,
    "payments.csv": LOST,
    "bank.csv": "No,Day,Amount,From\n1,2026-03-22,71.00,Ann\n2,2026-03-22,72.00,Bob\n"
  })
}

describe("each problem", () => {
  it("is said once by every command that meets it", async () => {
    const there = await service()
    const here = troubled(there.url)
    const { stdout } = await here.run("sync")
    const [plan, status] = await here.runEach(["plan"], ["status"])
    for (const text of [stdout, status!.stdout]) {
      assert.strictEqual(times(text, '"2026-03-99" is not a date'), 1, text)
      assert.strictEqual(times(text, '"2026-03-98" is not a date'), 1, text)
      assert.include(text, "2 records of kind invoice")
      assert.notInclude(text, "more: daybook status")
    }
    for (const words of ["5.00 is allocated", "6.00 is allocated", "71.00 GBP received", "72.00 GBP received"])
      assert.strictEqual(times(stdout, words), 1, `${words}: ${stdout}`)
    assert.strictEqual(times(stdout, "no open invoice of this payer"), 2)
    assert.match(stdout, /bank\/payment\/1: 71\.00 GBP: see attention item \d/)
    assert.strictEqual(times(stdout, "say which invoice it is for"), 1)
    assert.strictEqual(times(stdout, "→ for each of these 2: check the invoice's id in the source"), 1)
    assert.notInclude(plan!.stdout, "not found in the source", "it needs attention, and says so above")
  })

  it("is counted while its plan waits for approval, by all that count", async () => {
    const there = await service()
    const here = troubled(there.url, { every: "1 hour", approve: true })
    const daemon = await startDaemon(here.folder)
    const { message } = await daemon.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
    assert.match(message, /calls? waiting for approval, 2 items need attention/)
    const [status, attention] = await here.runEach(["status"], ["attention"])
    assert.match(status!.stdout, /books: .*2 items need attention, waits since/)
    assert.include(attention!.stdout, "books/invoice/INV-91")
    assert.include(attention!.stdout, "books/invoice/INV-92")
    assert.strictEqual(status!.stdout.includes("Nothing needs attention"), false)
    await daemon.stop()
  })
})

describe("advice", () => {
  it("is given once for all items that it is for, and so is a reason", () => {
    const item = (id: number, why: string, todo: string) =>
      ({ id, subject: `s/${id}`, fact: `s/${id}`, rule: "P1", why, todo }) as const
    const plain = (text: string) => text
    const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, blue: plain }
    const items = [item(1, "a", "x"), item(2, "b", "y"), item(3, "a", "x"), item(4, "c", "x")]
    assert.deepStrictEqual(attentionLines(items, style), [
      "  1 s/1 P1",
      "  3 s/3 P1",
      "    a",
      "  4 s/4 P1",
      "    c",
      "    → for each of these 3: x",
      "  2 s/2 P1",
      "    b",
      "    → y"
    ])
    assert.deepStrictEqual(attentionLines([], style), [])
  })
})

describe("a state file of another service", () => {
  it("is said once by every command that would send", async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    here.write("daybook.config.json", JSON.stringify(configuration(NOWHERE)))
    for (const { status, stderr } of await here.runEach(["sync"], ["apply"])) {
      assert.strictEqual(status, 4)
      assert.strictEqual(times(stderr, "it belongs to"), 1, stderr)
    }
  })
})
