/**
 * Shows documents: a searchable list, and everything about each one.
 */
import { key, kindOf, KINDS, type Kind } from "../../connectors/Document.ts"
import { route } from "../../core/Operations.ts"
import { plural } from "../../core/Plural.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Listed, Wanted } from "../../sync/reports/Dashboard.ts"
import type { QuarantinedRow } from "../../sync/reports/QuarantinedRecords.ts"
import type { CallStory, Version } from "../../sync/reports/History.ts"
import type { Story } from "../../sync/library/Explain.ts"
import { arithmetic, NAMED, neverRead, said, says, UNREAD, payoutOfLine } from "../render/StoryView.ts"
import { called, numberOf, storyOf } from "./DocumentTitle.ts"
import { effectOfStored, howItStands, outcomeOf, timeline } from "./Timeline.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, mark, type Node, htmlTable, when } from "./Html.ts"
import { onPage } from "./OnPage.ts"

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

const minor = (amount: bigint, currency: string | null): string =>
  currency === null || currency === "" ? "" : Currency.say(Currency.ofMinor(amount, currency), currency)

const standing = ({ balance, books, deleted, follows, reason, remote, says, service }: Listed): Node =>
  deleted
    ? mark("plain", "deleted in the source")
    : remote === null
      ? mark("plain", reason ?? "not sent yet")
      : books !== service || says !== follows
        ? mark("warn", "differs")
        : balance !== null && balance < 0n
          ? mark("warn", "overpaid")
          : mark("good", "agrees")

/** Records that could not be read, with links to their documents. */
const unread = (caption: string, rows: ReadonlyArray<QuarantinedRow>): Node =>
  rows.length === 0
    ? null
    : htmlTable(
        caption,
        [{ title: "Where" }, { title: "Kind" }, { title: "Document" }, { title: "What is wrong" }, { title: "Since" }],
        rows.map(({ connection, field, id, kind, origin, raw, since, why }) => [
          origin,
          kind.replace("_", " "),
          id === null ? "" : html`<a href=${storyOf(key(connection, kind as Kind, id))}>${id}</a>`,
          html`${field === null ? "" : `${field}: `}${why}
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
  const isSent = kind === "invoice" || kind === "order"
  return html`
    <form class="row" method="get" action="/documents" role="search">
      <label>Number, id, name or amount <input type="search" name="q" value=${text} /></label>
      ${select(
        "connection",
        "Connection",
        connections.map((id) => [id, id]),
        connection
      )}
      ${select(
        "kind",
        "Kind",
        KINDS.map((one) => [one, KIND_WORDS[one]]),
        kind
      )}
      ${select("only", "Which", ONLY, only)}
      <button class="primary">Search</button>
    </form>
    <div id="results">
    ${unread("Could not be read; quarantined", quarantined)}
    ${
      found.length === 0
        ? html`<p>${quarantined.length === 0 ? "No documents found. Search with fewer letters, or in another connection or kind." : "No documents found that could be read."}</p>`
        : htmlTable(
            KIND_WORDS[kind],
            [
              { title: "Document" },
              { title: "In the source" },
              ...(isSent
                ? [{ title: "Books", right: true }, { title: "Service", right: true }, { title: "Result" }]
                : [])
            ],
            found.map((one) => [
              html`<a href=${storyOf(one.key)}>${numberOf(one.key, one.document)}</a>`,
              says(one.document),
              ...(isSent ? [minor(one.books, one.currency), minor(one.service, one.currency), standing(one)] : [])
            ])
          )
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
    `Every version of ${name}, oldest first`,
    [{ title: "Read" }, { title: "Where" }, { title: "Version", right: true }, { title: "What it says" }],
    all.map((version) => [
      when(version.read),
      version.origin,
      version.deleted ? mark("warn", "deleted") : String(version.n),
      version.deleted
        ? ""
        : html`${says(version.document)}
            <details><summary>Record</summary><pre>${version.raw.slice(0, 20_000)}</pre></details>`
    ])
  )

const call = (one: CallStory): ReadonlyArray<Node> => {
  const { method, path } = route(one.operation, one.params)
  return [
    String(one.id),
    when(one.claimed),
    one.rule,
    html`${effectOfStored(one)}<br /><span class="dim">because ${one.reason}${one.sends > 1 ? ` (sent ${one.sends} times)` : ""}</span>
      <details>
        <summary>Request and answer</summary>
        <pre>${method} ${path}</pre>
        ${one.body === undefined ? null : html`<pre>${JSON.stringify(one.body, null, 2)}</pre>`}
        ${one.answer === undefined ? null : html`<pre>${JSON.stringify(said(one.answer), null, 2)}</pre>`}
      </details>`,
    outcomeOf(one)
  ]
}

/** The document's sums. */
const sums = (story: Story): Node => html`
    <h2>The arithmetic</h2>
    <pre>${arithmetic(story)
      .map((line) => line.trim())
      .join("\n")}</pre>
`

/** For a payment without an invoice: the invoices that it may be for. */
const loose = ({ attention, facts }: Story): Node => {
  if (!("candidates" in facts)) return null
  const { lines, payout } = facts
  if (lines !== undefined)
    return html`
      <h2>At the bank</h2>
      <p>${lines.length === 0 ? "No line by itself." : lines.map((line) => html`<a href=${storyOf(line)}>${line}</a> `)} <a href="/payouts">All payouts</a></p>
    `
  if (payout !== undefined)
    return html`
      <h2>Which invoice it is for</h2>
      <p>None: ${payoutOfLine(payout)}. <a href="/payouts">Payouts</a></p>
    `
  const open = attention.find(({ closed }) => closed === null)
  return html`
    <h2>Which invoice it is for</h2>
    <p>
      ${facts.document === undefined ? "Not known before it can be read." : "None yet."}
      ${open === undefined ? null : html` <a href=${`/attention/${open.id}`}>Choose one: item ${open.id}</a>`}
    </p>
    ${
      facts.candidates.length === 0
        ? null
        : htmlTable(
            "Invoices that it may be for",
            [{ title: "Invoice" }, { title: "Customer" }, { title: "Due" }, { title: "Open", right: true }],
            facts.candidates.map(({ due, invoice, number, open, party }) => [
              html`<a href=${storyOf(invoice)}>${number}</a>`,
              party,
              due,
              open
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
    ${unread(UNREAD, story.quarantined)}
    ${unread(NAMED, story.named)}
    ${story.versions.length === 0 ? html`<p>${capital(neverRead(story))}.</p>` : folded(`In the source: ${plural(story.versions.length, "version")}`, versions(`this ${kindOf(key).replaceAll("_", " ")}`, story.versions))}
    ${parts.map((name) => {
      const all = related.filter((one) => one.key === name)
      const title = called(name, all.at(-1)?.document)
      return folded(`${title}: ${plural(all.length, "version")}`, versions(title, all))
    })}
  `
}

const items = (attention: Story["attention"]): Node => html`<h2>Attention</h2>
  ${htmlTable(
    "Items about this document",
    [{ title: "#", right: true }, { title: "Since" }, { title: "Rule" }, { title: "Why" }, { title: "State" }],
    attention.map(({ closed, how, id, rule, since, todo, why }) => [
      closed === null ? html`<a href=${`/attention/${id}`}>${id}</a>` : String(id),
      when(since),
      rule,
      html`${why}<br /><span class="dim">${closed === null ? `→ ${onPage(todo)}` : (how ?? "")}</span>`,
      closed === null ? mark("warn", "open") : html`closed ${when(closed)}`
    ])
  )}`

export const story = (story: Story, today: Day): Node => {
  const { attention, calls, facts, key } = story
  const isOwner = key.endsWith("/owner") || "orders" in facts
  const isLoose = "candidates" in facts
  return html`
    ${isOwner ? html`<p>${"orders" in facts ? "As its latest order states it." : "As the configuration states it."}</p>` : howItStands(story, today)}
    ${isOwner || isLoose ? null : sums(story)}
    ${isOwner ? null : loose(story)}
    ${attention.length === 0 ? null : items(attention)}
    ${timeline(story)}
    <h2>Evidence</h2>
    ${isOwner ? null : inTheSource(story)}
    ${
      calls.length === 0
        ? html`<p>Nothing was sent for it yet.</p>`
        : folded(
            `Sent: ${plural(calls.length, "call")}`,
            htmlTable(
              "What was sent, and what was answered",
              [
                { title: "#", right: true },
                { title: "Sent" },
                { title: "Rule" },
                { title: "Call" },
                { title: "Outcome" }
              ],
              calls.map(call)
            )
          )
    }
    <p class="dim"><code>${key}</code></p>
  `
}
