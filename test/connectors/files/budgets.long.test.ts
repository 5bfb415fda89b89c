/**
 * Files that somebody else made: a small one does not become large once it is read, whatever kind it is. What is far too
 * large is said to be, and what is kept of the rest is in proportion to the file.
 */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { glance } from "../../../connectors/files/Glance.ts"
import { archive, sheetOf } from "./Archives.ts"
import { pull, write } from "./support.ts"

const HEADINGS = ["Invoice", "Buyer", "Country", "Issued", "Due", "Currency", "Gross"]
const COLUMNS = {
  id: "Invoice",
  customer: "Buyer",
  customer_country: "Country",
  issued: "Issued",
  due: "Due",
  currency: "Currency",
  gross: "Gross"
}

const cell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
const row = (line: number, cells: ReadonlyArray<string>) =>
  `<row r="${line}">${cells.map((text, n) => cell(`${String.fromCharCode(65 + n)}${line}`, text)).join("")}</row>`
const invoice = (line: number) =>
  row(line, [`INV-${line}`, "Harbour Tea", "GB", "2026-01-05", "2026-02-04", "GBP", "1.00"])
const head = row(1, HEADINGS)

const read = (name: string, content: string | Uint8Array) =>
  pull({ [name]: content }, { invoices: { path: name, columns: COLUMNS } })

const look = async (name: string, content: string | Uint8Array) => glance(join(write({ [name]: content }), name))

const ROOM = { rows: 100_000, cells: 100_000, characters: 1 << 20 }

describe("a workbook", () => {
  const far = (line: number, text: string) => `<row r="${line}">${cell(`XFD${line}`, text)}</row>`
  const lines = (from: number, count: number, of: (line: number) => string) =>
    Array.from({ length: count }, (_, n) => of(from + n)).join("")

  it("keeps of a row with one cell in the last column no more than that cell", async () => {
    const book = sheetOf(head + invoice(2) + lines(3, 3000, (line) => far(line, "x")))
    const { documents, error, quarantined } = await read("books.xlsx", book)
    expect(error).toBeUndefined()
    expect(documents).toHaveLength(1)
    expect(quarantined).toHaveLength(3000)
    expect(quarantined[0]?.raw).toBe('{"XFD":"x"}')
    expect(quarantined[0]?.why).toBe(
      "it has a cell in column XFD, and columns behind AMJ are not read; delete that cell"
    )
  })

  it("has its headings in columns that are read", async () => {
    const book = sheetOf(`<row r="1">${cell("A1", "Invoice")}${cell("XFD1", "Last")}</row>${invoice(2)}`)
    expect((await read("books.xlsx", book)).error?.message).toContain("it has a cell in column XFD")
  })

  it("may have cells with only a colour to the end of each row", async () => {
    const coloured = (line: number) =>
      invoice(line).replace("</row>", `<c r="XFD${line}" s="1"/><c r="XEZ${line}" s="1"/></row>`)
    const { documents, quarantined } = await read("books.xlsx", sheetOf(head + coloured(2)))
    expect([documents.length, quarantined.length]).toEqual([1, 0])
  })

  it("shows a wide row by the cells that are filled", async () => {
    const wide = `<row r="2">${cell("A2", "INV-1")}${cell("ZZ2", "far away")}</row>`
    const { quarantined } = await read("books.xlsx", sheetOf(head + wide + invoice(3)))
    expect(quarantined.map(({ raw }) => raw)).toEqual(['{"A":"INV-1","ZZ":"far away"}'])
  })

  const withSheets = (sheets: string) => {
    const relation = (id: string, kind: string, target: string) =>
      `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`
    return archive({
      "_rels/.rels": `<Relationships>${relation("r1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
      "xl/workbook.xml": `<workbook><sheets>${sheets}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships>${relation("r1", "worksheet", "sheet1.xml")}</Relationships>`,
      "xl/sheet1.xml": `<worksheet><sheetData>${head}${invoice(2)}</sheetData></worksheet>`
    })
  }

  it("names no part of it as a second sheet, and has no thousands of sheets", async () => {
    const twice = withSheets('<sheet name="One" r:id="r1"/><sheet name="Two" r:id="r1"/>')
    await expect(look("books.xlsx", twice)).rejects.toThrow("two of its sheets are the same part of it")
    const many = withSheets(Array.from({ length: 300 }, (_, n) => `<sheet name="S${n}" r:id="s${n}"/>`).join(""))
    await expect(look("books.xlsx", many)).rejects.toThrow("more than 256 sheets")
    expect((await read("books.xlsx", many)).error?.message).toContain("more than 256 sheets")
  })

  it("does not become far more than it is", async () => {
    const strings = `<si><t>${"long ".repeat(500)}</t></si>`
    const cells = (line: number) => `<row r="${line}">${'<c t="s"><v>0</v></c>'.repeat(7)}</row>`
    const { error, quarantined } = await read("books.xlsx", sheetOf(head + lines(2, 2500, cells), { strings }))
    expect(error?.message).toContain(
      "its records take more than 32 MB, which is far more than the file; is it damaged?"
    )
    expect(quarantined.every(({ raw }) => raw.length <= 20_000)).toBe(true)
  })
})

describe("a text file", () => {
  it("names at most a thousand columns", async () => {
    const heads = Array.from({ length: 2000 }, (_, n) => `C${n}`)
    expect((await read("books.csv", `${heads.join()}\n`)).error?.message).toContain(
      "its first line has 2000 cells, and at most 1024 columns are read"
    )
    const record = JSON.stringify(Object.fromEntries(heads.map((name) => [name, 1])))
    await expect(look("books.jsonl", `${record}\n`)).rejects.toThrow("have more than 1024 members")
  })

  it("has no line whose separators take more memory than its text", async () => {
    const text = `${HEADINGS.join()}\nx${",".repeat(1_000_000)}\n`
    const [found] = await look("books.csv", text)
    expect(found?.top.map(({ cells }) => cells.length)).toEqual([7, 1024])
    const { rows } = (await found?.read(1, ROOM)) ?? { rows: [] }
    expect(rows.map(({ cells }) => cells.length)).toEqual([1024])
  })

  it("is kept to be examined as far as there is room", async () => {
    const text = `${HEADINGS.join()}\n${"a,b,c,d,e,f,g\n".repeat(1000)}`
    const [found] = await look("books.csv", text)
    const kept = async (room: Partial<typeof ROOM>) => {
      const { rows, whole } = (await found?.read(1, { ...ROOM, ...room })) ?? { rows: [] }
      return [rows.length, whole]
    }
    expect(await kept({})).toEqual([1000, true])
    expect(await kept({ rows: 200 })).toEqual([200, false])
    expect(await kept({ cells: 700 })).toEqual([100, false])
    expect(await kept({ characters: 1300 })).toEqual([100, false])
    expect(await kept({ cells: 0 })).toEqual([20, false])
  })
})

describe("a bank's statement", () => {
  it("of many equal amounts on one day has its equal amounts together, and no page of half the file", async () => {
    const [entries, amounts] = [6000, 500]
    const lines = Array.from(
      { length: entries },
      (_, n) =>
        `:61:2602030203CR${100 + (n % amounts)},00NTRFNONREF//20260203${n}\n:86:166?00GUTSCHRIFT?20SVWZ+INV-${n}`
    )
    const sum = (entries / amounts) * ((amounts * (199 + amounts)) / 2)
    const text = [
      ":20:A\n:25:12030000/0000202051\n:28C:1/1\n:60F:C260202EUR0,00",
      ...lines,
      `:62F:C260203EUR${sum},00\n-\n`
    ]
    const { documents, pages, quarantined } = await pull(
      { "bank/a.sta": text.join("\n") },
      { payments: { path: "bank" } }
    )
    expect([documents.length, quarantined]).toEqual([entries, []])
    const seen = pages.map(({ entries: its = [] }) => new Set(its.map(({ amount }) => amount)))
    expect(seen.reduce((all, { size }) => all + size, 0)).toBe(amounts)
    expect(Math.max(...pages.map(({ read }) => read.length))).toBeLessThan(entries / 2)
  })
})
