/**
 * Lists the invoices that an unmatched payment may be for, most likely first, for a person to choose from. Decides nothing.
 * Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { proposals, unplaced } from "./Proposals.ts"
import { totalOf } from "./References.ts"
import { normal } from "../model/MatchText.ts"
import type { Candidate } from "../model/reports/State.ts"

export type { Candidate }

export interface PayableRow {
  readonly key: string
  readonly body: string
  readonly open: string
  readonly currency: string
}

const candidate = ({ body, currency, key, open }: PayableRow): Candidate => {
  const { due, number, party } = Body.read(body) as Document.Invoice
  return {
    invoice: key,
    number,
    party: party.name,
    due,
    open: Currency.format(Currency.ofMinor(BigInt(open), currency), currency)
  }
}

/** Explanations may have several invoices each. */
const MOST_KNOWN = 10

/** The columns of a `PayableRow`, of `document d` and `payable p`. */
export const COLUMNS = "d.key, d.body, CAST(p.open AS TEXT) AS open, p.currency"

/** Open invoices of the same payer with an amount that this payment had before the source corrected it. */
const corrected = (db: Db, payment: string): ReadonlyArray<Candidate> => {
  const bodies = db
    .prepare("SELECT v.body FROM version v JOIN document d ON d.id = v.document WHERE d.key = ? AND v.deleted = 0")
    .pluck()
    .all(payment) as ReadonlyArray<string>
  const amounts = new Set(
    bodies.map((body) => {
      const document = Body.read(body) as Payment
      return Currency.toMinorOutward(totalOf(document), document.currency ?? "")
    })
  )
  const find = db.prepare(
    `SELECT ${COLUMNS} FROM document m JOIN matching x ON x.document = m.id
      JOIN payable p ON p.connection = x.pays AND p.currency = x.currency AND p.open = ? AND p.payable = 1 AND p.open > 0
        AND (p.party = x.party OR (x.customer <> '' AND p.customer = x.customer))
      JOIN document d ON d.id = p.invoice WHERE m.key = ? AND (x.party <> '' OR x.customer <> '') AND x.amount <> p.open
      ORDER BY abs(julianday(p.due) - julianday(x.date)), d.key LIMIT 5`
  )
  return [...amounts].flatMap((amount) =>
    (find.all(amount, payment) as ReadonlyArray<PayableRow>).map((row) => ({
      ...candidate(row),
      before: true as const
    }))
  )
}

/** Invoices that explain a payment, with the arithmetic, the likeliest first. */
const explaining = (db: Db, payment: string): ReadonlyArray<Candidate> => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(payment)
  const of = typeof body === "string" ? unplaced(db, payment, Body.read(body) as Payment) : undefined
  if (of === undefined) return []
  const find = db.prepare(`SELECT ${COLUMNS} FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?`)
  const say = (amount: bigint) => Currency.format(Currency.ofMinor(amount, of.currency), of.currency)
  return proposals(db, of).flatMap(({ parts, why }) => {
    const accept = parts.map(({ amount, key }) => `${key}=${say(amount)}`)
    return parts.map(({ amount, key }) => ({
      ...candidate(find.get(key) as PayableRow),
      amount: say(amount),
      why,
      accept
    }))
  })
}

/**
 * Invoices that a payment may be for: first those with an amount that it had before it was corrected; then those that explain
 * its amount; then those with its current amount, its payer's first, sorted by how near the due date is. For a reversal: those that had a payment of that
 * amount before.
 */
export const candidates = (db: Db, payment: string, most = 5): ReadonlyArray<Candidate> => {
  const kind = Document.kindOf(payment)
  if (kind === "reversal") return returned(db, payment, most)
  // An item about money may be about an invoice: what it has received is in question, not what it is for.
  if (kind !== "payment") return []
  const rows = db
    .prepare(
      `SELECT ${COLUMNS} FROM document m JOIN matching x ON x.document = m.id
        JOIN payable p ON p.connection = x.pays AND p.currency = x.currency AND p.open = x.amount AND p.payable = 1 AND p.open > 0
        JOIN document d ON d.id = p.invoice WHERE m.key = ?
        ORDER BY x.customer = '' OR p.customer <> x.customer, p.party <> x.party, p.form <> x.form, abs(julianday(p.due) - julianday(x.date)), d.key LIMIT ?`
    )
    .all(payment, most) as ReadonlyArray<PayableRow>
  const known = [...corrected(db, payment), ...explaining(db, payment)]
  const others = rows.filter(({ key }) => !known.some(({ invoice }) => invoice === key)).map(candidate)
  return [...known, ...others].slice(0, Math.max(most, known.length > most ? MOST_KNOWN : most))
}

/** What else its payer owes in its currency, the oldest first: a payment may be for several. */
export const openOfPayer = (db: Db, payment: string, most: number): ReadonlyArray<Candidate> =>
  (
    db
      .prepare(
        `SELECT ${COLUMNS} FROM document m JOIN matching x ON x.document = m.id
          JOIN payable p ON p.connection = x.pays AND p.party = x.party AND p.currency = x.currency AND p.payable = 1 AND p.open > 0
          JOIN document d ON d.id = p.invoice WHERE m.key = ? AND x.party <> '' AND x.back = 0 ORDER BY p.due, d.key LIMIT ?`
      )
      .all(payment, most) as ReadonlyArray<PayableRow>
  ).map(candidate)

/**
 * Invoices that had received a payment of this amount by that day, from the same source and not reversed yet. Those whose
 * customer or number appears in the reversal's details come first, then those that were paid last.
 */
const returned = (db: Db, key: string, most: number): ReadonlyArray<Candidate> => {
  const rows = db
    .prepare(
      `SELECT ${COLUMNS}, r.body AS reversal FROM document r JOIN matching x ON x.document = r.id
        JOIN matching m ON m.connection = x.connection AND m.back = 0 AND m.currency = x.currency AND m.amount = x.amount
          AND m.date <= x.date AND NOT EXISTS (SELECT 1 FROM matching b JOIN document y ON y.id = m.document WHERE b.of = y.key)
        JOIN allocation a ON a.document = m.document AND a.amount IS NOT NULL
        JOIN document d ON d.key = a.invoice JOIN payable p ON p.invoice = d.id
        WHERE r.key = ? GROUP BY d.key ORDER BY max(m.date) DESC, d.key LIMIT 200`
    )
    .all(key) as ReadonlyArray<PayableRow & { readonly reversal: string }>
  const [first] = rows
  if (first === undefined) return []
  const said = normal((Body.read(first.reversal) as Document.Reversal).details ?? "")
  const isNamed = ({ body }: PayableRow) => {
    const { number, party } = Body.read(body) as Document.Invoice
    return [normal(party.name), normal(number)].some((name) => name !== "" && said.includes(name))
  }
  return [...rows.filter(isNamed), ...rows.filter((row) => !isNamed(row))].slice(0, most).map(candidate)
}
