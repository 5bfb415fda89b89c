/**
 * What a configuration can say of a table that was written for people: which rows are read, several kinds of documents in
 * one file, cells that are filled down, totals, lines, and values that several columns make.
 */
import { describe, expect, it } from "vitest"
import { plain, pull } from "./support.ts"

type Plain = ReadonlyArray<Record<string, unknown>>

const read = async (text: string, source: object, name = "books.csv") => {
  const { documents, error, notices, quarantined } = await pull({ [name]: text }, source)
  expect(error?.message).toBeUndefined()
  return {
    documents: plain(documents) as Plain,
    notices: notices.map(({ what }) => what),
    quarantined: quarantined.map(({ field, origin, why }) => `${origin} ${field ?? ""}: ${why}`)
  }
}

const of = (documents: Plain) =>
  documents.map(({ amount, gross, id, kind, shares }) => {
    const [share] = (shares ?? []) as Plain
    return [kind, id, gross ?? amount ?? share?.["amount"]]
  })

const path = "books.csv"
const invoices = {
  path,
  columns: { id: "No", customer: "Name", issued: "Date", gross: "Amount" },
  terms_days: 30,
  currency: "GBP"
}
const HEAD = "No,Type,Name,Date,Amount,For\n"

describe("rows that are read", () => {
  const text = `${HEAD}1,SI,Acme,2026-01-05,100.00,\n2,SC,Acme,2026-01-06,-10.00,1\n3,SR,Acme,2026-01-07,90.00,1\n4,JD,Bank,2026-01-08,5.00,\n5,si,Beta,2026-01-09,7.00,\n`

  it("are chosen by a column, so that one file has documents of several kinds", async () => {
    const money = { id: "No", invoice: "For", date: "Date" }
    const { documents, quarantined } = await read(text, {
      invoices: { ...invoices, where: { Type: "SI" } },
      credit_notes: { path, columns: { ...money, gross: "Amount" }, currency: "GBP", where: { Type: ["SC"] } },
      payments: {
        path,
        columns: { ...money, amount: "Amount" },
        currency: "GBP",
        where: { Type: { starts: "S", not: ["SI", "SC"] } }
      }
    })
    expect(of(documents)).toEqual([
      ["invoice", "1", "100.00"],
      ["invoice", "5", "7.00"],
      ["credit_note", "2/1", "10.00"],
      ["payment", "3/1", "90.00"]
    ])
    expect(quarantined).toEqual([
      'books.csv:5 Type: "Type" says "JD" in 1 row, 5.00 GBP, and no stream reads it: add a stream or another text to where, or name it under leave_out'
    ])
  })

  it("are all that leave_out does not name; what it names is said, and is in the statement", async () => {
    const leave_out = { Type: ["SC", "SR", "JD"] }
    const named = await read(text, { invoices: { ...invoices, where: { Type: "SI" }, leave_out } })
    expect([named.documents.length, named.quarantined]).toEqual([2, []])
    expect(named.notices).toEqual([
      'left out, as the configuration says: "Type" says "SC" in 1 row, -10.00 GBP; "Type" says "SR" in 1 row, 90.00 GBP; "Type" says "JD" in 1 row, 5.00 GBP'
    ])
    const { pages } = await pull({ [path]: text }, { invoices: { ...invoices, where: { Type: "SI" }, leave_out } })
    expect(pages.flatMap(({ stated = [] }) => stated.map(({ column, what }) => `${what}: ${column}`))).toContain(
      'left out: "Type" says "JD"'
    )
    const alone = await read(text, { invoices: { ...invoices, leave_out } })
    expect(alone.documents.map(({ id }) => id).join()).toBe("1,5")
    const without = await read(text, { invoices: { ...invoices, where: { Type: { not: ["SC", "SR", "JD"] } } } })
    expect([without.documents.length, without.quarantined]).toEqual([2, []])
  })

  it("are chosen by empty cells, by parts of a text, by sign, and by any of several conditions", async () => {
    const takes = async (where: object) =>
      (await read(text, { invoices: { ...invoices, where } })).documents.map(({ id }) => id).join()
    expect(await takes({ For: { empty: true } })).toBe("1,4,5")
    expect(await takes({ For: "" })).toBe("1,4,5")
    expect(await takes({ Name: { contains: ["an", "et"] } })).toBe("4,5")
    expect(await takes({ Amount: { sign: "negative" } })).toBe("2")
    expect(await takes({ Amount: { sign: "positive" }, Type: { not: "JD" } })).toBe("1,3,5")
    expect(await takes([{ Type: "JD" }, { Name: "beta" }])).toBe("4,5")
  })

  it("are none: what the column says is quarantined, each text once", async () => {
    const { quarantined } = await read(text, { invoices: { ...invoices, where: { Type: "Invoice" } } })
    expect(quarantined.map((one) => one.replace(/, and no stream.*/, ""))).toEqual([
      'books.csv:2 Type: "Type" says "SI" in 1 row, 100.00 GBP',
      'books.csv:3 Type: "Type" says "SC" in 1 row, -10.00 GBP',
      'books.csv:4 Type: "Type" says "SR" in 1 row, 90.00 GBP',
      'books.csv:5 Type: "Type" says "JD" in 1 row, 5.00 GBP',
      'books.csv:6 Type: "Type" says "si" in 1 row, 7.00 GBP'
    ])
  })

  it("are quarantined where the sign that is asked for is that of no amount", async () => {
    const { documents, quarantined } = await read(text.replace("100.00", "one"), {
      invoices: { ...invoices, where: { Amount: { sign: "positive" } } }
    })
    expect(documents.map(({ id }) => id).join()).toBe("3,4,5")
    expect(quarantined).toEqual([
      'books.csv:2 : "Amount" "one" is not an amount, with "." as the decimal separator; correct it, or set decimal'
    ])
  })

  it("of columns that are not there stop, and the nearest is named", async () => {
    const { error } = await pull({ [path]: text }, { invoices: { ...invoices, where: { Typ: "SI" } } })
    expect(error?.message).toBe(
      'files: books.csv has no column "Typ", which source.invoices.where.Typ asks for; it has "No", "Type", "Name", "Date", "Amount", "For"; did you mean "Type"? Correct the configuration, or the file\'s header'.replace(
        ".where.Typ asks",
        ".where asks"
      )
    )
  })
})

describe("a list of files for one kind", () => {
  it("is read one after the other, each with its own settings, and each keeps its own deletions", async () => {
    const { documents, error, pages } = await pull(
      {
        "a.csv": `${HEAD}1,SI,Acme,2026-01-05,100.00,\n`,
        "b.csv": "Nr;Kunde;Datum;Brutto\n2;Beta;06.01.2026;1.000,50\n"
      },
      {
        invoices: [
          { ...invoices, path: "a.csv" },
          {
            path: "b.csv",
            columns: { id: "Nr", customer: "Kunde", issued: "Datum", gross: "Brutto" },
            date_format: "dd.MM.yyyy",
            terms_days: 14,
            currency: "EUR"
          }
        ]
      }
    )
    expect(error).toBeUndefined()
    expect(of(plain(documents) as Plain)).toEqual([
      ["invoice", "1", "100.00"],
      ["invoice", "2", "1000.50"]
    ])
    expect([...new Set(pages.map(({ scan }) => scan?.name))]).toEqual(["invoices/a.csv", "invoices.2/b.csv"])
    const wrong = await pull(
      { "a.csv": HEAD, "b.csv": HEAD },
      {
        invoices: [
          { ...invoices, path: "a.csv" },
          { ...invoices, path: "b.csv", columns: { ...invoices.columns, due: "Due" } }
        ]
      }
    )
    expect(wrong.error?.message).toMatch(/which source\.invoices\[1\]\.columns\.due asks for/)
  })
})

describe("cells that are filled down", () => {
  it("have what stands above them; a row with nothing else heads a group", async () => {
    const text = `Customer,Invoice,Date,Amount\nAcme Ltd,,,\n,1,2026-01-05,10.00\n,2,2026-01-06,20.00\nTotal for Acme Ltd,,,30.00\nBeta,3,2026-01-07,5.00\nTOTAL,,,35.00\nMonday 9 March 2026\n`
    const { documents, notices, quarantined } = await read(text, {
      invoices: {
        ...invoices,
        columns: { id: "Invoice", customer: "Customer", issued: "Date", gross: "Amount" },
        fill_down: ["Customer"]
      }
    })
    expect(documents.map(({ id, party }) => [id, (party as { name: string }).name])).toEqual([
      ["1", "Acme Ltd"],
      ["2", "Acme Ltd"],
      ["3", "Beta"]
    ])
    expect(quarantined).toEqual([])
    expect(notices).toEqual(["the row was skipped as a footer: it has a single cell and is below a total"])
  })

  it("begin anew where a column before them does", async () => {
    const text =
      "Region,Customer,Invoice,Date,Amount\nNorth,Acme,1,2026-01-05,10.00\n,,2,2026-01-06,20.00\nSouth,,3,2026-01-06,20.00\n"
    const { documents, quarantined } = await read(text, {
      invoices: {
        ...invoices,
        columns: { id: "Invoice", customer: "Customer", issued: "Date", gross: "Amount" },
        metadata: { region: "Region" },
        fill_down: ["Region", "Customer"]
      }
    })
    expect(documents.map(({ id }) => id)).toEqual(["1", "2"])
    expect(quarantined).toEqual(["books.csv:4 Customer: is empty, and is needed; write it, or leave the row out"])
  })
})

describe("a total", () => {
  const rows = "1,,Acme,2026-01-05,100.00,\n2,,Acme,2026-01-06,50.50,\n"

  it("is no record, and agrees with the rows above it", async () => {
    for (const total of [
      "TOTAL,,,,150.50,",
      ",Total for Acme,,,150.50,",
      "Gesamtsumme,,,,150.50,",
      "Grand Total,,,,,"
    ]) {
      const { documents, quarantined } = await read(`${HEAD}${rows}${total}\n`, { invoices })
      expect([documents.length, quarantined]).toEqual([2, []])
    }
  })

  it("that the rows do not come to is quarantined, with both sums, and nothing is taken to be deleted", async () => {
    const { quarantined } = await pull({ [path]: `${HEAD}${rows}TOTAL,,,,170.50,\n` }, { invoices })
    expect(quarantined).toEqual([
      {
        kind: "invoice",
        origin: "books.csv:4",
        raw: "TOTAL,,,,170.50,",
        field: "Amount",
        why: "the total says 170.50 GBP, and the rows above it come to 150.50 GBP: a row is missing or was misread (export the file again; check columns, decimal and where)"
      }
    ])
  })

  it("may be of a group, and of groups of groups; rows that are left out count", async () => {
    const text = `${HEAD}1,A,Acme,2026-01-05,1.00,\n2,B,Acme,2026-01-05,2.00,\nTotal Acme,,,,3.00,\n3,A,Beta,2026-01-05,4.00,\nTotal Beta,,,,4.00,\nTotal North,,,,7.00,\n4,A,Gamma,2026-01-05,8.00,\nTotal South,,,,8.00,\nTotal,,,,15.00,\n`
    const { documents, quarantined } = await read(text, {
      invoices: { ...invoices, where: { Type: "A" }, leave_out: { Type: "B" } }
    })
    expect([documents.length, quarantined]).toEqual([3, []])
  })

  it("in another currency than the rows are said to be is quarantined", async () => {
    const { quarantined } = await read(`${HEAD}${rows}TOTAL,,,,$150.50,\n`, { invoices })
    expect(quarantined).toEqual([
      'books.csv:4 Amount: of a total "$150.50" says $, but the currency is GBP; correct one of both'
    ])
  })

  it("is not a customer of that name", async () => {
    const { documents } = await read(`${HEAD}Total 1,,Total Energies,2026-01-05,100.00,\n`, { invoices })
    expect(documents).toHaveLength(1)
  })

  it("over rows in several currencies is not compared, and a notice says so", async () => {
    const columns = { ...invoices.columns, currency: "Type" }
    const { notices, quarantined } = await read(
      `${HEAD}1,GBP,Acme,2026-01-05,100.00,\n2,EUR,Acme,2026-01-06,50.50,\nTOTAL,,,,1.00,\n`,
      { invoices: { ...invoices, columns } }
    )
    expect([quarantined, notices]).toEqual([[], ["the total was not compared: the rows above it are in GBP, EUR"]])
  })
})

describe("a report of several tables", () => {
  const SALES = `${HEAD}1,SI,Acme,2026-01-05,100.00,\n2,SI,Beta,2026-01-06,50.00,\n`
  const COSTS = `Name,Type,Supplier,Date,Amount,For\n9,SI,Rent,2026-01-07,900.00,\n`
  const both = [
    ["invoice", "1", "100.00"],
    ["invoice", "2", "50.00"]
  ]

  it("ends where other headings begin, and says how many rows are left unread", async () => {
    const { documents, quarantined } = await read(SALES + COSTS, { invoices })
    expect(of(documents)).toEqual(both)
    expect(quarantined).toEqual([
      'books.csv:4 : line 4 has the headings of another table, like "Supplier": 2 rows from there on are not read. Save them as a file of their own, or set "other_tables": "leave_out"'
    ])
    const left = await read(SALES + COSTS, { invoices: { ...invoices, other_tables: "leave_out" } })
    expect([of(left.documents), left.quarantined, left.notices]).toEqual([
      both,
      [],
      ['2 rows left out, as the configuration says: line 4 has the headings of another table, like "Supplier"']
    ])
  })

  it("may have its own headings on each page", async () => {
    const { documents, notices, quarantined } = await read(
      `${HEAD}1,SI,Acme,2026-01-05,100.00,\n${HEAD}2,SI,Beta,2026-01-06,50.00,\n`,
      { invoices }
    )
    expect([of(documents), quarantined, notices]).toEqual([
      both,
      [],
      ["the row was skipped: it has the headings once more"]
    ])
  })
})
