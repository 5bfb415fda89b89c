/** Control totals in the statement: a list that says itself what it comes to, beside what was read of it. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { shownOn } from "../support/Shown.ts"
import { shopFiles } from "../support/ShopFiles.ts"
import { configuration, desk, ofType, service, STATED, statedBooks, useCommand } from "../support/Cli.ts"

useCommand()

const ONE = "INV-1,Harbour Tea Ltd,GB,2026-03-01,2026-03-31,1000.00,1200.00,Sent,1200.00\n"
const TWO = "INV-2,Old Mill Bakery,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,120.00\n"
const TOTAL = "TOTAL,,,,,1100.00,1320.00,,1320.00\n"

const open = (url: string, rows: string) =>
  statedBooks(url, { "invoices.csv": STATED + rows, "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n" })

describe("control totals", { timeout: 120_000 }, () => {
  it("that agree are said by sync, status and reconcile, and are gone with their row", async () => {
    const here = open((await service()).url, ONE + TWO + TOTAL)
    const words = "  books: control total of invoices.csv (Gross): 1,320.00; read 1,320.00: agrees (GBP)"
    for (const command of ["sync", "status", "reconcile"]) {
      const { status, stdout } = await here.run(command)
      assert.strictEqual(status, 0, stdout)
      assert.include(stdout, words)
      assert.match(stdout, /books +GBP +2 +1,320\.00 +1,320\.00 +1,320\.00 +agree/)
    }
    const [statement] = ofType(await here.run("status", "--json"), "completeness")
    assert.deepStrictEqual((statement!["totals"] as ReadonlyArray<unknown>)[0], {
      list: "invoices.csv",
      what: "total",
      column: "Gross",
      at: "invoices.csv:4",
      amount: "1320.00",
      read: "1320.00",
      agrees: true
    })
    here.write("invoices.csv", STATED + ONE + TWO)
    const without = await here.run("sync")
    assert.strictEqual(without.status, 0, without.stdout)
    assert.notInclude(without.stdout, "control total")
  })

  it("differ by a row that is quarantined, which is named: agree is not said until it can be read", async () => {
    const bad = TWO.replace("2026-03-31", "2026-02-31")
    const here = open((await service()).url, ONE + bad + TOTAL)
    const ran = await here.run("sync")
    assert.strictEqual(ran.status, 3, ran.stdout)
    const words = "control total of invoices.csv (Gross): 1,320.00; read 1,200.00: differs"
    assert.include(ran.stdout, `  books: invoices.csv:4: 120.00 GBP: ${words}`)
    assert.notMatch(ran.stdout, /books +GBP .* agree/)
    const [statement] = ofType(await here.run("sync", "--json"), "completeness")
    const differences = statement!["differences"] as ReadonlyArray<unknown>
    assert.deepStrictEqual(differences[0], {
      document: "books: invoices.csv:4",
      amount: "120.00",
      why: `${words}; a row is quarantined, missing or there twice`
    })
    assert.include((await here.run("status")).stdout, words)
    here.write("invoices.csv", STATED + ONE + TWO + TOTAL)
    const mended = await here.run("sync")
    assert.strictEqual(mended.status, 0, mended.stdout)
    assert.match(mended.stdout, /books +GBP +2 +1,320\.00 +1,320\.00 +1,320\.00 +agree/)
  })

  it("stand in the workbook and on the page, those that agree and those that differ", async () => {
    const here = open(
      (await service()).url,
      ONE + TWO.replace("2026-03-31", "2026-02-31") + TOTAL.replace("1100.00", "")
    )
    await here.run("sync")
    await here.run("export", "books.csv")
    const rows = readFileSync(here.path("books.completeness.csv"), "utf8").split("\n")
    assert.deepStrictEqual(
      rows.filter((row) => row.includes("control total")).map((row) => row.split(",").slice(2, 6).join(",")),
      ["control total,invoices.csv:4,1320.00,1200.00", "control total,invoices.csv:4,1320.00,1200.00"]
    )
    assert.strictEqual(rows.filter((row) => row.includes("invoices.csv:4")).length, 2, "each is there once")
    const page = await shownOn(here, [""])
    for (const words of ["Control totals", "invoices.csv (Gross)", "1,320.00", "differs", "invoices.csv:4"])
      assert.include(page, words)
    here.write("invoices.csv", STATED + ONE + TWO + TOTAL)
    await here.run("sync")
    assert.match(await shownOn(here, [""]), /invoices\.csv \(Gross\)[\s\S]*agrees/)
  })

  it("of an order file stand beside the orders, and keep them from agreeing where one cannot be read", async () => {
    const { buys, here, say, sync } = await shopFiles(await service(), {})
    await buys()
    const total = "TOTAL,,,,,,,,100.00,,,\n"
    const orders = readFileSync(here.path("orders.csv"), "utf8") + total
    here.write("orders.csv", orders)
    const ran = await here.run("sync", "--yes")
    assert.include(ran.stdout, "  shop: control total of orders.csv (gross): 100.00; read 100.00: agrees (GBP)")
    say({ orders: [{ id: "1041" }, { id: "1042" }] })
    const both = readFileSync(here.path("orders.csv"), "utf8")
    here.write("orders.csv", both.replace("1042,1042,2026-03-01", "1042,1042,2026-02-31") + total.replace("100", "200"))
    const bad = await here.run("status")
    assert.include(bad.stdout, "agree")
    const [statement] = ofType(await sync(), "orders")
    assert.deepInclude((statement!["lists"] as ReadonlyArray<object>)[0], {
      amount: "200.00",
      read: "100.00",
      agrees: false
    })
    const status = await here.run("status")
    assert.strictEqual(status.status, 3)
    assert.include(status.stdout, "control total of orders.csv (gross): 200.00; read 100.00: differs")
    assert.include(await shownOn(here, [""], "", ["shop"]), "orders.csv (gross)")
  })

  it("of a bank's statement stand beside the payments: its closing balance", async () => {
    const { connections, service: settings } = configuration((await service()).url)
    const { payments: _, ...source } = connections[0]!.source
    const columns = { id: "No", date: "Day", amount: "Amount", reference: "Text", balance: "Balance" }
    const bank = {
      id: "bank",
      source: { connector: "files", payments: { path: "bank.csv", columns, currency: "GBP" } },
      pays: "books"
    }
    const rows = "No,Day,Amount,Text,Balance\n1,2026-03-20,1200.00,INV-1,1500.00\n2,2026-03-21,120.00,INV-2,1620.00\n"
    const here = desk({
      "daybook.config.json": JSON.stringify({ service: settings, connections: [{ ...connections[0], source }, bank] }),
      "invoices.csv": STATED + ONE + TWO,
      "bank.csv": rows
    })
    const ran = await here.run("sync")
    assert.strictEqual(ran.status, 0, ran.stdout)
    assert.include(ran.stdout, "  bank: closing balance of bank.csv (Balance): 1,620.00; read 1,620.00: agrees (GBP)")
    here.write("bank.csv", rows.replace("2026-03-21", "2026-02-31"))
    const bad = await here.run("sync")
    assert.strictEqual(bad.status, 3, bad.stdout)
    assert.include(
      bad.stdout,
      "  bank: bank.csv:3: 120.00 GBP: closing balance of bank.csv (Balance): 1,620.00; read 1,500.00: differs"
    )
    assert.notMatch(bad.stdout, /bank +books +GBP .* agree/)
  })
})
