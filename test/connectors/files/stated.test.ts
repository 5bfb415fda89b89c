/** What a file itself says that its rows come to, handed over beside what was read of them. */
import { describe, expect, it } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { invoices, pull, row, table } from "./support.ts"

const stated = async (text: string, source: object, name = "invoices.csv") => {
  const { pages } = await pull({ [name]: text }, source)
  return pages.flatMap(({ stated = [] }) =>
    stated.map(({ amount, at, column, currency, list, read, what }) =>
      [list, what, column, currency, Decimal.format(amount, 2), Decimal.format(read, 2), at].join(" ")
    )
  )
}

describe("a total of a file", () => {
  const of = (last: string, ...rows: ReadonlyArray<string>) => `${table(...rows)}${last}\n`

  it("is handed over for each column of amounts, with what was read", async () => {
    expect(await stated(of("TOTAL,,,,,200.00,240.00,", row("1"), row("2")), invoices())).toEqual([
      "invoices.csv total Net GBP 200.00 200.00 invoices.csv:4",
      "invoices.csv total Gross GBP 240.00 240.00 invoices.csv:4"
    ])
  })

  it("is apart by rows that are quarantined, whether their amount can be read or not", async () => {
    const date = row("2").replace("2024-01-31", "2024-02-31")
    const bad = await stated(of("TOTAL,,,,,,360.00,", row("1"), date, row("3", "100.00", "12O.00")), invoices())
    expect(bad).toEqual(["invoices.csv total Gross GBP 360.00 120.00 invoices.csv:5"])
  })

  it("is apart by a row that is there twice, and by one that is missing", async () => {
    const twice = await stated(of("TOTAL,,,,,,360.00,", row("1"), row("2"), row("2")), invoices())
    expect(twice).toEqual(["invoices.csv total Gross GBP 360.00 240.00 invoices.csv:5"])
    const missing = await stated(of("TOTAL,,,,,,360.00,", row("1"), row("2")), invoices())
    expect(missing).toEqual(["invoices.csv total Gross GBP 360.00 240.00 invoices.csv:4"])
  })

  it("is apart by a record that the books cannot hold", async () => {
    const record = (id: string, gross: string) =>
      JSON.stringify({ No: id, Buyer: "Acme", Issued: "2024-01-31", Due: "2024-02-28", Gross: gross })
    const columns = { id: "No", customer: "Buyer", issued: "Issued", due: "Due", gross: "Gross" }
    const settings = { invoices: { path: "invoices.jsonl", columns, currency: "GBP" } }
    const half = record("2\ud800", "120.00")
    const total = JSON.stringify({ No: "TOTAL", Gross: "240.00" })
    const text = `${record("1", "120.00")}\n${half}\n${total}\n`
    expect(await stated(text, settings, "invoices.jsonl")).toEqual([
      "invoices.jsonl total Gross GBP 240.00 120.00 invoices.jsonl:3"
    ])
  })

  it("of groups is taken together, and a total over all of them says it once more", async () => {
    const groups = `${table(row("1"))}Total A,,,,,,120.00,\n${row("2")}\n${row("3")}\nTotal B,,,,,,240.00,\n`
    expect(await stated(groups, invoices())).toEqual(["invoices.csv total Gross GBP 360.00 360.00 invoices.csv:6"])
    expect(await stated(`${groups}TOTAL,,,,,,360.00,\n`, invoices())).toEqual([
      "invoices.csv total Gross GBP 360.00 360.00 invoices.csv:7"
    ])
    const bad = groups.replace("2,Acme Ltd,GB,2024-01-31", "2,Acme Ltd,GB,soon")
    expect(await stated(bad, invoices())).toEqual(["invoices.csv total Gross GBP 360.00 240.00 invoices.csv:6"])
  })

  it("counts rows that are left out on purpose, and rows of many pages", async () => {
    const rows = Array.from({ length: 1_300 }, (_, n) => row(String(n), "1.00", n % 2 === 0 ? "1.00" : "2.00"))
    rows[700] = rows[700]!.replace("2024-01-31", "")
    const where = { State: { not: "Draft" } }
    rows[800] = rows[800]!.replace("Sent", "Draft")
    expect(await stated(of("TOTAL,,,,,,1950.00,", ...rows), invoices({ where }))).toEqual([
      'invoices.csv left out "State" says "Draft" GBP 1.00 1.00 invoices.csv:802',
      "invoices.csv total Gross GBP 1950.00 1949.00 invoices.csv:1302"
    ])
  })

  it("is not there without one, or over several currencies", async () => {
    expect(await stated(table(row("1")), invoices())).toEqual([])
    const columns = { ...invoices().invoices.columns, currency: "Buyer" }
    const two = [row("1"), row("2")].map((one, n) => one.replace("Acme Ltd", n === 0 ? "GBP" : "EUR"))
    expect(await stated(of("TOTAL,,,,,,240.00,", ...two), invoices({ columns }))).toEqual([])
  })
})

describe("the closing balance of a statement", () => {
  const source = {
    payments: {
      path: "bank.csv",
      columns: { id: "Ref", date: "Date", reference: "Text", amount: "Amount", balance: "Balance" },
      currency: "GBP"
    }
  }
  const HEAD = "Ref,Date,Text,Amount,Balance\n"
  const rows = ["1,2026-01-05,a,10.00,110.00", "2,2026-01-06,b,-3.00,107.00", "3,2026-01-07,c,5.00,112.00"]
  const read = (lines: ReadonlyArray<string>) => stated(`${HEAD}${lines.join("\n")}\n`, source, "bank.csv")

  it("is what the first balance and all amounts come to, oldest first or newest first", async () => {
    expect(await read(rows)).toEqual(["bank.csv closing balance Balance GBP 112.00 112.00 bank.csv:4"])
    expect(await read(rows.toReversed())).toEqual(["bank.csv closing balance Balance GBP 112.00 112.00 bank.csv:2"])
  })

  it("is apart by the rows that were not read, wherever they stand", async () => {
    for (const [at, says] of [
      [0, "102.00"],
      [1, "115.00"],
      [2, "107.00"]
    ] as const) {
      const bad = rows.with(at, rows[at]!.replace(/2026-01-../, ""))
      expect(await read(bad)).toEqual([`bank.csv closing balance Balance GBP 112.00 ${says} bank.csv:4`])
      const [newest] = await read(bad.toReversed())
      expect(newest).toBe(`bank.csv closing balance Balance GBP 112.00 ${says} bank.csv:2`)
    }
  })

  it("is apart by an amount that cannot be read; nothing is said where the balance before it is not known", async () => {
    expect(await read(rows.with(2, rows[2]!.replace("5.00", "S.00")))).toEqual([
      "bank.csv closing balance Balance GBP 112.00 107.00 bank.csv:4"
    ])
    expect(await read(rows.with(0, rows[0]!.replace("10.00,", "lO.00,")))).toEqual([])
  })

  it("is apart by a row that is missing", async () => {
    expect(await read(rows.toSpliced(1, 1))).toEqual(["bank.csv closing balance Balance GBP 112.00 115.00 bank.csv:3"])
  })
})
