/**
 * Applies M3 and M6: collects payments that name no invoice, with all invoices and other payments of their amount that may
 * have the same payer. If payments are matched by customer id, one payer may lead to the next: one invoice states a name and
 * an id, one payment has only the name, and another only the id.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Day } from "../../core/wire/Day.ts"
import { entryOf } from "../../core/Entry.ts"
import type { Database } from "../state/Database.ts"
import * as Amounts from "./Amounts.ts"
import { place, placeBack } from "./Decide.ts"
import { followers } from "./Resolve.ts"
import type { Later } from "./Later.ts"
import * as MatchRules from "./Rules.ts"
import { type How, payerOfSeed } from "./Tables.ts"

type Db = Database["Service"]

export interface Group {
  readonly pays: string
  readonly currency: string
  /** In minor units. */
  readonly amount: string
  /** The payer, see `seedOf` in `Tables.ts`. */
  readonly party: string
}

interface Waiting extends Amounts.Payer {
  readonly document: number
  readonly key: string
  readonly date: Day
  readonly connection: string
  readonly days: number
  /** How much of it went back, and its total, as approximate numbers for comparison. */
  readonly back: number
  readonly whole: number
  readonly how: How
  readonly rule: string | null
  readonly why: string | null
}

const WAITING = `SELECT m.document, d.key, m.date, m.connection, coalesce(p.days, 0) AS days, m.party, m.customer,
    m.how, m.rule, m.why, (SELECT total(r.amount) FROM matching r WHERE r.of = d.key) AS back, m.amount AS whole
  FROM matching m JOIN document d ON d.id = m.document LEFT JOIN paying p ON p.connection = m.connection
  WHERE m.free = 1 AND m.pays = ? AND m.currency = ? AND m.amount = ?`

const FITTING = `SELECT d.key, p.issued, p.due, p.party, p.customer FROM payable p JOIN document d ON d.id = p.invoice
  WHERE p.connection = ? AND p.currency = ? AND p.open = ? AND p.payable = 1`

/** All payments and invoices that can be reached from one payer. */
const gather = (db: Db, { amount, currency, party, pays }: Group) => {
  const minor = BigInt(amount)
  const byId = db.prepare("SELECT 1 FROM paying WHERE pays = ? AND by_id = 1").get(pays) !== undefined
  const payments = new Map<string, Waiting>()
  const invoices = new Map<string, Amounts.Fitting>()
  const seen = { party: new Set([""]), customer: new Set([""]) }
  const next = [payerOfSeed(party)]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    for (const what of ["party", "customer"] as const) {
      const value = one[what]
      if (seen[what].has(value) || (what === "customer" && !byId)) continue
      seen[what].add(value)
      const where = what === "party" ? "party = ?" : "customer = ? AND customer <> ''"
      for (const row of db.prepare(`${WAITING} AND m.${where}`).all(pays, currency, minor, value) as Array<Waiting>) {
        payments.set(row.key, row)
        next.push(row)
      }
      for (const row of db
        .prepare(`${FITTING} AND p.${where}`)
        .all(pays, currency, minor, value) as Array<Amounts.Fitting>) {
        invoices.set(row.key, row)
        next.push(row)
      }
    }
  }
  return { payments: [...payments.values()], invoices: [...invoices.values()] }
}

export const decideGroup = (db: Db, later: Later, group: Group): void => {
  const { amount, currency, pays } = group
  const { invoices, payments } = gather(db, group)
  if (payments.length === 0) return
  const decided = Amounts.byAmount(
    payments.map((one) => ({ ...one, returned: one.back >= one.whole })),
    invoices
  )
  const whole = Currency.ofMinor(BigInt(amount), currency)
  const taken = new Set([...decided.values()].filter((found) => typeof found === "string"))
  for (const payment of payments) {
    const { back, document, key } = payment
    const found = entryOf(decided, key)
    const shares = typeof found === "string" ? [{ invoice: found, amount: whole }] : []
    const invoice = invoices.find((one) => one.key === found)
    const how = invoice === undefined ? "" : (Amounts.paidBy(payment, invoice) ?? "")
    const why = typeof found === "string" ? undefined : unplaced(payment, found, invoices, taken)
    const rule = payment.customer === "" ? "M3" : "M6"
    place(db, later, { document, before: payment }, currency, { how, shares, rule, why, free: true })
    if (back > 0)
      placeBack(
        db,
        later,
        { amount: whole, back: followers(db, key, { currency, found: new Map(), pays }) },
        how,
        shares
      )
  }
}

/** Why it has no invoice, for the invoices among which a person must choose. */
const unplaced = (
  payment: Waiting,
  found: ReadonlyArray<string>,
  invoices: ReadonlyArray<Amounts.Fitting>,
  taken: ReadonlySet<string>
): string => {
  if (found.length === 0) return Amounts.unfitting(payment, invoices, taken)
  return found.length === 1
    ? `no reference, and another payment could also be for ${MatchRules.names(found)}`
    : `no reference; it could be for ${MatchRules.names(found)}`
}
