/**
 * Serves what each tenant has below `/t/NAME`: its page, its HTTP interface, its webhooks. A tenant is opened for the
 * request of somebody whom its configuration knows, and stays open until it is answered.
 *
 * Whoever has shown neither a session nor a token gets the same answer for every name: whether a tenant exists, where it is
 * and what is wrong with it is nobody else's business. Tokens and secrets of webhooks may be in the tenant's own
 * configuration, so that it is read before they are checked.
 */
import { Clock, Effect, Redacted } from "effect"
import { MayLeave, NEVER } from "../../core/wire/MayLeave.ts"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import type { OpenTenant } from "../../sync/library/many/OpenTenant.ts"
import type { ConfigError, Configuration } from "../../sync/library/config/Configuration.ts"
import type { WebhookNotice } from "../../sync/pull/Notices.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import { Database } from "../../sync/state/Database.ts"
import { find, type Handler, type Knows, type Reply, type Request, type Route, text } from "../daemon/Server.ts"
import { type Token, tokensOf } from "../daemon/Tokens.ts"
import { isWebhook, UNAUTHENTICATED, webhooks, webhooksElsewhere } from "../daemon/Webhooks.ts"
import { answering, BRINGS_FILES, limits, signedIn } from "../page/RouteModule.ts"
import { handlerOf } from "../page/ReadingRoutes.ts"
import type { Sessions } from "../page/Sessions.ts"
import {
  holding,
  type Interface,
  interfaceOf,
  ownerOf,
  tokenIn,
  tokensAreUsable,
  UNAUTHORIZED,
  UPLOADS,
  uploads
} from "../remote/HttpRoutes.ts"
import { baseOf, below, cookieBelow, pageBelow, within } from "./Addresses.ts"
import { servicesOf, type TenantServices } from "./TenantServices.ts"

export interface TenantRoutesOptions {
  readonly all: ManyTenants
  readonly url: string
  readonly sessions: Sessions
  /** Tokens that are valid for every tenant. */
  readonly tokens: ReadonlyArray<Token>
  /** Where tenants are only read: has a request answered that changes something, or asks elsewhere. */
  readonly pass?: (request: Request) => Effect.Effect<Reply>
}

/** A tenant that is not opened here. */
interface Elsewhere {
  /** Undefined: there is no such tenant. */
  readonly configuration: Effect.Effect<Configuration, ConfigError> | undefined
  /** Keeps a webhook for the tenant's next run; returns why it could not. */
  readonly passOn: (notice: WebhookNotice) => Effect.Effect<string | undefined>
}

/** Handles a request with the tenant of the address, as the tenant's own daemon would. */
type Inside = (open: OpenTenant, services: TenantServices, request: Request) => Effect.Effect<Reply, never, Database>

/** Answers with an open tenant; fails with why it could not be opened. */
const inside =
  ({ all, pass, tokens, url }: TenantRoutesOptions, answer: Inside) =>
  (request: Request) =>
    pass === undefined || onlyReads(request)
      ? all.use(tenantOf(request), (open) =>
          Effect.provideService(
            answer(open, servicesOf(all, open, url, tokens), { ...request, path: within(request.path) }),
            Database,
            open.db
          ).pipe((work) => (pass === undefined ? work : Effect.provideService(work, MayLeave, NEVER)))
        )
      : pass(request)

/** The pages that only read the books although they are none of `ReadingRoutes`, and what of the HTTP interface does. */
const READS = /^\/(?:connections|live|people|page\.js|style\.css|plans(?:\.csv|\.xlsx|\/part)?|attention\/[^/]+)$/
const ASKS =
  /^\/api\/v1\/(?:openapi\.json|status|statement|attention|approvals|alerts|events|documents|explain|quarantine|customers|debtors|payouts|close|matches|cover|export.*)$/

/** Whether a request changes nothing, and asks nothing elsewhere. */
const onlyReads = ({ method, path }: Request): boolean => {
  const own = within(path)
  return method === "GET" && (READS.test(own) || ASKS.test(own) || handlerOf(own.slice(1).split("/")) !== undefined)
}

const tenantOf = ({ params }: Request): string => params["tenant"] ?? ""

/** Says why the tenant cannot answer. Only for those who have signed in or sent a valid token. */
const refusal = (error: unknown): Reply => text(error instanceof UsageError ? 404 : 503, `${messageOf(error)}\n`)

/** The page's answer, with its addresses rewritten to be below the tenant's. */
const placed = (base: string, reply: Reply): Reply => {
  const { body, headers = {}, status } = reply
  const { location, "set-cookie": cookie, ...others } = headers
  const moved = {
    ...others,
    ...(typeof location === "string" ? { location: below(base, location) } : {}),
    ...(typeof cookie === "string" ? { "set-cookie": cookieBelow(base, cookie) } : {})
  }
  const isPage = String(headers["content-type"] ?? "").startsWith("text/html")
  if (!isPage || body === undefined || body instanceof ReadableStream) return { ...reply, headers: moved }
  const page = typeof body === "string" ? body : Buffer.from(body).toString("utf8")
  const { "content-length": _, ...rest } = moved as Readonly<Record<string, string | ReadonlyArray<string>>>
  return { status, headers: rest, body: pageBelow(base, page) }
}

const pageOf = (options: TenantRoutesOptions): Handler => {
  const open = inside(options, (_, services, request) =>
    Effect.map(answering(services, options.sessions)(request), (reply) => placed(baseOf(services.tenant), reply))
  )
  const answer = (request: Request) => Effect.catch(open(request), (error) => Effect.succeed(refusal(error)))
  return (request) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const query = request.query.toString()
      const to = `${request.path}${query === "" ? "" : `?${query}`}`
      const goTo = (location: string): Reply => ({ status: 303, headers: { location } })
      const session = options.sessions.of(request.headers["cookie"] ?? null, now)
      if (session === undefined)
        return request.method === "GET"
          ? goTo(`/login?${new URLSearchParams({ to })}`)
          : text(403, "The session has ended; sign in again.\n")
      const name = tenantOf(request)
      const theirs = options.sessions.personOf(session)?.tenants
      if (theirs !== undefined && !theirs.includes(name))
        return text(404, `No tenant ${name} was found among those that you may see.\n`)
      return yield* answer(request)
    })
}

/** Created once for each open tenant. */
const interfaces = new WeakMap<OpenTenant, Interface>()

const interfaceFor = (open: OpenTenant, services: TenantServices): Effect.Effect<Interface, never, Database> => {
  const known = interfaces.get(open)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.tap(interfaceOf(services), (made) => Effect.sync(() => void interfaces.set(open, made)))
}

/** Puts the tenant's address into the OpenAPI document, which is made once for all. */
const served = (base: string, request: Request, reply: Reply): Reply => {
  if (!request.path.endsWith("/openapi.json") || reply.status !== 200 || typeof reply.body !== "string") return reply
  return { ...reply, body: reply.body.replace("{", `{"servers":${JSON.stringify([{ url: base }])},`) }
}

type Reading = Effect.Effect<Configuration, ConfigError>

/** The configuration of a tenant. Fails also if the tenant does not exist. */
const existing = (reading: Reading | undefined): Effect.Effect<Configuration, ConfigError | undefined> =>
  reading ?? Effect.fail(undefined)

/** The tokens of a tenant's configuration; none if it cannot be read. */
const ownTokens = ({ all }: TenantRoutesOptions, name: string): Effect.Effect<ReadonlyArray<Token>> =>
  existing(all.configuration(name)).pipe(
    Effect.map(tokensOf),
    Effect.orElseSucceed(() => [])
  )

const interfaceRoute = (options: TenantRoutesOptions): Handler => {
  const answer = inside(options, (open, services, request) =>
    Effect.gen(function* () {
      if (ownerOf([...tokensOf(open.configuration), ...options.tokens], tokenIn(request)) === undefined)
        return UNAUTHORIZED
      const usable = yield* Effect.result(tokensAreUsable(open.configuration))
      if (usable._tag === "Failure") return text(503, `${messageOf(usable.failure)}\n`)
      const answer = yield* interfaceFor(open, services)
      return served(baseOf(services.tenant), request, yield* answer(request))
    })
  )
  return (request) =>
    Effect.gen(function* () {
      const [given, name] = [tokenIn(request), tenantOf(request)]
      if (Redacted.value(given) === "") return UNAUTHORIZED
      const own = yield* ownTokens(options, name)
      if (ownerOf([...own, ...options.tokens], given) === undefined) return UNAUTHORIZED
      return yield* Effect.catch(answer(request), (error) => Effect.succeed(refusal(error)))
    })
}

const hookIn = (routes: ReadonlyArray<Route>, request: Request): Effect.Effect<Reply> => {
  const hit = find(routes, request.path).find(({ route }) => route.method === request.method)
  return hit === undefined ? Effect.succeed(UNAUTHENTICATED) : hit.route.handle({ ...request, params: hit.params })
}

/** Authenticates a webhook of a tenant without opening it, and keeps it for whoever runs the tenant. */
export const hookElsewhere = ({ configuration, passOn }: Elsewhere, request: Request): Effect.Effect<Reply> =>
  existing(configuration).pipe(
    Effect.flatMap((one) => webhooksElsewhere(one, passOn)),
    Effect.flatMap((routes) => hookIn(routes, { ...request, path: within(request.path) })),
    Effect.orElseSucceed(() => UNAUTHENTICATED)
  )

const webhookRoute = (options: TenantRoutesOptions): Handler => {
  const { all } = options
  const opened = inside(options, (_, services, request) =>
    Effect.flatMap(webhooks({ configuration: services.configuration, wake: services.daemon.wake }), (routes) =>
      hookIn(routes, request)
    )
  )
  const here = (request: Request) =>
    Effect.gen(function* () {
      const configuration = yield* existing(all.configuration(tenantOf(request)))
      const own = { ...request, path: within(request.path) }
      if (isWebhook(configuration, own, yield* Clock.currentTimeMillis)) return yield* opened(request)
      // Refuses it, and counts that.
      return yield* hookIn(yield* webhooksElsewhere(configuration, () => Effect.succeed(undefined)), own)
    })
  return (request) => Effect.catch(here(request), () => Effect.succeed(UNAUTHENTICATED))
}

export const tenantRoutes = (options: TenantRoutesOptions): ReadonlyArray<Route> => {
  const page = pageOf(options)
  const [api, hook] = [interfaceRoute(options), webhookRoute(options)]
  const knows = signedIn(options.sessions)
  const holds: Knows = (request) =>
    Redacted.value(tokenIn(request)) === ""
      ? Effect.succeed(false)
      : holding(Effect.map(ownTokens(options, tenantOf(request)), (own) => [...options.tokens, ...own]))(request)
  return [
    { method: "GET", path: "/t/:tenant", handle: page },
    { method: "GET", path: "/t/:tenant/", handle: page },
    { method: "GET", path: "/t/:tenant/*", stops: true, handle: page },
    { method: "POST", path: "/t/:tenant/*", ...limits(false), knows, handle: page },
    ...BRINGS_FILES.map(
      (path): Route => ({ method: "POST", path: `/t/:tenant${path}`, ...limits(true), knows, handle: page })
    ),
    { method: "GET", path: "/t/:tenant/api/v1/*", anyName: true, stops: true, handle: api },
    { method: "POST", path: "/t/:tenant/api/v1/*", anyName: true, knows: holds, handle: api },
    { method: "POST", path: `/t/:tenant${UPLOADS}`, ...uploads, anyName: true, knows: holds, handle: api },
    { method: "POST", path: "/t/:tenant/webhooks/*", anyName: true, handle: hook }
  ]
}
