/**
 * What is open of invoices as their documents say it now, read from the state file beside what was written in the ledger
 * when each was last planned.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Planning } from "../model/Connection.ts"
import type { OpenFigures, MinorFigures } from "../model/InvoiceFacts.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import type { Database } from "../state/Database.ts"
import * as Facts from "./Facts.ts"

type Db = Database["Service"]

/** Amounts in minor units; `null` where there is none. */
export interface Open extends Partial<{ readonly [K in keyof MinorFigures]: MinorFigures[K] | null }> {
  readonly currency: string
  readonly books: bigint
}

/** See `SourceFigures.ts`. What the source would say is compared with nothing where it says nothing. */
export const inMinor = ({ balance, follows, says }: OpenFigures, currency: string): MinorFigures => ({
  balance: Currency.toMinor(balance, currency),
  says: says === undefined ? null : Currency.toMinor(says, currency),
  follows: says === undefined ? null : Currency.toMinor(follows, currency)
})

/** Where an invoice stands in the ledger. */
export interface LedgerRow extends Open {
  readonly service: bigint
  readonly remote: string | null
}

/**
 * The settings that a connection was last planned with. Undefined before it ever was, when it is not known what is in its
 * scope; and of one that pays for another, whose own invoices are nobody's to report.
 */
export const settingsOf = (db: Db, connection: string): Planning | undefined => {
  const planning = db
    .prepare("SELECT planning FROM connection WHERE id = ? AND id NOT IN (SELECT connection FROM paying)")
    .pluck()
    .get(connection)
  return typeof planning === "string" ? (JSON.parse(planning) as Planning) : undefined
}

/** What is open of an invoice, from its documents; undefined where there is none. */
export const openOf = (db: Db, key: string, planning: Planning): Open | undefined => {
  const found = openAmount(Facts.invoiceFacts(db, key), Facts.remoteInvoice(db, key), planning)
  if (found === undefined) return undefined
  const { currency, figures, open } = found
  return { currency, books: Currency.toMinor(open, currency), ...(figures && inMinor(figures, currency)) }
}

export const rowOf = (db: Db, key: string): LedgerRow | undefined =>
  db
    .prepare(
      `SELECT currency, books_open AS books, service_open AS service, remote, balance, source_open AS says, source_follows AS follows
        FROM ledger WHERE subject = ? AND currency <> ''`
    )
    .safeIntegers()
    .get(key) as LedgerRow | undefined

/** An invoice that changed since it was last planned: what the ledger says, and what its documents say now. */
export interface Changed {
  readonly subject: string
  readonly row: LedgerRow | undefined
  readonly now: Open | undefined
}

/** Those of a connection, by key. */
export function* changed(db: Db, connection: string, planning: Planning): Generator<Changed> {
  for (const subject of Facts.changed(db, connection, ["invoice"], { all: false }))
    yield { subject, row: rowOf(db, subject), now: openOf(db, subject, planning) }
}
