/** Lists collections: invoices that can be handed over, those that were, and those whose window closed. */
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import { collectionOn } from "../model/Cover.ts"
import { wordOf } from "../plan/CollectionFacts.ts"
import * as Facts from "../plan/Facts.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import * as UnknownCalls from "../plan/UnknownCalls.ts"
import type { Db } from "../state/Database.ts"
import type { CollectionRow } from "../model/reports/Cover.ts"

export type { CollectionRow }

interface Row {
  readonly subject: string
  readonly currency: string
  readonly due: string
  readonly status: string
  readonly policy: string
  readonly window_ends: Day.Day | null
  readonly insured: bigint | null
  readonly open: bigint | null
}

const rowsOf = (db: Db, connection: string): ReadonlyArray<Row> =>
  db
    .prepare(
      `SELECT c.subject, c.currency, c.due, c.status, c.policy, c.window_ends, c.insured, l.service_open AS open
        FROM cover c LEFT JOIN ledger l ON l.subject = c.subject
        WHERE c.connection = ? AND c.policy IS NOT NULL
          AND (c.status = 'late_can_handover' OR c.state IN ('collection', 'lapsed') OR
            (c.state = 'closed' AND EXISTS (SELECT 1 FROM cover_event e WHERE e.subject = c.subject AND e.what = 'collection')))
        ORDER BY c.status <> 'late_can_handover', c.window_ends, c.due, c.subject`
    )
    .safeIntegers()
    .all(connection) as ReadonlyArray<Row>

const rowOf = (db: Db, connection: string, row: Row, today: Day.Day): CollectionRow => {
  const { currency, due, policy, status, subject, window_ends: windowEnds } = row
  const { invoice } = Facts.invoiceFacts(db, subject)
  const cover = Facts.remoteInvoice(db, subject)?.cover
  const collection = collectionOn(cover)
  const word = wordOf(db, subject)
  const isOpen = status === "late_can_handover" && collection?.sent === undefined
  const kept = db.prepare("SELECT name FROM collection_file WHERE subject = ? ORDER BY slot").pluck().all(subject)
  const sent = collection?.documents.map(({ name }) => name) ?? []
  const money = (minor: bigint | null) => Currency.format(Currency.ofMinor(minor ?? 0n, currency), currency)
  return {
    document: subject,
    connection,
    number: invoice?.number ?? "",
    name: invoice?.party.name ?? "",
    currency,
    due,
    open: money(row.open),
    insured: money(row.insured),
    policy: cover?.policy?.number ?? policy,
    status,
    since: cover?.policy?.since ?? null,
    windowEnds,
    daysLeft: windowEnds === null || !isOpen ? null : Day.between(today, windowEnds),
    documents: collection?.sent === undefined ? (kept as ReadonlyArray<string>) : sent,
    confirmed: word?.who ?? null,
    confirmedAt: word === undefined ? null : new Date(word.at).toISOString(),
    said: word?.fields ?? null,
    shown: word?.digest ?? null,
    sent: collection?.sent ?? null,
    unknown: UnknownCalls.isHandover(db, subject),
    recovered: cover?.policy?.recovered ?? null
  }
}

/** The collections of one connection, those whose window closes first at the top. */
export const collections = (db: Db, connection: string, now: number): ReadonlyArray<CollectionRow> => {
  const today = ServiceTime.today(db, now)
  return rowsOf(db, connection).map((row) => rowOf(db, connection, row, today))
}
