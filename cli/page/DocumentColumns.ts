/** The list of documents in columns: whom each is about, its days, its amount, and what it is for or how it stands. */
import { about, type Document, isAllocated, isOrderFact, type Kind, parseKey } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Listed } from "../../sync/reports/Dashboard.ts"
import { amountOf } from "../../sync/reports/News.ts"
import { nameIn, numberOf, storyOf } from "./DocumentTitle.ts"
import { html, type HtmlColumn, htmlTable, mark, type Node } from "./Html.ts"
import { amountText, figure } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

interface Column extends HtmlColumn {
  readonly cell: (one: Listed) => Node
}

/** How many documents a row leads to. */
const MOST_LINKS = 3

const minor = (amount: bigint, currency: string | null): string =>
  currency === null || currency === "" ? "" : amountText(Currency.ofMinor(amount, currency), currency)

const standing = ({ balance, books, deleted, follows, reason, remote, says, service }: Listed): Node =>
  deleted
    ? mark("plain", t`deleted in the source`)
    : remote === null
      ? mark("plain", reason === null ? t`not sent yet` : sentenceText(reason))
      : books !== service || says !== follows
        ? mark("warn", t`differs`)
        : balance !== null && balance < 0n
          ? mark("warn", t`overpaid`)
          : mark("good", t`agrees`)

const dayOf = (document: Document): string =>
  document.kind === "invoice" ? document.issued : document.kind === "order" ? document.placed : document.date

const amount = ({ currency, document }: Listed): string => {
  const sum = isOrderFact(document) && document.kind !== "fulfilment" ? document.amount : amountOf(document)
  return sum === undefined ? "" : amountText(sum, document.currency ?? currency ?? "")
}

/** The invoices or the order that it is for, and its own text. */
const isFor = ({ deleted, document, key }: Listed): Node => {
  if (deleted) return mark("plain", t`deleted in the source`)
  const keys = isAllocated(document) || isOrderFact(document) ? about(parseKey(key).connection, document) : []
  const text = document.kind === "payment" ? document.reference : document.kind === "reversal" ? document.details : ""
  const links = keys.slice(0, MOST_LINKS).map((one) => html`<a href=${storyOf(one)}>${parseKey(one).id}</a>${" "}`)
  return html`${links}${keys.length > MOST_LINKS ? t`and ${keys.length - MOST_LINKS} more` : ""} <span class="dim">${text}</span>`
}

/** The columns in which a kind of document is listed. */
const columnsOf = (kind: Kind): ReadonlyArray<Column> => {
  const names = kind === "invoice" || kind === "order" || kind === "payment"
  const isSent = kind === "invoice" || kind === "order"
  return [
    {
      title: t`Document`,
      phone: "bare",
      cell: ({ document, key }) => html`<a class="short" href=${storyOf(key)}>${numberOf(key, document)}</a>`
    },
    ...(names
      ? [{ title: t`Customer`, phone: "bare" as const, cell: ({ document }: Listed) => nameIn(document) ?? "" }]
      : []),
    {
      title: kind === "invoice" ? t`Issued` : t`Day`,
      phone: kind === "invoice" ? "gone" : "bare",
      cell: ({ document }) => html`<span class="short">${figure(dayOf(document))}</span>`
    },
    ...(kind === "invoice"
      ? [
          {
            title: t`Due`,
            cell: ({ document }: Listed) =>
              html`<span class="short">${document.kind === "invoice" ? figure(document.due) : ""}</span>`
          }
        ]
      : []),
    { title: t`Amount`, right: true, phone: "bare", cell: amount },
    ...(kind === "payout"
      ? [{ title: t`State`, cell: ({ document }: Listed) => ("status" in document ? term(document.status) : "") }]
      : []),
    ...(isSent
      ? [
          {
            title: t`Books`,
            right: true,
            phone: "gone" as const,
            cell: ({ books, currency }: Listed) => minor(books, currency)
          },
          {
            title: t`Service`,
            right: true,
            phone: "gone" as const,
            cell: ({ currency, service }: Listed) => minor(service, currency)
          },
          { title: t`Result`, phone: "bare" as const, cell: standing }
        ]
      : kind === "payout"
        ? []
        : [{ title: t`For`, cell: isFor }])
  ]
}

export const documentsTable = (kind: Kind, caption: string, found: ReadonlyArray<Listed>): Node => {
  const columns = columnsOf(kind)
  return htmlTable(
    caption,
    columns,
    found.map((one) => columns.map(({ cell }) => cell(one)))
  )
}
