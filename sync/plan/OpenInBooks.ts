/**
 * Calculates the open amounts of invoices from their current documents, next to the amounts that were written to the ledger
 * when each was last planned.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Planning } from "../model/Connection.ts"
import type { OpenFigures, MinorFigures } from "../model/InvoiceFacts.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import type { Db } from "../state/Database.ts"
import * as DueSubjects from "./DueSubjects.ts"
import * as Facts from "./Facts.ts"
import { Surroundings } from "./Surroundings.ts"

/** Amounts in minor units; `null` if there is none. */
export interface Open extends Partial<{ readonly [K in keyof MinorFigures]: MinorFigures[K] | null }> {
  readonly currency: string
  readonly books: bigint
}

/** See `SourceFigures.ts`. Where the source states nothing, there is nothing to compare. */
export const inMinor = ({ balance, follows, says }: OpenFigures, currency: string): MinorFigures => ({
  balance: Currency.toMinor(balance, currency),
  says: says === undefined ? null : Currency.toMinor(says, currency),
  follows: says === undefined ? null : Currency.toMinor(follows, currency)
})

/** An invoice's row in the ledger. */
export interface LedgerRow extends Open {
  readonly service: bigint
  readonly remote: string | null
}

/**
 * The settings that a connection was last planned with. Undefined before its first plan, because its scope is not known then;
 * also for a connection that pays for another, whose own invoices are never sent.
 */
export const settingsOf = (db: Db, connection: string): Planning | undefined => {
  const planning = db
    .prepare("SELECT planning FROM connection WHERE id = ? AND id NOT IN (SELECT connection FROM paying)")
    .pluck()
    .get(connection)
  return typeof planning === "string" ? (JSON.parse(planning) as Planning) : undefined
}

/** The open amount of an invoice, from its documents; undefined if there is none. `around` as for `Facts.invoiceFacts`. */
export const openOf = (db: Db, key: string, planning: Planning, around?: Surroundings): Open | undefined => {
  const found = openAmount(Facts.invoiceFacts(db, key, around), Facts.remoteInvoice(db, key, around), planning)
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

/** An invoice that changed since it was last planned: its ledger entry, and its current amounts. */
export interface Changed {
  readonly subject: string
  readonly row: LedgerRow | undefined
  readonly now: Open | undefined
}

/** The changed invoices of a connection, by key, in one snapshot. */
export function* changed(db: Db, connection: string, planning: Planning): Generator<Changed> {
  const around = new Surroundings(db)
  for (const subject of DueSubjects.changed(db, connection, ["invoice"], { all: false }))
    yield { subject, row: rowOf(db, subject), now: openOf(db, subject, planning, around) }
}
