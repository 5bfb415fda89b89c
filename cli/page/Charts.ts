/** Draws the page's charts: open amounts by age and by week, payments that came back by month, calls by day. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Day as DayOfCalls } from "../../sync/reports/Dashboard.ts"
import type { Ageing, ExpectedAmount } from "../../sync/reports/Expected.ts"
import type { FailedMonth } from "../../sync/reports/FailedDebits.ts"
import { barChart } from "./Bars.ts"
import { cameBack } from "./FailedDebits.ts"
import { href, html, type Node, htmlTable } from "./Html.ts"
import { amountText, figure, groupText, grouped, shortDay } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

const BUCKETS: ReadonlyArray<readonly [Ageing["bucket"], string]> = [
  ["not due", "not due"],
  ["1-30", "1–30 days"],
  ["31-60", "31–60"],
  ["61-90", "61–90"],
  ["over 90", "over 90"]
]

const minor = (amount: bigint, currency: string): string => amountText(Currency.ofMinor(amount, currency), currency)

/** Without decimals: the exact figures are in the table. */
const whole = (amount: Decimal.Decimal): string => (amount === 0n ? "" : groupText(`${amount / Decimal.one}`))

/** Open amounts in one currency by days overdue, insured and not. */
export const receivables = (currency: string, rows: ReadonlyArray<Ageing>): Node => {
  const of = (bucket: string, insured: boolean) =>
    rows.reduce((sum, row) => (row.bucket === bucket && row.insured === insured ? sum + row.amount : sum), 0n)
  const ages = BUCKETS.map(([bucket, words]) => ({
    ...{ words: term(words), at: href("/receivables", { currency, age: bucket }) },
    ...{ insured: of(bucket, true), rest: of(bucket, false) }
  }))
  return barChart({
    title: t`Open receivables by age, ${currency}`,
    bars: ages.map(({ at, insured, rest, words }) => ({
      ...{ words, at },
      figure: whole(Currency.ofMinor(insured + rest, currency)),
      says: `${words}: ${minor(insured + rest, currency)}`,
      parts: [
        { look: "c2", value: rest },
        { look: "c1", value: insured }
      ]
    })),
    legend: [
      ["c1", t`insured`],
      ["c2", t`not insured`]
    ],
    table: htmlTable(
      t`Open receivables by age in ${currency}`,
      [{ title: t`Overdue` }, { title: t`Insured`, right: true }, { title: t`Not insured`, right: true }],
      ages.map(({ at, insured, rest, words }) => [
        html`<a href=${at}>${words}</a>`,
        minor(insured, currency),
        minor(rest, currency)
      ])
    )
  })
}

/** How many weeks after this one the chart of expected payments shows. */
export const WEEKS = 7

export interface ExpectedData {
  readonly currency: string
  /** By due date. */
  readonly due: ReadonlyArray<ExpectedAmount>
  /** By the customers' payment habits. */
  readonly usual: ReadonlyArray<ExpectedAmount>
  readonly monday: Day.Day
}

/** Expected amounts by week in one currency: by due date, and by payment habits. Each bar links to its invoices. */
export const expected = ({ currency, due, monday, usual }: ExpectedData): Node => {
  const weeks = Array.from({ length: WEEKS + 1 }, (_, i) => Day.addDays(monday, 7 * i))
  const rows = (["overdue", ...weeks, "later"] as const).map((week) => {
    const of = week === "overdue" ? "late" : week
    const own = due.find((row) => row.week === of)
    const other = usual.find((row) => row.week === of)
    const filter = week === "overdue" ? { age: week } : week === "later" ? undefined : { week }
    return {
      ...{ week, words: week.length === 10 ? shortDay(week) : term(week) },
      ...{ invoices: own?.invoices ?? 0, amount: own?.amount ?? 0n },
      ...{ usually: other?.amount ?? 0n, others: other?.invoices ?? 0 },
      at: filter === undefined ? undefined : href("/receivables", { currency, ...filter }),
      usuallyAt: href("/receivables", { currency, expected: week === "overdue" ? "late" : week })
    }
  })
  return barChart({
    title: t`Expected by week, ${currency}`,
    beside: true,
    bars: rows.map(({ amount, at, usually, usuallyAt, week, words }) => ({
      ...{ words, at: at ?? usuallyAt },
      figure: whole(amount > usually ? amount : usually),
      says: t`${words}: ${amountText(amount, currency)} falls due, ${amountText(usually, currency)} as customers usually pay`,
      parts: [
        { look: week === "overdue" ? "c3" : "c1", value: amount },
        { look: "c2", value: usually }
      ]
    })),
    legend: [
      ["c1", t`by due date`],
      ["c2", t`as customers usually pay`],
      ["c3", t`overdue`]
    ],
    note: t`A customer's usual time is the mean of how late its last twenty paid invoices were; with fewer than three, the due date counts. Amounts that should have arrived are listed as overdue.`,
    table: htmlTable(
      t`Expected by week in ${currency}`,
      [
        { title: t`Week from` },
        { title: t`Falls due`, right: true },
        { title: t`Invoices`, right: true },
        { title: t`As customers usually pay`, right: true },
        { title: t`Invoices`, right: true }
      ],
      rows
        .filter(({ invoices, others }) => invoices + others > 0)
        .map(({ amount, at, invoices, others, usually, usuallyAt, week, words }) => {
          const title = week.length === 10 ? week : words
          return [
            title,
            at === undefined ? amountText(amount, currency) : html`<a href=${at}>${amountText(amount, currency)}</a>`,
            grouped(invoices),
            html`<a href=${usuallyAt}>${amountText(usually, currency)}</a>`,
            grouped(others)
          ]
        })
    )
  })
}

/** Payments that came back by month, in one currency. */
export const failedDebits = (currency: string, months: ReadonlyArray<FailedMonth>): Node =>
  months.every(({ debits }) => debits === 0)
    ? null
    : barChart({
        title: t`Payments that came back, ${currency}`,
        bars: months.map(({ amount, debits, month }) => ({
          words: month.slice(5),
          figure: debits === 0 ? "" : grouped(debits),
          says: `${month}: ${cameBack(debits)}, ${amountText(amount, currency)}`,
          at: href("/failed", { month, currency }),
          parts: [{ look: "c3", value: amount }]
        })),
        note: t`The figure is how many; the bar is their amount.`,
        table: htmlTable(
          t`Payments that came back in ${currency}`,
          [{ title: t`Month` }, { title: t`How many`, right: true }, { title: t`Amount`, right: true }],
          months
            .filter(({ debits }) => debits > 0)
            .map(({ amount, debits, month }) => [
              html`<a href=${href("/failed", { month, currency })}>${month}</a>`,
              grouped(debits),
              amountText(-amount, currency)
            ])
        )
      })

/** The calls of the last days, and how many failed. */
export const calls = (days: ReadonlyArray<DayOfCalls>): Node =>
  barChart({
    title: t`Calls of the last ${days.length} days`,
    bars: days.map(({ day, done, failed }, i) => ({
      words: i % 7 === 0 ? shortDay(day) : "",
      figure: "",
      says: figure(day),
      parts: [
        { look: "c1", value: BigInt(done) },
        { look: "c3", value: BigInt(failed) }
      ]
    })),
    legend: [
      ["c1", t`done`],
      ["c3", t`failed`]
    ],
    note: t`${grouped(Math.max(0, ...days.map(({ done, failed }) => done + failed)))} on the busiest day`,
    table: htmlTable(
      t`Calls by day`,
      [{ title: t`Day` }, { title: t`Done`, right: true }, { title: t`Failed`, right: true }],
      days
        .filter(({ done, failed }) => done + failed > 0)
        .map(({ day, done, failed }) => [
          html`<a href=${href("/activity", { since: day, only: "calls" })}>${figure(day)}</a>`,
          grouped(done),
          grouped(failed)
        ])
    )
  })
