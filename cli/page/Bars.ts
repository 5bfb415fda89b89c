/**
 * Draws bar charts as SVG, with a table of the figures for accessibility. Each bar links to its rows. Amounts are exact
 * until the last step, which computes the length of a bar.
 */
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

/** The length of a value's bar relative to the largest, in pixels. */
const reach = (value: bigint, most: bigint): number =>
  most === 0n ? 0 : Number((positive(value) * BigInt(HEIGHT) * 16n) / most) / 16

interface Place {
  readonly x: number
  readonly width: number
  readonly most: bigint
  readonly beside: boolean
}

const rects = ({ parts }: Bar, { beside, most, width, x }: Place): Node => {
  let high = 0
  const each = beside ? width / Math.max(1, parts.length) : width
  return parts.map(({ look, value }, i) => {
    const own = reach(value, most)
    const y = HEIGHT - own - (beside ? 0 : high)
    high += own
    return html`<rect class=${look} x=${x + (beside ? i * each : 0)} width=${each} y=${y} height=${own} />`
  })
}

/** Labels keep this far from both ends, so that none is cut off, also in the larger letters of a phone. */
const HALF_LABEL = 26

const drawn = (bar: Bar, place: Place): Node => {
  const { most, width, x } = place
  const values = bar.parts.map(({ value }) => value)
  const top = reach(place.beside ? highest(values) : sum(values), most)
  const middle = x + width / 2
  const shape = html`${rects(bar, place)}
    ${bar.figure === "" ? null : html`<text x=${middle} y=${HEIGHT - top - 5} text-anchor="middle">${bar.figure}</text>`}`
  return html`<g>
    ${bar.at === undefined || bar.figure === "" ? shape : html`<a href=${bar.at} aria-label=${bar.says}>${shape}</a>`}
    <text x=${Math.min(Math.max(middle, HALF_LABEL), WIDTH - HALF_LABEL)} y=${HEIGHT + 17} text-anchor="middle" aria-hidden="true">${bar.words}</text>
  </g>`
}

export const barChart = ({ bars, beside = false, legend = [], note, table, title }: BarChart): Node => {
  const most = highest(bars.map(({ parts }) => (beside ? highest : sum)(parts.map(({ value }) => value))))
  const step = WIDTH / Math.max(1, bars.length)
  const gap = Math.min(10, step / 6)
  return html`
    <figure class="card">
      <h3>${title}</h3>
      <svg viewBox=${`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT + 24}`} role="group" aria-label=${t`${title}; the figures are in the table below`}>
        ${bars.map((bar, i) => drawn(bar, { x: i * step + gap, width: step - 2 * gap, most, beside }))}
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
