/**
 * The ways in which a table may be written to a file: encodings, separators, ends of lines, quotes. All of them are the
 * same table.
 */
import { describe, expect, it } from "vitest"
import { HEADER, ids, invoices, plain, pull, row, table } from "./support.ts"

const PLACE = "Zürich – Łódź"
const TEXT = table(row("A").replace("Acme Ltd", PLACE), row("B"))

const names = async (content: string | Uint8Array, more: object = {}) => {
  const { documents, error, notices, quarantined } = await pull({ "invoices.csv": content }, invoices(more))
  expect(error).toBeUndefined()
  expect(quarantined).toEqual([])
  const found = plain(documents) as ReadonlyArray<{ readonly party: { readonly name: string } }>
  return [found.map(({ party }) => party.name), notices.map(({ what }) => what)]
}

const utf16 = (text: string, big: boolean) => {
  const bytes = Buffer.from(text, "utf16le")
  return big ? bytes.swap16() : bytes
}

describe("the encoding", () => {
  it("is found: UTF-8 with and without a byte-order mark, UTF-16 both ways with and without one", async () => {
    const western = table(row("A"))
    for (const [what, bytes, expected] of [
      ["utf-8", Buffer.from(TEXT), [PLACE, "Acme Ltd"]],
      ["utf-8 with a mark", Buffer.from(`\ufeff${TEXT}`), [PLACE, "Acme Ltd"]],
      ["utf-16le with a mark", utf16(`\ufeff${TEXT}`, false), [PLACE, "Acme Ltd"]],
      ["utf-16be with a mark", utf16(`\ufeff${TEXT}`, true), [PLACE, "Acme Ltd"]],
      ["utf-16le", utf16(western, false), ["Acme Ltd"]],
      ["utf-16be", utf16(western, true), ["Acme Ltd"]]
    ] as const) {
      expect([what, ...(await names(bytes))]).toEqual([what, expected, []])
    }
  })

  it("is windows-1252 where the bytes are not UTF-8, and a notice says so", async () => {
    const bytes = Buffer.from(TEXT.replace(PLACE, "Z\u00fcrich \u0096 \u0080uro"), "latin1")
    expect(await names(bytes)).toEqual([
      ["Zürich – €uro", "Acme Ltd"],
      ["it is not UTF-8; it was read as windows-1252 (set encoding if that is wrong)"]
    ])
    for (const encoding of ["windows-1252", "latin1"]) {
      expect(await names(bytes, { encoding })).toEqual([["Zürich – €uro", "Acme Ltd"], []])
    }
    expect((await names(bytes, { encoding: "utf-8" }))[1]).toEqual([
      "it is not UTF-8, which encoding says; characters are lost (leave encoding out, or correct it)"
    ])
  })

  it("characters that are cut in two by the pieces in which a file is read stay whole", async () => {
    const long = Array.from({ length: 4000 }, (_, n) => row(String(n)).replace("Acme", "株式会社ü𝄞"))
    const [found] = await names(table(...long))
    expect(new Set(found)).toEqual(new Set(["株式会社ü𝄞 Ltd"]))
    expect(found).toHaveLength(4000)
  })
})

describe("the separator", () => {
  it("is found in the header line", async () => {
    for (const separator of [",", ";", "\t", "|"]) {
      expect(await names(table(row("A")).replaceAll(",", separator))).toEqual([["Acme Ltd"], []])
    }
  })

  it("is as set, or as a first line of a spreadsheet's own says", async () => {
    expect(await names(`sep=;\n${table(row("A")).replaceAll(",", ";")}`)).toEqual([["Acme Ltd"], []])
    const odd = `a;b;c;d|${HEADER.replaceAll(",", "|")}\nx;y|${row("A").replaceAll(",", "|")}\n`
    expect(await names(odd, { separator: "|" })).toEqual([["Acme Ltd"], []])
  })

  it("of a .tsv file is the tabulator, whatever else its header has", async () => {
    const text = `a,b,c,d,e,f,g,h,i\t${HEADER.replaceAll(",", "\t")}\n1\t${row("A").replaceAll(",", "\t")}\n`
    const { documents } = await pull({ "invoices.tsv": text }, invoices({}, "invoices.tsv"))
    expect(ids(documents)).toEqual(["A"])
  })
})

describe("lines and quotes", () => {
  it("lines end in any of the three ways, also mixed, and the last need not end", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(await names(table(row("A"), row("B")).replaceAll("\n", end))).toEqual([["Acme Ltd", "Acme Ltd"], []])
    }
    expect(await names(`${HEADER}\r\n${row("A")}\n\n${row("B")}\r${row("C")}`)).toEqual([
      ["Acme Ltd", "Acme Ltd", "Acme Ltd"],
      []
    ])
  })

  it("an end of a line that falls between two pieces of the file is one end", async () => {
    const piece = 2 ** 15
    for (const end of ["\r\n", "\r", "\n"]) {
      for (const at of [piece - 2, piece - 1, piece, piece + 1]) {
        const before = `${HEADER}${end}`
        const first = row("A".padEnd(1 + at - before.length - row("A").length, "x"))
        const text = `${before}${first}${end}${row("B")}${end}${row("C")}${end}`
        expect(text.indexOf(end, before.length)).toBe(at)
        const { origins, quarantined } = await pull({ "invoices.csv": text }, invoices())
        expect([origins, quarantined]).toEqual([["invoices.csv:2", "invoices.csv:3", "invoices.csv:4"], []])
      }
    }
  })

  it("a quoted cell may hold separators, doubled quotes and ends of lines", async () => {
    const text = table(row("A").replace("Acme Ltd", '"The ""Old"" Mill,\r\nLtd"'), row("B"))
    expect(await names(text)).toEqual([['The "Old" Mill,\r\nLtd', "Acme Ltd"], []])
  })

  it("rows are counted by the lines of the file, where cells go on over several", async () => {
    const text = table(row("A").replace("Acme Ltd", '"Acme\n\nLtd"'), "", row("B"))
    const { origins } = await pull({ "invoices.csv": text }, invoices())
    expect(origins).toEqual(["invoices.csv:2", "invoices.csv:6"])
  })

  it("a quote within a cell is only a character", async () => {
    expect(await names(table(row("A").replace("Acme Ltd", '5" pipes Ltd')))).toEqual([['5" pipes Ltd'], []])
  })

  it("blank lines, and rows of separators only, are nothing", async () => {
    expect(await names(`\n\n${HEADER}\n,,,,,,,\n${row("A")}\n   \n\n`)).toEqual([["Acme Ltd"], []])
  })

  it("columns are found in any order, in any case, with blanks around their names", async () => {
    const text = ` STATE , Due,issued,"Gross",Net,Country,Buyer,Invoice\nSent,2024-03-01,2024-01-31,1.20,1.00,GB,Acme,A\n`
    expect(await names(text)).toEqual([["Acme"], []])
  })

  it("a column that is there twice is read once, and a notice says so", async () => {
    const text = `${HEADER},Net\n${row("A")},7.00\n`
    expect((await names(text))[1]).toEqual([
      'it has several columns "Net", which source.invoices.columns.net asks for; the first is read'
    ])
  })

  it("header_row passes over what stands above the header", async () => {
    const above = `Ledger of Acme Ltd;;\n"Printed, on 1 May"\n\n`
    expect(await names(`${above}${table(row("A"))}`, { header_row: 4 })).toEqual([["Acme Ltd"], []])
    const { origins } = await pull({ "invoices.csv": `${above}${table(row("A"))}` }, invoices({ header_row: 4 }))
    expect(origins).toEqual(["invoices.csv:5"])
  })
})
