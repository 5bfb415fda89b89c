/**
 * Matches payments that the books have in parts (`Booked.ts`), or within the limits that a person wrote into the configuration (`match.fee`, `match.discount`,
 * `match.several`): an amount that is no open invoice's, and that only one explanation leaves. All payments of a payer that
 * nothing else explains are looked at together: if two of them may be for the same invoice, a person is asked, and while an
 * earlier one is unexplained, later ones wait.
 */
import { textOf, withoutNumber } from "./References.ts"
import type { Payment } from "../../connectors/Document.ts"
import { countIn } from "../../connectors/SumText.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { MatchLimits } from "../model/Connection.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { aliasesIn, aliasesOf } from "./Aliases.ts"
import type { Payer } from "./Amounts.ts"
import * as Booked from "./Booked.ts"
import { place, placeBack } from "./Place.ts"
import { type Later, laterRows } from "./Later.ts"
import { isHeldByAmount, noLookups, unknownOf } from "./Lookups.ts"
import { bySums, type Explanation, namedOpen, once, ownOpen, type Unplaced, withOthers } from "./Proposals.ts"
import { type Before, followers } from "./Resolve.ts"
import * as MatchRules from "./Rules.ts"
import { hundredths, isEarly } from "./Sums.ts"
import { limitsOf, type Payable } from "./Tables.ts"
import { isAnother, namesCreditNote } from "./Texts.ts"

interface Row extends Before, Payer {
  readonly document: number
  readonly key: string
  readonly connection: string
  readonly currency: string
  readonly amount: string
  readonly date: Day
  readonly body: string
  readonly note: string
  readonly free: 0 | 1
  /** Whether its payer is a customer. */
  readonly known: 0 | 1
}

const CUSTOMER = "SELECT 1 FROM payable p WHERE p.connection = m.pays AND p.party = m.party AND m.party <> ''"

const ROWS = `SELECT m.document, d.key, m.connection, m.currency, CAST(m.amount AS TEXT) AS amount, m.date, m.party, m.form, m.cut,
    m.customer, m.how, m.rule, m.why, m.was, m.note, m.free, d.body, EXISTS (${CUSTOMER}) AS known
  FROM matching m JOIN document d ON d.id = m.document
  WHERE (m.why IS NOT NULL OR m.note <> '') AND m.pays = ? AND m.party = ? AND m.back = 0 AND m.says = ''
    AND NOT (m.free = 0 AND EXISTS (SELECT 1 FROM standing s WHERE s.payment = d.key AND s.kept = 1))
    AND (m.free = 1 OR m.rule = 'M2' OR m.how = 'amount' OR m.party = '' AND (m.rule = 'M3' OR m.note <> ''))
  ORDER BY m.date, d.key`

/** Whether its text names an invoice, and the amount says that it is for more. */
const isNaming = ({ free, how, party, rule }: Row): boolean =>
  free === 0 && party !== "" && (rule === "M2" || how === "amount")

/** The payers of those without an invoice who are no customers. */
const STRANGERS = `SELECT DISTINCT m.party FROM paying y CROSS JOIN matching m ON m.connection = y.connection AND m.matched <> m.amount
  WHERE y.pays = ? AND m.pays = y.pays AND m.back = 0 AND m.rule = 'M3' AND m.says = ''
    AND NOT EXISTS (${CUSTOMER}) ORDER BY m.party`

/** Explanations within the limits of a connection. */
export const withinLimits = (
  of: Pick<Unplaced, "amount" | "currency">,
  date: Day,
  open: ReadonlyArray<Payable>,
  limits: MatchLimits
): ReadonlyArray<Explanation> => {
  const { discount, fee, several, undesignated } = limits
  const issued = new Map(open.map((one) => [one.key, one.issued]))
  const asked = new Map(open.map((one) => [one.key, BigInt(one.open)]))
  const able = bySums(open, of).filter(({ how, parts, percent }) => {
    const [{ amount, key } = { amount: 0n, key: "" }] = parts
    if (how === "several")
      return several !== undefined && parts.length <= several && (undesignated === "oldest" || areTold(parts, open))
    if (how === "fee")
      return fee !== undefined && Currency.ofMinor((asked.get(key) ?? 0n) - amount, of.currency) <= Decimal.of(fee)
    return (
      discount !== undefined &&
      (percent ?? 0n) <= hundredths(discount.percent) &&
      isEarly(issued.get(key) ?? "", date, discount.days)
    )
  })
  return once(able)
}

/** Whether none of these is as good as another open invoice that asks for as much. */
const areTold = (parts: Explanation["parts"], open: ReadonlyArray<Payable>): boolean =>
  parts.every(({ amount }) => {
    const like = (one: { readonly amount: bigint }) => one.amount === amount
    return open.filter((one) => BigInt(one.open) === amount).length === parts.filter(like).length
  })

/**
 * What names an invoice that another payment of its payer has, by the amount alone: it is for the next one of that amount. To the service
 * it is the same which of them has which, and what is reported stays.
 */
const instead = (db: Db, own: ReadonlyArray<Payable>, of: Unplaced): ReadonlyArray<Explanation> => {
  const isHeld = MatchRules.namesIn(textOf(of.document)).some(({ name }) => isHeldByAmount(db, of, name))
  const next = isHeld ? own.find(({ open }) => BigInt(open) === of.amount) : undefined
  return next === undefined
    ? []
    : [{ parts: [{ key: next.key, amount: of.amount }], why: "another payment of the same payer has what it names" }]
}

/** What names some of the payer's invoices and is for more of them, whose numbers a bank cut or the payer wrote in short. */
const naming = (
  db: Db,
  own: ReadonlyArray<Payable>,
  of: Unplaced,
  { several = 0, undesignated }: MatchLimits
): ReadonlyArray<Explanation> =>
  namesCreditNote(textOf(of.document))
    ? []
    : [
        ...withOthers(db, own, of).filter(({ parts }) => parts.length <= several),
        ...(undesignated === "oldest" ? instead(db, own, of) : [])
      ]

/** Invoices that payments of their exact amount have, which is not taken off what is open of them. */
const takenByAmount = (db: Db, invoices: ReadonlyArray<Payable>): ReadonlySet<string> =>
  new Set(
    db
      .prepare(
        `SELECT a.invoice FROM json_each(?) k CROSS JOIN allocation a ON a.invoice = k.value CROSS JOIN matching m
          ON m.document = a.document WHERE m.how IN ('amount', 'customer') AND m.note = '' AND m.back = 0`
      )
      .pluck()
      .all(JSON.stringify(invoices.map(({ key }) => key))) as ReadonlyArray<string>
  )

/** M2 and M3 within limits: explains payments of some payers, and returns whether there may be more. */
export const explainSome = (db: Db, most: number): boolean => {
  const payers = db.prepare("SELECT pays, party FROM to_explain LIMIT ?").all(most) as ReadonlyArray<{
    readonly pays: string
    readonly party: string
  }>
  if (payers.length === 0) return false
  const limits = limitsOf(db)
  for (const { party, pays } of payers) {
    const others = party === "" ? (db.prepare(STRANGERS).pluck().all(pays) as ReadonlyArray<string>) : [party]
    for (const one of others) explainPayer(db, { pays, party: one, limits })
    db.prepare("DELETE FROM to_explain WHERE pays = ? AND party = ?").run(pays, party)
  }
  return payers.length === most
}

interface Explained {
  readonly row: Row
  readonly all: ReadonlyArray<Explanation>
  /** What the books have of it. */
  readonly booked?: Booked.InBooks | undefined
}

const asExplained = ({ note, shares }: Booked.InBooks, currency: string): Explanation => ({
  why: note,
  parts: shares.map(({ amount, invoice }) => ({ key: invoice, amount: Currency.toMinorOutward(amount, currency) }))
})

/** What the books have of it, by its payer; where that is no customer and nobody said whose payer it is, of a day. */
const inBooks = (
  db: Db,
  came: Booked.Came,
  names: ReadonlySet<string>,
  { body, customer, known }: Row
): Booked.InBooks | undefined => {
  const found = Booked.asBefore(db, came) ?? Booked.ofPayer(db, came, names)
  if (found !== undefined || known === 1 || customer !== "") return found
  const text = textOf(Body.read(body) as Payment)
  // A bank's line for many payments belongs to no single payer, even if somebody assigned an earlier one to a customer.
  return names.size === 1 || countIn(text) > 0 ? Booked.ofDay(db, came, text) : undefined
}

/** A payment, the payer's open invoices, and whether its text names one that the books do not have. */
interface Looked {
  readonly row: Row
  readonly of: Unplaced
  readonly own: ReadonlyArray<Payable>
  readonly isElsewhere: boolean
}

const looked = (db: Db, pays: string, rows: ReadonlyArray<Row>): ReadonlyArray<Looked> => {
  const aliases = aliasesIn(db)
  return rows.map((row) => {
    const { amount, connection, currency, cut, customer, form, party } = row
    const document = Body.read(row.body) as Payment
    const payer = { cut, customer, form, party }
    const theirs = { payer, aliases: aliasesOf(aliases, connection, document) }
    const of: Unplaced = { pays, currency, amount: BigInt(amount), ...theirs, document }
    const own = ownOpen(db, of)
    const names = MatchRules.namesIn(textOf(document)).map(({ name }) => name)
    // A number like theirs: none of them replaces it. The beginning of one of theirs is cut.
    const unknown = unknownOf(db, pays, names).filter((name) => own.every(({ number }) => !number.startsWith(name)))
    return { row, of, own, isElsewhere: own.some(({ number }) => unknown.some((name) => isAnother(name, number))) }
  })
}

/** What may explain each of these payments. */
const explanations = (
  db: Db,
  pays: string,
  rows: ReadonlyArray<Row>,
  limits: ReadonlyMap<string, MatchLimits>
): ReadonlyArray<Explained> => {
  const { areJoined } = laterRows(db)
  const all = looked(db, pays, rows)
  // What one payment names is not another's that names none.
  const named = new Set(all.flatMap(({ of, row }) => (isNaming(row) ? namedOpen(db, of).map(({ key }) => key) : [])))
  return all.map(({ isElsewhere, of, own, row }) => {
    const within = limits.get(row.connection) ?? {}
    const taken = takenByAmount(db, own)
    const open = own.filter(({ key }) => !taken.has(key))
    if (isElsewhere) return { row, all: [] }
    if (isNaming(row)) return { row, all: naming(db, open, of, within) }
    if (own.some((one) => BigInt(one.open) === of.amount)) return { row, all: [] }
    const whole = Currency.ofMinor(of.amount, of.currency)
    const names = new Set([row.party, ...of.aliases.map((one) => one.party)])
    const booked = areJoined()
      ? inBooks(db, { ...of, amount: whole, key: row.key, date: row.date }, names, row)
      : undefined
    const some = withinLimits(
      of,
      row.date,
      open.filter(({ key }) => !named.has(key)),
      within
    )
    return { row, booked, all: booked === undefined ? some : [...some, asExplained(booked, of.currency)] }
  })
}

const explainPayer = (
  db: Db,
  {
    limits,
    party,
    pays
  }: { readonly pays: string; readonly party: string; readonly limits: ReadonlyMap<string, MatchLimits> }
): void => {
  const rows = db.prepare(ROWS).all(pays, party) as ReadonlyArray<Row>
  if (rows.length === 0) return
  const later = laterRows(db)
  const explained = explanations(db, pays, rows, limits)
  const wanted = new Map<string, number>()
  for (const { all } of explained)
    for (const key of new Set(all.flatMap(({ parts }) => parts.map((part) => part.key))))
      wanted.set(key, (wanted.get(key) ?? 0) + 1)
  let isWaiting = false
  for (const { all, booked, row } of explained) {
    const [only, another] = all
    const isCertain: boolean =
      (!isWaiting || booked !== undefined || isNaming(row)) &&
      only !== undefined &&
      another === undefined &&
      only.parts.every(({ key }) => wanted.get(key) === 1)
    isWaiting = isWaiting || (!isCertain && !isNaming(row))
    if (isCertain) put(db, later, pays, row, only)
    else if (row.note !== "") put(db, later, pays, row)
  }
  later.flush()
}

/** Places a payment as it is explained, or on nothing if it no longer is, and what went back of it. */
const put = (db: Db, later: Later, pays: string, row: Row, explained?: Explanation): void => {
  const { currency, document, key } = row
  const how = explained === undefined ? "" : "amount"
  const shares = (explained?.parts ?? []).map(({ amount, key }) => ({
    invoice: key,
    amount: Currency.ofMinor(amount, currency)
  }))
  const why =
    explained === undefined
      ? `${isNaming(row) ? "it names only some of what it is for" : withoutNumber(db, document)}, and what it was matched with before no longer adds up`
      : undefined
  const note = explained?.why ?? ""
  const isFree = row.party !== "" && !isNaming(row)
  const rule = isNaming(row) ? "M2" : "M3"
  place(db, later, { document, before: row }, currency, { how, shares, rule, why, free: isFree, note })
  const amount = Currency.ofMinor(BigInt(row.amount), currency)
  const back = followers(db, key, { currency, memory: noLookups(), pays })
  placeBack(db, later, { document, key, amount, back }, how, shares)
}
