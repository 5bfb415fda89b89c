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

/** Whether the first of two files is the one that an entry is read from which both have one by one. */
const goesFirst = (a: string, b: string, all: Summaries): boolean =>
  all[a]!.rank !== all[b]!.rank ? all[a]!.rank < all[b]!.rank : a < b

export const othersOf = (part: string, all: Summaries): Others => {
  const own = all[part]
  if (own === undefined) return { elsewhere: [], stated: {}, gaps: [] }
  const splits = new Set(own.splits.map(([name]) => name))
  const elsewhere = new Set<string>()
  const stated: Record<string, string> = {}
  const accounts = new Set(own.spans.map(({ account }) => account))
  for (const [other, summary] of Object.entries(all)) {
    for (const { account, from, interim } of summary.spans) {
      if (interim || from === undefined || !accounts.has(account)) continue
      if (stated[account] === undefined || from < stated[account]) stated[account] = from
    }
    if (other === part || !summary.spans.some(({ account }) => accounts.has(account))) continue
    for (const [name, day] of summary.splits) {
      if (!own.spans.some((span) => near(day, span))) continue
      if (!splits.has(name) || goesFirst(other, part, all)) elsewhere.add(name)
    }
  }
  const interim = own.spans.some((span) => span.interim)
  return { elsewhere: [...elsewhere].toSorted(), stated: interim ? stated : {}, gaps: gapsOf(part, own, all) }
}

/** Statements that do not go on where the last one before them ended. */
const gapsOf = (part: string, { spans }: Summary, all: Summaries): ReadonlyArray<string> =>
  spans.flatMap((span) => {
    const { account, currency, from, interim, opening } = span
    if (interim || opening === undefined || from === undefined) return []
    let last: Span | undefined
    for (const [other, summary] of Object.entries(all)) {
      if (other === part) continue
      for (const one of summary.spans) {
        if (one.interim || one.account !== account || one.currency !== currency || one.to === undefined) continue
        if (one.to < from && (last?.to === undefined || one.to > last.to)) last = one
      }
    }
    if (last?.closing === undefined || Decimal.of(last.closing) === Decimal.of(opening)) return []
    return [gap(account, currency, Decimal.of(opening), Decimal.of(last.closing))]
  })
