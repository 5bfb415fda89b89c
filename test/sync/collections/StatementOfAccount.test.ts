/**
 * The statement of account as a PDF: what can be read in it is what was put into it, the same content makes the same bytes,
 * formats are those of the buyer's country, and what the font cannot write is named.
 */
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as FileType from "../../../core/wire/FileType.ts"
import { fontFile } from "../../../sync/collections/pdf/FontFile.ts"
import { WIDTH } from "../../../sync/collections/pdf/Pdf.ts"
import { read, subset } from "../../../sync/collections/pdf/TrueType.ts"
import {
  type AccountStatement,
  balanceOf,
  pagesOf,
  statementPdf,
  unwritable
} from "../../../sync/collections/StatementOfAccount.ts"

const font = read(fontFile())

const invoice = (n: number, amount = "1234.50") => ({
  date: Day.of("2026-03-01"),
  what: `Invoice INV-${n}`,
  due: Day.of("2026-03-31"),
  amount: Decimal.of(amount)
})

const statement = (more: Partial<AccountStatement> = {}): AccountStatement => ({
  seller: { name: "Harbour Lane Bakery Ltd", details: ["Company 01234567"] },
  buyer: { name: "Brightwater Foods Ltd", details: ["1 Example Street", "EX1 1EX Exampleton"], country: "GB" },
  currency: "GBP",
  entries: [invoice(1), { date: Day.of("2026-04-02"), what: "Payment", amount: Decimal.of("-1000") }],
  ...more
})

const textsOf = (one: AccountStatement) => pagesOf(font, one).map(({ texts }) => texts.map(({ text }) => text))

/** A PDF's objects by number, found as a reader finds them: by the table at its end. */
const objectsOf = (pdf: Buffer): ReadonlyArray<string> => {
  const text = pdf.toString("latin1")
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1])
  const rows = text.slice(table).split("\n")
  expect(rows[0]).toBe("xref")
  return rows.slice(3, 2 + Number(rows[1]!.split(" ")[1])).map((row, n) => {
    const at = Number(row.slice(0, 10))
    expect(text.slice(at, at + String(n + 1).length + 6)).toBe(`${n + 1} 0 obj`)
    return text.slice(text.indexOf("\n", at) + 1, text.indexOf("\nendobj", at))
  })
}

/** What a reader copies out of it: glyphs by their table of characters. */
const copied = (pdf: Buffer): ReadonlyArray<string> => {
  const objects = objectsOf(pdf)
  const map = objects.find((one) => one.includes("begincmap"))!
  const characters = new Map(
    [...map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]+)>$/gm)].map(([, glyph, units]) => [
      glyph,
      String.fromCharCode(...units!.match(/.{4}/g)!.map((unit) => Number.parseInt(unit, 16)))
    ])
  )
  return objects.flatMap((one) =>
    [...one.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, glyphs]) =>
      (glyphs!.match(/.{4}/g) ?? []).map((glyph) => characters.get(glyph) ?? "□").join("")
    )
  )
}

describe("the statement", () => {
  test("is a PDF whose text can be copied, and is what was put in", () => {
    const pdf = statementPdf(font, statement())
    expect(FileType.of(pdf)).toBe(FileType.PDF)
    expect(copied(pdf)).toEqual(textsOf(statement()).flat())
    expect(copied(pdf)).toEqual(
      expect.arrayContaining([
        "Statement of account",
        "Harbour Lane Bakery Ltd",
        "Brightwater Foods Ltd",
        "Invoice INV-1",
        "31/03/2026",
        "1,234.50",
        "-1,000.00",
        "234.50",
        "234.50 GBP",
        "Page 1 of 1"
      ])
    )
  })

  test("has the same bytes for the same content, and others for other content", () => {
    expect(statementPdf(font, statement())).toEqual(statementPdf(read(fontFile()), statement()))
    expect(statementPdf(font, statement({ entries: [invoice(1, "1234.51")] }))).not.toEqual(
      statementPdf(font, statement({ entries: [invoice(1)] }))
    )
  })

  test.each([
    ["GB", "EUR", "1,234,567.50", "31/03/2026"],
    ["DE", "EUR", "1.234.567,50", "31.03.2026"],
    ["US", "USD", "1,234,567.50", "03/31/2026"],
    ["FR", "EUR", "1\u202f234\u202f567,50", "31/03/2026"],
    ["JP", "JPY", "1,234,568", "2026/03/31"],
    ["KW", "KWD", "1,234,567.500", "31/03/2026"],
    // Not there: as here.
    [undefined, "GBP", "1,234,567.50", "31/03/2026"]
  ])("for a buyer in %s writes %s and days as there", (country, currency, amount, due) => {
    const { buyer } = statement()
    const entries = [invoice(1, currency === "JPY" ? "1234568" : "1234567.50")]
    const one = statement({ currency, entries, buyer: { ...buyer, ...(country === undefined ? {} : { country }) } })
    const { country: _, ...nowhere } = buyer
    const texts = textsOf(country === undefined ? { ...one, buyer: nowhere } : one).flat()
    expect(texts).toContain(amount)
    // Some write the day with marks of its direction, which are left out.
    expect(texts.map((text) => text.replace(/\s/g, ""))).toContain(due)
    expect(unwritable(font, one)).toBeUndefined()
  })

  test("is exact where a number of JavaScript is not", () => {
    const texts = textsOf(statement({ entries: [invoice(1, "90071992547409.93"), invoice(2, "0.01")] })).flat()
    expect(texts).toContain("90,071,992,547,409.94 GBP")
  })

  test("goes on on further pages, which repeat the headings, and loses no entry", () => {
    const entries = Array.from({ length: 131 }, (_, n) => invoice(n))
    const pages = textsOf(statement({ entries }))
    expect(pages.length).toBe(4)
    for (const page of pages) expect(page).toContain("Entry")
    const shown = pages.flat().filter((text) => text.startsWith("Invoice INV-"))
    expect(shown).toEqual(entries.map(({ what }) => what))
    expect(pages[3]).toContain("Open balance")
  })

  test("with no entry at all says that nothing is open", () => {
    expect(textsOf(statement({ entries: [] })).flat()).toContain("0.00 GBP")
  })

  test("keeps to its page, whatever the names", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 200 }), (name, what) => {
        const one = statement({
          buyer: { name, details: [what], country: "GB" },
          entries: [{ ...invoice(1), what }]
        })
        for (const { texts } of pagesOf(font, one)) {
          for (const { right, size, text, x, y } of texts) {
            const width = ([...text].reduce((sum, c) => sum + font.width(font.glyph(c)), 0) * size) / font.unitsPerEm
            expect([x - (right === true ? width : 0) >= 0, x + (right === true ? 0 : width) <= WIDTH]).toEqual([
              true,
              true
            ])
            expect(y).toBeGreaterThan(0)
          }
        }
        expect(FileType.of(statementPdf(font, one))).toBe(FileType.PDF)
      }),
      { numRuns: 60 }
    )
  })

  test("the balance behind the last entry is the sum", () => {
    expect(balanceOf(statement())).toBe(Decimal.of("234.5"))
  })
})

describe("names", () => {
  test.each([
    "Żółć Łódź",
    "Ελληνικά",
    "Дружба",
    "Ağaoğlu İnşaat",
    "Nguyễn Văn Á",
    "Ķekava",
    "Հայաստան",
    "საქართველო",
    "€ & Söhne “x”"
  ])("%s comes out right", (name) => {
    // As two characters, it is put together first.
    const one = statement({ buyer: { name: name.normalize("NFD"), details: [], country: "DE" } })
    expect(unwritable(font, one)).toBeUndefined()
    expect(copied(statementPdf(font, one)).join(" ")).toContain(name.normalize("NFC"))
  })

  test.each([
    ["株式会社", "株 式 会 社"],
    ["شركة", "ش ر ك ة"],
    ["חברה", "ח ב ר ה"],
    ["บริษัท", "บ ร ิ ษ ั ท"]
  ])("%s is named as what cannot be written", (name, letters) => {
    for (const one of [
      statement({ buyer: { name, details: [] } }),
      statement({ seller: { name: "A", details: [name] } }),
      statement({ entries: [{ ...invoice(1), what: name }] })
    ])
      expect(unwritable(font, one)).toBe(`"${name}" cannot be written: the font has no way to set ${letters}`)
  })
})

describe("the font", () => {
  test("is given in part: glyphs, and what they are put together from, each as wide as in the whole", () => {
    const glyphs = [0, ..."Aé".split("").map((one) => font.glyph(one))]
    const part = subset(font, glyphs)
    const view = new DataView(part.buffer, part.byteOffset, part.length)
    const tables = Array.from({ length: view.getUint16(4) }, (_, n) => ({
      name: part.toString("latin1", 12 + 16 * n, 16 + 16 * n),
      sum: view.getUint32(16 + 16 * n),
      offset: view.getUint32(20 + 16 * n),
      length: view.getUint32(24 + 16 * n)
    }))
    expect(tables.map(({ name }) => name)).toEqual([
      "cvt ",
      "fpgm",
      "glyf",
      "head",
      "hhea",
      "hmtx",
      "loca",
      "maxp",
      "prep"
    ])
    for (const { length, offset, sum } of tables) {
      let found = 0
      for (let n = 0; n < length; n += 4) found = (found + view.getUint32(offset + n)) >>> 0
      expect(found).toBe(sum)
    }
    const at = (name: string) => tables.find((one) => one.name === name)!.offset
    const count = view.getUint16(at("maxp") + 4)
    // The é is an e with an accent: both are in it.
    expect(count).toBe(5)
    glyphs.forEach((glyph, n) => {
      expect(view.getUint16(at("hmtx") + 4 * n)).toBe(font.width(glyph))
    })
    expect(view.getUint32(at("loca") + 4 * count)).toBe(tables.find(({ name }) => name === "glyf")!.length)
  })

  test("has its licence beside it", () => {
    const licence = new URL("../../../sync/collections/pdf/DejaVuSans.LICENSE", import.meta.url)
    expect(readFileSync(licence, "utf8")).toContain("Bitstream Vera Fonts Copyright")
  })
})
