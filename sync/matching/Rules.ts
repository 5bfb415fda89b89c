/**
 * Decides which invoices a payment of another source pays: rules M1 to M6. Pure: no clock, no database.
 *
 * M1  the source's own link: an id or number of the invoice in the payment M2  by reference: invoice numbers in the
 * payment's text, if payer and amounts leave no choice M3  by exact amount, the same payer and a window of days, if there is
 * exactly one invoice and one payment M4  a person's choice, which takes precedence over all others M5  a reversal follows
 * its payment M6  like M3, by customer id instead of name, if both sides state one and the configuration allows it
 *
 * Property tests in `test/sync/matching/MatchProperties.test.ts` check the guarantees: the result depends on the facts and never on
 * the order in which they arrived; M2, M3 and M6 never allocate more to an invoice than is open; everything uncertain is
 * left to a person. M3 and M6 are in `Amounts.ts`.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Money from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import { entryOf } from "../../core/Entry.ts"
import * as Currency from "../../core/money/Currency.ts"
import { referencesIn } from "./StructuredReferences.ts"
import * as Sums from "./Sums.ts"

export interface Share {
  /** The invoice's key. */
  readonly invoice: string
  readonly amount: Decimal
}

/** Few texts have other characters; for these, plain regular expressions do, which are several times as fast. */
const PLAIN = /^[ -~\n]*$/

/** A text that may be an invoice number, its position, and whether it is too ambiguous to count alone. */
export interface Name {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Digits only, and so few that it could be a year or an amount: counts only if the amount matches exactly. */
  readonly weak: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
const PLAIN_WORD = /[A-Z0-9]+/g
const DIGIT = /\p{N}/u
const PLAIN_DIGIT = /[0-9]/
/** Characters allowed inside a number: `INV-2026/12`; between a word and digits also a space: `INV 12`, `No. 12`. */
const INSIDE = /^[-/._]$/
const BEFORE_DIGITS = /^(\.? ?#? ?|[-/._])$/
const LONGEST = 5

/** `matchAll` would make an expression of its own for each text. */
const wordsIn = (text: string, word: RegExp): ReadonlyArray<{ readonly word: string; readonly index: number }> => {
  const words: Array<{ readonly word: string; readonly index: number }> = []
  word.lastIndex = 0
  for (let found = word.exec(text); found !== null; found = word.exec(text))
    words.push({ word: found[0], index: found.index })
  return words
}

/** The words of a text, as `namesIn` counts them. */
export const words = (text: string): ReadonlyArray<string> => {
  const isPlain = PLAIN.test(text)
  const upper = (isPlain ? text : text.normalize("NFKD")).toUpperCase()
  return wordsIn(upper, isPlain ? PLAIN_WORD : WORD).map(({ word }) => word)
}

/** The parts of `text` that may be invoice numbers, longest first. */
export const namesIn = (text: string): ReadonlyArray<Name> => {
  const isPlain = PLAIN.test(text)
  const upper = (isPlain ? text : text.normalize("NFKD")).toUpperCase()
  const digit = isPlain ? PLAIN_DIGIT : DIGIT
  if (!digit.test(upper)) return []
  const words = wordsIn(upper, isPlain ? PLAIN_WORD : WORD)
  const all = words.map(({ word }) => word).join("")
  const found = new Map<string, Name>()
  const note = (name: string, from: number, to: number) => {
    if (!digit.test(name) || name.length > 40) return
    if (name.length < 3 && name !== all) return
    if (!found.has(name)) found.set(name, { name, from, to, weak: /^\p{N}{1,5}$/u.test(name) && name !== all })
  }
  for (let from = 0; from < words.length; from++) {
    let name = ""
    let last: (typeof words)[number] | undefined
    for (const [nth, next] of words.slice(from, from + LONGEST).entries()) {
      const to = from + nth
      const { index, word } = next
      if (last !== undefined) {
        const between = upper.slice(last.index + last.word.length, index)
        const isText = to === from + 1 && !/\p{N}/u.test(last.word) && /^\p{N}/u.test(word)
        if (!INSIDE.test(between) && !(isText && BEFORE_DIGITS.test(between))) break
      }
      name += word
      last = next
      note(name, from, to)
    }
  }
  for (const one of referencesIn(upper, words)) if (!found.has(one.name)) found.set(one.name, { ...one, weak: false })
  return [...found.values()].sort((a, b) => b.name.length - a.name.length || a.from - b.from)
}

/** A reversal of a payment. */
export interface Back {
  readonly key: string
  readonly date: Day.Day
  readonly amount: Decimal
  /** Keys of invoices that it names itself. */
  readonly names: ReadonlyArray<string>
  /** Where it belongs regardless of its payment: as a person chose, or nowhere. */
  readonly fixed?: ReadonlyArray<Share>
}

/**
 * M5: where a reversal belongs whose payment was allocated to `shares`. Undefined: a part of a payment for several invoices
 * went back, and nothing says which invoice it was for.
 */
export const follow = (
  { amount, fixed, names }: Pick<Back, "amount" | "fixed" | "names">,
  paid: Decimal,
  shares: ReadonlyArray<Share>
): ReadonlyArray<Share> | undefined => {
  if (fixed !== undefined) return fixed
  const given = Money.sum(shares.map((share) => share.amount))
  if (shares.length === 0 || amount === paid || (amount >= given && given < paid)) return shares
  const [only, more] = shares
  if (only !== undefined && more === undefined) return [{ invoice: only.invoice, amount }]
  const [meant, other] = shares.filter(({ invoice }) => names.includes(invoice))
  if (meant === undefined || other !== undefined || amount > meant.amount) return undefined
  return [{ invoice: meant.invoice, amount }]
}

/** Of each share that goes back of a payment, what counts: of no invoice more than the payment was for. */
export const atMost = (paid: ReadonlyArray<Share>): ((back: Share) => Share) => {
  const left = new Map(paid.map(({ amount, invoice }) => [invoice, amount]))
  return ({ amount, invoice }) => {
    const most = left.get(invoice) ?? amount
    const counts = amount < most ? amount : most
    left.set(invoice, most - counts)
    return { invoice, amount: counts }
  }
}

/** A payment that names invoices in its reference. */
export interface Naming {
  readonly key: string
  readonly date: Day.Day
  readonly amount: Decimal
  readonly currency: string
  /** Keys of the invoices that it names. */
  readonly wants: ReadonlyArray<string>
  /** Keys of invoices that it names in short, like `1047/51`: they count if the amounts of all of them are exactly right. */
  readonly inShort: ReadonlyArray<string>
  /** What it names is too ambiguous to count unless the amount matches. */
  readonly weak: boolean
  /** Why a part of what is open is not enough, whatever the amounts are: a person decides. */
  readonly noPart: string | undefined
  /** The early payment discount that may be taken of what it names, in hundredths of a percent. */
  readonly discount: bigint | undefined
  /** What it names was issued after it came. */
  readonly isAhead: boolean
  /** The payer's other invoices that ask for exactly this amount. */
  readonly beside: ReadonlyArray<string>
  readonly back: ReadonlyArray<Back>
}

/** What a text names. */
export type Names = Pick<Naming, "wants" | "inShort" | "weak" | "noPart" | "discount" | "isAhead" | "beside">

export const NO_NAMES: Names = {
  wants: [],
  inShort: [],
  weak: false,
  noPart: undefined,
  discount: undefined,
  isAhead: false,
  beside: []
}

/** The result for a payment: its shares, or why a person is needed. */
export type Matched = { readonly shares: ReadonlyArray<Share>; readonly note?: string } | { readonly why: string }

interface Event {
  readonly date: Day.Day
  /** The order within a day: reversals of earlier payments, payments, reversals of the day's own. */
  readonly rank: 0 | 1 | 2
  readonly key: string
  readonly payment: Naming
  readonly back?: Back
}

/**
 * M2, for payments that name the same invoices, in the order of their days.
 *
 * @param open the open amount of each invoice, without these payments; on return, with them
 * @param say formats an amount
 */
export const byReference = (
  payments: ReadonlyArray<Naming>,
  open: Map<string, Decimal>,
  say: (amount: Decimal, currency: string) => string
): Map<string, Matched> => {
  const events = payments.flatMap(
    (payment): ReadonlyArray<Event> => [
      { date: payment.date, rank: 1, key: payment.key, payment },
      ...payment.back.map((back): Event => {
        const later = back.date > payment.date
        return { date: later ? back.date : payment.date, rank: later ? 0 : 2, key: back.key, payment, back }
      })
    ]
  )
  events.sort((a, b) =>
    a.date !== b.date ? (a.date < b.date ? -1 : 1) : a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  )
  const decided = new Map<string, Matched>()
  const returned = new Map<string, (back: Share) => Share>()
  for (const { back, payment } of events) {
    if (back === undefined) {
      const decision = named(payment, open, say)
      decided.set(payment.key, decision)
      returned.set(payment.key, atMost("shares" in decision ? decision.shares : []))
      if ("shares" in decision) for (const share of decision.shares) move(open, share, -share.amount)
      continue
    }
    const decision = entryOf(decided, payment.key)
    const shares = "shares" in decision ? decision.shares : []
    for (const one of follow(back, payment.amount, shares) ?? []) {
      const share = entryOf(returned, payment.key)(one)
      move(open, share, share.amount)
    }
  }
  return decided
}

const move = (open: Map<string, Decimal>, { invoice }: Share, amount: Decimal) =>
  open.set(invoice, (open.get(invoice) ?? 0n) + amount)

const named = (
  { amount, beside, currency, discount, inShort, isAhead, noPart, wants, weak }: Naming,
  open: ReadonlyMap<string, Decimal>,
  say: (amount: Decimal, currency: string) => string
): Matched => {
  const leftOf = (invoices: ReadonlyArray<string>) =>
    invoices.map((invoice) => {
      const amount = open.get(invoice) ?? 0n
      return { invoice, amount: amount > 0n ? amount : 0n }
    })
  const sumOf = (shares: ReadonlyArray<Share>) => Money.sum(shares.map((one) => one.amount))
  const left = leftOf(wants)
  const total = sumOf(left)
  const list = names(wants)
  const exact = beside.filter((invoice) => open.get(invoice) === amount)
  if (isAhead && exact.length > 0)
    return {
      why: `it names ${list}, which was issued only after it came, and ${names(exact)} ${exact.length > 1 ? "ask" : "asks"} for exactly this amount`
    }
  if (amount === total) return { shares: left.filter((one) => one.amount > 0n) }
  const all = inShort.length === 0 ? [] : [...left, ...leftOf(inShort)]
  if (all.length > 0 && amount === sumOf(all)) return { shares: all.filter((one) => one.amount > 0n) }
  const [first] = left
  if (amount > total) {
    return {
      why:
        total === 0n
          ? `it names ${list}, but no amount of that is open`
          : `it names ${list}, but only ${say(total, currency)} of that is open`
    }
  }
  if (weak) return { why: `it may be for ${list}, but ${say(total, currency)} of that is open` }
  const taken = discount === undefined || left.length < 2 ? undefined : discounted(left, amount, { currency, discount })
  if (taken !== undefined) return taken
  if (first === undefined || left.length > 1)
    return { why: `it names ${list}, ${say(total, currency)} in total, but does not say how much is for each` }
  if (noPart !== undefined) return { why: `it names ${list}, of which ${say(total, currency)} is open, but ${noPart}` }
  if (exact.length > 0)
    return {
      why: `it names ${list}, of which ${say(total, currency)} is open, but is exactly what ${names(exact)} asks for`
    }
  return { shares: [{ invoice: first.invoice, amount }], ...early(total, amount, currency) }
}

/** Why a part was paid, if it is an early payment discount that was taken: the rest stays open. */
const early = (total: Decimal, amount: Decimal, currency: string): { readonly note?: string } => {
  const open = [{ key: "", open: Currency.toMinorOutward(total, currency) }]
  const found = Sums.discountOf(open, Currency.toMinorOutward(amount, currency))
  return found === undefined ? {} : { note: `less ${Sums.sayPercent(found.percent)} % discount` }
}

/** What is paid of each invoice where one discount within the limit was taken of all of them. */
const discounted = (
  left: ReadonlyArray<Share>,
  amount: Decimal,
  { currency, discount }: { readonly currency: string; readonly discount: bigint }
): Matched | undefined => {
  const found = Sums.discountOf(
    left.map((one) => ({ key: one.invoice, open: Currency.toMinorOutward(one.amount, currency) })),
    Currency.toMinorOutward(amount, currency)
  )
  if (found === undefined || found.percent > discount) return undefined
  const shares = found.parts.map(({ amount, key }) => ({ invoice: key, amount: Currency.ofMinor(amount, currency) }))
  return { shares, note: `less ${Sums.sayPercent(found.percent)} % discount` }
}

const MOST = 5

/** Lists some invoices in words. Each stands between two marks, until `Place.ts` knows its number. */
export const names = (keys: ReadonlyArray<string>): string => {
  const shown = [...keys]
    .sort()
    .slice(0, MOST)
    .map((key) => `\u2068${key}\u2069`)
  if (keys.length > MOST) return `${shown.join(", ")} and ${keys.length - MOST} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`
}

/** The text with the names of the invoices in place of their keys. */
export const withNames = (text: string, nameOf: (key: string) => string): string =>
  text.replace(/\u2068([^\u2069]*)\u2069/g, (_, key: string) => nameOf(key))
