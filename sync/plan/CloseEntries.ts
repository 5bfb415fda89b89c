/**
 * What one invoice adds to the closing statements of all months, in minor units, so that their sums can be kept: each statement adds up
 * what was entered until its month.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import { type Counted, movesOf, waitingFor } from "./CloseInvoice.ts"
import { type Movement, PARTS } from "./CloseMovements.ts"
import type { Planning } from "../model/Connection.ts"
import type { Surroundings } from "./Surroundings.ts"

/** The sums of an account: parts of the books, of the service, what the source says more, and invoices with and without its word. */
export const SUMS = [
  ...(["books", "service"] as const).flatMap((side) => PARTS.map((part) => `${side}_${part}` as const)),
  "apart",
  "stated",
  "unchecked"
] as const

const SERVICE = PARTS.length
const APART = 2 * PARTS.length
const STATED = APART + 1
const UNCHECKED = APART + 2

/** A month such as 202610, which of the sums, and by how much. */
export type MonthEntry = readonly [month: number, sum: number, amount: bigint]

/** What is dated nowhere is before every month. */
const NO_MONTH = 1
/** Later than every month that can be closed. */
const NO_END = 999_912

export const monthNumber = (day: Day): number => Number(day.slice(0, 7).replace("-", "")) || NO_MONTH

const following = (month: number): number => (month % 100 === 12 ? month + 89 : month + 1)

/** Nine thousand of these are less than a sum can hold. */
const MOST = 10n ** 15n

const toMinor = (amount: Decimal, currency: string): bigint | undefined => {
  if (!Currency.fits(amount, currency)) return undefined
  const minor = Currency.toMinor(amount, currency)
  return minor > MOST || minor < -MOST ? undefined : minor
}

const added = (entries: ReadonlyArray<MonthEntry>): ReadonlyArray<MonthEntry> => {
  const sums = new Map<string, MonthEntry>()
  for (const [month, sum, amount] of entries) {
    const by = `${month} ${sum}`
    sums.set(by, [month, sum, (sums.get(by)?.[2] ?? 0n) + amount])
  }
  return [...sums.values()].filter(([_, __, amount]) => amount !== 0n).toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
}

/** Undefined if an amount is finer than its currency's units. */
const moved = ({ books, currency, service }: Counted): ReadonlyArray<MonthEntry> | undefined => {
  const found: Array<MonthEntry> = []
  const sides: ReadonlyArray<readonly [number, ReadonlyArray<Movement>]> = [
    [0, books],
    [SERVICE, service]
  ]
  for (const [side, movements] of sides)
    for (const { amount, date, part } of movements) {
      const minor = toMinor(amount, currency)
      if (minor === undefined) return undefined
      found.push([monthNumber(date), side + PARTS.indexOf(part), minor])
    }
  return added(found)
}

/** Whether anything of it is in the statement of a month: it moved in it, or was open when it began. */
const isPartOf = (entries: ReadonlyArray<MonthEntry>, month: number): boolean =>
  entries.some(([at]) => at === month) ||
  [0, SERVICE].some(
    (side) =>
      entries.reduce(
        (open, [at, sum, amount]) => (at < month && sum >= side && sum < side + SERVICE ? open + amount : open),
        0n
      ) !== 0n
  )

/** Whether books, service and source differ at a month's end. */
export const isApart = (entries: ReadonlyArray<MonthEntry>, month: number): boolean => {
  let [between, apart] = [0n, 0n]
  for (const [at, sum, amount] of entries) {
    if (at > month) continue
    if (sum < SERVICE) between += amount
    else if (sum < APART) between -= amount
    else if (sum === APART) apart += amount
  }
  return between !== 0n || apart !== 0n
}

/** What is kept of an invoice. */
export interface KeptMoves {
  readonly currency: string
  readonly party: string
  readonly entries: ReadonlyArray<MonthEntry>
}

const monthsOf = (entries: ReadonlyArray<MonthEntry>): ReadonlyArray<number> =>
  [...new Set(entries.flatMap(([month]) => [month, following(month)]))].toSorted((a, b) => a - b)

/**
 * What an invoice adds; undefined where it cannot be kept: its payments wait for it, or an amount is finer than its currency's units.
 * A statement then looks at the invoice itself.
 *
 * @param planning the settings that its connection was last planned with
 */
export const keptOf = (db: Db, subject: string, planning: Planning, around: Surroundings): KeptMoves | undefined => {
  const moves = movesOf(db, subject, planning, around)
  if (waitingFor(moves.facts).length > 0) return undefined
  if (moves.currency === undefined) return { currency: "", party: "", entries: [] }
  const { currency, figures, invoice, party } = moves
  const entries = moved(moves)
  if (entries === undefined) return undefined
  if (figures === undefined || invoice === undefined) return { currency, party, entries }
  const { follows, says } = figures
  const apart = says === undefined ? 0n : toMinor(says - follows, currency)
  if (apart === undefined) return undefined
  const issued = monthNumber(invoice.issued)
  const counts: Array<MonthEntry> = apart === 0n ? [] : [[issued, APART, apart]]
  let was = 0n
  for (const month of monthsOf([...entries, [issued, APART, 0n]])) {
    const is = month >= issued && (apart !== 0n || isPartOf(entries, month)) ? 1n : 0n
    if (is !== was) counts.push([month, says === undefined ? UNCHECKED : STATED, is - was])
    was = is
  }
  return { currency, party, entries: added([...entries, ...counts]) }
}

/** The months from the first to the last in which it differs; undefined if it never does. */
export const differing = (entries: ReadonlyArray<MonthEntry>): readonly [first: number, last: number] | undefined => {
  const months = monthsOf(entries)
  const apart = months.filter((month) => isApart(entries, month))
  const [first] = apart
  const last = apart.at(-1)
  if (first === undefined || last === undefined) return undefined
  return [first, last === months.at(-1) ? NO_END : last]
}

/** Entries as they are stored: the same movement in books and on the service is one. */
export const writeMoves = (entries: ReadonlyArray<MonthEntry>): string => {
  const isSame = ([month, sum, amount]: MonthEntry) =>
    entries.some(([at, other, much]) => at === month && other === sum + SERVICE && much === amount)
  const both = new Set(
    entries.filter((one) => one[1] < SERVICE && isSame(one)).map(([month, sum]) => `${month} ${sum}`)
  )
  return entries
    .flatMap(([month, sum, amount]) => {
      if (sum >= SERVICE && both.has(`${month} ${sum - SERVICE}`)) return []
      return [`${month},${both.has(`${month} ${sum}`) ? SUMS.length + sum : sum},${amount}`]
    })
    .join(";")
}

export const readMoves = (text: string): ReadonlyArray<MonthEntry> =>
  text === ""
    ? []
    : text.split(";").flatMap((one): ReadonlyArray<MonthEntry> => {
        const [month = "", what = "", amount = ""] = one.split(",")
        const [at, sum, much] = [Number(month), Number(what), BigInt(amount)]
        if (sum < SUMS.length) return [[at, sum, much]]
        const own = sum - SUMS.length
        return [
          [at, own, much],
          [at, own + SERVICE, much]
        ]
      })
