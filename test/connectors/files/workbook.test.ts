/**
 * Workbooks: cells that are dates, numbers, formulas; both date systems; and archives that are not what they say.
 */
import { describe, expect, it } from "vitest"
import { archive, sheetOf } from "./Archives.ts"
import { day, HEADER, ids, invoices, plain, pull, workbook } from "./support.ts"

const HEAD = HEADER.split(",")
const SERIAL = 45_322 // 2024-01-31
const cells = (over: Readonly<Record<string, unknown>> = {}) => {
  const all: Record<string, unknown> = {
    Invoice: "A",
    Buyer: "Acme Ltd",
    Country: "GB",
    Issued: day(SERIAL),
    Due: day(SERIAL + 30),
    Net: 100,
    Gross: 120.5,
    State: "Sent"
  }
  return HEAD.map((name) => (name in over ? over[name] : all[name]))
}

const NAME = "books.xlsx"
const read = async (book: Uint8Array, more: object = {}) => {
  const outcome = await pull({ [NAME]: book }, invoices(more, NAME))
  return { ...outcome, documents: plain(outcome.documents) as ReadonlyArray<Record<string, unknown>> }
}

describe("a day in a workbook", () => {
  const days = async (book: Uint8Array, more: object = {}) => {
    const { documents, error, quarantined } = await read(book, more)
    expect([error, quarantined]).toEqual([undefined, []])
    return documents.map(({ issued }) => issued)
  }

  it("is the day that is shown, whether the cell is a date, a bare number or text", async () => {
    const issued = [day(SERIAL), day(SERIAL, "d/m/yy"), day(SERIAL + 0.75, "yyyy-mm-dd hh:mm"), SERIAL, "2024-01-31"]
    const rows = issued.map((one, n) => cells({ Invoice: `${n}`, Issued: one }))
    expect(await days(workbook([HEAD, ...rows]))).toEqual(Array(5).fill("2024-01-31"))
  })

  it("is the same in the 1904 system", async () => {
    const serial = SERIAL - 1462
    const rows = [day(serial), serial, "2024-01-31"].map((one, n) =>
      cells({ Invoice: `${n}`, Issued: one, Due: day(serial + 30) })
    )
    expect(await days(workbook([HEAD, ...rows], { date1904: true }))).toEqual(Array(3).fill("2024-01-31"))
  })

  it("may be text in a format of the settings, beside cells that are dates", async () => {
    const rows = [cells({ Issued: "31.1.2024" }), cells({ Invoice: "B" })]
    expect(await days(workbook([HEAD, ...rows]), { date_format: "d.M.yyyy" })).toEqual(["2024-01-31", "2024-01-31"])
  })

  it("is the first and the last of a month all the same: no zone moves it", async () => {
    const rows = [45_292, 45_351, 45_352].map((serial, n) => cells({ Invoice: `${n}`, Issued: day(serial) }))
    expect(await days(workbook([HEAD, ...rows]))).toEqual(["2024-01-01", "2024-02-29", "2024-03-01"])
  })

  it("that is none is quarantined", async () => {
    const odd = [cells({ Invoice: "B", Issued: "soon" }), cells({ Invoice: "C", Issued: 60 })]
    const rows = [cells(), ...odd, ...["D", "E"].map((Invoice) => cells({ Invoice }))]
    const { documents, quarantined } = await read(workbook([HEAD, ...rows]))
    expect(ids(documents as never)).toEqual(["A", "D", "E"])
    expect(quarantined.map(({ field, id, origin }) => [origin, id, field])).toEqual([
      ["books.xlsx:3", "B", "Issued"],
      ["books.xlsx:4", "C", "Issued"]
    ])
  })
})

describe("an amount in a workbook", () => {
  it("is what the cell shows of a double: no digits of its noise", async () => {
    const amounts = [0.1 + 0.2, 1.1 * 3, 100 * 1.1, 1e-7 * 1e7, 4.35 * 100, 123456789.01]
    const rows = amounts.map((gross, n) => cells({ Invoice: `${n}`, Net: undefined, Gross: gross }))
    const { documents, quarantined } = await read(workbook([HEAD, ...rows]))
    expect(quarantined).toEqual([])
    expect(documents.map(({ gross }) => gross)).toEqual(["0.30", "3.30", "110.00", "1.00", "435.00", "123456789.01"])
  })

  it("that is a number has a point, whatever mark the texts beside it have", async () => {
    const rows = [
      cells({ Net: 1.234, Gross: "1.234,56" }),
      cells({ Invoice: "B", Net: 1234.5, Gross: "12,50" }),
      cells({ Invoice: "C", Net: 12, Gross: "1.200" })
    ]
    const { documents, quarantined } = await read(workbook([HEAD, ...rows]))
    expect(quarantined.map(({ why }) => why)).toEqual(['"1.234" has more than 2 decimal places (GBP); correct it'])
    expect(documents.map(({ gross, net }) => [net, gross])).toEqual([
      ["1234.50", "12.50"],
      ["12.00", "1200.00"]
    ])
  })

  it("of a formula is the value that was last worked out", async () => {
    const rows = [cells({ Gross: { t: "n", f: "F2*1.2", v: 120 } }), cells({ Invoice: "B", Gross: { t: "e", v: 7 } })]
    const { documents, quarantined } = await read(workbook([HEAD, ...rows]))
    expect(documents.map(({ gross }) => gross)).toEqual(["120.00"])
    expect(quarantined).toMatchObject([{ id: "B", field: "Gross" }])
  })
})

describe("a sheet", () => {
  it("is the first one, or the one that is named; a wrong name is answered with the right ones", async () => {
    const book = workbook([HEAD, cells()], { sheet: "Sales & more" })
    expect((await read(book)).documents).toHaveLength(1)
    expect((await read(book, { sheet: "Sales & more" })).documents).toHaveLength(1)
    const { error } = await read(book, { sheet: "Sale" })
    expect(error?.message).toBe(
      'files: books.xlsx cannot be read: it has no sheet "Sale"; it has "Sales & more"; correct sheet'
    )
  })

  it("may begin with rows above its header, and have empty ones between", async () => {
    const rows = [
      ["Ledger of Acme"],
      ["printed", "today", "a", "b", "c", "d", "e", "f"],
      HEAD,
      [],
      cells(),
      [],
      cells({ Invoice: "B" })
    ]
    const { documents, origins } = await pull({ [NAME]: workbook(rows) }, invoices({ header_row: 3 }, NAME))
    expect(ids(documents)).toEqual(["A", "B"])
    expect(origins).toEqual(["books.xlsx:5", "books.xlsx:7"])
  })

  it("that is empty is said to be", async () => {
    const { error } = await read(workbook([]))
    expect(error?.message).toMatch(
      /its sheet is empty, and the first row must name the columns; choose another with sheet$/
    )
  })
})

describe("a workbook that unpacks to gigabytes", () => {
  const zeros = new Uint8Array(100 * 2 ** 20)
  const refused =
    /^files: books\.xlsx cannot be read: it unpacks to \d+ bytes or more, which is over the limit; set unpacked_limit/

  it("is refused by what its directory says", async () => {
    const { error, pages } = await read(archive({ "xl/worksheets/sheet1.xml": zeros }))
    expect(error?.message).toMatch(refused)
    expect(pages).toEqual([])
  })

  it("is refused by what really comes out, where its directory says less", async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => `<row><c><v>${n}</v></c></row>`).join("")
    const { error, pages } = await read(sheetOf(rows, { claimed: 1000 }))
    expect(error?.message).toBe(
      "files: books.xlsx cannot be read: its archive is damaged at xl/worksheets/sheet1.xml (it is longer than the 1000 bytes that the archive says); save it again"
    )
    expect(pages).toEqual([])
  })

  it("is measured by unpacked_limit where that is set", async () => {
    const book = workbook([HEAD, ...Array.from({ length: 5000 }, (_, n) => cells({ Invoice: `${n}` }))])
    expect((await read(book, { unpacked_limit: 1 })).error?.message).toMatch(refused)
    expect((await read(book, { unpacked_limit: 100 })).documents).toHaveLength(5000)
  })
})

it("a damaged workbook gives no rows, not even those before the damage", async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `<row><c t="str"><v>INV-${n}</v></c></row>`).join("")
  const book = Buffer.from(sheetOf(`<row><c t="str"><v>Invoice</v></c></row>${rows}`, { isStored: true }))
  book[book.indexOf("INV-4000") + 4] = 0x37
  const { error, pages } = await read(book)
  expect(error?.message).toBe(
    "files: books.xlsx cannot be read: its archive is damaged at xl/worksheets/sheet1.xml (its checksum is wrong); save it again"
  )
  expect(pages).toEqual([])
})

it("a workbook whose parts have other names than its directory says, or that are encrypted, is damaged", async () => {
  const book = Buffer.from(workbook([HEAD, cells()]))
  const [name, directory] = ["xl/worksheets/sheet1.xml", book.indexOf("PK\u0001\u0002", 0, "latin1")]
  const renamed = Buffer.from(book).fill("q", book.indexOf(name), book.indexOf(name) + 1)
  const own = book.indexOf(name, directory) - 46
  const locked = Buffer.from(book).fill(1, own + 8, own + 9)
  const whys = await Promise.all([renamed, locked].map(async (bytes) => (await read(bytes)).error?.message))
  expect(whys).toEqual([
    `files: books.xlsx cannot be read: its archive is damaged at ${name} (the archive has no such part at the position that it says); save it again`,
    `files: books.xlsx cannot be read: its archive is damaged at ${name} (it is encrypted); save it again`
  ])
})

it("a workbook with a password, or of Excel 97, is said to be one", async () => {
  const compound = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2000)])
  const { error } = await read(compound)
  expect(error?.message).toBe(
    "files: books.xlsx cannot be read: it has a password or is an old .xls workbook; save it as .xlsx or .csv without a password"
  )
})

it("a file that is no workbook, or a part of one, is said to be", async () => {
  const book = workbook([HEAD, cells()])
  for (const bytes of [Buffer.from("Invoice,Buyer\n"), book.subarray(0, book.length / 2), Buffer.alloc(0)]) {
    const { error, pages } = await read(bytes)
    expect(error?.message).toBe(
      "files: books.xlsx cannot be read: it is not an XLSX workbook, or only a part of one; export it again as CSV or Excel (.xlsx)"
    )
    expect(pages).toEqual([])
  }
})
