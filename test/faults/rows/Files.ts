/** Faults: files, reading and what is exported. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const FILES: ReadonlyArray<FaultRow> = [
  row("half-written file", ["connectors/files/trouble.test.ts", "loses its last row only, which is asked after"]),
  row("renamed re-export", ["connectors/files/bookmark.test.ts", "a file under another name is another file"]),
  row("byte-order mark, encodings", [
    "connectors/files/dialects.test.ts",
    "is found: UTF-8 with and without a byte-order mark"
  ]),
  row("decimal comma", ["connectors/files/amounts.test.ts", "has a decimal point, or a comma"]),
  row("1904 workbook", ["connectors/files/workbook.test.ts", "is the same in the 1904 system"]),
  row("duplicate rows", [
    "connectors/files/repeats.test.ts",
    "that differ: the first is read, the second is quarantined"
  ]),
  row(
    "formula injection in what is exported",
    ["export/Csv.test.ts", "put an apostrophe before text that a spreadsheet would run"],
    ["export/Csv.test.ts", "have no cell that begins like a formula, whatever separates cells"],
    ["export/Workbook.test.ts", "that looks like a formula is text, and no cell is a formula"]
  ),
  row("more rows than a sheet can have", ["export/Rows.test.ts", "has 1,048,576 rows in a sheet"]),
  row(
    "a workbook that unpacks to gigabytes",
    ["connectors/files/workbook.test.ts", "is refused by what really comes out"],
    ["connectors/files/workbook.test.ts", "is refused by what its directory says"]
  )
]
