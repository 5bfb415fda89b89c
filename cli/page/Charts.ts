/**
 * Bars, drawn here as SVG, with their figures in a table for who does not see them. Amounts are exact until the last
 * step, which is where on the paper a bar ends.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Ageing, Day as DayOfCalls } from "../../sync/reports/Dashboard.ts"
import type { ExpectedWeek } from "../../sync/reports/Receivables.ts"
import { href, html, type Node, htmlTable } from "./Html.ts"
import { grouped } from "../../core/Plural.ts"

const HEIGHT = 120
const WIDTH = 480
/** Room above the bars for their figures. */
const HEAD = 24

/** How far a value reaches, of the greatest; pixels. */
const reach = (value: bigint, most: bigint, pixels: number): number =>
  most === 0n ? 0 : Number((value * BigInt(pixels) * 16n) / most) / 16

const BUCKETS: ReadonlyArray<readonly [Ageing["bucket"], string]> = [
  ["not due", "not due"],
  ["1-30", "1–30 days"],
  ["31-60", "31–60"],
  ["61-90", "61–90"],
  ["over 90", "over 90"]
]

const minor = (amount: bigint, currency: string): string => Currency.say(Currency.ofMinor(amount, currency), currency)

/** Without what stands behind the point: the exact figures are in the table. */
const whole = (amount: bigint, currency: string): string =>
  Currency.group(`${Currency.ofMinor(amount, currency) / Decimal.one}`)

/** What is open by how long it has been due, insured and not, of one currency. */
export const receivables = (currency: string, rows: ReadonlyArray<Ageing>): Node => {
  const of = (bucket: string, insured: boolean) =>
    rows.reduce((sum, row) => (row.bucket === bucket && row.insured === insured ? sum + row.amount : sum), 0n)
  const bars = BUCKETS.map(([bucket, words]) => ({
    age: bucket,
    words,
    insured: of(bucket, true),
    rest: of(bucket, false)
  }))
  const most = bars.reduce((top, { insured, rest }) => (insured + rest > top ? insured + rest : top), 0n)
  const step = WIDTH / bars.length
  return html`
    <figure class="card">
      <h3>Open receivables by age, ${currency}</h3>
      <svg viewBox=${`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT + 24}`} role="img" aria-label=${`Open receivables by age in ${currency}; the figures are in the table below`}>
        ${bars.map(({ insured, rest, words }, i) => {
          const [low, high] = [reach(rest, most, HEIGHT), reach(insured, most, HEIGHT)]
          return html`<g>
            <rect class="c2" x=${i * step + 12} width=${step - 24} y=${HEIGHT - low} height=${low} />
            <rect class="c1" x=${i * step + 12} width=${step - 24} y=${HEIGHT - low - high} height=${high} />
            <text x=${i * step + step / 2} y=${HEIGHT + 17} text-anchor="middle">${words}</text>
            ${insured + rest === 0n ? null : html`<text x=${i * step + step / 2} y=${HEIGHT - low - high - 5} text-anchor="middle">${whole(insured + rest, currency)}</text>`}
          </g>`
        })}
      </svg>
      <p class="legend"><span><i class="c1"></i>insured</span><span><i class="c2"></i>not insured</span></p>
      <details>
        <summary>Figures</summary>
        ${htmlTable(
          `Open receivables in ${currency}`,
          [{ title: "Overdue" }, { title: "Insured", right: true }, { title: "Not insured", right: true }],
          bars.map(({ age, insured, rest, words }) => [
            html`<a href=${href("/receivables", { currency, age })}>${words}</a>`,
            minor(insured, currency),
            minor(rest, currency)
          ])
        )}
      </details>
    </figure>
  `
}

/** Weeks after this one that the chart of what is expected shows. */
export const WEEKS = 7

/** What falls due by week, of one currency; each bar leads to its invoices. */
export const expected = (currency: string, rows: ReadonlyArray<ExpectedWeek>, monday: Day.Day): Node => {
  const weeks = Array.from({ length: WEEKS + 1 }, (_, i) => Day.addDays(monday, 7 * i))
  const bars = (["overdue", ...weeks, "later"] as const).map((week) => ({
    week,
    words: week.length === 10 ? week.slice(5) : week,
    invoices: rows.find((row) => row.week === week)?.invoices ?? 0,
    amount: rows.find((row) => row.week === week)?.amount ?? 0n
  }))
  const most = bars.reduce((top, { amount }) => (amount > top ? amount : top), 0n)
  const step = WIDTH / bars.length
  const rowsOf = (week: string) =>
    week === "later"
      ? undefined
      : href("/receivables", { currency, ...(week === "overdue" ? { age: week } : { week }) })
  return html`
    <figure class="card">
      <h3>Expected by week, ${currency}</h3>
      <svg viewBox=${`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT + 24}`} role="img" aria-label=${`Expected by week in ${currency}; the figures are in the table below`}>
        ${bars.map(({ amount, week, words }, i) => {
          const high = reach(amount < 0n ? 0n : amount, most, HEIGHT)
          return html`<g>
            <rect class=${week === "overdue" ? "c3" : "c1"} x=${i * step + 4} width=${step - 8} y=${HEIGHT - high} height=${high} />
            ${amount === 0n ? null : html`<text x=${i * step + step / 2} y=${HEIGHT - high - 5} text-anchor="middle">${Currency.group(`${amount / Decimal.one}`)}</text>`}
            <text x=${i * step + step / 2} y=${HEIGHT + 17} text-anchor="middle">${words}</text>
          </g>`
        })}
      </svg>
      <details>
        <summary>Figures</summary>
        ${htmlTable(
          `Expected by week in ${currency}, if everybody pays on the day`,
          [{ title: "Week from" }, { title: "Invoices", right: true }, { title: "Amount", right: true }],
          bars
            .filter(({ invoices }) => invoices > 0)
            .map(({ amount, invoices, week, words }) => [
              rowsOf(week) === undefined
                ? words
                : html`<a href=${rowsOf(week)}>${week.length === 10 ? week : words}</a>`,
              grouped(invoices),
              Currency.say(amount, currency)
            ])
        )}
      </details>
    </figure>
  `
}

/** Calls of the last days, and how many failed. */
export const calls = (days: ReadonlyArray<DayOfCalls>): Node => {
  const most = BigInt(days.reduce((top, { done, failed }) => Math.max(top, done + failed), 0))
  const step = WIDTH / Math.max(1, days.length)
  return html`
    <figure class="card">
      <h3>Calls of the last ${days.length} days</h3>
      <svg viewBox=${`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT + 24}`} role="img" aria-label="Calls by day; the figures are in the table below">
        <text x="0" y=${-8}>${most === 0n ? "none" : `${grouped(most)} on the busiest day`}</text>
        ${days.map(({ day, done, failed }, i) => {
          const [good, bad] = [reach(BigInt(done), most, HEIGHT), reach(BigInt(failed), most, HEIGHT)]
          return html`<g>
            <rect class="c1" x=${i * step + 1} width=${Math.max(1, step - 2)} y=${HEIGHT - good} height=${good} />
            <rect class="c3" x=${i * step + 1} width=${Math.max(1, step - 2)} y=${HEIGHT - good - bad} height=${bad} />
            ${i % 7 === 0 ? html`<text x=${i * step} y=${HEIGHT + 17}>${day.slice(5)}</text>` : null}
          </g>`
        })}
      </svg>
      <p class="legend"><span><i class="c1"></i>done</span><span><i class="c3"></i>failed</span></p>
      <details>
        <summary>Figures</summary>
        ${htmlTable(
          "Calls by day",
          [{ title: "Day" }, { title: "Done", right: true }, { title: "Failed", right: true }],
          days
            .filter(({ done, failed }) => done + failed > 0)
            .map(({ day, done, failed }) => [day, grouped(done), grouped(failed)])
        )}
      </details>
    </figure>
  `
}
