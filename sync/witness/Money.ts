/**
 * The witness's own rules about money that several lists state. From documents and the service alone, without what the engine
 * joined: what stands twice, what no list says, what a source's balance can be, what went back although the source says paid.
 */
import type { InvoiceCase } from "./Notes.ts"
import {
  type Difference,
  type PlainDocument,
  type PlainTransaction,
  sayUnits,
  sum,
  type Units,
  dayOf,
  postings
} from "./Plain.ts"

const listOf = (fact: string): string => fact.slice(0, fact.indexOf("/"))

const MS_PER_DAY = 86_400_000

const daysApart = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b)) / MS_PER_DAY

/** A fact and its day, where both are known. */
interface Dated {
  readonly fact: string
  readonly amount: Units
  readonly day: string
}

/** Books may be entered this long after the money moved. */
const SAME_DAYS = 15

/**
 * What the service need not show of the invoice's own payments, because another list's posting of the same amount and about the
 * same day stands there: one posting for one payment.
 */
export const seenElsewhere = (
  own: ReadonlyMap<string, Units>,
  documents: InvoiceCase["facts"],
  there: PlainTransaction,
  connection: string
): ReadonlySet<string> => {
  const reported = postings(there)
  const others: Array<Dated> = [...reported].flatMap(([fact, amount]) => {
    const day = dayOf(there, fact)
    return listOf(fact) === connection || amount === 0n || day === undefined ? [] : [{ fact, amount, day }]
  })
  const found = new Set<string>()
  for (const [fact, amount] of own) {
    const day = documents.get(fact)?.date
    if ((reported.get(fact) ?? 0n) !== 0n || day === undefined) continue
    const at = others.findIndex((one) => one.amount === amount && daysApart(one.day, day) <= SAME_DAYS)
    if (at < 0) continue
    others.splice(at, 1)
    found.add(fact)
  }
  return found
}

/**
 * What stands of the invoice's own books, which state it no more, in place of a payment that another list links to the invoice
 * and that is not shown itself: the same money, that is not sent a second time.
 */
export const inPlace = (
  own: ReadonlyMap<string, Units>,
  { connection, invoice, linked }: InvoiceCase,
  there: PlainTransaction
): ReadonlyMap<string, Units> => {
  const reported = postings(there)
  const left = [...linked].flatMap(([fact, { date, kind, shares = [] }]) => {
    const amount = sum(
      shares.flatMap((one) => (one.invoice === invoice?.id || one.invoice === invoice?.number ? [one.amount] : []))
    )
    return kind !== "payment" || date === undefined || (reported.get(fact) ?? 0n) !== 0n ? [] : [{ amount, day: date }]
  })
  const found = new Map<string, Units>()
  for (const [fact, amount] of reported) {
    const day = dayOf(there, fact)
    if (listOf(fact) !== connection || own.has(fact) || amount <= 0n || day === undefined) continue
    const at = left.findIndex((one) => one.amount === amount && daysApart(one.day, day) <= SAME_DAYS)
    if (at < 0) continue
    left.splice(at, 1)
    found.set(fact, amount)
  }
  return found
}

/** Equal postings of two lists within this many days may be one payment. */
const ALIKE_DAYS = 10

/** Payments on the service that may be one: of two lists, alike, and more of them than either list has. */
export const mayBeOne = (
  key: string,
  own: ReadonlyMap<string, Units>,
  there: PlainTransaction,
  currency: string
): ReadonlyArray<Difference> => {
  const all: Array<Dated> = [...postings(there)].flatMap(([fact, amount]) => {
    const day = dayOf(there, fact)
    return day === undefined ? [] : [{ fact, amount, day }]
  })
  const back = all.filter(({ amount }) => amount < 0n).map(({ amount, fact }) => `${listOf(fact)} ${-amount}`)
  // What its own list says went back again is nothing that the other one would have, too.
  const standing = all.filter(({ amount, fact }) => {
    const at = back.indexOf(`${listOf(fact)} ${amount}`)
    if (at >= 0) back.splice(at, 1)
    return amount > 0n && at < 0
  })
  return standing.flatMap((one, n): ReadonlyArray<Difference> => {
    const alike = standing.filter((other) => other.amount === one.amount && daysApart(other.day, one.day) <= ALIKE_DAYS)
    const other = alike.find(({ fact }) => listOf(fact) !== listOf(one.fact))
    if (other === undefined || standing.indexOf(other) < n) return []
    const counts = new Map<string, number>()
    for (const { fact } of alike) counts.set(listOf(fact), (counts.get(listOf(fact)) ?? 0) + 1)
    const inBooks = [...own.values()].filter((amount) => amount === one.amount).length
    if (alike.length <= Math.max(inBooks, ...counts.values())) return []
    return [
      {
        document: key,
        fact: other.fact,
        what: `${one.fact} and ${other.fact}, which may be one payment`,
        source: sayUnits(one.amount, currency),
        service: sayUnits(one.amount + other.amount, currency)
      }
    ]
  })
}

/** More on the service than the invoice asks for, although no list alone says so. */
export const beyondEveryList = (
  key: string,
  { own, total }: { readonly own: ReadonlyMap<string, Units>; readonly total: Units },
  there: PlainTransaction,
  currency: string
): ReadonlyArray<Difference> => {
  const byList = new Map<string, Units>()
  const all = [...postings(there)]
  for (const [fact, amount] of all) if (amount > 0n) byList.set(listOf(fact), (byList.get(listOf(fact)) ?? 0n) + amount)
  const received = sum(all.map(([, amount]) => amount))
  const most = [total, sum(own.values()), ...byList.values()].reduce((a, b) => (b > a ? b : a), 0n)
  return received <= most || byList.size < 2
    ? []
    : [
        {
          document: key,
          what: "received, which no list alone says",
          source: sayUnits(most, currency),
          service: sayUnits(received, currency)
        }
      ]
}

/** What a source's own figure can be: without the payments of others, or lowered by some of them, each whole. */
export const possible = (without: Units, others: ReadonlyArray<Units>): ReadonlyArray<Units> => {
  const all = [without]
  for (const one of others) all.push(...(others.length > 12 ? all.slice(-1) : [...all]).map((left) => left - one))
  return all
}

/** Whether money went back that was no refund: then a source's word that it is paid is not enough. */
export const isBounced = (
  documents: Iterable<readonly [string, PlainDocument]>,
  others: ReadonlyMap<string, Units>,
  typeOf: (fact: string) => string | undefined
): boolean =>
  [...documents].some(([, { kind, type }]) => kind === "reversal" && type !== "refund") ||
  [...others].some(([fact, amount]) => amount < 0n && typeOf(fact) !== "refund")
