/** Mistakes in what is asked and said of files that contradict themselves. */
import type { UnitMutant } from "./unitMutants.ts"

export const REASONS: ReadonlyArray<UnitMutant> = [
  {
    name: "a row whose net and tax do not come to its total is read",
    changes: [
      {
        file: "connectors/tabular/TaxCheck.ts",
        from: "if (gross === undefined || Decimal.abs(net + tax - gross) <= CENTS) return",
        to: "if (gross === undefined || Decimal.abs(net + tax - gross) >= 0n) return"
      }
    ],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "is asked about: it waits unless somebody says otherwise"]
  },
  {
    name: "a preset's list is not held against its tax",
    changes: [
      { file: "sync/setup/Tax.ts", from: "...proposal.columns, tax_amount: tax }", to: "...proposal.columns }" }
    ],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "of a later file of a preset is not read"]
  },
  {
    name: "a row whose tax does not fit waits without a question",
    changes: [
      {
        file: "sync/setup/Tax.ts",
        from: "if (tax === undefined || odd === undefined ||",
        to: "if (tax === undefined || odd !== undefined ||"
      }
    ],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "is asked about: it waits unless somebody says otherwise"]
  },
  {
    name: "a reason does not say what to do",
    changes: [{ file: "connectors/Refused.ts", from: "super(told(why, advice))", to: "super(why)" }],
    caughtBy: ["test/connectors/files/advice.test.ts", "ends with what to do"]
  },
  {
    name: "an older export of a list is read beside the newer one without a question",
    changes: [
      {
        file: "sync/setup/Together.ts",
        from: "if (differ.length === 0 || isDated",
        to: "if (differ.length > 0 || isDated"
      }
    ],
    caughtBy: ["test/sync/setup/DeadEnds.test.ts", "is asked about by its contents, whatever the files are called"]
  }
]
