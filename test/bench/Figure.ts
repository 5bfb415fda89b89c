/**
 * One figure of the bench: ours and a baseline measured in the same run, their ratio, and the limit that was promised.
 * Ratios travel from machine to machine; seconds do not. A figure without a limit is shown, and judged only against
 * the one before.
 */
export interface Figure {
  readonly name: string
  readonly ours: string
  readonly baseline: string
  /** Ours to the baseline. */
  readonly ratio: number
  /** The ratio of each run by itself, where there were several. */
  readonly runs: ReadonlyArray<number>
  /** What the ratio may be at most; infinite where nothing is promised. */
  readonly limit: number
  readonly held: boolean
  readonly note?: string
}

type Measured = Pick<Figure, "ours" | "baseline" | "ratio" | "note"> & Partial<Pick<Figure, "runs">>

/** A ratio that is to stay at or under its limit. */
export const atMost = (name: string, limit: number, { runs = [], ...measured }: Measured): Figure => ({
  name,
  limit,
  held: measured.ratio <= limit,
  runs,
  ...measured
})

/** A figure that nothing is promised of. */
export const shown = (name: string, measured: Measured): Figure => atMost(name, Number.POSITIVE_INFINITY, measured)

interface Runs {
  readonly ours: ReadonlyArray<number>
  readonly theirs: ReadonlyArray<number>
}

/** Seconds of both sides, run by run: the fewer the better. */
export const times = ({ ours, theirs }: Runs) => ({
  ours: seconds(median(ours)),
  baseline: seconds(median(theirs)),
  ratio: median(ours) / median(theirs),
  runs: ours.map((one, i) => one / theirs[i]!)
})

/** What both sides got done in a second, run by run: the more the better. */
export const rates = ({ ours, theirs }: Runs) => ({
  ours: perSecond(median(ours)),
  baseline: perSecond(median(theirs)),
  ratio: median(theirs) / median(ours),
  runs: ours.map((one, i) => theirs[i]! / one)
})

/** Megabytes of each run, against what is allowed: the most of them counts. */
export const memory = (peaks: ReadonlyArray<number>, allowed: number) => ({
  ours: megabytes(Math.max(...peaks)),
  baseline: megabytes(allowed),
  ratio: Math.max(...peaks) / allowed,
  runs: peaks.map((peak) => peak / allowed)
})

export const seconds = (value: number): string =>
  value < 0.001 ? `${round(value * 1e6, 0)} µs` : value < 1 ? `${round(value * 1000, 1)} ms` : `${round(value, 2)} s`

export const megabytes = (value: number): string => `${Math.round(value)} MB`

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`

const round = (value: number, places: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places })

/** Name, ours, baseline, ratio, the least and the most of the runs, limit, and whether it held. */
export const cells = ({ baseline, held, limit, name, ours, ratio, runs }: Figure): ReadonlyArray<string> => {
  const judged = Number.isFinite(limit)
  return [
    name,
    ours,
    baseline,
    round(ratio, 2),
    runs.length < 2 ? "" : `${round(Math.min(...runs), 2)}–${round(Math.max(...runs), 2)}`,
    judged ? round(limit, 2) : "",
    judged ? (held ? "held" : "MISSED") : ""
  ]
}

const WIDTHS = [62, 10, 10, 6, 10, 6] as const

const row = ([name = "", ...rest]: ReadonlyArray<string>): string =>
  [name.padEnd(WIDTHS[0]), ...rest.map((text, i) => text.padStart(WIDTHS[i + 1] ?? 0))].join("  ").trimEnd()

export const heading: string = row(["", "ours", "baseline", "ratio", "runs", "limit", ""])

/** One line, and its note beneath. */
export const line = (figure: Figure): string =>
  figure.note === undefined ? row(cells(figure)) : `${row(cells(figure))}\n    ${figure.note}`

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
