/** Mistakes in what PostgreSQL accepts of a cluster's nodes, and from whom. */
import type { UnitMutant } from "./unitMutants.ts"

const STORED = "test/sync/state/replication/PostgresStore.test.ts"
const OWNERSHIP = "test/sync/cluster/Ownership.long.test.ts"
const STORE = "sync/state/replication/postgres/PostgresStore.ts"
const SESSIONS = "sync/state/replication/postgres/PgSessions.ts"
const TABLES = "sync/cluster/ClusterTables.ts"
const MEMBERSHIP = "sync/cluster/Membership.ts"

const ERASURE = "test/sync/cluster/Erasure.long.test.ts"
const ERASE = "sync/cluster/Erasure.ts"
const RISK = "test/sync/cluster/Risk.long.test.ts"

const PROMOTED = "test/sync/state/replication/Promoted.long.test.ts"
const NOTHING_BEFORE = "takes nothing of who opened it before"

const NOTHING_EARLIER = "accepts nothing from an earlier opening"
const LEASE = "has its tenants for itself while its lease lasts"

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
    name: "a node is buried for a silence that is over",
    caughtBy: [OWNERSHIP, "is buried when it is silent"],
    changes: [{ file: TABLES, from: "AND s.canary = n.said->>'canary'", to: "" }]
  },
  {
    name: "a tenant with which nodes end is tried for ever",
    caughtBy: [RISK, "is held back for a growing time"],
    changes: [{ file: "sync/cluster/Risk.ts", from: "export const GIVEN_UP = 4", to: "export const GIVEN_UP = 99" }]
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
    name: "a node opens another's tenant",
    caughtBy: [STORED, "only by the node that owns it"],
    changes: [{ file: STORE, from: 'taking("owner = $2")', to: 'taking("true")' }]
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
    name: "a node is buried while its lease lasts",
    caughtBy: [OWNERSHIP, LEASE],
    changes: [{ file: TABLES, from: "AND (lease < clock_timestamp()\n  OR EXISTS", to: "AND (true\n  OR EXISTS" }]
  },
  {
    name: "tenants are taken from a node that nobody has buried",
    caughtBy: [OWNERSHIP, LEASE],
    changes: [{ file: TABLES, from: "OR n.buried) AND ", to: "OR n.lease < clock_timestamp()) AND " }]
  },
  {
    name: "a buried node comes back",
    caughtBy: [OWNERSHIP, LEASE],
    changes: [{ file: MEMBERSHIP, from: "WHERE id = $1 AND NOT buried RETURNING id", to: "WHERE id = $1 RETURNING id" }]
  },
  {
    name: "a buried node takes tenants",
    caughtBy: [OWNERSHIP, LEASE],
    changes: [{ file: TABLES, from: "WHERE id = $1 AND NOT buried) RETURNING", to: "WHERE id = $1) RETURNING" }]
  },
  {
    name: "a tenant's last owner ships until the next one opens it",
    caughtBy: [OWNERSHIP, LEASE],
    changes: [{ file: TABLES, from: "SET owner = $1, epoch = epoch + 1 FROM free", to: "SET owner = $1 FROM free" }]
  },
  {
    name: "two nodes take a tenant at the same time",
    caughtBy: [OWNERSHIP, "another was given at the same time"],
    changes: [{ file: TABLES, from: " FOR NO KEY UPDATE OF t SKIP LOCKED)", to: ")" }]
  },
  {
    name: "a node takes what another was given while it looked",
    caughtBy: [OWNERSHIP, "another was given at the same time"],
    changes: [{ file: TABLES, from: "t.owner IS NOT DISTINCT FROM seen.owner AND ", to: "" }]
  },
  {
    name: "a node frees another's tenant",
    caughtBy: [OWNERSHIP, "frees its tenants at once"],
    changes: [{ file: TABLES, from: 'WHERE key = $1 AND owner = $2"', to: "WHERE key = $1 AND owner || '.' <> $2\"" }]
  },
  {
    name: "a lease is measured by a clock that stands still while the machine is suspended",
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
