/**
 * Defines the tables of tenants as migrations. A released migration is never edited. `daybook cluster init` migrates a
 * database to the newest version; workers only check the version, because they may not change tables. `node`, and `owner`, `wanted`, `tries`, `tried` and `told` of a
 * tenant, are of daemons that shared folders, in earlier versions.
 *
 * A state file is stored as a whole (`base`) with the shipments since then (`shipment`), compressed: this takes half the
 * latency and a third of the log that one row for each page would take, see README.
 */
import { Effect } from "effect"
import { StoreAway } from "../Store.ts"
import type { PgSession, PgSessions } from "./PgSessions.ts"

const STEPS: ReadonlyArray<string> = [
  `CREATE TABLE daybook.node (
     id text PRIMARY KEY,
     name text NOT NULL,
     began timestamptz NOT NULL DEFAULT clock_timestamp(),
     lease timestamptz NOT NULL,
     buried boolean NOT NULL DEFAULT false,
     draining boolean NOT NULL DEFAULT false,
     said jsonb
   ) WITH (fillfactor = 50);
   CREATE TABLE daybook.tenant (
     id text PRIMARY KEY,
     owner text,
     wanted text,
     asked timestamptz,
     epoch bigint NOT NULL DEFAULT 0,
     seq bigint NOT NULL DEFAULT 0,
     base bigint NOT NULL DEFAULT 0,
     size int NOT NULL DEFAULT 0,
     page_size int NOT NULL DEFAULT 4096,
     hash bytea NOT NULL DEFAULT '',
     shipped timestamptz
   ) WITH (fillfactor = 50);
   CREATE TABLE daybook.shipment (
     tenant text NOT NULL REFERENCES daybook.tenant,
     seq bigint NOT NULL,
     part int NOT NULL,
     body bytea NOT NULL,
     PRIMARY KEY (tenant, seq, part)
   ) WITH (toast_tuple_target = 8160);
   CREATE TABLE daybook.base (
     tenant text NOT NULL REFERENCES daybook.tenant,
     seq bigint NOT NULL,
     part int NOT NULL,
     body bytea NOT NULL,
     PRIMARY KEY (tenant, seq, part)
   );
   CREATE TABLE daybook.vault (tenant text PRIMARY KEY REFERENCES daybook.tenant, body bytea NOT NULL);
   -- Packed already.
   ALTER TABLE daybook.shipment ALTER body SET STORAGE EXTERNAL;
   ALTER TABLE daybook.base ALTER body SET STORAGE EXTERNAL;
   ALTER TABLE daybook.vault ALTER body SET STORAGE EXTERNAL`,
  `ALTER TABLE daybook.format ADD COLUMN least int NOT NULL DEFAULT 1;
   ALTER TABLE daybook.tenant ADD COLUMN reconcile timestamptz;
   CREATE TABLE daybook.status (
     tenant text PRIMARY KEY REFERENCES daybook.tenant,
     body jsonb NOT NULL
   ) WITH (fillfactor = 50);
   CREATE TABLE daybook.webhook (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     tenant text NOT NULL REFERENCES daybook.tenant,
     came timestamptz NOT NULL DEFAULT clock_timestamp(),
     body jsonb NOT NULL
   );
   CREATE INDEX ON daybook.webhook (tenant)`,
  // A tenant's key is its identity, and its id the name that people know. What was never shipped is announced anew.
  `DELETE FROM daybook.vault WHERE tenant IN (SELECT id FROM daybook.tenant WHERE seq = 0);
   DELETE FROM daybook.status WHERE tenant IN (SELECT id FROM daybook.tenant WHERE seq = 0);
   DELETE FROM daybook.webhook WHERE tenant IN (SELECT id FROM daybook.tenant WHERE seq = 0);
   DELETE FROM daybook.tenant WHERE seq = 0;
   ALTER TABLE daybook.tenant RENAME COLUMN id TO key;
   ALTER TABLE daybook.tenant ADD COLUMN id text, ADD COLUMN removed timestamptz,
     ADD COLUMN tries int NOT NULL DEFAULT 0, ADD COLUMN tried timestamptz;
   UPDATE daybook.tenant SET id = key;
   ALTER TABLE daybook.tenant ADD CHECK (id IS NOT NULL OR removed IS NOT NULL);
   CREATE UNIQUE INDEX ON daybook.tenant (id) WHERE removed IS NULL`,
  // In the tenant's row, because the roles of nodes have no rights to new tables.
  "ALTER TABLE daybook.tenant ADD COLUMN era text, ADD COLUMN late jsonb NOT NULL DEFAULT '[]'",
  // The configuration and secrets of a tenant that has no folder, sealed; how many of its tries people were told of. From here on who
  // takes a tenant waits for the age of claims.
  "ALTER TABLE daybook.tenant ADD COLUMN settings text, ADD COLUMN told int NOT NULL DEFAULT 0",
  // When a tenant without a folder is to run next; since when a job waits for that; how long its last run took, in milliseconds; why it is
  // held back, or who paused it; with which others it shares a vendor's limit.
  `ALTER TABLE daybook.tenant ADD COLUMN due timestamptz, ADD COLUMN queued timestamptz, ADD COLUMN took int,
     ADD COLUMN held text, ADD COLUMN paused jsonb, ADD COLUMN shares text;
   UPDATE daybook.tenant SET due = clock_timestamp() WHERE settings IS NOT NULL;
   CREATE INDEX tenant_due ON daybook.tenant (due) WHERE queued IS NULL;
   CREATE INDEX tenant_asked ON daybook.tenant (asked) WHERE asked IS NOT NULL`,
  // How many requests of a source left in a second or on a day, in seconds since the epoch, by what it counts together. A crash may forget.
  "CREATE UNLOGGED TABLE daybook.turn (whose text, at bigint, taken int NOT NULL, PRIMARY KEY (whose, at))",
  // Requests that whoever runs the tenant answers; and who is signed in, of which the newest row of a session counts, and one without a
  // body says that it has ended. Both are sealed.
  `CREATE TABLE daybook.inbox (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     tenant text NOT NULL REFERENCES daybook.tenant,
     came timestamptz NOT NULL DEFAULT clock_timestamp(),
     begun boolean NOT NULL DEFAULT false,
     body text NOT NULL,
     reply text
   );
   CREATE INDEX ON daybook.inbox (tenant);
   CREATE TABLE daybook.session (
     version bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text NOT NULL,
     until timestamptz NOT NULL,
     body text
   );
   CREATE INDEX ON daybook.session (id)`,
  // Whether only workers of the next version run it; when it was last opened.
  "ALTER TABLE daybook.tenant ADD COLUMN next boolean NOT NULL DEFAULT false, ADD COLUMN opened timestamptz"
]

const FORMAT = STEPS.length
/** Nodes that know this format can work with these tables. Raised by a step that changes what an older node uses. */
const LEAST = 5

/** The roles of nodes and workers have the rights to later tables that they had to this one. */
const ROLES = `SELECT DISTINCT quote_ident(grantee) AS role FROM information_schema.role_table_grants
  WHERE table_schema = 'daybook' AND table_name = 'webhook' AND privilege_type = 'DELETE' AND grantee NOT IN (grantor, 'PUBLIC')`
const GRANT = "GRANT SELECT, INSERT, UPDATE, DELETE ON daybook.inbox, daybook.session TO"

interface Format {
  readonly version: number
  /** The oldest format whose nodes can work with these tables. */
  readonly least: number
}

const formatOf = async ({ ask }: PgSession): Promise<Format> => {
  const [there] = await ask<{ yes: string | null }>("SELECT to_regclass('daybook.format')::text AS yes")
  if (there?.yes == null) return { version: 0, least: 0 }
  const [row] = await ask<{ version: number; least?: number }>("SELECT * FROM daybook.format")
  return { version: row?.version ?? 0, least: row?.least ?? row?.version ?? 0 }
}

/** Migrates the tables to this version; returns the versions before and after. */
export const init = ({
  transaction
}: PgSessions): Effect.Effect<{ readonly from: number; readonly to: number }, StoreAway> =>
  transaction(async (session) => {
    const { ask } = session
    await ask("SELECT pg_advisory_xact_lock(hashtext('daybook'))")
    await ask("CREATE SCHEMA IF NOT EXISTS daybook")
    await ask("CREATE TABLE IF NOT EXISTS daybook.format (version int NOT NULL)")
    const { version: from } = await formatOf(session)
    if (from > FORMAT) throw new Error(newer(from))
    for (const step of STEPS.slice(from)) for (const one of step.split(";")) await ask(one)
    for (const { role } of await ask<{ readonly role: string }>(ROLES)) await ask(`${GRANT} ${role}`)
    await ask("DELETE FROM daybook.format")
    await ask("INSERT INTO daybook.format (version, least) VALUES ($1, $2)", [FORMAT, LEAST])
    return { from, to: FORMAT }
  })

const newer = (format: number): string =>
  `the tables were made by a newer Daybook (format ${format}, this one knows ${FORMAT}); update Daybook`

/** Why nodes of this version cannot work with these tables; undefined if they can. */
export const formatProblem = ({ least, version }: Format, known = FORMAT): string | undefined => {
  if (version > known) return least <= known ? undefined : newer(version)
  if (version === known) return undefined
  return `the database has ${version === 0 ? "no tables of Daybook" : "tables of an older Daybook"}; run daybook cluster init`
}

/** Why nodes of this version cannot work with the tables; undefined if they can. */
export const tablesProblem = ({ use }: PgSessions): Effect.Effect<string | undefined, StoreAway> =>
  Effect.map(use(formatOf), (format) => formatProblem(format))

/**
 * Fails unless nodes of this version can work with the tables. Nodes check it again and again, because somebody may upgrade
 * the tables while they run.
 */
export const hasTables = (sessions: PgSessions): Effect.Effect<void, StoreAway> =>
  Effect.flatMap(tablesProblem(sessions), (why) => (why === undefined ? Effect.void : Effect.fail(new StoreAway(why))))
