/**
 * A state file for the tests and the bench of the export, made through the sync's own doors: documents through an
 * intake, calls through claims and receipts, ledgers through `writeLedger`.
 */
import type { Effect } from "effect"
import type { Read, QuarantinedRecord } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { StateError } from "../../sync/state/Database.ts"
import { Intake } from "../../sync/books/DocumentStore.ts"
import type { Call } from "../../sync/model/Call.ts"
import * as Claims from "../../sync/apply/Claims.ts"
import type { Database } from "../../sync/state/Database.ts"
import type { ReportedPayment, RemoteInvoice } from "../../sync/model/RemoteInvoice.ts"
import { toMinor } from "../../core/money/Currency.ts"

type Db = Database["Service"]

/** 21 November 2026, 07:00:00.500 UTC. */
export const NOW = Date.UTC(2026, 10, 21, 7, 0, 0, 500)

export const read = (document: Document.Document, line = 1): Read => ({
  document,
  origin: `invoices.csv:${line}`,
  raw: `line ${line}`
})

/** One part that is read from its beginning to its end. */
export const keep = (
  db: Db,
  connection: string,
  documents: ReadonlyArray<Document.Document>,
  quarantined: ReadonlyArray<QuarantinedRecord> = []
): Effect.Effect<void, StateError> =>
  new Intake(db, connection).keep(
    {
      read: documents.map(read),
      quarantined,
      bookmark: null,
      scan: { name: "invoices.csv", begins: true, ends: true }
    },
    "null"
  )

export interface Standing {
  readonly remote?: RemoteInvoice
  readonly reason?: string
  readonly currency: string
  /** Major units. */
  readonly books: string
  readonly service: string
}

export const settle = (db: Db, subject: string, { books, currency, reason, service, remote }: Standing): void => {
  const { connection } = Document.parseKey(subject)
  Claims.writeLedger(db, subject, connection, remote, {
    reason,
    currency,
    books: toMinor(Decimal.of(books), currency),
    service: toMinor(Decimal.of(service), currency)
  })
  db.prepare("DELETE FROM changed WHERE subject = ?").run(subject)
}

export const remoteOf = (
  id: string,
  postings: ReadonlyArray<ReportedPayment> = [],
  more: Partial<Omit<RemoteInvoice, "kind">> = {}
): RemoteInvoice => ({
  kind: "invoice",
  id,
  status: "pending",
  insured: false,
  fields: {},
  postings,
  ...more
})

/** A call that was made and answered. */
export const called = (db: Db, run: number, call: Call, status: number, remote: string): number => {
  const id = Claims.claim(db, run, call, NOW)
  Claims.receipt(
    db,
    id,
    { outcome: status < 300 ? "done" : "refused", status, answer: { id: remote }, remote },
    NOW + 250
  )
  return id
}
