/** Mistakes in what is tried out and kept as evidence: changes for many tenants, drills, and reports as of another day. */
import type { UnitMutant } from "./unitMutants.ts"

const CALLS = "test/sync/state/calls/CallPages.test.ts"

const HELD = "test/sync/model/Remote.test.ts"

export const EVIDENCE: ReadonlyArray<UnitMutant> = [
  {
    name: "a file takes the place of a device",
    caughtBy: ["test/cli/Devices.test.ts", "has nothing beside it that could take its place"],
    changes: [
      { file: "core/TemporaryFolder.ts", from: "!there.isFile() &&", to: "!there.isFile() && there.isFile() &&" }
    ]
  },
  {
    name: "a transaction under another id counts as the one that the ledger has",
    caughtBy: [HELD, "is the same only where everything is"],
    changes: [{ file: "sync/model/Remote.ts", from: "a.id === b.id && encodeRemote", to: "encodeRemote" }]
  },
  {
    name: "a payment of another connection is read from the ledger as one of the invoice's own",
    caughtBy: [HELD, "has the facts that were reported"],
    changes: [{ file: "sync/model/Remote.ts", from: "}/`) ? fact.slice(", to: "}`) ? fact.slice(" }]
  },
  {
    name: "the latest call is packed, and its number is given to another",
    caughtBy: [CALLS, "leave the latest where it is"],
    changes: [{ file: "sync/state/calls/CallPages.ts", from: "OFFSET 1)", to: "OFFSET 0)" }]
  },
  {
    name: "a purchase is packed, and what was spent in the month is less",
    caughtBy: [CALLS, "are packed, and found by everything as before"],
    changes: [
      { file: "sync/state/calls/CallPages.ts", from: "OR c.operation = 'quotes.create'", to: "OR c.operation <> ''" }
    ]
  },
  {
    name: "a call that is open is packed",
    caughtBy: [CALLS, "are packed, and found by everything as before"],
    changes: [{ file: "sync/state/calls/CallPages.ts", from: "c.has_receipt = 1", to: "c.has_receipt >= 0" }]
  },
  {
    name: "calls that are packed are in the chain once more, as removed",
    caughtBy: [CALLS, "are packed, and found by everything as before"],
    changes: [{ file: "sync/state/calls/CallPages.ts", from: "WHERE kind = 'claim'", to: "WHERE kind = 'other'" }]
  },
  {
    name: "a call that was added to a page is not noticed",
    caughtBy: [CALLS, "are named where a page"],
    changes: [{ file: "sync/state/chain/Verify.ts", from: "const isSeen =", to: "const isSeen = id > 0 ||" }]
  },
  {
    name: "a run that sends takes its own packed calls for another's",
    caughtBy: [CALLS, "of a run that sends are packed without those of others"],
    changes: [
      {
        file: "sync/state/calls/CallPages.ts",
        from: "run === undefined || row.run === run",
        to: "run === undefined || row.run <= run"
      }
    ]
  },
  {
    name: "the last fact of a table was removed, and nobody is told",
    caughtBy: ["test/sync/state/chain/Chain.test.ts", "names a row of "],
    changes: [
      {
        file: "sync/state/chain/Verify.ts",
        from: 'return typeof key === "number" && key <= this.#last',
        to: 'return typeof key === "number"'
      }
    ]
  },
  {
    name: "sources that are set otherwise are read into today's books alone",
    caughtBy: ["test/cli/WhatIf.long.test.ts", "reads what is mapped otherwise under the settings of each"],
    changes: [{ file: "sync/reports/WhatIf.ts", from: "Database, copies[of])", to: "Database, copies.today)" }]
  },
  {
    name: "an amount that another version sends otherwise is the same",
    caughtBy: ["test/cli/Upgrade.long.test.ts", "is compared from the same books"],
    changes: [{ file: "sync/reports/PlanLines.ts", from: "fields.length === 0 &&", to: "fields.length >= 0 &&" }]
  },
  {
    name: "a change is written for a tenant beyond the limit",
    caughtBy: ["test/cli/TenantsPlan.test.ts", "changes tenants one after the other"],
    changes: [{ file: "cli/commands/tenantsChange.ts", from: "if (differ > most)", to: "if (differ > most + 1000)" }]
  },
  {
    name: "a change of which not all can be compared is written",
    caughtBy: ["test/cli/TenantsPlan.test.ts", "leaves a tenant of whose source only a new reading would tell"],
    changes: [
      {
        file: "cli/commands/tenantsChange.ts",
        from: "const [unseen] = notCovered",
        to: "const [, unseen] = notCovered"
      }
    ]
  },
  {
    name: "who judges a drill sees no call that was made twice",
    caughtBy: ["test/cli/Drill.test.ts", "names what is missing, and what is there twice"],
    changes: [{ file: "cli/drill/Outside.ts", from: "if (got > wanted)", to: "if (got > wanted && wanted === 0)" }]
  },
  {
    name: "the copy for a drill knows what the service was told",
    caughtBy: ["test/cli/Drill.test.ts", "has nothing of what the service was told"],
    changes: [{ file: "sync/state/ForgetService.ts", from: '"claim",', to: "" }]
  },
  {
    name: "a change of what is open in the books is not kept",
    caughtBy: ["test/cli/AsOf.long.test.ts", "says of each past run what was printed then"],
    changes: [{ file: "sync/state/tables/History.ts", from: '.join(" OR ")', to: '.join(" AND ")' }]
  },
  {
    name: "the last change after a moment counts instead of the first",
    caughtBy: ["test/cli/AsOf.long.test.ts", "says of each past run what was printed then"],
    changes: [
      { file: "sync/state/tables/History.ts", from: "min(statement) AS statement", to: "max(statement) AS statement" }
    ]
  },
  {
    name: "what a run says of orders is not kept",
    caughtBy: ["test/cli/AsOf.long.test.ts", "says of each past run what was printed of orders"],
    changes: [{ file: "sync/KeptStatements.ts", from: "orders: own(proof.orders)", to: "orders: []" }]
  },
  {
    name: "a month is closed although something else was read since it was shown",
    caughtBy: ["test/page/Months.long.test.ts", "is closed by who may, as exactly what was shown"],
    changes: [{ file: "sync/decisions/Months.ts", from: "digest !== own", to: "digest === own" }]
  },
  {
    name: "a month opens otherwise than it was closed, and nobody is told",
    caughtBy: ["test/page/Months.long.test.ts", "is closed by who may, as exactly what was shown"],
    changes: [
      {
        file: "sync/reports/CloseOpening.ts",
        from: "if (was.books === opens.books",
        to: "if (was.books !== opens.service || was.books === opens.books"
      }
    ]
  },
  {
    name: "a month is shown to who does not see the payments for it",
    caughtBy: ["test/page/Months.long.test.ts", "is closed by who may, as exactly what was shown"],
    changes: [{ file: "cli/page/OwnBooks.ts", from: "AND connection NOT IN", to: "AND connection IN" }]
  },
  {
    name: "money for invoices that the books do not have is in no sum in silence",
    caughtBy: ["test/cli/Close.test.ts", "names payments and credit notes of which its own books have no invoice"],
    changes: [
      {
        file: "sync/reports/Close.ts",
        from: "  UNION SELECT invoice FROM allocation WHERE invoice > :first AND invoice < :end\n",
        to: ""
      }
    ]
  },
  {
    name: "a month leaves out what moved in it, because it is settled by now",
    caughtBy: ["test/page/Months.long.test.ts", "is closed by who may, as exactly what was shown"],
    changes: [{ file: "sync/reports/CloseKept.ts", from: '"s.month >= :month"', to: '"s.month > :month"' }]
  },
  {
    name: "money that names no invoice of the books is not looked at as a month is shown",
    caughtBy: ["test/page/Months.long.test.ts", "is closed by who may, as exactly what was shown"],
    changes: [
      {
        file: "sync/reports/Close.ts",
        from: "  UNION SELECT subject, '' FROM unbooked WHERE subject > :first AND subject < :end\n",
        to: ""
      }
    ]
  },
  {
    name: "what an invoice added to a month before it changed stays in the sums",
    caughtBy: ["test/sync/apply/MonthStore.test.ts", "are what its invoices come to, whatever changes"],
    changes: [
      {
        file: "sync/apply/MonthStore.ts",
        from: "if (row.account !== null) this.#book(row.account, CloseEntries.readMoves(row.moves), -1n)",
        to: ""
      }
    ]
  },
  {
    name: "a late amount is the same in another currency",
    caughtBy: ["test/cli/Close.test.ts", "says of an invoice that is in another currency since then"],
    changes: [
      { file: "sync/reports/CloseLate.ts", from: "effect?.currency !== currency || ", to: "effect === undefined || " }
    ]
  },
  {
    name: "another version that prints no plan plans nothing",
    caughtBy: ["test/cli/Upgrade.long.test.ts", "is compared from the same books"],
    changes: [
      {
        file: "cli/OtherVersion.ts",
        from: 'if (!lines.some((line) => line?.["type"] === "summary"))',
        to: "if (lines.length < 0)"
      }
    ]
  },
  {
    name: "a prepared choice stays when what it names has changed",
    caughtBy: ["test/page/Prepared.test.ts", "is chosen only as long as the invoices that it names"],
    changes: [{ file: "sync/decisions/Drafts.ts", from: "todo, candidates, chosen]", to: "todo, candidates]" }]
  }
]
