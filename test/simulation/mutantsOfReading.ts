/** Mistakes in how the service's lists are read: what is looked at the short way must be what the long way says. */
import type { UnitMutant } from "./unitMutants.ts"

const PLAINLY = "core/wire/Plainly.ts"
const AGREEMENT = "sync/reconciliation/Agreement.ts"
const OF_A_PART = ["test/sync/reconciliation/Audit.test.ts", "of a part of the list that agrees but for one"] as const

export const READING: ReadonlyArray<UnitMutant> = [
  {
    name: "a number that is too large is taken for JSON",
    caughtBy: ["test/core/wire/Plainly.test.ts", "is left to the schema"],
    changes: [{ file: PLAINLY, from: "return Number.isFinite(value)", to: "return !Number.isNaN(value)" }]
  },
  {
    name: "a member that the schema rejects is passed on",
    caughtBy: ["test/core/wire/Plainly.test.ts", "is left to the schema"],
    changes: [
      { file: PLAINLY, from: "return (value) => certain(value) ?? DOUBT", to: "return (value) => certain(value) ?? 0n" }
    ]
  },
  {
    name: "a transaction agrees whatever its members are",
    caughtBy: OF_A_PART,
    changes: [{ file: AGREEMENT, from: "Difference.differences(row.held, now).length > 0", to: "now.id === ''" }]
  }
]
