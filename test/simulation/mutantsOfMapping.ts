/** Mistakes in the first mapping, one for each of its principles. */
import type { UnitMutant } from "./unitMutants.ts"

const PRINCIPLES = "test/sync/setup/Principles.test.ts"
const DISTURBED = "test/sync/setup/Disturbed.long.test.ts"

export const MAPPING: ReadonlyArray<UnitMutant> = [
  {
    name: "signs are believed, whatever a column says of each row",
    changes: [
      {
        file: "sync/setup/Directions.ts",
        from: "if (first === undefined || new Set(",
        to: "if (moved.length >= 0 || new Set("
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "signs that say the opposite"]
  },
  {
    name: "a journal with both sides of each posting is read as a statement",
    changes: [
      {
        file: "sync/setup/Doubts.ts",
        from: "if (postings !== undefined)",
        to: "if (postings !== undefined && postings < 0)"
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "is asked about: a journal"]
  },
  {
    name: "bills of suppliers are invoices, or payments received",
    changes: [{ file: "sync/setup/Doubts.ts", from: "if (supplier < 0 ||", to: "if (supplier < 1_000 ||" }],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "is whom the seller owes"]
  },
  {
    name: "what a buyer withholds is owed without a word",
    changes: [{ file: "sync/setup/Extras.ts", from: "!WITHHELD.test(heading) ||", to: "WITHHELD.test(heading) ||" }],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "what a buyer withholds"]
  },
  {
    name: "a sign of several currencies is a currency of its own in each amount",
    changes: [
      {
        file: "sync/setup/AmountValues.ts",
        from: 'signs.includes("") || new Set(signs).size < 2 ? -1 : column',
        to: 'signs.includes("") || new Set(signs).size < 1 ? -1 : column'
      }
    ],
    caughtBy: ["test/sync/setup/Corpus.test.ts", "reads "]
  },
  {
    name: "a row about the balance of an account is money received where codes stand beside its words",
    changes: [{ file: "connectors/tabular/Totals.ts", from: "!CODE.test(text.trim())", to: "true" }],
    caughtBy: ["test/connectors/files/balanceLines.test.ts", "is told by its words"]
  },
  {
    name: "what the balance of an account was on a day is money received",
    changes: [
      {
        file: "connectors/tabular/Totals.ts",
        from: "if (!this.#of.hasBalances && isBalanceLine(row.cells)) return true",
        to: ""
      }
    ],
    caughtBy: ["test/sync/setup/Corpus.test.ts", "reads "]
  },
  {
    name: "what customers owe by the side Dr is negative",
    changes: [
      {
        file: "sync/setup/Doubts.ts",
        from: "filledOf(rows, at).some((text) => /\\d\\s*dr",
        to: "filledOf(rows, at).some((text) => /\\d\\s*never"
      }
    ],
    caughtBy: ["test/sync/setup/Corpus.test.ts", "reads "]
  },
  {
    name: "an amount is with tax, whatever its tax is a rate of",
    changes: [{ file: "sync/setup/Tax.ts", from: 'within.fits * 2 < taxed ? "before"', to: 'taxed < 0 ? "before"' }],
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "is before tax where the tax is a rate of it"]
  },
  {
    name: "an invoice whose state is that it failed, and of which nothing is open, is paid",
    changes: [{ file: "sync/setup/StateValues.ts", from: "if (parts.some(isUnsure)) return undefined", to: "" }],
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "says nothing of what became of a debt"]
  },
  {
    name: "customers are called by their number where no heading of names is known",
    changes: [
      {
        file: "sync/setup/Parties.ts",
        from: 'heading("party") ?? nameColumn(table, columns) ?? heading("party_id")',
        to: 'heading("party") ?? heading("party_id")'
      }
    ],
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "is asked for the customer's name"]
  },
  {
    name: "a sale in a processor's list is an invoice",
    changes: [
      {
        file: "sync/setup/Kinds.ts",
        from: 'kind === "payments" ? asMoney(table, columns, answers) : answers',
        to: "answers"
      }
    ],
    caughtBy: ["test/sync/setup/Statements.test.ts", "has sales as payments"]
  },
  {
    name: "a preset's heading is looked for as it is written there, and dropped if it is written otherwise",
    changes: [
      {
        file: "sync/setup/Presets.ts",
        from: "find(header, name) >= 0 ? name : (header.find((cell) => squash(cell) === squash(name)) ?? name)",
        to: "name"
      }
    ],
    caughtBy: ["test/sync/setup/Presets.test.ts", "mean the same"]
  },
  {
    name: "what the rows of a payment leave of it is left out",
    changes: [
      {
        file: "connectors/tabular/DocumentRows.ts",
        from: 'const hasRests = stream === "payments"',
        to: 'const hasRests = stream === "orders"'
      }
    ],
    caughtBy: ["test/sync/setup/Statements.test.ts", "leaves the rest of it for no invoice yet"]
  },
  {
    name: "a column whose heading is known is dropped where some of its cells do not fit",
    changes: [{ file: "sync/setup/Columns.ts", from: "const LEAST = 0.2", to: "const LEAST = 0.95" }],
    caughtBy: [DISTURBED, "reads none"]
  },
  {
    name: "rows with amounts that no stream reads are a notice",
    changes: [
      { file: "connectors/tabular/Chosen.ts", from: "if (sums.size === 0) batch", to: "if (sums.size >= 0) batch" }
    ],
    caughtBy: ["test/connectors/files/layout.test.ts", "are chosen by a column"]
  },
  {
    name: "a column that says which way money went is not looked for",
    changes: [
      {
        file: "sync/setup/Directions.ts",
        from: "if (column !== undefined && column >= 0) return ofColumn",
        to: "if (column !== undefined && column < 0) return ofColumn"
      }
    ],
    caughtBy: [PRINCIPLES, "is money in or out"]
  },
  {
    name: "a payment that is pending or failed counts as received",
    changes: [
      {
        file: "connectors/tabular/MoneyRows.ts",
        from: 'return state === "pending" || state === "failed" ? { heading, text } : undefined',
        to: "return undefined"
      }
    ],
    caughtBy: [PRINCIPLES, "is nothing received in any list"]
  },
  {
    name: "the numbers of the other files do not say what a file holds",
    changes: [
      {
        file: "sync/setup/KindOf.ts",
        from: "if (money && areOfOthers &&",
        to: "if (money && !areOfOthers && areOfOthers &&"
      }
    ],
    caughtBy: [PRINCIPLES, "is what was paid of an invoice in another file"]
  },
  {
    name: "nobody calculates whether a column of taxes holds rates",
    changes: [{ file: "sync/setup/TaxRates.ts", from: "return rates > amounts &&", to: "return rates < amounts &&" }],
    caughtBy: [PRINCIPLES, "is net with a tax"]
  },
  {
    name: "a state that nobody knows is open",
    changes: [
      {
        file: "sync/setup/StateValues.ts",
        from: "return open > 0 ? { state:",
        to: "return open >= 0 ? { state:"
      }
    ],
    caughtBy: [DISTURBED, "reads none"]
  },
  {
    name: "the whole payment counts for each invoice that it pays",
    changes: [
      {
        file: "sync/setup/Fields.ts",
        from: "if (applied !== undefined) return plain === undefined ? applied : { first: [applied, plain] }",
        to: "if (applied !== undefined && plain === undefined) return applied"
      }
    ],
    caughtBy: [PRINCIPLES, "is the part that pays"]
  },
  {
    name: "mapping: a part that was paid is not asked about",
    caughtBy: [
      "test/sync/setup/Principles.test.ts",
      "is asked about where a part was paid and nothing says of how much"
    ],
    changes: [
      {
        file: "sync/setup/StateValues.ts",
        from: "isSilent && parts.some(isPartlyPaid)",
        to: "isSilent && parts.length > 9"
      }
    ]
  },
  {
    name: "mapping: a date that is none makes the other days months",
    caughtBy: [
      "test/sync/setup/Principles.test.ts",
      "is the row with a date that is none, though the other days could be months as well"
    ],
    changes: [
      {
        file: "connectors/files/Checks.ts",
        from: "[...texts, ...bad.map((one) => one.text)].some(",
        to: "texts.some("
      }
    ]
  },
  {
    name: "mapping: only a column that is called a state says that money has not come",
    caughtBy: ["test/sync/setup/Statements.test.ts", "is not received, where "],
    changes: [
      {
        file: "sync/setup/Fields.ts",
        from: "isStatement ? pendingColumn(table, columns) : undefined",
        to: "isStatement ? undefined : pendingColumn(table, columns)"
      }
    ]
  },
  {
    name: "mapping: one text of a statement is enough",
    caughtBy: ["test/sync/setup/Statements.test.ts", "an invoice is looked for in every text of a statement"],
    changes: [{ file: "sync/setup/Fields.ts", from: "return [first, ...others]", to: "return [first]" }]
  },
  {
    name: "mapping: balances are believed, whatever they come to",
    caughtBy: ["test/sync/setup/Statements.test.ts", "that do not follow from the amounts are asked about"],
    changes: [
      { file: "sync/setup/Balances.ts", from: "if (wrong < SEVERAL || wrong * 2 < checked) return []", to: "return []" }
    ]
  },
  {
    name: "mapping: principle 6: a known export that lacks a column ends with its configuration",
    caughtBy: ["test/sync/setup/Statements.test.ts", "a known export that lacks a column asks for it"],
    changes: [
      {
        file: "sync/setup/Draft.ts",
        from: "...proposals.flatMap((one) => missingColumns(table, present(one, table.header)))",
        to: ""
      }
    ]
  },
  {
    name: "mapping: a column of terms has days, whatever its cells are",
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "means what its cells are: days are due dates"],
    changes: [
      { file: "sync/setup/Columns.ts", from: "return turned(meant, values).flatMap(", to: "return meant.flatMap(" }
    ]
  },
  {
    name: "mapping: a second column called state is one",
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "is a state only where its cells are"],
    changes: [{ file: "sync/setup/StateColumns.ts", from: '=== "status") && areStates(values))', to: '=== "status"))' }]
  },
  {
    name: "mapping: a total is with tax, whatever the tax is a rate of",
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "is asked about where it says that the tax is in an amount"],
    changes: [
      { file: "sync/setup/Tax.ts", from: 'side === "either" : side === "before"', to: 'side === "either" : false' }
    ]
  },
  {
    name: "mapping: states under another heading are passed over",
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "is read as that, and what it does not say is asked"],
    changes: [
      {
        file: "sync/setup/Columns.ts",
        from: "  if (found < 0) return\n  for (const role",
        to: "  if (found >= 0) return\n  for (const role"
      }
    ]
  },
  {
    name: "mapping: rows below other headings are read on",
    caughtBy: ["test/connectors/files/layout.test.ts", "ends where other headings begin"],
    changes: [
      {
        file: "connectors/tabular/AnotherTable.ts",
        from: 'if (kind === "other") this.#first ??= row',
        to: "if (kind === undefined) this.#first ??= undefined"
      }
    ]
  },
  {
    name: "mapping: of few dates that are written otherwise, the day comes first",
    caughtBy: ["test/sync/setup/UnknownHeadings.test.ts", "may be written in several ways"],
    changes: [{ file: "sync/setup/DateFormats.ts", from: "(order === undefined &&", to: "(order === null as never &&" }]
  }
]
