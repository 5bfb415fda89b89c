/** Mistakes in how workers take and end jobs, and in the copies that they keep. */
import type { UnitMutant } from "./unitMutants.ts"

const WORKER = "test/sync/engine/Worker.long.test.ts"
const COPY = "test/sync/state/replication/CachedCopy.test.ts"

export const WORKERS: ReadonlyArray<UnitMutant> = [
  {
    name: "a copy that was changed on its machine is believed",
    caughtBy: [COPY, "is fetched as a whole if it was changed"],
    changes: [
      {
        file: "sync/state/replication/CachedCopy.ts",
        from: "if (ino !== now.ino || mtimeMs !== now.mtimeMs || size !== now.size) return undefined",
        to: ""
      }
    ]
  },
  {
    name: "what a copy lacks is not fetched",
    caughtBy: [COPY, "fetches only what was shipped since it was closed"],
    changes: [
      {
        file: "sync/state/replication/Restore.ts",
        from: "if (cached !== undefined && !content.value.equals(read.hash)) return yield* restore(tenure, file)",
        to: "if (cached !== undefined) return { kept: onTop(cached, read), content: cached.content }"
      },
      {
        file: "sync/state/replication/Restore.ts",
        from: "tenure.read(take, cached?.seq)",
        to: "tenure.read(cached === undefined ? take : () => {}, cached?.seq)"
      }
    ]
  },
  {
    name: "a file that is ahead of what was stored is kept as a copy",
    caughtBy: [COPY, "stays nowhere once another has taken the tenant"],
    changes: [
      {
        file: "sync/state/replication/Shipper.ts",
        from: "if (this.#failed === undefined && !this.#rebasing && this.#isAllShipped())",
        to: "if (!this.#rebasing)"
      }
    ]
  },
  {
    name: "the end of a run counts for whoever has opened the tenant since",
    caughtBy: [WORKER, "run what a lost queue has forgotten"],
    changes: [
      {
        file: "sync/engine/PgBoss.ts",
        from: "AND ($2::bigint IS NULL OR epoch = $2)",
        to: "AND ($2::bigint IS NULL OR true)"
      }
    ]
  },
  {
    name: "what a lost queue has forgotten never runs",
    caughtBy: [WORKER, "run what a lost queue has forgotten"],
    changes: [{ file: "sync/engine/PgBoss.ts", from: "interval '30 s' OR", to: "interval '30 days' OR" }]
  },
  {
    name: "a slot goes on whose job another has",
    caughtBy: [WORKER, "take the job of a worker that is not heard of any more"],
    changes: [
      { file: "sync/engine/Worker.ts", from: "if (lost.has(busy.job)) yield*", to: "if (lost.size < 0) yield*" }
    ]
  },
  {
    name: "a full disk counts as the tenant's fault",
    caughtBy: [WORKER, "give a job back uncounted"],
    changes: [
      {
        file: "sync/engine/Worker.ts",
        from: 'const isSick = outcome.type !== "ran" && (yield* this.#options.sick) !== undefined',
        to: "const isSick = false"
      }
    ]
  },
  {
    name: "a tenant that was given up is not held back before people were told",
    caughtBy: [WORKER, "tell people again while nobody accepts it"],
    changes: [
      {
        file: "sync/engine/Worker.ts",
        from: "if (!isTold) return yield* engine.fail",
        to: "if (false) yield* engine.fail"
      }
    ]
  },
  {
    name: "long runs fill all slots",
    caughtBy: [WORKER, "leave half of their slots to others"],
    changes: [
      {
        file: "sync/engine/Worker.ts",
        from: "Math.max(1, Math.floor(this.#options.slots.length / 2))",
        to: "this.#options.slots.length"
      }
    ]
  },
  {
    name: "tenants that share a limit all run at once",
    caughtBy: [WORKER, "leave half of their slots to others"],
    changes: [{ file: "sync/engine/PgBoss.ts", from: "{ groupConcurrency: MOST_SHARING }", to: "{}" }]
  },
  {
    name: "every worker runs the tenants of the next version",
    caughtBy: [WORKER, "run the tenants of the next version if they are its"],
    changes: [{ file: "sync/engine/PgBoss.ts", from: 'isNext ? "next" : isLong', to: "isLong" }]
  },
  {
    name: "a tenant whose job waits for a slot is not late",
    caughtBy: ["test/cli/ClusterCommands.long.test.ts", "show whether they run when they are due"],
    changes: [
      {
        file: "sync/state/replication/postgres/KeptSettings.ts",
        from: "(queued IS NULL OR opened IS NULL OR opened < queued)",
        to: "queued IS NULL"
      }
    ]
  },
  {
    name: "runs begin where the files of sources are not mounted",
    caughtBy: ["test/sync/engine/Ready.test.ts", "knows that the volume of its files is not mounted"],
    changes: [{ file: "sync/library/many/FilesTest.ts", from: "return had && !found", to: "return found && !found" }]
  },
  {
    name: "the folder of files is made where its volume is to be mounted",
    caughtBy: ["test/sync/engine/Ready.test.ts", "knows that the volume of its files is not mounted"],
    changes: [{ file: "sync/library/many/KeptTenants.ts", from: "|| !existsSync(files)", to: "" }]
  },
  {
    name: "when a tenant is due is said by the worker's clock",
    caughtBy: [WORKER, "say when a tenant is due by PostgreSQL's clock"],
    changes: [
      {
        file: "sync/engine/PgBoss.ts",
        from: "clock_timestamp() + $3::float8 * interval '1 ms' END",
        to: "to_timestamp(0) + $3::float8 * interval '1 ms' END"
      }
    ]
  },
  {
    name: "a slot that is free waits until jobs are looked for again",
    caughtBy: [WORKER, "take the next job as soon as a slot is free"],
    changes: [{ file: "sync/engine/Worker.ts", from: "    this.#wake?.()\n", to: "" }]
  },
  {
    name: "what a person asked for is held back once more by who still tells people",
    caughtBy: [WORKER, "once a person asks for it, also while people are told"],
    changes: [{ file: "sync/engine/PgBoss.ts", from: " AND ($5::text IS NULL OR held IS NOT NULL)`", to: "`" }]
  },
  {
    name: "what a person asked for is given up again by the job of before",
    caughtBy: [WORKER, "once a person asks for it, also while people are told"],
    changes: [
      {
        file: "sync/cluster/Operations.ts",
        from: "(await dropJobs({ ask }, row.key, \"name = 'held'\")) > 0",
        to: 'row.key === ""'
      }
    ]
  },
  {
    name: "jobs of a customer who was removed stay in the queue",
    caughtBy: ["test/cli/TenantErased.long.test.ts", "is in no table, no copy and no queue any more"],
    changes: [{ file: "sync/cluster/Erasure.ts", from: "      await dropJobs({ ask }, id)\n", to: "" }]
  },
  {
    name: "what the page changes in a run replaces what was imported meanwhile",
    caughtBy: ["test/sync/state/replication/PostgresStore.test.ts", "loses no configuration that was imported"],
    changes: [
      { file: "sync/state/replication/postgres/KeptSettings.ts", from: "AND settings = $4 AND", to: "AND $4 <> '' AND" }
    ]
  }
]
