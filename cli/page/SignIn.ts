/** Lets people in: with an account of their own, with the shared password, or with the token that the daemon shows. */
import { Effect } from "effect"
import { type Person, shared } from "../../sync/model/Person.ts"
import { html } from "./Html.ts"
import { document, goTo } from "./HtmlResponse.ts"
import { page } from "./Layout.ts"
import * as Names from "./Names.ts"
import type { Sessions, SignIn } from "./Sessions.ts"
import { t } from "./language/Texts.ts"

const field = (name: string, value: string) => html`<input type="hidden" name=${name} value=${value} />`

/** Asks for name and password; the name is left out where only a password is shared. */
const passwordForm = ({ persons, shared }: Sessions["ways"], to: string) => html`
  <form class="row" method="post" action="/login">
    ${field("to", to)}
    ${
      persons
        ? html`<label>Name <input name="person" required=${!shared} autofocus autocomplete="username" maxlength="100" /></label>`
        : null
    }
    <label>Password <input type="password" name="password" required autofocus=${!persons} autocomplete="current-password" /></label>
    <button class="primary">Sign in</button>
  </form>
  ${
    persons && shared
      ? html`<p class="dim">Without a name, the shared password signs the operator in, who may do everything.</p>`
      : null
  }
`

const tokenForm = (token: string | undefined, to: string) =>
  token === undefined
    ? html`<p>
        Open the address that the daemon showed when it started: it ends with its token. Or set a password:
        <code>"page": { "password": { "env": "DAYBOOK_PASSWORD" } }</code> under <code>daemon</code>.
      </p>`
    : html`<form class="row" method="post" action="/login">
        ${field("to", to)} ${field("token", token)}
        <button class="primary">Sign in</button>
      </form>`

const wrongWords = ({ token, ways }: Sessions): string =>
  token !== undefined
    ? t`Wrong token; a new one is made at every start of the daemon.`
    : ways.persons
      ? t`Wrong name or password.`
      : t`Wrong password.`

/** Asks for the password, or says where the token is. */
const login = (sessions: Sessions, wrong: "no" | "wrong" | "wait", to: string, token?: string): Response => {
  const said = wrong === "wait" ? t`Too many wrong attempts; wait a few minutes.` : wrongWords(sessions)
  return document(
    wrong === "no" ? 200 : wrong === "wait" ? 429 : 403,
    page(
      { title: t`Sign in`, ...(wrong === "no" ? {} : { wrong: true, said }) },
      sessions.token === undefined ? passwordForm(sessions.ways, to) : tokenForm(token, to)
    )
  )
}

/** Accepts only addresses of this site, so that nobody is redirected elsewhere. */
const local = (to: string | null): string => (to !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/")

/** Whether the person opened the address: typed it, or followed a link from outside the browser or from these pages. */
const byHand = (request: Request): boolean =>
  ["none", "same-origin"].includes(request.headers.get("sec-fetch-site") ?? "none")

const LONGEST_NAME = 100

export interface Entering {
  readonly url: URL
  readonly posted: URLSearchParams
  readonly from: string
  readonly now: number
}

/** Shows the form, or lets somebody in with a new session. */
export const enter = (
  request: Request,
  { from, now, posted, url }: Entering,
  sessions: Sessions
): Effect.Effect<Response> =>
  Effect.gen(function* () {
    const token = posted.get("token") ?? url.searchParams.get("token") ?? undefined
    const to = local(posted.get("to") ?? url.searchParams.get("to"))
    const cookies = request.headers.get("cookie")
    const lets = sessions.token !== undefined && token !== undefined && byHand(request)
    if (request.method === "GET" && !lets) return login(sessions, "no", to, token)
    const kept = (who: SignIn["who"], outcome: SignIn["outcome"]) => sessions.record({ at: now, who, from, outcome })
    const entered = (person: Person) =>
      Effect.map(kept(person, "signed in"), () => {
        const response = goTo(to)
        const over = { encrypted: url.protocol === "https:" }
        for (const one of sessions.issue(now, from, over, person, sessions.of(cookies, now)))
          response.headers.append("set-cookie", one)
        return response
      })
    if (sessions.token !== undefined)
      return sessions.isToken(token ?? "") ? yield* entered(shared("start token")) : login(sessions, "wrong", to)
    const sender = sessions.senderOf(cookies, from)
    const late = sessions.attempt(sender, now)
    if (late === undefined) return login(sessions, "wait", to)
    yield* Effect.sleep(late)
    const name = (posted.get("person") ?? "").trim().slice(0, LONGEST_NAME)
    const person = yield* Effect.promise(() => sessions.check(name, posted.get("password") ?? "", sender))
    if (person !== undefined) return yield* entered(person)
    yield* kept({ name: Names.tidy(name), subject: "", issuer: "", how: "password" }, "refused")
    return login(sessions, late === 0 ? "wrong" : "wait", to)
  })
