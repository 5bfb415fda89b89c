/**
 * Renders the pages that connect a source: files are uploaded and examined; for other sources, the page asks for the
 * settings.
 */
import type { SetupDecision, SetupQuestion } from "../../sync/library/FirstConfiguration.ts"
import { button, html, mark, nameField, type Node, type Visitor } from "./Html.ts"
import * as SetupFiles from "./SetupFiles.ts"
import { decided, questionField } from "./SetupQuestions.ts"
import { sentenceText } from "./language/Sentences.ts"
import { t, term } from "./language/Texts.ts"

const hidden = (fields: Iterable<readonly [string, string]>): Node =>
  [...fields].map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)

const wrongNote = (wrong: string | undefined): Node =>
  wrong === undefined ? null : html`<p class="note bad" role="alert">${wrong}</p>`

const upload = (action: string, label: string, visitor: Visitor): Node => html`
  <form class="row" method="post" enctype="multipart/form-data" action=${action}>
    <input type="hidden" name="form" value=${visitor.form} />
    <label>${label} <input type="file" name="file" required /></label>
    <button class="primary">Upload</button>
  </form>`

export interface NamedSource {
  readonly name: string
  /** What people call it. */
  readonly title: string
}

export const startPage = (
  { sources, wrong }: { readonly sources: ReadonlyArray<NamedSource>; readonly wrong?: string | undefined },
  visitor: Visitor
): Node => html`
  ${wrongNote(wrong)}
  <section class="card">
    <h2>From exports</h2>
    <p>Lists of invoices, payments and credit notes as your program writes them (CSV, Excel, JSON Lines), or a bank's statement. At most 8 MB a file; for larger ones use <code>daybook init</code>.</p>
    ${upload("/setup/files", t`File`, visitor)}
  </section>
  <section class="card">
    <h2>From a program or a shop</h2>
    <form class="row" method="post" action="/setup/source">
      <input type="hidden" name="form" value=${visitor.form} />
      <label>Source <select name="connector" required>${sources.map(({ name, title }) => html`<option value=${name}>${sentenceText(title)}</option>`)}</select></label>
      <button class="primary">Continue</button>
    </form>
  </section>
  <p><a href="/connections">Back to connections</a></p>`

const EVERY: Readonly<Record<string, string>> = {
  "": "On request",
  "15 minutes": "Every 15 minutes",
  "1 hour": "Every hour",
  "1 day": "Every day"
}

/** The schedule chosen in the form. */
export const everyIn = (posted: URLSearchParams): string | undefined => {
  const every = posted.get("every") ?? ""
  return every !== "" && Object.hasOwn(EVERY, every) ? every : undefined
}

const confirm = (
  action: string,
  fields: Iterable<readonly [string, string]>,
  visitor: Visitor,
  every: string
): Node => html`
  <form class="row" method="post" action=${action}>
    <input type="hidden" name="form" value=${visitor.form} />
    ${hidden(fields)}
    <label>Runs <select name="every">${Object.entries(EVERY).map(([value, words]) => html`<option value=${value} selected=${value === every}>${term(words)}</option>`)}</select></label>
    ${nameField(visitor, true)}
    <button class="primary">Connect</button>
  </form>`

export interface FilesDraft {
  readonly draft: string
  readonly files: ReadonlyArray<string>
  readonly decisions: ReadonlyArray<SetupDecision>
  readonly questions: ReadonlyArray<SetupQuestion>
  /** The answers so far, as fields of the form. */
  readonly answered: ReadonlyArray<readonly [string, string]>
  /** Columns that may be corrected. */
  readonly corrections: Node
  /** The first documents, once no question is left. */
  readonly previews: ReadonlyArray<Node>
  readonly wrong?: string | undefined
}

const more = ({ draft, files }: FilesDraft, visitor: Visitor): Node => html`
  <h2>Files</h2>
  <ul>${files.map((one) => html`<li>${one}</li>`)}</ul>
  ${upload(`/setup/${draft}/files`, t`One more file, such as payments`, visitor)}
  <p><a href="/connections/new">Start again</a></p>`

export const filesPage = (page: FilesDraft, visitor: Visitor): Node => {
  const { answered, corrections, decisions, draft, previews, questions, wrong } = page
  const asIs = SetupFiles.named(draft)
  const others = answered.filter(([name]) => !name.startsWith("column:"))
  return html`
    ${wrongNote(wrong)}
    ${
      questions.length === 0
        ? null
        : html`<form method="post" action=${`/setup/${draft}/look`}>
            <input type="hidden" name="form" value=${visitor.form} />
            ${hidden(answered)}
            ${questions.map((one) => questionField(one, asIs))}
            <p><button class="primary">Continue</button></p>
          </form>`
    }
    ${
      previews.length === 0
        ? null
        : html`<p>These are the first documents as they would be read. Nothing is stored or sent before you connect.</p>
            ${confirm(`/setup/${draft}/connect`, answered, visitor, "")} ${previews}`
    }
    ${decided(decisions, asIs)}
    ${
      corrections === null
        ? null
        : html`<form method="post" action=${`/setup/${draft}/look`}>
            <input type="hidden" name="form" value=${visitor.form} />
            ${hidden(others)} ${corrections}
          </form>`
    }
    ${more(page, visitor)}`
}

export interface SourceDraft {
  readonly connector: string
  readonly id: string
  readonly questions: ReadonlyArray<SetupQuestion>
  readonly answered: ReadonlyArray<readonly [string, string]>
  readonly variables: ReadonlyArray<{ readonly name: string; readonly text: string; readonly isSet: boolean }>
  readonly authorises: boolean
  readonly wrong?: string | undefined
}

export const sourcePage = (page: SourceDraft, visitor: Visitor): Node => {
  const { answered, authorises, connector, id, questions, variables, wrong } = page
  const fields = [["connector", connector] as const, ...answered]
  return html`
    ${wrongNote(wrong)}
    ${
      questions.length === 0
        ? null
        : html`<form method="post" action="/setup/source">
            <input type="hidden" name="form" value=${visitor.form} />
            ${hidden(fields)}
            ${questions.map((one) => questionField(one, (text) => text))}
            <p><button class="primary">Continue</button></p>
          </form>`
    }
    ${
      questions.length > 0
        ? null
        : html`
          ${
            variables.length === 0
              ? null
              : html`<h2>Credentials</h2>
                <p>Secrets are not entered here. Set these variables in the daemon's environment, or in a file <code>.env</code> where it is started; they take effect with the next start.</p>
                <dl>${variables.map(({ isSet, name, text }) => html`<dt><code>${name}</code></dt><dd>${text} ${isSet ? mark("good", t`set`) : mark("bad", t`not set`)}</dd>`)}</dl>`
          }
          ${authorises ? html`<p>Once it is connected, run <code>daybook connect ${id}</code> where the daemon runs: its own page asks whether you agree.</p>` : null}
          ${confirm("/setup/source", [...fields, ["do", "connect"]], visitor, "1 hour")}`
    }
    <p>${button("/setup/source", t`Start again`, visitor.form, { connector })} <a href="/connections/new">Another source</a></p>`
}
