/**
 * Serves the pages of links: the person who opens a link gets a session in one browser without a login, goes through its
 * steps, and is sent back to the platform. Without `daemon.connect` in the configuration there are no such pages.
 *
 * Opening the address changes nothing, because mail scanners open addresses too: a person must press a button.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, Schedule as Every, type Scope, Semaphore } from "effect"
import { accountNameOf } from "../../sync/connect/LinkPerson.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import * as Links from "../../sync/connect/Links.ts"
import type { ConfigError } from "../../sync/library/config/Configuration.ts"
import * as Connecting from "../../sync/library/Connecting.ts"
import { Database, type StateError, type Db } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import type { Reply, Request, Route } from "../daemon/Server.ts"
import { isOwnForm } from "../daemon/Host.ts"
import { tokensOf } from "../daemon/Tokens.ts"
import { html } from "../page/Html.ts"
import { languageOf, Reader } from "../page/language/Language.ts"
import { t } from "../page/language/Texts.ts"
import { ACTIONS, authorised, upload } from "./Actions.ts"
import { type Brand, brandOf } from "./Brand.ts"
import { connectHeaders, connectPage, type ConnectPage } from "./ConnectLayout.ts"
import { invitation, otherPerson } from "./Invitation.ts"
import { checked, tidied } from "./Readiness.ts"
import * as Session from "./Session.ts"
import { pageOf, type Visit } from "./Steps.ts"
import { Throttle } from "./Throttle.ts"

const MOST_BYTES = 64 * 1024
/** How long what a link kept may be there after its session has ended. */
const TIDIES_MS = 10_000

type Answered = Effect.Effect<Reply, StateError>

interface LinkContext {
  readonly services: DaemonServices
  readonly brand: Brand
  readonly db: Db
  readonly throttle: Throttle
  readonly locks: Map<string, { readonly gate: Semaphore.Semaphore; waiting: number }>
}

const show = ({ brand }: Pick<LinkContext, "brand">, page: ConnectPage, back?: string): Reply => ({
  status: page.status ?? 200,
  headers: { "content-type": "text/html; charset=utf-8", ...connectHeaders(back) },
  body: connectPage(brand, page)
})

const goTo = (address: string, more: Reply["headers"] = {}): Reply => ({
  status: 303,
  headers: { ...connectHeaders(), location: address, ...more },
  body: ""
})

/** The advice is always the same, because only the platform creates links. */
const closed = (context: LinkContext, status: number, title: string, why: string): Reply =>
  show(context, {
    title,
    status,
    body: html`<p>${why} Ask ${context.brand.name} for a new link, and open that.</p>`
  })

const refusedLink = (context: LinkContext, link: Links.Link | undefined, now: number): Reply | undefined => {
  if (link === undefined)
    return closed(context, 404, t`This link is not valid`, t`It may be incomplete: copy the whole address, or`)
  switch (Links.standing(link, now)) {
    case "open":
      return undefined
    case "expired":
      return closed(context, 410, t`This link has expired`, t`Links can be opened for a limited time.`)
    default:
      return closed(
        context,
        410,
        t`This link was used already`,
        t`A link can be opened once. If you opened it, continue in the browser window in which you began; otherwise`
      )
  }
}

const fromHere = ({ headers }: Request, context: LinkContext) =>
  Effect.map(context.services.configuration, ({ daemon: { connect } }) =>
    isOwnForm({ site: headers["sec-fetch-site"], origin: headers["origin"] }, [
      headers["host"],
      ...(connect === undefined ? [] : [new URL(connect.url).host])
    ])
  )

const welcome = (context: LinkContext, request: Request): Answered =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const word = request.params["word"] ?? ""
    const link = yield* context.db.read(() => Links.byWord(context.db, word))
    const session = Session.sessionWord(request.headers["cookie"])
    const own = yield* context.db.read(() => Links.bySession(context.db, session, now))
    if (link !== undefined && own?.token === link.token) return goTo("/connect")
    const refused = refusedLink(context, link, now)
    if (refused !== undefined || link === undefined) return refused ?? goTo("/connect")
    return show(context, invitation(context.brand, link, { word, said: request.query }))
  })

const open = (context: LinkContext, request: Request): Answered =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (!(yield* fromHere(request, context)))
      return closed(context, 403, t`Something went wrong`, t`The button was pressed on another site.`)
    const { connect } = (yield* context.services.configuration).daemon
    const found = yield* context.db.read(() => Links.byWord(context.db, request.params["word"] ?? ""))
    const posted = new URLSearchParams(Buffer.from(request.body).toString("utf8"))
    const word = request.params["word"] ?? ""
    if (found !== undefined && Links.standing(found, now) === "open") {
      const tokens = tokensOf(yield* context.services.configuration)
      const wrong = yield* otherPerson(context, found, { word, posted, tokens, now })
      if (wrong !== undefined) return show(context, invitation(context.brand, found, { word, said: posted, wrong }))
    }
    const session = Links.word()
    const [only, ...others] = found?.terms.connectors ?? []
    // A link that allows only one source skips the choice.
    const progress = only === undefined || others.length > 0 ? {} : { connector: only }
    const opened =
      found !== undefined &&
      (yield* context.db.transaction(() => Links.open(context.db, found, { session, now, progress })))
    if (!opened || connect === undefined)
      return (
        refusedLink(context, found, now) ??
        closed(context, 410, t`This link was used already`, t`A link can be opened once.`)
      )
    const link = yield* context.db.read(() => Links.bySession(context.db, session, now))
    return goTo("/connect", {
      "set-cookie": Session.cookieOf(session, { ends: link?.ends ?? now, now, url: connect.url })
    })
  })

/** The session of a request; otherwise a page that says why there is none. */
const visiting = (context: LinkContext, request: Request): Effect.Effect<Visit | Reply, StateError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const configuration = yield* context.services.configuration
    const { connect } = configuration.daemon
    const word = Session.sessionWord(request.headers["cookie"])
    const link = yield* context.db.read(() => Links.bySession(context.db, word, now))
    if (link === undefined || connect === undefined)
      return closed(
        context,
        403,
        t`Your session has ended`,
        t`A session lasts two hours, in the browser in which the link was opened; nothing that was not confirmed is kept.`
      )
    const sources = yield* Connecting.sourcesOf(configuration)
    const usable = sources.filter((one) => typeof one !== "string")
    return { word, connecting: { configuration, connect, db: context.db, link, sources: usable } }
  })

const backOf = ({ terms }: Links.Link, outcome: Links.LinkOutcome): string => {
  const url = new URL(terms.returnUrl)
  url.searchParams.set("status", outcome)
  if (terms.state !== undefined) url.searchParams.set("state", terms.state)
  return url.href
}

const ended = (context: LinkContext, link: Links.Link, outcome: Links.LinkOutcome): Reply =>
  show(
    context,
    {
      title: outcome === "connected" ? t`Connected` : t`Cancelled`,
      account: accountNameOf(link),
      body: html`
        <p>${outcome === "connected" ? t`${context.brand.name} reads your books from now on.` : t`Nothing was connected, and nothing that you entered was kept.`}</p>
        <p><a class="button primary" href=${backOf(link, outcome)} rel="noreferrer">Back to ${context.brand.name}</a></p>
      `
    },
    link.terms.returnUrl
  )

const current = (context: LinkContext, visit: Visit, wrong?: string): Answered =>
  Effect.gen(function* () {
    const { link } = visit.connecting
    if (link.outcome !== null) return ended(context, link, link.outcome)
    const page = yield* pageOf(visit)
    const account = accountNameOf(link)
    return show(context, { ...page, account, wrong: wrong ?? page.wrong }, link.terms.returnUrl)
  })

/** Shows an error on the page on which it can be corrected. */
const answering = (context: LinkContext, request: Request, work: Effect.Effect<unknown, unknown>): Answered =>
  Effect.gen(function* () {
    const done = yield* Effect.result(work)
    if (done._tag === "Success") return goTo("/connect")
    // Reads the session again: the failed step may have changed its progress.
    return yield* session(context, request, (visit) => declined(context, visit, 422, messageOf(done.failure)))
  })

const declined = (context: LinkContext, visit: Visit, status: number, why: string): Answered =>
  Effect.map(current(context, visit, why), (reply) => ({ ...reply, status }))

const finish = (context: LinkContext, visit: Visit, outcome: Links.LinkOutcome): Answered =>
  Effect.gen(function* () {
    const { connecting } = visit
    const { db, link } = connecting
    const source = Connecting.chosenOf(connecting)
    if (outcome === "connected") {
      if (source === undefined) return yield* current(context, visit)
      const done = yield* Effect.result(Connecting.confirm(connecting, source))
      if (done._tag === "Failure") return yield* current(context, visit, messageOf(done.failure))
      yield* Effect.logInfo(`connected by a link of ${link.terms.by}: ${done.success.join(", ")}`)
    } else {
      yield* Connecting.drop(connecting)
      const now = yield* Clock.currentTimeMillis
      yield* db.transaction(() => Links.end(db, link, "cancelled", now))
    }
    return goTo(backOf(link, outcome))
  })

const post = (context: LinkContext, request: Request, name: string): Answered =>
  Effect.gen(function* () {
    const visit = yield* visiting(context, request)
    if ("status" in visit) return visit
    const { link } = visit.connecting
    if (!(yield* fromHere(request, context)))
      return yield* declined(context, visit, 403, t`Forms from other sites are not accepted.`)
    if (link.outcome !== null) return goTo(backOf(link, link.outcome))
    if (request.stream !== undefined)
      return yield* answering(context, request, upload(visit, request.stream, request.headers))
    const posted = new URLSearchParams(Buffer.from(request.body).toString("utf8"))
    if (!Session.sameText(posted.get("form") ?? "", Session.formWord(visit.word)))
      return yield* declined(context, visit, 403, t`The form belongs to another session; use this one.`)
    if (name === "confirm") return yield* finish(context, visit, "connected")
    if (name === "cancel") return yield* finish(context, visit, "cancelled")
    const action = ACTIONS[name]
    return action === undefined ? goTo("/connect") : yield* answering(context, request, action(visit, posted))
  })

const session = (context: LinkContext, request: Request, then: (visit: Visit) => Answered): Answered =>
  Effect.flatMap(visiting(context, request), (visit) => ("status" in visit ? Effect.succeed(visit) : then(visit)))

/** Handles requests of a session one after the other, so that two windows cannot undo each other's steps. */
const inTurn = (context: LinkContext, request: Request, work: Answered): Answered => {
  const key = Session.sessionWord(request.headers["cookie"])
  return Effect.acquireUseRelease(
    Effect.sync(() => {
      const lock = context.locks.get(key) ?? { gate: Semaphore.makeUnsafe(1), waiting: 0 }
      lock.waiting++
      context.locks.set(key, lock)
      return lock
    }),
    ({ gate }) => gate.withPermits(1)(work),
    (lock) => Effect.sync(() => void (--lock.waiting === 0 && context.locks.delete(key)))
  )
}

/** The same with a rate limit: what is opened counts, so that nobody who has no link keeps others out. */
const limiting =
  (context: LinkContext) =>
  (work: (request: Request) => Answered): Route["handle"] =>
  (request) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const link = Session.sessionWord(request.headers["cookie"]) || (request.params["word"] ?? "")
      if (!context.throttle.allows(link === "" ? request.from : createHash("sha256").update(link).digest("hex"), now))
        return {
          ...closed(
            context,
            429,
            t`Too many requests`,
            t`Wait a minute and open the page again. If that does not help:`
          ),
          headers: { "content-type": "text/html; charset=utf-8", "retry-after": "60", ...connectHeaders() }
        }
      return yield* Effect.orDie(work(request))
    }).pipe(Effect.provideService(Reader, languageOf({ headers: { get: (name) => request.headers[name] ?? null } })))

const routesOf = (context: LinkContext): ReadonlyArray<Route> => {
  const limited = limiting(context)
  const posting = (name: string, more: Partial<Route> = {}): Route => ({
    method: "POST",
    path: `/connect/${name}`,
    most: MOST_BYTES,
    ...more,
    handle: limited((request) => inTurn(context, request, post(context, request, name)))
  })
  const etag = `"${createHash("sha256").update(context.brand.style).digest("base64url").slice(0, 16)}"`
  const style: Reply = {
    status: 200,
    headers: { "content-type": "text/css; charset=utf-8", "cache-control": "public, max-age=60", etag },
    body: context.brand.style
  }
  return [
    { method: "GET", path: "/connect/style.css", handle: () => Effect.succeed(style) },
    {
      method: "GET",
      path: "/connect",
      stops: true,
      handle: limited((request) =>
        inTurn(
          context,
          request,
          session(context, request, (visit) => current(context, visit))
        )
      )
    },
    {
      method: "GET",
      path: "/connect/callback",
      handle: limited((request) =>
        inTurn(
          context,
          request,
          session(context, request, (visit) => answering(context, request, authorised(visit, request.query)))
        )
      )
    },
    { method: "GET", path: "/connect/:word", handle: limited((request) => welcome(context, request)) },
    {
      method: "POST",
      path: "/connect/:word/open",
      most: MOST_BYTES,
      handle: limited((request) => open(context, request))
    },
    posting("confirm"),
    posting("cancel"),
    posting("upload", { streams: true }),
    ...Object.keys(ACTIONS).map((name) => posting(name))
  ]
}

export const connectRoutes = (
  services: DaemonServices
): Effect.Effect<ReadonlyArray<Route>, ConfigError, Database | Scope.Scope> =>
  Effect.gen(function* () {
    const configuration = yield* services.configuration
    const { connect } = configuration.daemon
    if (connect === undefined) return []
    yield* checked(configuration)
    const brand = yield* brandOf(configuration, connect)
    const db = yield* Database
    const tidying = Effect.flatMap(services.configuration, (now) => tidied(now, db))
    yield* tidying
    yield* Effect.forkScoped(Effect.repeat(tidying, Every.spaced(TIDIES_MS)))
    yield* Effect.logInfo(`links to connect books are served at ${connect.url}/connect`)
    return routesOf({ services, brand, db, throttle: new Throttle(), locks: new Map() })
  })
