/**
 * What no rule can settle, each with its story and what can be done.
 */
import type { OpenAttention } from "../../sync/Attentions.ts"
import { button, html, mark, type Node, table, when } from "./Html.ts"

export const storyOf = (key: string): string => `/documents/${encodeURIComponent(key)}`

export const list = (open: ReadonlyArray<OpenAttention>, total: number, form: string): Node =>
  open.length === 0
    ? html`<p>Nothing needs a person.</p>`
    : html`
        <p>
          ${total.toLocaleString("en")} ${total === 1 ? "matter" : "matters"}${open.length < total ? `; the first ${open.length} are shown` : ""}.
          What was dealt with is closed by itself once it no longer holds; close by hand what a rule cannot see.
        </p>
        ${table(
          "What needs a person, and what can be done about it",
          [
            { title: "#", right: true },
            { title: "Since" },
            { title: "Document" },
            { title: "Rule" },
            { title: "Why" },
            { title: "What can be done" }
          ],
          open.map((one) => [
            html`<a href=${`/attention/${one.id}`}>${one.id}</a>`,
            when(one.since),
            html`<a href=${storyOf(one.subject)}>${one.subject}</a>`,
            one.rule,
            html`${one.why}<br /><span class="dim">→ ${one.todo}</span>`,
            actions(one, form)
          ])
        )}
      `

const actions = ({ id, refused }: OpenAttention, form: string): Node => html`
  ${refused ? button(`/attention/${id}/retry`, "Send again", form) : null}
  ${button(`/attention/${id}/resolve`, "Done with it", form)}
`

export const one = (found: OpenAttention, form: string): Node => html`
  <dl>
    <dt>Document</dt>
    <dd><a href=${storyOf(found.subject)}>${found.subject}</a></dd>
    <dt>Because of</dt>
    <dd>${found.fact}</dd>
    <dt>Rule</dt>
    <dd>${found.rule}</dd>
    <dt>Since</dt>
    <dd>${when(found.since)}</dd>
    <dt>State</dt>
    <dd>${found.refused ? mark("warn", "the service refused a call; nothing more is sent of this document") : mark("warn", "open")}</dd>
  </dl>
  <p class="note">${found.why}</p>
  <p><strong>What can be done:</strong> ${found.todo}</p>
  <div class="row">${actions(found, form)}</div>
`
