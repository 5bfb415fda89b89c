/** Shows deadlines in a calendar: six weeks from the current one, followed by a list of later ones. */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { CoverDeadline } from "../../sync/reports/Cover.ts"
import { html, mark, type Node, htmlTable } from "./Html.ts"
import { t, term } from "./language/Texts.ts"
import { amountText, figure } from "./language/Figures.ts"

const WEEKS = 6
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** How many items of one day are named; the rest is counted. */
const MOST = 4

/** What happens on the day, with a link. */
const entry = ({ number, subject, what }: CoverDeadline): Node => {
  const path = what === "window closes" ? "cover" : "documents"
  const look = what === "window closes" ? "bad" : what === "offer ends" ? "warn" : "plain"
  return html`<li>${mark(look, term(what))} <a href=${`/${path}/${encodeURIComponent(subject)}`}>${number}</a></li>`
}

/** What is open of a day's invoices, each counted once, by currency. */
const atRisk = (items: ReadonlyArray<CoverDeadline>): ReadonlyArray<string> => {
  const sums = new Map<string, Decimal.Decimal>()
  for (const { currency, open } of new Map(items.map((one) => [one.subject, one])).values())
    sums.set(currency, (sums.get(currency) ?? 0n) + Decimal.of(open))
  return [...sums].map(([currency, sum]) => amountText(sum, currency))
}

const cell = (day: Day.Day, today: string, items: ReadonlyArray<CoverDeadline>): Node => {
  const [, month, of] = day.split("-").map(Number) as [number, number, number]
  const name = of === 1 || day === today ? `${of} ${term(MONTHS[month - 1] ?? "")}` : `${of}`
  const look = [...(day === today ? ["today"] : []), ...(items.length === 0 ? ["free"] : [])].join(" ")
  return html`<td class=${look === "" ? undefined : look} data-title=${figure(day)}>
    <time datetime=${day}>${name}</time>${day === today ? html` <span class="dim">today</span>` : null}
    ${items.length === 0 ? null : html`<div class="short">${atRisk(items).join(" + ")}</div><ul>${items.slice(0, MOST).map(entry)}${items.length > MOST ? html`<li class="dim">and ${items.length - MOST} more</li>` : null}</ul>`}
  </td>`
}

export const calendar = (today: string, all: ReadonlyArray<CoverDeadline>): Node => {
  if (all.length === 0) return html`<p>No offer ends, nothing that is insured falls due, and no window closes.</p>`
  const now = Day.of(today)
  // 1970-01-01 was a Thursday.
  const first = Day.addDays(now, -((Day.between(Day.of("1970-01-01"), now) + 3) % 7))
  const byDay = Map.groupBy(all, ({ day }) => day)
  const later = all.filter(({ day }) => Day.between(first, Day.of(day)) >= 7 * WEEKS)
  return html`
    <div class="table" role="region" aria-label="Deadlines by day" tabindex="0">
      <table class="calendar">
        <caption>Six weeks from this one; each day with what is open of its invoices</caption>
        <thead><tr>${DAYS.map((name) => html`<th scope="col">${term(name)}</th>`)}</tr></thead>
        <tbody>
          ${Array.from(
            { length: WEEKS },
            (_, week) =>
              html`<tr>${DAYS.map((_, n) => {
                const day = Day.addDays(first, 7 * week + n)
                return cell(day, today, byDay.get(day) ?? [])
              })}</tr>`
          )}
        </tbody>
      </table>
    </div>
    ${
      later.length === 0
        ? null
        : htmlTable(
            t`Later`,
            [
              { title: t`Day` },
              { title: t`What` },
              { title: t`Invoice` },
              { title: t`Buyer` },
              { title: t`Open`, right: true }
            ],
            later
              .slice(0, 50)
              .map((one) => [
                figure(one.day),
                term(one.what),
                html`<a href=${`/documents/${encodeURIComponent(one.subject)}`}>${one.number}</a>`,
                one.name,
                amountText(Decimal.of(one.open), one.currency)
              ])
          )
    }
  `
}
