/**
 * Whether a transaction of the service's list is as the ledger says, which most are: the audit (`Audit.ts`) then needs no more
 * than this look. It decides nothing by itself: where anything differs, the audit finds out what.
 */
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import * as Difference from "./Difference.ts"

const isNothing = (value: unknown): boolean => value === null || value === undefined

/** A row of the ledger that agrees, and how many payments both have. */
export interface Agreeing {
  readonly id: number
  readonly payments: number
}

/**
 * Looks at the transactions of a part of the list: undefined if there is more to be looked at.
 *
 * @param purchases whether what others bought or offered is accounted for
 */
export const looking = (
  db: Db,
  some: ReadonlyArray<Transaction>,
  purchases: boolean
): ((read: Transaction) => Agreeing | undefined) => {
  const rows = Facts.rowsHeld(
    db,
    some.map(({ unique_id }) => unique_id ?? "")
  )
  return (read) => {
    if (purchases && !(isNothing(read.policy) && isNothing(read.quote))) return undefined
    const row = rows.get(read.unique_id ?? "")
    const listed = Difference.listed(read.payments)
    if (row?.remote !== read.id || !Difference.samePayments(row.held, listed)) return undefined
    const now = Difference.serviceTransaction(Difference.unexpanded(read), listed)
    return Difference.differences(row.held, now).length > 0 ? undefined : { id: row.id, payments: listed.length }
  }
}
