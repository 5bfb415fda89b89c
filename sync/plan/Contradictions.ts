/**
 * Reads what else the state file says about an invoice: payments that wait and may be for it, and records that could not be
 * read and may be about it, in its connection and in those that pay for it.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Invoice } from "../../connectors/Document.ts"
import { normal, referencesOf } from "../model/MatchText.ts"
import { mayMention } from "../model/RecordMention.ts"
import type { Planning } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { type Contradiction, fromFacts } from "../rules/Contradictions.ts"
import { payerName } from "../model/PayerName.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"

/** How many of a kind are named. */
const MOST_NAMED = 3

/** Payments of paying connections that wait for a person: of just this amount, by its buyer, or with its number in the text. */
const waitingElsewhere = (db: Db, { connection, key }: InvoiceFacts, invoice: Invoice, open: bigint) =>
  db
    .prepare(
      `SELECT d.key FROM matching m JOIN document d ON d.id = m.document
        WHERE m.pays = :connection AND m.back = 0 AND m.why IS NOT NULL AND m.currency = :currency AND d.deleted = 0
          AND (abs(m.amount) = :open OR (:customer <> '' AND m.customer = :customer)
            OR (:party <> '' AND m.cut = 0 AND m.party = :party AND (m.form = :form OR m.form = '' OR :form = ''))
            OR EXISTS (SELECT 1 FROM payer y WHERE y.connection = m.connection AND y.name = m.party AND y.party = :party)
            OR (m.cut = 1 AND m.party <> '' AND substr(:party || :form, 1, length(m.party)) = m.party)
            OR EXISTS (SELECT 1 FROM mention n WHERE n.pays = m.pays AND n.document = m.document
              AND n.name IN (SELECT value FROM json_each(:names))))
        ORDER BY d.key LIMIT :most`
    )
    .pluck()
    .all({
      connection,
      currency: invoice.currency,
      open,
      ...payerName(invoice.party.name),
      customer: invoice.party.id ?? "",
      names: JSON.stringify([
        normal(invoice.number),
        normal(key.slice(key.lastIndexOf("/") + 1)),
        ...referencesOf(invoice.reference, [])
      ]),
      most: MOST_NAMED
    }) as ReadonlyArray<string>

/**
 * Payments of its own connection that are allocated to nothing, or to an invoice that is not there: of just this amount, or with
 * its number as their reference.
 */
const waitingHere = (db: Db, { connection }: InvoiceFacts, invoice: Invoice, open: bigint) =>
  db
    .prepare(
      `SELECT key FROM document WHERE key > :from AND key < :to AND deleted = 0
        AND coalesce(${Body.at("payment", "currency")}, :currency) = :currency
        AND (${Body.at("payment", "unallocated")} IS NOT NULL
            AND (CAST(${Body.at("payment", "unallocated")} AS TEXT) = :open OR instr(coalesce(${Body.at("payment", "reference")}, ''), :number) > 0)
          OR ${Body.at("payment", "date")} >= :issued AND EXISTS (
            SELECT 1 FROM json_each(${Body.at("payment", "shares")}) s WHERE s.value ->> 'amount' = :open
            AND NOT EXISTS (SELECT 1 FROM document i WHERE i.key = :connection || '/invoice/' || (s.value ->> 'invoice') AND i.deleted = 0)))
        ORDER BY key LIMIT :most`
    )
    .pluck()
    .all({
      connection,
      issued: invoice.issued,
      from: `${connection}/payment/`,
      to: `${connection}/payment0`,
      currency: invoice.currency,
      open: Decimal.format(open),
      number: invoice.number,
      most: MOST_NAMED
    }) as ReadonlyArray<string>

/** Configured connections that pay for it and were never read: whether it was paid is not known. */
const neverRead = (db: Db, { connection }: InvoiceFacts) =>
  db
    .prepare(
      `SELECT connection FROM paying WHERE pays = ? AND removed = 0
        AND NOT EXISTS (SELECT 1 FROM bookmark b WHERE b.connection = paying.connection) ORDER BY connection`
    )
    .pluck()
    .all(connection) as ReadonlyArray<string>

interface UnreadRecord {
  readonly origin: string
  readonly why: string
  readonly raw: string
}

/** Records that cannot be read and may be about it. */
const unreadable = (db: Db, { connection, key }: InvoiceFacts, invoice: Invoice, open: string) => {
  const { number, party, reference = "" } = invoice
  const rows = db
    .prepare(
      `SELECT q.origin, q.why, q.raw FROM quarantine q
        WHERE (q.connection = :connection OR q.connection IN (SELECT connection FROM paying WHERE pays = :connection))
          AND q.kind IN ('invoice', 'payment', 'reversal', 'credit_note') ORDER BY q.origin`
    )
    .iterate({ connection }) as Iterable<UnreadRecord>
  const numbers = [number, key.slice(key.lastIndexOf("/") + 1), reference]
  const found: Array<UnreadRecord> = []
  for (const row of rows) {
    if (mayMention(row.raw, { numbers, buyer: party.name, open })) found.push(row)
    if (found.length === MOST_NAMED) break
  }
  return found
}

/** Whatever says otherwise about an invoice, as the books and the ledger have it now. */
export const contradictionsOf = (
  db: Db,
  facts: InvoiceFacts,
  invoice: Invoice,
  remote: RemoteInvoice,
  planning: Planning
): ReadonlyArray<Contradiction> => {
  const amount = openAmount(facts, remote, planning)?.open ?? 0n
  const minor = Currency.toMinorOutward(amount, invoice.currency)
  const waiting = [...waitingElsewhere(db, facts, invoice, minor), ...waitingHere(db, facts, invoice, amount)]
  return [
    ...fromFacts(facts, invoice, planning),
    ...neverRead(db, facts).map((key) => ({
      code: "unread" as const,
      why: `${key}, which pays for it, was never read`
    })),
    ...waiting.map((key) => ({ code: "waiting" as const, why: `the payment ${key} waits, and may be for it` })),
    ...unreadable(db, facts, invoice, Currency.format(amount, invoice.currency)).map(({ origin, why }) => ({
      code: "unreadable" as const,
      why: `a record that may be about it cannot be read (${origin}: ${why})`
    }))
  ]
}
