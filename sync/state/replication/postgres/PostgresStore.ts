/**
 * Stores state files on PostgreSQL. Each shipment is one transaction that also checks the tenant's epoch, and that no
 * earlier shipment is missing.
 */
import { Effect } from "effect"
import type { Shipment } from "../Shipment.ts"
import { Fenced, type Kept, type StoreAway, type StoreError, type Tenure } from "../Store.ts"
import type { PgSession, PgSessions } from "./PgSessions.ts"

/** What is read at once. */
const MOST_ROWS = 1000
const MOST_BYTES = 8_000_000
/** Behind the last part of any shipment. */
const LAST_PART = 2 ** 31 - 1

/**
 * Which life of the database answers. A standby that is promoted, and a server that is restored to a moment, begin a new timeline, and
 * another database has another identifier (PostgreSQL's manual, "Timelines" and pg_control_system): either may lack what was confirmed.
 */
const ERA = `(SELECT system_identifier::text FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/** The tenant $1, as long as it is still this opening's ($2), in the era ($3) in which it was opened. */
const OURS = `key = $1 AND epoch = $2 AND ${ERA} = $3`

const FENCE = `UPDATE daybook.tenant SET seq = $4, size = $5, page_size = $6, hash = $7, shipped = clock_timestamp(), era = $3
  WHERE ${OURS} AND seq = $4 - 1 RETURNING key`

const SHIP = `WITH fence AS (${FENCE}) INSERT INTO daybook.shipment SELECT key, $4, 0, $8 FROM fence RETURNING seq`

const PART = "INSERT INTO daybook.shipment VALUES ($1, $2, $3, $4)"

const REBASE = `WITH fence AS (UPDATE daybook.tenant SET base = $4 WHERE ${OURS} AND base < $4 RETURNING key),
  old AS (DELETE FROM daybook.base USING fence WHERE tenant = fence.key AND base.seq <> $4),
  log AS (DELETE FROM daybook.shipment USING fence WHERE tenant = fence.key AND shipment.seq <= $4)
  SELECT key FROM fence`

/** The lock waits for an erasure in progress: afterwards nothing of the tenant is written any more. */
const BASE_PART = `INSERT INTO daybook.base
  SELECT key, $4, $5, $6 FROM daybook.tenant WHERE ${OURS} FOR KEY SHARE RETURNING seq`

/** Deletes a base that was not completed. */
const CUT_OFF = `DELETE FROM daybook.base USING daybook.tenant
  WHERE tenant = $1 AND base.seq = $2 AND tenant.key = $1 AND tenant.base <> $2`

interface TenantRow {
  readonly epoch: string
  readonly seq: string
  readonly base: string
  readonly size: number
  readonly page_size: number
  readonly hash: Buffer
  readonly vault: Buffer | null
}

const ROW = `SELECT seq, base, size, page_size, hash, (SELECT body FROM daybook.vault WHERE tenant = key) AS vault
  FROM daybook.tenant WHERE key = $1`

/** Without a fence: it is for who has the tenant now. */
const LATE = "UPDATE daybook.tenant SET late = late || $2 WHERE key = $1 AND removed IS NULL"

const ANOTHER = "another process has taken this tenant over"
const PROMOTED =
  "PostgreSQL was restored, or a standby took its place, since this tenant was last stored: what it confirmed before may be lost"

/** Changes nothing, but is a write: its answer waits for the standbys that a commit waits for, and a read does not. */
const SETTLE = `UPDATE daybook.tenant SET shipped = shipped WHERE key = $1 RETURNING epoch, seq, ${ERA} AS era`

/** One opening: the tenant, its epoch and the era. */
type Opening = readonly [tenant: string, epoch: number, era: string]

/** Why a shipment was not accepted: it was already stored, or another tenure has begun. */
const settled = async ({ ask }: PgSession, [tenant, epoch, era]: Opening, seq: number): Promise<Fenced | undefined> => {
  const [row] = await ask<Pick<TenantRow, "epoch" | "seq"> & { readonly era: string }>(SETTLE, [tenant])
  if (row === undefined || Number(row.epoch) !== epoch) return new Fenced(ANOTHER)
  if (row.era !== era) return new Fenced(PROMOTED)
  if (Number(row.seq) === seq) return undefined
  return new Fenced(`PostgreSQL has ${row.seq} shipments of it, and not ${seq - 1}: it was restored from a backup`)
}

/** Sends a large shipment part by part: each part is bounded, and none counts before the transaction is committed. */
const shipParts = async (
  { ask }: PgSession,
  fence: ReadonlyArray<unknown>,
  tenant: string,
  { parts, seq }: Shipment
) => {
  await ask("BEGIN")
  const isOurs = (await ask(FENCE, fence)).length > 0
  if (isOurs) for (const [part, body] of parts.entries()) await ask(PART, [tenant, seq, part, body], "part")
  await ask(isOurs ? "COMMIT" : "ROLLBACK")
  return isOurs
}

const failing = (fenced: Fenced | undefined): Effect.Effect<void, Fenced> =>
  fenced === undefined ? Effect.void : Effect.fail(fenced)

type Place = readonly [seq: number, part: number]

/** All rows of a list, some megabytes at a time, each of which is bounded in time; answers how many bytes. */
const parts = async (
  { copy }: PgSession,
  list: (place: Place) => string,
  from: Place,
  onPart: (body: Buffer) => void
): Promise<number> => {
  let bytes = 0
  for (let [after, isMore] = [from, true]; isMore; ) {
    isMore = false
    await copy(list(after), ([seq, part, body]) => {
      if (seq === undefined || part === undefined || body === undefined) return
      onPart(body)
      bytes += body.length
      after = [Number(seq.readBigInt64BE()), part.readInt32BE()]
      isMore = true
    })
  }
  return bytes
}

/** The first rows of a table, as many as have this many bytes together, and one at least; the newest first. */
const some = (table: string, where: string, [seq, part]: Place): string => `SELECT seq, part, body FROM (
    SELECT *, sum(length(body)) OVER (ROWS UNBOUNDED PRECEDING) - length(body) AS before FROM (
      SELECT seq, part, body FROM daybook.${table} WHERE ${where} AND (seq, part) < (${seq}, ${part})
      ORDER BY seq DESC, part DESC LIMIT ${MOST_ROWS}) x
  ) y WHERE before < ${MOST_BYTES}`

const rowOf = async ({ ask }: PgSession, tenant: string) => {
  const [row] = await ask<TenantRow>(ROW, [tenant], "row")
  if (row === undefined) throw new Error(`tenant ${tenant} is not in the database`)
  return row
}

const keptOf = (
  { hash, page_size: pageSize, seq, size, vault }: TenantRow,
  logBytes: number,
  baseBytes: number
): Kept => ({
  seq: Number(seq),
  size,
  pageSize,
  hash,
  baseBytes,
  logBytes,
  vault: vault ?? undefined
})

/** Reads a snapshot of a tenant's stored data. Whoever has all of it asks once. */
export const read = (
  sessions: PgSessions,
  tenant: string,
  onPart: (part: Buffer, pageSize: number) => void,
  after = 0
): Effect.Effect<Kept, StoreAway> =>
  Effect.gen(function* () {
    const now = after === 0 ? undefined : yield* sessions.use((session) => rowOf(session, tenant))
    if (now !== undefined && Number(now.seq) === after) return keptOf(now, 0, 0)
    return yield* snapshot(sessions, tenant, onPart, after)
  })

const snapshot = (
  { transaction }: PgSessions,
  tenant: string,
  onPart: (part: Buffer, pageSize: number) => void,
  after: number
): Effect.Effect<Kept, StoreAway> =>
  transaction(async (session): Promise<Kept> => {
    const row = await rowOf(session, tenant)
    const pageSize = row.page_size
    const base = Number(row.base)
    const put = (body: Buffer) => onPart(body, pageSize)
    const last: Place = [Number(row.seq), LAST_PART]
    const hasBase = after > 0 && after >= base
    const whose = `tenant = ${session.quoted(tenant)} AND seq`
    const log = `${whose} > ${hasBase ? after : base}`
    const logBytes = await parts(session, (place) => some("shipment", log, place), last, put)
    const whole = `${whose} = ${base}`
    const baseBytes = hasBase ? 0 : await parts(session, (place) => some("base", whole, place), last, put)
    return keptOf(row, logBytes, baseBytes)
  })

const rebasing = (
  { use }: PgSessions,
  opening: Opening,
  seq: number,
  all: AsyncIterable<Buffer>
): Effect.Effect<number, StoreError> =>
  Effect.flatMap(
    use(async ({ ask }) => {
      // Left over from an interrupted one.
      await ask(CUT_OFF, [opening[0], seq])
      let bytes = 0
      let part = 0
      for await (const body of all) {
        const done = await ask(BASE_PART, [...opening, seq, part++, body], "base")
        if (done.length === 0) return undefined
        bytes += body.length
      }
      const done = await ask(REBASE, [...opening, seq])
      return done.length > 0 ? bytes : undefined
    }),
    (bytes) => (bytes === undefined ? Effect.fail(new Fenced(ANOTHER)) : Effect.succeed(bytes))
  )

const tenureOf = (sessions: PgSessions, opening: Opening, doubt: string | undefined): Tenure => {
  const { use } = sessions
  const [tenant, epoch] = opening
  const fenced = (sql: string, values: ReadonlyArray<unknown>): Effect.Effect<void, StoreError> =>
    Effect.flatMap(
      use(({ ask }) => ask(sql, [...opening, ...values])),
      (rows) => failing(rows.length > 0 ? undefined : new Fenced(ANOTHER))
    )
  return {
    tenant,
    epoch,
    doubt,
    read: (onPart, after) => read(sessions, tenant, onPart, after),
    ship: (shipment) =>
      Effect.flatMap(
        use(async (session) => {
          const { hash, pageSize, parts, seq, size } = shipment
          const values = [...opening, seq, size, pageSize, hash]
          const done =
            parts.length === 1
              ? (await session.ask(SHIP, [...values, parts[0]], "ship")).length > 0
              : await shipParts(session, values, tenant, shipment)
          return done ? undefined : settled(session, opening, seq)
        }),
        failing
      ),
    rebase: (seq, parts) => rebasing(sessions, opening, seq, parts),
    keepVault: (vault) =>
      fenced(
        `WITH fence AS (SELECT key FROM daybook.tenant WHERE ${OURS} FOR NO KEY UPDATE)
         INSERT INTO daybook.vault SELECT key, $4 FROM fence ON CONFLICT (tenant) DO UPDATE SET body = excluded.body RETURNING tenant`,
        [vault]
      ),
    late: (answers) => Effect.asVoid(use(({ ask }) => ask(LATE, [tenant, JSON.stringify(answers)]))),
    check: fenced(`UPDATE daybook.tenant SET shipped = shipped WHERE ${OURS} RETURNING key`, [])
  }
}

/** What was stored in another era is reconciled with the service; the era is the tenant's with its first shipment, which says so. */
const TAKE = `UPDATE daybook.tenant SET epoch = epoch + 1, owner = NULL, opened = clock_timestamp(),
  reconcile = CASE WHEN era <> ${ERA} THEN clock_timestamp() ELSE reconcile END
  WHERE key = $1 AND removed IS NULL RETURNING epoch, ${ERA} AS era, era <> ${ERA} AS "isLater"`

interface Taken {
  readonly epoch: string
  readonly era: string
  /** Null: it was never stored, or by an earlier version. */
  readonly isLater: boolean | null
}

/** Opens a tenant: whoever has it open loses it, and nothing from an earlier opening is accepted any more. */
export const take = (sessions: PgSessions, tenant: string): Effect.Effect<Tenure, StoreError> =>
  Effect.flatMap(
    sessions.use(({ ask }) => ask<Taken>(TAKE, [tenant])),
    ([row]) =>
      row === undefined
        ? Effect.fail(new Fenced("this tenant was removed"))
        : Effect.succeed(
            tenureOf(sessions, [tenant, Number(row.epoch), row.era], row.isLater === true ? PROMOTED : undefined)
          )
  )
