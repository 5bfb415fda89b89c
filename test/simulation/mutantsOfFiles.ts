/** Mistakes in what becomes of files: those that cannot be read or written as they should, and those that come out. */
import type { UnitMutant } from "./unitMutants.ts"

export const FILES: ReadonlyArray<UnitMutant> = [
  {
    name: "a connector's failure repeats what it was given",
    caughtBy: ["test/sync/Ingest.test.ts", "its connection fails, and says nothing secret"],
    changes: [
      {
        file: "sync/pull/Ingest.ts",
        from: "const hide = Secrets.hiding(connection.settings, surroundings.environment)",
        to: "const hide = (text: string) => text"
      }
    ]
  },
  {
    name: "a state file of a newer program is opened",
    caughtBy: ["test/sync/Database.test.ts", "of a newer program is refused and left as it is"],
    changes: [
      { file: "sync/state/Database.ts", from: "  if (version > VERSION) {", to: "  if (version > VERSION + 9999) {" }
    ]
  },
  {
    name: "a state file that cannot be written is said to be missing",
    caughtBy: ["test/sync/ReadOnly.test.ts", "is refused in plain words and left as it is"],
    changes: [
      {
        file: "sync/state/StateError.ts",
        from: 'if (shut || code.startsWith("SQLITE_READONLY") || code === "EACCES"',
        to: 'if (code === "EACCES"'
      }
    ]
  },
  {
    name: "a state file whose log was deleted is not looked through",
    caughtBy: ["test/sync/Database.test.ts", "with a page of garbage is found out"],
    changes: [
      {
        file: "sync/state/Database.ts",
        from: 'if (version > 0 && db.prepare("SELECT clean FROM state").pluck().get() === 0) {',
        to: "if (version < 0) {"
      }
    ]
  },
  {
    name: "a choice is matched only if the program lives on",
    caughtBy: ["test/sync/Decided.test.ts", "a kill at any step leaves it made or not made"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: "  queue(db, payment)\n  for (const invoice of shares.keys()) queue(db, invoice)\n",
        to: ""
      }
    ]
  },
  {
    name: "a sheet has more rows than programs read",
    caughtBy: ["test/export/Rows.test.ts", "has 1,048,576 rows in a sheet"],
    changes: [
      {
        file: "sync/export/Workbook.ts",
        from: "export const MOST_ROWS = 1_048_576",
        to: "export const MOST_ROWS = 1_048_577"
      }
    ]
  },
  {
    name: "a key of the service that changes is not looked at again",
    caughtBy: ["test/cli/KeyRotation.test.ts", "counts from the next run on, and of another account is refused"],
    changes: [
      {
        file: "sync/apply/Account.ts",
        from: "if (before.account === now) return",
        to: "if (before.account !== null) return"
      }
    ]
  }
]
