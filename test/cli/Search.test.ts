/** Finding a document by what a person has at hand: its number, also one that looks like a call's, its customer, its amount. */
import { assert, describe, it } from "@effect/vitest"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import { Database } from "../../sync/state/Database.ts"
import { Context, Effect, Layer } from "effect"
import { books, failed, NOWHERE, useCommand } from "../support/Cli.ts"

useCommand()

const HEAD = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n"
const ROWS = `#2,First Ltd,GB,2026-03-01,2026-03-31,7500.00,9000.00,Sent
INV-90000,Second Ltd,GB,2026-03-01,2026-03-31,10.00,12.00,Sent
INV-7,Café 100%,GB,2026-03-01,2026-03-31,900.00,1080.00,Sent
INV-8,"Sign ""Q"" \\ Ltd",GB,2026-03-01,2026-03-31,90.00,108.00,Sent
`

describe("a document", () => {
  const found = (file: string, text: string) =>
    Effect.gen(function* () {
      const db = Context.get(yield* Layer.build(Database.layer({ file, mode: "read" })), Database)
      const wanted = { connection: "books", kind: "invoice", only: "all", after: "", text } as const
      return Dashboard.documents(db, wanted, 10).map(({ key }) => key.slice("books/invoice/".length))
    }).pipe(Effect.scoped, Effect.runPromise)

  it("is found by number, name and amount, and by nothing that it does not say", async () => {
    const here = books(NOWHERE, { "invoices.csv": HEAD + ROWS })
    await here.run("pull")
    const file = here.path("daybook.db")
    assert.deepStrictEqual(await found(file, "9000"), ["%232", "INV-90000"])
    assert.deepStrictEqual(await found(file, "9,000.00"), ["%232"])
    assert.deepStrictEqual(await found(file, "1080"), ["INV-7"])
    assert.deepStrictEqual(await found(file, "café 100%"), ["INV-7"])
    assert.deepStrictEqual(await found(file, 'SIGN "q" \\'), ["INV-8"])
    assert.deepStrictEqual(await found(file, "\\"), ["INV-8"])
    assert.deepStrictEqual(await found(file, "gross"), [], "a member's name is nothing that it says")
    assert.deepStrictEqual(await found(file, "00000"), [])
  })

  it("whose number looks like a call's is explained under it", async () => {
    const here = books(NOWHERE, { "invoices.csv": HEAD + ROWS })
    await here.run("pull")
    assert.match((await here.run("explain", "#2")).stdout, /First Ltd/)
    assert.match(failed(await here.run("explain", "#3"), 2), /no document or call in the books is called #3/)
  })
})
