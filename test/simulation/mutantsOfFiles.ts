/** Mistakes in what becomes of files: those that cannot be read or written as they should, and those that come out. */
import type { UnitMutant } from "./unitMutants.ts"

export const FILES: ReadonlyArray<UnitMutant> = [
  {
    name: "a number in a payment of a table is not looked up",
    caughtBy: ["test/sync/books/OwnLinks.test.ts", "that names"],
    changes: [
      {
        file: "sync/books/OwnLinks.ts",
        from: "const byNumber = this.#invoices(",
        to: 'const byNumber = name !== "" ? [] : this.#invoices('
      }
    ]
  },
  {
    name: "a changed setting takes back what was sent, and nobody is asked",
    caughtBy: ["test/sync/plan/SettingChanges.test.ts", "stops a plan that takes something back"],
    changes: [
      {
        file: "sync/plan/Guards.ts",
        from: "if (what.length === 0 || count === 0) return []",
        to: "if (what.length === 0 || count >= 0) return []"
      }
    ]
  },
  {
    name: "a connector's failure repeats what it was given",
    caughtBy: ["test/sync/pull/Ingest.test.ts", "its connection fails, and says nothing secret"],
    changes: [
      {
        file: "connectors/Failure.ts",
        from: "const hide = Secrets.hiding(settings, environment)",
        to: "const hide = (text: string) => text"
      }
    ]
  },
  {
    name: "a state file of a newer program is opened",
    caughtBy: ["test/sync/state/Database.test.ts", "of a newer program is refused and left as it is"],
    changes: [
      { file: "sync/state/Database.ts", from: "  if (version > VERSION) {", to: "  if (version > VERSION + 9999) {" }
    ]
  },
  {
    name: "a state file that cannot be written is said to be missing",
    caughtBy: ["test/sync/state/ReadOnly.test.ts", "is refused in plain words and left as it is"],
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
    caughtBy: ["test/sync/state/Database.test.ts", "with a page of garbage is found out"],
    changes: [
      {
        file: "sync/state/Database.ts",
        from: 'if (version > 0 && db.prepare("SELECT clean FROM state").pluck().get() === 0) {',
        to: "if (version < 0) {"
      }
    ]
  },
  {
    name: "what a person decides is written bit by bit",
    caughtBy: ["test/sync/matching/Decided.long.test.ts", "of its writes all are kept or none"],
    changes: [
      {
        file: "sync/state/Commits.ts",
        from: "transaction: (work) => attempt(() => run(work))",
        to: "transaction: (work) => attempt(work)"
      }
    ]
  },
  {
    name: "a backup takes the file as it lies on the disk",
    caughtBy: [
      "test/examples/Operations.long.test.ts",
      "of a daemon at work is one moment of it; restored, it opens, and nothing is sent twice"
    ],
    changes: [
      {
        file: "sync/state/Backup.ts",
        from: "copyInto(from, part)",
        to: "copyFileSync(from.name, part)"
      },
      { file: "sync/state/Backup.ts", from: "import { closeSync,", to: "import { closeSync, copyFileSync," }
    ]
  },
  {
    name: "a copy of the state file is begun with the rights that the machine gives",
    caughtBy: ["test/security/FileModes.long.test.ts", "that are copies of a state file are so"],
    changes: [{ file: "sync/state/OwnFile.ts", from: "  createFile(to)\n  from.prepare", to: "  from.prepare" }]
  },
  {
    name: "the walk along the chain keeps all others waiting",
    caughtBy: ["test/security/LongWork.long.test.ts", "are looked through, copied and written in parts"],
    changes: [
      { file: "sync/state/chain/Verify.ts", from: "if (++this.#facts % PART === 0) yield", to: "this.#facts++" }
    ]
  },
  {
    name: "what was read late is looked for in one piece",
    caughtBy: ["test/security/LongWork.long.test.ts", "are looked for in parts"],
    changes: [
      {
        file: "sync/reports/CloseLate.ts",
        from: "      first = end\n      yield undefined\n",
        to: "      first = end\n"
      }
    ]
  },
  {
    name: "a file that was not complete as its process was killed stays",
    caughtBy: ["test/security/FileModes.long.test.ts", "that get their name once they are complete"],
    changes: [{ file: "core/TemporaryFolder.ts", from: "  if (!swept.has(folder)) sweep(folder, FILE)\n", to: "" }]
  },
  {
    name: "the sheet of orders shows as refunded what the books say",
    caughtBy: ["test/cli/OrderStatement.test.ts", "is in the sheet of orders, order by order"],
    changes: [
      { file: "sync/reports/sheets/Orders.ts", from: '    seen("refunded"),', to: "    money(source.refunded)," }
    ]
  },
  {
    name: "what the service says of a deferred payment reaches no order",
    caughtBy: ["test/cli/OrderHooks.long.test.ts", "each parcel is captured once"],
    changes: [
      {
        file: "sync/pull/Notices.ts",
        from: "  if (subjects.length > 0) return",
        to: "  if (subjects.length < 0) return"
      },
      { file: "sync/pull/Notices.ts", from: "/order0`) !== undefined)", to: "/order0`) === null)" }
    ]
  },
  {
    name: "a choice is matched only if the program lives on",
    caughtBy: ["test/sync/matching/Decided.long.test.ts", "a kill at any step leaves it made or not made"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: "  queue(db, payment)\n  for (const { invoice } of partsOf(shares)) queue(db, invoice)\n",
        to: ""
      },
      {
        file: "sync/matching/Choices.ts",
        from: "{ customer, now })\n  queueByPayer(db, connection)\n",
        to: "{ customer, now })\n"
      }
    ]
  },
  {
    name: "a payment whose day alone was corrected stays as it was reported",
    caughtBy: ["test/sync/matching/PaidOn.test.ts", "is reported anew where it was matched"],
    changes: [{ file: "sync/matching/Index.ts", from: "      ChangedDocuments.touch(db, invoice)\n", to: "" }]
  },
  {
    name: "an invoice that a payment left has no item once the payment is placed",
    caughtBy: [
      "test/sync/matching/PaidOn.test.ts",
      "has an item of its own once the payment's item, which spoke for it, is closed"
    ],
    changes: [
      {
        file: "sync/matching/Tables.ts",
        from: 'was !== "" ? (JSON.parse(was) as ReadonlyArray<string>) : []',
        to: 'was === "" ? [was] : []'
      }
    ]
  },
  {
    name: "what another run sent of a document meanwhile is written over",
    caughtBy: ["test/sync/apply/Current.test.ts", "is no longer current once another run has claimed a call of it"],
    changes: [
      {
        file: "sync/state/calls/PastCalls.ts",
        from: "id > :after AND run <> :run",
        to: "id > :after AND run < :run - 100"
      }
    ]
  },
  {
    name: "a sheet has more rows than programs read",
    caughtBy: ["test/export/Rows.long.test.ts", "has 1,048,576 rows in a sheet"],
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
  },
  {
    name: "a source of which nothing is known counts as read to its end after a page without records",
    caughtBy: [
      "test/sync/pull/Pull.test.ts",
      "a pull that brings nothing is whole however it ends, once the source was read to its end"
    ],
    changes: [
      {
        file: "sync/books/Bookmarks.ts",
        from: "VALUES (?, ?, ?, 1) ON CONFLICT",
        to: "VALUES (?, ?, ?, 0) ON CONFLICT"
      }
    ]
  },
  {
    name: "of documents that are read together, one that came before in the same reading counts twice",
    caughtBy: ["test/sync/books/ManyAtOnce.test.ts", "is stored as if each had come alone"],
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: "if (id === undefined || isRead(scan, id)) this.#store(scan, read, now)",
        to: "if (id === undefined) this.#store(scan, read, now)"
      }
    ]
  },
  {
    name: "a chunk is skipped although one of its documents was changed since it was read",
    caughtBy: ["test/sync/pull/Chunks.long.test.ts", "that are skipped leave the books as if they had been read"],
    changes: [
      {
        file: "sync/books/Chunks.ts",
        from: "if (this.#versions(first, documents) !== versions) return undefined",
        to: "if (this.#versions(first, documents) === undefined && versions < 0) return undefined"
      }
    ]
  },
  {
    name: "a chunk is skipped although an id of it stands elsewhere in the file",
    caughtBy: [
      "test/sync/pull/Chunks.long.test.ts",
      "are read again if an id of theirs stands in a row before or behind them"
    ],
    changes: [
      {
        file: "sync/books/Chunks.ts",
        from: "if (isRead(scan, id)) return undefined",
        to: "if (isRead(scan, id) && id < 0) return undefined"
      }
    ]
  },
  {
    name: "a chunk that begins within a cell is skipped",
    caughtBy: ["test/sync/pull/Chunks.long.test.ts", "do not begin within a cell, however many lines it has"],
    changes: [{ file: "connectors/files/Csv.ts", from: "reached(at >= queue.length)", to: "reached(true)" }]
  },
  {
    name: "a file that is read again forgets what could not be read before it has reached that",
    caughtBy: ["test/sync/reconciliation/Unread.long.test.ts", "nor while that record was not reached again"],
    changes: [
      {
        file: "sync/books/QuarantineStore.ts",
        from: "WHERE connection = ? AND scan = ? AND id IS NULL",
        to: "WHERE connection = ? AND scan = ?"
      }
    ]
  },
  {
    name: "records that were removed from a file stay quarantined after a complete read",
    caughtBy: ["test/sync/books/Books.test.ts", "a read that fails halfway releases only the records it has read"],
    changes: [
      {
        file: "sync/books/QuarantineStore.ts",
        from: 'AND scan = ? AND rowid <= ?").run(connection, name, earlier)',
        to: 'AND scan = ? AND rowid <= ?").run(connection, name, 0 * earlier)'
      }
    ]
  },
  {
    name: "a record that could not be read takes the place of one that was released, and is released with it",
    caughtBy: ["test/sync/books/Books.test.ts", "a read that fails halfway releases only the records it has read"],
    changes: [
      {
        file: "sync/books/QuarantineStore.ts",
        from: "scan.scanning ? scan.earlier : 0, connection",
        to: "0, connection"
      }
    ]
  },
  {
    name: "a reported payment that cannot be read is taken for deleted where a lost state file had it",
    caughtBy: [
      "test/sync/reconciliation/Unread.long.test.ts",
      "is not taken back before its invoice's source can be read"
    ],
    changes: [
      {
        file: "sync/plan/Facts.ts",
        from: "const old = [...gone].flatMap(",
        to: "const old = [...gone].slice(gone.size).flatMap("
      }
    ]
  },
  {
    name: "the same of a payment of another source",
    caughtBy: ["test/sync/reconciliation/Unread.long.test.ts", "is not taken back before another source can be read"],
    changes: [
      {
        file: "sync/plan/Facts.ts",
        from: 'const connection = fact.slice(0, fact.indexOf("/"))',
        to: "const { connection } = facts"
      }
    ]
  },
  {
    name: "a page that another thread read loses its bookmark",
    caughtBy: [
      "test/sync/pull/ReadingThread.long.test.ts",
      "comes to the same books, with what could not be read, what was odd and what changed"
    ],
    changes: [
      {
        file: "sync/pull/ReadInThread.ts",
        from: 'say({ type: "page", page: packed, bookmark })',
        to: 'say({ type: "page", page: packed, bookmark: bookmark && undefined })'
      }
    ]
  },
  {
    name: "a thread that ended before it was through has read the source to its end",
    caughtBy: [
      "test/sync/pull/ReadingThread.long.test.ts",
      "fails as it fails in this one, and where the thread dies says that"
    ],
    changes: [
      {
        file: "sync/pull/ReadingThread.ts",
        from: 'throw new Error("the thread that reads it ended before it was through")',
        to: 'waiting.push({ type: "end" })'
      }
    ]
  }
]
