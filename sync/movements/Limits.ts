/**
 * The last lines against counting money twice, whatever was joined and whatever was not. Pure, for the facts of one invoice.
 *
 * A payment waits for a person if a payment of another list on the same invoice may be the same money, or if it would bring
 * what was received above what the invoice asks for and no list alone says that much. What stands on the service stays.
 */
import type { Allocated, Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Fact, InvoiceFacts, Waiting } from "../model/InvoiceFacts.ts"
import { type Answers, daysBetween, DOUBT_DAYS, type JoinedBy, LATE, pair } from "./Join.ts"

/** Whether something with this key is reported on the invoice now. */
export type Stands = (key: string) => boolean

const keysOf = ({ key, seen = [] }: Fact<Allocated>): ReadonlyArray<string> => [key, ...seen.map((one) => one.key)]

const listOf = (key: string): string => key.slice(0, key.indexOf("/"))

const listsOf = (fact: Fact<Allocated>): ReadonlySet<string> => new Set(keysOf(fact).map(listOf))

const isStanding = (fact: Fact<Allocated>, stands: Stands): boolean => keysOf(fact).some(stands)

/** A bank's fee or a small discount: up to 15.00, or 4 % up to 30.00. */
const UNIT = 10n ** BigInt(Decimal.DECIMAL_PLACES)
export const isFee = (more: Decimal.Decimal, less: Decimal.Decimal): boolean => {
  const apart = more - less
  return apart > 0n && (apart <= 15n * UNIT || (apart * 25n <= more && apart <= 30n * UNIT)) && apart * 4n <= more
}

/** Days within which a part of an invoice that lists state differently may be the same: somebody typed a wrong digit. */
const SLIP_DAYS = 1

/** Days within which a part of a payment is the same as another list's payment of the invoice, unless it was matched as that. */
export const PART_DAYS = 10

/** Days within which a payment less a fee may be the same. */
const FEE_DAYS = 10

const isApart = (a: Fact<Payment>, b: Fact<Payment>, { apart }: Answers): boolean =>
  keysOf(a).some((one) => keysOf(b).some((other) => apart.has(pair(one, other))))

/** What an invoice asks for, what people said of its payments, and what went back of each. */
interface Known {
  readonly asks: Decimal.Decimal
  /** The invoice's own connection. */
  readonly books: string
  readonly answers: Answers
  readonly reversals: ReadonlyArray<Fact<Reversal>>
}

/** What is left of a payment after what went back of it, as its own list says. */
const leftOf = ({ amount, key }: Fact<Payment>, reversals: ReadonlyArray<Fact<Reversal>>): Decimal.Decimal =>
  amount - Decimal.sum(reversals.filter((one) => isOf(one, key)).map((one) => one.amount))

/** Itself, or if it brought more than was open the whole of it: what is the same money is the whole, wherever its rest is. */
const wholeOf = (fact: Fact<Payment>): Fact<Payment> =>
  fact.rest === undefined ? fact : { ...fact, amount: fact.amount + fact.rest }

/**
 * Whether two payments of different lists may be the same money: equal, also where the books have only what is left after a refund, or
 * less a fee where the books' settles the invoice, or nearly equal on the same day.
 */
const isAlike = (one: Fact<Payment>, other: Fact<Payment>, { answers, asks, reversals }: Known): boolean => {
  const [a, b] = [wholeOf(one), wholeOf(other)]
  const lists = listsOf(a)
  if ([...listsOf(b)].some((one) => lists.has(one)) || isApart(a, b, answers)) return false
  const days = Math.abs(daysBetween(a.document.date, b.document.date))
  if ([a.amount, leftOf(a, reversals)].some((one) => one === b.amount) || leftOf(b, reversals) === a.amount)
    return days <= DOUBT_DAYS
  const [more, less] = a.amount > b.amount ? [a, b] : [b, a]
  if (!isFee(more.amount, less.amount)) return false
  // Of a part, only about the same day and within a tenth: another part may be of nearly the same amount.
  const isSlip = days <= SLIP_DAYS && (more.amount - less.amount) * 10n <= more.amount
  return more.amount >= asks ? days <= FEE_DAYS : isSlip
}

const totalOf = ({ document: { shares, unallocated = 0n } }: Fact<Payment>): Decimal.Decimal =>
  shares.reduce((sum, { amount }) => sum + amount, unallocated)

/**
 * Whether one of two is this invoice's part of a payment for several, of which the other list has a payment for each: as with whole
 * payments, the invoice, the amount and the days say that it is the same money. Or less a fee or a discount, as it was matched.
 */
const isSamePart = (a: Fact<Payment>, b: Fact<Payment>, { answers, asks, books, reversals }: Known): boolean => {
  const lists = listsOf(a)
  const [more, less] = a.amount > b.amount ? [a, b] : [b, a]
  // What the books have whole, or what was matched as that.
  const isWhole = less.note !== undefined || listOf(more.key) === books
  const isLess = isWhole && more.amount >= asks && isFee(more.amount, less.amount)
  const isMatched = (a.note ?? b.note) !== undefined
  const isPart = a.amount === b.amount && (isMatched || totalOf(a) > a.amount || totalOf(b) > b.amount)
  // The invoice cannot have both, and people book late.
  const isMost = [a, b].some(({ key }) => listOf(key) === books) && a.amount * 2n > asks
  return (
    (isPart || isLess) &&
    // Nothing of either was refunded: one list may show the amount before the refund, the other the amount after it.
    [a, b].every((one) => leftOf(one, reversals) === one.amount) &&
    ![...listsOf(b)].some((list) => lists.has(list)) &&
    Math.abs(daysBetween(a.document.date, b.document.date)) <=
      (isLess || isMost || isMatched ? LATE.latest : PART_DAYS) &&
    !isApart(a, b, answers)
  )
}

/** Whether a person said that a part of a payment for several invoices is another list's payment of this one. */
const isAnswered = (a: Fact<Payment>, b: Fact<Payment>, { answers }: Known): boolean =>
  keysOf(a).some((one) => keysOf(b).some((other) => answers.same.has(pair(one, other))))

/** What counts of two that are the same: what counts already if that settles the invoice, otherwise what came in for it. */
const amountOf = (
  kept: Fact<Payment>,
  came: Fact<Payment>,
  counted: ReadonlyArray<Fact<Payment>>,
  { asks }: Known
): Decimal.Decimal => {
  const others = Decimal.sum(counted.flatMap((one) => (one === kept ? [] : [one.amount])))
  return kept.amount >= asks - others ? kept.amount : came.amount
}

/** The most payments of which sums are formed: more have too many. */
const MOST = 6

/** Payments of one other list that add up to this one exactly: it may be all of them. */
const parts = (
  whole: Fact<Payment>,
  others: ReadonlyArray<Fact<Payment>>,
  answers: Answers
): ReadonlyArray<Fact<Payment>> => {
  const lists = listsOf(whole)
  const able = others.filter(
    (one) =>
      one.amount < whole.amount &&
      ![...listsOf(one)].some((list) => lists.has(list)) &&
      Math.abs(daysBetween(one.document.date, whole.document.date)) <= DOUBT_DAYS &&
      !isApart(one, whole, answers)
  )
  for (const list of new Set(able.map(({ key }) => listOf(key)))) {
    const some = able.filter(({ key }) => listOf(key) === list).slice(0, MOST)
    for (let bits = 1; bits < 1 << some.length; bits++) {
      const chosen = some.filter((_, n) => (bits >> n) % 2 === 1)
      if (chosen.length > 1 && Decimal.sum(chosen.map(({ amount }) => amount)) === whole.amount) return chosen
    }
  }
  return []
}

interface Sorted {
  readonly counted: Array<Fact<Payment>>
  readonly waiting: Array<Waiting>
}

/** What stands counts first, then the invoice's own books, then by day. */
const order =
  (connection: string, stands: Stands) =>
  (a: Fact<Payment>, b: Fact<Payment>): number => {
    const rank = (one: Fact<Payment>) => (isStanding(one, stands) ? 0 : listsOf(one).has(connection) ? 1 : 2)
    const [first, second] = [a.document.date, b.document.date]
    return rank(a) - rank(b) || (first < second ? -1 : first > second ? 1 : a.key < b.key ? -1 : 1)
  }

const doubted = (payments: ReadonlyArray<Fact<Payment>>, stands: Stands, known: Known): Sorted => {
  const sorted: Sorted = { counted: [], waiting: [] }
  const bundles = payments.map((whole) => ({ whole, sum: parts(whole, payments, known.answers) }))
  for (const one of payments) {
    const at = isStanding(one, stands)
      ? -1
      : sorted.counted.findIndex((other) => isSamePart(one, other, known) || isAnswered(one, other, known))
    const same = sorted.counted[at]
    if (same !== undefined) {
      const seen = [...(same.seen ?? []), { key: one.key, date: one.document.date }]
      sorted.counted[at] = { ...same, amount: amountOf(same, one, sorted.counted, known), seen }
      continue
    }
    const like = isStanding(one, stands) ? [] : sameAs(one, sorted, bundles, known)
    if (like.length === 0) sorted.counted.push(one)
    else sorted.waiting.push({ fact: one, like })
  }
  return sorted
}

/** What counts already and may be the same money: one payment, the whole of which it is a part, or all of its parts. */
const sameAs = (
  one: Fact<Payment>,
  { counted, waiting }: Sorted,
  bundles: ReadonlyArray<{ readonly whole: Fact<Payment>; readonly sum: ReadonlyArray<Fact<Payment>> }>,
  known: Known
): ReadonlyArray<Fact<Payment>> => {
  const taken = new Set(waiting.flatMap(({ like }) => like.map(({ key }) => key)))
  const alike = counted.find((other) => isAlike(one, other, known) && !taken.has(other.key))
  if (alike !== undefined) return [alike]
  const part = bundles.find(({ sum, whole }) => sum.includes(one) && counted.includes(whole))
  if (part !== undefined) return [part.whole]
  const whole = bundles.find((bundle) => bundle.whole === one && bundle.sum.length > 0)
  return whole?.sum.every((each) => counted.includes(each)) === true ? whole.sum : []
}

export const asksOf = ({ creditNotes, invoice }: InvoiceFacts): Decimal.Decimal =>
  (invoice?.gross ?? invoice?.net ?? 0n) - Decimal.sum(creditNotes.map(({ amount }) => amount))

/** By payer and amount alone another list says nothing of the invoice: the one that it follows does. */
const BY_PAYER: ReadonlyArray<string | undefined> = ["payer", "late"] satisfies ReadonlyArray<JoinedBy>

/** The lists that say themselves that a payment is for the invoice. */
const saying = ({ key, seen = [] }: Fact<Payment>): ReadonlySet<string> =>
  new Set([key, ...seen.flatMap((one) => (BY_PAYER.includes(one.how) ? [] : [one.key]))].map(listOf))

/** What the invoice asks for, or what one list alone says was received, if that is more. */
const limitOf = (facts: InvoiceFacts, back: Decimal.Decimal): Decimal.Decimal => {
  const { connection, payments, reversals } = facts
  const lists = new Set([connection, ...payments.flatMap((one) => [...listsOf(one)])])
  const alone = [...lists].map((list) =>
    Decimal.sum(payments.filter((one) => saying(one).has(list)).map(({ amount }) => amount))
  )
  const returned = Decimal.sum(reversals.map(({ amount }) => amount))
  return [asksOf(facts) + (back < returned ? back : returned), ...alone].reduce(
    (most, one) => (one > most ? one : most),
    0n
  )
}

const room = (facts: InvoiceFacts, { counted, waiting }: Sorted, stands: Stands): Sorted => {
  const lists = new Set(counted.flatMap((one) => [...listsOf(one)]))
  if (lists.size < 2) return { counted, waiting }
  const returned = Decimal.sum(facts.reversals.map(({ amount }) => amount))
  const limit = limitOf({ ...facts, payments: counted }, returned)
  const kept = [...counted]
  const held: Array<Waiting> = []
  let total = Decimal.sum(counted.map(({ amount }) => amount))
  for (const one of counted.toReversed()) {
    if (total <= limit) break
    if (isStanding(one, stands)) continue
    total -= one.amount
    kept.splice(kept.indexOf(one), 1)
    held.unshift({ fact: one, like: [] })
  }
  return { counted: kept, waiting: [...waiting, ...held.map(({ fact }) => ({ fact, like: kept }))] }
}

/** Whether a reversal is of this payment of the same list; of a payment for several invoices, each part has the invoice in its key. */
const isOf = ({ document, key: its }: Fact<Reversal>, key: string): boolean => {
  if (document.payment === undefined) return false
  const payment = Document.key(listOf(its), "payment", document.payment)
  return key === payment || key.startsWith(`${payment}/`)
}

/** How many days apart two lists state the same reversal. */
const RETURN_DAYS = 15

/** Whether two lists may state the same reversal so. */
export const isSameReversal = (
  one: { readonly amount: Decimal.Decimal; readonly date: Day },
  other: { readonly amount: Decimal.Decimal; readonly date: Day }
): boolean => one.amount === other.amount && Math.abs(daysBetween(one.date, other.date)) <= RETURN_DAYS

/** A reversal that several lists state counts once: a failed debit is an event of the processor and a line of the bank. */
const oneReversal = ({ payments, reversals }: InvoiceFacts, stands: Stands): ReadonlyArray<Fact<Reversal>> => {
  const counted: Array<Fact<Reversal>> = []
  const movement = (one: Fact<Reversal>) => payments.find((each) => keysOf(each).some((key) => isOf(one, key)))
  /** Both say which payment they reverse, and those are two movements; one that is not on this invoice is another than one that is. */
  const areApart = (one: Fact<Reversal>, other: Fact<Reversal>) => {
    const [first, second] = [movement(one), movement(other)]
    const bothSay = one.document.payment !== undefined && other.document.payment !== undefined
    return bothSay && first !== second
  }
  const sorted = reversals.toSorted(
    (a, b) => Number(stands(b.key)) - Number(stands(a.key)) || (a.document.date < b.document.date ? -1 : 1)
  )
  for (const one of sorted) {
    const at = counted.findIndex(
      (other) =>
        !listsOf(other).has(listOf(one.key)) &&
        !(stands(other.key) && stands(one.key)) &&
        !areApart(one, other) &&
        isSameReversal(
          { amount: other.amount, date: other.document.date },
          { amount: one.amount, date: one.document.date }
        )
    )
    const same = counted[at]
    if (same === undefined) counted.push(one)
    else counted[at] = { ...same, seen: [...(same.seen ?? []), { key: one.key, date: one.document.date }] }
  }
  return counted
}

/** V1: the facts with what is uncertain apart: it is in no sum and is not sent. */
export const certain = (facts: InvoiceFacts, stands: Stands, answers: Answers): InvoiceFacts => {
  const reversals = oneReversal(facts, stands)
  const { counted, waiting } = room(
    { ...facts, reversals },
    doubted(facts.payments.toSorted(order(facts.connection, stands)), stands, {
      answers,
      asks: asksOf(facts),
      books: facts.connection,
      reversals
    }),
    stands
  )
  const all = [...(facts.waiting ?? []), ...waiting]
  // In the order in which they were read, each with what other lists say of it.
  const payments = facts.payments.flatMap(({ key }) => counted.filter((one) => one.key === key))
  if (all.length === 0) return { ...facts, payments, reversals }
  return {
    ...facts,
    payments,
    reversals: reversals.filter((one) => isStanding(one, stands) || all.every(({ fact }) => !isOf(one, fact.key))),
    waiting: all
  }
}
