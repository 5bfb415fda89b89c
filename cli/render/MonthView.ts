/** Renders a month's closing statement. */
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { remarks, type MonthAccount, type MonthReport, type Roll } from "../../sync/reports/CloseReport.ts"
import { instant } from "./Instants.ts"
import type { Output } from "./Output.ts"
import { headings, table } from "./Table.ts"

type Look = Pick<Output, "style" | "width">

/** How many rows of a table are shown; `--json` and the workbook have more. */
const MOST_SHOWN = 50

const rest = (all: number): ReadonlyArray<string> =>
  all > MOST_SHOWN ? [`and ${grouped(all - MOST_SHOWN)} more: --json or --workbook`] : []

/** What a month consists of, in words. */
export const PARTS_OF_MONTH = {
  opening: "Opening balance",
  invoices: "+ Invoices",
  creditNotes: "- Credit notes",
  payments: "- Payments",
  reversals: "+ Reversals",
  closing: "= Closing balance"
} as const satisfies Readonly<Record<keyof Roll, string>>

const account = ({ books, connection, currency, service, source }: MonthAccount, { style, width }: Look): string =>
  table(
    [
      { title: `${connection} ${currency}` },
      ...["Source", "Books", "Service"].map((title) => ({ title, right: true }))
    ],
    (Object.keys(PARTS_OF_MONTH) as ReadonlyArray<keyof Roll>).map((part) => [
      PARTS_OF_MONTH[part],
      part !== "closing" || source === null ? "" : Currency.group(source),
      Currency.group(books[part]),
      Currency.group(service[part])
    ]),
    { style, width }
  )

/** What is said where nothing differs: of the source only if it states balances. */
export const alike = ({ accounts, quarantined, unplanned }: MonthReport): string => {
  const isStated = accounts.some(({ source }) => source !== null)
  const far = quarantined + unplanned.length > 0 ? ", as far as read and planned" : ""
  return `${isStated ? "Source, books" : "Books"} and service close alike${far}.`
}

const differences = (report: MonthReport, { style, width }: Look): ReadonlyArray<string> => {
  const { differences: all, more } = report
  return all.length === 0
    ? [alike(report)]
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
          { style, width }
        ),
        ...rest(all.length + more)
      ]
}

const late = ({ late: all, moreLate }: MonthReport, { style, width }: Look): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        style.bold(
          `Read late: dated before this month, and read after the month before was closed (${grouped(all.length + moreLate)})`
        ),
        table(
          headings("Document, Date, >When closed, >Now, Read (UTC)"),
          all
            .slice(0, MOST_SHOWN)
            .map(({ currency, date, document, now, read, was }) => [
              document,
              date,
              Currency.group(was),
              `${Currency.group(now)} ${currency}`,
              instant(Date.parse(read))
            ]),
          { style, width }
        ),
        ...rest(all.length + moreLate)
      ]

export const monthReport = (report: MonthReport, look: Look): string => {
  const { accounts, chain, closed, customers, first, last, unplanned } = report
  return [
    look.style.bold(`${first} to ${last}`),
    ...(accounts.length === 0 && unplanned.length === 0
      ? ["Nothing was asked for until then."]
      : accounts.map((one) => account(one, look))),
    ...remarks(report),
    `${plural(customers.length, "customer's account", "customers' accounts")}: with --workbook or --json.`,
    ...differences(report, look),
    ...late(report, look),
    ...closed.map(({ at, connection, who }) => `${connection}: closed by ${who}, ${instant(Date.parse(at))} UTC`),
    ...(chain === undefined ? [] : [look.style.dim(`Latest entry of the chain: ${chain.entry}:${chain.hash}`)])
  ].join("\n\n")
}
