/** Mistakes in what others may have Daybook keep: files that become far more than they are, and texts without an end. */
import type { UnitMutant } from "./unitMutants.ts"

export const BUDGETS: ReadonlyArray<UnitMutant> = [
  {
    name: "a cell in the last column fills its row",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "no more than that cell"],
    changes: [
      { file: "connectors/files/Table.ts", from: "export const COLUMNS = 1024", to: "export const COLUMNS = 16_384" }
    ]
  },
  {
    name: "a wide row is kept with its empty cells",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "shows a wide row by the cells that are filled"],
    changes: [
      { file: "connectors/files/workbook/Sheet.ts", from: "filled.length * 4 > cells.length", to: "filled.length > 0" }
    ]
  },
  {
    name: "a part is read once for each of its names",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "names no part of it as a second sheet"],
    changes: [
      {
        file: "connectors/files/workbook/Parts.ts",
        from: "sheets.some((one) => one.part === part)",
        to: "sheets.some((one) => one.part === name)"
      }
    ]
  },
  {
    name: "a file's records take whatever they take",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "does not become far more than it is"],
    changes: [{ file: "connectors/files/ReadTable.ts", from: "if (kept > most)", to: "if (kept < 0)" }]
  },
  {
    name: "all rows of a table are kept to be examined",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "is kept to be examined as far as there is room"],
    changes: [
      { file: "connectors/files/Glance.ts", from: "cells > 0 && characters > 0", to: "cells > 0 || characters > 0" }
    ]
  },
  {
    name: "a name without an end is taken",
    caughtBy: ["test/security/LongTexts.long.test.ts", " is too long"],
    changes: [
      {
        file: "connectors/Quarantine.ts",
        from: "if (long !== undefined) return long",
        to: 'if (long?.field === "") return long'
      }
    ]
  },
  {
    name: "a record that cannot be read is kept without an end",
    caughtBy: ["test/security/LongTexts.long.test.ts", "of which no more is kept than is shown"],
    changes: [{ file: "connectors/Quarantine.ts", from: "raw: cut(raw, LONGEST_RAW)", to: "raw" }]
  },
  {
    name: "a search takes a text without an end",
    caughtBy: ["test/security/LongTexts.long.test.ts", "is refused with what to do, on the page"],
    changes: [
      { file: "sync/reports/SearchText.ts", from: "text.length > LONGEST_SEARCH", to: "text.length > 1_000_000" }
    ]
  }
]
