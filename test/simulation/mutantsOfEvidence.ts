/** Mistakes in what is tried out and kept as evidence: changes for many tenants, drills, and reports as of another day. */
import type { UnitMutant } from "./unitMutants.ts"

export const EVIDENCE: ReadonlyArray<UnitMutant> = [
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
    changes: [{ file: "sync/state/tables/LedgerHistory.ts", from: '.join(" OR ")', to: '.join(" AND ")' }]
  },
  {
    name: "the last change after a moment counts instead of the first",
    caughtBy: ["test/cli/AsOf.long.test.ts", "says of each past run what was printed then"],
    changes: [{ file: "sync/reports/AsOf.ts", from: "min(entry) AS entry", to: "max(entry) AS entry" }]
  }
]
