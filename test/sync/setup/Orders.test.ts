/** Lists of orders without a preset: a row for each line, told from invoices by what they name. */
import { describe, expect, it } from "vitest"
import { draftOf, readAll } from "./Reading.ts"

const file = (text: string) => ({ "orders.csv": Buffer.from(text) })

const LIST = `Order No;SKU;Description;Qty;Order Date;Status;Line Amount;Currency
1041;chairs;Folding chair;4;01.03.2026;Shipped;60,00;EUR
1041;lamps;Desk lamp;3;01.03.2026;Shipped;20,00;EUR
1042;lamps;Desk lamp;1;14.03.2026;Processing;7,50;EUR
`

describe("init, of a list of orders", () => {
  it("reads its lines as orders, with what their states mean", async () => {
    const { documents, found, quarantined } = await readAll(file(LIST))
    expect(found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
    expect(quarantined).toEqual([])
    expect(documents).toMatchObject([
      { kind: "order", id: "1041", status: "closed", placed: "2026-03-01", currency: "EUR", lines: [{}, {}] },
      { kind: "order", id: "1042", status: "open", placed: "2026-03-14", lines: [{ description: "Desk lamp" }] }
    ])
    const { orders } = found.sources.books as unknown as {
      readonly orders: { readonly columns: object; readonly statuses: object }
    }
    expect(orders.columns).toMatchObject({ id: "Order No", line: "SKU", quantity: "Qty" })
    expect(orders.statuses).toEqual({ Shipped: "closed", Processing: "open" })
  })

  it("asks for the amount of a line where only that of the order is there, and what a state means", async () => {
    const text = LIST.replaceAll(/;(60,00|20,00);/g, ";80,00;")
      .replace("Line Amount", "Total")
      .replace("Processing", "Odd")
    const { found } = await draftOf(file(text))
    expect(found.questions.map(({ answer }) => answer)).toEqual(
      expect.arrayContaining(["column.orders.gross", "status.Odd"])
    )
  })

  it("leaves lists that name invoices to be invoices", async () => {
    const text = `Invoice No,Order No,Customer,Qty,Date,Due Date,Total,Currency\nI-1,1,Tern,2,2026-03-01,2026-03-31,12.00,EUR\n`
    const { documents } = await readAll(file(text))
    expect(documents).toMatchObject([{ kind: "invoice", id: "I-1" }])
  })
})
