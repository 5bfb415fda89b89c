/** Lets people in: with an account of their own, here or at a provider, with the shared password, or with the token that the daemon shows. */
import { Effect } from "effect"
import { type Person, shared } from "../../sync/model/Person.ts"
import { html } from "./Html.ts"
import { document, goOn, goTo } from "./HtmlResponse.ts"
import { page } from "./Layout.ts"
import * as Names from "./Names.ts"
import { namedIn, type NotSignedIn, type OpenId, openIdCookie } from "./OpenId.ts"
import type { Sessions, SignIn } from "./Sessions.ts"
import { t } from "./language/Texts.ts"

const field = (name: string, value: string) => html`<input type="hidden" name=${name} value=${value} />`

/** Leads to the provider: a link, because a form may lead to this site only. */
const providerLink = ({ begins, issuer }: OpenId, to: string) => html`<p>
  <a class="button" href=${`${begins}?${new URLSearchParams({ to })}`}>${`Sign in at ${new URL(issuer).host}`}</a>
</p>`

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

/** Every way in that there is. */
const forms = ({ openId, token, ways }: Sessions, to: string, given: string | undefined) =>
  token === undefined
    ? html`${openId === undefined ? null : providerLink(openId, to)}
      ${ways.persons || ways.shared ? passwordForm(ways, to) : null}`
    : tokenForm(given, to)

/** Shows the ways in, and why the last attempt failed. */
const refused = (sessions: Sessions, status: number, said: string, to: string): Response =>
  document(status, page({ title: t`Sign in`, wrong: true, said }, forms(sessions, to, undefined)))

/** Asks for the password, or says where the token is. */
const login = (sessions: Sessions, wrong: "no" | "wrong" | "wait", to: string, token?: string): Response =>
  wrong === "no"
    ? document(200, page({ title: t`Sign in` }, forms(sessions, to, token)))
    : wrong === "wait"
      ? refused(sessions, 429, t`Too many wrong attempts; wait a few minutes.`, to)
      : refused(sessions, 403, wrongWords(sessions), to)

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

/** Ends the sessions of whom the provider signed out; it is asked for its keys only where there is one. */
const signedOut = ({ from, now, posted }: Entering, sessions: Sessions, openId: OpenId) => {
  const token = posted.get("logout_token") ?? ""
  if (sessions.signedOut(openId.issuer, namedIn(token)).length === 0) return Effect.succeed(document(200, ""))
  if (sessions.attempt(from, now) === undefined) return Effect.succeed(login(sessions, "wait", "/"))
  return Effect.gen(function* () {
    for (const session of sessions.signedOut(openId.issuer, yield* openId.ended(token))) {
      const who = sessions.personOf(session)
      if (who !== undefined) yield* sessions.record({ at: now, who, from, outcome: "ended by another" })
      sessions.end(session)
    }
    sessions.forgive(from)
    return document(200, "")
  })
}

/** Goes to the provider, or comes back from it; or the provider says whom it signed out. */
const elsewhere = (request: Request, entering: Entering, sessions: Sessions, openId: OpenId) => {
  const { from, now, url } = entering
  const cookies = request.headers.get("cookie")
  const sender = sessions.senderOf(cookies, from)
  const over = { encrypted: url.protocol === "https:" }
  const to = local(url.searchParams.get("to"))
  const work = Effect.gen(function* () {
    if (request.method === "POST") return yield* signedOut(entering, sessions, openId)
    if (url.pathname === "/login/openid") {
      const late = sessions.attempt(sender, now)
      if (late === undefined) return login(sessions, "wait", to)
      yield* Effect.sleep(late)
      const { address, cookie } = yield* openId.begin(to, over.encrypted)
      return goTo(address, { "set-cookie": cookie })
    }
    const { person, ticket, to: wanted } = yield* openId.finish(url.searchParams, cookies, sessions.persons())
    sessions.forgive(sender)
    yield* sessions.record({ at: now, who: person, from, outcome: "signed in" })
    // The new session's cookie is sent with requests of this site only, and a redirect would still be one of the provider's.
    const response = goOn(
      wanted,
      page({ title: t`Signed in` }, html`<p><a class="button" href=${wanted}>Go on</a></p>`)
    )
    for (const one of sessions.issue(now, from, over, person, sessions.of(cookies, now), ticket))
      response.headers.append("set-cookie", one)
    response.headers.append("set-cookie", openIdCookie("", 0, over.encrypted))
    return response
  })
  const refusal = ({ said, who, why }: NotSignedIn) =>
    Effect.gen(function* () {
      if (why !== undefined) yield* Effect.logWarning(`signing in at ${openId.issuer} failed: ${why}`)
      if (who !== undefined) yield* sessions.record({ at: now, who, from, outcome: "refused" })
      return refused(sessions, 403, said, to)
    })
  return Effect.catch(work, refusal)
}

/** Shows the form, or lets somebody in with a new session. */
export const enter = (
  request: Request,
  { from, now, posted, url }: Entering,
  sessions: Sessions
): Effect.Effect<Response> =>
  Effect.gen(function* () {
    if (url.pathname !== "/login")
      return sessions.openId === undefined
        ? refused(sessions, 404, t`Nobody signs in at another place here.`, "/")
        : yield* elsewhere(request, { from, now, posted, url }, sessions, sessions.openId)
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
