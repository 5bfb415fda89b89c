/** Files that want more of their reader than they weigh. */
import { deflateRawSync } from "node:zlib"

const MB = 2 ** 20

/** A workbook with one sheet of this XML. */
const workbook = (sheet: string): Buffer => {
  const parts = [
    [
      "[Content_Types].xml",
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>'
    ],
    [
      "_rels/.rels",
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ],
    [
      "xl/workbook.xml",
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>'
    ],
    [
      "xl/_rels/workbook.xml.rels",
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ],
    ["xl/worksheets/sheet1.xml", sheet]
  ] as const
  const locals: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let at = 0
  for (const [name, text] of parts) {
    const data = deflateRawSync(text, { level: 9 })
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(Buffer.byteLength(text), 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from("504b0304", "hex"), head, Buffer.from(name), data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from("504b01021400", "hex"), head, place, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const all = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(all.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, all, Buffer.from("504b0506", "hex"), end])
}

const sheet = (rows: string) =>
  workbook(
    `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
  )

const many = (n: number, one: (n: number) => string) => Array.from({ length: n }, (_, i) => one(i + 1)).join("")

/** Files that want more of the daemon than they weigh. */
export const FILES: ReadonlyArray<readonly [string, Buffer]> = [
  ["wide.xlsx", sheet(many(20_000, (n) => `<row r="${n}"><c r="XFD${n}"><v>1</v></c></row>`))],
  ["many.xlsx", sheet(many(300_000, (n) => `<row r="${n}"><c r="A${n}"><v>${n}</v></c></row>`))],
  ["long.xlsx", sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>${"x".repeat(60 * MB)}</t></is></c></row>`)],
  ["wide.csv", Buffer.from(`${"a,".repeat(400_000)}\n${"1,".repeat(400_000)}\n`)],
  [
    "rows.csv",
    Buffer.from(`Invoice,Buyer,Issued,Due,Gross\n${many(300_000, (n) => `${n},B${n},2026-01-01,2026-02-01,1.00\n`)}`)
  ],
  [
    "spaces.csv",
    Buffer.from(
      `Invoice,Buyer,Issued,Due,Gross\n${many(30, (n) => `${n},B${" ".repeat(90_000)}B,2026-01-01,"1${"\t".repeat(90_000)}1","1${" ".repeat(90_000)}1"\n`)}`
    )
  ],
  ["open.csv", Buffer.from(`a,b\n"${"x".repeat(20 * MB)}`)],
  ["deep.json", Buffer.from(`${"[".repeat(500_000)}${"]".repeat(500_000)}`)],
  ["deep.xml", Buffer.from(`${"<a>".repeat(500_000)}`)],
  ["lines.jsonl", Buffer.from(many(20_000, (n) => `{"k${n}":1}\n`))]
]
