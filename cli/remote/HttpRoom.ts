/**
 * Connects the HTTP interface to the daemon: its handlers, and its tokens. Without configured tokens it has no routes.
 */
import { timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder, HttpApiMiddleware } from "effect/http-api"
import { notSet } from "../../connectors/Secrets.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import type { TokenScope } from "../../sync/library/config/DaemonSettings.ts"
import { type ConnectLinkOptions, makeLink, standings } from "../../sync/library/ConnectLinks.ts"
import { onConnections, onItems } from "../../sync/library/Decisions.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import * as Handle from "../../sync/library/Handle.ts"
import { hide } from "../../sync/library/Hidden.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { views } from "../../sync/library/Views.ts"
import { Database } from "../../sync/state/Database.ts"
import type { House } from "../daemon/Main.ts"
import { type Token, tokensOf } from "../daemon/Tokens.ts"
import type { Reply, Request as Asked, Route } from "../daemon/Server.ts"
import * as Answers from "./Answers.ts"
import {
  Caller,
  Conflict,
  Connects,
  Decides,
  Explains,
  Forbidden,
  HttpInterface,
  Invalid,
  NotFound,
  Plans,
  PREFIX,
  Reads,
  Unauthorized
} from "./HttpInterface.ts"

/** Shorter ones can be guessed. */
const SHORTEST = 16

const equal = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The owner of this token; fails if it is unknown, or lacks the scope. */
export const caller = (
  tokens: ReadonlyArray<Token>,
  given: Redacted.Redacted,
  scope: TokenScope
): Effect.Effect<{ readonly name: string }, Unauthorized | Forbidden> => {
  const own = tokens.find(({ value }) => equal(Redacted.value(value), Redacted.value(given)))
  if (own === undefined || Redacted.value(given) === "")
    return Effect.fail(new Unauthorized({ message: "This token is not in daemon.api.tokens." }))
  return own.scopes.includes(scope)
    ? Effect.succeed({ name: own.name })
    : Effect.fail(new Forbidden({ message: `The token ${own.name} has no scope "${scope}" in daemon.api.tokens.` }))
}

const authorising = ({ configuration, tokens = [] }: House) => {
  const bearer =
    (scope: TokenScope) =>
    <A, E, R>(
      work: Effect.Effect<A, E, R | Caller>,
      { credential }: { readonly credential: Redacted.Redacted }
    ): Effect.Effect<A, E | Unauthorized | Forbidden, Exclude<R, Caller>> =>
      Effect.flatMap(configuration, (now) =>
        Effect.flatMap(caller([...tokensOf(now), ...tokens], credential, scope), (who) =>
          Effect.provideService(work, Caller, who)
        )
      ) as Effect.Effect<A, E | Unauthorized | Forbidden, Exclude<R, Caller>>
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

/** Answers "not found" for something that does not exist. */
const missing = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catch(work, (error) =>
    error instanceof UsageError || error instanceof ConfigError
      ? Effect.fail(new NotFound({ message: error.message }))
      : Effect.die(error)
  )

/** As JSON, without secrets. */
const shown = <E, R>(work: Effect.Effect<Answers.AnswerJson, E, R>) =>
  Effect.map(work, (answer) => JSON.parse(hide(JSON.stringify(answer))) as Answers.AnswerJson)

const reading = ({ configuration, events }: House) =>
  HttpApiBuilder.group(HttpInterface, "read", (handlers) =>
    Effect.gen(function* () {
      const db = yield* Database
      const asking = <E>(
        work: (now: Configuration) => Effect.Effect<Answers.AnswerJson, E, Database>
      ): Effect.Effect<Answers.AnswerJson, NotFound> =>
        missing(shown(Effect.flatMap(configuration, work))).pipe(Effect.provideService(Database, db))
      const seeing = <E>(work: (see: ReturnType<typeof views>) => Effect.Effect<object, E>) =>
        Effect.orDie(asking((now) => Effect.map(work(views({ configuration: now, db })), (answer) => ({ ...answer }))))
      return handlers.handleAll({
        status: () => seeing((see) => see.status()),
        statement: () => seeing((see) => see.completeness()),
        cover: () => seeing((see) => see.cover()),
        attention: ({ query }) => Effect.orDie(asking((now) => Answers.attention(now, query.limit, query.after))),
        documents: ({ query }) => asking((now) => Answers.search(now, query)),
        explain: ({ query }) => asking((now) => Answers.explain(now, query.document)),
        approvals: () => Effect.orDie(asking(() => Answers.approvals)),
        alerts: () => Effect.orDie(asking(() => Answers.alerts)),
        events: () => Effect.succeed(Stream.map(events, (event) => ({ ...event })))
      })
    })
  )

const planning = ({ configuration }: House) =>
  HttpApiBuilder.group(HttpInterface, "plan", (handlers) =>
    Effect.map(Database, (db) =>
      handlers.handleAll({
        plan: ({ query }) =>
          missing(shown(Effect.flatMap(configuration, (now) => Answers.plan(now, query.connection, query.limit)))).pipe(
            Effect.provideService(Database, db)
          )
      })
    )
  )

/** The connection with this name in the current configuration. */
const connectionOf = (now: Configuration, name: string) => missing(Handle.chosenOne(now, name))

const deciding = ({ configuration, daemon }: House) =>
  HttpApiBuilder.group(HttpInterface, "approve", (handlers) =>
    Effect.map(Database, (db) => {
      /** Runs a decision through the library, holding the state file. */
      const holding = <A, E>(work: (handle: Handle.HandleContext) => Effect.Effect<A, E>): Effect.Effect<A> =>
        Effect.flatMap(configuration, (now) =>
          Handle.make(now, db, () => Effect.void).pipe(
            Effect.flatMap((handle) => db.hold(work(handle))),
            Effect.provide(Layer.merge(ServiceClient.client(now), ServiceClient.outside)),
            Effect.provideService(Database, db)
          )
        ).pipe(Effect.orDie)
      const closed = (id: number) => new NotFound({ message: `No attention item ${id} is open.` })
      return handlers.handleAll({
        decide: ({ params, payload: { by, decision, digest } }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(yield* configuration, params.connection)
            const { name } = yield* Caller
            const who = by === undefined ? name : `${by} (${name})`
            const decided = yield* holding((handle) => {
              const { approve, reject } = onConnections(handle, daemon.ask(id))
              return (decision === "approved" ? approve : reject)(id, digest, who)
            })
            const found = yield* Effect.orDie(db.read(() => Approvals.of(db, id)))
            if (decided || (found?.digest === digest && found.decision === decision))
              return { connection: id, digest, decision, by: found?.who ?? who }
            const why =
              found === undefined
                ? `No plan of ${id} waits.`
                : found.digest === digest
                  ? `This plan was already ${found.decision} by ${found.who}.`
                  : `Another plan of ${id} waits by now, ${found.digest}; look at it first.`
            return yield* new Conflict({ message: `Nothing was decided. ${why}` })
          }),
        sync: ({ params }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(yield* configuration, params.connection)
            yield* daemon.ask(id)
            return { connection: id, asked: true }
          }),
        resolve: ({ params: { id }, payload: { note } }) =>
          Effect.gen(function* () {
            const { name } = yield* Caller
            if (!(yield* holding((handle) => onItems(handle).resolve(id, `${note} (${name})`))))
              return yield* closed(id)
            return { id, resolved: true }
          }),
        retry: ({ params: { id } }) =>
          Effect.gen(function* () {
            if (!(yield* holding((handle) => onItems(handle).retry(id)))) return yield* closed(id)
            return { id, retried: true }
          })
      })
    })
  )

const connecting = ({ configuration }: House) =>
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

const asReply = (response: Response): Effect.Effect<Reply> =>
  Effect.promise(async () => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body:
      response.body !== null && response.headers.get("content-type")?.startsWith("text/event-stream") === true
        ? response.body
        : await response.text()
  }))

const asRequest = ({ body, headers, method, path, query }: Asked): Request => {
  const text = query.toString()
  const sent = Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === "string")
  return new Request(`http://localhost${path}${text === "" ? "" : `?${text}`}`, {
    method,
    headers: sent,
    ...(method === "POST" ? { body: Buffer.from(body) } : {})
  })
}

/** Answers a request to one of the interface's addresses. */
export type Interface = (request: Asked) => Effect.Effect<Reply>

/** The interface of one state file. Its tokens must be checked first, see `tokensAreUsable`. */
export const interfaceOf = (house: House): Effect.Effect<Interface, never, Database> =>
  Effect.map(Effect.context<Database>(), (context) => {
    const groups = Layer.mergeAll(reading(house), planning(house), deciding(house), connecting(house)).pipe(
      Layer.provide(authorising(house)),
      Layer.provide(Layer.succeedContext(Context.pick(Database)(context)))
    )
    const layer = HttpApiBuilder.layer(HttpInterface, { openapiPath: `${PREFIX}/openapi.json` }).pipe(
      Layer.provide(groups),
      Layer.provide(HttpServer.layerServices)
    )
    const { handler } = HttpRouter.toWebHandler(layer, { disableLogger: true })
    return (request) =>
      Effect.flatMap(
        Effect.promise(() => handler(asRequest(request))),
        asReply
      )
  })

export const httpInterface = (house: House): Effect.Effect<ReadonlyArray<Route>, ConfigError, Database> =>
  Effect.gen(function* () {
    const first = yield* house.configuration
    if (first.daemon.api.length === 0) return []
    yield* tokensAreUsable(first)
    const handle = yield* interfaceOf(house)
    const route = (method: Route["method"]): Route => ({ method, path: `${PREFIX}/*`, anyName: true, handle })
    yield* Effect.logInfo(`the HTTP interface is at ${house.url}${PREFIX}`)
    return [route("GET"), route("POST")]
  })
