/**
 * Serves the sandbox on a port of this machine, with plain `node:http`, because it must be able to cut a connection in the
 * middle of an answer.
 */
import { Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { openApi, docsPage } from "./Docs.ts"
import type { Interface } from "./ApiProfile.ts"
import { type FromBrowser, isBrowsers } from "./Browser.ts"
import { Instance, type Outcome, type Reply, type Request } from "./Instance.ts"
import { write } from "../store/Json.ts"
import { publicKeyOf } from "./PublicKeys.ts"
import { deliver, type WebhookTarget } from "./Webhooks.ts"

export interface SandboxOptions {
  /** 4010 by default; 0 uses a free port. */
  readonly port?: number
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** The port of the payment frame, which has its own origin; by default the one after `port`, or a free port. */
  readonly framePort?: number
  /** API keys, each for a separate platform; `sandbox-key` by default. */
  readonly keys?: ReadonlyArray<string>
  /** Its control interface asks for one of these keys too; otherwise it is anybody's on this machine. */
  readonly guarded?: boolean
  /** The start of its own time, as an ISO 8601 instant; the machine's time by default. */
  readonly clock?: string
  /** A SQLite file that outlives the process; in memory by default. */
  readonly state?: string
  readonly webhook?: WebhookTarget
  /** `both` by default; where the two specifications differ on a path, it uses the looser rule. */
  readonly interface?: Interface
  /** Also accepts what real clients send beyond the specification (`ApiProfile.ts`). */
  readonly lenient?: boolean
  /** For how many days a policy is late before it can be handed over; 45 by default. */
  readonly lateDays?: number
  /** For how many days it can then be handed over; 30 by default. */
  readonly windowDays?: number
}

export interface Sandbox {
  readonly url: string
  readonly keys: ReadonlyArray<string>
  /** The public keys, in the same order. */
  readonly publicKeys: ReadonlyArray<string>
  /** The address of the SDK's script. */
  readonly sdk: string
  /** The origin of the payment frame, which a page's content security policy must allow. */
  readonly frame: string
}

/** The sandbox cannot start; `message` says why and what to do. */
export class SandboxError extends Schema.TaggedError<SandboxError>()("SandboxError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

const LARGEST_BODY_BYTES = 10 * 1024 * 1024

const windowsOf = ({ lateDays, windowDays }: SandboxOptions) => ({
  ...(lateDays === undefined ? {} : { late: lateDays }),
  ...(windowDays === undefined ? {} : { handover: windowDays })
})

/** Starts a sandbox, which runs until the scope closes. */
export const start = (options: SandboxOptions = {}): Effect.Effect<Sandbox, SandboxError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(options),
      catch: (cause) => (cause instanceof SandboxError ? cause : new SandboxError({ why: problem(options, cause) }))
    }),
    ({ close }) => Effect.promise(close)
  ).pipe(Effect.map(({ close: _, ...sandbox }) => sandbox))

/** The same for programs that do not use Effect: call `close` when done. Rejects with a `SandboxError`. */
export const startSandbox = (
  options: SandboxOptions = {}
): Promise<Sandbox & { readonly close: () => Promise<void> }> =>
  listen(options).catch((cause) => {
    throw cause instanceof SandboxError ? cause : new SandboxError({ why: problem(options, cause) })
  })

const problem = ({ host = "127.0.0.1", port = 4010, state }: SandboxOptions, cause: unknown): string => {
  const { code, message } = cause as { readonly code?: string; readonly message?: string }
  if (code === "EADDRINUSE")
    return `port ${port} of ${host} is taken; choose another with --port, or --port 0 for any free one`
  if (code === "EACCES") return `port ${port} may not be used here; choose another with --port`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `${host} is not an address of this machine; check --host`
  if (code?.startsWith("SQLITE") === true) return `the state file ${state} cannot be used: ${message}; check --state`
  return `the sandbox cannot start: ${message ?? String(cause)}`
}

const listen = async (options: SandboxOptions) => {
  const { clock, host = "127.0.0.1", keys, port = 4010, state, webhook } = options
  const at = clock === undefined ? undefined : Date.parse(clock)
  if (at !== undefined && Number.isNaN(at)) {
    throw new SandboxError({ why: `${JSON.stringify(clock)} is not an instant; write it like 2026-01-31T09:00:00Z` })
  }
  const instance = new Instance({
    now: Date.now,
    later: (ms, work) => void setTimeout(work, ms).unref(),
    dialect: { interface: options.interface ?? "both", lenient: options.lenient ?? false },
    // The webhook's Authorization header is for its own address only.
    onNotify: ({ clock, deliveries }, url, body) => void deliver({ url }, body, deliveries, clock.now),
    windows: windowsOf(options),
    guarded: options.guarded ?? false,
    ...(keys === undefined ? {} : { keys }),
    ...(at === undefined ? {} : { clock: at }),
    ...(state === undefined ? {} : { state }),
    ...(webhook === undefined
      ? {}
      : { onChange: ({ clock, deliveries }, body) => void deliver(webhook, body, deliveries, clock.now) })
  })
  const address = { own: 0, frame: 0 }
  const open = async (port: number, atFrame: boolean): Promise<Server> => {
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      serve({ instance, atFrame, ports: address }, request, response)
    const server = createServer({ keepAliveTimeout: 60_000, optimizeEmptyRequests: true }, handle)
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, host, resolve)
    })
    return server
  }
  const servers: Array<Server> = []
  try {
    const own = await open(port, false)
    servers.push(own)
    address.own = portOf(own)
    const frame = await openFrame(options.framePort, address.own, (port) => open(port, true))
    servers.push(frame)
    address.frame = portOf(frame)
  } catch (cause) {
    await shut(servers, instance)
    throw cause
  }
  const origin = `http://${host.includes(":") ? `[${host}]` : host}`
  const url = `${origin}:${address.own}`
  return {
    url,
    keys: instance.keys,
    publicKeys: instance.keys.map(publicKeyOf),
    sdk: `${url}/sdk/v1`,
    frame: `${origin}:${address.frame}`,
    close: () => shut(servers, instance)
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Prefers the next port, which is easy to remember; if it is taken, uses any free port unless one was configured. */
const openFrame = (asked: number | undefined, own: number, open: (port: number) => Promise<Server>): Promise<Server> =>
  asked !== undefined ? open(asked) : open(own < 65_535 ? own + 1 : 0).catch(() => open(0))

const shut = async (servers: ReadonlyArray<Server>, instance: Instance): Promise<void> => {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
    )
  )
  instance.close()
}

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/** Whether a request has a body (RFC 9112, 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

const NOTHING = Buffer.alloc(0)

/** A listener with its own port, and the payment frame's origin. */
interface Listener {
  readonly instance: Instance
  readonly atFrame: boolean
  readonly ports: { readonly own: number; readonly frame: number }
}

const serve = (listener: Listener, request: IncomingMessage, response: ServerResponse): void => {
  // Answered immediately, because there is no body to wait for.
  if (!hasBody(request)) return answer(listener, request, NOTHING, response)
  const chunks: Array<Buffer> = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size <= LARGEST_BODY_BYTES) chunks.push(chunk)
  })
  request.on("end", () => {
    if (size > LARGEST_BODY_BYTES)
      return send(response, json(413, { detail: `The body is larger than ${LARGEST_BODY_BYTES} bytes.` }))
    const [first] = chunks
    answer(listener, request, first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks), response)
  })
}

const requestOf = (
  { headers, method = "GET", socket, url = "/" }: IncomingMessage,
  base: string,
  bytes: Buffer,
  browser: FromBrowser | undefined
): Request => {
  const { authorization, "content-type": contentType = "" } = headers
  const idempotencyKey = headers["idempotency-key"]
  const path = url.startsWith("/") ? url : `/${url}`
  const isForm = /^multipart\//i.test(contentType)
  return {
    method,
    base,
    authorization,
    url: path,
    body: isForm ? "" : bytes.toString("utf8"),
    form: isForm ? { contentType, bytes } : undefined,
    idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    // Only the control interface asks.
    local: path.startsWith("/sandbox") && LOOPBACK.test(socket.remoteAddress ?? ""),
    browser
  }
}

const answer = (listener: Listener, request: IncomingMessage, bytes: Buffer, response: ServerResponse): void => {
  const { atFrame, instance, ports } = listener
  const { headers, method = "GET", url = "/" } = request
  const host = headers.host ?? "localhost"
  const name = host.replace(/:\d+$/, "")
  const base = atFrame ? `http://${name}:${ports.own}` : `http://${host}`
  if (!atFrame && method === "GET" && url === "/openapi.json")
    return send(response, json(200, openApi(base, instance.dialect.interface)))
  if (!atFrame && method === "GET" && url === "/docs") {
    const text = docsPage(base, instance.dialect.interface)
    const headers = { "content-type": "text/html; charset=utf-8" }
    return send(response, { status: 200, headers, text, bytes: Buffer.byteLength(text) })
  }
  const respond = (browser?: FromBrowser) => {
    try {
      instance.respond(requestOf(request, base, bytes, browser), (outcome) => send(response, outcome))
    } catch (cause) {
      send(response, defect(cause))
    }
  }
  if (!atFrame && !isBrowsers(url)) return respond()
  const gzip = /\bgzip\b/.test(headers["accept-encoding"] ?? "")
  const frame = `http://${name}:${ports.frame}`
  // Loaded when the first browser request arrives: most sandboxes never receive one.
  import("../sdk/Scripts.ts")
    .then(({ scripts }) => scripts())
    .then(
      (scripts) => respond({ scripts, atFrame, frame, gzip }),
      (cause) => send(response, defect(cause))
    )
}

const defect = (cause: unknown): Reply =>
  // A body nested too deeply is the client's fault; anything else is ours, and the answer says so.
  cause instanceof RangeError
    ? json(400, { detail: "The body is nested too deeply." })
    : json(500, { detail: `The sandbox has a defect: ${cause instanceof Error ? cause.stack : cause}` })

const json = (status: number, body: unknown): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  ...write(body)
})

const send = (response: ServerResponse, outcome: Outcome): void => {
  if (outcome === "cut") {
    response.destroy()
    return
  }
  // After the other requests that have arrived: a client that sleeps between two answers has to be woken for each, which
  // takes as long as the rest of a request.
  if (answers.length === 0) setImmediate(writeAnswers)
  answers.push({ response, reply: outcome })
}

/** Answers to requests that arrived together. */
let answers: Array<{ readonly response: ServerResponse; readonly reply: Reply }> = []

const writeAnswers = (): void => {
  const all = answers
  answers = []
  for (const { reply, response } of all) {
    try {
      writeAnswer(response, reply)
    } catch (cause) {
      writeAnswer(response, defect(cause))
    }
  }
}

const writeAnswer = (response: ServerResponse, { bytes, headers, status, text }: Reply): void => {
  response.writeHead(status, { ...headers, "content-length": bytes })
  // For ASCII text the faster latin1 encoding is equivalent.
  if (typeof text === "string" && bytes === text.length) response.end(text, "latin1")
  else response.end(text)
}
