/**
 * Runs the daemon's only HTTP server. It knows no pages: each module provides its routes and decides whom it answers.
 */
import { Cause, Effect, Exit, type Fiber, Schema, type Scope } from "effect"
import * as FindMyWay from "effect/http/FindMyWay"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline, Readable } from "node:stream"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { hide } from "../../sync/library/Hidden.ts"
import { isKnown, nameOf } from "./Host.ts"

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
  /** It comes from this machine. */
  readonly local: boolean
  /** The address of its sender. */
  readonly from: string
  /** Its Host header names this daemon, and not another site that resolves to this machine. */
  readonly named: boolean
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** A stream is sent as it comes, until it ends or the client disconnects. */
  readonly body?: string | Uint8Array | ReadableStream
}

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
  readonly handle: Handler
}

export interface ServerOptions {
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Other host names under which it is reached. */
  readonly names?: () => ReadonlyArray<string>
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
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

const ALWAYS = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

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
    const { server, url } = yield* Effect.acquireRelease(listen(options), ({ server }) => close(server))
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      receive(options, request, response, run)
    })
    return url
  })

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

const receive = (
  { host, names = () => [], routes }: ServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
  run: (work: Effect.Effect<void>) => Fiber.Fiber<void>
): void => {
  const { method: verb = "GET", url = "/" } = incoming
  const at = url.indexOf("?")
  const path = at < 0 ? url : url.slice(0, at)
  const method = verb === "HEAD" ? "GET" : verb
  const all = routes()
  const found = find(all, path)
  const elsewhere = all.find((route) => route.path === "*" && route.method === method && isForPeople(incoming))
  const hit =
    found.find(({ route }) => route.method === method) ??
    (elsewhere === undefined ? undefined : { route: elsewhere, params: {} })
  const reply = (answer: Reply) => send(response, answer, verb === "HEAD")
  const decline = (answer: Reply) => {
    incoming.resume()
    reply(answer)
  }
  // Browsers always send a Host header.
  const asked = incoming.headers.host
  const name = asked === undefined ? host : nameOf(asked)
  if (name === undefined) return decline(text(400, "Invalid Host header.\n"))
  const named = asked === undefined || isKnown(name, host, names())
  if (!named && hit?.route.anyName !== true)
    return decline(text(421, `Unknown host ${name}; if it is a name of this daemon, add it to daemon.hosts.\n`))
  if (hit === undefined) return decline(notAllowed(found))
  const { params, route } = hit
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
  const from = incoming.socket.remoteAddress ?? ""
  const headers = incoming.headers as Readonly<Record<string, string | undefined>>
  const about = { method, path, params, query, headers, local: LOOPBACK.test(from), from, named }
  const most = route.most ?? LARGEST_BODY_BYTES
  incoming.on("error", () => response.destroy())
  if (route.streams === true)
    return void run(
      answered(route, { ...about, body: new Uint8Array(), stream: incoming }, (answer) => {
        // Reads what the handler left unread: a browser sends the whole body before it shows an answer.
        incoming.resume()
        reply(answer)
      })
    )
  whenRead(incoming, most, (body) => {
    if (body === undefined) return reply(route.tooLarge ?? text(413, `The body is larger than ${most} bytes.\n`))
    const working = run(answered(route, { ...about, body }, reply))
    if (route.stops === true) response.once("close", () => working.interruptUnsafe())
  })
}

const notAllowed = (found: ReadonlyArray<Hit>): Reply =>
  found.length === 0
    ? text(404, "Not found.\n")
    : text(405, "Method not allowed.\n", { allow: found.map(({ route }) => route.method).join(", ") })

/** Reads a body. Undefined: it is larger than `most` bytes, and was not kept. */
const whenRead = (incoming: IncomingMessage, most: number, then: (body: Buffer | undefined) => void): void => {
  const chunks: Array<Buffer> = []
  let size = 0
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  })
  incoming.on("end", () => {
    const [first] = chunks
    then(size > most ? undefined : first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
  })
}

const answered = (route: Route, request: Request, reply: (answer: Reply) => void): Effect.Effect<void> =>
  Effect.flatMap(Effect.exit(route.handle(request)), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.sync(() => reply(exit.value))
    reply(text(500, "Internal error; see the daemon's log.\n"))
    return Cause.hasInterruptsOnly(exit.cause)
      ? Effect.void
      : Effect.logError(`${request.method} ${route.path} failed`, exit.cause)
  })

const send = (response: ServerResponse, { body = "", headers = {}, status }: Reply, head: boolean): void => {
  if (response.destroyed) return
  if (body instanceof ReadableStream) {
    response.writeHead(status, { ...ALWAYS, ...headers } as Record<string, string | Array<string>>)
    if (head) {
      response.end()
      void body.cancel()
      return
    }
    // A subscriber waits for the headers, and the first event may come much later.
    response.flushHeaders()
    pipeline(Readable.fromWeb(body as NodeStream), response, () => {})
    return
  }
  const sent = typeof body === "string" ? hide(body) : body
  const length = typeof sent === "string" ? Buffer.byteLength(sent) : sent.length
  const all: Record<string, string | ReadonlyArray<string>> = {
    ...ALWAYS,
    ...headers,
    "content-length": String(length)
  }
  response.writeHead(status, all as Record<string, string | Array<string>>)
  response.end(head ? undefined : sent)
}
