/**
 * Provides the page's components as tagged templates, rendered to text on the server. All inserted values are escaped, so
 * nothing from a source is ever markup.
 */
import { html as template } from "htm/preact"
import type { ComponentChildren, VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { isShared, type Person } from "../../sync/model/Person.ts"
import { t, translated } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"
import { instantText } from "./language/Figures.ts"
import { language } from "./language/Language.ts"

export type Node = ComponentChildren

/** Its texts are in the reader's language. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>): VNode =>
  language() === "en" ? template(strings, ...values) : template(...translated(strings, values, "markup"))

/** Renders a whole document. */
export const render = (page: VNode): string => `<!doctype html>${renderToString(page)}`

/** An address with its query; empty parameters are left out. */
export const href = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") params.set(name, value)
  const text = params.toString()
  return text === "" ? path : `${path}?${text}`
}

/**
 * `2026-11-21 08:00` in UTC, with machine-readable markup to the second; scripts show it in the reader's time zone, with UTC
 * on hover.
 */
export const when = (millis: number | null | undefined): Node => {
  if (millis === null || millis === undefined) return t`never`
  const text = new Date(millis).toISOString()
  return html`<time datetime=${text} title=${`${instantText(text.slice(0, 19))} UTC`}>${instantText(text.slice(0, 16))}</time>`
}

/** A text with commands between backticks. */
export const withCommands = (text: string): Node =>
  text.split("`").map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part))

/**
 * What was said elsewhere in English, in the reader's language; what has no translation is marked as English.
 *
 * @param where `begins`: with a capital letter
 */
export const sentence = (english: string, where: "begins" | "within" = "within"): Node => {
  const own = sentenceText(english)
  const text = where === "begins" ? own.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : own
  return own === english && language() !== "en" && /[a-z]{2}/.test(english)
    ? html`<span lang="en">${withCommands(text)}</span>`
    : withCommands(text)
}

export interface HtmlColumn {
  readonly title: string
  /** Right-aligns numbers and money. */
  readonly right?: boolean
  /** On a phone: without its title, or not at all. A list with such columns has two lines for each row there. */
  readonly phone?: "bare" | "gone"
}

const classOf = ({ phone, right }: Partial<HtmlColumn> = {}): string | undefined =>
  [right === true ? "right" : "", phone ?? ""].join(" ").trim() || undefined

/** A table that scrolls horizontally in a narrow window, also with the keyboard. */
export const htmlTable = (
  caption: string,
  columns: ReadonlyArray<HtmlColumn>,
  rows: ReadonlyArray<ReadonlyArray<Node>>
): VNode => html`
  <div class=${["table", columns.some(({ phone }) => phone !== undefined) ? "lean" : ""].join(" ").trim()} role="region" aria-label=${caption.replaceAll("`", "")} tabindex="0">
    <table>
      <caption>${withCommands(caption)}</caption>
      <thead>
        <tr>
          ${columns.map(({ right, title }) => html`<th scope="col" class=${right === true ? "right" : undefined}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) => html`<tr>
            ${cells.map((cell, i) => html`<td class=${classOf(columns[i])} data-title=${columns[i]?.title}>${cell}</td>`)}
          </tr>`
        )}
      </tbody>
    </table>
  </div>
`

/** What keys do in the lists of a page; scripts show it, and do it. They can be turned off. */
export const keys = (): VNode =>
  html`<p class="dim wide-only" data-keys hidden>Keys: j and k move, x chooses, a chooses all of a list, e closes what is chosen, Enter opens, y does what is highlighted, / searches; g and then t, q, p, r, c or d leads to Today, the work queue, approvals, receivables, customers or documents. <button type="button" class="plain">Turn them off</button></p>`

export const mark = (kind: "good" | "warn" | "bad" | "plain", text: string): VNode =>
  html`<span class=${`mark ${kind}`}>${text}</span>`

/** The person who uses the page. */
export interface Visitor {
  /** The session's form token (against CSRF), which only its own pages contain. */
  readonly form: string
  /** Their own name; with a shared password the one that they last gave, empty until then. */
  readonly name: string
  readonly person: Person
}

/** Asks for the name of the person who decides, which the browser remembers; or says as whom somebody decides who signed in. */
export const nameField = ({ name, person }: Pick<Visitor, "name" | "person">, required: boolean): VNode =>
  isShared(person) ? typedName(name, required) : html`<span class="dim">as ${person.name}</span>`

const typedName = (name: string, required: boolean): VNode =>
  html`<label>Your name <input name="name" required=${required} autocomplete="name" maxlength="200" value=${name} /></label>`

export interface Choice {
  readonly action: string
  readonly label: string
  readonly look: string
}

/** A form that asks for the person's name, with a button for each choice. */
export const choices = (
  visitor: Visitor,
  fields: Readonly<Record<string, string | ReadonlyArray<string>>>,
  { all, named }: { readonly all: readonly [Choice, ...ReadonlyArray<Choice>]; readonly named: "required" | "asked" }
): VNode => html`
  <form method="post" action=${all[0].action} class="row">
    <input type="hidden" name="form" value=${visitor.form} />
    ${Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => html`<input type="hidden" name=${name} value=${value} />`)
    )}
    ${nameField(visitor, named === "required")}
    ${all.map(({ action, label, look }) => html`<button class=${look} formaction=${action}>${label}</button>`)}
  </form>
`

/**
 * A form with one button; `form` is the word of the session that only its own pages know.
 *
 * @param about what it is done to, for who does not see beside what it stands
 */
export const button = (
  action: string,
  label: string,
  form: string,
  fields: Readonly<Record<string, string>> = {},
  look = "plain",
  about?: string
): VNode => html`
  <form method="post" action=${action}>
    <input type="hidden" name="form" value=${form} />
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <button class=${look} aria-label=${about === undefined ? undefined : `${label} ${about}`}>${label}</button>
  </form>
`
