/**
 * What would follow from a person's choice where an invoice has less left to receive than the choice gives it: which payments were
 * for it until now, and whether they stay there or lose it. Shown before the choice is made.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

interface Other {
  readonly key: string
  readonly body: string
  readonly amount: string
  readonly back: number
  /** Whether no later choice takes it away: a person's own, its source's, or what the service has. */
  readonly stays: number
}

const others = (db: Db, invoice: string, payment: string): ReadonlyArray<Other> =>
  db
    .prepare(
      `SELECT d.key, d.body, a.amount, m.back, m.how IN ('choice', 'link', 'stands', 'same')
            OR EXISTS (SELECT 1 FROM standing s WHERE s.payment = d.key AND s.invoice = a.invoice AND s.kept = 1) AS stays
          FROM allocation a JOIN document d ON d.id = a.document JOIN matching m ON m.document = d.id
          WHERE a.invoice = ? AND a.amount IS NOT NULL AND d.deleted = 0 AND d.key <> ? AND m.of IS NOT ? ORDER BY m.date, d.key`
    )
    .all(invoice, payment, payment) as ReadonlyArray<Other>

/** Nothing, if the invoice has as much left to receive. */
const ofPart = (
  db: Db,
  payment: string,
  { amount, invoice }: { readonly invoice: string; readonly amount: Decimal }
): ReadonlyArray<string> => {
  const asks = db
    .prepare("SELECT p.base, p.currency FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?")
    .get(invoice) as { readonly base: number; readonly currency: string } | undefined
  if (asks === undefined) return []
  const { base, currency } = asks
  const say = (value: Decimal) => Currency.say(value, currency)
  const all = others(db, invoice, payment)
  const sum = (some: ReadonlyArray<Other>) =>
    some.reduce((total, one) => total + (one.back === 1 ? -BigInt(one.amount) : BigInt(one.amount)), 0n)
  const asked = Currency.ofMinor(BigInt(base), currency)
  if (amount <= asked - sum(all)) return []
  const staying = all.filter(({ stays }) => stays === 1)
  const name = ({ amount: its, body, key }: Other) => {
    const { date, party } = Body.read(body) as Payment
    const who = party?.name ?? party?.id
    return `${key}, ${say(BigInt(its))} of ${date}${who === undefined ? "" : ` from ${who}`}`
  }
  const more = amount + sum(staying) - asked
  return [
    `${invoice} asks for ${say(asked)}${all.length === 0 ? " more" : `, and ${say(sum(all))} was received for it`}`,
    ...all
      .filter(({ back }) => back === 0)
      .map((one) =>
        one.stays === 1
          ? `it stays paid by ${name(one)}`
          : `it is taken from ${name(one)}, which then needs an invoice of its own`
      ),
    ...(more > 0n ? [`${say(more)} more than it asks for would be received, which a person has to settle`] : [])
  ]
}

/** What would follow from a choice, in sentences; none if it takes nothing from anybody. */
export const ofChoice = (
  db: Db,
  payment: string,
  parts: Iterable<{ readonly invoice: string; readonly amount: Decimal }>
): ReadonlyArray<string> => [...parts].flatMap((part) => ofPart(db, payment, part))
