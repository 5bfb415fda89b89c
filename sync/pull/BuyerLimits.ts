/**
 * Reads how much insured exposure buyers may have (II 2.2, Q11): of those who have something selected, and not more often
 * than the configuration says. Where the service asks to slow down, no more are read in this run.
 *
 * A quote waits until its buyer's limit was asked for, and no longer: limits are for some accounts only, and the service
 * declines by itself what goes beyond one. What could not be read is tried again by the next sync.
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
import { Database, type StateError } from "../state/Database.ts"
import { given } from "../../core/Entry.ts"

type Db = Database["Service"]

/** Limits that one sync reads. */
const MOST = 50

interface Buyer {
  readonly company: string
  readonly currency: string
}

/** Buyers whose limit is to be read: never read first, then the oldest. */
const due = (db: Db, { id, planning }: Connection, first: boolean, now: number): ReadonlyArray<Buyer> =>
  db
    .prepare(
      `SELECT c.company, c.currency FROM cover c LEFT JOIN buyer_limit l ON l.company = c.company AND l.currency = c.currency
        WHERE c.connection = ? AND c.company IS NOT NULL AND c.state IN ('waiting', 'offered', 'declined', 'insured')
          AND (l.read IS NULL OR (? = 0 AND l.read <= ?))
        GROUP BY c.company, c.currency ORDER BY coalesce(l.read, 0), c.company, c.currency LIMIT ?`
    )
    .all(
      id,
      first ? 1 : 0,
      now - readEveryMs(given(planning.cover, "the settings of cover")),
      MOST
    ) as ReadonlyArray<Buyer>

const text = (amount: bigint | null | undefined): string | null =>
  amount === null || amount === undefined ? null : Decimal.format(amount, 2)

/** Keeps what was read, and has the buyer's invoices looked at again. */
const keep = (db: Db, { company, currency }: Buyer, said: CreditLimit, now: number): void => {
  const before = CoverFacts.limitOf(db, company, currency)
  const available = text(said.available_insured_amount)
  const was = before?.available ?? null
  const fell = was !== null && (available === null || Decimal.of(available) < Decimal.of(was))
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
    fell ? was : null
  )
  const subjects = db
    .prepare(
      "SELECT subject FROM cover WHERE company = ? AND currency = ? AND state IN ('waiting', 'offered', 'declined', 'insured')"
    )
    .pluck()
    .all(company, currency) as ReadonlyArray<string>
  for (const subject of subjects) ChangedDocuments.touch(db, subject)
}

/** These limits were asked for, or their turn did not come: nothing waits for them. */
const markTried = (db: Db, buyers: ReadonlyArray<Buyer>, at: number): void => {
  const insert = db.prepare(
    "INSERT INTO buyer_limit (company, currency, read, status) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
  )
  for (const { company, currency } of buyers) insert.run(company, currency, at, CoverFacts.UNREAD)
}

/** Of a connection, those whose limit nobody has asked for. */
const untried = (db: Db, connection: string): ReadonlyArray<Buyer> =>
  db
    .prepare(
      `SELECT DISTINCT c.company, c.currency FROM cover c WHERE c.connection = ? AND c.company IS NOT NULL AND c.state = 'waiting'
        AND NOT EXISTS (SELECT 1 FROM buyer_limit l WHERE l.company = c.company AND l.currency = c.currency)`
    )
    .all(connection) as ReadonlyArray<Buyer>

/**
 * Reads the limits of a connection's buyers whose turn it is. Answers how many were read.
 *
 * @param first only of buyers whose limit nobody has asked for
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
      // A limit is not worth waiting for; one company that the service does not know keeps no other from being read.
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
