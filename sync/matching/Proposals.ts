/**
 * How a payment that no rule could place may be explained, with the arithmetic, for a person to confirm: several invoices in one
 * transfer, an early payment discount, a fee that a bank kept, a little too much. Decides nothing. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Db } from "../state/Database.ts"
import { aliasesIn, aliasesOf } from "./Aliases.ts"
import type { Payer } from "./Amounts.ts"
import { invoicesNumbered, noLookups } from "./Lookups.ts"
import { isAlike } from "../model/PayerName.ts"
import { textOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"
import * as Sums from "./Sums.ts"
import { PAYABLE, type Payable } from "./Tables.ts"
import { isDate, isOtherNumber, shortEnds, shortForms } from "./Texts.ts"
import { type Theirs, relationTo } from "./Whose.ts"

/** Invoices that a payment may be for, with what of it is for each, and why. */
export interface Explanation {
  readonly parts: ReadonlyArray<Sums.Part>
  readonly why: string
}

/** What a proposal is made from. */
export interface Unplaced extends Theirs {
  readonly currency: string
  /** In minor units. */
  readonly amount: bigint
  readonly document: Payment
}

interface Row extends Payer {
  readonly pays: string
  readonly currency: string
  readonly amount: string
}

/** What is known of an unmatched payment. */
export const unplaced = (db: Db, key: string, document: Payment): Unplaced | undefined => {
  const row = db
    .prepare(
      `SELECT m.pays, m.currency, CAST(m.amount AS TEXT) AS amount, m.party, m.form, m.cut, m.customer FROM document d
        JOIN matching m ON m.document = d.id WHERE d.key = ?`
    )
    .get(key) as Row | undefined
  if (row === undefined) return undefined
  const { amount, currency, cut, customer, form, party, pays } = row
  const aliases = aliasesOf(aliasesIn(db), key.slice(0, key.indexOf("/")), document)
  return { pays, currency, amount: BigInt(amount), payer: { cut, customer, form, party }, aliases, document }
}

/** More open invoices of one customer are not searched. */
const MOST_OPEN = 40

/** The open invoices of the payer, the oldest first. */
export const ownOpen = (db: Db, theirs: Unplaced): ReadonlyArray<Payable> => {
  const { aliases, currency, payer, pays } = theirs
  const parties = [...new Set([payer.party, ...aliases.map(({ party }) => party)])].filter((party) => party !== "")
  // The plus keeps SQLite to the index of the payer's name.
  const open = `p.connection = ? AND +p.currency = ? AND +p.payable = 1 AND +p.open > 0`
  const end = `ORDER BY p.due, p.issued, d.key LIMIT ${MOST_OPEN}`
  const from = `SELECT ${PAYABLE} FROM payable p JOIN document d ON d.id = p.invoice`
  const rows = [
    ...db
      .prepare(`${from} WHERE ${open} AND p.party IN (SELECT value FROM json_each(?)) ${end}`)
      .all(pays, currency, JSON.stringify(parties)),
    ...(payer.cut === 0
      ? []
      : db
          .prepare(`${from} WHERE ${open} AND p.party >= ? AND p.party < ? ${end}`)
          .all(pays, currency, payer.party, `${payer.party}\u{10ffff}`)),
    ...(payer.customer === ""
      ? []
      : db
          .prepare(`${from} WHERE ${open} AND p.customer = ? AND p.customer <> '' ${end}`)
          .all(pays, currency, payer.customer))
  ] as ReadonlyArray<Payable>
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return [...byKey.values()].filter((invoice) => relationTo(db, theirs, invoice) === "own")
}

/** The open invoices that a text names, in short as well. */
export const namedOpen = (db: Db, theirs: Unplaced): ReadonlyArray<Payable> => {
  const { currency, document, pays } = theirs
  const memory = noLookups()
  const text = textOf(document)
  const found = new Map<string, Payable>()
  const used: Array<MatchRules.Name> = []
  for (const name of MatchRules.namesIn(text)) {
    if (used.some(({ from, to }) => name.from <= to && name.to >= from)) continue
    const [one, another] = invoicesNumbered(db, memory, pays, name.name)
    if (one === undefined || another !== undefined) continue
    const isUncertain = name.weak || isDate(name.name, document.date) || isOtherNumber(text, name)
    if (isUncertain && !["own", "unknown"].includes(relationTo(db, theirs, one))) continue
    used.push(name)
    const inShort = shortForms(text, name).flatMap((number) => invoicesNumbered(db, memory, pays, number))
    for (const invoice of [one, ...inShort.filter((other) => relationTo(db, theirs, other) === "own")])
      if (invoice.currency === currency && invoice.payable === 1 && BigInt(invoice.open) > 0n)
        found.set(invoice.key, invoice)
  }
  return [...found.values()]
}

/** A fee that banks take of a transfer is at most this, in major units. */
const FEE = 15n

const openOf = (invoices: ReadonlyArray<Payable>): ReadonlyArray<Sums.OpenPart> =>
  invoices.map(({ key, open }) => ({ key, open: BigInt(open) }))

const MOST_SETS = 100

/** Sets of these invoices, of which each ends with one of these digits, in their order. */
const ending = (ends: ReadonlyArray<string>, invoices: ReadonlyArray<Payable>): ReadonlyArray<ReadonlyArray<Payable>> =>
  ends.reduce<ReadonlyArray<ReadonlyArray<Payable>>>(
    (sets, end) => {
      const able = invoices.filter(({ number }) => number.endsWith(end))
      return sets
        .flatMap((some) => able.filter((one) => !some.includes(one)).map((one) => [...some, one]))
        .slice(0, MOST_SETS)
    },
    [[]]
  )

const sumOf = (some: ReadonlyArray<Payable>): bigint => some.reduce((sum, { open }) => sum + BigInt(open), 0n)

const wholes = (some: ReadonlyArray<Payable>): ReadonlyArray<Sums.Part> =>
  some.map(({ key, open }) => ({ key, amount: BigInt(open) }))

/**
 * The payer's invoices that a text names, with the only others that make up the amount: those whose numbers it has in short, `1047/51`, or
 * where a bank cut it, whichever they are.
 *
 * @param own the payer's open invoices, the oldest first
 */
export const withOthers = (db: Db, own: ReadonlyArray<Payable>, of: Unplaced): ReadonlyArray<Explanation> => {
  const all = namedOpen(db, of)
  const named = own.filter(({ key }) => all.some((one) => one.key === key))
  const rest = of.amount - sumOf(named)
  if (named.length === 0 || named.length < all.length || rest <= 0n) return []
  const others = own.filter((one) => !named.includes(one))
  const text = textOf(of.document)
  const [ends = []] = MatchRules.namesIn(text)
    .map((name) => shortEnds(text, name))
    .toSorted((a, b) => b.length - a.length)
  const sets = (ends.length > 0 ? ending(ends, others) : others.map((one) => [one])).filter(
    (some) => sumOf(some) === rest
  )
  const [only, another] = sets
  const found =
    only === undefined && ends.length === 0
      ? Sums.subsetOf(openOf(others), rest)
      : another === undefined && only !== undefined
        ? wholes(only)
        : undefined
  return found === undefined
    ? []
    : [{ parts: [...wholes(named), ...found], why: "with others of the payer, what it names is exactly the sum" }]
}

/** Explanations by the invoices that it names. */
const byName = (all: ReadonlyArray<Payable>, { amount, currency }: Unplaced): ReadonlyArray<Explanation> => {
  if (all.length === 0) return []
  const say = (minor: bigint) => Currency.say(Currency.ofMinor(minor, currency), currency)
  const invoices = openOf(all)
  const total = sumOf(all)
  const parts = wholes(all)
  if (amount === total) return [{ parts, why: "it names them, and is their sum" }]
  if (amount > total)
    return [{ parts, why: `it names ${all.length === 1 ? "it" : "them"}, and is ${say(amount - total)} more` }]
  const discount = Sums.discountOf(invoices, amount)
  if (discount !== undefined)
    return [
      {
        parts: discount.parts,
        why: `it names ${all.length === 1 ? "it" : "them"}, less ${Sums.sayPercent(discount.percent)} % discount`
      }
    ]
  const [only] = invoices
  if (only === undefined || invoices.length > 1) return []
  return [{ parts: [{ key: only.key, amount }], why: `it names it, and is ${say(total - amount)} less` }]
}

/** Explanations by what the payer's open invoices ask for. */
export const bySums = (
  own: ReadonlyArray<Payable>,
  { amount, currency }: Pick<Unplaced, "amount" | "currency">
): ReadonlyArray<Explanation & { readonly how: "several" | "discount" | "fee"; readonly percent?: bigint }> => {
  const say = (minor: bigint) => Currency.say(Currency.ofMinor(minor, currency), currency)
  const invoices = openOf(own)
  const several = Sums.subsetOf(invoices, amount)
  const fee = FEE * 10n ** BigInt(Currency.decimals(currency))
  return [
    ...(several === undefined
      ? []
      : [{ how: "several" as const, parts: several, why: `${several.length} open invoices add up to it` }]),
    ...invoices.flatMap((one) => {
      const discount = Sums.discountOf([one], amount)
      return discount === undefined
        ? []
        : [
            {
              how: "discount" as const,
              percent: discount.percent,
              parts: discount.parts,
              why: `${say(one.open)} less ${Sums.sayPercent(discount.percent)} % discount`
            }
          ]
    }),
    ...invoices.flatMap((one) =>
      one.open > amount && one.open - amount <= fee
        ? [
            {
              how: "fee" as const,
              parts: [{ key: one.key, amount }],
              why: `${say(one.open)} less ${say(one.open - amount)}, as a fee of a bank`
            }
          ]
        : []
    )
  ]
}

/** Open invoices of exactly this amount, of customers whose names are like the payer's. */
const byAlike = (db: Db, { amount, currency, payer, pays }: Unplaced): ReadonlyArray<Explanation> =>
  payer.party === ""
    ? []
    : (
        db
          .prepare(
            `SELECT ${PAYABLE} FROM payable p JOIN document d ON d.id = p.invoice
              WHERE p.connection = ? AND p.currency = ? AND p.open = ? AND p.open > 0 AND p.payable = 1 ORDER BY p.due, d.key LIMIT 200`
          )
          .all(pays, currency, amount) as ReadonlyArray<Payable>
      )
        .filter((invoice) => isAlike(payer, invoice))
        .map(({ key }) => ({ parts: [{ key, amount }], why: "its customer's name is like the payer's" }))

/** How a payment may be explained, the likeliest first. */
export const proposals = (db: Db, of: Unplaced): ReadonlyArray<Explanation> => {
  const own = ownOpen(db, of)
  const all = [...withOthers(db, own, of), ...byName(namedOpen(db, of), of), ...bySums(own, of), ...byAlike(db, of)]
  return once(all)
}

/** What two arithmetics say alike, once. */
export const once = <A extends Explanation>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at)

const isSame = (a: Explanation, b: Explanation): boolean =>
  a.parts.length === b.parts.length &&
  a.parts.every((part, at) => part.key === b.parts[at]?.key && part.amount === b.parts[at]?.amount)
