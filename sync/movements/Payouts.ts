/**
 * Ties each payout of a processor to the bank's line that it arrived as, or says why it has none. Pure.
 *
 * A payout is the seller's own money on its way to the bank, so its line is not a customer's payment. What a line says of a payout
 * counts first; then its amount in the days around the arrival; then sums of payouts that the bank shows as one line, and of
 * lines that are one payout. A difference between both stays beside the tie, in whole cents: nothing absorbs it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"

/** A payout that should be at the bank. */
export interface Expected {
  readonly key: string
  /** Payouts of one pot: the connection, and the balance there. */
  readonly pot: string
  /** What the bank gets, in the currency in which it arrives. */
  readonly currency: string
  readonly amount: Decimal.Decimal
  readonly arrives: Day.Day
  /** As they are compared: `normal` of each. */
  readonly references: ReadonlyArray<string>
}

/** Money that came in at the bank. */
export interface BankLine {
  readonly document: number
  readonly key: string
  readonly currency: string
  readonly amount: Decimal.Decimal
  readonly date: Day.Day
  /** The references of payouts that it names. */
  readonly names: ReadonlySet<string>
  /** The pots whose processor its payer or its text names. */
  readonly from: ReadonlySet<string>
  /** Its payer is that processor. */
  readonly isPaidBy: boolean
  /** As far as is known, no customer paid it: it names no invoice, and its payer is none. */
  readonly isFree: boolean
}

/** `named`: the line says which payout it is; `charge`: by processor and days, less what the bank took. */
export type TiedBy = "named" | "amount" | "sum" | "charge"

/** One payout and its line; several payouts in one line (merged), or several lines of one payout (split). */
export interface Tie {
  readonly how: TiedBy
  readonly payouts: ReadonlyArray<Expected>
  readonly lines: ReadonlyArray<BankLine>
  /** What the bank has more than the payouts; negative if it has less. */
  readonly apart: Decimal.Decimal
}

export interface Tied {
  readonly ties: ReadonlyArray<Tie>
  /** Payouts without a line. */
  readonly open: ReadonlyArray<Expected>
  /** Lines that a processor paid, and no payout explains. */
  readonly strange: ReadonlyArray<BankLine>
}

/** Before and after the day on which a payout should arrive. */
interface Window {
  readonly before: number
  readonly after: number
}

/** A bank may book before the day that the processor foretells, or some working days after it. */
const NEAR: Window = { before: 1, after: 4 }
/** A line that names a payout may come later: a bank holiday, a payout that was held. */
const NAMED: Window = { before: 4, after: 30 }
/** So many payouts may be one line, or lines one payout. */
const MOST_TOGETHER = 6
/** By how much of the payout a bank's charge may lower its line: one in so many. */
const CHARGE = 25n

const total = (all: ReadonlyArray<{ readonly amount: Decimal.Decimal }>): Decimal.Decimal =>
  Decimal.sum(all.map(({ amount }) => amount))

const MS_PER_DAY = 86_400_000
const numberOf = (day: Day.Day): number => Math.round(Day.toEpochMillis(day) / MS_PER_DAY)

/** What is not tied yet, by day; within a day by key, so that the order of reading decides nothing. */
class Days<A extends { readonly key: string; readonly currency: string }> {
  readonly #by = new Map<number, Array<A>>()
  readonly #left: Set<A>

  constructor(all: ReadonlyArray<A>, dayOf: (one: A) => Day.Day) {
    const sorted = all.toSorted((a, b) => {
      const [first, second] = [dayOf(a), dayOf(b)]
      return first === second ? (a.key < b.key ? -1 : 1) : first < second ? -1 : 1
    })
    this.#left = new Set(sorted)
    for (const one of sorted) {
      const day = numberOf(dayOf(one))
      const its = this.#by.get(day)
      if (its === undefined) this.#by.set(day, [one])
      else its.push(one)
    }
  }

  get all(): ReadonlyArray<A> {
    return [...this.#left]
  }

  has(one: A): boolean {
    return this.#left.has(one)
  }

  delete(one: A): void {
    this.#left.delete(one)
  }

  between(first: number, last: number, is: (one: A) => boolean): ReadonlyArray<A> {
    const found: Array<A> = []
    for (let day = first; day <= last; day++)
      for (const one of this.#by.get(day) ?? []) if (this.#left.has(one) && is(one)) found.push(one)
    return found
  }
}

class Left {
  readonly payouts: Days<Expected>
  readonly lines: Days<BankLine>
  readonly ties: Array<Tie> = []

  constructor(payouts: ReadonlyArray<Expected>, lines: ReadonlyArray<BankLine>) {
    this.payouts = new Days(payouts, ({ arrives }) => arrives)
    this.lines = new Days(lines, ({ date }) => date)
  }

  tie(how: TiedBy, payouts: ReadonlyArray<Expected>, lines: ReadonlyArray<BankLine>): void {
    for (const one of payouts) this.payouts.delete(one)
    for (const one of lines) this.lines.delete(one)
    this.ties.push({ how, payouts, lines, apart: total(lines) - total(payouts) })
  }

  /** Lines that may be this payout, the earliest first. */
  linesOf(payout: Expected, { after, before }: Window, is: (line: BankLine) => boolean): ReadonlyArray<BankLine> {
    const day = numberOf(payout.arrives)
    return this.lines.between(day - before, day + after, (line) => line.currency === payout.currency && is(line))
  }

  /** Payouts that this line may be, the earliest first. */
  payoutsOf(line: BankLine, { after, before }: Window, is: (payout: Expected) => boolean): ReadonlyArray<Expected> {
    const day = numberOf(line.date)
    return this.payouts.between(day - after, day + before, (one) => one.currency === line.currency && is(one))
  }
}

const isNamed = ({ references }: Pick<Expected, "references">, { names }: BankLine): boolean =>
  references.some((one) => names.has(one))

/** The payouts with those references that no other payout has: some processors write one reference on all of them. */
const ownReferences = (payouts: ReadonlyArray<Expected>): ReadonlyMap<Expected, Pick<Expected, "references">> => {
  const times = new Map<string, number>()
  for (const one of payouts.flatMap(({ references }) => [...new Set(references)]))
    times.set(one, (times.get(one) ?? 0) + 1)
  return new Map(
    payouts.map((one) => [one, { references: one.references.filter((reference) => times.get(reference) === 1) }])
  )
}

/** Lines that name a payout, those of its amount first. What names only it may differ: the bank took something, or it came in parts. */
const byName = (left: Left): void => {
  const own = ownReferences(left.payouts.all)
  for (const payout of left.payouts.all) {
    const [line] = left.linesOf(payout, NAMED, (one) => one.amount === payout.amount && isNamed(payout, one))
    if (line !== undefined) left.tie("named", [payout], [line])
  }
  const isOwn = (payout: Expected, line: BankLine) =>
    (line.isFree || line.from.has(payout.pot)) && isNamed(own.get(payout) ?? payout, line)
  const naming = (line: BankLine) => left.payoutsOf(line, NAMED, (one) => isOwn(one, line))
  for (const line of left.lines.all) {
    const payouts = naming(line)
    if (payouts.length > 1 && total(payouts) === line.amount) left.tie("named", payouts, [line])
  }
  for (const payout of left.payouts.all) {
    const lines = left.linesOf(payout, NAMED, (one) => isOwn(payout, one))
    if (lines.length > 0 && lines.every((line) => naming(line).length === 1)) left.tie("named", [payout], lines)
  }
}

/**
 * Lines of a payout's amount in its days. Payouts of one amount are interchangeable, and the earlier line is the earlier one's.
 * Of lines that no processor is named in, there must not be more than payouts: one of them may be a customer's.
 */
const byAmount = (left: Left, isOf: (payout: Expected, line: BankLine) => boolean, mayExceed: boolean): void => {
  const fits = (one: Expected, line: BankLine) => one.amount === line.amount && isOf(one, line)
  for (const payout of left.payouts.all) {
    const lines = left.linesOf(payout, NEAR, (line) => fits(payout, line))
    const [first] = lines
    if (first === undefined) continue
    const rivals = new Set(lines.flatMap((line) => left.payoutsOf(line, NEAR, (one) => fits(one, line))))
    if (mayExceed || lines.length <= rivals.size) left.tie("amount", [payout], [first])
  }
}

/** Neighbours that add up to an amount; undefined if there are none, or several such runs. */
const runOf = <A extends { readonly amount: Decimal.Decimal }>(
  all: ReadonlyArray<A>,
  amount: Decimal.Decimal
): ReadonlyArray<A> | undefined => {
  const found: Array<ReadonlyArray<A>> = []
  for (const from of all.keys())
    for (let to = from + 2; to <= Math.min(all.length, from + MOST_TOGETHER); to++) {
      const run = all.slice(from, to)
      if (total(run) === amount) found.push(run)
    }
  return found.length === 1 ? found[0] : undefined
}

/** Payouts that the bank shows as one line, and lines that are one payout: of the processor that the line names. */
const bySum = (left: Left): void => {
  for (const line of left.lines.all)
    for (const pot of line.from) {
      const payouts = left.payoutsOf(line, NEAR, (one) => one.pot === pot)
      const run = left.lines.has(line) ? runOf(payouts, line.amount) : undefined
      if (run !== undefined) left.tie("sum", run, [line])
    }
  for (const payout of left.payouts.all) {
    const run = runOf(
      left.linesOf(payout, NEAR, (one) => one.from.has(payout.pot)),
      payout.amount
    )
    if (run !== undefined) left.tie("sum", [payout], run)
  }
}

/** The processor's only line in the days of its only payout there, less a bank's charge. */
const byCharge = (left: Left): void => {
  for (const payout of left.payouts.all) {
    const lines = left.linesOf(payout, NEAR, (one) => one.isPaidBy && one.from.has(payout.pot))
    const [line] = lines
    if (line === undefined || lines.length > 1) continue
    const rivals = left.payoutsOf(line, NEAR, (one) => line.from.has(one.pot))
    const less = payout.amount - line.amount
    if (rivals.length === 1 && less > 0n && less * CHARGE <= payout.amount) left.tie("charge", [payout], [line])
  }
}

export const tie = (payouts: ReadonlyArray<Expected>, lines: ReadonlyArray<BankLine>): Tied => {
  const left = new Left(payouts, lines)
  byName(left)
  byAmount(left, ({ pot }, line) => line.from.has(pot), true)
  byAmount(left, (_, line) => line.isFree, false)
  bySum(left)
  byCharge(left)
  const strange = left.lines.all.filter((line) => line.isPaidBy && line.isFree)
  return { ties: left.ties, open: left.payouts.all, strange }
}
