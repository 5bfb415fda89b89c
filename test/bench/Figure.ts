/**
 * One figure of the bench: ours and a baseline measured in the same run, their ratio, and the limit that was promised.
 * Ratios travel from machine to machine; seconds do not. A figure without a limit is shown and never judged.
 */
export interface Figure {
  readonly name: string
  readonly ours: string
  readonly baseline: string
  /** Ours to the baseline. */
  readonly ratio: number
  /** What the ratio may be at most; infinite where nothing is promised. */
  readonly limit: number
  readonly held: boolean
  readonly note?: string
}

/** A ratio that is to stay at or under its limit. */
export const atMost = (
  name: string,
  limit: number,
  { baseline, note, ours, ratio }: Pick<Figure, "ours" | "baseline" | "ratio" | "note">
): Figure => ({ name, ours, baseline, ratio, limit, held: ratio <= limit, ...(note === undefined ? {} : { note }) })

/** A figure that is only shown. */
export const shown = (name: string, figure: Pick<Figure, "ours" | "baseline" | "ratio" | "note">): Figure =>
  atMost(name, Number.POSITIVE_INFINITY, figure)

export const seconds = (value: number): string =>
  value < 0.001 ? `${round(value * 1e6, 0)} µs` : value < 1 ? `${round(value * 1000, 1)} ms` : `${round(value, 2)} s`

export const megabytes = (value: number): string => `${Math.round(value)} MB`

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`

const round = (value: number, places: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places })

const WIDTHS = [50, 12, 12, 7, 9] as const

const row = ([name, ...rest]: ReadonlyArray<string>, decision: string): string =>
  [name!.padEnd(WIDTHS[0]), ...rest.map((text, i) => text.padStart(WIDTHS[i + 1]!)), decision].join("  ").trimEnd()

export const heading: string = row(["", "ours", "baseline", "ratio", "limit"], "")

/** One line, and its note beneath. */
export const line = ({ baseline, held, limit, name, note, ours, ratio }: Figure): string => {
  const judged = Number.isFinite(limit)
  const first = row(
    [name, ours, baseline, Number.isNaN(ratio) ? "" : round(ratio, 2), judged ? `<= ${round(limit, 2)}` : ""],
    judged ? (held ? "held" : "MISSED") : ""
  )
  return note === undefined ? first : `${first}\n    ${note}`
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
