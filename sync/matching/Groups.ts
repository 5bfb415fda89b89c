/**
 * Applies M3 and M6: collects payments that name no invoice, with all invoices and other payments of their amount that may
 * have the same payer. If payments are matched by customer id, one payer may lead to the next: one invoice states a name and
 * an id, one payment has only the name, and another only the id.
 */
import * as Currency from "../../core/money/Currency.ts"
import { entryOf } from "../../core/Entry.ts"
import type { Payment } from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { MatchLimits } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import { type Aliases, aliasesIn, aliasesOf } from "./Aliases.ts"
import * as Amounts from "./Amounts.ts"
import { heldUp } from "./HeldUp.ts"
import { place, placeBack } from "./Place.ts"
import { followers } from "./Resolve.ts"
import { type Later, laterRows } from "./Later.ts"
import { noLookups, unknownOf } from "./Lookups.ts"
import * as MatchRules from "./Rules.ts"
import { isNotOurs } from "./NotOurs.ts"
import { beginnings, letters } from "../model/PayerName.ts"
import { type How, payerOfSeed } from "./Rows.ts"
import { explainLater, explainStrangers, limitedIn, limitsOf } from "./Tables.ts"
import { standingOn } from "./Standing.ts"
import { claimedOf, meantElsewhere } from "./Elsewhere.ts"
import { withoutNumber } from "./References.ts"
import * as Whose from "./Whose.ts"

interface Group {
  readonly pays: string
  readonly currency: string
  /** In minor units. */
  readonly amount: string
  /** The payer, see `seedOf` in `Tables.ts`. */
  readonly party: string
}

interface Waiting extends Amounts.Unnamed {
  readonly document: number
  readonly connection: string
  readonly days: number
  readonly names: string
  readonly says: string
  /** How much of it went back, and its total, as approximate numbers for comparison. */
  readonly back: number
  readonly whole: number
  readonly how: How
  readonly rule: string | null
  readonly why: string | null
  readonly was: string
  readonly note: string
}

const WAITING = `SELECT m.document, d.key, m.date, m.connection, coalesce(p.days, 0) AS days,
    m.party, m.form, m.cut, m.customer, m.names, m.says, m.how, m.rule, m.why, m.was, m.note,
    (SELECT total(r.amount) FROM matching r WHERE r.of = d.key) AS back, m.amount AS whole`

const FITTING = "SELECT d.key, p.number, p.issued, p.due, p.party, p.form, p.customer"

/** Payments that wait and invoices that fit, of one payer. */
const OF_ONE = {
  payments: `${WAITING} FROM matching m JOIN document d ON d.id = m.document LEFT JOIN paying p ON p.connection = m.connection
    WHERE m.free = 1 AND m.pays = ? AND m.currency = ? AND m.amount = ?`,
  invoices: `${FITTING} FROM payable p JOIN document d ON d.id = p.invoice
    WHERE p.connection = ? AND p.currency = ? AND p.open = ? AND p.payable = 1 AND p.open > 0`
}

/** The same of the names of many groups: of each group its place in a list as JSON. */
const OF_MANY = {
  payments: `${WAITING}, g.key AS n FROM json_each(?) g
    CROSS JOIN matching m ON m.free = 1 AND m.pays = g.value ->> 0 AND m.currency = g.value ->> 1
      AND m.amount = CAST(g.value ->> 2 AS INTEGER) AND m.party = g.value ->> 3
    CROSS JOIN document d ON d.id = m.document LEFT JOIN paying p ON p.connection = m.connection`,
  invoices: `${FITTING}, g.key AS n FROM json_each(?) g
    CROSS JOIN payable p ON p.connection = g.value ->> 0 AND p.currency = g.value ->> 1
      AND p.open = CAST(g.value ->> 2 AS INTEGER) AND p.party = g.value ->> 3 AND p.payable = 1 AND p.open > 0
    CROSS JOIN document d ON d.id = p.invoice`
}

interface Gathered {
  readonly payments: ReadonlyArray<Waiting>
  readonly invoices: ReadonlyArray<Amounts.Fitting>
}

/** All payments and invoices that can be reached from one payer by names, ids, cut names, and what people said of payers. */
const reached = (db: Db, { amount, currency, party, pays }: Group, aliases: Aliases): Gathered => {
  const minor = BigInt(amount)
  const payments = new Map<string, Waiting>()
  const invoices = new Map<string, Amounts.Fitting>()
  const seen = { name: new Set<string>(), customer: new Set([""]) }
  const all = (sql: string, ...values: ReadonlyArray<unknown>) => db.prepare(sql).all(pays, currency, minor, ...values)
  const take = (
    { fitting, waiting }: { readonly waiting?: string; readonly fitting?: string },
    ...values: ReadonlyArray<unknown>
  ) => {
    for (const row of waiting === undefined
      ? []
      : (all(`${OF_ONE.payments} AND ${waiting}`, ...values) as Array<Waiting>)) {
      payments.set(row.key, row)
      next.push(row)
    }
    for (const row of fitting === undefined
      ? []
      : (all(`${OF_ONE.invoices} AND ${fitting}`, ...values) as Array<Amounts.Fitting>)) {
      invoices.set(row.key, row)
      next.push({ ...row, cut: 0 })
    }
  }
  const next: Array<Pick<Amounts.Payer, "party" | "customer"> & Partial<Amounts.Payer>> = [payerOfSeed(party)]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (!seen.customer.has(one.customer)) {
      seen.customer.add(one.customer)
      take({ waiting: "m.customer = ?" }, one.customer)
      take({ fitting: "p.customer = ? AND p.customer <> ''" }, one.customer)
    }
    const { cut = 0, form = "" } = one
    const name = `${one.party} ${form} ${cut}`
    if (one.party === "" || seen.name.has(name)) continue
    seen.name.add(name)
    take({ waiting: "m.party = ?", fitting: "p.party = ?" }, one.party)
    for (const { party } of aliases.by.get(one.party) ?? []) next.push({ party, customer: "" })
    for (const { name } of aliases.of.get(one.party) ?? []) next.push({ party: name, customer: "" })
    take(
      { waiting: "m.cut = 1 AND m.party IN (SELECT value FROM json_each(?))" },
      JSON.stringify(beginnings(letters({ party: one.party, form })))
    )
    if (cut !== 1) continue
    take({ fitting: "p.party >= ? AND p.party < ?" }, one.party, `${one.party}\u{10ffff}`)
    take({ fitting: "p.party IN (SELECT value FROM json_each(?))" }, JSON.stringify(beginnings(one.party)))
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
  const around = aroundOf(db)
  const isByName = ({ party, pays }: Group) =>
    party !== "" &&
    !around.wide.has(pays) &&
    payerOfSeed(party).customer === "" &&
    !around.aliases.by.has(party) &&
    !around.aliases.of.has(party)
  const byName = groups.filter(isByName)
  for (const [n, found] of named(db, byName).entries()) decideGroup(db, around, byName[n] as Group, found)
  for (const group of groups)
    if (!isByName(group) && (group.party !== "" || around.wide.has(group.pays)))
      decideGroup(db, around, group, reached(db, group, around.aliases))
  around.later.flush()
  db.prepare("DELETE FROM to_group WHERE (pays, currency, amount, party) <= (?, ?, ?, ?)").run(
    last.pays,
    last.currency,
    BigInt(last.amount),
    last.party
  )
  return groups.length === most
}

interface Around {
  readonly later: Later
  readonly aliases: Aliases
  /** Connections whose payers may have several names: by id, or because banks cut them. */
  readonly wide: ReadonlySet<string>
  readonly standing: boolean
  /** Whether people said of payments that they are for no invoice. */
  readonly notOurs: boolean
  /** By connection. */
  readonly limits: ReadonlyMap<string, MatchLimits>
  readonly limited: ReadonlySet<string>
}

const aroundOf = (db: Db): Around => ({
  later: laterRows(db),
  aliases: aliasesIn(db),
  wide: new Set(
    db
      .prepare("SELECT pays FROM paying WHERE by_id = 1 UNION SELECT pays FROM matching WHERE cut = 1")
      .pluck()
      .all() as ReadonlyArray<string>
  ),
  standing: db.prepare("SELECT 1 FROM standing LIMIT 1").get() !== undefined,
  notOurs: db.prepare("SELECT 1 FROM not_ours LIMIT 1").get() !== undefined,
  limits: limitsOf(db),
  limited: limitedIn(db)
})

const documentOf = (db: Db, document: number): Payment =>
  Body.read(db.prepare("SELECT body FROM document WHERE id = ?").pluck().get(document) as string) as Payment

/** Whether a person said of a payment like this one that it is for no invoice. */
const isOfNone = (db: Db, pays: string, { document, key }: Waiting): boolean =>
  isNotOurs(db, key, pays, documentOf(db, document))

/** What people said of the payers of these payments. */
const aliasesOfAll = (db: Db, aliases: Aliases, payments: ReadonlyArray<Waiting>) =>
  new Map(
    payments.flatMap(({ connection, document, key, party }) => {
      if (!aliases.by.has(party)) return []
      return [[key, aliasesOf(aliases, connection, documentOf(db, document))] as const]
    })
  )

/** Invoices of the payer, under any of its names, that asked for this amount, of which nothing is open any more. */
const paidBefore = (
  db: Db,
  { amount, currency, pays }: Group,
  { customer, cut, party }: Waiting,
  aliases: Aliases
): ReadonlyArray<Amounts.Fitting> => {
  const find = (payer: string, ...values: ReadonlyArray<string>) =>
    db
      .prepare(
        `${FITTING} FROM payable p JOIN document d ON d.id = p.invoice WHERE p.connection = ? AND p.currency = ? AND p.base = ?
          AND p.open <= 0 AND p.payable = 1 AND ${payer} ORDER BY d.key LIMIT 50`
      )
      .all(pays, currency, BigInt(amount), ...values) as ReadonlyArray<Amounts.Fitting>
  const names = [party, ...(aliases.by.get(party) ?? []).map((one) => one.party)].filter((name) => name !== "")
  const found = [
    ...(names.length === 0 ? [] : find("p.party IN (SELECT value FROM json_each(?))", JSON.stringify(names))),
    ...(cut === 0 || party === "" ? [] : find("p.party >= ? AND p.party < ?", party, `${party}\u{10ffff}`)),
    ...(customer === "" ? [] : find("p.customer = ?", customer))
  ]
  return [...new Map(found.map((one) => [one.key, one])).values()]
}

type Said = Pick<Amounts.WaitingPayment, "said" | "unknown" | "elsewhere">

/** The numbers in a payment's text, those that no invoice has, and why it is for another one. */
const saidBy = (db: Db, group: Group, { names, ...payment }: Waiting, aliases: Aliases): Said => {
  const said = JSON.parse(names) as ReadonlyArray<string>
  return {
    said,
    unknown: unknownOf(db, group.pays, said),
    elsewhere: meantElsewhere(db, group, { ...payment, said }, aliases)
  }
}

const decideGroup = (db: Db, around: Around, group: Group, { invoices, payments }: Gathered): void => {
  const { amount, currency, pays } = group
  if (payments.length === 0) return
  const { later, limits } = around
  if (around.limited.has(pays)) for (const { party } of payments) explainLater(db, pays, party)
  const whole = Currency.ofMinor(BigInt(amount), currency)
  const keys = payments.map(({ key }) => key)
  const stands = around.standing ? standingOn(db, keys, { amount: whole, currency, pays }) : new Map<string, string>()
  const fits = Whose.fitting(db, pays, aliasesOfAll(db, around.aliases, payments))
  const said = new Map(payments.map((one) => [one.key, saidBy(db, group, one, around.aliases)] as const))
  const decided = Amounts.byAmount(
    payments.map((one) => ({
      ...one,
      ...entryOf(said, one.key),
      returned: one.back >= one.whole,
      oldest: limits.get(one.connection)?.undesignated === "oldest",
      stands: one.how === "" ? undefined : stands.get(one.key)
    })),
    invoices,
    fits,
    claimedOf(db, group, invoices, payments)
  )
  const taken = new Set([...decided.values()].filter((found) => typeof found === "string"))
  for (const payment of payments) {
    const { back, document, key, says } = payment
    const found = entryOf(decided, key)
    const isFound = typeof found === "string"
    const invoice = invoices.find((one) => one.key === found)
    const open = invoices.filter((one) => fits(payment, one) !== undefined)
    const others = open.filter((one) => !taken.has(one.key))
    const held = invoice && heldUp(db, later, payment, { invoice, others, stands: stands.has(key) })
    const shares = isFound && held === undefined ? [{ invoice: found, amount: whole }] : []
    const before = isFound || found.length > 0 ? [] : paidBefore(db, group, payment, around.aliases)
    const paid = before.filter((one) => fits(payment, one) !== undefined)
    const own = [...open, ...paid]
    const isNotOurs = around.notOurs && own.length === 0 && says === "" && isOfNone(db, pays, payment)
    // What the books explain stays until it no longer adds up: others of its day may be decided again as well.
    if (!isFound && !isNotOurs && isExplained(payment)) {
      explainLater(db, pays, payment.party)
      continue
    }
    const why =
      isFound || isNotOurs
        ? held?.why
        : unplaced(db, payment, {
            ...{ found, own, said: entryOf(said, key) },
            taken: new Set([...taken, ...paid.map(({ key }) => key)])
          })
    if (why !== undefined && later.areJoined()) {
      explainLater(db, pays, payment.party)
      explainStrangers(db, pays)
    }
    const how = shares.length > 0 ? (invoice && fits(payment, invoice)) || payment.how : isNotOurs ? "none" : ""
    const rule = payment.customer === "" ? "M3" : "M6"
    // Should its payer turn out to be a customer, it is decided again.
    const all = isNotOurs ? { whole, doubt: true } : {}
    place(db, later, { document, before: payment }, currency, { how, shares, rule, why, free: true, says, ...all })
    const followed = back > 0 ? followers(db, key, { currency, memory: noLookups(), pays }) : []
    placeBack(db, later, { document, key, amount: whole, back: followed, twin: held?.twin }, how, shares)
  }
}

const isExplained = ({ how, note }: Waiting): boolean => how === "amount" && note !== ""

/** Why it has no invoice, for the invoices among which a person must choose. */
const unplaced = (
  db: Db,
  payment: Waiting,
  {
    found,
    own,
    said,
    taken
  }: {
    readonly found: ReadonlyArray<string>
    readonly own: ReadonlyArray<Amounts.Fitting>
    readonly said: Said
    readonly taken: ReadonlySet<string>
  }
): string => {
  const names = MatchRules.names(found)
  const open = own.filter(({ key }) => found.includes(key))
  const [another] = open.flatMap((one) => Amounts.namesAnother(said, one) ?? [])
  if (another !== undefined)
    return `its reference names ${another}, which is not in the books; it could be for ${names}`
  if (said.elsewhere !== undefined && open.length > 0) return `${said.elsewhere}; it could be for ${names}`
  const begins = payment.says || withoutNumber(db, payment.document)
  if (found.length === 0) return `${begins}, and ${Amounts.unfitting(payment, own, taken)}`
  return found.length === 1
    ? `${begins}, and another payment could also be for ${names}`
    : `${begins}; it could be for ${names}`
}
