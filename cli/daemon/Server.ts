/**
 * Runs the daemon's only HTTP server. It knows no pages: each module provides its routes and decides whom it answers.
 */
import { Cause, Effect, Exit, type Fiber, Metric, Schema, type Scope } from "effect"
import * as FindMyWay from "effect/http/FindMyWay"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Readable } from "node:stream"
import { sweepTemporary } from "../../core/TemporaryFolder.ts"
import { Bodies, type Unread } from "./Bodies.ts"
import { limited } from "./Connections.ts"
import { isKnown, isLocal, nameOf } from "./Host.ts"
import { unidentifiedRequests } from "./Metrics.ts"
import { packingOf, type Reply, send } from "./Send.ts"
import { type Sender, senderOf, trusting } from "./Sender.ts"

export interface Request {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Parameters in the route's path: `:connection`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** For a route that streams the body: nothing of it has been read yet. */
  readonly stream?: Readable
  /** It comes from a program on this machine, and not through a proxy. */
  readonly local: boolean
  /** Its sender: an address, or a network of IPv6. */
  readonly from: string
  /** Its sender's connection is encrypted. */
  readonly encrypted: boolean
  /** Its Host header names this daemon, and not another site that resolves to this machine. */
  readonly named: boolean
}

export type { Reply } from "./Send.ts"

/** Whether the headers of a request show who sends it. */
export type Knows = (request: Request) => Effect.Effect<boolean>

export type Handler = (request: Request) => Effect.Effect<Reply>

export interface Route {
  readonly method: "GET" | "POST"
  /** `/webhooks/source/:connection`; `*` is the page for browsers if no other route matches. */
  readonly path: FindMyWay.PathInput
  /** The largest accepted body, in bytes; default 1 MiB. */
  readonly most?: number
  /** The answer to a larger body; default: a line of text. */
  readonly tooLarge?: Reply
  /** The handler reads the body itself, and limits it. */
  readonly streams?: boolean
  /** The handler changes nothing: it ends when its client goes away. */
  readonly stops?: boolean
  /** Accepts any host name: the route requires its own proof with every request. */
  readonly anyName?: boolean
  /**
   * Whether the headers of a request with a body show who sends it: a session, a token. Nothing is read of strangers: the
   * handler gets an empty body, to refuse it. Default: a body is read of anybody, within the budget of strangers.
   */
  readonly knows?: Knows
  readonly handle: Handler
}

export interface ServerOptions {
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Other host names under which it is reached. */
  readonly names?: () => ReadonlyArray<string>
  /** Addresses and networks of proxies elsewhere that name the senders for whom they forward. */
  readonly proxies?: ReadonlyArray<string>
  /** Called for every request, so that routes can be added. */
  readonly routes: () => ReadonlyArray<Route>
}

/** The server cannot listen; `message` says why and what to do. */
export class ServerError extends Schema.TaggedError<ServerError>()("ServerError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

export const text = (status: number, body: string, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  body
})

export const json = (status: number, body: unknown): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const LARGEST_BODY_BYTES = 1024 * 1024
const NO_BODY = new Uint8Array()
/** How long the rest of a body that is not read may come: a browser sends all of it before it shows an answer. */
const REST_MS = { known: 60_000, stranger: 5000 }
/** A matching route with the parameters of its path. */
interface Hit {
  readonly route: Route
  readonly params: Request["params"]
}

type Router = FindMyWay.Router<Route>

const LONGEST_PARAM = 4096

const routers = new WeakMap<ReadonlyArray<Route>, Router>()

/** Rebuilt when routes were added. */
const routerOf = (routes: ReadonlyArray<Route>): Router => {
  const known = routers.get(routes)
  if (known !== undefined) return known
  const made: Router = FindMyWay.make({
    caseSensitive: true,
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: false,
    maxParamLength: LONGEST_PARAM
  })
  for (const route of routes) if (route.path !== "*") made.on(route.method, route.path, route)
  routers.set(routes, made)
  return made
}

/** The routes of a path, by method. */
export const find = (routes: ReadonlyArray<Route>, path: string): ReadonlyArray<Hit> =>
  (["GET", "POST"] as const).flatMap((method) => {
    const found = routerOf(routes).find(method, path)
    // An empty parameter does not match.
    if (found === undefined || Object.values(found.params).includes("")) return []
    return [{ route: found.handler, params: found.params as Request["params"] }]
  })

/** Listens until the scope closes; then first answers requests in progress, for a moment. Returns its address. */
export const serve = (options: ServerOptions): Effect.Effect<string, ServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const run = Effect.runForkWith(context)
    // What a daemon before this one was writing for somebody when it was killed.
    yield* Effect.sync(sweepTemporary)
    const { server, url } = yield* Effect.acquireRelease(listen(options), ({ server }) => close(server))
    const bodies = new Bodies()
    const trusts = trusting(options.proxies ?? [])
    const admits = limited(server, trusts)
    const told = new Set<string>()
    const unidentified = (why: string) => {
      const isNews = told.size < MOST_TOLD && !told.has(why)
      told.add(isNews ? why : "")
      const warning = Effect.logWarning(
        `everybody who comes through it counts as one sender, so that wrong passwords of one delay all: ${why}`
      )
      return Effect.andThen(Metric.update(unidentifiedRequests, 1), isNews ? warning : Effect.void)
    }
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (!admits(request, response)) return
      const { host = undefined } = request.headers
      const name = host === undefined ? options.host : nameOf(host)
      const isPublic =
        name !== undefined && !isLocal(name) && (options.names?.() ?? []).some((one) => one.toLowerCase() === name)
      const sender = senderOf(request, { isPublic, trusts })
      if (sender.unidentified !== undefined) run(unidentified(sender.unidentified))
      receive(options, { ...sender, name, bodies }, request, response, run)
    })
    return url
  })

/** Anybody can write the headers of a proxy: this many are logged. */
const MOST_TOLD = 10

const listen = ({ host, port }: ServerOptions) =>
  Effect.callback<{ readonly server: Server; readonly url: string }, ServerError>((resume) => {
    const server = createServer({ requestTimeout: 120_000, headersTimeout: 10_000, keepAliveTimeout: 15_000 })
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE"
          ? `port ${port} of ${host} is taken; name another with --listen ${host}:PORT`
          : cause.code === "EACCES"
            ? `port ${port} of ${host} may not be used; name one above 1023 with --listen ${host}:PORT`
            : `it cannot listen at ${host}:${port} (${cause.message}); name another address with --listen`
      resume(new ServerError({ why }))
    })
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo
      resume(Effect.succeed({ server, url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}` }))
    })
  })

const GRACE_MS = 2000

const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref()
  })

/** A browser asks for HTML; programs do not. */
const isForPeople = ({ headers }: IncomingMessage): boolean => headers.accept?.includes("text/html") === true

/** The routes of a path, and the one for this method: of its own, or for people the one for unknown addresses. */
const routed = (all: ReadonlyArray<Route>, method: string, path: string, forPeople: boolean) => {
  const found = find(all, path)
  const elsewhere = forPeople ? all.find((route) => route.path === "*" && route.method === method) : undefined
  const hit =
    found.find(({ route }) => route.method === method) ??
    (elsewhere === undefined ? undefined : { route: elsewhere, params: {} })
  return { found, hit }
}

/**
 * Who is not known is refused so long after the request came, whatever was read and compared meanwhile: otherwise the time would
 * tell whether there is such a tenant or connection.
 */
const REFUSED_MS = 100

const receive = (
  { host, names = () => [], routes }: ServerOptions,
  { bodies, encrypted, from, local, name }: Sender & { readonly name: string | undefined; readonly bodies: Bodies },
  incoming: IncomingMessage,
  response: ServerResponse,
  run: (work: Effect.Effect<void>) => Fiber.Fiber<void>
): void => {
  const { method: verb = "GET", url = "/" } = incoming
  const at = url.indexOf("?")
  const path = at < 0 ? url : url.slice(0, at)
  const method = verb === "HEAD" ? "GET" : verb
  const { found, hit } = routed(routes(), method, path, isForPeople(incoming))
  const mayRefuse = new Promise((resolve) => setTimeout(resolve, REFUSED_MS))
  const reply = (answer: Reply) => {
    const leave = () =>
      send(response, answer, { head: verb === "HEAD", encrypted, packing: packingOf(incoming.headers) })
    if (answer.status === 401) void mayRefuse.then(leave)
    else leave()
  }
  /** Answers before the body has come; a moment later its sender is cut off. */
  const decline = (answer: Reply, from: keyof typeof REST_MS = "stranger") => {
    incoming.resume()
    const rest = setTimeout(() => incoming.destroy(), REST_MS[from]).unref()
    incoming.once("close", () => clearTimeout(rest))
    reply(answer)
  }
  if (name === undefined) return decline(text(400, "Invalid Host header.\n"))
  // Browsers always send a Host header.
  const named = incoming.headers.host === undefined || isKnown(name, host, names())
  if (!named && hit?.route.anyName !== true)
    return decline(text(421, "Unknown host; if it is a name of this daemon, add it to daemon.hosts.\n"))
  if (hit === undefined) return decline(notAllowed(found))
  const { params, route } = hit
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
  const headers = incoming.headers as Readonly<Record<string, string | undefined>>
  const about = { method, path, params, query, headers, local, from, encrypted, named }
  const most = route.most ?? LARGEST_BODY_BYTES
  incoming.on("error", () => response.destroy())
  const handled = (body: Uint8Array, answer = reply) => answered(route, { ...about, body }, answer)
  if (route.streams === true)
    // The rest is what the handler left unread.
    return void run(
      answered(route, { ...about, body: NO_BODY, stream: incoming }, (answer) => decline(answer, "known"))
    )
  if (method === "GET") {
    incoming.resume()
    const reading = run(handled(NO_BODY))
    return void (route.stops === true && response.once("close", () => reading.interruptUnsafe()))
  }
  const read = (isKnown: boolean) =>
    bodies.using(incoming, { isKnown, from, most }, (body) =>
      typeof body === "string"
        ? Effect.sync(() => decline(unread(body, route, most), isKnown ? "known" : "stranger"))
        : handled(body)
    )
  if (route.knows === undefined) return void run(read(false))
  run(
    Effect.flatMap(route.knows({ ...about, body: NO_BODY }), (isKnown) =>
      isKnown ? read(true) : handled(NO_BODY, decline)
    )
  )
}

const unread = (why: Unread, { tooLarge }: Route, most: number): Reply =>
  why === "too large"
    ? (tooLarge ?? text(413, `The body is larger than ${most} bytes.\n`))
    : why === "too slow"
      ? text(408, "The body came too slowly.\n")
      : text(503, "Too much is being sent at the moment; send it again later.\n", { "retry-after": "10" })

const notAllowed = (found: ReadonlyArray<Hit>): Reply =>
  found.length === 0
    ? text(404, "Not found.\n")
    : text(405, "Method not allowed.\n", { allow: found.map(({ route }) => route.method).join(", ") })

const answered = (route: Route, request: Request, reply: (answer: Reply) => void): Effect.Effect<void> =>
  Effect.flatMap(Effect.exit(route.handle(request)), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.sync(() => reply(exit.value))
    reply(text(500, "Internal error; see the daemon's log.\n"))
    return Cause.hasInterruptsOnly(exit.cause)
      ? Effect.void
      : Effect.logError(`${request.method} ${route.path} failed`, exit.cause)
  })
