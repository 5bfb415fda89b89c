/** Lets a person choose the language of the pages; the browser keeps it. */
import { Effect } from "effect"
import { html, type Node } from "./Html.ts"
import { isLanguage, keepLanguage, language, LANGUAGES } from "./language/Language.ts"
import type { PageHandler } from "./Response.ts"

/** @param at the room to come back to */
export const languageChoice = (form: string, at = "/"): Node => html`
  <form method="post" action="/language" class="row" aria-label="Language">
    <input type="hidden" name="form" value=${form} />
    <input type="hidden" name="at" value=${at} />
    ${Object.entries(LANGUAGES).map(
      ([code, name]) =>
        html`<button class="plain" name="language" value=${code} lang=${code} aria-pressed=${String(code === language())}>${name}</button>`
    )}
  </form>
`

export const chooseLanguage: PageHandler = ({ posted }) =>
  Effect.sync(() => {
    const [at, chosen] = [posted.get("at") ?? "", posted.get("language")]
    const to = /^\/[a-z]*$/.test(at) ? at : "/"
    return isLanguage(chosen) ? { to, said: "spoken", remembers: keepLanguage(chosen) } : { to, said: "notSpoken" }
  })
