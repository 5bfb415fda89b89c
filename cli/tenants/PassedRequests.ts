/** Requests that another process answers, the one that runs the tenant: as sealed texts in PostgreSQL, because they carry secrets. */
import { Clock, Effect } from "effect"
import type { KeptPlace } from "../../sync/library/many/KeptTenants.ts"
import * as Inbox from "../../sync/state/replication/postgres/Inbox.ts"
import type { KeptNow, KeptSettings } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { open, seal } from "../../sync/vault/Encryption.ts"
import { find, type Reply, type Request, type Route, text } from "../daemon/Server.ts"

/** How long an answer is waited for, and how often it is looked for. Milliseconds. */
const WAITS_MS = 20_000
const LOOKS_MS = 50
/** An answer that is larger is refused. */
const LARGEST_BYTES = 64 * 2 ** 20

const bond = (id: string) => ({ name: `a request to ${id}` })

type Text = Readonly<Record<"body", string>>

const written = ({ body, params: _, query, stream: __, ...request }: Request): string =>
  JSON.stringify({ ...request, query: query.toString(), body: Buffer.from(body).toString("base64") })

const readAgain = (asked: string): Request => {
  const { body, query, ...request } = JSON.parse(asked) as Omit<Request, "body" | "query"> & Text & { query: string }
  return { ...request, params: {}, query: new URLSearchParams(query), body: Buffer.from(body, "base64") }
}

const bytesOf = async (body: NonNullable<Reply["body"]>): Promise<Buffer> => {
  if (!(body instanceof ReadableStream)) return Buffer.from(body)
  const parts: Array<Uint8Array> = []
  let bytes = 0
  for await (const part of body as ReadableStream<Uint8Array>) {
    bytes += part.length
    if (bytes > LARGEST_BYTES) throw new Error("the answer is too large")
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const NOBODY = text(
  503,
  "Nobody runs this tenant at the moment, so nothing was done. Try again in a minute, and see whether workers run.\n",
  { "retry-after": "30" }
)
const UNKNOWN = text(504, "This takes longer, and may be done already: look again in a moment, before you repeat it.\n")

/** Answered by whoever runs the tenant; where nobody does, it is run for it. */
export const passed = (
  { key, sessions }: KeptPlace,
  { held, id, name }: KeptNow,
  request: Request
): Effect.Effect<Reply> =>
  Effect.gen(function* () {
    if (held !== null)
      return text(503, `${name} is held back: ${held}\nRun daybook tenants resume ${name} --database URL.\n`)
    const asked = yield* Inbox.put(sessions, id, seal(key, bond(id), written(request)))
    if (asked === undefined) return text(503, "Too much waits for this tenant; try again later.\n")
    const until = (yield* Clock.currentTimeMillis) + WAITS_MS
    let reply: string | undefined
    while (reply === undefined && (yield* Clock.currentTimeMillis) < until) {
      yield* Effect.sleep(LOOKS_MS)
      reply = yield* Inbox.replyTo(sessions, asked)
    }
    const isBegun = yield* Inbox.leave(sessions, asked)
    if (reply === undefined) return isBegun ? UNKNOWN : NOBODY
    const { body, ...rest } = JSON.parse(open(key, bond(id), reply)) as Omit<Reply, "body"> & Text
    return { ...rest, body: Buffer.from(body, "base64") }
  }).pipe(Effect.catch(({ why }) => Effect.succeed(text(503, `${why}\n`))))

/** Answers one by these routes. */
export const answerPassed = (
  { key }: KeptPlace,
  { id }: KeptSettings,
  routes: ReadonlyArray<Route>,
  asked: string
): Effect.Effect<string> =>
  Effect.gen(function* () {
    const request = readAgain(open(key, bond(id), asked))
    const hit = find(routes, request.path).find(({ route }) => route.method === request.method)
    const { body = "", ...rest } =
      hit === undefined ? text(404, "Not found.\n") : yield* hit.route.handle({ ...request, params: hit.params })
    const bytes = yield* Effect.promise(() => bytesOf(body))
    return JSON.stringify({ ...rest, body: bytes.toString("base64") })
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("a request could not be answered", cause),
        JSON.stringify({ ...text(500, "Internal error; see the worker's log.\n"), body: "" })
      )
    ),
    Effect.map((reply) => seal(key, bond(id), reply))
  )
