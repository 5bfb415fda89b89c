/** The statement's column of the source's own word: exports with a balance, as programs write them. */
import { assert, describe, it } from "@effect/vitest"
import { ofType, service, STATED, statedBooks, useCommand } from "../support/Cli.ts"

useCommand()

const ROWS = `INV-1,Harbour Tea Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,40.00
INV-2,Old Mill Bakery,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,120.00
`
const PAID = `Ref,Invoice,Date,Amount,Type,Code
P-1,INV-1,2026-03-20,80.00,,
`

const open = (url: string, payments: string, rows = ROWS) =>
  statedBooks(url, { "invoices.csv": STATED + rows, "payments.csv": payments })

describe("the source's own word", { timeout: 120_000 }, () => {
  it("agrees with books and service, which is said, and shown in a column of its own", async () => {
    const here = open((await service()).url, PAID)
    const { status, stdout } = await here.run("sync")
    assert.strictEqual(status, 0, stdout)
    assert.match(stdout, /Source says +Books +Service/)
    assert.match(stdout, /books +GBP +2 +160\.00 +160\.00 +160\.00 +agree/)
    const [statement] = ofType(await here.run("status", "--json"), "completeness")
    if (statement !== undefined) assert.deepInclude(statement, { source_says: "160.00", differences: [] })
  })

  it("differs where a payment was not read: named with both amounts, in plan and statement, and the run ends with 3", async () => {
    const here = open((await service()).url, PAID.split("\n")[0]! + "\n")
    await here.run("pull")
    const planned = await here.run("plan")
    const words =
      "the source says that 40.00 GBP is open; the records that were read give 120.00 GBP: 120.00 asked − 0.00 received (0 payments)"
    assert.include(planned.stdout.replace(/\s+/g, " "), words)
    const ran = await here.run("sync", "--json")
    assert.strictEqual(ran.status, 3)
    const [statement] = ofType(ran, "completeness")
    assert.deepInclude(statement, { source_says: "160.00", books: "240.00", service: "240.00" })
    assert.deepStrictEqual(statement!["differences"], [
      { document: "books/invoice/INV-1", amount: "-80.00", why: words, source: "40.00", facts: "120.00" }
    ])
    here.write("payments.csv", PAID)
    const mended = await here.run("sync")
    assert.strictEqual(mended.status, 0, mended.stdout)
    assert.match(mended.stdout, /books +GBP +2 +160\.00 +160\.00 +160\.00 +agree/)
  })

  it("is missing of some: they are counted, and agree is not said alone", async () => {
    const here = open((await service()).url, PAID, ROWS.replace("Sent,120.00", "Sent,"))
    const { status, stdout } = await here.run("sync")
    assert.strictEqual(status, 0, stdout)
    assert.match(stdout, /books +GBP +2 +40\.00 +160\.00 +160\.00 +agree, but 1 invoice not checked/)
  })

  it("money beyond what was asked for is named, and lowers no sum", async () => {
    const here = open((await service()).url, `${PAID}P-2,INV-1,2026-03-21,45.00,,\n`, ROWS.replace("40.00", "-5.00"))
    const ran = await here.run("sync")
    assert.strictEqual(ran.status, 3, ran.stdout)
    assert.match(ran.stdout, /books +GBP +2 +120\.00 +120\.00 +120\.00 +agree/)
    assert.include(ran.stdout, "books: 5.00 GBP of 1 invoice is owed to buyers")
    assert.include(ran.stdout, "5.00 GBP more was received than it asks for")
    const [statement] = ofType(await here.run("apply", "--json"), "completeness")
    assert.deepInclude(statement, { credit: { amount: "5.00", invoices: 1 } })
  })
})
