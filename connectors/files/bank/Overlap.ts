/**
 * Decides, from the summaries of all bank files of a connection, which file each entry is read from: intraday reports,
 * notifications and statements describe the same entries, and the books find out which are the same. If one file has an entry
 * as a sum and another file itemises it, the items are read.
 *
 * Pure. The result for a file is part of its digest: a file is read again when the result changes.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { gap, type Span, type Summary, uncounted } from "./Survey.ts"

export type Summaries = Readonly<Record<string, Summary>>

export interface Others {
  /** Digests of the names of entries that another file itemises. */
  readonly elsewhere: ReadonlyArray<string>
  readonly gaps: ReadonlyArray<string>
}

/** By how many days two messages may date the same entry differently. */
const APART_DAYS = 10

const near = (day: string, { from, to }: Span): boolean =>
  day === "" ||
  from === undefined ||
  to === undefined ||
  (day >= Day.addDays(Day.of(from), -APART_DAYS) && day <= Day.addDays(Day.of(to), APART_DAYS))

/** One account, in all files. */
interface Account {
  /** Its statements, ordered by their last day. */
  readonly statements: Array<Span & { readonly part: string; readonly to: string }>
  /** Those that do not say what they open with. */
  readonly balanced: Array<Span & Required<Pick<Span, "balanced">>>
  readonly splits: Array<{ readonly part: string; readonly rank: number; readonly name: string; readonly day: string }>
}

const accountsOf = (all: Summaries): ReadonlyMap<string, Account> => {
  const accounts = new Map<string, Account>()
  for (const [part, { rank, spans, splits }] of Object.entries(all)) {
    for (const span of spans) {
      let account = accounts.get(span.account)
      if (account === undefined) accounts.set(span.account, (account = { statements: [], balanced: [], splits: [] }))
      for (const [name, day] of splits) account.splits.push({ part, rank, name, day })
      const { balanced, from, interim, to } = span
      if (balanced !== undefined) account.balanced.push({ ...span, balanced })
      if (interim || from === undefined || to === undefined) continue
      account.statements.push({ ...span, part, to })
    }
  }
  for (const { statements } of accounts.values()) statements.sort((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
  return accounts
}

/** The last statement of an account that ended before a day, by binary search. */
const before = ({ statements }: Account, day: string): Account["statements"][number] | undefined => {
  let [low, high] = [0, statements.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((statements[middle]?.to ?? "") < day) low = middle + 1
    else high = middle
  }
  return statements[low - 1]
}

/** Statements whose opening balance is not the previous statement's closing balance. */
const gapsOf = ({ spans }: Summary, accounts: ReadonlyMap<string, Account>): ReadonlyArray<string> =>
  spans.flatMap(({ account, currency, from, interim, numbers, opening }) => {
    if (interim || opening === undefined || from === undefined) return []
    const known = accounts.get(account)
    const last = known === undefined ? undefined : before(known, from)
    if (last?.closing === undefined || last.currency !== currency) return []
    if (Decimal.of(last.closing) === Decimal.of(opening)) return uncounted(account, last.numbers?.[1], numbers?.[0])
    return [gap(account, currency, Decimal.of(opening), Decimal.of(last.closing))]
  })

/** Whether the balances of two statements that do not say what they open with differ by the entries between them. */
const unbalancedIn = ({ spans }: Summary, accounts: ReadonlyMap<string, Account>): ReadonlyArray<string> =>
  spans.flatMap(({ account, balanced, closing, currency, faulty }) => {
    if (balanced === undefined || closing === undefined || faulty === true) return []
    const { asOf, days, since } = balanced
    const begun = Day.addDays(Day.of(since), -1)
    const [last] = (accounts.get(account)?.balanced ?? [])
      .filter((one) => one.currency === currency && one.balanced.asOf < asOf && one.balanced.asOf >= begun)
      .map((one) => ({ closing: one.closing, asOf: one.balanced.asOf }))
      .toSorted((a, b) => (a.asOf < b.asOf ? 1 : -1))
    if (last?.closing === undefined) return []
    const sum = (from: string) =>
      Decimal.sum(days.filter(([day]) => day >= from && day <= asOf).map(([, amount]) => Decimal.of(amount)))
    const [before, after] = [Decimal.of(last.closing), Decimal.of(closing)]
    const between = sum(Day.addDays(Day.of(last.asOf), 1))
    // The earlier balance may have been asked for before that day's entries.
    if (before + between === after || before + sum(last.asOf) === after) return []
    const [was, is, entries] = [before, after, between].map((amount) => Currency.say(amount, currency))
    return [
      `the balance of ${account} was ${was} on ${last.asOf} and is ${is} on ${asOf}, and the entries between come to ${entries}: one is missing or was misread, or a balance was asked for within a day`
    ]
  })

/** Returns a function that says, for each file, what the other files mean for it. */
export const overlaps = (all: Summaries): ((part: string) => Others) => {
  const accounts = accountsOf(all)
  return (part) => {
    const own = all[part]
    if (own === undefined) return { elsewhere: [], gaps: [] }
    const splits = new Set(own.splits.map(([name]) => name))
    const elsewhere = new Set<string>()
    for (const span of own.spans) {
      const account = accounts.get(span.account)
      if (account === undefined) continue
      for (const { day, name, part: other, rank } of account.splits) {
        if (other === part || !near(day, span)) continue
        // If two files itemise it, one is read: the more detailed one, or else the first by name.
        const goesFirst = rank === own.rank ? other < part : rank < own.rank
        if (!splits.has(name) || goesFirst) elsewhere.add(name)
      }
    }
    return { elsewhere: [...elsewhere].toSorted(), gaps: [...gapsOf(own, accounts), ...unbalancedIn(own, accounts)] }
  }
}
