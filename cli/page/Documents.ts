/**
 * Shows documents: a searchable list, and everything about each one.
 */
import { key, kindOf, KINDS, type Kind } from "../../connectors/Document.ts"
import { route } from "../../core/Operations.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Listed, Wanted } from "../../sync/reports/Dashboard.ts"
import type { QuarantinedRow } from "../../sync/reports/QuarantinedRecords.ts"
import type { CallStory, Version } from "../../sync/reports/History.ts"
import type { Story } from "../../sync/library/Explain.ts"
import { NAMED, neverRead, said, says, UNREAD, payoutOfLine } from "../render/StoryView.ts"
import { documentsTable } from "./DocumentColumns.ts"
import { documentSum } from "./DocumentSum.ts"
import { called, storyOf } from "./DocumentTitle.ts"
import { effectOfStored, howItStands, outcomeOf, timeline } from "./Timeline.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, mark, type Node, sentence, htmlTable, when } from "./Html.ts"
import { ruleLink } from "./Rules.ts"
import { onPage } from "./OnPage.ts"
import { figure, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

const ONLY: ReadonlyArray<readonly [Wanted["only"], string]> = [
  ["all", "All"],
  ["open", "Open on the service"],
  ["differs", "Source, books and service differ"]
]

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  invoice: "Invoices",
  payment: "Payments",
  reversal: "Reversals",
  credit_note: "Credit notes",
  payout: "Payouts",
  order: "Orders",
  fulfilment: "Fulfilments",
  cancellation: "Cancellations",
  return: "Returns"
}

const select = (
  name: string,
  label: string,
  options: ReadonlyArray<readonly [string, string]>,
  now: string
): Node => html`
  <label
    >${label}
    <select name=${name}>
      ${options.map(([value, words]) => html`<option value=${value} selected=${value === now}>${words}</option>`)}
    </select>
  </label>
`

/** Records that could not be read, with links to their documents. */
const unread = (caption: string, rows: ReadonlyArray<QuarantinedRow>): Node =>
  rows.length === 0
    ? null
    : htmlTable(
        caption,
        [
          { title: t`Where` },
          { title: t`Kind` },
          { title: t`Document` },
          { title: t`What is wrong` },
          { title: t`Since` }
        ],
        rows.map(({ connection, field, id, kind, origin, raw, since, why }) => [
          origin,
          term(kind.replace("_", " ")),
          id === null ? "" : html`<a href=${storyOf(key(connection, kind as Kind, id))}>${id}</a>`,
          html`${field === null ? "" : `${field}: `}${sentence(why)}
            <details><summary>Record</summary><pre>${raw.slice(0, 20_000)}</pre></details>`,
          when(since)
        ])
      )

export interface Searched {
  readonly found: ReadonlyArray<Listed>
  readonly more: boolean
  /** Records that could not be read, of any kind. */
  readonly quarantined: ReadonlyArray<QuarantinedRow>
}

export const list = (
  wanted: Wanted,
  connections: ReadonlyArray<string>,
  { found, more, quarantined }: Searched
): Node => {
  const { after, connection, kind, only, text } = wanted
  return html`
    <form class="row" method="get" action="/documents" role="search">
      <label>Number, id, name or amount <input type="search" name="q" value=${text} /></label>
      ${select(
        "connection",
        t`Connection`,
        connections.map((id) => [id, id]),
        connection
      )}
      ${select(
        "kind",
        t`Kind`,
        KINDS.map((one) => [one, term(KIND_WORDS[one])]),
        kind
      )}
      ${select(
        "only",
        t`Which`,
        ONLY.map(([one, words]) => [one, term(words)]),
        only
      )}
      <button class="primary">Search</button>
    </form>
    <div id="results">
    ${unread(t`Could not be read; quarantined`, quarantined)}
    ${
      found.length === 0
        ? html`<p>${quarantined.length === 0 ? t`No documents found. Search with fewer letters, or in another connection or kind.` : t`No documents found that could be read.`}</p>`
        : documentsTable(kind, term(KIND_WORDS[kind]), found)
    }
    <p class="row">
      ${after === "" ? null : html`<a href=${href("/documents", { q: text, connection, kind, only })}>From the beginning</a>`}
      ${more ? html`<a href=${href("/documents", { q: text, connection, kind, only, after: found.at(-1)?.key ?? "" })}>More</a>` : null}
      ${found.length === 0 ? null : Downloads.links((path) => href(path, { q: text, connection, kind, only }), "/documents")}
    </p>
    </div>
  `
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const versions = (name: string, all: ReadonlyArray<Version>): Node =>
  htmlTable(
    t`Every version of ${name}, oldest first`,
    [{ title: t`Read` }, { title: t`Where` }, { title: t`Version`, right: true }, { title: t`What it says` }],
    all.map((version) => [
      when(version.read),
      version.origin,
      version.deleted ? mark("warn", t`deleted`) : String(version.n),
      version.deleted
        ? ""
        : html`${sentence(says(version.document))}
            <details><summary>Record</summary><pre>${version.raw.slice(0, 20_000)}</pre></details>`
    ])
  )

const call = (one: CallStory): ReadonlyArray<Node> => {
  const { method, path } = route(one.operation, one.params)
  return [
    String(one.id),
    when(one.claimed),
    ruleLink(one.rule),
    html`${sentence(effectOfStored(one))}<br /><span class="dim">because ${sentence(one.reason)}${one.sends > 1 ? t` (sent ${one.sends} times)` : ""}</span>
      <details>
        <summary>Request and answer</summary>
        <pre>${method} ${path}</pre>
        ${one.body === undefined ? null : html`<pre>${JSON.stringify(one.body, null, 2)}</pre>`}
        ${one.answer === undefined ? null : html`<pre>${JSON.stringify(said(one.answer), null, 2)}</pre>`}
      </details>`,
    outcomeOf(one)
  ]
}

/** For a payment without an invoice: the invoices that it may be for. */
const loose = ({ attention, facts }: Story): Node => {
  if (!("candidates" in facts)) return null
  const { lines, payout } = facts
  if (lines !== undefined)
    return html`
      <h2>At the bank</h2>
      <p>${lines.length === 0 ? t`No line by itself.` : lines.map((line) => html`<a href=${storyOf(line)}>${line}</a> `)} <a href="/payouts">All payouts</a></p>
    `
  if (payout !== undefined)
    return html`
      <h2>Which invoice it is for</h2>
      <p>None: ${sentence(payoutOfLine(payout))}. <a href="/payouts">Payouts</a></p>
    `
  const open = attention.find(({ closed }) => closed === null)
  return html`
    <h2>Which invoice it is for</h2>
    <p>
      ${facts.document === undefined ? t`Not known before it can be read.` : t`None yet.`}
      ${open === undefined ? null : html` <a href=${`/attention/${open.id}`}>Choose one: item ${open.id}</a>`}
    </p>
    ${
      facts.candidates.length === 0
        ? null
        : htmlTable(
            t`Invoices that it may be for`,
            [{ title: t`Invoice` }, { title: t`Customer` }, { title: t`Due` }, { title: t`Open`, right: true }],
            facts.candidates.map(({ due, invoice, number, open, party }) => [
              html`<a href=${storyOf(invoice)}>${number}</a>`,
              party,
              figure(due),
              figure(open)
            ])
          )
    }
  `
}

/** Evidence that is there for whoever asks. */
const folded = (title: string, body: Node): Node =>
  html`<details class="evidence"><summary>${title}</summary>${body}</details>`

const inTheSource = (story: Story): Node => {
  const { key, related } = story
  const parts = [...new Set(related.map((one) => one.key))]
  return html`
    ${unread(term(UNREAD), story.quarantined)}
    ${unread(term(NAMED), story.named)}
    ${story.versions.length === 0 ? html`<p>${capital(sentenceText(neverRead(story)))}.</p>` : folded(t`In the source: ${plural(story.versions.length, "version")}`, versions(t`this ${term(kindOf(key).replaceAll("_", " "))}`, story.versions))}
    ${parts.map((name) => {
      const all = related.filter((one) => one.key === name)
      const title = called(name, all.at(-1)?.document)
      return folded(`${title}: ${plural(all.length, "version")}`, versions(title, all))
    })}
  `
}

const items = (attention: Story["attention"]): Node => html`<h2>Attention</h2>
  ${htmlTable(
    t`Items about this document`,
    [{ title: "#", right: true }, { title: t`Since` }, { title: t`Rule` }, { title: t`Why` }, { title: t`State` }],
    attention.map(({ closed, how, id, rule, since, todo, why }) => [
      closed === null ? html`<a href=${`/attention/${id}`}>${id}</a>` : String(id),
      when(since),
      ruleLink(rule),
      html`${sentence(why)}<br /><span class="dim">${closed === null ? html`→ ${sentence(onPage(todo))}` : sentence(how ?? "")}</span>`,
      closed === null ? mark("warn", t`open`) : html`closed ${when(closed)}`
    ])
  )}`

export const story = (story: Story, today: Day, form: string): Node => {
  const { attention, calls, facts, key } = story
  const isOwner = key.endsWith("/owner") || "orders" in facts
  const isLoose = "candidates" in facts
  return html`
    ${isOwner ? html`<p>${"orders" in facts ? t`As its latest order states it.` : t`As the configuration states it.`}</p>` : howItStands(story, today)}
    ${isOwner || isLoose ? null : documentSum(story, form)}
    ${isOwner ? null : loose(story)}
    ${attention.length === 0 ? null : items(attention)}
    ${timeline(story)}
    <h2>Evidence</h2>
    ${isOwner ? null : inTheSource(story)}
    ${
      calls.length === 0
        ? html`<p>Nothing was sent for it yet.</p>`
        : folded(
            t`Sent: ${plural(calls.length, "call")}`,
            htmlTable(
              t`What was sent, and what was answered`,
              [
                { title: "#", right: true },
                { title: t`Sent` },
                { title: t`Rule` },
                { title: t`Call` },
                { title: t`Outcome` }
              ],
              calls.map(call)
            )
          )
    }
    <p class="dim"><code>${key}</code></p>
  `
}
