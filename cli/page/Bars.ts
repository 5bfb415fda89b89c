/**
 * Draws bar charts as SVG, with a table of the figures for accessibility. Each bar links to its rows. Amounts are exact
 * until the last step, which computes the length of a bar with d3's scales and shapes.
 */
import { scaleBand, scaleLinear } from "d3-scale"
import { stack } from "d3-shape"
import { html, type Node } from "./Html.ts"
import { t } from "./language/Texts.ts"

const HEIGHT = 120
const WIDTH = 480
/** Space above the bars for their figures. */
const HEAD = 24

export type BarLook = "c1" | "c2" | "c3"

export interface Bar {
  /** The label below the bar. */
  readonly words: string
  /** The text above the bar; if empty, there is neither text nor link. */
  readonly figure: string
  /** The text for screen readers. */
  readonly says: string
  /** The address of the rows behind it. */
  readonly at?: string | undefined
  readonly parts: ReadonlyArray<{ readonly look: BarLook; readonly value: bigint }>
}

export interface BarChart {
  readonly title: string
  readonly bars: ReadonlyArray<Bar>
  /** Draws parts side by side instead of stacked. */
  readonly beside?: boolean
  readonly legend?: ReadonlyArray<readonly [BarLook, string]>
  /** The figures, as a table. */
  readonly table: Node
  /** Explains the figures in a sentence. */
  readonly note?: string
}

const positive = (value: bigint): bigint => (value < 0n ? 0n : value)

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((all, value) => all + positive(value), 0n)

const highest = (values: ReadonlyArray<bigint>): bigint =>
  values.reduce((top, value) => (value > top ? value : top), 0n)

/** A value as a part of the largest one. */
const shareOf = (value: bigint, most: bigint): number =>
  most === 0n ? 0 : Number((positive(value) << 20n) / most) / 2 ** 20

/** Where a bar of this share ends, from the top. */
const y = scaleLinear([0, 1], [HEIGHT, 0])

const short = (length: number): number => Math.round(length * 16) / 16

interface Place {
  readonly x: number
  readonly width: number
  readonly most: bigint
  readonly beside: boolean
  /** There is room for its label. */
  readonly onPhone: boolean
}

/** From which share to which each part reaches: from the bottom, or on the one before it. */
const spans = ({ parts }: Bar, { beside, most }: Place): ReadonlyArray<readonly number[]> => {
  const shares = parts.map(({ value }) => shareOf(value, most))
  const stacked = stack<ReadonlyArray<number>, number>()
    .keys(shares.keys())
    .value((row, n) => row[n] ?? 0)
  return beside
    ? shares.map((share) => [0, share])
    : stacked([shares]).flatMap(([one]) => (one === undefined ? [] : [one]))
}

const rects = (bar: Bar, place: Place): Node => {
  const { beside, width, x } = place
  const lanes = scaleBand(beside ? bar.parts.keys() : [0], [x, x + width])
  const reached = spans(bar, place)
  return bar.parts.map(({ look }, i) => {
    const [low = 0, high = 0] = reached[i] ?? []
    return html`<rect class=${look} x=${short(lanes(beside ? i : 0) ?? x)} width=${short(lanes.bandwidth())} y=${short(y(high))} height=${short(y(low) - y(high))} />`
  })
}

/** Half the width of a letter on a phone, where letters are larger beside the bars. */
const HALF_LETTER = 5.5

/** Below or above the middle of a bar; at an end of the chart, so that nothing is cut off. */
const placed = (middle: number, words: string): { readonly x: number; readonly anchor: "start" | "middle" | "end" } => {
  const half = words.length * HALF_LETTER
  if (middle < half) return { x: 0, anchor: "start" }
  return middle > WIDTH - half ? { x: WIDTH, anchor: "end" } : { x: short(middle), anchor: "middle" }
}

const drawn = (bar: Bar, place: Place): Node => {
  const { most, width, x } = place
  const values = bar.parts.map(({ value }) => value)
  const top = shareOf(place.beside ? highest(values) : sum(values), most)
  const middle = x + width / 2
  const [above, below] = [placed(middle, bar.figure), placed(middle, bar.words)]
  const shape = html`${rects(bar, place)}
    ${bar.figure === "" ? null : html`<text x=${above.x} y=${short(y(top) - 5)} text-anchor=${above.anchor}>${bar.figure}</text>`}`
  return html`<g>
    ${bar.at === undefined || bar.figure === "" ? shape : html`<a href=${bar.at} aria-label=${bar.says}>${shape}</a>`}
    <text class=${place.onPhone ? undefined : "wide-only"} x=${below.x} y=${HEIGHT + 17} text-anchor=${below.anchor} aria-hidden="true">${bar.words}</text>
  </g>`
}

export const barChart = ({ bars, beside = false, legend = [], note, table, title }: BarChart): Node => {
  const most = highest(bars.map(({ parts }) => (beside ? highest : sum)(parts.map(({ value }) => value))))
  const gap = Math.min(1 / 6, (10 * bars.length) / WIDTH)
  const x = scaleBand(bars.keys(), [0, WIDTH])
    .paddingInner(2 * gap)
    .paddingOuter(gap)
  const isCrowded =
    bars.reduce((all, { words }) => all + 2 * HALF_LETTER * (words.length + 1), 0) > WIDTH &&
    bars.every(({ words }) => words !== "")
  return html`
    <figure class="card">
      <h3>${title}</h3>
      <svg viewBox=${`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT + 24}`} role="group" aria-label=${t`${title}; the figures are in the table below`}>
        ${bars.map((bar, i) => drawn(bar, { x: x(i) ?? 0, width: x.bandwidth(), most, beside, onPhone: !isCrowded || i % 2 === 0 }))}
      </svg>
      ${legend.length === 0 ? null : html`<p class="legend">${legend.map(([look, words]) => html`<span><i class=${look}></i>${words}</span>`)}</p>`}
      ${note === undefined ? null : html`<p class="dim">${note}</p>`}
      <details>
        <summary>Figures</summary>
        ${table}
      </details>
    </figure>
  `
}
