/** As many rows as a sheet of a workbook can have, and one more: Excel refuses a file that has a row too many. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inflateRawSync } from "node:zlib"
import { workbook } from "../../sync/export/Workbook.ts"
import type { Row, Sheet } from "../../sync/reports/Sheets.ts"

const SHEET: Sheet = {
  name: "Calls",
  columns: [{ name: "Number", type: "integer", width: 8 }],
  currency: -1,
  rows: () => [][Symbol.iterator]()
}

/** A part of a workbook, by what stands before it there. */
const part = (bytes: Buffer, name: string): string => {
  const at = bytes.indexOf(name) - 30
  const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  return inflateRawSync(bytes.subarray(begin)).toString()
}

/** The sheets of a workbook of so many rows, each with the cells that its filter spans. */
const sheetsOf = async (rows: number) => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-rows-"))
  const writer = await workbook().open(join(folder, "books.xlsx"))
  await writer.begin(SHEET)
  const batch: Array<Row> = Array.from({ length: 4096 }, () => [1])
  for (let left = rows; left > 0; left -= batch.length) await writer.write(batch.slice(0, left))
  await writer.end()
  await writer.commit(["Calls"])
  const bytes = readFileSync(join(folder, "books.xlsx"))
  rmSync(folder, { recursive: true })
  const filters = part(bytes, "xl/workbook.xml").matchAll(/<definedName name="_xlnm\._FilterDatabase"[^>]*>([^<]*)</g)
  return [...filters].map(([, cells]) => cells)
}

// Fails where `MOST_ROWS` is one more or less, or counts rows without the head.
describe("a workbook", () => {
  it("has 1,048,576 rows in a sheet, and the next one in another", { timeout: 60_000 }, async () => {
    assert.deepStrictEqual(await sheetsOf(1_048_575), ["'Calls'!$A$1:$A$1048576"])
    assert.deepStrictEqual(await sheetsOf(1_048_576), ["'Calls'!$A$1:$A$1048576", "'Calls 2'!$A$1:$A$2"])
  })
})
