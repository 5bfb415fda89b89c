/** Mistakes in the first mapping: what no file says is taken as it seems, and not asked about. */
import type { UnitMutant } from "./unitMutants.ts"

export const ASKING: ReadonlyArray<UnitMutant> = [
  {
    name: "a list of amounts below zero is read as it stands",
    changes: [
      {
        file: "sync/setup/Doubts.ts",
        from: "if (isBelowZero(table, columns))",
        to: "if (postings !== undefined && isBelowZero(table, columns))"
      }
    ],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "of nothing but amounts below zero"]
  },
  {
    name: "days on which invoices are due before they were issued are taken as they stand",
    changes: [{ file: "sync/setup/DueDays.ts", from: "if (early < SEVERAL ||", to: "if (early < 1_000 ||" }],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "that is due before it was issued"]
  },
  {
    name: "the debit of the seller's own books is money that went out",
    changes: [
      { file: "sync/setup/Sides.ts", from: "if (found < 0) return plain", to: "if (found < 1_000) return plain" }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "say by their vouchers"]
  },
  {
    name: "a balance that rises says of every amount that it was received",
    changes: [
      {
        file: "sync/setup/Directions.ts",
        from: "return { ...NONE, questions: [asks] }",
        to: "return { ...NONE, questions: isRising ? [] : [asks] }"
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "is asked about though its balance rises"]
  },
  {
    name: "more is applied of a payment than it is",
    changes: [
      {
        file: "sync/setup/Applied.ts",
        from: "if (over === undefined) return []",
        to: "if (over === undefined || over.whole > 0n) return []"
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "is asked about: its rows are wrong"]
  },
  {
    name: "an amount before tax is what is owed, beside the same with tax",
    changes: [
      {
        file: "sync/setup/Columns.ts",
        from: 'isNet && found.role === "gross"',
        to: 'isNet && found.role === "due"'
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "with tax is taken where"]
  },
  {
    name: "a payment whose text says that it went back is money received",
    changes: [
      {
        file: "sync/setup/Returned.ts",
        from: ".filter(({ word }) => answers.directions?.[word] === undefined)",
        to: ".filter(({ word }) => answers.directions?.[word] === word)"
      }
    ],
    caughtBy: ["test/sync/setup/Doubts.test.ts", "Storno incasso"]
  },
  {
    name: "a row of a type that comes later is an invoice, where all were",
    changes: [
      { file: "sync/setup/RowTypes.ts", from: "(size > 1 || hasOthers || areInvoices)", to: "(size > 1 || hasOthers)" }
    ],
    caughtBy: ["test/sync/setup/Principles.test.ts", "is a row of a type that comes later"]
  },
  {
    name: "a record with words of headings is the row of headings",
    changes: [
      {
        file: "sync/setup/HeadingRow.ts",
        from: "glance.named === true || !isRecordRow(cells)",
        to: "glance.named === true || cells.length > 0"
      }
    ],
    caughtBy: ["test/sync/setup/Corpus.test.ts", "reads "]
  },
  {
    name: "payments agree of which records could not be read",
    changes: [
      {
        file: "sync/reconciliation/PaymentStatement.ts",
        from: "return quarantined > 0 ? asFarAsRead",
        to: "return quarantined > 1_000 ? asFarAsRead"
      }
    ],
    caughtBy: ["test/page/Agree.test.ts", "is agree only where everything was read"]
  }
]
