/** Lets a person choose the language of the pages and how they look; the browser keeps it. */
import { Effect } from "effect"
import { html, type Node } from "./Html.ts"
import { isLanguage, keepLanguage, language, LANGUAGES, chosenLook, LOOKS } from "./language/Language.ts"
import { term } from "./language/Texts.ts"
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

const select = (name: "theme" | "density", label: Node): Node => html`<label>${label} <select name=${name}>
  ${LOOKS[name].map((one) => html`<option value=${one} selected=${chosenLook().split(" ").includes(one)}>${term(one)}</option>`)}
</select></label>`

/** What each person sets for the browser that they use. */
export const ownLook = (form: string): Node => html`
  <form method="post" action="/language" class="row">
    <input type="hidden" name="form" value=${form} />
    <input type="hidden" name="at" value="/settings" />
    <label>Language, dates and amounts <select name="language">
      ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} selected=${code === language()}>${name}</option>`)}
    </select></label>
    ${select("theme", html`Theme`)} ${select("density", html`Rows`)}
    <button>Set for this browser</button>
  </form>
`

/** What a form chose: the room to come back to, and the cookie that keeps it; none: it names no language. */
export const choiceIn = (posted: URLSearchParams): { readonly to: string; readonly keeps: string | undefined } => {
  const [at, chosen] = [posted.get("at") ?? "", posted.get("language")]
  // At the foot of a page only the language is chosen.
  const looks = posted.has("theme")
    ? ["theme", "density"].map((name) => posted.get(name) ?? "")
    : chosenLook().split(" ")
  return {
    to: /^\/(?:[a-z]*|t\/)$/.test(at) ? at : "/",
    keeps: isLanguage(chosen) ? keepLanguage(chosen, looks) : undefined
  }
}

export const chooseLanguage: PageHandler = ({ posted }) =>
  Effect.sync(() => {
    const { keeps, to } = choiceIn(posted)
    return keeps === undefined ? { to, said: "notSpoken" } : { to, said: "spoken", remembers: keeps }
  })
