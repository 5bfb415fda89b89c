/**
 * Connects the page to the daemon: its routes on the daemon's server, its state file, its client.
 */
import { Clock, Context, Effect, Redacted, Stream } from "effect"
import { basename, join } from "node:path"
import { LARGEST_FILE_BYTES } from "../../core/insurance/DocumentTypes.ts"
import { notSet } from "../../connectors/Secrets.ts"
import { signIn } from "../../sync/decisions/Recorded.ts"
import * as PersonsFile from "../../sync/library/config/PersonsFile.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { inPieces } from "../daemon/Bodies.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { type Knows, type Reply, type Request as Asked, type Route, text } from "../daemon/Server.ts"
import * as RunCounts from "../../sync/library/RunCounts.ts"
import * as Live from "./Live.ts"
import { openIdOf } from "./OpenIdSetup.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { HTML_HEADERS } from "./HtmlResponse.ts"
import { handle, LARGEST_FORM_BYTES, LARGEST_LOGIN_BYTES, tooLarge } from "./Page.ts"
import { ADDRESSES } from "./Routes.ts"
import { Sessions, type SignIn } from "./Sessions.ts"
import type { SharedSessions } from "./SharedSessions.ts"

/** Routes in addition to the page's own: style, script, letters, login and logout. */
export const ALSO: typeof ADDRESSES = [
  ["GET", "/style.css"],
  ["GET", "/page.js"],
  ["GET", "/page.woff2"],
  ["GET", "/live"],
  ["GET", "/login"],
  ["POST", "/login"],
  ["GET", "/login/openid"],
  ["GET", "/login/return"],
  ["POST", "/login/ended"],
  ["POST", "/leave"],
  ["POST", "/leave/everywhere"]
]

/** Their forms bring a file. */
export const BRINGS_FILES: ReadonlyArray<string> = [
  "/cover/:which/attach",
  "/setup/files",
  "/setup/:which/files",
  "/connections/:which/file"
]

/** The answer to what is too large: the rest of it is not read. */
const refusal = (why: string): Reply => ({ status: 413, headers: HTML_HEADERS, body: tooLarge(why) })
const megabytes = (bytes: number): string => `${bytes / 2 ** 20} MB`
const LARGE_FILE = refusal(
  `A file has at most ${megabytes(LARGEST_FILE_BYTES)}: make it smaller, go back, and add it again.`
)
const LARGE_FORM = refusal(`More was chosen than one form carries (${megabytes(LARGEST_FORM_BYTES)}): choose fewer.`)

/** The route for unknown addresses: a page with a link back. */
const ELSEWHERE = ["GET", "*"] as const

export const asRequest = ({ body, encrypted, headers, method, path, query }: Asked): Request => {
  const text = query.toString()
  return new Request(
    `${encrypted ? "https" : "http"}://${headers["host"] ?? "localhost"}${path}${text === "" ? "" : `?${text}`}`,
    {
      method,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === "string")) as Record<
        string,
        string
      >,
      ...(method === "POST" ? inPieces(body) : {})
    }
  )
}

export const asReply = (response: Response): Effect.Effect<Reply> =>
  Effect.promise(async () => ({
    status: response.status,
    // Cookies do not fit into one line.
    headers: { ...Object.fromEntries(response.headers), "set-cookie": response.headers.getSetCookie() },
    body:
      response.body !== null && response.headers.has("content-disposition")
        ? response.body
        : new Uint8Array(await response.arrayBuffer())
  }))

/** The page's password; undefined if none is configured. */
const passwordOf = ({
  daemon,
  environment,
  file
}: Pick<Configuration, "daemon" | "environment" | "file">): Effect.Effect<
  Redacted.Redacted | undefined,
  ConfigError
> => {
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

/** What the page needs from its server. */
export interface Served {
  readonly configuration: Effect.Effect<Configuration>
  readonly daemon: Pick<DaemonServices["daemon"], "ask">
  readonly events: DaemonServices["events"]
  /** The tenant, if there are several. */
  readonly tenant?: string
  /** Has the configuration used as it is written now. */
  readonly reread?: Effect.Effect<void>
}

/** Answers a request to one of the page's addresses. */
export const answering = ({ configuration, daemon, events, reread, tenant }: Served, sessions: Sessions) => {
  const around = Effect.map(
    configuration,
    ({ alerts, bounds, connections, daemon: own, environment, file, folder }) => ({
      ...(alerts === undefined ? {} : { alerts }),
      ...(bounds === undefined ? {} : { bounds }),
      connections,
      environment,
      file,
      folder,
      privateAddresses: bounds?.privateAddresses ?? own.privateAddresses ?? false,
      ...(reread === undefined ? {} : { reread }),
      wake: daemon.ask,
      ...(tenant === undefined ? {} : { tenant })
    })
  )
  const answer = handle(sessions, around)
  const page = (request: Asked): Effect.Effect<Reply, never, Database> =>
    Effect.flatMap(configuration, (now) =>
      answer(asRequest(request), request.from).pipe(Effect.provide(ServiceClient.client(now)))
    ).pipe(
      Effect.catch((error) =>
        Effect.succeed(new Response(messageOf(error), { status: 500, headers: { "content-type": "text/plain" } }))
      ),
      Effect.flatMap(asReply)
    )
  return (request: Asked): Effect.Effect<Reply, never, Database> =>
    request.path === "/live" ? following(request, events, sessions) : page(request)
}

/** Runs as they happen, for the script of a session's page. */
const following = (
  { headers }: Asked,
  events: DaemonServices["events"],
  sessions: Sessions
): Effect.Effect<Reply, never, Database> =>
  Effect.map(Effect.all([Clock.Clock, Database]), ([clock, db]) => {
    const now = () => clock.currentTimeMillisUnsafe()
    const session = sessions.of(headers["cookie"] ?? null, now())
    if (session === undefined) return text(401, "Sign in first.\n")
    const own = sessions.personOf(session)?.connections
    const theirs =
      own === undefined ? events : Stream.filter(events, (one) => "connection" in one && own.includes(one.connection))
    const isOpen = () => sessions.isOpen(session, now())
    return Live.reply(theirs, isOpen, () => RunCounts.going(db, own))
  })

/** Who may sign in, as the configuration says; who does is kept in the log, and in the state file if there is one. */
export const sessionsOf = (
  configuration: Pick<Configuration, "daemon" | "environment" | "file" | "folder">,
  db?: Db,
  shared?: SharedSessions
): Effect.Effect<Sessions, ConfigError> =>
  Effect.gen(function* () {
    const file = PersonsFile.fileOf(join(configuration.folder, basename(configuration.file)))
    // Said at the start; a mistake that is made later keeps people out until it is corrected.
    yield* Effect.try({
      try: () => PersonsFile.read(file),
      catch: (error) => new ConfigError({ file: basename(file), problems: [messageOf(error)] })
    })
    const record = ({ from, who, ...one }: SignIn) =>
      Effect.annotateLogs(
        db === undefined
          ? Effect.logInfo(`${one.outcome}: ${who.name === "" ? "somebody" : who.name} (${who.how})`)
          : Effect.ignore(db.hold(db.transaction(() => signIn(db, { ...one, ...who, address: from })))),
        { from }
      )
    const persons = PersonsFile.following(file)
    return new Sessions(yield* passwordOf(configuration), {
      ...configuration.daemon.sessions,
      openId: yield* openIdOf(configuration, shared?.secret),
      persons,
      record,
      shared
    })
  })

/** Logs where the page is, and how to sign in. */
export const announce = (url: string, sessions: Sessions): Effect.Effect<void> =>
  // Logs are stored and read by others, so the token is shown only on a terminal.
  Effect.logInfo(
    sessions.token === undefined
      ? `the page is at ${url}`
      : process.stdout.isTTY
        ? `the page is at ${url}/login?token=${sessions.token}`
        : "the page needs a password: set daemon.page.password in the configuration"
  )

/** Whether a request comes from a browser that is signed in. */
export const signedIn =
  (sessions: Sessions): Knows =>
  ({ headers }) =>
    Effect.map(Clock.currentTimeMillis, (now) => sessions.of(headers["cookie"] ?? null, now) !== undefined)

/** The size limit of the page's forms, and the answer to a larger one. */
export const limits = (attaches: boolean): Pick<Route, "most" | "tooLarge"> => ({
  most: attaches ? LARGEST_LOGIN_BYTES + LARGEST_FILE_BYTES : LARGEST_FORM_BYTES,
  tooLarge: attaches ? LARGE_FILE : LARGE_FORM
})

export const page = ({
  configuration,
  daemon,
  events,
  reread,
  url
}: DaemonServices): Effect.Effect<ReadonlyArray<Route>, ConfigError, Database> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Database>()
    const sessions = yield* sessionsOf(yield* configuration, Context.get(context, Database))
    const answer = answering({ configuration, daemon, events, reread }, sessions)
    const route = (method: Route["method"], path: Route["path"]): Route => ({
      method,
      path,
      ...limits(BRINGS_FILES.includes(path)),
      ...(path.startsWith("/login") ? { most: LARGEST_LOGIN_BYTES } : { knows: signedIn(sessions) }),
      stops: method === "GET",
      handle: (request) => Effect.provide(answer(request), context)
    })
    yield* announce(url, sessions)
    return [...ADDRESSES, ...ALSO, ELSEWHERE].map(([method, path]) => route(method, path))
  })
