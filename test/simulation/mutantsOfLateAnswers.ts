/** Mistakes in naming what a node sent that had lost the tenant. */
import type { UnitMutant } from "./unitMutants.ts"

const SENT_TWICE = "test/sync/apply/SentTwice.test.ts"
const SHIPPER = "sync/state/replication/Shipper.ts"

export const LATE_ANSWERS: ReadonlyArray<UnitMutant> = [
  {
    name: "what was heard when a tenant was lost is told to nobody",
    caughtBy: [SENT_TWICE, "is told, whether its receipt was refused"],
    changes: [{ file: SHIPPER, from: "    this.late.end()\n", to: "" }]
  },
  {
    name: "an answer is not waited for once the tenant is lost",
    caughtBy: [SENT_TWICE, "is told, whether its receipt was refused"],
    changes: [{ file: "sync/apply/HeardLate.ts", from: "late.isOver ? heardSoon(fiber) : ", to: "" }]
  },
  {
    name: "the connection to the service closes before what was sent for others is answered",
    caughtBy: [SENT_TWICE, "is told, whether its receipt was refused"],
    changes: [
      { file: "sync/apply/HeardLate.ts", from: "late.isOver ? heardSoon(fiber) : ", to: "late.isOver ? Effect.void : " }
    ]
  },
  {
    name: "an answer that nobody waits for is waited for",
    caughtBy: [SENT_TWICE, "is not waited for by who still has the tenant"],
    changes: [
      {
        file: "sync/apply/HeardLate.ts",
        from: "late.isOver ? heardSoon(fiber) : Fiber.interrupt(fiber)",
        to: "Effect.void"
      }
    ]
  },
  {
    name: "what was sent twice counts as known once its document is",
    caughtBy: [SENT_TWICE, "is named with what was sent in its place"],
    changes: [
      {
        file: "sync/apply/SentTwice.ts",
        from: "FROM ledger WHERE subject = :subject AND remote = :remote",
        to: "FROM ledger WHERE subject = :subject"
      }
    ]
  }
]
