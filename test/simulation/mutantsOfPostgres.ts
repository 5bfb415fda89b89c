/** Mistakes in what PostgreSQL accepts, and from whom. */
import type { UnitMutant } from "./unitMutants.ts"

const STORED = "test/sync/state/replication/PostgresStore.test.ts"
const STORE = "sync/state/replication/postgres/PostgresStore.ts"
const SESSIONS = "sync/state/replication/postgres/PgSessions.ts"
const TABLES = "sync/cluster/ClusterTables.ts"

const ERASURE = "test/sync/cluster/Erasure.long.test.ts"
const ERASE = "sync/cluster/Erasure.ts"
const WORKER = "test/sync/engine/Worker.long.test.ts"
const ENGINE = "sync/engine/PgBoss.ts"

const PROMOTED = "test/sync/state/replication/Promoted.long.test.ts"
const NOTHING_BEFORE = "takes nothing of who opened it before"

const NOTHING_EARLIER = "accepts nothing from an earlier opening"

const NOTHING_LEFT = "leaves nothing in any table"

const INBOX = "test/sync/state/replication/Inbox.long.test.ts"
const READ_COPY = "test/sync/state/replication/ReadCopy.test.ts"

export const POSTGRES: ReadonlyArray<UnitMutant> = [
  {
    name: "a request to a tenant is begun by each process that looks",
    caughtBy: [INBOX, "a request is begun once"],
    changes: [
      {
        file: "sync/state/replication/postgres/Inbox.ts",
        from: "WHERE tenant = $1 AND NOT begun RETURNING id::text",
        to: "WHERE tenant = $1 RETURNING id::text"
      }
    ]
  },
  {
    name: "a session that ended is open again once another process says that it is used",
    caughtBy: [INBOX, "a session that has ended stays so"],
    changes: [
      {
        file: "sync/state/replication/postgres/KeptSessions.ts",
        from: "ORDER BY body IS NULL, version",
        to: "ORDER BY version"
      }
    ]
  },
  {
    name: "who only reads a tenant may store its secrets",
    caughtBy: [READ_COPY, "shows what was shipped so far"],
    changes: [
      {
        file: "sync/state/replication/ReadCopy.ts",
        from: "check: Effect.fail(READS)",
        to: "check: Effect.void"
      }
    ]
  },
  {
    name: "settling only reads",
    caughtBy: [STORED, "settles with a write"],
    changes: [
      {
        file: STORE,
        from: `\`UPDATE daybook.tenant SET shipped = shipped WHERE key = $1 RETURNING epoch, seq, \${ERA} AS era\``,
        to: `\`SELECT epoch, seq, \${ERA} AS era FROM daybook.tenant WHERE key = $1\``
      }
    ]
  },
  {
    name: "a standby that was promoted stores for who opened the tenant before",
    caughtBy: [PROMOTED, NOTHING_BEFORE],
    changes: [{ file: STORE, from: `AND epoch = $2 AND \${ERA} = $3`, to: "AND epoch = $2 AND $3 <> ''" }]
  },
  {
    name: "what a standby that was promoted has is taken for all that was confirmed",
    caughtBy: [PROMOTED, NOTHING_BEFORE],
    changes: [{ file: STORE, from: "row.isLater === true ? PROMOTED : undefined", to: "undefined" }]
  },
  {
    name: "the service is not read after a standby was promoted",
    caughtBy: [PROMOTED, NOTHING_BEFORE],
    changes: [{ file: STORE, from: "THEN clock_timestamp() ELSE reconcile", to: "THEN reconcile ELSE reconcile" }]
  },
  {
    name: "the service is read for a tenant that lost calls before its source is",
    caughtBy: ["test/cli/TenantsDatabase.long.test.ts", "sends nothing once PostgreSQL is an earlier backup of itself"],
    changes: [{ file: "sync/library/many/Errands.ts", from: "        .pull()\n", to: "        .status()\n" }]
  },
  {
    name: "a removed tenant can still be stored",
    caughtBy: [ERASURE, NOTHING_LEFT],
    changes: [{ file: ERASE, from: "owner = NULL, epoch = epoch + 1", to: "owner = NULL" }]
  },
  {
    name: "a webhook of a removed tenant stays",
    caughtBy: [ERASURE, NOTHING_LEFT],
    changes: [{ file: ERASE, from: '"webhook", ', to: "" }]
  },
  {
    name: "an erasure waits for nobody who writes",
    caughtBy: [ERASURE, "is waited for while somebody writes"],
    changes: [{ file: ERASE, from: "removed IS NOT NULL FOR UPDATE", to: "removed IS NOT NULL" }]
  },
  {
    name: "a part of a base is written by whoever had the tenant before",
    caughtBy: [ERASURE, NOTHING_LEFT],
    changes: [
      { file: STORE, from: `WHERE \${OURS} FOR KEY SHARE`, to: "WHERE key = $1 AND $2 > 0 AND $3 <> '' FOR KEY SHARE" }
    ]
  },
  {
    name: "the next tenant of a name gets the books of the one before",
    caughtBy: [ERASURE, "is not a copy's, and another's books"],
    changes: [{ file: TABLES, from: "t.key IS NULL OR t.removed", to: "t.removed" }]
  },
  {
    name: "a removed tenant comes back with a folder of before",
    caughtBy: [ERASURE, "does not come back"],
    changes: [{ file: TABLES, from: "OR t.removed IS NOT NULL OR t.id <> s.id", to: "OR t.id <> s.id" }]
  },
  {
    name: "a tenant with which processes end is tried for ever",
    caughtBy: [WORKER, "give up a tenant with which four processes ended"],
    changes: [{ file: ENGINE, from: "const RETRIES = 3", to: "const RETRIES = 99" }]
  },
  {
    name: "a job that is due after PostgreSQL's clock was set back waits until then",
    caughtBy: [WORKER, "begin anew what waits for a clock that was set back"],
    changes: [
      {
        file: ENGINE,
        from: "for (const { id, name } of ahead) await",
        to: "for (const { id, name } of ahead.slice(1)) await"
      }
    ]
  },
  {
    name: "whoever ends a run says when it is due though another has opened the tenant",
    caughtBy: [WORKER, "end nobody else's opening"],
    changes: [{ file: ENGINE, from: "($2::bigint IS NULL OR epoch = $2)", to: "($2::bigint IS NULL OR epoch >= $2)" }]
  },
  {
    name: "an earlier opening ships",
    caughtBy: [STORED, NOTHING_EARLIER],
    changes: [{ file: STORE, from: `\${OURS} AND seq = $4 - 1`, to: "key = $1 AND epoch >= $2 AND seq = $4 - 1" }]
  },
  {
    name: "an earlier opening takes another's shipment for its own",
    caughtBy: [STORED, NOTHING_EARLIER],
    changes: [{ file: STORE, from: "row === undefined || Number(row.epoch) !== epoch", to: "row === undefined" }]
  },
  {
    name: "an earlier opening replaces the log",
    caughtBy: [STORED, NOTHING_EARLIER],
    changes: [
      { file: STORE, from: `\${OURS} AND base < $4`, to: "key = $1 AND epoch >= $2 AND $3 <> '' AND base < $4" }
    ]
  },
  {
    name: "an earlier opening stores secrets",
    caughtBy: [STORED, NOTHING_EARLIER],
    changes: [
      { file: STORE, from: `\${OURS} FOR NO KEY UPDATE`, to: "key = $1 AND epoch >= $2 AND $3 <> '' FOR NO KEY UPDATE" }
    ]
  },
  {
    name: "an earlier opening asks for tokens",
    caughtBy: [STORED, NOTHING_EARLIER],
    changes: [
      {
        file: STORE,
        from: `\${OURS} RETURNING key\`, []`,
        to: "key = $1 AND epoch >= $2 AND $3 <> '' RETURNING key`, []"
      }
    ]
  },
  {
    name: "a shipment that had arrived counts as refused",
    caughtBy: [STORED, "counts a shipment once"],
    changes: [{ file: STORE, from: "if (Number(row.seq) === seq) return undefined", to: "" }]
  },
  {
    name: "a shipment is stored after one that is missing",
    caughtBy: [STORED, "counts a shipment once"],
    changes: [{ file: STORE, from: "seq = $4 - 1 RETURNING", to: "seq < $4 RETURNING" }]
  },
  {
    name: "the first part of a large shipment counts before the others",
    caughtBy: [STORED, "cut off between them"],
    changes: [{ file: STORE, from: '  await ask("BEGIN")\n', to: "" }]
  },
  {
    name: "a tenant is read while its log is replaced",
    caughtBy: [STORED, "as of one moment"],
    changes: [{ file: SESSIONS, from: "BEGIN ISOLATION LEVEL REPEATABLE READ", to: "BEGIN" }]
  },
  {
    name: "a whole file is stored beside the rest of one that was cut off",
    caughtBy: [STORED, "as of one moment"],
    changes: [{ file: STORE, from: "await ask(CUT_OFF, [opening[0], seq])", to: "" }]
  },
  {
    name: "a server that vanished is waited for",
    caughtBy: [STORED, "in a bounded time when its server vanishes"],
    changes: [{ file: SESSIONS, from: "            query_timeout: statementMs + ANSWER_MS,\n", to: "" }]
  },
  {
    name: "the age of a claim is measured by a clock that stands still while the machine is suspended",
    caughtBy: ["test/sync/state/replication/Clocks.test.ts", "by which it is longest"],
    changes: [
      {
        file: "sync/state/replication/Clocks.ts",
        from: "Math.max(now.monotonic - then.monotonic, now.wall - then.wall, now.boot - then.boot - STEP_MS)",
        to: "now.monotonic - then.monotonic"
      }
    ]
  },
  {
    name: "the mark of another tenure is overwritten",
    caughtBy: ["test/sync/state/replication/HighWater.test.ts", "where another tenure stored as much meanwhile"],
    changes: [
      {
        file: "sync/state/replication/HighWater.ts",
        from: 'if (!isOwn && typeof found === "object"',
        to: 'if (false && typeof found === "object"'
      }
    ]
  },
  {
    name: "a mark that cannot be read is taken for none while a shipment is stored",
    caughtBy: ["test/sync/state/replication/HighWater.test.ts", "where nobody can tell what another tenure stored"],
    changes: [
      { file: "sync/state/replication/HighWater.ts", from: 'if (!isOwn && found === "damaged")', to: "if (false)" }
    ]
  }
]
