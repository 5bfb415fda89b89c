/** Reads lists by cursor to their end, for connectors that are written as code. */
import { Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type { SourceError } from "./Connector.ts"
import * as Http from "./Http.ts"
import * as Json from "./Json.ts"

export type Read<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

/** Records by the id of another one that they belong to. */
export type ByName = Map<string, Array<unknown>>

export const add = (to: ByName, name: string, record: unknown): void => {
  const held = to.get(name)
  if (held === undefined) to.set(name, [record])
  else held.push(record)
}

export interface Listed {
  readonly records: ReadonlyArray<unknown>
  /** The whole answer. */
  readonly body: Json.Fields
  /** The cursor after these records. */
  readonly next: string | undefined
}

interface Page {
  readonly body: Json.Fields
  readonly all: ReadonlyArray<unknown>
  /** Whether any of its records is new: some sources repeat their last page for ever. */
  readonly news: boolean
  /** The cursor of this page. */
  readonly after: string | undefined
}

export interface How {
  readonly connector: string
  readonly size: number
  /** The parameter that takes the cursor. */
  readonly param: string
  readonly pathOf: (list: string) => string
  /** The member with the records. */
  readonly memberOf: (list: string) => string
  readonly turn: (page: Page) => { readonly next: string | undefined; readonly more: boolean }
}

export const make = ({ connector, memberOf, param, pathOf, size, turn }: How) => {
  const listing = (http: Http.Http, list: string, query: Http.Query, after?: string) =>
    Stream.paginate({ after, seen: new Set<string>() }, ({ after, seen }) =>
      Effect.gen(function* () {
        const answer = yield* http.get(pathOf(list), { ...query, limit: size, [param]: after })
        const all = yield* Http.records(connector, pathOf(list), answer, memberOf(list))
        const body = Json.fieldsOf(answer.body)
        const { news, records } = Json.unseen(all, "id", seen)
        const { more, next } = turn({ body, all, news, after })
        const listed: Listed = { records, body, next }
        return [[listed], more ? Option.some({ after: next, seen }) : Option.none()] as const
      })
    )
  /** @param pages the most pages to read */
  const collect = (
    http: Http.Http,
    list: string,
    query: Http.Query,
    pages = Number.POSITIVE_INFINITY
  ): Read<ReadonlyArray<unknown>> =>
    Effect.map(Stream.runCollect(Stream.take(listing(http, list, query), pages)), (all) =>
      all.flatMap(({ records }) => records)
    )
  return { listing, collect }
}
