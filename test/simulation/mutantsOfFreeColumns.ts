/** Mistakes with columns that nobody knows, with several exports of a list, and with choices that nobody has seen. */
import type { UnitMutant } from "./unitMutants.ts"

export const FREE_COLUMNS: ReadonlyArray<UnitMutant> = [
  {
    name: "columns of amounts that may be what is open are passed over",
    changes: [{ file: "sync/setup/Remains.ts", from: "areMost(within.fits, within.rows)", to: "within.rows < 0" }],
    caughtBy: ["test/sync/setup/FreeColumns.test.ts", "is asked about, with no answer of its own"]
  },
  {
    name: "a column that is the whole amount in every row is passed over",
    changes: [{ file: "sync/setup/Remains.ts", from: "one <= Decimal.abs(all)", to: "one < Decimal.abs(all)" }],
    caughtBy: ["test/sync/setup/FreeColumns.test.ts", "all of it in each row"]
  },
  {
    name: "a column that said nothing when it was set up is never looked at again",
    changes: [{ file: "connectors/tabular/InvoiceRows.ts", from: "    check(row, total, currency)\n", to: "" }],
    caughtBy: ["test/sync/setup/FreeColumns.test.ts", "holds a row back that says otherwise"]
  },
  {
    name: "an invoice is due after thirty days though a column of days may say when",
    changes: [
      {
        file: "sync/setup/FreeDays.ts",
        from: "due === undefined && later.length > 0",
        to: "due === undefined && false"
      }
    ],
    caughtBy: ["test/sync/setup/FreeColumns.test.ts", "may be when an invoice is due"]
  },
  {
    name: "the exports of a list are not put in order by their contents",
    changes: [{ file: "connectors/files/Newest.ts", from: "chain.length > 1 && isChain", to: "chain.length < 1" }],
    caughtBy: ["test/cli/CopiesOfLists.long.test.ts", "is the newer one by its contents"]
  },
  {
    name: "an export that lacks an invoice of the one before is the newer one",
    changes: [{ file: "connectors/files/Newest.ts", from: "&& hasAll(own, before)", to: "" }],
    caughtBy: ["test/cli/CopiesOfLists.long.test.ts", "does not have an invoice of it"]
  },
  {
    name: "a program takes an invoice from another payment without having seen it",
    changes: [{ file: "sync/library/Decisions.ts", from: "invoices, sure = false)", to: "invoices, sure = true)" }],
    caughtBy: ["test/cli/ChoiceShown.long.test.ts", "is shown first by the library"]
  },
  {
    name: "a column of a known heading that is empty yet is dropped",
    changes: [
      { file: "sync/setup/Fields.ts", from: "?.role === role && filledOf", to: "?.role === role && false && filledOf" }
    ],
    caughtBy: ["test/sync/setup/FreeColumns.test.ts", "is read later where its heading is known"]
  },
  {
    name: "mapping: marks under a heading that nobody knows are passed over",
    changes: [
      {
        file: "sync/setup/FreeFlags.ts",
        from: "if (free.length === 0) return []",
        to: "if (free.length >= 0) return []"
      }
    ],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "is asked about where nobody knows its heading"]
  },
  {
    name: "mapping: a mark under the word for paid is not a state",
    changes: [{ file: "sync/setup/StateColumns.ts", from: "flagIn(heading) !== undefined) &&", to: "false) &&" }],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "says what is paid"]
  },
  {
    name: "mapping: a state means open as soon as one of its rows has a balance",
    changes: [
      {
        file: "sync/setup/StateValues.ts",
        from: 'if (state === "paid" && open === rows) return undefined',
        to: 'if (state === "paid" && open > 0) return { state: "open" }'
      }
    ],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "holds its row back"]
  },
  {
    name: "mapping: a row without its whole amount counts with the one before tax",
    changes: [
      { file: "connectors/tabular/TaxCheck.ts", from: "columns.gross !== undefined && tax !== 0n", to: "false" }
    ],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "its net amount is not taken for it"]
  },
  {
    name: "mapping: a cell of two currencies is in the one of its code",
    changes: [
      {
        file: "connectors/tabular/Currencies.ts",
        from: "return other === undefined || other === only ? only : undefined",
        to: "return only"
      }
    ],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "a cell of two currencies"]
  },
  {
    name: "mapping: what is left of an amount is taken for the amount",
    changes: [
      {
        file: "sync/setup/Tax.ts",
        from: "if (saidGross === undefined && areLeft(",
        to: "if (saidGross !== undefined && areLeft("
      }
    ],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "is what is open, and not the whole amount"]
  },
  {
    name: "mapping: a copy of the amount is what is open",
    changes: [{ file: "sync/setup/Remains.ts", from: 'if (!states.has("paid")) return undefined', to: "" }],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "is not a balance because"]
  },
  {
    name: "mapping: a contact is the buyer whose heading is of another language",
    changes: [{ file: "sync/setup/Parties.ts", from: "...(isContact ? otherParties(table) : [])", to: "" }],
    caughtBy: ["test/sync/setup/Contradictions.test.ts", "is not the buyer whose heading"]
  },
  {
    name: "mapping: a later column of states is a notice, and the file is read",
    changes: [{ file: "connectors/files/LaterHeadings.ts", from: "    known.length > 0", to: "    known.length < 0" }],
    caughtBy: ["test/connectors/files/laterColumns.test.ts", "of which it is known what it changes"]
  },
  {
    name: "mapping: a column that is gone is not missed",
    changes: [
      { file: "connectors/files/Known.ts", from: ".filter((one) => !named.includes(one))", to: ".slice(0, 0)" }
    ],
    caughtBy: ["test/connectors/files/laterColumns.test.ts", "has lost a column"]
  },
  {
    name: "mapping: a watched column may have another name",
    changes: [
      {
        file: "connectors/files/LaterHeadings.ts",
        from: "lost.length > 0 && found.length > 0",
        to: "lost.length < 0 && found.length > 0"
      }
    ],
    caughtBy: ["test/connectors/files/laterColumns.test.ts", "has not got a column that is watched"]
  },
  {
    name: "mapping: a preview knows nothing of earlier headings",
    changes: [{ file: "connectors/files/Known.ts", from: "after ?? before ?? ", to: "after ?? " }],
    caughtBy: ["test/connectors/files/laterColumns.test.ts", "is compared with the last pull by a preview"]
  },
  {
    name: "mapping: a share is an amount of tax",
    changes: [{ file: "sync/setup/TaxRates.ts", from: "shares.fits > 0 &&", to: "shares.fits < 0 &&" }],
    caughtBy: ["test/sync/setup/TaxRates.test.ts", "is added to the net amount"]
  },
  {
    name: "mapping: a rate of tax is the buyer's number",
    changes: [{ file: "sync/setup/Columns.ts", from: "return 1 - share(said, isPercent)", to: "return 1" }],
    caughtBy: ["test/sync/setup/TaxRates.test.ts", "is added to the net amount"]
  },
  {
    name: "a workbook's per cent are hundredths",
    changes: [
      {
        file: "connectors/files/workbook/Sheet.ts",
        from: "if (isPercent === true)",
        to: "if (isPercent === undefined && digits === 99)"
      }
    ],
    caughtBy: ["test/sync/setup/TaxRates.test.ts", "is read as a workbook shows it"]
  },
  {
    name: "mapping: a row's own number is the invoice's, though payments have another",
    changes: [{ file: "sync/setup/SharedNumbers.ts", from: "free.find(isShared) ??", to: "undefined ??" }],
    caughtBy: ["test/sync/setup/Ledgers.test.ts", "has the number that payments have as well"]
  },
  {
    name: "mapping: postings with two accounts are a statement",
    changes: [{ file: "sync/setup/Doubts.ts", from: "if (accounts !== undefined)", to: "if (accounts?.length === 9)" }],
    caughtBy: ["test/sync/setup/Ledgers.test.ts", "is asked what it is, and is no statement"]
  },
  {
    name: "mapping: a day of payment beside the whole balance says nothing",
    changes: [
      {
        file: "connectors/tabular/InvoiceRows.ts",
        from: "date !== undefined && isUntouched &&",
        to: "date === undefined && isUntouched &&"
      }
    ],
    caughtBy: ["test/sync/setup/PaidDays.test.ts", "contradicts that nothing is paid"]
  },
  {
    name: "mapping: a day of payment is dropped where a balance is",
    changes: [
      {
        file: "sync/setup/Draft.ts",
        from: '  if (!streams.some(({ stream }) => stream === "payments")) return one\n',
        to: '  if (!streams.some(({ stream }) => stream === "payments") && columns["balance"] === undefined) return one\n'
      }
    ],
    caughtBy: ["test/sync/setup/PaidDays.test.ts", "contradicts that nothing is paid"]
  },
  {
    name: "mapping: a bank's statement under the name of a table is a table",
    changes: [
      { file: "connectors/files/Glance.ts", from: "    if (opened !== undefined)\n", to: "    if (opened === null)\n" }
    ],
    caughtBy: ["test/sync/setup/BankNames.test.ts", "says what it is"]
  }
]
