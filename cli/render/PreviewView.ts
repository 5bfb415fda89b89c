/**
 * Renders a preview: the source's own records beside the documents that they become, what would be quarantined, and the
 * totals.
 */
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import type { Document, Kind } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { Preview } from "../../sync/pull/Preview.ts"
import type { Output, Style } from "./Output.ts"
import { says } from "./StoryView.ts"
import { headings, table } from "./Table.ts"

const nameOf = (kind: Kind): string => kind.replace("_", " ")

/** `all 105 documents of it can be read`. */
export const found = ({ documents, quarantined, whole }: Preview): string => {
  if (documents === 0 && quarantined.length === 0) return "can be read; it has no records yet"
  const of = whole ? "to its end" : "the first records of each file or list"
  return `read ${of}, ${plural(documents, "document")}`
}

const place = ({ field, origin, why }: QuarantinedRecord): string =>
  `${origin}  ${field === undefined ? "" : `${field}: `}${why}`

/** `2 records would be quarantined: invoices.csv:62  Issued: …, and 1 more`. */
export const wouldBe = (quarantined: ReadonlyArray<QuarantinedRecord>): string => {
  const [first] = quarantined
  const others = quarantined.length - 1
  const rest = others === 0 ? "" : `; and ${plural(others, "other")} (daybook preview shows them)`
  return `${plural(quarantined.length, "record")} would be quarantined: ${first === undefined ? "" : place(first)}${rest}`
}

/** The documents' totals, by kind, status and currency. */
export const sumLines = ({ sums }: Pick<Preview, "sums">, { style }: Pick<Output, "style">): ReadonlyArray<string> => {
  if (sums.length === 0) return []
  const states = sums.some(({ open }) => open !== undefined)
  const columns = [
    ...headings("Kind, Status, >Documents, >Amount, Currency"),
    ...(states ? [{ title: "Source says open", right: true }] : [])
  ]
  const rows = sums.map(({ amount, currency, documents, kind, open, status = "" }) => [
    nameOf(kind),
    status,
    grouped(documents),
    amount === undefined ? "" : Currency.sayNumber(amount, currency),
    currency ?? (amount === undefined ? "" : "of its invoice"),
    ...(states
      ? [
          open === undefined
            ? ""
            : `${Currency.sayNumber(open.amount, currency)}${open.documents === documents ? "" : ` (of ${grouped(open.documents)})`}`
        ]
      : [])
  ])
  return table(columns, rows, { style }).split("\n")
}

/** The fields of a document that `says` leaves out. */
export const stated = (document: Document): string => {
  if (document.kind !== "invoice") return ""
  const { currency, stated: { credited, open, paid } = {} } = document
  const parts = [
    ...(open === undefined ? [] : [`${Currency.say(open, currency)} open`]),
    ...(paid === undefined ? [] : [`${Currency.say(paid, currency)} paid`]),
    ...(credited === undefined ? [] : [`${Currency.say(credited, currency)} credited`])
  ]
  return parts.length === 0 ? "" : `; the source says ${parts.join(", ")}`
}

const rowLines = ({ documents, origin, raw }: Preview["rows"][number], style: Style): ReadonlyArray<string> => [
  `  ${origin}`,
  ...raw
    .slice(0, 500)
    .split("\n")
    .map((line) => style.dim(`    ${line}`)),
  ...documents.map((document) => `    → ${says(document)}${stated(document)}`)
]

const quarantinedLines = (all: ReadonlyArray<QuarantinedRecord>, style: Style): ReadonlyArray<string> => {
  const MOST = 20
  if (all.length === 0) return []
  return [
    "",
    style.bold(`Would be quarantined (${grouped(all.length)})`),
    ...all
      .slice(0, MOST)
      .flatMap((one) => [
        style.yellow(`  ${place(one)}`),
        ...(one.raw === "" ? [] : [style.dim(`    ${one.raw.slice(0, 500)}`)])
      ]),
    ...(all.length > MOST ? [`  and ${plural(all.length - MOST, "other")}: daybook preview --json lists them`] : [])
  ]
}

/** Totals that lists state and that do not equal what was read. */
export const differs = ({ differing }: Pick<Preview, "differing">): ReadonlyArray<string> =>
  differing.map(
    ({ amount, at, column, currency, read, what }) =>
      `the ${what} in ${at} (${column}) says ${Currency.say(amount, currency)}, and ${Currency.say(read, currency)} was read`
  )

/** Notices about partly read records, each once. */
export const noticesOf = (notices: Preview["notices"]): ReadonlyArray<string> => {
  const counts = new Map<string, { readonly origin: string; n: number }>()
  for (const { origin, what } of notices) {
    const one = counts.get(what) ?? { origin, n: 0 }
    one.n++
    counts.set(what, one)
  }
  return [...counts]
    .slice(0, 30)
    .map(([what, { n, origin }]) => `${what} (${n > 1 ? `${grouped(n)} times, first in ` : ""}${origin})`)
}

/** @param name the connection's name for people */
export const previewText = (name: string, preview: Preview, { style }: Pick<Output, "style">): string => {
  const { documents, notices, quarantined, rows } = preview
  const shown = rows.reduce((sum, row) => sum + row.documents.length, 0)
  const title = shown === documents ? "Documents" : `Documents (${shown} of ${grouped(documents)})`
  const odd = noticesOf(notices).map((line) => style.dim(line))
  return [
    `${style.bold(name)}: ${found(preview)}${quarantined.length === 0 ? "" : `, ${plural(quarantined.length, "record")} that would be quarantined`}`,
    ...(rows.length === 0 ? [] : ["", style.bold(title), ...rows.flatMap((row) => rowLines(row, style))]),
    ...quarantinedLines(quarantined, style),
    ...differs(preview).map((line) => style.yellow(line)),
    ...(odd.length === 0 ? [] : ["", ...odd]),
    ...(preview.sums.length === 0 ? [] : ["", style.bold("Totals"), ...sumLines(preview, { style })]),
    "",
    "Nothing was stored and nothing was sent."
  ].join("\n")
}
