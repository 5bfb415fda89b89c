/** Renders what was found in a person's files, and the remaining questions: on the page and behind links. */
import type { SetupDecision, SetupQuestion } from "../../sync/library/FirstConfiguration.ts"
import { unwritten } from "../../sync/library/Unwritten.ts"
import { html, htmlTable, type Node, sentence } from "./Html.ts"
import { t } from "./language/Texts.ts"

/** @param shown replaces internal names of files by those that the person knows */
export const decided = (decisions: ReadonlyArray<SetupDecision>, shown: (text: string) => string): Node =>
  decisions.length === 0
    ? null
    : html`<h2>What was found</h2>
        ${htmlTable(
          t`By file`,
          [{ title: t`File` }, { title: t`Decided` }, { title: t`Because` }],
          decisions.map(({ because = "", file = "", what }) => [
            shown(file),
            sentence(shown(what)),
            sentence(shown(unwritten(because, "form")))
          ])
        )}`

export const questionField = (
  { answer, ask, choices, suggestion }: SetupQuestion,
  shown: (text: string) => string
): Node => html`
  <div class="field">
    <label for=${answer}>${sentence(shown(unwritten(ask, "form")))}</label>
    ${
      choices === undefined
        ? html`<input id=${answer} name=${`answer:${answer}`} required maxlength="200" value=${suggestion} />`
        : html`<select id=${answer} name=${`answer:${answer}`} required>
            ${suggestion === undefined ? html`<option value="">Choose</option>` : null}
            ${choices.map((one) => html`<option value=${one} selected=${one === suggestion}>${one}</option>`)}
          </select>`
    }
  </div>
`
