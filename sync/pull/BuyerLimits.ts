/**
 * Reads how much insured exposure buyers may have (II 2.2, Q11): of those who have something selected, and not more often
 * than the configuration says. Where the service asks to slow down, no more are read in this run.
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
const due = (db: Db, { id, planning }: Connection, now: number): ReadonlyArray<Buyer> =>
  db
    .prepare(
      `SELECT c.company, c.currency FROM cover c LEFT JOIN buyer_limit l ON l.company = c.company AND l.currency = c.currency
        WHERE c.connection = ? AND c.company IS NOT NULL AND c.state IN ('waiting', 'offered', 'declined', 'insured')
          AND (l.read IS NULL OR l.read <= ?)
        GROUP BY c.company, c.currency ORDER BY coalesce(l.read, 0), c.company, c.currency LIMIT ?`
    )
    .all(id, now - readEveryMs(given(planning.cover, "the settings of cover")), MOST) as ReadonlyArray<Buyer>

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

/** Reads the limits of a connection's buyers whose turn it is. Answers how many were read. */
export const readLimits = Effect.fn("BuyerLimits.readLimits")(function* (
  connection: Connection
): Effect.fn.Return<number, StateError | ServiceError, Database | Client> {
  if (connection.planning.cover === undefined) return 0
  const db = yield* Database
  const client = yield* Client
  const begun = yield* Clock.currentTimeMillis
  const buyers = yield* db.read(() => due(db, connection, begun))
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
      if (reason._tag === "Refused" || reason._tag === "NotFound") continue
      break
    }
    const now = yield* Clock.currentTimeMillis
    yield* db.commit(() => keep(db, buyer, answer.success, now))
    read++
  }
  return read
})
