/** Payments in yen on an invoice in euros, over the command: what the service hears, and what a person does. */
import { assert, describe, it } from "@effect/vitest"
import { books, configuration, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const INVOICES = `Invoice,Buyer,Country,Issued,Due,Net,Gross,State,Cur
INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,,500.00,Sent,EUR
INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,,300.60,Sent,EUR
`
const payments = (...rows: ReadonlyArray<string>) => `Ref,Invoice,Date,Amount,Type,Code,Cur\n${rows.join("\n")}\n`

describe("payments in another currency", { timeout: 60_000 }, () => {
  it("are not reported and pay for nothing; an attention item names both amounts, and a person corrects the source", async () => {
    const { calls, holds, url } = await service()
    const { connections, service: address } = configuration(url)
    const { invoices, payments: paid, ...source } = connections[0]!.source
    const config = {
      service: address,
      connections: [
        {
          ...connections[0],
          source: {
            ...source,
            invoices: { ...invoices, columns: { ...invoices.columns, currency: "Cur" } },
            payments: { ...paid, columns: { ...paid.columns, currency: "Cur" } }
          }
        }
      ]
    }
    const here = books(url, {
      "daybook.config.json": JSON.stringify(config),
      "invoices.csv": INVOICES,
      "payments.csv": payments("P-1,INV-1,2026-03-20,10000,,,JPY", "P-2,INV-2,2026-03-21,300.60,,,EUR")
    })
    const first = await here.run("sync", "--json")
    assert.strictEqual(first.status, 3, first.stderr)
    const held = (await holds()) as Record<
      string,
      { readonly status: string; readonly payments: ReadonlyArray<string> }
    >
    assert.deepInclude(held["books/invoice/INV-1"], { status: "pending", payments: [] })
    assert.strictEqual(held["books/invoice/INV-2"]!.status, "paid")
    assert.deepStrictEqual(
      ofType(first, "attention").map(({ document, rule, why }) => [document, rule, why]),
      [
        [
          "books/invoice/INV-1",
          "P1",
          "10,000 JPY received on 2026-03-20 is in JPY, and the invoice in EUR: it is not counted"
        ]
      ]
    )
    const [statement] = ofType(first, "completeness").filter(({ currency }) => currency === "EUR")
    assert.deepInclude(statement, { books: "500.00", service: "500.00", differences: [] })
    assert.include((await here.run("explain", "INV-1")).stdout, "Not counted: 10,000 JPY of books/payment/P-1/INV-1")

    // The currency of an invoice changes after a payment of it was reported: nothing of it is sent.
    const before = (await calls()).length
    here.write("invoices.csv", INVOICES.replace("300.60,Sent,EUR", "300.60,Sent,USD"))
    const second = await here.run("sync", "--json")
    assert.strictEqual(second.status, 3, second.stderr)
    assert.strictEqual((await calls()).length, before)
    assert.include(
      ofType(second, "attention").map(({ why }) => why),
      "it is now 300.60 USD in the source; the service has it as 300.60 EUR, reported with 300.60 EUR received and marked as paid"
    )

    here.write("invoices.csv", INVOICES)
    here.write("payments.csv", payments("P-1,INV-1,2026-03-20,500.00,,,EUR", "P-2,INV-2,2026-03-21,300.60,,,EUR"))
    const last = await here.run("sync", "--json")
    assert.strictEqual(last.status, 0, last.stdout + last.stderr)
    assert.deepInclude((await holds())["books/invoice/INV-1"], { status: "paid" })
  })
})
