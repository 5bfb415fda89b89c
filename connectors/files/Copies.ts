/**
 * Finds out from a file's name when it was written, or what period it is about: `export-2026-11-24.csv`, `2026-09.csv`, `2025.csv`.
 * Of two files that state a record differently, the later one stands.
 */
import { basename } from "node:path"
import * as Day from "../../core/wire/Day.ts"
import type { Copy } from "../Connector.ts"

export interface Period {
  readonly from: Day.Day
  /** The last day. */
  readonly asOf: Day.Day
}

/** A year of this century, with a month and a day if the name has them; digits beside them would make it another number. */
const DATE = /(?<!\d)(20\d\d)(?:([-_.]?)(0[1-9]|1[0-2])(?:\2([0-3]\d))?)?(?!\d)/g

/** The last period in its name; undefined if there is none. */
export const periodOf = (name: string): Period | undefined => {
  for (const [, year = "", , month, day] of [...basename(name).matchAll(DATE)].toReversed()) {
    const from = Day.make(Number(year), Number(month ?? 1), Number(day ?? 1))
    if (from === undefined) continue
    if (day !== undefined) return { from, asOf: from }
    const next = month === undefined ? Day.make(Number(year) + 1, 1, 1) : nextMonth(from)
    return next === undefined ? undefined : { from, asOf: Day.addDays(next, -1) }
  }
  return undefined
}

interface Written {
  readonly name: string
  readonly settings: { readonly window?: boolean }
}

/** What is known of the time when a file was written: by its name, or by the latest day in it among other exports of its list. */
export const copyOf = ({ name, settings: { window } }: Written, latest: Day.Day | undefined): Copy => ({
  ...(periodOf(name) ?? (latest === undefined ? {} : { asOf: latest })),
  ...(window === undefined ? {} : { window })
})

const nextMonth = (day: Day.Day): Day.Day | undefined => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return month === 12 ? Day.make(year + 1, 1, 1) : Day.make(year, month + 1, 1)
}
