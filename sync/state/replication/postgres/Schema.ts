/**
 * Defines the tables of a cluster as migrations. A released migration is never edited. `daybook cluster init` migrates a
 * database to the newest version; nodes only check the version, because they may not change tables.
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
   ALTER TABLE daybook.vault ALTER body SET STORAGE EXTERNAL`
]

const FORMAT = STEPS.length

const formatOf = async ({ ask }: PgSession): Promise<number> => {
  const [there] = await ask<{ yes: string | null }>("SELECT to_regclass('daybook.format')::text AS yes")
  if (there?.yes == null) return 0
  const [row] = await ask<{ version: number }>("SELECT version FROM daybook.format")
  return row?.version ?? 0
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
    const from = await formatOf(session)
    if (from > FORMAT) throw new Error(newer(from))
    for (const step of STEPS.slice(from)) for (const one of step.split(";")) await ask(one)
    await ask("DELETE FROM daybook.format")
    await ask("INSERT INTO daybook.format VALUES ($1)", [FORMAT])
    return { from, to: FORMAT }
  })

const newer = (format: number): string =>
  `the tables were made by a newer Daybook (format ${format}, this one knows ${FORMAT}); update Daybook`

/** Fails unless the tables have this version. */
export const hasTables = ({ use }: PgSessions): Effect.Effect<void, StoreAway> =>
  Effect.flatMap(use(formatOf), (format) => {
    if (format === FORMAT) return Effect.void
    const why =
      format > FORMAT
        ? newer(format)
        : `the database has ${format === 0 ? "no tables of Daybook" : "tables of an older Daybook"}; run daybook cluster init`
    return Effect.fail(new StoreAway(why))
  })
