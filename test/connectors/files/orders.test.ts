/** Rows about orders: lines that become one document, and what takes a whole document along when it cannot be read. */
import { assert, describe, it } from "@effect/vitest"
import { cancellation, line, order, parcel, returned } from "../../support/Orders.ts"
import { of } from "../../../core/money/Decimal.ts"
import { day } from "../../support/Documents.ts"
import { pull } from "./support.ts"

const ORDERS = {
  orders: {
    path: "orders.csv",
    currency: "GBP",
    columns: {
      id: "id",
      placed: "placed",
      status: "status",
      line: "line",
      type: "type",
      quantity: "quantity",
      gross: "gross",
      deferred_payment: "payment"
    }
  }
}
const HEADER = "id,placed,status,line,type,quantity,gross,payment\n"
const FACTS = {
  path: "facts.csv",
  columns: { id: "id", order: "order", date: "date", line: "line", quantity: "quantity" }
}

const documents = async (csv: string) => (await pull({ "orders.csv": HEADER + csv }, ORDERS)).documents

describe("orders in files", () => {
  it("the rows of one id are one order, whatever the decimals of its quantities", async () => {
    const csv =
      "O1,2026-03-01,,chairs,,4,60.00,defpay-1\nO1,2026-03-01,,cloth,,2.5,7.50,defpay-1\nO1,2026-03-01,,off,discount,1,5.00,defpay-1\nO2,2026-03-01,closed,,,,1.00,\n"
    const [first, second] = await documents(csv)
    const lines = [line("chairs", "4", "60.00"), line("cloth", "2.5", "7.50"), line("off", "1", "-5.00", "discount")]
    assert.deepStrictEqual(first, order({ number: "O1", lines }))
    assert.deepInclude(second, { id: "O2", status: "closed", lines: [line("1", "1", "1.00")] })
  })

  it("a row that cannot be read takes its order along, and no other", async () => {
    const csv =
      "O1,2026-03-01,,a,,1,1.00,\nO1,2026-03-01,,b,,x,1.00,\nO1,2026-03-01,,c,,1,1.00,\nO2,2026-03-01,,a,,1,1.00,\n"
    const { documents, quarantined } = await pull({ "orders.csv": HEADER + csv }, ORDERS)
    assert.deepStrictEqual(
      documents.map(({ id }) => id),
      ["O2"]
    )
    assert.deepStrictEqual(
      quarantined.map(({ id, origin }) => [id, origin]),
      [
        ["O1", "orders.csv:2"],
        ["O1", "orders.csv:3"],
        ["O1", "orders.csv:4"]
      ]
    )
  })

  it("rows of one id that are apart, that disagree, or that name a line twice are quarantined", async () => {
    const wrong = [
      ["O1,2026-03-01,,a,,1,1.00,\nO2,2026-03-01,,a,,1,1.00,\nO1,2026-03-01,,b,,1,1.00,\n", /follow each other/],
      ["O1,2026-03-01,,a,,1,1.00,\nO1,2026-03-02,,b,,1,1.00,\n", /contradicts line 2 about "O1"/],
      ["O1,2026-03-01,,a,,1,1.00,\nO1,2026-03-01,,a,,1,1.00,\n", /its line "a" appears twice/],
      ["O1,2026-03-01,sent,a,,1,1.00,\n", /not one of open, closed, cancelled; map it under statuses/],
      ["O1,2026-03-01,,a,,0,1.00,\n", /is not greater than zero/],
      ["O1,2026-03-01,,a,product,1,-1.00,\n", /the line is not a discount/]
    ] as const
    for (const [csv, why] of wrong) {
      const { quarantined } = await pull({ "orders.csv": HEADER + csv }, ORDERS)
      assert.match(quarantined.map(({ why }) => why).join("\n"), why)
    }
  })

  it("an order over the end of a page is one order all the same", async () => {
    const rows = Array.from({ length: 1501 }, (_, n) => `O${Math.floor(n / 3)},2026-03-01,,l${n % 3},,1,1.00,\n`)
    const all = await documents(rows.join(""))
    assert.strictEqual(all.length, 501)
    assert.isTrue(all.slice(0, 500).every((one) => one.kind === "order" && one.lines.length === 3))
  })

  it("parcels and cancellations are their lines; none at all is all that is left", async () => {
    const csv = "id,order,date,line,quantity\n1,O1,2026-03-02,chairs,1\n1,O1,2026-03-02,lamps,2\n2,O1,2026-03-02,,\n"
    const parcels = await pull({ "facts.csv": csv }, { fulfilments: FACTS })
    assert.deepStrictEqual(parcels.documents, [parcel("1", { chairs: "1", lamps: "2" }), parcel("2")])
    const cancelled = await pull({ "facts.csv": csv.replaceAll("03-02", "03-03") }, { cancellations: FACTS })
    assert.deepStrictEqual(cancelled.documents[1], cancellation("2"))
  })

  it("how a carrier knows a parcel: of all its rows, several numbers in a cell, and a link where there is one", async () => {
    const names = { tracking: "Tracking", carrier: "Carrier", tracking_url: "Link" }
    const fulfilments = { ...FACTS, columns: { ...FACTS.columns, ...names } }
    const csv =
      "id,order,date,line,quantity,Carrier,Tracking,Link\n" +
      "1,O1,2026-03-02,chairs,1,DPD,1550,https://parcels.example/1550\n1,O1,2026-03-02,lamps,2,DPD,1550,\n" +
      '1,O1,2026-03-02,rug,1,Van,"7; 8",https://parcels.example/7\n2,O1,2026-03-02,,,DPD,,https://parcels.example/\n'
    const { documents, quarantined } = await pull({ "facts.csv": csv }, { fulfilments })
    assert.deepStrictEqual(quarantined, [])
    assert.deepStrictEqual(documents, [
      {
        ...parcel("1", { chairs: "1", lamps: "2", rug: "1" }),
        tracking: [
          { number: "1550", carrier: "DPD", url: "https://parcels.example/1550" },
          { number: "7", carrier: "Van" },
          { number: "8", carrier: "Van" }
        ]
      },
      parcel("2")
    ])
  })

  it("who orders, where it goes and what a line is: columns of their own, empty where a row has nothing to say", async () => {
    const columns = {
      ...ORDERS.orders.columns,
      buyer: "Buyer",
      email: "Email",
      buyer_country: "Land",
      buyer_since: "Since",
      delivery_line1: "Street",
      delivery_country: "Land",
      sku: "SKU",
      category: "Category",
      tax: "VAT",
      supplier: "Supplier"
    }
    const csv =
      `${HEADER.trim()},Buyer,Email,Land,Since,Street,SKU,Category,VAT,Supplier,Channel\n` +
      "O1,2026-03-01,,chairs,,4,60.00,,Corner Bakery,ann@example.com,United Kingdom,2024-01-05,1 High St,CH-4,Seats,20%,Oak & Co,web\n" +
      "O1,2026-03-01,,rug,,1,10.00,,Corner Bakery,ann@example.com,United Kingdom,2024-01-05,1 High St,,,,,web\n" +
      "O2,2026-03-01,,,,,1.00,,Nobody,,,,,,,,,\n"
    const settings = { orders: { ...ORDERS.orders, columns, metadata: { channel: "Channel" } } }
    const {
      documents: [first, second]
    } = await pull({ "orders.csv": csv }, settings)
    assert.deepInclude(first, {
      buyer: { name: "Corner Bakery", email: "ann@example.com", country: "GB", registered: day("2024-01-05") },
      delivery: { line1: "1 High St", country: "GB" },
      metadata: { channel: "web" },
      lines: [
        { ...line("chairs", "4", "60.00"), sku: "CH-4", category: "Seats", tax: "20%", supplier: { name: "Oak & Co" } },
        line("rug", "1", "10.00")
      ]
    })
    assert.notProperty(second, "buyer", "without an email there is nobody who could order")
  })

  it("a return may state its amount, with goods or without any; rows of one return add up", async () => {
    const returns = { ...FACTS, columns: { ...FACTS.columns, amount: "amount" } }
    const read = async (rows: string) =>
      pull({ "facts.csv": `id,order,date,line,quantity,amount\n${rows}` }, { returns })
    const { documents } = await read(
      "1,O1,2026-03-09,,,10.00\n2,O1,2026-03-09,chairs,1,12.00\n2,O1,2026-03-09,rug,1,3.00\n"
    )
    assert.deepStrictEqual(documents, [
      { ...returned("1"), amount: of("10.00") },
      { ...returned("2", { chairs: "1", rug: "1" }), amount: of("15.00") }
    ])
    // Goods came back, and no money went.
    const exchanged = await read("1,O1,2026-03-09,chairs,1,0.00\n")
    assert.deepStrictEqual(exchanged.documents, [{ ...returned("1", { chairs: "1" }), amount: 0n }])
    const wrong = [
      [
        "1,O1,2026-03-09,chairs,1,12.00\n1,O1,2026-03-09,rug,1,\n",
        /some of its rows have an amount and some have none/
      ],
      ["1,O1,2026-03-09,,,-1.00\n", /negative/]
    ] as const
    for (const [rows, why] of wrong) assert.match((await read(rows)).quarantined[0]!.why, why)
  })
})
