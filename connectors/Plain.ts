/**
 * A connector without Effect: an `async function*` that yields pages, and promises for what it asks. Requests, limits,
 * refusals and secrets are `Http.ts`'s all the same. Where a source can be declared (`rest/`), that is shorter, and does more.
 */
import { Clock, Effect, type Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Connector from "./Connector.ts"
import * as Http from "./Http.ts"
import * as Json from "./Json.ts"
import type { Answer } from "./Judge.ts"
import { inLimits, type Known, misnamed, refuse } from "./Misnamed.ts"

type Page<Bookmark> = Connector.Page<Bookmark>
type PageOfIds = Omit<Page<never>, "bookmark">

/** What a reading asks with. Whatever goes wrong is thrown, in words that say what to do: leave it to who reads. */
export interface Asking {
  /** A JSON answer, with exact numbers. One that is not there (404) has no body. */
  readonly get: (path: string, query?: Http.Query) => Promise<Answer>
  /** The same, with the question in a body of JSON. */
  readonly post: (path: string, body: unknown) => Promise<Answer>
  /** The records of an answer, in this member of it; one without that list is no empty list. */
  readonly records: (path: string, answer: Answer, member: string) => Promise<ReadonlyArray<unknown>>
  /** Milliseconds: what time it was at the source when it answered, for the bookmark. */
  readonly clock: (answer: Answer) => Promise<number>
  /** How many records of each list are wanted, of a preview; all of them unless given. */
  readonly first: number | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: any settings, any bookmark; each connector names its own
type Codec = Schema.Codec<any, any>

export interface Plain<Name extends string, S extends Codec, B extends Codec>
  extends Pick<Connector.Connector<Name, S, B>, "name" | "title" | "settings" | "bookmark" | "identity">,
    Omit<Connector.Capabilities, "authorises"> {
  readonly base: (settings: S["Type"]) => string
  /** The variables of the environment that hold the key, or the name and the password; and what is made of them. */
  readonly variables: (settings: S["Type"]) => ReadonlyArray<string>
  readonly headers: (...keys: ReadonlyArray<string>) => Readonly<Record<string, string>>
  readonly explain?: Http.Options["explain"]
  readonly inspect?: Http.Options["inspect"]
  /** Page after page, each with the bookmark behind it; `after` is the one that was stored last. */
  readonly pull: (settings: S["Type"], after: B["Type"] | undefined, ask: Asking) => AsyncIterable<Page<B["Type"]>>
  /** These invoices, or orders, once more; one that is not there any more is `deleted`. */
  readonly reread?: (settings: S["Type"], ids: ReadonlyArray<string>, ask: Asking) => AsyncIterable<PageOfIds>
}

/** Earlier than this machine's clock says, where the source does not say what time it is: that may be wrong. */
const MARGIN_MS = 86_400_000

const clock = ({ headers }: Answer): Effect.Effect<number> => {
  const said = Date.parse(headers["date"] ?? "")
  if (!Number.isNaN(said)) return Effect.succeed(said - 1000)
  return Effect.map(Clock.currentTimeMillis, (now) => now - MARGIN_MS)
}

/** What a reading threw: what it was told, or a mistake of its own. */
const thrown = (connector: string, cause: unknown): Connector.SourceError => {
  if (cause instanceof Connector.SourceError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return Connector.failing(connector).unreadable("its own code", why)
}

const httpOf = (d: Plain<string, Codec, Codec>, settings: unknown, context: Connector.ConnectorContext): Http.Http => {
  const variables = d.variables(settings)
  const secrets = Effect.all(variables.map((one) => Http.secret(d.name, context.environment, one)))
  return Http.make({
    connector: d.name,
    base: d.base(settings),
    authority: {
      headers: Effect.map(secrets, (keys) => d.headers(...keys)),
      refused: Http.key(Effect.succeed(""), variables.join(" or "), () => ({})).refused
    },
    ...Json.present({ limits: d.limits, account: d.identity?.(settings), explain: d.explain, inspect: d.inspect })
  })
}

type Read<A> = Stream.Stream<A, Connector.SourceError, Connector.Requirements>

/** Runs a reading; what it asks is stopped where it is. */
const reading = <A>(
  d: Plain<string, Codec, Codec>,
  settings: unknown,
  context: Connector.ConnectorContext,
  read: (ask: Asking) => AsyncIterable<A>
): Read<A> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const services = yield* Effect.context<HttpClient.HttpClient>()
      const stopping = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      )
      const { get, post } = httpOf(d, settings, context)
      const run = <B>(effect: Effect.Effect<B, Connector.SourceError, HttpClient.HttpClient>): Promise<B> =>
        Effect.runPromiseWith(services)(effect, { signal: stopping.signal })
      const ask: Asking = {
        get: (path, query) => run(get(path, query)),
        post: (path, body) => run(post(path, body)),
        records: (path, answer, member) => run(Http.records(d.name, path, answer, member)),
        clock: (answer) => run(clock(answer)),
        first: context.first
      }
      return Stream.fromAsyncIterable(read(ask), (cause) => thrown(d.name, cause))
    })
  )

const PLAIN: Known<Plain<string, Codec, Codec>> = {
  name: true,
  title: true,
  settings: true,
  bookmark: true,
  identity: true,
  kinds: true,
  deletions: true,
  blindSpots: true,
  linksByNumber: true,
  firstOfEach: true,
  onThisMachine: true,
  overlapSeconds: true,
  limits: true,
  requestsPerThousand: true,
  base: true,
  variables: true,
  headers: true,
  explain: true,
  inspect: true,
  pull: true,
  reread: true
}

export const make = <const Name extends string, S extends Codec, B extends Codec>(d: Plain<Name, S, B>) => {
  const { blindSpots, bookmark, deletions, identity, kinds, limits, name, pull, reread, settings, title } = d
  const { firstOfEach, linksByNumber, onThisMachine, overlapSeconds, requestsPerThousand } = d
  refuse(name, [...misnamed(d, PLAIN, ""), ...inLimits(limits, "limits")])
  const any = d as unknown as Plain<string, Codec, Codec>
  return Connector.make<Name, S, B>({
    name,
    title,
    settings,
    bookmark,
    capabilities: {
      kinds,
      deletions,
      blindSpots,
      authorises: "key",
      ...Json.present({ firstOfEach, limits, linksByNumber, onThisMachine, overlapSeconds, requestsPerThousand })
    },
    ...(identity === undefined ? {} : { identity }),
    pull: (its, after, context) => reading(any, its, context, (ask) => pull(its, after, ask)),
    ...(reread === undefined
      ? {}
      : { reread: (its, ids, context) => reading(any, its, context, (ask) => reread(its, ids, ask)) })
  })
}
