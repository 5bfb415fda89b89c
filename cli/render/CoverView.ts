/** Renders cover for people: the statement, and the story of one invoice's cover. */
import * as Currency from "../../core/money/Currency.ts"
import type { CoverState } from "../../sync/model/CoverStanding.ts"
import type { Story } from "../../sync/library/Explain.ts"
import type { CoverStatement } from "../../sync/model/reports/Statement.ts"
import { asFarAsRead } from "../../sync/reconciliation/InvoiceStatement.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { instant } from "./Instants.ts"
import { oneLine, type Output, type Style } from "./Output.ts"
import { table } from "./Table.ts"

/** Readable names of the states of cover. */
const COVER_WORDS: Readonly<Record<CoverState, string>> = {
  insured: "insured",
  offered: "offered",
  waiting: "waiting for a quote",
  declined: "declined",
  collection: "in collection",
  lapsed: "lapsed",
  unselected: "not selected",
  closed: "ended"
}

export const coverCompleteness = (
  statements: ReadonlyArray<CoverStatement>,
  { style, width }: Pick<Output, "style" | "width">
): string => {
  const rows = statements.flatMap(
    ({ books, connection, currency, differences, more, parts, quarantined, service, unread }) => [
      ...parts.map((part, at) => [
        at === 0 ? connection : "",
        at === 0 ? currency : "",
        COVER_WORDS[part.state],
        grouped(part.invoices),
        Currency.group(part.books),
        Currency.group(part.service),
        part.books !== part.service
          ? { text: "differ", look: style.yellow }
          : part.state === "insured" && unread > 0
            ? { text: `${grouped(unread)} not read for two days`, look: style.yellow }
            : quarantined > 0
              ? { text: asFarAsRead(quarantined).text, look: style.yellow }
              : { text: "agree", look: style.green }
      ]),
      [
        "",
        "",
        "open in all",
        "",
        Currency.group(books),
        Currency.group(service),
        differences.length === 0
          ? { text: "", look: style.dim }
          : { text: plural(differences.length + more, "difference"), look: style.yellow }
      ]
    ]
  )
  const lines = [
    style.bold("Open amounts by cover"),
    table(
      [
        { title: "Connection" },
        { title: "Currency" },
        { title: "Cover" },
        { title: "Invoices", right: true },
        { title: "Books", right: true },
        { title: "Service", right: true },
        { title: "" }
      ],
      rows,
      { style, width }
    )
  ]
  for (const { currency, differences, more } of statements) {
    for (const { amount, document, why } of differences.slice(0, 10))
      lines.push(`  ${document}: ${Currency.group(amount)} ${currency}: ${why}`)
    const rest = differences.length - Math.min(10, differences.length) + more
    if (rest > 0) lines.push(style.dim(`  and ${grouped(rest)} more`))
  }
  return lines.join("\n")
}

/** The history of an invoice's cover, people's decisions, and why it is not covered. */
export const coverLines = ({ cover }: Story, style: Style): ReadonlyArray<string> => {
  if (cover === undefined) return []
  const { decisions, events, state, why } = cover
  const said = [
    ...events.map(({ after, at, before, detail, what }) => ({
      at,
      text: `${what} ${before === null ? after : `${before} → ${after}`}${detail === null ? "" : `  ${detail}`}`
    })),
    ...decisions.map(({ about, decided, decision, shown, who }) => ({
      at: decided,
      text:
        about === "file"
          ? `file ${(JSON.parse(shown) as { readonly name: string }).name} ${decision} by ${who}`
          : `${DECIDED[decision] ?? decision} by ${who}${about === "" || about === "collection" ? "" : `  ${about}`}`
    }))
  ].toSorted((a, b) => a.at - b.at)
  return [
    "",
    style.bold("Cover"),
    `  ${state === null ? COVER_WORDS.unselected : COVER_WORDS[state]}${why === null || why === "" ? "" : `: ${oneLine(why)}`}`,
    ...said.map(({ at, text }) => `  ${instant(at)}  ${text}`)
  ]
}

const DECIDED: Readonly<Record<string, string>> = {
  buy: "approved",
  reject: "rejected",
  void: "void, because it is not selected any more: approved",
  quote: "another quote asked for",
  confirmed: "handing over confirmed",
  withdrawn: "confirmation taken back"
}
