/** `daybook close` and `daybook verify`: a month as of its last day, what was read late, and a chain that shows what was changed. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  configuration,
  desk,
  failed,
  ofType,
  type Ran,
  service,
  STATED,
  statedBooks,
  useCommand
} from "../support/Cli.ts"

useCommand()

const INVOICES = `${STATED}INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,0.00
INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent,200.60
INV-3,Tern & Sons,GB,2026-03-03,2026-04-02,10.00,12.00,Cancelled,0.00
INV-4,Brightwater Foods Ltd,GB,2026-04-10,2026-05-10,50.00,60.00,Sent,60.00
`

/** P-2 was charged back in April. */
const PAYMENTS = `Ref,Invoice,Date,Amount,Type,Code
P-1,INV-1,2026-03-20,120.00,,
P-2,INV-2,2026-03-21,100.00,,
P-2-R,INV-2,2026-04-05,-100.00,chargeback,
P-4,INV-2,2026-04-20,100.00,,
`

const house = async () => {
  const there = await service()
  const here = statedBooks(there.url, { "invoices.csv": INVOICES, "payments.csv": PAYMENTS })
  const sent = await here.run("sync", "--yes")
  assert.strictEqual(sent.status, 0, sent.stdout + sent.stderr)
  return here
}

const sums = (ran: Ran, type = "account") =>
  ofType(ran, type).map(({ books, customer, service, source }) => [
    ...(type === "account" ? [] : [customer]),
    ...[books, service].map((roll) => Object.values(roll as Readonly<Record<string, string>>).join(" ")),
    source
  ])

describe("a month", () => {
  it("opens, moves and closes alike in source, books and service, for each customer; the next one opens as it closed", async () => {
    const { run } = await house()
    const march = await run("close", "2026-03", "--json")
    assert.strictEqual(march.status, 0, march.stderr)
    const first = "0.00 420.60 0.00 220.00 0.00 200.60"
    assert.deepStrictEqual(sums(march), [[first, first, "200.60"]])
    const april = await run("close", "2026-04", "--json")
    const second = "200.60 60.00 0.00 100.00 100.00 260.60"
    assert.deepStrictEqual(sums(april), [[second, second, "260.60"]])
    assert.deepStrictEqual(sums(april, "customer"), [["Brightwater Foods Ltd", second, second, "260.60"]])
    const text = await run("close", "2026-04")
    assert.match(text.stdout, /= Closing balance +260\.60 +260\.60 +260\.60/)
    assert.include(text.stdout, "Source, books and service close alike.")
    assert.include(failed(await run("close", "2026-13"), 2), "is not a month")
  })

  it("says of a connection that no run has planned that it is in no sum, and does not close it", async () => {
    const there = await service()
    const { run } = statedBooks(there.url, { "invoices.csv": INVOICES, "payments.csv": PAYMENTS })
    await run("pull")
    const text = await run("close", "2026-03", "--by", "Ada Keeper")
    assert.strictEqual(text.status, 3, text.stderr)
    assert.include(
      text.stdout,
      "books: none of its plans was carried out yet. Its invoices are in no sum, and it cannot be closed"
    )
    const [summary] = ofType(await run("close", "2026-03", "--json"), "summary")
    assert.deepInclude(summary, { unplanned: ["books"], closed: [] })
    assert.strictEqual((await run("sync", "--yes")).status, 0)
    assert.deepInclude(ofType(await run("close", "2026-03", "--json"), "summary")[0], { unplanned: [], closed: [] })
  })

  it("shows what was read late for a month that a person closed, and keeps who closed it", async () => {
    const { folder, run } = await house()
    const closed = await run("close", "2026-03", "--by", "Ada Keeper", "--json", "--workbook", "march.xlsx")
    assert.strictEqual(closed.status, 0, closed.stderr)
    const [summary] = ofType(closed, "summary") as [{ closed: ReadonlyArray<object> }]
    assert.deepInclude(summary.closed[0], { connection: "books", who: "Ada Keeper" })
    assert.deepStrictEqual(
      ofType(closed, "export").flatMap(({ sheets }) =>
        (sheets as ReadonlyArray<{ name: string }>).map(({ name }) => name)
      ),
      ["Closing", "Differences", "Read late", "Remarks"]
    )
    writeFileSync(join(folder, "payments.csv"), `${PAYMENTS}P-9,INV-2,2026-03-30,40.00,,\n`)
    writeFileSync(join(folder, "invoices.csv"), INVOICES.replace("Sent,200.60", "Sent,160.60"))
    assert.strictEqual((await run("sync")).status, 0)
    const april = await run("close", "2026-04", "--json")
    const roll = "160.60 60.00 0.00 100.00 100.00 220.60"
    assert.deepStrictEqual(sums(april), [[roll, roll, "220.60"]])
    const late = ofType(april, "late")
    assert.deepStrictEqual(
      late.map(({ date, document, now, was }) => [document, date, was, now]),
      [["books/payment/P-9/INV-2", "2026-03-30", "0.00", "-40.00"]]
    )
    assert.include((await run("close", "2026-04")).stdout, "Read late")
    assert.strictEqual((await run("close", "2026-03", "--by", "Another", "--json")).status, 0)
    assert.include((await run("close", "2026-03")).stdout, "closed by Ada Keeper")
    assert.strictEqual((await run("verify")).status, 0)
  })

  it("names payments and credit notes of which its own books have no invoice, until its last day", async () => {
    const there = await service()
    const lost = "P-7,INV-98,2026-03-31,33.33,,\nP-8,INV-99,2026-03-30,1000.00,,\nP-9,INV-99,2026-04-01,5.00,,\n"
    const here = statedBooks(there.url, { "invoices.csv": INVOICES, "payments.csv": PAYMENTS + lost })
    await here.run("sync", "--yes")
    const roll = "0.00 420.60 0.00 220.00 0.00 200.60"
    const march = await here.run("close", "2026-03", "--json")
    assert.deepStrictEqual(sums(march), [[roll, roll, "200.60"]])
    assert.deepInclude(ofType(march, "summary")[0], {
      unmatched: [{ connection: "books", currency: "", payments: 2, amount: "1033.33" }]
    })
    const words = "books: 2 payments or credit notes of 1,033.33 in all wait for an invoice, and are in no sum."
    assert.include((await here.run("close", "2026-03")).stdout, words)
  })

  it("says of an invoice that is in another currency since then that it is late in both", async () => {
    const there = await service()
    const { connections, service: at } = configuration(there.url)
    const { columns, ...invoices } = connections[0]!.source.invoices
    const source = { connector: "files", invoices: { ...invoices, columns: { ...columns, currency: "Currency" } } }
    const booked = (money: string) =>
      `Invoice,Buyer,Country,Issued,Due,Currency,Net,Gross,State\nINV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,${money},Sent\n`
    const here = desk({
      "daybook.config.json": JSON.stringify({ service: at, connections: [{ ...connections[0], source }] }),
      "invoices.csv": booked("GBP,250.00,300.00")
    })
    await here.run("sync", "--yes")
    assert.strictEqual((await here.run("close", "2026-03", "--by", "Ada Keeper")).status, 0)
    for (const amount of ["300.00", "310.00"]) {
      here.write("invoices.csv", booked(`EUR,250.00,${amount}`))
      await here.run("pull")
      const april = await here.run("close", "2026-04", "--json")
      assert.deepStrictEqual(
        ofType(april, "late").map(({ currency, now, was }) => [currency, was, now]),
        [
          ["GBP", "300.00", "0.00"],
          ["EUR", "0.00", amount]
        ]
      )
    }
  })

  it("names each invoice on which they differ, why, and what was decided", async () => {
    const { folder, run } = await house()
    writeFileSync(join(folder, "payments.csv"), `${PAYMENTS}P-9,INV-2,2026-03-30,40.00,,\n`)
    await run("pull")
    const march = await run("close", "2026-03", "--json")
    assert.strictEqual(march.status, 3)
    const [one] = ofType(march, "difference")
    assert.deepInclude(one, { document: "books/invoice/INV-2", books: "160.60", service: "200.60", source: "200.60" })
    assert.match(String(one?.["why"]), /sent yet|source/)
  })
})

describe("the chain", () => {
  it("is whole after a sync, is stated everywhere, and shows what another program changed", async () => {
    const { folder, run } = await house()
    const whole = await run("verify", "--json")
    assert.strictEqual(whole.status, 0, whole.stdout)
    const [{ head }] = ofType(whole, "summary") as [{ head: { entry: number; hash: string } }]
    const word = `${head.entry}:${head.hash}`
    assert.include((await run("status")).stdout, word)
    assert.deepStrictEqual(ofType(await run("status", "--json"), "chain"), [{ type: "chain", ...head }])
    assert.include((await run("backup", "b.db")).stdout, word)
    assert.strictEqual((await run("verify", "--state", "b.db", "--head", word)).status, 0)
    assert.strictEqual((await run("verify", "--head", `${head.entry}:${"0".repeat(64)}`)).status, 3)
    assert.include(failed(await run("verify", "--head", "1"), 2), "--head")
    await run("export", "all.csv")
    const db = new Sqlite(join(folder, "daybook.db"))
    db.exec("UPDATE receipt SET answer = replace(answer, '120', '121') WHERE claim = 2")
    db.exec(`UPDATE document SET body = replace(body, '300.6', '300.7') WHERE key = 'books/invoice/INV-2'`)
    db.close()
    const changed = await run("verify")
    assert.strictEqual(changed.status, 3)
    assert.match(changed.stdout, /receipt 2 is not what entry \d+ says/)
    assert.match(changed.stdout, /books\/invoice\/INV-2 is not what entry \d+ says/)
  })
})
