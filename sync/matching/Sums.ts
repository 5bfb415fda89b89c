/**
 * How an amount comes from what invoices ask for, where it is none of them: a bank kept a fee, an early payment discount was
 * taken, or several invoices were paid in one transfer. Pure, in minor units.
 */
import * as Day from "../../core/wire/Day.ts"

/** An invoice and what is open of it. */
export interface OpenPart {
  readonly key: string
  readonly open: bigint
}

/** An invoice and what of the amount is for it. */
export interface Part {
  readonly key: string
  readonly amount: bigint
}

/** Percentages of early payment discounts, in hundredths: what terms of payment name. */
const DISCOUNTS = [100n, 150n, 200n, 250n, 300n, 400n, 500n]
const WHOLE = 10_000n

/** Less a percentage in hundredths, rounded half up as accounting systems do. */
const less = (amount: bigint, hundredths: bigint): bigint => (amount * (WHOLE - hundredths) + WHOLE / 2n) / WHOLE

export interface Discount {
  /** In hundredths of a percent. */
  readonly percent: bigint
  readonly parts: ReadonlyArray<Part>
}

/** The early payment discount that leaves exactly this amount of the invoices, each rounded or all of them together. */
export const discountOf = (
  invoices: ReadonlyArray<OpenPart>,
  amount: bigint,
  percentages: ReadonlyArray<bigint> = DISCOUNTS
): Discount | undefined => {
  const total = invoices.reduce((sum, { open }) => sum + open, 0n)
  for (const percent of percentages) {
    const parts = invoices.map(({ key, open }) => ({ key, amount: less(open, percent) }))
    const sum = parts.reduce((all, one) => all + one.amount, 0n)
    if (sum === amount) return { percent, parts }
    const [first, ...rest] = parts
    // The sum was rounded, and not each of them: the first one has what is left.
    if (first !== undefined && less(total, percent) === amount)
      return { percent, parts: [{ key: first.key, amount: first.amount + amount - sum }, ...rest] }
  }
  return undefined
}

/** Searched among so many invoices at most, and in sums of so many. */
const MOST = 16
export const MOST_PARTS = 5

/**
 * The one set of invoices that adds up to exactly this amount. Sets of the same amounts are one: the oldest of equal invoices
 * are taken. Undefined if there is none, or more than one.
 *
 * @param invoices the oldest first
 */
export const subsetOf = (
  invoices: ReadonlyArray<OpenPart>,
  amount: bigint,
  most = MOST_PARTS
): ReadonlyArray<Part> | undefined => {
  const able = invoices.filter(({ open }) => open > 0n && open < amount)
  if (able.length > MOST || able.length < 2) return undefined
  const found = new Map<string, ReadonlyArray<OpenPart>>()
  const search = (from: number, left: bigint, taken: ReadonlyArray<OpenPart>): void => {
    if (left === 0n && taken.length > 1) {
      const amounts = taken
        .map(({ open }) => `${open}`)
        .toSorted()
        .join()
      if (!found.has(amounts)) found.set(amounts, taken)
      return
    }
    if (taken.length === most || found.size > 1) return
    for (let at = from; at < able.length; at++) {
      const next = able[at]
      if (next !== undefined && next.open <= left) search(at + 1, left - next.open, [...taken, next])
    }
  }
  search(0, amount, [])
  const [only, another] = found.values()
  return only === undefined || another !== undefined ? undefined : only.map(({ key, open }) => ({ key, amount: open }))
}

/** `"2.5"` as 250. */
export const hundredths = (percent: string): bigint => {
  const [whole = "0", part = ""] = percent.split(".")
  return BigInt(whole) * 100n + BigInt(part.slice(0, 2).padEnd(2, "0"))
}

const MS_PER_DAY = 86_400_000

/** Whether a payment came so early that a discount may be taken. */
export const isEarly = (issued: string, paid: Day.Day, days: number): boolean =>
  Day.toEpochMillis(paid) <= Day.toEpochMillis(issued as Day.Day) + days * MS_PER_DAY

/** `2`, `2.5` */
export const sayPercent = (hundredths: bigint): string => {
  const [whole, part] = [hundredths / 100n, hundredths % 100n]
  return part === 0n ? `${whole}` : `${whole}.${`${part}`.padStart(2, "0").replace(/(?<!0)0+$/, "")}`
}
