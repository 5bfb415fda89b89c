/** Mistakes in how long a request may leave after its claim was stored, and in how long others wait for it. */
import type { UnitMutant } from "./unitMutants.ts"

const FRESH = "test/sync/state/replication/FreshClaims.test.ts"
const DATABASE = "test/cli/TenantsDatabase.long.test.ts"
const SHIPPER = "sync/state/replication/Shipper.ts"

export const PERMISSION: ReadonlyArray<UnitMutant> = [
  {
    name: "a call leaves however long ago its claim was stored",
    caughtBy: [FRESH, "leaves for five seconds"],
    changes: [
      {
        file: "sync/state/replication/FreshClaims.ts",
        from: "elapsed(this.#proven, this.now) < AGE_MS",
        to: "AGE_MS > 0"
      }
    ]
  },
  {
    name: "the age of a claim counts from when it was stored",
    caughtBy: [FRESH, "counts by the clock by which it is longest ago"],
    changes: [{ file: SHIPPER, from: "return fresh.proven(began)", to: "return fresh.proven(fresh.now)" }]
  },
  {
    name: "a store that is away confirms",
    caughtBy: [FRESH, "leaves for five seconds"],
    changes: [
      {
        file: "sync/state/replication/FreshClaims.ts",
        from: "void (accepted && this.proven(began))",
        to: "this.proven(began)"
      }
    ]
  },
  {
    name: "a file that another has opened goes on until its next commit",
    caughtBy: [FRESH, "leaves not at all once another has opened it"],
    changes: [{ file: SHIPPER, from: "if (error instanceof Fenced) this.#die", to: "if (false) this.#die" }]
  },
  {
    name: "a taker looks calls up while their sender may still send them",
    caughtBy: [FRESH, "looks open calls up only once"],
    changes: [{ file: "sync/apply/Recovery.ts", from: "    if (claims.length > 0) yield* db.othersEnded\n", to: "" }]
  },
  {
    name: "the service is read for a restored file while an earlier opening may still send",
    caughtBy: [FRESH, "reads the service for a file that lacks calls"],
    changes: [{ file: "sync/apply/SettleTime.ts", from: "    othersEnded,\n", to: "    Effect.void,\n" }]
  },
  {
    name: "that a tenant is still its opener's is only read",
    caughtBy: ["test/sync/state/replication/PostgresStore.test.ts", "confirms with a write"],
    changes: [
      {
        file: "sync/state/replication/postgres/PostgresStore.ts",
        from: `\`UPDATE daybook.tenant SET shipped = shipped WHERE \${OURS} RETURNING key\``,
        to: `\`SELECT key FROM daybook.tenant WHERE \${OURS}\``
      }
    ]
  },
  {
    name: "the configuration of a moved tenant is kept as it is written",
    caughtBy: [DATABASE, "is moved there with its state and secrets, sealed"],
    changes: [
      {
        file: "sync/library/many/KeptTexts.ts",
        from: "seal(key, bond(id), JSON.stringify(settings))",
        to: "JSON.stringify(settings)"
      }
    ]
  },
  {
    name: "what no channel accepted counts as told",
    caughtBy: ["test/sync/engine/GivenUp.test.ts", "counts as told once a channel has accepted it"],
    changes: [{ file: "sync/library/many/OperatorsAlerts.ts", from: "let accepted = false", to: "let accepted = true" }]
  }
]
