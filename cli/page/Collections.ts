/** A collection on the page: what would be handed over, its documents, what is missing, and the two declarations. */
import * as Currency from "../../core/money/Currency.ts"
import type { CollectionView } from "../../sync/collections/Collecting.ts"
import type { CollectionRow } from "../../sync/reports/CollectionList.ts"
import { DECLARATIONS, fieldRows, sizeText, statusText, typeText, windowText } from "../render/CollectionView.ts"
import { storyOf } from "./Attention.ts"
import { html, mark, type Node, htmlTable, when } from "./Html.ts"

/** The policy's status, with how urgent it is. */
export const statusMark = (one: Pick<CollectionRow, "sent" | "status">): Node => {
  const text = statusText(one)
  if (one.status === "lapsed") return mark("bad", text)
  return mark(one.status === "late_can_handover" && one.sent === null ? "warn" : "plain", text)
}

const documents = ({ documents }: CollectionView): Node =>
  documents.length === 0
    ? html`<p>There are none yet; the next run gathers them.</p>`
    : htmlTable(
        "Documents that go with it",
        [{ title: "Type" }, { title: "Name" }, { title: "Size", right: true }, { title: "From" }, { title: "Read" }],
        documents.map(({ name, origin, read, size, type }) => [
          typeText(type),
          name,
          sizeText(size),
          origin,
          when(read)
        ])
      )

const missing = ({ lacking, number }: CollectionView): Node =>
  lacking.length === 0
    ? null
    : html`<div class="note">
        <p><strong>It is not complete:</strong></p>
        <ul>${lacking.map((one) => html`<li>${one}</li>`)}</ul>
        <p>A file is added with <code>daybook collect ${number} --attach FILE</code>.</p>
      </div>`

/** Both declarations begin unchecked, and each is a box of its own. */
const declaration = (view: CollectionView, form: string): Node => {
  const path = `/cover/${encodeURIComponent(view.subject)}/confirm`
  return html`
    <h2>Hand it over</h2>
    <form method="post" action=${path} class="declaration">
      <input type="hidden" name="form" value=${form} />
      <input type="hidden" name="digest" value=${view.digest} />
      <fieldset>
        <legend>Does the buyer dispute this invoice?</legend>
        <label><input type="radio" name="disputed" value="no" required /> No</label>
        <label><input type="radio" name="disputed" value="yes" required /> Yes, because</label>
        <label class="long">Reasons <textarea name="reasons" rows="2"></textarea></label>
      </fieldset>
      <label class="long">Comments for the collections partner <textarea name="comments" rows="2"></textarea></label>
      <fieldset>
        <legend>What you declare</legend>
        <label><input type="checkbox" name="confirm_correct" value="yes" required /> ${DECLARATIONS.confirm_correct}</label>
        <label><input type="checkbox" name="collections_terms_acceptance" value="yes" required /> ${DECLARATIONS.collections_terms_acceptance}</label>
      </fieldset>
      <div class="row">
        <label>Your name <input name="name" required autocomplete="name" maxlength="200" /></label>
        <button class="primary">Confirm and hand over</button>
      </div>
      <p class="dim">Your name, the time and what is shown here are kept. If anything of it changes before it is sent, you are asked again.</p>
    </form>
  `
}

const confirmed = ({ sent, subject, word }: CollectionView, form: string): Node => {
  if (sent !== undefined)
    return html`<p class="note">${mark("good", "Handed over")}${sent === "" ? "" : ` on ${sent.slice(0, 10)}`}${word === undefined ? "" : `, confirmed by ${word.who}`}.</p>`
  if (word === undefined) return null
  if (word.isVoid)
    return html`<p class="note">${mark("warn", "Not sent")} Something changed since ${word.who} confirmed it on ${when(word.at)}: look at it again.</p>`
  return html`<div class="note">
    <p>${mark("good", "Confirmed")} by ${word.who} on ${when(word.at)}. The next run hands it over.</p>
    <form method="post" action=${`/cover/${encodeURIComponent(subject)}/withdraw`} class="row">
      <input type="hidden" name="form" value=${form} />
      <label>Your name <input name="name" required autocomplete="name" maxlength="200" /></label>
      <button class="danger">Take it back</button>
    </form>
  </div>`
}

export const one = (view: CollectionView, form: string): Node => {
  const { buyer, currency, lacking, number, open, policy, sent, subject, word } = view
  const isOpen = policy.status === "late_can_handover" && sent === undefined
  const isConfirmed = word !== undefined && !word.isVoid
  const window = windowText(view)
  return html`
    <p>
      <strong>${buyer}</strong>, ${Currency.group(open)} ${currency} open.${" "}
      Policy ${policy.number ?? policy.id}: ${statusMark({ status: policy.status, sent: sent ?? null })}${policy.since === undefined || (sent !== undefined && policy.status === "late_can_handover") ? "" : ` since ${policy.since}`}.${" "}
      <a href=${storyOf(subject)}>The whole story of ${number}</a>
    </p>
    ${isOpen && window !== "" ? html`<p class="note">${mark("warn", "Deadline")} ${window.replace(/^t/, "T")}.</p>` : null}
    ${confirmed(view, form)} ${isOpen ? missing(view) : null}
    <h2>${isOpen ? "What will be handed over" : "What was handed over"}</h2>
    <dl>
      ${fieldRows(view).map(({ name, prefilled, value }) => html`<dt>${name}</dt><dd>${value}${prefilled ? html` <span class="dim">filled in by the service</span>` : null}</dd>`)}
    </dl>
    <h2>Documents</h2>
    ${documents(view)} ${isOpen && lacking.length === 0 && !isConfirmed ? declaration(view, form) : null}
  `
}
