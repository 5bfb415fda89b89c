/** Serves what one box finds: customers, invoices, orders, payments and the like, a few of each. */
import { Effect } from "effect"
import type { Kind } from "../../connectors/Document.ts"
import { amountOf } from "../../sync/reports/News.ts"
import { type FoundDocument, MOST_FOUND, search, type SearchFound } from "../../sync/reports/Search.ts"
import { Database } from "../../sync/state/Database.ts"
import { nameIn, numberOf, storyOf } from "./DocumentTitle.ts"
import { KIND_WORDS } from "./Documents.ts"
import { href, html, htmlTable, type Node } from "./Html.ts"
import type { ReadingHandler } from "./Response.ts"
import { amountText, figure } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

/** A document as a row: what it is called, whom it is about, its day and its amount. */
const rowOf = ({ deleted, document, key }: FoundDocument): ReadonlyArray<Node> => {
  const amount = amountOf(document)
  const day =
    document.kind === "invoice" ? document.issued : document.kind === "order" ? document.placed : document.date
  return [
    html`<a href=${storyOf(key)}>${numberOf(key, document)}</a>${deleted ? t` (deleted in the source)` : ""}`,
    nameIn(document) ?? "",
    figure(day),
    amount === undefined ? "" : amountText(amount, document.currency ?? ""),
    key.slice(0, key.indexOf("/"))
  ]
}

const ofKind = (kind: Kind, found: ReadonlyArray<FoundDocument>, text: string): Node => {
  const connections = [...new Set(found.map(({ key }) => key.slice(0, key.indexOf("/"))))]
  return html`
    ${htmlTable(
      term(KIND_WORDS[kind]),
      [
        { title: t`Number` },
        { title: t`Customer` },
        { title: t`Date` },
        { title: t`Amount`, right: true },
        { title: t`Connection` }
      ],
      found.map(rowOf)
    )}
    ${
      found.length < MOST_FOUND
        ? null
        : html`<p>More: ${connections.map((connection) => html`<a href=${href("/documents", { q: text, connection, kind })}>${term(KIND_WORDS[kind])} of ${connection}</a> `)}</p>`
    }
  `
}

/** Where the number leads, if it is that of one document and nothing else is found by it. */
const meant = ({ customers, documents }: SearchFound, text: string): string | undefined => {
  const [one, another] = [...documents.values()].flat()
  if (one === undefined || another !== undefined || customers.length > 0) return undefined
  const names = [numberOf(one.key, one.document), one.key.split("/").slice(2).join("/")]
  return names.some((name) => name.toLowerCase() === text.toLowerCase()) ? storyOf(one.key) : undefined
}

export const showSearch: ReadingHandler = ({ query }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const text = (query.get("q") ?? "").trim()
    const ids = connections.map(({ id }) => id)
    const found = text === "" ? undefined : yield* db.read(() => search(db, ids, text))
    const isNothing = found !== undefined && found.customers.length + found.documents.size === 0
    const body = html`<div id="results">
      ${text === "" ? html`<p>Type the number of an invoice, a customer's name, the reference of a payment, or an amount.</p>` : null}
      ${isNothing ? html`<p>Nothing has “${text}” as its number, name, reference or amount. Records that could not be read are searched under <a href=${href("/documents", { q: text })}>Documents</a>.</p>` : null}
      ${
        found === undefined || found.customers.length === 0
          ? null
          : html`${htmlTable(
              t`Customers`,
              [{ title: t`Customer` }, { title: t`Connection` }],
              found.customers.map(({ connection, id, name }) => [
                html`<a href=${`/customers/${id}`}>${name}</a>`,
                connection
              ])
            )}
            ${found.customers.length < MOST_FOUND ? null : html`<p><a href=${href("/customers", { q: text })}>More customers</a></p>`}`
      }
      ${[...(found?.documents ?? [])].map(([kind, some]) => ofKind(kind, some, text))}
    </div>`
    const goes = found === undefined ? undefined : meant(found, text)
    const title = text === "" ? t`Search` : t`Search: ${text.slice(0, 60)}`
    return { title, at: "/search", body, ...(goes === undefined ? {} : { goes }) }
  })
