/**
 * A typed client of the service. One client serves both interfaces, because they share companies, organisations, users, keys
 * and one address, and no group name has two meanings.
 *
 * It authenticates with Token or Basic, uses HTTPS only (except for this machine), limits the time of every request, and
 * keeps connections open. Every method fails with `ServiceError`, which names the operation and says whether the outcome is
 * known. Nothing is retried here: only the caller knows whether a retry is safe.
 *
 * `DerivedClient.ts`, which makes the requests, is loaded with the first one: it needs the definition of every operation, and
 * many runs find nothing to send.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Effect, Equal, Layer, Option, Stream } from "effect"
import { HttpClient } from "effect/http"
import { addressProblem } from "./Address.ts"
import { given as present } from "./Entry.ts"
import type { ClientOptions, Operations } from "./Operations.ts"
import { ServiceError, Unsendable } from "./ServiceError.ts"
import type { Page } from "./wire/Page.ts"
import { ServiceClock } from "./wire/ServiceClock.ts"
import * as Undici from "./wire/Undici.ts"

export type { ClientOptions } from "./Operations.ts"

export class Client extends Context.Service<Client, Operations>()("daybook/core/Client") {
  static readonly layer = (options: ClientOptions): Layer.Layer<Client> =>
    Layer.effect(
      Client,
      Effect.gen(function* () {
        const problem = addressProblem(options.url)
        if (problem !== undefined) return yield* Effect.die(new RangeError(problem))
        const http = yield* HttpClient.HttpClient
        const dispatcher = yield* NodeHttpClient.Dispatcher
        const clock = options.clock ?? new ServiceClock()
        return late(clock, async () =>
          (await import("./DerivedClient.ts")).derive({ ...options, clock }, http, dispatcher)
        )
      })
    ).pipe(
      Layer.provide(NodeHttpClient.layerUndiciNoDispatcher),
      Layer.provide(Undici.layerDispatcher({ connections: options.connections ?? 32 }))
    )
}

type Call = (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, ServiceError>
type Group = Readonly<Record<string, Call>>

/** A client whose operations are loaded by the first call. */
const late = (clock: ServiceClock, load: () => Promise<Operations>): Operations => {
  let loaded: Operations | undefined
  let loading: Promise<Operations> | undefined
  /** @param operation its name in errors */
  const calling =
    (operation: string | undefined, find: (operations: Operations) => Call): Call =>
    (...given) =>
      loaded === undefined
        ? Effect.flatMap(first(operation ?? String(given[0])), (operations) => find(operations)(...given))
        : find(loaded)(...given)
  const first = (operation: string): Effect.Effect<Operations, ServiceError> =>
    Effect.tryPromise({
      try: () =>
        (loading ??= load()
          .then((operations) => (loaded = operations))
          .finally(() => (loading = undefined))),
      catch: (cause) => new ServiceError({ operation, reason: new Unsendable({ why: String(cause) }) })
    })
  const members = (member: (name: string) => unknown): object =>
    new Proxy({}, { get: (_, name) => member(String(name)) })
  const groupOf = (group: string): object =>
    members((name) =>
      calling(`${group}.${name}`, (operations) =>
        present((operations as unknown as Record<string, Group>)[group]?.[name], `${group}.${name}`)
      )
    )
  const send = calling(undefined, (operations) => operations.send as unknown as Call)
  return members((name) => (name === "send" ? send : name === "clock" ? clock : groupOf(name))) as Operations
}

/**
 * Reads every item of a list, page after page. Follows `next` as the service states it, and stops when a page has nothing
 * new, in case the service repeats its last page.
 *
 * @param list reads one page from `offset`, with at most `limit` items
 */
export const pages = <A, R>(list: List<A, R>, limit = 100): Stream.Stream<A, ServiceError, R> =>
  paging(list, limit, (results) => results)

/** The same items, as the service parts them: while one part is worked on, the next is asked for. */
export const parts = <A, R>(list: List<A, R>, limit = 100): Stream.Stream<ReadonlyArray<A>, ServiceError, R> =>
  Stream.buffer(
    paging(list, limit, (results) => [results]),
    { capacity: 1 }
  )

type List<A, R> = (query: {
  readonly limit: number
  readonly offset: number
}) => Effect.Effect<Page<A>, ServiceError, R>

const paging = <A, B, R>(
  list: List<A, R>,
  limit: number,
  as: (results: ReadonlyArray<A>) => ReadonlyArray<B>
): Stream.Stream<B, ServiceError, R> =>
  Stream.paginate({ offset: 0, before: undefined as A | undefined }, ({ before, offset }) =>
    Effect.map(list({ limit, offset }), ({ count, next, results }) => {
      const [first] = results
      if (offset > 0 && Equal.equals(first, before)) return [[], Option.none()]
      const at = offset + results.length
      const more = next !== null && results.length > 0 && at < count
      return [as(results), more ? Option.some({ offset: at, before: first }) : Option.none()]
    })
  )
