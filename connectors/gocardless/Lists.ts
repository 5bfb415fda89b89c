/** Reads GoCardless's lists, by cursor, with five hundred records per page, newest first. */
import { Effect } from "effect"
import * as Cursors from "../Cursors.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"

export const limits = { perMinute: 1000, atOnce: 8, by: "key", page: 500 } as const

export const idOf = (record: unknown, path = "id"): string | undefined => Json.nameAt(record, path)

export const { collect, listing } = Cursors.make({
  connector: "gocardless",
  size: limits.page,
  param: "after",
  pathOf: (list) => `/${list}`,
  memberOf: (list) => list,
  turn: ({ after, body }) => {
    const next = body.maybe("meta.cursors.after")
    return { next, more: next !== undefined && next !== after }
  }
})

/** Reads a record by id; undefined if it does not exist. */
export const one = (http: Http.Http, list: string, id: string): Cursors.Read<Json.Members | undefined> => {
  const path = `/${list}/${Http.segment(id)}`
  return Effect.flatMap(http.get(path), (answer) => Http.record("gocardless", path, answer, list))
}

/** Reads the events of one payment or refund, oldest first. */
export const eventsOf = (http: Http.Http, query: Http.Query) =>
  Effect.map(collect(http, "events", query), (events) => [...events].reverse())
