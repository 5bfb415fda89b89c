/**
 * Reads buyers' credit limits (II 2.2, Q11): of buyers with selected invoices, and not more often than configured. If the
 * service asks to slow down, no more are read in this run.
 *
 * A quote waits only until its buyer's limit has been requested: not every account has limits, and the service itself
 * declines what exceeds one. A limit that could not be read is tried again by the next sync.
 */
import { Clock, Effect } from "effect"
import { Client } from "../../core/Client.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { CreditLimit } from "../../core/insurance/CreditLimits.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { CompanyId } from "../../core/wire/Ids.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { readEveryMs } from "../model/CoverSettings.ts"
import type { Connection } from "../model/Connection.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { given } from "../../core/Entry.ts"

/** How many limits one sync reads. */
const MOST = 50

interface Buyer {
  readonly company: string
  readonly currency: string
}

/** Buyers whose limit must be read: those never read first, then the oldest. */
const due = (db: Db, { id, planning }: Connection, first: boolean, now: number): ReadonlyArray<Buyer> =>
  db
    .prepare(
      `SELECT c.company, c.currency FROM cover c LEFT JOIN buyer_limit l ON l.company = c.company AND l.currency = c.currency
        WHERE c.connection = ? AND c.company IS NOT NULL AND c.state IN ('waiting', 'offered', 'declined', 'insured')
          AND (l.read IS NULL OR (? = 0 AND (l.read <= ? OR l.read > ?)))
        GROUP BY c.company, c.currency ORDER BY coalesce(l.read, 0), c.company, c.currency LIMIT ?`
    )
    .all(
      id,
      first ? 1 : 0,
      now - readEveryMs(given(planning.cover, "the settings of cover")),
      now,
      MOST
    ) as ReadonlyArray<Buyer>

const text = (amount: bigint | null | undefined): string | null =>
  amount === null || amount === undefined ? null : Decimal.format(amount, 2)

/**
 * How much may be insured in all: one's own purchases lower what is left, but not this. Undefined where the service states only
 * what is left, so that nobody can tell a lowered limit from a purchase.
 */
const ceilingOf = (
  available: string | null | undefined,
  used: string | null | undefined,
  maximum: string | null | undefined
): Decimal.Decimal | undefined => {
  if (typeof maximum === "string") return Decimal.of(maximum)
  return typeof available === "string" && typeof used === "string"
    ? Decimal.of(available) + Decimal.of(used)
    : undefined
}

/** Stores a limit, and plans the buyer's invoices again. */
const keep = (db: Db, { company, currency }: Buyer, said: CreditLimit, now: number): void => {
  const before = CoverFacts.limitOf(db, company, currency)
  const available = text(said.available_insured_amount)
  const [ceiling, was] = [
    ceilingOf(available, text(said.current_insured_amount), text(said.maximum_insured_amount)),
    before === undefined ? undefined : ceilingOf(before.available, before.used, before.maximum)
  ]
  const fell = was !== undefined && (ceiling === undefined || ceiling < was)
  const { code, detail, params } = said.rejection_reason ?? {}
  const rejection =
    code === undefined
      ? null
      : JSON.stringify({
          code,
          ...(detail === undefined ? {} : { detail }),
          ...(params === undefined || params === null ? {} : { params })
        })
  db.prepare(
    `INSERT INTO buyer_limit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET read = excluded.read,
      status = excluded.status, available = excluded.available, used = excluded.used, maximum = excluded.maximum,
      rejection = excluded.rejection, was = excluded.was`
  ).run(
    company,
    currency,
    now,
    said.status,
    available,
    text(said.current_insured_amount),
    text(said.maximum_insured_amount),
    rejection,
    fell ? Decimal.format(was, 2) : null
  )
  const subjects = db
    .prepare(
      "SELECT subject FROM cover WHERE company = ? AND currency = ? AND state IN ('waiting', 'offered', 'declined', 'insured')"
    )
    .pluck()
    .all(company, currency) as ReadonlyArray<string>
  for (const subject of subjects) ChangedDocuments.touch(db, subject)
}

/** Records that these limits were requested, or could not be reached in this run: nothing waits for them. */
const markTried = (db: Db, buyers: ReadonlyArray<Buyer>, at: number): void => {
  const insert = db.prepare(
    "INSERT INTO buyer_limit (company, currency, read, status) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
  )
  for (const { company, currency } of buyers) insert.run(company, currency, at, CoverFacts.UNREAD)
}

/** Buyers of a connection whose limit was never requested. */
const untried = (db: Db, connection: string): ReadonlyArray<Buyer> =>
  db
    .prepare(
      `SELECT DISTINCT c.company, c.currency FROM cover c WHERE c.connection = ? AND c.company IS NOT NULL AND c.state = 'waiting'
        AND NOT EXISTS (SELECT 1 FROM buyer_limit l WHERE l.company = c.company AND l.currency = c.currency)`
    )
    .all(connection) as ReadonlyArray<Buyer>

/**
 * Reads the limits that are due for a connection's buyers. Returns how many were read.
 *
 * @param first reads only limits that were never requested
 */
export const readLimits = Effect.fn("BuyerLimits.readLimits")(function* (
  connection: Connection,
  first = false
): Effect.fn.Return<number, StateError | ServiceError, Database | Client> {
  if (connection.planning.cover === undefined) return 0
  const db = yield* Database
  const client = yield* Client
  const begun = yield* Clock.currentTimeMillis
  const buyers = yield* db.read(() => due(db, connection, first, begun))
  let read = 0
  for (const buyer of buyers) {
    const asked = client.creditLimits.debtor({
      params: { company_id: buyer.company as CompanyId },
      payload: { currency: buyer.currency }
    })
    const answer = yield* Effect.result(asked)
    if (answer._tag === "Failure") {
      // Does not wait to read a limit; and one company that the service does not know does not stop the others.
      const { reason } = answer.failure
      if (reason._tag !== "Refused" && reason._tag !== "NotFound") break
      const now = yield* Clock.currentTimeMillis
      yield* db.commit(() => markTried(db, [buyer], now))
      continue
    }
    const now = yield* Clock.currentTimeMillis
    yield* db.commit(() => keep(db, buyer, answer.success, now))
    read++
  }
  const rest = yield* db.read(() => untried(db, connection.id))
  if (rest.length > 0) yield* db.commit(() => markTried(db, rest, 0))
  return read
})
