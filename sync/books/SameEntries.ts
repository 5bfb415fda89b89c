/**
 * Finds out which entries of a bank's statement are those that other statements have. Entries are the same where account and
 * amount are, the day is, and nothing contradicts it; each known entry is at most one of a statement's, so that twins stay two.
 * References only speak for it: banks begin them anew, leave them out, and give several entries the same. Pure.
 */
import type { StatementEntry } from "../../connectors/Connector.ts"
import * as Day from "../../core/wire/Day.ts"

/** What a part states, or stated, of a known entry. */
export interface EntrySighting extends StatementEntry {
  readonly scan: number
  /** It states it now. */
  readonly isSaid: boolean
}

/** An entry that the books have, as the parts that have it state it. */
export interface KnownEntry {
  readonly document: number
  readonly key: string
  readonly sightings: ReadonlyArray<EntrySighting>
}

/** A final statement may date an entry otherwise than the interim ones before it, or than a report, by so many days. */
export const DATED_ANEW_DAYS = 3

const isLike = (one: StatementEntry, other: StatementEntry): boolean => {
  const [a, b] = [one.payer, other.payer]
  if (a === "" || b === "" || a === b) return true
  return (one.isCut && b.startsWith(a)) || (other.isCut && a.startsWith(b))
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

const textsDiffer = (one: string, other: string): boolean =>
  one !== "" && other !== "" && !one.includes(other) && !other.includes(one)

/** Shorter references number the entries of a statement, and begin anew in the next one. */
const SHORTEST_REFERENCE = 8

const own = ({ reference }: StatementEntry): string | undefined =>
  reference !== undefined && reference.replace(/^0+/, "").length >= SHORTEST_REFERENCE ? reference : undefined

/** Whether one statement of a day goes on where the other ends: then they have no entry in common. */
const isContinued = (one: StatementEntry, other: StatementEntry): boolean => {
  const [a, b] = [one.segment, other.segment]
  if (a === undefined || b === undefined || one.day !== other.day) return false
  if (a[0] === a[1] || b[0] === b[1] || a[0] === b[0] || a[1] === b[1]) return false
  return a[1] === b[0] || b[1] === a[0]
}

/**
 * Messages of one kind write an entry in the same way; others may leave out some of it. A report has the reference of what was
 * collected, and statements may have words of the bank instead.
 */
const saysOtherwise = (one: StatementEntry, other: StatementEntry): boolean =>
  one.series === other.series
    ? one.payer !== other.payer || one.text !== other.text
    : !isLike(one, other) || (one.isReport === other.isReport && textsDiffer(one.text, other.text))

const contradicts = (one: StatementEntry, other: StatementEntry): boolean =>
  differ(one.iban, other.iban) ||
  differ(one.trace, other.trace) ||
  saysOtherwise(one, other) ||
  isContinued(one, other) ||
  // Where balances show that both have the same entries, references that banks make anew for each statement do not count.
  (one.series === other.series &&
    differ(own(one), own(other)) &&
    (one.segment === undefined || other.segment === undefined))

/** Whether either a report or statements have it, but not both. */
const isReported = ({ isReport }: StatementEntry, sightings: ReadonlyArray<StatementEntry>): boolean =>
  sightings.every((one) => one.isReport !== isReport)

/** How well an entry fits a known one; 0: it is another. */
export const fits = (entry: StatementEntry, { sightings }: KnownEntry, scan: number): number => {
  let apart = Number.POSITIVE_INFINITY
  for (const { day } of sightings) apart = Math.min(apart, Math.abs(Day.between(Day.of(day), Day.of(entry.day))))
  if (apart > DATED_ANEW_DAYS) return 0
  if (apart > 0 && !(entry.isFinal && sightings.every(({ isFinal }) => !isFinal)) && !isReported(entry, sightings))
    return 0
  let score = 100 - 20 * apart
  for (const one of sightings) {
    if (contradicts(entry, one)) return 0
    if (one.scan === scan) score += 2
    if (one.isSaid) score += 1
    if (one.text === entry.text) score += 5
    else if (one.text !== "" && entry.text !== "" && !textsDiffer(one.text, entry.text)) score += 3
    if (one.payer === entry.payer) score += 2
    if (own(one) !== undefined && one.reference === entry.reference) score += 8
  }
  return score
}

/** Above so many pairs, entries are paired in one go: they are alike in nearly everything. */
const MOST_PAIRS = 40_000

type Pairs = Map<number, KnownEntry>

/** Tries to give an entry one of its candidates, moving others to candidates of their own. */
const place = (
  n: number,
  candidates: ReadonlyArray<ReadonlyArray<KnownEntry>>,
  taken: Map<KnownEntry, number>,
  tried: Set<KnownEntry>
): boolean => {
  for (const known of candidates[n] ?? []) {
    if (tried.has(known)) continue
    tried.add(known)
    const other = taken.get(known)
    if (other !== undefined && !place(other, candidates, taken, tried)) continue
    taken.set(known, n)
    return true
  }
  return false
}

const signature = ({ iban = "", payer, reference = "", text, trace = "" }: StatementEntry): string =>
  JSON.stringify([payer, iban, text, trace, reference])

/** Pairs entries with known ones that say exactly the same, and the rest as they come. */
const inOneGo = (entries: ReadonlyArray<StatementEntry>, known: ReadonlyArray<KnownEntry>, scan: number): Pairs => {
  const by = new Map<string, Array<KnownEntry>>()
  for (const one of known.toReversed())
    for (const name of new Set(one.sightings.map(signature))) by.set(name, [...(by.get(name) ?? []), one])
  const pairs: Pairs = new Map()
  const used = new Set<KnownEntry>()
  const take = (n: number, one: KnownEntry | undefined) => {
    if (one === undefined) return
    used.add(one)
    pairs.set(n, one)
  }
  for (const [n, entry] of entries.entries()) {
    const alike = by.get(signature(entry)) ?? []
    while (alike.length > 0 && used.has(alike.at(-1) as KnownEntry)) alike.pop()
    const one = alike.at(-1)
    if (one !== undefined && fits(entry, one, scan) > 0) take(n, one)
  }
  const left = known.filter((one) => !used.has(one))
  for (const [n, entry] of entries.entries())
    if (!pairs.has(n))
      take(
        n,
        left.find((one) => !used.has(one) && fits(entry, one, scan) > 0)
      )
  return pairs
}

/**
 * For entries of one account, day and amount: the known ones that they are, by position; as many as possible.
 *
 * @param scan the part that states them
 */
export const pairEntries = (
  entries: ReadonlyArray<StatementEntry>,
  known: ReadonlyArray<KnownEntry>,
  scan: number
): Pairs => {
  if (entries.length * known.length > MOST_PAIRS) return inOneGo(entries, known, scan)
  const scored = entries.map((entry) =>
    known
      .map((one) => ({ one, score: fits(entry, one, scan) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.one.key < b.one.key ? -1 : 1))
  )
  const candidates = scored.map((all) => all.map(({ one }) => one))
  const taken = new Map<KnownEntry, number>()
  // Those that fit best first, so that none of them is moved without need.
  const order = [...scored.keys()].toSorted(
    (a, b) => (scored[b]?.[0]?.score ?? 0) - (scored[a]?.[0]?.score ?? 0) || a - b
  )
  for (const n of order) place(n, candidates, taken, new Set())
  return new Map([...taken].map(([one, n]) => [n, one]))
}
