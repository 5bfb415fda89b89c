/** A source that says less than it used to, as whoever runs the command meets it. */
import { assert, describe, it } from "@effect/vitest"
import { books, failed, many, NOWHERE, ofType, useCommand } from "../support/Cli.ts"

useCommand()

describe("a source that changes", () => {
  it("is reported by pull and status, in words and for a program", async () => {
    const here = books(NOWHERE, many(60))
    for (const { status, stdout } of await here.runEach(["pull"], ["status"])) {
      assert.strictEqual(status, 0)
      assert.notInclude(stdout, "is there no longer")
    }
    const later = Array.from({ length: 61 + 24 }, (_, n) => {
      const [id, amounts] = [`INV-${n + 1}`, n < 60 ? "100.00,120.00" : ",120.00"]
      return `${id},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,${amounts},Sent\n`
    })
    here.write("invoices.csv", `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${later.join("")}`)
    const words =
      "books: 25 records of kind invoice with the same problem: net: is missing; 60 of the 60 records read before had it"
    assert.include((await here.run("pull")).stdout, words)
    const { stdout } = await here.run("status")
    assert.include(stdout, "Sources that changed")
    assert.include(stdout, words)
    const [row, ...others] = ofType(await here.run("status", "--json"), "drift")
    assert.deepStrictEqual(others, [])
    assert.deepInclude(row, {
      connection: "books",
      kind: "invoice",
      field: "net",
      records: 25,
      origin: "invoice/INV-61"
    })
  })

  it("in a state file of an older Daybook is looked for once that was brought up to date", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const { default: Sqlite } = await import("better-sqlite3")
    const db = new Sqlite(here.path("daybook.db"))
    const format = db.pragma("user_version", { simple: true }) as number
    db.pragma(`user_version = ${format - 1}`)
    assert.include(
      failed(await here.run("status"), 1),
      `it was written by an older Daybook (format ${format - 1}, this one has ${format}); run \`daybook pull\` once`
    )
    db.pragma(`user_version = ${format}`)
    db.close()
    for (const { status } of await here.runEach(["pull"], ["status"])) assert.strictEqual(status, 0)
  })
})
