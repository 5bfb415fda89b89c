/**
 * What the bank files of a connection have to do with each other, from their summaries. Reports of a day, notifications
 * and statements describe the same entries. An entry with a reference of the bank has the same id in each of them; two
 * things need more than that:
 *
 *   - one file has an entry as a sum and another one has what it is the sum of: the second is read
 *   - an entry without a reference is read from the account's statement, and not from what came before it
 *
 * Pure. The answer for a file is part of what it was read with: a file is read again when the answer changes.
 */
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { gap, type Span, type Summary } from "./Survey.ts"

export type Summaries = Readonly<Record<string, Summary>>

export interface Others {
  /** Entries, by the digest of their name, that another file has one by one. */
  readonly elsewhere: ReadonlyArray<string>
  /** By account: from this day on its entries without a reference are read from statements. */
  readonly stated: Readonly<Record<string, string>>
  readonly gaps: ReadonlyArray<string>
}

/** Days by which two messages may date one entry differently. */
const APART_DAYS = 10

const near = (day: string, { from, to }: Span): boolean =>
  day === "" ||
  from === undefined ||
  to === undefined ||
  (day >= Day.addDays(Day.of(from), -APART_DAYS) && day <= Day.addDays(Day.of(to), APART_DAYS))

/** What is known of one account, from every file. */
interface Account {
  /** The first day of its statements. */
  from: string | undefined
  /** Its statements by the day on which they end. */
  readonly statements: Array<Span & { readonly part: string; readonly to: string }>
  readonly splits: Array<{ readonly part: string; readonly rank: number; readonly name: string; readonly day: string }>
}

const accountsOf = (all: Summaries): ReadonlyMap<string, Account> => {
  const accounts = new Map<string, Account>()
  for (const [part, { rank, spans, splits }] of Object.entries(all)) {
    for (const span of spans) {
      let account = accounts.get(span.account)
      if (account === undefined) accounts.set(span.account, (account = { from: undefined, statements: [], splits: [] }))
      for (const [name, day] of splits) account.splits.push({ part, rank, name, day })
      const { from, interim, to } = span
      if (interim || from === undefined || to === undefined) continue
      account.statements.push({ ...span, part, to })
      if (account.from === undefined || from < account.from) account.from = from
    }
  }
  for (const { statements } of accounts.values()) statements.sort((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
  return accounts
}

/** The last statement of an account that ended before a day, by halving. */
const before = ({ statements }: Account, day: string): Account["statements"][number] | undefined => {
  let [low, high] = [0, statements.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((statements[middle]?.to ?? "") < day) low = middle + 1
    else high = middle
  }
  return statements[low - 1]
}

/** Statements that do not go on where the last one before them ended. */
const gapsOf = ({ spans }: Summary, accounts: ReadonlyMap<string, Account>): ReadonlyArray<string> =>
  spans.flatMap(({ account, currency, from, interim, opening }) => {
    if (interim || opening === undefined || from === undefined) return []
    const known = accounts.get(account)
    const last = known === undefined ? undefined : before(known, from)
    if (last?.closing === undefined || last.currency !== currency) return []
    if (Decimal.of(last.closing) === Decimal.of(opening)) return []
    return [gap(account, currency, Decimal.of(opening), Decimal.of(last.closing))]
  })

/** Answers for each file what the others have to do with it. */
export const overlaps = (all: Summaries): ((part: string) => Others) => {
  const accounts = accountsOf(all)
  return (part) => {
    const own = all[part]
    if (own === undefined) return { elsewhere: [], stated: {}, gaps: [] }
    const splits = new Set(own.splits.map(([name]) => name))
    const elsewhere = new Set<string>()
    const stated: Record<string, string> = {}
    for (const span of own.spans) {
      const account = accounts.get(span.account)
      if (account === undefined) continue
      if (span.interim && account.from !== undefined) stated[span.account] = account.from
      for (const { day, name, part: other, rank } of account.splits) {
        if (other === part || !near(day, span)) continue
        // Of two files that have it one by one, one is read: the one with more detail, or the first.
        const goesFirst = rank === own.rank ? other < part : rank < own.rank
        if (!splits.has(name) || goesFirst) elsewhere.add(name)
      }
    }
    return { elsewhere: [...elsewhere].toSorted(), stated, gaps: gapsOf(own, accounts) }
  }
}
