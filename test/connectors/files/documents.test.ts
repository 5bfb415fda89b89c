/**
 * What rows mean: statuses, countries, the settled column, payments over several invoices, reversals.
 */
import { describe, expect, it } from "vitest"
import { COLUMNS, HEADER, invoices, payments, plain, pull, row, table } from "./support.ts"

type Plain = ReadonlyArray<Record<string, unknown>>

const read = async (name: string, text: string, source: object) => {
  const { documents, error, notices, quarantined } = await pull({ [name]: text }, source)
  expect(error).toBeUndefined()
  return { documents: plain(documents) as Plain, notices: notices.map(({ what }) => what), quarantined }
}

describe("an invoice", () => {
  it("takes its id for its number where no column has one, and where the cell is empty", async () => {
    const columns = { ...COLUMNS, number: "No" }
    const { documents } = await read(
      "invoices.csv",
      `${HEADER},No\n${row("A")},INV-A\n${row("B")},\n`,
      invoices({ columns })
    )
    expect(documents.map(({ id, number }) => [id, number])).toEqual([
      ["A", "INV-A"],
      ["B", "B"]
    ])
    const bare = await read("invoices.csv", table(row("A")), invoices())
    expect(bare.documents[0]!["number"]).toBe("A")
  })

  it("may have net only, or gross only", async () => {
    const { documents } = await read("invoices.csv", table(row("A", "1.00", ""), row("B", "", "1.20")), invoices())
    expect(documents.map(({ gross, net }) => [net, gross])).toEqual([
      ["1.00", undefined],
      [undefined, "1.20"]
    ])
    for (const [id, member] of [
      ["Net", "net"],
      ["Gross", "gross"]
    ] as const) {
      const { net: _, gross: __, ...rest } = COLUMNS
      const one = await read("invoices.csv", table(row("A")), invoices({ columns: { ...rest, [member]: id } }))
      expect(Object.keys(one.documents[0]!).filter((name) => name === "net" || name === "gross")).toEqual([member])
    }
  })

  it("has a status of ours, one that is mapped, or is open where nothing is said", async () => {
    const states = ["Sent", "draft", "PAID", "Void", "", "Gone"]
    const text = table(...states.map((state, n) => row(String(n)).replace(/Sent$/, state)))
    const statuses = { Sent: "open", Gone: "void" }
    const { documents } = await read("invoices.csv", text, invoices({ statuses }))
    expect(documents.map(({ status }) => status)).toEqual(["open", "draft", "paid", "void", "open", "void"])
    // What nothing means can be said as well.
    const empty = await read("invoices.csv", text, invoices({ statuses: { ...statuses, "": "draft" } }))
    expect(empty.documents[4]!["status"]).toBe("draft")
    const { status: _, ...columns } = COLUMNS
    const without = await read("invoices.csv", text, invoices({ columns }))
    expect(new Set(without.documents.map(({ status }) => status))).toEqual(new Set(["open"]))
  })

  it("has a country of any code or English name, or of the map; 818 is Egypt", async () => {
    const countries = ["GB", "gbr", "826", "818", "Germany", "Deutschland", "4"]
    const text = table(...countries.map((country, n) => row(String(n)).replace("GB", country)))
    const { documents, notices } = await read("invoices.csv", text, invoices({ countries: { Deutschland: "Germany" } }))
    const found = documents.map(({ party }) => (party as { country?: string }).country)
    expect(found).toEqual(["GB", "GB", "GB", "EG", "DE", "DE", "AF"])
    expect(notices).toEqual([])
  })

  it("is kept without a country that is not known, and a notice says so", async () => {
    const { documents, notices, quarantined } = await read(
      "invoices.csv",
      table(row("A").replace("GB", "897"), row("B").replace("GB", ""), row("C").replace("GB", "897")),
      invoices()
    )
    expect(quarantined).toEqual([])
    expect(documents.map(({ party }) => party)).toEqual([
      { name: "Acme Ltd" },
      { name: "Acme Ltd" },
      { name: "Acme Ltd" }
    ])
    const notice = 'Country "897" is not an ISO 3166-1 country; ignored (map it under countries)'
    expect(notices).toEqual([notice, notice])
  })

  it("takes what no column has from the settings", async () => {
    const { customer_country: _, ...columns } = COLUMNS
    const fixed = await read(
      "invoices.csv",
      table(row("A")),
      invoices({ columns, customer_country: "France", currency: "eur" })
    )
    expect(fixed.documents[0]).toMatchObject({ currency: "EUR", party: { country: "FR" } })
    // A cell goes before it, an empty one does not.
    const mixed = await read(
      "invoices.csv",
      table(row("A"), row("B").replace("GB", "")),
      invoices({ customer_country: "FR" })
    )
    expect(mixed.documents.map(({ party }) => (party as { country: string }).country)).toEqual(["GB", "FR"])
  })

  it("has metadata of the columns that are named for it, empty cells left out", async () => {
    const { documents } = await read(
      "invoices.csv",
      `${HEADER},PO\n${row("A")},PO-1\n${row("B")},\n`,
      invoices({ metadata: { order: "PO", state: "State" } })
    )
    expect(documents.map(({ metadata }) => metadata)).toEqual([{ order: "PO-1", state: "Sent" }, { state: "Sent" }])
  })

  it("sees nothing in cells that null_values names", async () => {
    const { documents, quarantined } = await read(
      "invoices.csv",
      table(row("A", "N/A", "1.20").replace("GB", "-"), row("B", "N/A", "-"), row("-")),
      invoices({ null_values: ["N/A", "-"] })
    )
    expect(documents.map(({ id, net, party }) => [id, net, party])).toEqual([["A", undefined, { name: "Acme Ltd" }]])
    expect(quarantined.map(({ field, id, why }) => [field, id, why])).toEqual([
      ["Gross", "B", "is empty, and an amount is needed; write it, or leave the row out"],
      ["Invoice", undefined, "is empty, and is needed; write it, or leave the row out"]
    ])
  })
})

describe("the settled column", () => {
  const source = (more: object = {}) => invoices({ columns: { ...COLUMNS, settled: "Paid" }, ...more })
  const text = (...rows: ReadonlyArray<readonly [string, string]>) =>
    `${HEADER},Paid\n${rows.map(([line, paid]) => `${line},${paid}\n`).join("")}`

  it("says that the invoice was paid in full that day", async () => {
    const { documents } = await read("invoices.csv", text([row("A"), "2024-02-15"], [row("B"), ""]), source())
    expect(documents).toMatchObject([
      { kind: "invoice", id: "A", status: "open" },
      {
        kind: "payment",
        id: "A/settled",
        date: "2024-02-15",
        currency: "GBP",
        shares: [{ invoice: "A", amount: "120.00" }]
      },
      { kind: "invoice", id: "B", status: "open" }
    ])
    expect(documents).toHaveLength(3)
  })

  it("pays the net amount where there is no gross amount, and nothing where nothing was due", async () => {
    const { documents } = await read(
      "invoices.csv",
      text(
        [row("A", "100.00", ""), "2024-02-15"],
        [row("B", "100.00", "0.00"), "2024-02-15"],
        [row("C", "-100.00", "-120.00"), "2024-02-15"],
        [row("D").replace(/Sent$/, "void"), "2024-02-15"],
        [row("E").replace(/Sent$/, "draft"), "2024-02-15"]
      ),
      source()
    )
    expect(documents.filter(({ kind }) => kind === "payment")).toMatchObject([
      { id: "A/settled", shares: [{ invoice: "A", amount: "100.00" }] }
    ])
    expect(documents.filter(({ kind }) => kind === "invoice")).toHaveLength(5)
  })

  it("quarantines the row where it is no date: half of it would be worse", async () => {
    const { documents, quarantined } = await read("invoices.csv", text([row("A"), "yes"], [row("B"), ""]), source())
    expect(documents.map(({ id }) => id)).toEqual(["B"])
    expect(quarantined).toMatchObject([{ id: "A", field: "Paid", why: expect.stringContaining('"yes" is not a date') }])
  })
})

describe("payments", () => {
  const HEAD = "Ref,Invoice,Date,Amount,Type,Code"

  it("of one reference over several invoices are one document for each share", async () => {
    const { documents } = await read(
      "payments.csv",
      `${HEAD}\nP-1,A,2024-02-01,10.00,,\nP-1,B,2024-02-01,20.00,,\nP-2,A,2024-02-02,5.00,,\n`,
      payments()
    )
    expect(documents).toEqual(
      [
        ["P-1", "A", "2024-02-01", "10.00"],
        ["P-1", "B", "2024-02-01", "20.00"],
        ["P-2", "A", "2024-02-02", "5.00"]
      ].map(([ref, invoice, date, amount]) => ({
        kind: "payment",
        id: `${ref}/${invoice}`,
        date,
        currency: "GBP",
        shares: [{ invoice, amount }]
      }))
    )
  })

  it("that are negative are reversals, of a type of the service, a mapped one, or unknown", async () => {
    const rows = ["chargeback", "Refund", "ERROR", "other", "", "RLS"].map(
      (type, n) => `P-${n},A,2024-02-01,-1.00,${type},${n === 0 ? "AC04" : ""}\n`
    )
    const { documents } = await read(
      "payments.csv",
      `${HEAD}\n${rows.join("")}`,
      payments({ types: { RLS: "refund" } })
    )
    expect(documents.map(({ kind, providerCode, type }) => [kind, type, providerCode])).toEqual([
      ["reversal", "chargeback", "AC04"],
      ["reversal", "refund", undefined],
      ["reversal", "error", undefined],
      ["reversal", "other", undefined],
      ["reversal", "unknown", undefined],
      ["reversal", "refund", undefined]
    ])
    expect(documents[0]!["shares"]).toEqual([{ invoice: "A", amount: "1.00" }])
  })

  it("and their reversal may have one reference: they are two documents", async () => {
    const text = `${HEAD}\nP-1,A,2024-02-01,10.00,,\nP-1,A,2024-02-09,-10.00,,\n`
    const { documents, quarantined } = await read("payments.csv", text, payments())
    expect(quarantined).toEqual([])
    expect(documents.map(({ id, kind }) => [kind, id])).toEqual([
      ["payment", "P-1/A"],
      ["reversal", "P-1/A"]
    ])
  })

  it("have no currency of their own where none is known, and a way of paying where one is", async () => {
    const source = {
      payments: {
        path: "payments.csv",
        columns: { id: "Ref", invoice: "Invoice", date: "Date", amount: "Amount", method: "Type" },
        methods: { SEPA: "bank" }
      }
    }
    const rows = ["SEPA", "Card", "", "barter"].map((how, n) => `P-${n},A,2024-02-01,1.00,${how},\n`)
    const { documents, notices } = await read("payments.csv", `${HEAD}\n${rows.join("")}`, source)
    expect(documents.map(({ currency, method }) => [currency, method])).toEqual([
      [undefined, "bank"],
      [undefined, "card"],
      [undefined, undefined],
      [undefined, undefined]
    ])
    expect(notices).toEqual([
      'Type "barter" is not a payment method (unknown, bank, card, cash); ignored (map it under methods)'
    ])
  })
})
