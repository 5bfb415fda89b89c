/**
 * Renders the witness's result: the open amounts that it calculated, each difference with its amounts, and what it could not
 * check.
 */
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { amounts, type Difference, type Looked, type NotChecked, type Sums } from "../../sync/library/Independent.ts"
import { asFarAsRead } from "../../sync/reconciliation/InvoiceStatement.ts"
import type { Output, Style } from "./Output.ts"
import { headings, table } from "./Table.ts"

const NOTHING = "–"

/** `agree` only if the source stated its own figures. */
const result = ({ differing, invoices, stated }: Sums, quarantined: number, { dim, green, yellow }: Style) => {
  if (differing > 0) return { text: `${plural(differing, "invoice")} with a difference`, look: yellow }
  if (stated > 0 && quarantined > 0) return { text: asFarAsRead(quarantined).text, look: dim }
  if (stated === invoices) return { text: "agree", look: green }
  const words =
    stated === 0 ? "the source states no balance" : `no balance stated of ${plural(invoices - stated, "invoice")}`
  return { text: `source and service are the same; ${words}`, look: dim }
}

const statement = ({ sums, unread: all }: Looked, { style, width }: Output): string =>
  table(
    [
      { title: "Connection" },
      { title: "Currency" },
      { title: "Invoices", right: true },
      { title: "Source says", right: true },
      { title: "Added up", right: true },
      { title: "Service", right: true },
      { title: "" }
    ],
    sums.map((one) => {
      const { connection, currency, invoices, service, source, source_says } = amounts(one)
      return [
        connection,
        currency,
        grouped(invoices),
        source_says === undefined ? "not stated" : Currency.group(source_says),
        Currency.group(source),
        Currency.group(service),
        result(one, all.filter((record) => record.connection === connection).length, style)
      ]
    }),
    { style, width }
  )

const differences = (found: ReadonlyArray<Difference>, { style, width }: Output): string =>
  table(
    headings("Document, ~What, >Source says, >Added up, >Service"),
    found.map(({ document, says = NOTHING, service = NOTHING, source = NOTHING, what }) => [
      document,
      what,
      says,
      source,
      service
    ]),
    { style, width }
  )

interface Named {
  readonly shown: ReadonlyArray<Difference>
  readonly unchecked: ReadonlyArray<NotChecked>
}

const more = (count: number, of: string, { dim }: Style): ReadonlyArray<string> =>
  count <= 0 ? [] : [dim(`${plural(count, of)}; --json has all of them.`)]

const unread = ({ unread: all }: Looked, { style }: Output): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        "",
        `${style.yellow(style.bold("Could not be read"))} ${style.dim(`(${grouped(all.length)})`)}`,
        ...all.slice(0, 10).map(({ connection, origin, why }) => `  ${connection}: ${origin}: ${why}`),
        ...more(all.length - 10, "more record", style)
      ]

export const looked = (figures: Looked, { shown, unchecked }: Named, out: Output): string => {
  const { style } = out
  const others =
    figures.others === 0 ? "" : ` ${plural(figures.others, "transaction")} there are not of these connections.`
  const compared = figures.orders === 0 ? "" : `, ${plural(figures.orders, "deferred payment")}`
  const lines = [
    `Read ${plural(figures.documents, "document")} from the sources and ${plural(figures.transactions, "transaction")}${compared} from the service. The books and the ledger were not asked.${others}`
  ]
  if (figures.sums.length > 0)
    lines.push("", style.bold("Open amounts, worked out independently"), statement(figures, out))
  if (shown.length > 0)
    lines.push(
      "",
      style.bold("Differences"),
      differences(shown, out),
      ...more(figures.differences - shown.length, "more difference", style)
    )
  if (unchecked.length > 0)
    lines.push(
      "",
      style.bold("Not checked"),
      ...unchecked.map(({ document, why }) => `  ${document}: ${why}`),
      ...more(figures.notChecked - unchecked.length, "more document", style)
    )
  lines.push(...unread(figures, out), "")
  lines.push(
    figures.differences === 0
      ? style.green("No differences.")
      : style.yellow(
          `${plural(figures.differences, "difference")}. What changed in the source since the last sync is among them: run daybook sync first.`
        )
  )
  return lines.join("\n")
}
