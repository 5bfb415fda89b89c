/** Reads GoCardless's lists, by cursor, with five hundred records per page, newest first. */
import { Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type { SourceError } from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"

export const limits = { perMinute: 1000, atOnce: 8, page: 500 }

export type Read<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

export const fieldsOf = (body: unknown): Json.Fields => new Json.Fields(Json.isObject(body) ? body : {})
export const idOf = (record: unknown, path = "id"): string | undefined => Json.nameOf(fieldsOf(record).get(path))

interface Listed {
  readonly records: ReadonlyArray<unknown>
  /** The payments that the events are about, if the answer includes them. */
  readonly payments: ReadonlyArray<Json.Members>
  readonly next: string | undefined
}

/** Stops when a page has nothing new, in case the source repeats its pages forever. */
export const listing = (http: Http.Http, list: string, query: Http.Query, after?: string) =>
  Stream.paginate({ after, seen: new Set<string>() }, ({ after, seen }) =>
    Effect.gen(function* () {
      const answer = yield* http.get(`/${list}`, { ...query, limit: limits.page, after })
      const all = yield* Http.records("gocardless", `/${list}`, answer, list)
      const { records } = Json.unseen(all, "id", seen)
      const next = fieldsOf(answer.body).maybe("meta.cursors.after")
      const payments = Json.objects(fieldsOf(answer.body).get("linked.payments"))
      const listed: Listed = { records, payments, next }
      const more = next !== undefined && next !== after
      return [[listed], more ? Option.some({ after: next, seen }) : Option.none()] as const
    })
  )

/** @param pages the most pages to read */
export const collect = (
  http: Http.Http,
  list: string,
  query: Http.Query,
  pages = Number.POSITIVE_INFINITY
): Read<ReadonlyArray<unknown>> =>
  Effect.map(Stream.runCollect(Stream.take(listing(http, list, query), pages)), (all) =>
    all.flatMap(({ records }) => records)
  )

/** Reads a record by id; undefined if it does not exist. */
export const one = (http: Http.Http, list: string, id: string): Read<Json.Members | undefined> => {
  const path = `/${list}/${Http.segment(id)}`
  return Effect.flatMap(http.get(path), (answer) => Http.record("gocardless", path, answer, list))
}

/** Reads the events of one payment or refund, oldest first. */
export const eventsOf = (http: Http.Http, query: Http.Query) =>
  Effect.map(collect(http, "events", query), (events) => [...events].reverse())
