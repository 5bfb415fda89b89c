/** Mistakes in what becomes of banks' statements. */
import type { UnitMutant } from "./unitMutants.ts"

const PARTS = "test/sync/books/Parts.test.ts"
const SAME = "test/sync/books/SameEntries.long.test.ts"
const CAMT = "test/connectors/files/camt.test.ts"

export const BANKS: ReadonlyArray<UnitMutant> = [
  {
    name: "banks: a sum is money of its own beside its details, where another format has it under a name",
    caughtBy: ["test/connectors/files/sums.test.ts", "is left to its details where another format has only the sum"],
    changes: [{ file: "connectors/files/bank/Facts.ts", from: "items = countIn(entry.text)", to: "items = 0" }]
  },
  {
    name: "a statement of BAI2 without balances is read, whatever its control total says",
    caughtBy: ["test/connectors/files/statements.test.ts", "is held against its control total"],
    changes: [
      {
        file: "connectors/files/bank/Bai2.ts",
        from: "total === undefined || total === account.sum) return",
        to: "total !== undefined) return"
      }
    ]
  },
  {
    name: "a file of BAI2 lost an account, and its totals are not looked at",
    caughtBy: ["test/connectors/files/statements.test.ts", "is held against what it says of itself"],
    changes: [{ file: "connectors/files/bank/Bai2Totals.ts", from: "said === read ||", to: "said !== read ||" }]
  },
  {
    name: "a statement of OFX does not go on from the balance before it, and nothing is said",
    caughtBy: ["test/connectors/files/statements.test.ts", "goes on from the balance of the one before"],
    changes: [
      {
        file: "connectors/files/bank/Overlap.ts",
        from: "if (before + between === after ||",
        to: "if (after === after ||"
      }
    ]
  },
  {
    name: "equal entries of a day are on several pages",
    caughtBy: ["test/connectors/files/budgets.long.test.ts", "has its equal amounts together"],
    changes: [{ file: "connectors/files/bank/Read.ts", from: "if (repeated.has(group))", to: "if (repeated.size < 0)" }]
  },
  {
    name: "an entry with a value date of 30 February is not read",
    caughtBy: ["test/connectors/files/statements.test.ts", "with a value date of 30 February"],
    changes: [
      {
        file: "connectors/files/bank/Mt940.ts",
        from: "day > 28 && day <= 31 ? [day, 30, 29, 28] : [day]",
        to: "day > 28 && day > 31 ? [day, 30, 29, 28] : [day]"
      }
    ]
  },
  {
    name: "a statement whose entries do not come to its balances is read",
    caughtBy: [CAMT, "is quarantined whole, and the next one is read"],
    changes: [
      {
        file: "connectors/files/bank/Survey.ts",
        from: "if (opening.amount + sum === closing.amount) return undefined",
        to: "if (sum !== closing.amount + 1n) return undefined"
      }
    ]
  },
  {
    name: "a sum is read beside what it is the sum of",
    caughtBy: [CAMT, "is one payment, whichever messages it is in"],
    changes: [
      {
        file: "connectors/files/bank/Read.ts",
        from: "some((name) => this.#elsewhere.has(shortOf(name)))",
        to: "some((name) => this.#elsewhere.has(name))"
      }
    ]
  },
  {
    name: "a summary of a bank's file that was archived is forgotten",
    caughtBy: [CAMT, "keeps them when they are archived"],
    changes: [
      {
        file: "connectors/files/BankFiles.ts",
        from: "    const found: Record<string, Summary> = {}\n",
        to: "    this.#summaries = {}\n    const found: Record<string, Summary> = {}\n"
      }
    ]
  },
  {
    name: "an entry that is not booked is a payment",
    caughtBy: [CAMT, "is nothing as long as it is pending"],
    changes: [
      {
        file: "connectors/files/bank/Facts.ts",
        from: "if (!entry.booked || entry.amount === 0n)",
        to: "if (entry.amount === 0n)"
      }
    ]
  },
  {
    name: "a bank's charges are taken back from the payer's payment",
    caughtBy: [CAMT, "is a reversal where it takes back what came in"],
    changes: [
      {
        file: "connectors/files/bank/Facts.ts",
        from: "...(original === undefined ? {} : { unallocated: original }),",
        to: ""
      }
    ]
  },
  {
    name: "a reversal takes back a payment that came later",
    caughtBy: ["test/sync/matching/MatchTraces.long.test.ts", "takes back the last one before it"],
    changes: [
      {
        file: "sync/matching/Traces.ts",
        from: "payment.date > until",
        to: 'payment.date < "2000-01-01"'
      }
    ]
  },
  {
    name: "what is open of invoices is not computed again once their payments belong elsewhere",
    caughtBy: ["test/sync/matching/MatchStates.test.ts", "leaves nothing of what it paid"],
    changes: [
      { file: "sync/matching/Run.ts", from: "UPDATE payable SET number = ''", to: "UPDATE payable SET number = number" }
    ]
  },
  {
    name: "a payment's item does not name the invoice that a ledger found again says it was reported on",
    caughtBy: ["test/sync/reconciliation/AuditPaid.test.ts", "names the paid invoice that a payment left"],
    changes: [
      {
        file: "sync/apply/LedgerStore.ts",
        from: "  MatchItems.again(db, subject, remote)",
        to: "  MatchItems.again(db, subject, undefined)"
      }
    ]
  },
  {
    name: "a payment's item does not name the invoice on which it is found after its answer was lost",
    caughtBy: ["test/sync/matching/PaysRecovered.test.ts", "names the invoice that it was found on"],
    changes: [
      {
        file: "sync/apply/Recovery.ts",
        from: "    MatchItems.again(db, call.subject, remote)",
        to: "    MatchItems.again(db, call.subject, undefined)"
      }
    ]
  },
  {
    name: "a document that another file still states is deleted",
    caughtBy: [PARTS, "and the part that stated it first loses it"],
    changes: [
      {
        file: "sync/books/Versions.ts",
        from: "unread.filter((row) => !this.statedElsewhere(row))",
        to: "unread.filter((row) => row.id > 0 || this.statedElsewhere(row))"
      }
    ]
  },
  {
    name: "the file that is read last stands, whatever another one says",
    caughtBy: [PARTS, "neither stands, until they agree"],
    changes: [
      {
        file: "sync/books/Parts.ts",
        from: "if (copy === undefined) return",
        to: "if (copy === undefined || row.id > 0) return"
      }
    ]
  },
  {
    name: "of two payments with one id in two files, one is lost",
    caughtBy: [PARTS, "are as many as there are"],
    changes: [
      {
        file: "sync/books/Parts.ts",
        from: "if (Copies.isAnother({ document, copy }, { document: earlier, copy: other }))",
        to: "if (row.id < 0 && Copies.isAnother({ document, copy }, { document: earlier, copy: other }))"
      }
    ]
  },
  {
    name: "what leaves a window counts as deleted",
    caughtBy: [PARTS, "keeps what left it as the oldest"],
    changes: [{ file: "sync/books/Window.ts", from: "if (until !== lost.length)", to: "if (until >= 0)" }]
  },
  {
    name: "a statement that begins where another ends has its entries",
    caughtBy: [SAME, "has each entry once, seed"],
    changes: [
      {
        file: "sync/books/SameEntries.ts",
        from: "return a[1] === b[0] || b[1] === a[0]",
        to: "return a[1] === b[0] && b[1] === a[0]"
      }
    ]
  },
  {
    name: "statements may date no entry anew",
    caughtBy: [SAME, "has each entry once, seed"],
    changes: [
      {
        file: "sync/books/SameEntries.ts",
        from: "export const DATED_ANEW_DAYS = 3",
        to: "export const DATED_ANEW_DAYS = 0"
      }
    ]
  }
]
