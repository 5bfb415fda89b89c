/** Money of which a source names no invoice, beside invoices of its own: a person is asked, and no notice takes the question's place. */
import { assert, describe, it } from "@effect/vitest"
import { books, configuration, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const HEAD = "Ref,Invoice,Payer,Date,Amount,Type,Code\n"
const FIRST = "P-1,INV-1,Ann,2026-03-20,120.00,,\n"

const start = async (rows: string) => {
  const there = await service()
  const config = configuration(there.url)
  const { payments } = config.connections[0]!.source
  Object.assign(payments.columns, { customer: "Payer" })
  const here = books(there.url, { "payments.csv": HEAD + rows, "daybook.config.json": JSON.stringify(config) })
  const items = async () =>
    ofType(await here.run("attention", "--json"), "attention").map(({ rule, document }) => `${rule} ${document}`)
  const sync = async () => (await here.run("sync")).status
  return { here, items, sync }
}

const OPEN = "P-2,,Bob,2026-03-21,40.00,,\n"

describe.concurrent("money for no invoice", () => {
  it("P10: is asked about until its source names an invoice, or no longer has it", async () => {
    const { here, items, sync } = await start(`${FIRST}${OPEN}P-3,,Eve,2026-03-22,5.00,,\n`)
    assert.strictEqual(await sync(), 3)
    assert.deepStrictEqual(await items(), ["P10 books/payment/P-2", "P10 books/payment/P-3"])
    const shown = (await here.run("attention", "show", "1")).stdout
    assert.include(shown, "40.00 received on 2026-03-21 from Bob: its source names no invoice for it")
    assert.include((await here.run("plan")).stdout, "books/payment/P-2 P10")
    here.write("payments.csv", HEAD + FIRST + OPEN.replace("P-2,,", "P-2,INV-2,"))
    assert.strictEqual(await sync(), 0)
    assert.deepStrictEqual(await items(), [])
  })

  it("stays closed once a person says so, until the payment changes", async () => {
    const { here, items, sync } = await start(`${FIRST}${OPEN}`)
    assert.strictEqual(await sync(), 3)
    assert.strictEqual((await here.run("attention", "resolve", "1", "--note", "for no invoice")).status, 0)
    assert.strictEqual(await sync(), 0)
    here.write("payments.csv", HEAD + FIRST + OPEN.replace("40.00", "41.00"))
    assert.strictEqual(await sync(), 3)
    assert.deepStrictEqual(await items(), ["P10 books/payment/P-2"])
  })

  it("that went back needs attention as well", async () => {
    const { items, sync } = await start(`${FIRST}R-1,,Bob,2026-03-21,-40.00,refund,\n`)
    assert.strictEqual(await sync(), 3)
    assert.deepStrictEqual(await items(), ["P10 books/reversal/R-1"])
  })
})
