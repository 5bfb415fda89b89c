/** What payments that are fixed give to invoices, before anything that is still open is decided. Read-only. */
import type { Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Fact } from "../model/InvoiceFacts.ts"
import { isSameReversal } from "../movements/Limits.ts"
import { statedFacts } from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import type { How } from "./Rows.ts"

/**
 * What payments by choice or link give to each invoice, and what went back of such payments, of each no more than it gave, or
 * of the books' own by other lists.
 */
export const givenBy = (db: Db, keys: Iterable<string>): ReadonlyMap<string, Decimal.Decimal> => {
  const given = new Map<string, Decimal.Decimal>()
  const rows = db
    .prepare(
      `SELECT a.invoice, a.amount, m.back, m.how, m.date, d.key, m.of, (SELECT l.key FROM document p JOIN sighting s ON s.document = p.id
          JOIN document l ON l.id = s.leader WHERE p.key = m.of) AS leader FROM json_each(?) k CROSS JOIN allocation a ON a.invoice = k.value
        CROSS JOIN matching m ON m.document = a.document CROSS JOIN document d ON d.id = a.document
        WHERE a.amount IS NOT NULL AND (m.how IN ('choice', 'link') OR (m.how = 'same' AND m.back = 1 AND NOT EXISTS (
          SELECT 1 FROM document p JOIN sighting s ON s.document = p.id JOIN matching o ON o.document = s.leader
            WHERE p.key = m.of AND o.how NOT IN ('choice', 'link'))))`
    )
    .all(JSON.stringify([...keys])) as ReadonlyArray<{
    readonly invoice: string
    readonly amount: string
    readonly back: number
    readonly how: How
    readonly date: Day
    readonly key: string
    readonly of: string | null
    readonly leader: string | null
  }>
  const own = new Map<string, Array<Fact<Reversal>>>()
  const give = (invoice: string, amount: Decimal.Decimal) => given.set(invoice, (given.get(invoice) ?? 0n) + amount)
  const left = new Map<string, Decimal.Decimal>()
  for (const { amount, back, invoice, key } of rows) {
    if (back === 1) continue
    left.set(`${key} ${invoice}`, BigInt(amount))
    give(invoice, BigInt(amount))
  }
  for (const { amount, back, date, how, invoice, leader, of } of rows) {
    if (back === 0) continue
    if (how === "same" && isStatedBy(ownReversals(db, invoice, own), { amount: BigInt(amount), date, leader })) continue
    const most = left.get(`${of} ${invoice}`) ?? BigInt(amount)
    const counts = BigInt(amount) < most ? BigInt(amount) : most
    if (left.has(`${of} ${invoice}`)) left.set(`${of} ${invoice}`, most - counts)
    give(invoice, -counts)
  }
  return given
}

/** What went back by the invoice's own books, as far as no other list's reversal was taken for it yet. */
const ownReversals = (db: Db, invoice: string, known: Map<string, Array<Fact<Reversal>>>) => {
  const own = known.get(invoice) ?? statedFacts(db, invoice).reversals.filter(({ how }) => how === undefined)
  known.set(invoice, own)
  return own
}

/** What another list says went back, and the payment that its own is the same money as. */
interface Returned {
  readonly amount: Decimal.Decimal
  readonly date: Day
  readonly leader: string | null
}

/** Whether one of these is the same; that one is used up. */
const isStatedBy = (own: Array<Fact<Reversal>>, one: Returned) => {
  const isOther = ({ document: { payment }, key }: Fact<Reversal>) => {
    const { connection } = Document.parseKey(key)
    if (payment === undefined || one.leader?.startsWith(`${connection}/`) !== true) return false
    return Document.key(connection, "payment", payment) !== one.leader
  }
  const at = own.findIndex(
    (each) => !isOther(each) && isSameReversal({ amount: each.amount, date: each.document.date }, one)
  )
  if (at >= 0) own.splice(at, 1)
  return at >= 0
}
