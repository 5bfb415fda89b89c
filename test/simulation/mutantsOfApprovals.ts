/** Mistakes in approvals of parts of plans, and in requests that must be carried out once. */
import type { UnitMutant } from "./unitMutants.ts"

export const APPROVALS: ReadonlyArray<UnitMutant> = [
  {
    name: "all of a plan is sent of which a part was approved",
    caughtBy: ["test/cli/ApprovedParts.test.ts", "is sent alone, once; the rest waits"],
    changes: [{ file: "sync/apply/Apply.ts", from: "only === undefined || only.has(subject)", to: "only?.size !== 0" }]
  },
  {
    name: "a saved plan is sent though somebody rejected it since",
    caughtBy: ["test/cli/ApprovedParts.test.ts", "are not sent because somebody saved the plan before"],
    changes: [{ file: "sync/apply/Apply.ts", from: " && asks?.refused === undefined)", to: ")" }]
  },
  {
    name: "the rest of a first sync of which a part was approved is sent unasked",
    caughtBy: ["test/cli/ApprovedParts.test.ts", "of a first sync leaves the rest unsent"],
    changes: [
      { file: "sync/library/RunConnection.ts", from: "if (Approvals.isHeld(", to: "if (false && Approvals.isHeld(" }
    ]
  },
  {
    name: "the rest of an approved part that was cut off is sent unasked",
    caughtBy: ["test/cli/ApprovedParts.test.ts", "that was cut off leaves nothing"],
    changes: [
      {
        file: "sync/plan/Approvals.ts",
        from: "(approval.documents !== null || approval.why === REST)",
        to: "approval.why === REST"
      }
    ]
  },
  {
    name: "a part of a plan is approved whatever else has changed",
    caughtBy: ["test/cli/ApprovedParts.test.ts", "is named by keys, numbers or ids"],
    changes: [
      { file: "sync/library/Decisions.ts", from: "if (part.digest !== digest)", to: 'if (digest === "")' },
      {
        file: "sync/plan/Approvals.ts",
        from: "digest = ? AND decision IS NULL",
        to: "(digest = ? OR 1) AND decision IS NULL"
      }
    ]
  },
  {
    name: "a decision about several items is carried out, whatever it would do by now",
    caughtBy: ["test/sync/decisions/Together.test.ts", "are left alone if it would be something else by now"],
    changes: [{ file: "sync/decisions/Together.ts", from: "foreseen.digest !== seen ||", to: 'seen === "" ||' }]
  },
  {
    name: "what is shown of sending again leaves out what the service refused",
    caughtBy: ["test/sync/decisions/Together.test.ts", "exactly the calls that were shown"],
    changes: [{ file: "sync/decisions/Together.ts", from: "new Surroundings(db, true)", to: "new Surroundings(db)" }]
  },
  {
    name: "a request with an Idempotency-Key is carried out again after a stop",
    caughtBy: ["test/cli/HttpScopes.test.ts", "is not carried out twice at once"],
    changes: [
      {
        file: "cli/remote/Once.ts",
        from: 'if (standing === "open" || standing === "other")',
        to: 'if (standing === "other")'
      }
    ]
  },
  {
    name: "whether a buyer is looked for again depends on the words of the item's reason",
    caughtBy: ["test/sync/stories/KeptBuyers.test.ts", "a person is told, and a retry finds the one that is left"],
    changes: [
      {
        file: "sync/apply/AttentionActions.ts",
        from: "found?.code === BUYER_LOST",
        to: 'found?.why.includes("buyer is not on the service") === true'
      }
    ]
  },
  {
    name: "what may be bought again waits for the next schedule",
    caughtBy: ["test/sync/decisions/Items.test.ts", "that cover may be bought again"],
    changes: [
      { file: "sync/decisions/Items.ts", from: "if (isDecided(answer) && wake", to: "if (answer === true && wake" }
    ]
  }
]
