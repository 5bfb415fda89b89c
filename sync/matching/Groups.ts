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
import { type Later, laterRows } from "./Later.ts"
import * as MatchRules from "./Rules.ts"
import { type How, payerOfSeed } from "./Rows.ts"

type Db = Database["Service"]

interface Group {
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
  readonly was: string
}

const WAITING = `SELECT m.document, d.key, m.date, m.connection, coalesce(p.days, 0) AS days, m.party, m.customer,
    m.how, m.rule, m.why, m.was, (SELECT total(r.amount) FROM matching r WHERE r.of = d.key) AS back, m.amount AS whole`

const FITTING = "SELECT d.key, p.issued, p.due, p.party, p.customer"

/** Payments that wait and invoices that fit, of one payer. */
const OF_ONE = {
  payments: `${WAITING} FROM matching m JOIN document d ON d.id = m.document LEFT JOIN paying p ON p.connection = m.connection
    WHERE m.free = 1 AND m.pays = ? AND m.currency = ? AND m.amount = ?`,
  invoices: `${FITTING} FROM payable p JOIN document d ON d.id = p.invoice
    WHERE p.connection = ? AND p.currency = ? AND p.open = ? AND p.payable = 1`
}

/** The same of the names of many groups: of each group its place in a list as JSON. */
const OF_MANY = {
  payments: `${WAITING}, g.key AS n FROM json_each(?) g
    CROSS JOIN matching m ON m.free = 1 AND m.pays = g.value ->> 0 AND m.currency = g.value ->> 1
      AND m.amount = CAST(g.value ->> 2 AS INTEGER) AND m.party = g.value ->> 3
    CROSS JOIN document d ON d.id = m.document LEFT JOIN paying p ON p.connection = m.connection`,
  invoices: `${FITTING}, g.key AS n FROM json_each(?) g
    CROSS JOIN payable p ON p.connection = g.value ->> 0 AND p.currency = g.value ->> 1
      AND p.open = CAST(g.value ->> 2 AS INTEGER) AND p.party = g.value ->> 3 AND p.payable = 1
    CROSS JOIN document d ON d.id = p.invoice`
}

interface Gathered {
  readonly payments: ReadonlyArray<Waiting>
  readonly invoices: ReadonlyArray<Amounts.Fitting>
}

/** All payments and invoices that can be reached from one payer by names and ids. */
const reached = (db: Db, { amount, currency, party, pays }: Group): Gathered => {
  const minor = BigInt(amount)
  const payments = new Map<string, Waiting>()
  const invoices = new Map<string, Amounts.Fitting>()
  const seen = { party: new Set([""]), customer: new Set([""]) }
  const next = [payerOfSeed(party)]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    for (const what of ["party", "customer"] as const) {
      const value = one[what]
      if (seen[what].has(value)) continue
      seen[what].add(value)
      const where = what === "party" ? "party = ?" : "customer = ? AND customer <> ''"
      const of = [pays, currency, minor, value]
      for (const row of db.prepare(`${OF_ONE.payments} AND m.${where}`).all(of) as Array<Waiting>) {
        payments.set(row.key, row)
        next.push(row)
      }
      for (const row of db.prepare(`${OF_ONE.invoices} AND p.${where}`).all(of) as Array<Amounts.Fitting>) {
        invoices.set(row.key, row)
        next.push(row)
      }
    }
  }
  return { payments: [...payments.values()], invoices: [...invoices.values()] }
}

/** Those of each group where only names count: nothing leads from one name to another. */
const named = (db: Db, groups: ReadonlyArray<Group>): ReadonlyArray<Gathered> => {
  const found = groups.map(() => ({ payments: [] as Array<Waiting>, invoices: [] as Array<Amounts.Fitting> }))
  const all = JSON.stringify(groups.map(({ amount, currency, party, pays }) => [pays, currency, amount, party]))
  for (const what of ["payments", "invoices"] as const) {
    for (const row of db.prepare(OF_MANY[what]).all(all) as Array<Waiting & Amounts.Fitting & { readonly n: number }>)
      found[row.n]?.[what].push(row)
  }
  return found
}

/** Decides groups, and returns whether there may be more. */
export const decideGroups = (db: Db, most: number): boolean => {
  const groups = db
    .prepare(
      "SELECT pays, currency, CAST(amount AS TEXT) AS amount, party FROM to_group g ORDER BY pays, currency, g.amount, party LIMIT ?"
    )
    .all(most) as ReadonlyArray<Group>
  const last = groups.at(-1)
  if (last === undefined) return false
  const byId = new Set(db.prepare("SELECT pays FROM paying WHERE by_id = 1").pluck().all() as ReadonlyArray<string>)
  const later = laterRows(db)
  const byName = groups.filter(
    ({ party, pays }) => party !== "" && !byId.has(pays) && payerOfSeed(party).customer === ""
  )
  for (const [n, found] of named(db, byName).entries()) decideGroup(db, later, byName[n] as Group, found)
  for (const group of groups) if (byId.has(group.pays)) decideGroup(db, later, group, reached(db, group))
  later.flush()
  db.prepare("DELETE FROM to_group WHERE (pays, currency, amount, party) <= (?, ?, ?, ?)").run(
    last.pays,
    last.currency,
    BigInt(last.amount),
    last.party
  )
  return groups.length === most
}

const decideGroup = (db: Db, later: Later, group: Group, { invoices, payments }: Gathered): void => {
  const { amount, currency, pays } = group
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
        {
          amount: whole,
          back: followers(db, key, { currency, memory: { found: new Map(), numbers: new Map() }, pays })
        },
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
