/** Shows a collection: what would be handed over, its documents, what is missing, and the two declarations. */
import { LARGEST_FILE_BYTES, TYPES } from "../../core/insurance/DocumentTypes.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { CollectionView } from "../../sync/collections/Collecting.ts"
import type { ShownCollection } from "../../sync/decisions/Collections.ts"
import type { CollectionRow } from "../../sync/reports/CollectionList.ts"
import {
  DECLARATIONS,
  fieldRows,
  sizeText,
  statusText,
  termRows,
  typeText,
  UNKNOWN,
  windowText
} from "../render/CollectionView.ts"
import { storyOf } from "./DocumentTitle.ts"
import {
  button,
  html,
  mark,
  nameField,
  type Node,
  htmlTable,
  type Visitor,
  when,
  withCommands,
  sentence
} from "./Html.ts"
import { t } from "./language/Texts.ts"
import { figure } from "./language/Figures.ts"
import { sentenceText } from "./language/Sentences.ts"

/** The policy's status, marked by urgency. */
export const statusMark = (one: Pick<CollectionRow, "sent" | "status" | "unknown">): Node => {
  const text = sentenceText(statusText(one))
  if (one.status === "lapsed") return mark("bad", text)
  return mark(one.status === "late_can_handover" && one.sent === null ? "warn" : "plain", text)
}

const actionOf = (subject: string, what: string): string => `/cover/${encodeURIComponent(subject)}/${what}`

/** The name of a file that a person added; undefined for a slot that a rule fills. */
const ownName = (slot: string): string | undefined => (slot.startsWith("person:") ? slot.slice(7) : undefined)

const documents = (
  { documents, others, sent, subject }: CollectionView,
  { form, name: visitor }: Visitor,
  isOpen: boolean
): Node => {
  const removing = isOpen && documents.some(({ slot }) => ownName(slot) !== undefined)
  return documents.length + others.length === 0
    ? html`<p>${isOpen ? t`There are none yet; the next run gathers them.` : t`There are none.`}</p>`
    : htmlTable(
        isOpen
          ? t`Documents that go with it`
          : sent === undefined
            ? t`Documents that were gathered`
            : t`Documents that went with it`,
        [
          { title: t`Type` },
          { title: t`Name` },
          { title: t`Size`, right: true },
          { title: t`From` },
          { title: t`Read` },
          ...(removing ? [{ title: t`Remove` }] : [])
        ],
        [
          ...documents.map(({ name, origin, read, size, slot, type }) => {
            const own = ownName(slot)
            const remove =
              own === undefined
                ? null
                : button(actionOf(subject, "detach"), t`Remove`, form, { file: own, name: visitor }, "danger", name)
            return [typeText(type), name, sizeText(size), origin, when(read), ...(removing ? [remove] : [])]
          }),
          ...others.map(({ description, type }) => [
            typeText(type),
            description,
            "",
            t`attached on the service by others`,
            "",
            ...(removing ? [""] : [])
          ])
        ]
      )
}

/** The form that adds a file; its type is detected from its content. */
const adding = ({ subject }: CollectionView, visitor: Visitor): Node => html`
  <h3>Add a document</h3>
  <form method="post" action=${actionOf(subject, "attach")} enctype="multipart/form-data" class="declaration">
    <input type="hidden" name="form" value=${visitor.form} />
    <label class="long">File <input type="file" name="file" required accept=".pdf,.png,.jpg,.jpeg" /></label>
    <div class="row">
      <label>It is <select name="type" required><option value="">choose</option>${TYPES.map((type) => html`<option value=${type}>${typeText(type)}</option>`)}</select></label>
      ${nameField(visitor, true)}
      <button>Add it</button>
    </div>
    <p class="dim">A PDF, PNG or JPEG of at most ${sizeText(LARGEST_FILE_BYTES)}. One of a name that was added before takes its place.</p>
  </form>
`

const missing = ({ lacking, number }: CollectionView): Node =>
  lacking.length === 0
    ? null
    : html`<div class="note">
        <p><strong>It is not complete:</strong></p>
        <ul>${lacking.map((one) => html`<li>${withCommands(one)}</li>`)}</ul>
        <p>A file is added below, or with <code>daybook collect ${number} --attach FILE</code>.</p>
      </div>`

/** Each declaration has its own box, which starts unchecked. */
const declaration = (view: CollectionView, visitor: Visitor): Node => {
  return html`
    <h2>Hand it over</h2>
    <form method="post" action=${actionOf(view.subject, "confirm")} class="declaration">
      <input type="hidden" name="form" value=${visitor.form} />
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
        ${nameField(visitor, true)}
        <button class="primary">Confirm and hand over</button>
      </div>
      <p class="dim">Your name, the time and what is shown here are kept. If anything of it changes before it is sent, you are asked again.</p>
    </form>
  `
}

const confirmed = (
  { closed, policy, sent, subject, unknown, withdrawn, word }: CollectionView,
  visitor: Visitor
): Node => {
  if (sent !== undefined)
    return html`<p class="note">${mark("good", t`Handed over`)}${sent === "" ? "" : t` on ${sent.slice(0, 10)}`}${word === undefined ? "" : t`, confirmed by ${word.who}`}.</p>`
  if (unknown === true) return html`<p class="note">${mark("warn", t`Not known yet`)} ${UNKNOWN}</p>`
  if (closed !== undefined)
    return html`<p class="note">${mark(policy.status === "lapsed" ? "bad" : "plain", t`Cannot be handed over:`)} ${closed}.</p>`
  if (withdrawn !== undefined)
    return html`<p class="note">${mark("warn", t`Taken back`)} ${withdrawn.who} took the confirmation back on ${when(withdrawn.at)}.</p>`
  if (word === undefined) return null
  if (word.isVoid)
    return html`<p class="note">${mark("warn", t`Not sent`)} Something changed since ${word.who} confirmed it on ${when(word.at)}: look at it again.</p>`
  return html`<div class="note">
    <p>${mark("good", t`Confirmed`)} by ${word.who} on ${when(word.at)}. The next run hands it over.</p>
    <form method="post" action=${actionOf(subject, "withdraw")} class="row">
      <input type="hidden" name="form" value=${visitor.form} />
      ${nameField(visitor, true)}
      <button class="danger">Take it back</button>
    </form>
  </div>`
}

export const one = ({ unread, view }: ShownCollection, visitor: Visitor): Node => {
  const { buyer, closed, currency, lacking, number, open, policy, sent, subject, unknown, word } = view
  const isOpen = closed === undefined
  const isConfirmed = word !== undefined && !word.isVoid
  const window = windowText(view)
  return html`
    <p>
      <strong>${buyer}</strong>, ${figure(`${Currency.group(open)} ${currency}`)} open.${" "}
      Policy ${policy.number ?? policy.id}: ${statusMark({ status: policy.status, sent: sent ?? null, unknown: unknown === true })}${policy.since === undefined || (sent !== undefined && policy.status === "late_can_handover") ? "" : t` since ${policy.since}`}.${" "}
      <a href=${storyOf(subject)}>The whole story of ${number}</a>
    </p>
    ${isOpen && window !== "" ? html`<p class="note">${mark("warn", t`Deadline`)} ${sentence(window, "begins")}.</p>` : null}
    ${confirmed(view, visitor)} ${isOpen ? missing(view) : null}
    <h2>${isOpen ? t`What will be handed over` : sent === undefined ? t`What would be handed over` : t`What was handed over`}</h2>
    <dl>
      ${termRows(view).map(([name, value]) => html`<dt>${sentence(name)}</dt><dd>${sentence(value)}</dd>`)}
      ${fieldRows(view).map(({ name, prefilled, value }) => html`<dt>${sentence(name)}</dt><dd>${figure(value)}${prefilled ? html` <span class="dim">on the service</span>` : null}</dd>`)}
    </dl>
    <h2>Documents</h2>
    ${documents(view, visitor, isOpen)} ${isOpen ? adding(view, visitor) : null}
    ${
      isOpen && unread !== undefined
        ? html`<p class="note">${mark("warn", t`Not read`)} The service could not be read just now (${unread}): what it has may differ, and nothing can be confirmed.</p>`
        : isOpen && lacking.length === 0 && !isConfirmed
          ? declaration(view, visitor)
          : null
    }
  `
}
