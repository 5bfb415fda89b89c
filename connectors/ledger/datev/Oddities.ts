/** What shows that a batch is not whole, or was changed, though each of its rows can be read. */
import type * as Day from "../../../core/wire/Day.ts"
import { MOST_SERIES, Numbers, runningIn } from "../Numbers.ts"

/** The days that the first line says the postings are of; undefined where it says none. */
export interface Period {
  readonly from: Day.Day | undefined
  readonly to: Day.Day | undefined
}

interface Some {
  count: number
  first: number
}

const another = (some: Some | undefined, line: number): Some => ({
  count: (some?.count ?? 0) + 1,
  first: some?.first ?? line
})

export class Oddities {
  rows = 0
  #outside: Some | undefined
  #short: Some | undefined
  readonly #widths = new Set<number>()

  row(line: number, cells: number, width: number): void {
    this.rows++
    this.#widths.add(cells)
    if (cells < width) this.#short = another(this.#short, line)
  }

  posting(line: number, day: Day.Day, { from, to }: Period): void {
    if ((from !== undefined && day < from) || (to !== undefined && day > to))
      this.#outside = another(this.#outside, line)
  }

  said({ from, to }: Period): ReadonlyArray<string> {
    const [outside, short] = [this.#outside, this.#short]
    return [
      ...(this.rows === 0 ? ["it has no postings: is the file complete?"] : []),
      ...(outside === undefined
        ? []
        : [
            `postings are of other days than the first line says (${from ?? "…"} to ${to ?? "…"}): ${outside.count}, the first is line ${outside.first}`
          ]),
      ...(short === undefined || this.#widths.size === 1
        ? []
        : [
            `rows have fewer cells than others (${short.count}, the first is line ${short.first}): was the file cut off?`
          ])
    ]
  }
}

/** Law has invoices numbered without a gap (§ 14 UStG). Numbers are those behind what they begin with, such as `RE-2026-`. */
export class Invoiced {
  readonly #series = new Map<string, Numbers>()

  add(number: string): void {
    const { begins, number: digits } = runningIn(number) ?? {}
    if (begins === undefined || digits === undefined) return
    let numbers = this.#series.get(begins)
    if (numbers === undefined) {
      if (this.#series.size === MOST_SERIES) return
      this.#series.set(begins, (numbers = new Numbers()))
    }
    numbers.add(digits)
  }

  get said(): ReadonlyArray<string> {
    return [...this.#series].flatMap(([begins, numbers]) => {
      if (!numbers.isTorn) return []
      const { count, least, most } = numbers
      return [
        `invoices are numbered from ${begins}${least} to ${begins}${most}, and there are ${count}: some may be missing from the file`
      ]
    })
  }
}
