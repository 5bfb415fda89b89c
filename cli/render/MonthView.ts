/** Renders a month's closing statement. */
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { MonthAccount, MonthReport, Roll } from "../../sync/reports/CloseReport.ts"
import { instant } from "./Instants.ts"
import type { Output } from "./Output.ts"
import { table } from "./Table.ts"

type Look = Pick<Output, "style" | "width">

/** How many rows of a table are shown; `--json` and the workbook have more. */
const MOST_SHOWN = 50

const rest = (all: number): ReadonlyArray<string> =>
  all > MOST_SHOWN ? [`and ${grouped(all - MOST_SHOWN)} more: --json or --workbook`] : []

const LINES = {
  opening: "Opening balance",
  invoices: "+ Invoices",
  creditNotes: "- Credit notes",
  payments: "- Payments",
  reversals: "+ Reversals",
  closing: "= Closing balance"
} as const satisfies Readonly<Record<keyof Roll, string>>

const account = (
  { books, connection, currency, service, source, unchecked }: MonthAccount,
  { style, width }: Look
): string =>
  table(
    [
      { title: `${connection} ${currency}` },
      ...["Source", "Books", "Service"].map((title) => ({ title, right: true }))
    ],
    (Object.keys(LINES) as ReadonlyArray<keyof Roll>).map((part) => [
      LINES[part],
      part !== "closing" || source === null ? "" : `${Currency.group(source)}${unchecked > 0 ? "*" : ""}`,
      Currency.group(books[part]),
      Currency.group(service[part])
    ]),
    style,
    width
  )

const differences = (
  { differences: all, more, quarantined, unplanned }: MonthReport,
  { style, width }: Look
): ReadonlyArray<string> =>
  all.length === 0
    ? [
        `Source, books and service close alike${quarantined + unplanned.length > 0 ? ", as far as read and planned" : ""}.`
      ]
    : [
        style.bold(`Differences (${grouped(all.length + more)})`),
        table(
          [
            { title: "Document" },
            ...["Source", "Books", "Service"].map((title) => ({ title, right: true })),
            { title: "Why, and what was decided" }
          ],
          all
            .slice(0, MOST_SHOWN)
            .map(({ books, currency, decided, document, service, source, why }) => [
              document,
              source === null ? "" : Currency.group(source),
              Currency.group(books),
              `${Currency.group(service)} ${currency}`,
              [
                why,
                ...decided.map(({ at, what, who }) => `${at.slice(0, 10)} ${who === null ? "" : `${who}, `}${what}`)
              ].join("; ")
            ]),
          style,
          width
        ),
        ...rest(all.length + more)
      ]

const late = ({ late: all, moreLate }: MonthReport, { style, width }: Look): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        style.bold(
          `Read late: dated before this month, and read after the month before was closed (${grouped(all.length + moreLate)})`
        ),
        table(
          [
            { title: "Document" },
            { title: "Date" },
            { title: "When closed", right: true },
            { title: "Now", right: true },
            { title: "Read (UTC)" }
          ],
          all
            .slice(0, MOST_SHOWN)
            .map(({ currency, date, document, now, read, was }) => [
              document,
              date,
              Currency.group(was),
              `${Currency.group(now)} ${currency}`,
              instant(Date.parse(read))
            ]),
          style,
          width
        ),
        ...rest(all.length + moreLate)
      ]

export const monthReport = (report: MonthReport, look: Look): string => {
  const { accounts, chain, closed, customers, first, last, quarantined, unplanned } = report
  const stars = accounts.reduce((sum, { unchecked }) => sum + unchecked, 0)
  return [
    look.style.bold(`${first} to ${last}`),
    ...unplanned.map(
      (one) =>
        `${one}: no run has planned it yet. Its invoices are in no sum, and it cannot be closed: run daybook sync first.`
    ),
    ...(accounts.length === 0 && unplanned.length === 0
      ? ["Nothing was asked for until then."]
      : accounts.map((one) => account(one, look))),
    ...(stars > 0 ? [`* The source states no balance of ${plural(stars, "invoice")}; the books' stands for it.`] : []),
    `${plural(customers.length, "customer's account", "customers' accounts")}: with --workbook or --json.`,
    ...(quarantined > 0 ? [`${plural(quarantined, "record")} could not be read; their amounts are in no sum.`] : []),
    ...differences(report, look),
    ...late(report, look),
    ...closed.map(({ at, connection, who }) => `${connection}: closed by ${who}, ${instant(Date.parse(at))} UTC`),
    ...(chain === undefined ? [] : [look.style.dim(`Latest entry of the chain: ${chain.entry}:${chain.hash}`)])
  ].join("\n\n")
}
