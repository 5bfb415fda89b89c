/** Files that are no tables say what they are, and what to do. */
import { describe, expect, it } from "vitest"
import { join } from "node:path"
import { glance } from "../../../connectors/files/Glance.ts"
import { uploadEnding } from "../../../cli/connect/Uploads.ts"
import { write } from "./support.ts"

const CASES: ReadonlyArray<readonly [name: string, bytes: string, said: string]> = [
  ["a.pdf", "%PDF-1.7\n%âãÏÓ\n1 0 obj", "it is a PDF; export the list as CSV or Excel"],
  ["a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0", "it is a workbook of Excel 97; save it as .xlsx or CSV"],
  ["b.xls", "<html><table><tr><td>Total", "it is a web page; export the list as CSV or Excel"],
  ["a.zip", "PK\x03\x04\x14\0\0\0", "it is a ZIP archive; unpack it, and give the files that are in it"],
  ["a.ods", "PK\x03\x04\x14\0\0\0", "it is a spreadsheet of OpenDocument; save it as .xlsx or CSV"],
  ["a.numbers", "PK\x03\x04\x14\0\0\0", "it is a spreadsheet of Numbers; save it as .xlsx or CSV"],
  ["a.png", "\x89PNG", "it does not end in one of .csv, .tsv, .xlsx, .jsonl; save it as one of these"]
]

describe("a file that is not a table", () => {
  for (const [name, bytes, said] of CASES)
    it(`says what it is: ${name}`, async () => {
      const folder = write({ [name]: Buffer.from(bytes, "latin1") })
      await expect(glance(join(folder, name))).rejects.toThrow(said)
    })

  it("is refused by the page with the same words", () => {
    for (const [name, bytes, why] of CASES.slice(0, 3))
      expect(uploadEnding(Buffer.from(bytes, "latin1"), name, [])).toEqual({ why })
  })
})
