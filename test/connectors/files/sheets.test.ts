/**
 * What cells of a workbook become, by an independent reader and by hand: all types of cells, formats of numbers, and the
 * freedom that XML leaves to programs.
 */
import fc from "fast-check"
import { streamXlsxRows } from "hucre/xlsx"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as XLSX from "xlsx"
import { isDateFormat } from "../../../connectors/files/workbook/DateFormat.ts"
import * as Sheet from "../../../connectors/files/workbook/Sheet.ts"
import * as Workbook from "../../../connectors/files/Workbook.ts"
import { times } from "../../support/Effort.ts"
import { sheetOf } from "./Archives.ts"
import { write } from "./support.ts"

const rowsOf = async (book: Uint8Array, sheet: string) => {
  const sheets = await Workbook.sheets(join(write({ "a.xlsx": book }), "a.xlsx"), 10_000)
  const rows = sheets.find((one) => one.sheet === sheet)?.top ?? []
  return rows.map(({ cells, line, numbers, raw }) => {
    // A row that is very long is shown in part.
    if (cells.join("").length < 20_000) expect(raw).toBe(JSON.stringify(cells))
    return { line, cells, numbers }
  })
}

/** As hucre reads it, which decodes numbers and dates. */
const byHucre = async (book: Uint8Array, sheet: string) => {
  const text = (value: unknown): string => {
    if (value === null || value === undefined) return ""
    if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) return ""
      const at = value.toISOString()
      return at.endsWith("T00:00:00.000Z") ? at.slice(0, 10) : at.replace(/(\.000)?Z$/, "")
    }
    if (typeof value !== "number") return String(value)
    return Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6 ? String(value) : String(Number(value.toPrecision(15)))
  }
  const rows = []
  for await (const { index, values } of streamXlsxRows(book, { sheet })) {
    const cells = values.map(text)
    if (cells.some((cell) => cell.trim() !== ""))
      rows.push({ line: index + 1, cells, numbers: values.map((value) => typeof value === "number") })
  }
  return rows
}

/** None that shows an amount: those are read as they show it (`NumberFormat.ts`), and the other program reads all decimals. */
const FORMATS = ["General", "yyyy-mm-dd", "d/m/yy h:mm", "[h]:mm:ss", '"days" 0', "0 \\d", "mmm-yy"]

const number = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  fc.constantFrom(0, -0, 1e-6, 1e-7, 1e15, 1e21, 0.1 + 0.2, 123456789012345, 1234567890123456, 60, 60.5, 61),
  fc.double({ min: 0, max: 80_000, noNaN: true })
)

const cell = fc.oneof(
  fc.constant(undefined),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !/[\u0000-\u001f\ud800-\udfff\ufffe\uffff]/.test(text)),
  fc.constantFrom("Müller & Söhne <x>", '"q"', "_x000D_", "two\nlines", " lead", "]]>", "&amp;", "日本", "😀"),
  fc.boolean(),
  fc.record({ t: fc.constant("n"), v: number, z: fc.constantFrom(...FORMATS) })
)

describe("a sheet is read as by another program", () => {
  it("whatever its cells are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        async (rows, date1904, bookSST) => {
          const book = XLSX.utils.book_new()
          book.Workbook = { WBProps: { date1904 } }
          XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), "One & only")
          const bytes = XLSX.write(book, { type: "buffer", bookType: "xlsx", compression: true, bookSST })
          expect(await rowsOf(bytes, "One & only")).toEqual(await byHucre(bytes, "One & only"))
        }
      ),
      { numRuns: times(300) }
    )
  })

  it("wherever it is cut into pieces", async () => {
    const xml = `<worksheet><!-- > --><sheetData><row r="2"><c r="A2" t="inlineStr"><is><t>a &amp; <![CDATA[<b>]]></t></is></c><c
      t='s' r='C2'><v>0</v></c></row><row r="3"><c r="B3" s="1"><v>45322</v></c><c r="D3"/></row></sheetData></worksheet>`
    const context = { strings: ["shared"], formats: [{ isDate: false }, { isDate: true }], is1904: false, from: 1 }
    for (const size of [1, 2, 3, 7, 50, 1000]) {
      const pieces = async function* () {
        for (let at = 0; at < xml.length; at += size) yield xml.slice(at, at + size)
      }
      const rows = []
      for await (const batch of Sheet.rows(pieces(), context)) rows.push(...batch)
      expect(rows.map(({ cells, line }) => [line, ...cells])).toEqual([
        [2, "a & <b>", "", "shared"],
        [3, "", "2024-01-31", "", ""]
      ])
    }
  })
})

describe("a cell", () => {
  const cells = async (row: string, more: Parameters<typeof sheetOf>[1] = {}) =>
    (await rowsOf(sheetOf(row, more), "One"))[0]?.cells

  it("may have its text in runs, and how it is pronounced, which is not read", async () => {
    const runs =
      "<r><rPr><b/></rPr><t>Ac</t></r><r><t xml:space='preserve'>me </t></r><rPh sb='0' eb='1'><t>x</t></rPh>"
    const strings = `<si>${runs}</si><si><t>plain</t><rPh><t>y</t></rPh></si>`
    const row = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is>${runs}</is></c></row>`
    expect(await cells(row, { strings })).toEqual(["Acme ", "plain", "Acme "])
  })

  it("may have no reference, or an element with a prefix", async () => {
    const row = '<x:row r="1"><x:c><x:v>1</x:v></x:c><x:c r="C1"><x:v>3</x:v></x:c><x:c><x:v>4</x:v></x:c></x:row>'
    expect(await cells(row)).toEqual(["1", "", "3", "4"])
  })

  it("without a value is empty, whatever its type", async () => {
    const row = '<row><c t="s"/><c t="b"/><c t="n"><v/></c><c t="s"><v/></c><c t="str"><v>end</v></c></row>'
    expect(await cells(row, { strings: "<si><t>first</t></si>" })).toEqual(["", "", "", "", "end"])
  })

  it("of a formula has its last value, and an error its name", async () => {
    const row =
      '<row><c t="str"><f>A1</f><v>x_x000D_y</v></c><c t="e"><v>#N/A</v></c><c t="b"><f>1</f><v>1</v></c></row>'
    expect(await cells(row)).toEqual(["x\ry", "#N/A", "true"])
  })

  it("may be a date as strict workbooks write it", async () => {
    const dates = ["2024-01-31", "2024-01-31T00:00:00", "2024-01-31T00:00:00.000Z", "2024-01-31T18:30:00.000Z"]
    const row = dates.map((date) => `<c t="d"><v>${date}</v></c>`).join("")
    expect(await cells(`<row>${row}</row>`)).toEqual(["2024-01-31", "2024-01-31", "2024-01-31", "2024-01-31T18:30:00"])
  })

  it("is a day by its style, which refers to a format", async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="d. mmm yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs>
      <dxfs><dxf><numFmt numFmtId="22" formatCode="0.0"/></dxf></dxfs>`
    const row = [0, 1, 2].map((style) => `<c s="${style}"><v>45322.75</v></c>`).join("")
    expect(await cells(`<row>${row}</row>`, { styles })).toEqual([
      "45322.75",
      "2024-01-31T18:00:00",
      "2024-01-31T18:00:00"
    ])
  })
})

it("a format shows dates if it has days, months, years or times outside of texts, colours and currencies", () => {
  const dates = ["yyyy", "d/m/yy", "mmm", "h:mm", "mm:ss", "[h]:mm", "[$-409]d-mmm;@", 'yyyy"年"', "h AM/PM"]
  const numbers = [
    "General",
    "@",
    "0.00",
    "[Red]0",
    '"days" 0',
    "0 \\d",
    "[$₪-40D] #,##0",
    "[$kr. -41D]0",
    "_d0",
    "mm0"
  ]
  expect(dates.filter((code) => !isDateFormat(164, code))).toEqual([])
  expect(numbers.filter((code) => isDateFormat(164, code))).toEqual([])
})

describe("a damaged workbook is said to be", () => {
  const failing = (book: Uint8Array) => expect(rowsOf(book, "One")).rejects

  it("where its sheet ends in the middle", async () => {
    await failing(sheetOf("<row><c><v>1</v></c></row>", { end: "" })).toThrow("its sheet ends in the middle")
  })

  it("where a part unpacks to something else than its archive says, or to nothing", async () => {
    await failing(sheetOf("<row/>", { claimed: 5000 })).toThrow(
      /damaged at xl\/worksheets\/sheet1\.xml \(it is shorter than the 5000 bytes/
    )
    const book = Buffer.from(sheetOf("<row><c><v>1</v></c></row>".repeat(500)))
    const at = book.indexOf("xl/worksheets/sheet1.xml") + "xl/worksheets/sheet1.xml".length
    book.fill(0xff, at, at + 40)
    await failing(book).toThrow(/its archive is damaged at xl\/worksheets\/sheet1\.xml \(.+\); save it again/)
  })

  it("where a digit of a part that is not packed has changed", async () => {
    const book = Buffer.from(sheetOf("<row><c><v>1234.56</v></c></row>", { isStored: true }))
    book[book.indexOf("1234.56")] = 0x37
    await failing(book).toThrow("damaged at xl/worksheets/sheet1.xml (its checksum is wrong)")
  })

  it("where a cell refers to a text that is not among the shared strings", async () => {
    const row = '<row r="2"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    await failing(sheetOf(row, { strings: "<si><t>one</t></si>" })).toThrow(
      "its line 2 refers to text 1, which the workbook lacks"
    )
  })

  it("where a cell is beyond all columns", async () => {
    await failing(sheetOf('<row r="3"><c r="XFE3"><v>1</v></c></row>')).toThrow("its line 3 has more columns")
  })

  it("where a row repeats a long text until it has a million characters", async () => {
    const cells = '<c t="s"><v>0</v></c>'
    const strings = `<si><t>${"long ".repeat(10_000)}</t></si>`
    expect((await rowsOf(sheetOf(`<row>${cells.repeat(20)}</row>`, { strings }), "One"))[0]?.cells).toHaveLength(20)
    await failing(sheetOf(`<row>${cells.repeat(30)}</row>`, { strings })).toThrow("its line 1 has more than a million")
  })

  it("where the sheet is a chart, or there is none", async () => {
    const path = join(write({ "a.xlsx": sheetOf("") }), "a.xlsx")
    const opened = Workbook.open(path, { sheet: "Two", headerAt: undefined, limit: undefined })
    await expect(opened).rejects.toThrow('it has no sheet "Two"; it has "One"')
  })
})
