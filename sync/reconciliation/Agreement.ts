/**
 * Whether a transaction of the service's list is as the ledger says, which most are: the audit (`Audit.ts`) then needs no more
 * than this look. It decides nothing by itself: where anything differs, the audit finds out what.
 */
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import * as Difference from "./Difference.ts"

const isNothing = (value: unknown): boolean => value === null || value === undefined

/**
 * The row of the ledger that agrees with it, and how many payments both have; undefined if there is more to be looked at.
 *
 * @param purchases whether what others bought or offered is accounted for
 */
export const look = (
  db: Db,
  read: Transaction,
  purchases: boolean
): { readonly id: number; readonly payments: number } | undefined => {
  if (purchases && !(isNothing(read.policy) && isNothing(read.quote))) return undefined
  const row = Facts.rowHeld(db, read.unique_id ?? "")
  const listed = Difference.listed(read.payments)
  if (row?.remote !== read.id || !Difference.samePayments(row.held, listed)) return undefined
  const now = Difference.serviceTransaction(Difference.unexpanded(read), listed)
  return Difference.differences(row.held, now).length > 0 ? undefined : { id: row.id, payments: listed.length }
}
