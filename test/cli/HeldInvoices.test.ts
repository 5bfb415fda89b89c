/** An invoice whose latest record could not be read: nothing of it is sent, and every command says so. */
import { assert, describe, it } from "@effect/vitest"
import { books, INVOICES, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"

useCommand()

const SETTLED = PAYMENTS.replace("P-3,INV-9,2026-03-22,5.00,,\n", "")

describe("an invoice whose latest record could not be read (S3)", { timeout: 120_000 }, () => {
  it("is held until it can be: its payments are not sent either, and plan, explain and exit status say so", async () => {
    const there = await service()
    const here = books(there.url, { "invoices.csv": INVOICES, "payments.csv": SETTLED })
    const first = await here.run("sync")
    assert.strictEqual(first.status, 0, first.stdout)

    const before = await there.holds()
    here.write("invoices.csv", INVOICES.replace("2026-04-01,250.50,300.60", "2026-04-31,350.50,420.60"))
    here.write("payments.csv", `${SETTLED}P-4,INV-2,2026-03-25,50.00,,\n`)
    await here.run("pull")
    const planned = ofType(await here.run("plan", "--json"), "attention")
    assert.deepInclude(planned[0], { document: "books/invoice/INV-2", rule: "S3" })
    assert.include(String(planned[0]!["why"]), "the latest record of it could not be read (invoices.csv:3: Due:")
    for (const command of ["sync", "apply"]) assert.strictEqual((await here.run(command)).status, 3, command)
    assert.deepStrictEqual(await there.holds(), before)
    assert.include((await here.run("explain", "INV-2")).stdout, "The latest record could not be read")

    here.write("invoices.csv", INVOICES.replace("2026-04-01,250.50,300.60", "2026-04-30,250.50,300.60"))
    const mended = await here.run("sync")
    assert.strictEqual(mended.status, 0, mended.stdout)
    assert.deepInclude((await there.holds())["books/invoice/INV-2"], {
      payments: [
        "2026-03-21 100.00 settlement books/payment/P-2/INV-2",
        "2026-03-25 50.00 settlement books/payment/P-4/INV-2"
      ]
    })
  })

  it("is sent again when its record says once more what it said before", async () => {
    const there = await service()
    const here = books(there.url, { "invoices.csv": INVOICES, "payments.csv": SETTLED })
    await here.run("sync")
    here.write("payments.csv", SETTLED.replace("2026-03-21", "2026-02-31"))
    assert.strictEqual((await here.run("sync")).status, 3)
    here.write("payments.csv", SETTLED)
    const mended = await here.run("sync")
    assert.strictEqual(mended.status, 0, mended.stdout)
    assert.deepStrictEqual(ofType(await here.run("attention", "--json"), "attention"), [])
  })

  it("that was never read is found by its id", async () => {
    const here = books((await service()).url, {
      "invoices.csv": `${INVOICES}INV-9,Tern & Sons,GB,2026-03-33,2026-04-02,10.00,12.00,Sent\n`
    })
    await here.run("pull")
    const { status, stdout } = await here.run("explain", "INV-9")
    assert.strictEqual(status, 3)
    assert.include(stdout, '"2026-03-33"')
  })
})
