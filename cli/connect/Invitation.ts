/** Renders the page of a link before it is opened: what it is for, and for whom; and checks who opens it. */
import { Effect, Redacted } from "effect"
import * as LinkPerson from "../../sync/connect/LinkPerson.ts"
import * as Links from "../../sync/connect/Links.ts"
import type { StateError, Db } from "../../sync/state/Database.ts"
import type { Token } from "../daemon/Tokens.ts"
import { html } from "../page/Html.ts"
import { plural } from "../page/language/Figures.ts"
import { t } from "../page/language/Texts.ts"
import type { Brand } from "./Brand.ts"
import type { ConnectPage } from "./ConnectLayout.ts"
import * as Session from "./Session.ts"

interface Invited {
  /** The last part of the link's address. */
  readonly word: string
  /** What its address, or the form, says of the person. */
  readonly said: URLSearchParams
  readonly wrong?: string
}

export const invitation = ({ name }: Brand, link: Links.Link, { said, word, wrong }: Invited): ConnectPage => {
  const { email, person } = link.terms
  const account = LinkPerson.accountNameOf(link)
  const proof = person === undefined ? [] : ["person", "until", "proof"]
  return {
    title: t`Connect your books to ${name}`,
    account,
    ...(wrong === undefined ? {} : { wrong, status: 403 }),
    body: html`
      <p>${name} asks to read your invoices and payments. You choose where they are, and see the first of them before
        anything is connected. It takes a few minutes.</p>
      <p>This link can be opened once: finish in this browser.</p>
      <p>Your books will go to the account of <strong>${account}</strong> at ${name}. If you are not with ${account}, close this page:
        the link is not for you.</p>
      <form method="post" action=${`/connect/${word}/open`}>
        ${proof.map((one) => html`<input type="hidden" name=${one} value=${said.get(one) ?? ""} />`)}
        ${
          email === undefined
            ? null
            : html`<div class="field">
              <label for="email">Your e-mail address, to which ${name} sent this link</label>
              <input id="email" name="email" type="email" required maxlength="200" autocomplete="email" />
            </div>`
        }
        <button class="primary">Start</button>
      </form>
    `
  }
}

/** Why somebody may not open a link that was made for another person; undefined if they may. */
export const otherPerson = (
  { brand, db }: { readonly brand: Brand; readonly db: Db },
  link: Links.Link,
  {
    now,
    posted,
    tokens,
    word
  }: {
    readonly word: string
    readonly posted: URLSearchParams
    readonly tokens: ReadonlyArray<Token>
    readonly now: number
  }
): Effect.Effect<string | undefined, StateError> =>
  Effect.gen(function* () {
    const { email } = link.terms
    const keys = tokens.filter(({ scopes }) => scopes.includes("connect")).map(({ value }) => Redacted.value(value))
    const checking = { word, tokens: keys, now, isSame: Session.sameText }
    if (!LinkPerson.isPerson(link.terms, LinkPerson.saidIn(posted), checking))
      return t`This link is for one person whom ${brand.name} knows. Sign in at ${brand.name}, and open it from there.`
    if (email === undefined || Session.sameText(LinkPerson.emailOf(posted.get("email") ?? ""), email)) return undefined
    const left = yield* db.transaction(() => Links.missed(db, link, now))
    return left === 0
      ? t`This link is closed: too many other addresses were entered. Ask ${brand.name} for a new one.`
      : t`This link was made for another e-mail address. You may try ${plural(left, "more time", "more times")}.`
  })
