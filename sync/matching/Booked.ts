/**
 * What one list states whole and the books have in parts: a transfer for several invoices, of which the books have a payment for each, or
 * the books' payment for several invoices, which came in as several. And what the books have whole and a bank took its fee of. It is the
 * same money. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import { countIn } from "../../connectors/SumText.ts"
import * as Currency from "../../core/money/Currency.ts"
import { type Decimal, sum as total } from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { LATE } from "../movements/Join.ts"
import { isFee } from "../movements/Limits.ts"
import type * as MatchRules from "./Rules.ts"
import * as Sums from "./Sums.ts"

/** What the books have of a payment on one invoice. */
export interface Booked {
  /** The key of the books' payment. */
  readonly payment: string
  readonly date: string
  readonly invoice: string
  readonly amount: Decimal
  /** It is for other invoices as well. */
  readonly isPart: boolean
}

/** A payment of another list. */
export interface Came {
  readonly amount: Decimal
  readonly key: string
  readonly pays: string
  readonly currency: string
  readonly date: string
}

/** How many days before and after the money came the books may have it: as `Join.ts` has it by the payer. */
const NEAR = "s.date BETWEEN date(:date, '-4 days') AND date(:date, '+10 days')"
/** Where its text says the same, or nothing nearer comes to the amount: people book late. */
const FAR = `s.date BETWEEN date(:date, '${LATE.earliest} days') AND date(:date, '+${LATE.latest} days')`

/** Of payments of the books that no other list's payment is the same as. */
const UNJOINED = `s.list = s.family AND s.leader IS NULL AND s.currency = :currency
  AND NOT EXISTS (SELECT 1 FROM sighting f WHERE f.leader = s.document AND f.how <> 'doubt')`

const ofPayers = (days: string) =>
  `SELECT d.key, d.body FROM json_each(:names) n CROSS JOIN sighting s ON s.family = :pays AND s.party = n.value AND ${days}
    JOIN document d ON d.id = s.document WHERE ${UNJOINED} ORDER BY s.date, d.key LIMIT 100`

const OF_ALL = `SELECT d.key, d.body FROM sighting s JOIN document d ON d.id = s.document
    WHERE s.family = :pays AND s.list = :pays AND ${NEAR} AND ${UNJOINED} ORDER BY s.date, d.key LIMIT 1000`

const ON_INVOICES = `SELECT DISTINCT d.key, d.body FROM json_each(:names) n CROSS JOIN allocation a ON a.invoice = n.value AND a.amount IS NULL
    CROSS JOIN sighting s ON s.document = a.document AND s.family = :pays AND ${FAR}
    JOIN document d ON d.id = s.document WHERE ${UNJOINED} ORDER BY s.date, d.key LIMIT 100`

const booked = (db: Db, sql: string, came: Came, names: Iterable<string>): ReadonlyArray<Booked> => {
  const { currency, date, key, pays } = came
  const rows = db.prepare(sql).all({ names: JSON.stringify([...names]), pays, currency, date }) as ReadonlyArray<{
    readonly key: string
    readonly body: string
  }>
  const apart = db.prepare("SELECT 1 FROM same_money WHERE a = ? AND b = ? AND same = 0")
  const isApart = (one: string) => apart.get(...[one, key].toSorted()) !== undefined
  return rows.flatMap((row) => {
    const { date, shares, unallocated = 0n } = Body.read(row.body) as Payment
    if (unallocated !== 0n || isApart(row.key)) return []
    return shares.map(({ amount, invoice }) => ({
      payment: row.key,
      date,
      invoice: Document.key(pays, "invoice", invoice),
      amount,
      isPart: shares.length > 1
    }))
  })
}

export interface InBooks {
  readonly shares: ReadonlyArray<MatchRules.Share>
  readonly note: string
}

const sumOf = (some: ReadonlyArray<{ readonly amount: Decimal }>): Decimal => total(some.map(({ amount }) => amount))

/** How it is said where a payment is counted that way. */
const noted = (parts: ReadonlyArray<Booked>): string => {
  const ids = [...new Set(parts.map(({ payment }) => Document.parseKey(payment).id))]
  return `the books have it as ${ids.length > 3 ? `${ids.length} payments` : ids.join(", ")}`
}

const inParts = (parts: ReadonlyArray<Booked>): InBooks => ({
  shares: parts.map(({ amount, invoice }) => ({ invoice, amount })),
  note: noted(parts)
})

const onceEach = (parts: ReadonlyArray<Booked>): boolean =>
  new Set(parts.map(({ invoice }) => invoice)).size === parts.length

/** The only payment of the books that settles its invoice and is more by what banks take. */
const lessFee = (db: Db, { amount, currency }: Came, parts: ReadonlyArray<Booked>): InBooks | undefined => {
  const isSettled = db.prepare(
    "SELECT 1 FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ? AND p.base <= 0"
  )
  const [one, another] = parts.filter(
    (part) => !part.isPart && isFee(part.amount, amount) && isSettled.get(part.invoice) !== undefined
  )
  if (one === undefined || another !== undefined) return undefined
  const fee = Currency.say(one.amount - amount, currency)
  return { shares: [{ invoice: one.invoice, amount }], note: `${noted([one])}, less ${fee}, as a fee of a bank` }
}

/** What other lists' payments have of an invoice. */
const givenBy = (db: Db, { key }: Came): ((invoice: string) => ReadonlyArray<string>) => {
  const others = db.prepare(
    `SELECT a.amount FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = ? AND a.amount IS NOT NULL AND d.key <> ?`
  )
  return (invoice) => others.pluck().all(invoice, key) as ReadonlyArray<string>
}

/** What the books have of some payers, and no other list's payment has. */
const free = (db: Db, sql: string, came: Came, names: Iterable<string>): ReadonlyArray<Booked> => {
  const given = givenBy(db, came)
  const isGiven = ({ amount, invoice }: Booked) =>
    given(invoice).some((one) => one === `${amount}` || isFee(amount, BigInt(one)))
  return booked(db, sql, came, names).filter((one) => !isGiven(one))
}

/** What it was matched with before, as long as the books have all of that and it comes to the amount: lines of one day do not take turns. */
export const asBefore = (db: Db, came: Came): InBooks | undefined => {
  const held = db
    .prepare(
      `SELECT a.invoice, a.amount FROM document d JOIN matching m ON m.document = d.id AND m.how = 'amount' AND m.note <> ''
        JOIN allocation a ON a.document = d.id AND a.amount IS NOT NULL WHERE d.key = ?`
    )
    .all(came.key) as ReadonlyArray<{ readonly invoice: string; readonly amount: string }>
  if (held.length === 0) return undefined
  const parts = free(db, OF_ALL, came, []).filter(({ amount, invoice }) =>
    held.some((one) => one.invoice === invoice && one.amount === `${amount}`)
  )
  return parts.length === held.length && sumOf(parts) === came.amount ? inParts(parts) : undefined
}

/** All that was booked on one day, where it is several parts which come to the amount. */
const ofDays = (parts: ReadonlyArray<Booked>, { amount }: Came): ReadonlyArray<ReadonlyArray<Booked>> =>
  [...Map.groupBy(parts, ({ date }) => date).values()].filter(
    (some) => some.length > 1 && onceEach(some) && sumOf(some) === amount
  )

/**
 * The parts that the line of a bank is that names no customer: all that the books have of one day, of whoever paid; or all but one or two,
 * where its text says of how many payments it is.
 */
export const ofDay = (db: Db, came: Came, text: string): InBooks | undefined => {
  const parts = free(db, OF_ALL, came, [])
  const all = ofDays(parts, came)
  const count = countIn(text)
  const some = () =>
    count === 1 ? parts.filter(({ amount }) => amount === came.amount).map((one) => [one]) : butFew(parts, came, count)
  const [only, another] = all.length > 0 || count === 0 ? all : some()
  return only === undefined || another !== undefined ? undefined : inParts(only)
}

/** What was booked on one day less one or two, which is as many as the bank says and comes to the amount. */
const butFew = (parts: ReadonlyArray<Booked>, { amount }: Came, count: number): ReadonlyArray<ReadonlyArray<Booked>> =>
  [...Map.groupBy(parts, ({ date }) => date).values()].flatMap((some) => {
    const more = sumOf(some) - amount
    const out =
      some.length === count + 1
        ? some.map((one) => [one])
        : some.length === count + 2
          ? some.flatMap((one, at) => some.slice(at + 1).map((other) => [one, other]))
          : []
    return out
      .filter((few) => sumOf(few) === more)
      .map((few) => some.filter((one) => !few.includes(one)))
      .filter(onceEach)
  })

/**
 * The parts that a payment which names no invoice is: all that the books have of its payer on one day, or a part of one of the books'
 * payments, or else the one set of parts that adds up to it, or the one that a bank's fee was taken of.
 *
 * @param payers the payer's names, as they are compared
 */
export const ofPayer = (db: Db, came: Came, payers: ReadonlySet<string>): InBooks | undefined =>
  among(db, came, free(db, ofPayers(NEAR), came, payers)) ?? severalOf(came, free(db, ofPayers(FAR), came, payers))

/** All that the books have of a payer on one day, some time after it came. */
const severalOf = (came: Came, parts: ReadonlyArray<Booked>): InBooks | undefined => {
  const [only, another] = ofDays(parts, came)
  return only === undefined || another !== undefined ? undefined : inParts(only)
}

const among = (db: Db, came: Came, parts: ReadonlyArray<Booked>): InBooks | undefined => {
  const alone = parts.filter(({ amount, isPart }) => isPart && amount === came.amount).map((one) => [one])
  const [first, second] = [...ofDays(parts, came), ...alone]
  if (first !== undefined) return second === undefined ? inParts(first) : undefined
  const minor = (amount: Decimal) => Currency.toMinorOutward(amount, came.currency)
  const some = Sums.subsetOf(
    parts.map(({ amount }, at) => ({ key: `${at}`, open: minor(amount) })),
    minor(came.amount)
  )?.flatMap(({ key }) => parts[Number(key)] ?? [])
  if (some !== undefined) return onceEach(some) ? inParts(some) : undefined
  const given = givenBy(db, came)
  return lessFee(
    db,
    came,
    parts.filter(({ invoice }) => given(invoice).length === 0)
  )
}

/** All that the books have of a payer on one day, where a text names some of it: banks cut texts, and people write in short. */
export const withNamed = (
  db: Db,
  came: Came & Pick<MatchRules.Naming, "wants">,
  payers: Iterable<string>,
  taken: ReadonlyArray<MatchRules.Share>
): InBooks | undefined => {
  const found = severalOf(came, free(db, ofPayers(FAR), came, payers))
  const isFree = (share: MatchRules.Share) => taken.every((one) => one.invoice !== share.invoice)
  const isNamed = came.wants.every((invoice) => found?.shares.some((share) => share.invoice === invoice))
  return found !== undefined && isNamed && found.shares.every(isFree) ? found : undefined
}

/** What of each invoice a payment is that names them: what is open of it, or what the books have near its day. */
export const ofNamed = (
  db: Db,
  came: Came & Pick<MatchRules.Naming, "inShort" | "wants">,
  open: ReadonlyMap<string, Decimal>,
  taken: ReadonlyArray<MatchRules.Share>
): InBooks | undefined => {
  const all = [...came.wants, ...came.inShort]
  const parts = booked(db, ON_INVOICES, came, all).filter(
    ({ amount, invoice }) => !taken.some((one) => one.invoice === invoice && one.amount === amount)
  )
  const of = (invoices: ReadonlyArray<string>): InBooks | undefined => {
    const used: Array<Booked> = []
    const shares = invoices.map((invoice) => {
      const left = open.get(invoice) ?? 0n
      const [part, another] = left > 0n ? [] : parts.filter((one) => one.invoice === invoice)
      if (part !== undefined) used.push(part)
      return { invoice, amount: left > 0n ? left : another === undefined ? (part?.amount ?? 0n) : 0n }
    })
    const isWhole =
      shares.every(({ amount }) => amount > 0n) && (shares.length > 1 || used.some(({ isPart }) => isPart))
    return isWhole && used.length > 0 && sumOf(shares) === came.amount ? { shares, note: noted(used) } : undefined
  }
  const alone = parts.filter(({ invoice }) => !taken.some((one) => one.invoice === invoice))
  return (
    of(came.wants) ??
    (came.inShort.length > 0 ? of(all) : came.wants.length === 1 ? lessFee(db, came, alone) : undefined)
  )
}
