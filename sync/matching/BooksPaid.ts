/**
 * Finds what a reversal without its payment takes back in the books that its connection pays: reports of failed debits name what was
 * collected, and where the books have the payment, no bank line need be there. Read-only.
 */
import type { Reversal } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import { isSameReversal } from "../movements/Limits.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import { invoicesNumbered, type LookupMemory } from "./Lookups.ts"
import { totalOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"
import { BOOKED_WITHIN_DAYS } from "./Traces.ts"

/** Other lists' reversals of this amount on an invoice. */
const RETURNED = `SELECT count(*) FROM allocation a JOIN matching m ON m.document = a.document
  WHERE a.invoice = ? AND a.amount = ? AND m.back = 1 AND m.document <> ?`

/** The invoice that its reference names, and that the books have as paid with this amount, as long as that did not go back. */
export const paidInBooks = (
  db: Db,
  memory: LookupMemory,
  { document, pays, reversal }: { readonly document: number; readonly pays: string; readonly reversal: Reversal }
): ReadonlyArray<MatchRules.Share> => {
  const { collected, currency, date } = reversal
  if (collected === undefined) return []
  const amount = totalOf(reversal)
  const until = collected.day === undefined ? date : Day.addDays(collected.day, BOOKED_WITHIN_DAYS)
  for (const { name, weak } of MatchRules.namesIn(collected.reference)) {
    const [one, other] = weak ? [] : invoicesNumbered(db, memory, pays, name)
    if (one === undefined || one.currency !== currency) continue
    if (other !== undefined) return []
    const { payments, reversals } = Facts.statedFacts(db, one.key)
    const paid = payments.filter(
      (each) => each.how === undefined && each.amount === amount && each.document.date <= until
    )
    const back = reversals.filter(
      (each) =>
        each.how === undefined &&
        each.amount === amount &&
        !isSameReversal({ amount: each.amount, date: each.document.date }, { amount, date })
    )
    const others = db.prepare(RETURNED).pluck().get(one.key, `${amount}`, document) as number
    return paid.length > back.length + others ? [{ invoice: one.key, amount }] : []
  }
  return []
}
