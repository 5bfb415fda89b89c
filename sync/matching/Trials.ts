/**
 * Tries rules on the past before they are switched on: what each would have decided about the payments of which it is known
 * which invoices they were for, because a person said so, their source, or their text. Decides nothing. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { MatchLimits } from "../model/Connection.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { withinLimits } from "./Limits.ts"
import type { Explanation } from "./Proposals.ts"
import { PAYABLE, type Payable } from "./Tables.ts"

export interface Trial {
  /** As it would be written into the configuration. */
  readonly limits: MatchLimits
  /** Payments that it would have decided as they were, otherwise, and not at all. */
  readonly same: number
  readonly otherwise: number
  readonly untouched: number
}

/** What is tried: the commonest terms. */
const TRIED: ReadonlyArray<MatchLimits> = [
  { fee: "15.00" },
  { discount: { percent: "2", days: 14 } },
  { discount: { percent: "3", days: 14 } },
  { several: 5 },
  { undesignated: "oldest" }
]

interface Past {
  readonly document: number
  readonly key: string
  readonly pays: string
  readonly currency: string
  readonly amount: string
  readonly date: Day
  readonly body: string
}

/** The latest ones are enough. */
const MOST = 2000

const past = (db: Db, connection: string): ReadonlyArray<Past> =>
  db
    .prepare(
      `SELECT m.document, d.key, m.pays, m.currency, CAST(m.amount AS TEXT) AS amount, m.date, d.body FROM matching m
        JOIN document d ON d.id = m.document WHERE m.connection = ? AND m.back = 0 AND m.how IN ('choice', 'link', 'reference')
        ORDER BY m.date DESC, d.key LIMIT ${MOST}`
    )
    .all(connection) as ReadonlyArray<Past>

interface Truth extends Explanation {
  /** The invoices of the same customers, with what was open of them on the payment's day. */
  readonly open: ReadonlyArray<Payable>
}

/** Which invoices a payment is for, and what was open then; undefined: they are in another currency. */
const truthOf = (db: Db, { currency, date, document, key, pays }: Past): Truth | undefined => {
  const shares = db
    .prepare(
      `SELECT a.invoice AS key, a.amount, p.party, p.form, p.currency FROM allocation a JOIN document d ON d.key = a.invoice
        JOIN payable p ON p.invoice = d.id WHERE a.document = ? AND a.amount IS NOT NULL ORDER BY 1`
    )
    .all(document) as ReadonlyArray<Pick<Payable, "key" | "party" | "form" | "currency"> & { readonly amount: string }>
  if (shares.length === 0 || shares.some((one) => one.currency !== currency)) return undefined
  const parts = shares.map(({ amount, key }) => ({ key, amount: Currency.toMinorOutward(BigInt(amount), currency) }))
  const rows = db
    .prepare(
      `SELECT ${PAYABLE}, (SELECT json_group_array(a.amount) FROM allocation a JOIN matching m ON m.document = a.document
          JOIN document o ON o.id = m.document WHERE a.invoice = d.key AND a.amount IS NOT NULL AND m.back = 0 AND (m.date, o.key) < (?, ?)) AS paid
        FROM json_each(?) n CROSS JOIN payable p ON p.connection = ? AND p.party = n.value CROSS JOIN document d ON d.id = p.invoice
        WHERE p.currency = ? AND p.payable = 1 AND p.issued <= ? ORDER BY p.due, d.key LIMIT 200`
    )
    .all(
      date,
      key,
      JSON.stringify([...new Set(shares.map(({ party }) => party))]),
      pays,
      currency,
      date
    ) as ReadonlyArray<Payable & { readonly paid: string }>
  const open = rows.flatMap((row) => {
    const paid = (JSON.parse(row.paid) as ReadonlyArray<string>).map((amount) =>
      Currency.toMinorOutward(BigInt(amount), currency)
    )
    const left = BigInt(row.base) - paid.reduce((sum, one) => sum + one, 0n)
    return left > 0n ? [{ ...row, open: `${left}` }] : []
  })
  return { parts, why: "", open }
}

/** What these limits leave of a payment: one explanation, or none. */
const decided = (
  limits: MatchLimits,
  { amount, currency, date }: Past,
  open: ReadonlyArray<Payable>
): Explanation | undefined => {
  const minor = BigInt(amount)
  const exact = open.filter((one) => BigInt(one.open) === minor)
  if (limits.undesignated === "oldest") {
    const [first, second] = exact
    return first === undefined || second === undefined
      ? undefined
      : { parts: [{ key: first.key, amount: minor }], why: "" }
  }
  if (exact.length > 0) return undefined
  const [only, another] = withinLimits({ amount: minor, currency }, date, open, limits)
  return another === undefined ? only : undefined
}

const say = ({ parts }: Explanation): string =>
  parts
    .map(({ amount, key }) => `${key} ${amount}`)
    .toSorted()
    .join()

/** What rules would have decided about the past payments of a connection. */
export const trials = (db: Db, connection: string, tried: ReadonlyArray<MatchLimits> = TRIED): ReadonlyArray<Trial> => {
  const known = past(db, connection).flatMap((payment) => {
    const truth = truthOf(db, payment)
    return truth === undefined || (Body.read(payment.body) as Payment).kind !== "payment" ? [] : [{ payment, truth }]
  })
  return tried.map((limits) => {
    let [same, otherwise] = [0, 0]
    for (const { payment, truth } of known) {
      const found = decided(limits, payment, truth.open)
      if (found === undefined) continue
      if (say(found) === say(truth)) same++
      else otherwise++
    }
    return { limits, same, otherwise, untouched: known.length - same - otherwise }
  })
}
