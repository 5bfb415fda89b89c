/**
 * The page as a room of the daemon: its addresses on the daemon's server, its state file, its client.
 */
import { Effect, Redacted } from "effect"
import { LARGEST_FILE_BYTES } from "../../core/insurance/CollectionDocuments.ts"
import { notSet } from "../../connectors/Secrets.ts"
import type { Database } from "../../sync/state/Database.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import type { House } from "../daemon/Main.ts"
import { senderOf } from "../daemon/Sender.ts"
import type { Reply, Request as Asked, Route } from "../daemon/Server.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { handle, HTML_HEADERS, tooLarge } from "./Page.ts"
import { ADDRESSES } from "./Routes.ts"
import { Sessions } from "./Sessions.ts"

/** Beside the page's own addresses: how it looks, and the way in and out. */
const ALSO: typeof ADDRESSES = [
  ["GET", "/style.css"],
  ["GET", "/login"],
  ["POST", "/login"],
  ["POST", "/leave"]
]

/** Of a form that has more than it may: its rest is not read. */
const TOO_LARGE: Reply = {
  status: 413,
  headers: HTML_HEADERS,
  body: tooLarge(`A file has at most ${LARGEST_FILE_BYTES / 2 ** 20} MB: make it smaller, go back, and add it again.`)
}

/** A page with a way back. */
const ELSEWHERE = ["GET", "*"] as const

const asRequest = ({ body, headers, method, path, query }: Asked): Request => {
  const text = query.toString()
  return new Request(`http://${headers["host"] ?? "localhost"}${path}${text === "" ? "" : `?${text}`}`, {
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === "string")) as Record<
      string,
      string
    >,
    ...(method === "POST" ? { body: Buffer.from(body) } : {})
  })
}

const asReply = (response: Response): Effect.Effect<Reply> =>
  Effect.promise(async () => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer())
  }))

const passwordOf = ({ daemon, environment, file }: Configuration) => {
  const name = daemon.pagePassword
  if (name === undefined) return Effect.succeed(undefined)
  const text = environment[name] ?? ""
  return text.length >= 8
    ? Effect.succeed(Redacted.make(text, { label: "page password" }))
    : Effect.fail(
        new ConfigError({
          file,
          problems: [
            `daemon.page.password: ${text === "" ? notSet(name) : `the environment variable ${name} holds fewer than 8 characters`}; set it to a password of 8 characters or more`
          ]
        })
      )
}

export const page = ({
  configuration,
  daemon,
  url
}: House): Effect.Effect<ReadonlyArray<Route>, ConfigError, Database> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Database>()
    const sessions = new Sessions(yield* passwordOf(yield* configuration))
    const around = Effect.map(configuration, ({ connections, environment, folder }) => ({
      connections,
      environment,
      folder,
      wake: daemon.ask
    }))
    const answer = handle(sessions, around)
    const route = (method: Route["method"], path: Route["path"]): Route => ({
      method,
      path,
      most: 64 * 1024 + (path === "/cover/:which/attach" ? LARGEST_FILE_BYTES : 0),
      tooLarge: TOO_LARGE,
      handle: (request) =>
        Effect.flatMap(configuration, (now) =>
          answer(asRequest(request), senderOf(request)).pipe(
            Effect.provide(ServiceClient.client(now)),
            Effect.provide(context)
          )
        ).pipe(
          Effect.catch((error) =>
            Effect.succeed(new Response(messageOf(error), { status: 500, headers: { "content-type": "text/plain" } }))
          ),
          Effect.flatMap(asReply)
        )
    })
    // A log is kept and read by others, so the token is shown to a terminal only.
    yield* Effect.logInfo(
      sessions.token === undefined
        ? `the page is at ${url}`
        : process.stdout.isTTY
          ? `the page is at ${url}/login?token=${sessions.token}`
          : "the page needs a password: set daemon.page.password in the configuration"
    )
    return [...ADDRESSES, ...ALSO, ELSEWHERE].map(([method, path]) => route(method, path))
  })
