/**
 * Connects the HTTP interface to the daemon: its handlers, and its tokens. Without configured tokens it has no routes.
 */
import { timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { LARGEST_FILE_BYTES } from "../../core/insurance/DocumentTypes.ts"
import { notSet } from "../../connectors/Secrets.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import type { TokenScope } from "../../sync/model/Roles.ts"
import { type ConnectLinkOptions, makeLink, standings } from "../../sync/library/ConnectLinks.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { hide } from "../../sync/library/Hidden.ts"
import { may, type Person } from "../../sync/model/Person.ts"
import { RIGHTS } from "../../sync/model/Roles.ts"
import { ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { Database, StateError } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { type Token, tokensOf } from "../daemon/Tokens.ts"
import { inPieces } from "../daemon/Bodies.ts"
import { json, type Knows, type Reply, type Request as Asked, type Route } from "../daemon/Server.ts"
import {
  Caller,
  Connects,
  Decides,
  Explains,
  Forbidden,
  Invalid,
  Plans,
  Reads,
  rightOf,
  Unauthorized,
  Unavailable
} from "./Access.ts"
import { coverHandlers, spendingHandlers } from "./CoverHandlers.ts"
import { decidingHandlers } from "./DecideHandlers.ts"
import { downloadingHandlers, savingHandlers } from "./DownloadHandlers.ts"
import { HttpInterface, PREFIX } from "./HttpInterface.ts"
import { once } from "./Once.ts"
import { planningHandlers } from "./PlanHandlers.ts"
import { readingHandlers } from "./ReadHandlers.ts"
import { recording } from "./Recording.ts"

/** Shorter ones can be guessed. */
const SHORTEST = 16

const equal = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The owner of this token. */
export const ownerOf = (tokens: ReadonlyArray<Token>, given: Redacted.Redacted): Token | undefined =>
  Redacted.value(given) === ""
    ? undefined
    : tokens.find(({ value }) => equal(Redacted.value(value), Redacted.value(given)))

/** The token of a request; empty: it has none. */
export const tokenIn = ({ headers }: Pick<Asked, "headers">): Redacted.Redacted =>
  Redacted.make(/^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? "")

const UNKNOWN = "This token is not in daemon.api.tokens."

/** Whether a request has one of these tokens. */
export const holding =
  (tokens: Effect.Effect<ReadonlyArray<Token>>): Knows =>
  (request) =>
    Effect.map(tokens, (now) => ownerOf(now, tokenIn(request)) !== undefined)

/** The answer to a request without a valid token. */
export const UNAUTHORIZED: Reply = json(401, { _tag: "Unauthorized", message: UNKNOWN })

/** Who has this token; fails if it is unknown, lacks the scope, or is of a person who may not do this. */
const caller = (
  tokens: ReadonlyArray<Token>,
  given: Redacted.Redacted,
  { operation, scope }: { readonly operation: string; readonly scope: TokenScope }
): Effect.Effect<Person, Unauthorized | Forbidden> => {
  const own = ownerOf(tokens, given)
  if (own?.person === undefined) return Effect.fail(new Unauthorized({ message: UNKNOWN }))
  const refuse = (message: string) => Effect.fail(new Forbidden({ message }))
  if (!own.scopes.includes(scope)) return refuse(`The token ${own.name} has no scope "${scope}" in daemon.api.tokens.`)
  const right = rightOf(scope, operation)
  if (right === undefined || !may(own.person, right))
    return refuse(
      `The role of ${own.person.name} does not allow this${right === undefined ? "" : ` (${RIGHTS[right]})`}.`
    )
  return own.person.connections === undefined
    ? Effect.succeed(own.person)
    : refuse(`${own.person.name} may see some connections only: those are on the page, not in the HTTP interface.`)
}

/** Handlers die of what is wrong with the state file: every operation answers that in one way. */
const orAway = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> =>
  Effect.catchDefect(work, (defect) =>
    defect instanceof StateError ? Effect.fail(new Unavailable({ message: defect.message })) : Effect.die(defect)
  )

/** @param tokens the valid tokens at this moment */
export const authorising = (tokens: Effect.Effect<ReadonlyArray<Token>>) => {
  const bearer =
    (scope: TokenScope) =>
    <A, E, R>(
      work: Effect.Effect<A, E, R | Caller>,
      { credential, endpoint }: { readonly credential: Redacted.Redacted; readonly endpoint: HttpApiEndpoint.Top }
    ): Effect.Effect<A, E | Unauthorized | Forbidden | Unavailable, Exclude<R, Caller>> =>
      Effect.flatMap(tokens, (valid) =>
        Effect.flatMap(caller(valid, credential, { operation: endpoint.identifier, scope }), (who) =>
          orAway(Effect.provideService(work, Caller, who))
        )
      )
  return Layer.mergeAll(
    Layer.succeed(Reads, { bearer: bearer("read") }),
    Layer.succeed(Plans, { bearer: bearer("plan") }),
    Layer.succeed(Decides, { bearer: bearer("approve") }),
    Layer.succeed(Connects, { bearer: bearer("connect") }),
    HttpApiMiddleware.layerSchemaErrorTransform(Explains, (error) =>
      Effect.fail(new Invalid({ message: `${error.kind}: ${messageOf(error.cause)}` }))
    )
  )
}

const connectingHandlers = ({ configuration }: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "connect", (handlers) =>
    Effect.map(Database, (db) =>
      handlers.handleAll({
        makeLink: ({ payload: { owner, return_url, ...rest } }) =>
          Effect.gen(function* () {
            const { name: by } = yield* Caller
            const asked = {
              ...rest,
              ...(owner === undefined ? {} : { owner: owner as NonNullable<ConnectLinkOptions["owner"]> }),
              ...(return_url === undefined ? {} : { returnUrl: return_url })
            }
            return { ...(yield* makeLink(yield* configuration, db, asked, by)) }
          }).pipe(
            Effect.catch((error) =>
              error._tag === "UsageError" ? Effect.fail(new Invalid({ message: error.message })) : Effect.die(error)
            )
          ),
        links: () => Effect.orDie(Effect.map(standings(db), (links) => ({ links })))
      })
    )
  )

/** Checks that every configured token is set, and long enough. */
export const tokensAreUsable = ({
  daemon,
  environment,
  file
}: Pick<Configuration, "daemon" | "environment" | "file">) => {
  const problems = daemon.api.flatMap(({ name, token }) => {
    const text = environment[token] ?? ""
    if (text.length >= SHORTEST) return []
    const why =
      text === "" ? notSet(token) : `the environment variable ${token} holds fewer than ${SHORTEST} characters`
    return [`daemon.api.tokens: ${name}: ${why}; set it to ${SHORTEST} random characters or more`]
  })
  return problems.length === 0 ? Effect.void : Effect.fail(new ConfigError({ file, problems }))
}

/**
 * Files and events are streams. What an error says may repeat what it was about, in messages that are made elsewhere; what is read
 * holds messages that lost their secrets when they were made.
 */
const asReply = (response: Response): Effect.Effect<Reply> =>
  Effect.promise(async () => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body:
      response.body !== null && response.headers.get("content-type")?.startsWith("application/json") !== true
        ? response.body
        : response.ok
          ? await response.text()
          : hide(await response.text())
  }))

const asRequest = ({ body, headers, method, path, query }: Asked): Request => {
  const text = query.toString()
  const sent = Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === "string")
  return new Request(`http://localhost${path}${text === "" ? "" : `?${text}`}`, {
    method,
    headers: sent,
    ...(method === "POST" ? inPieces(body) : {})
  })
}

/** Answers a request to one of the interface's addresses. */
export type Interface = (request: Asked) => Effect.Effect<Reply>

/** Answers with the routes of this layer. */
export const answeringWith = (layer: Layer.Layer<never, never, HttpRouter.HttpRouter>): Interface => {
  const { handler } = HttpRouter.toWebHandler(layer, { disableLogger: true })
  return (request) =>
    Effect.flatMap(
      Effect.promise(async (signal) => {
        const response = await handler(new Request(asRequest(request), { signal }))
        // Nobody waits for it any more: what it would have read is closed.
        if (signal.aborted) await response.body?.cancel()
        return response
      }),
      asReply
    )
}

/** The interface of one state file. Its tokens must be checked first, see `tokensAreUsable`. */
export const interfaceOf = (services: DaemonServices): Effect.Effect<Interface, never, Database> =>
  Effect.map(Effect.all([Effect.context<Database>(), ReaderThread]), ([context, reader]) => {
    const shared = Context.add(Context.pick(Database)(context), ReaderThread, reader)
    const valid = Effect.map(services.configuration, (now) => [...tokensOf(now), ...(services.tokens ?? [])])
    const groups = Layer.mergeAll(
      readingHandlers(services),
      planningHandlers(services),
      coverHandlers(services),
      decidingHandlers(services),
      spendingHandlers(services),
      downloadingHandlers(services),
      savingHandlers(services),
      connectingHandlers(services)
    ).pipe(Layer.provide(authorising(valid)), Layer.provide(Layer.succeedContext(shared)))
    const layer = HttpApiBuilder.layer(HttpInterface, { openapiPath: `${PREFIX}/openapi.json` }).pipe(
      Layer.provide(groups),
      Layer.provide(HttpServer.layerServices)
    )
    const callerOf = (request: Asked) => Effect.map(valid, (tokens) => ownerOf(tokens, tokenIn(request))?.name)
    const db = Context.get(context, Database)
    const whoOf = (request: Asked) => Effect.map(valid, (tokens) => ownerOf(tokens, tokenIn(request))?.person)
    const handle = once(db, callerOf, recording(db, services.configuration, whoOf, answeringWith(layer)))
    // What is kept of a request is in the state file as well.
    return (request) =>
      Effect.catch(orAway(handle(request)), (away) =>
        Effect.succeed(json(503, { _tag: away._tag, message: away.message }))
      )
  })

/** Files are larger than other bodies. */
export const UPLOADS = `${PREFIX}/collections/:invoice/documents` as const

const TOO_LARGE = json(413, {
  _tag: "Invalid",
  message: `A file has at most ${LARGEST_FILE_BYTES / 2 ** 20} MB: make it smaller, and add it again.`
})

/** How much the routes of the interface accept. */
export const uploads: Pick<Route, "most" | "tooLarge"> = { most: LARGEST_FILE_BYTES, tooLarge: TOO_LARGE }

export const httpInterface = (services: DaemonServices): Effect.Effect<ReadonlyArray<Route>, ConfigError, Database> =>
  Effect.gen(function* () {
    const first = yield* services.configuration
    if (first.daemon.api.length === 0) return []
    yield* tokensAreUsable(first)
    const handle = yield* interfaceOf(services)
    const knows = holding(Effect.map(services.configuration, tokensOf))
    const route = (method: Route["method"]): Route => ({
      method,
      path: `${PREFIX}/*`,
      anyName: true,
      knows,
      stops: method === "GET",
      handle
    })
    yield* Effect.logInfo(`the HTTP interface is at ${services.url}${PREFIX}`)
    return [route("GET"), route("POST"), { ...route("POST"), path: UPLOADS, ...uploads }]
  })
