/** Mistakes in reading ledgers (FEC, SAF-T, DATEV), each caught by a named test. */
import type { UnitMutant } from "./unitMutants.ts"

const FEC = "test/connectors/ledger/fec.test.ts"
const SAFT = "test/connectors/ledger/saft.test.ts"
const DATEV = "test/connectors/ledger/datev.test.ts"
const DAMAGED = "test/connectors/ledger/damaged.test.ts"

export const LEDGERS: ReadonlyArray<UnitMutant> = [
  {
    name: "SAF-T: a section without its totals is taken for whole",
    caughtBy: [
      "test/connectors/ledger/saft.test.ts",
      "is incomplete if its counts, its totals or its sums are not met"
    ],
    changes: [
      {
        file: "connectors/ledger/saft/SaftPt.ts",
        from: "if (missing.length > 0)",
        to: "if (missing.length > 3)"
      }
    ]
  },
  {
    name: "ledgers: an entry that is not balanced is read",
    caughtBy: [FEC, "quarantines an entry that is not balanced"],
    changes: [
      { file: "connectors/ledger/fec/Exercise.ts", from: "if (this.#balance === 0n)", to: "if (this.#balance !== 1n)" }
    ]
  },
  {
    name: "ledgers: an entry's number that is there twice stands for one that is gone",
    caughtBy: [DAMAGED, "an entry that is gone where another one's number is there twice"],
    changes: [{ file: "connectors/ledger/Numbers.ts", from: "if ((byte & bit) !== 0) return", to: "" }]
  },
  {
    name: "ledgers: lines of two days that share a number are an entry without a word",
    caughtBy: [DAMAGED, "an entry whose number another day has, too"],
    changes: [
      {
        file: "connectors/ledger/fec/Exercise.ts",
        from: "lines.every(({ day }) => day === first) ||",
        to: "first.length > 0 ||"
      }
    ]
  },
  {
    name: "ledgers: an entry without a piece is one invoice, whoever it sells to",
    caughtBy: [FEC, "an invoice for each customer of an entry that names no piece"],
    changes: [
      {
        file: "connectors/ledger/fec/Item.ts",
        from: "this.customer = this.#cell",
        to: 'this.customer = this.#cell("ref") === "" ? "nobody" : this.#cell'
      },
      { file: "connectors/ledger/fec/Store.ts", from: "(id) => this.#sets.find(id)", to: "() => 0" }
    ]
  },
  {
    name: "ledgers: one letter of two customers is one group",
    caughtBy: [FEC, "is read with"],
    changes: [
      {
        file: "connectors/ledger/fec/Groups.ts",
        from: "this.#link(this.#letters, `",
        to: "this.#link(this.#letters, item.letter ?? `"
      },
      { file: "connectors/ledger/fec/Store.ts", from: "(id) => this.#sets.find(id)", to: "() => 0" }
    ]
  },
  {
    name: "ledgers: a letter that is not settled is shared out among its invoices",
    caughtBy: [FEC, "guesses nothing about an open one"],
    changes: [
      {
        file: "connectors/ledger/fec/Allocation.ts",
        from: "(opens.length === 1 || sum === 0n)",
        to: "(opens.length >= 1 || sum === 0n)"
      }
    ]
  },
  {
    name: "ledgers: what a year opens with counts beside what last year's file has",
    caughtBy: [FEC, "are one ledger"],
    changes: [
      { file: "connectors/ledger/fec/Groups.ts", from: "item.isRepeated = true", to: "item.isRepeated = false" }
    ]
  },
  {
    name: "ledgers: a discount beside a payment counts as money",
    caughtBy: [FEC, "takes discounts, losses and write-offs"],
    changes: [
      {
        file: "connectors/ledger/fec/Documents.ts",
        from: "const amount = -item.amount - (item.lost ?? 0n)",
        to: "const amount = -item.amount"
      }
    ]
  },
  {
    name: "ledgers: an annulled document of a SAF-T is owed",
    caughtBy: [SAFT, "voids what was annulled"],
    changes: [
      { file: "connectors/ledger/saft/Invoices.ts", from: 'const isVoid = status === "A"', to: "const isVoid = false" }
    ]
  },
  {
    name: "ledgers: totals that a SAF-T states are not compared",
    caughtBy: [SAFT, "is incomplete if its counts"],
    changes: [{ file: "connectors/ledger/saft/SaftPt.ts", from: "if (amount !== read)", to: "if (amount < 0n)" }]
  },
  {
    name: "ledgers: a receipt's lines are taken without their tax",
    caughtBy: [SAFT, "receipts with their shares"],
    changes: [
      {
        file: "connectors/ledger/saft/Lines.ts",
        from: "rounded(withTax(amount, percentage))",
        to: "rounded(amount)"
      }
    ]
  },
  {
    name: "ledgers: an inverted posting counts as one more",
    caughtBy: [DATEV, "void an invoice that is posted back"],
    changes: [
      {
        file: "connectors/ledger/datev/Batch.ts",
        from: "amount: isInverted ? -owes : owes,",
        to: "amount: owes,"
      }
    ]
  },
  {
    name: "ledgers: a batch that was exported again counts twice",
    caughtBy: [DATEV, "count once if the batch was exported again"],
    changes: [
      {
        file: "connectors/ledger/datev/Datev.ts",
        from: "store.same(one.file.name, other.file.name) >= SAME * one.count",
        to: "store.same(one.file.name, other.file.name) > one.count"
      }
    ]
  },
  {
    name: "ledgers: an amount of DATEV that lost its comma is read",
    caughtBy: [DAMAGED, "reads no amount whose comma was lost"],
    changes: [{ file: "connectors/ledger/datev/Batch.ts", from: "if (!WRITTEN.test(text)) return undefined", to: "" }]
  },
  {
    name: "ledgers: what a customer's letter settles is missing without a word",
    caughtBy: [DAMAGED, "a letter without its other side"],
    changes: [
      { file: "connectors/ledger/fec/Documents.ts", from: 'only.letter === "" ? undefined : ALONE', to: "undefined" }
    ]
  }
]
