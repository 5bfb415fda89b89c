/**
 * A source over HTTP that is made of fixtures: lists of records behind a wire that a connector's own sample writes down.
 * The kit edits the records and bends the answers; the wire stays the sample's.
 *
 * Time runs two hundred times as fast, so that a connector that waits does not keep its tests waiting.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Json from "../Json.ts"

// biome-ignore lint/suspicious/noExplicitAny: a record of any source, which samples edit freely
export type Record = any

/** One list of the source. */
export interface List {
  readonly records: Array<Record>
  readonly id: string
  /** Writes what the source's cursor follows; without it, the list cannot be asked for changes. */
  readonly stamp?: (record: Record, millis: number | null) => void
  /** What of it shows in the documents' raw records, where that is not its id: an event shows what it is about. */
  readonly shows?: (record: Record) => string
}

/** A list that can be asked for changes. */
export type Stamped = List & Required<Pick<List, "stamp">>

export const isStamped = (list: List): list is Stamped => list.stamp !== undefined

export interface Asked {
  readonly method: string
  /** `https://api.example.com`, where the source is simulated. */
  readonly origin?: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<globalThis.Record<string, string | undefined>>
  readonly body: string
  /** By the kit's time. */
  readonly at?: number
  /** By the source's clock, where the kit sets it: for a source that says in its answers what time it is. */
  readonly now?: number | undefined
}

export interface Answered {
  readonly status?: number
  readonly headers?: globalThis.Record<string, string>
  readonly body: unknown
}

export interface Source {
  readonly lists: Readonly<globalThis.Record<string, List>>
  /** What the source answers; undefined where it knows no such address. */
  readonly answer: (asked: Asked, paging: Paging) => Answered | undefined
}

export type Oddity = "last page repeated" | "last pages take turns" | "empty middle page"

export interface Cut {
  readonly records: ReadonlyArray<Record>
  readonly more: boolean
}

/**
 * Cuts a list into pages, as the kit wants them to be cut. `asked` is how many records the connector asked for, where it
 * says that: a page never holds more.
 */
export interface Paging {
  /** Records that a page holds at most, whatever the connector asks for: small, so that fixtures fill several. */
  readonly size: number
  /** Pages counted from 1. */
  readonly numbered: (records: ReadonlyArray<Record>, page: number, asked?: number | string | null) => Cut
  /** What follows the record with this id. */
  readonly after: (
    records: ReadonlyArray<Record>,
    id: string | null,
    member: string,
    asked?: number | string | null
  ) => Cut
}

/** Pages of this size. */
export const paging = (most: number, odd?: Oddity): Paging => {
  const sizeOf = (asked: number | string | null | undefined) =>
    Math.min(most, Math.max(1, Number(asked ?? most)) || most)
  const numbered: Paging["numbered"] = (records, page, asked) => {
    const size = sizeOf(asked)
    const last = Math.max(1, Math.ceil(records.length / size))
    if (odd === "empty middle page" && page === 2 && last > 1) return { records: [], more: true }
    const real = odd === "empty middle page" && page > 2 ? page - 1 : page
    const beyond = Math.max(0, real - last)
    const at =
      odd === "last page repeated"
        ? Math.min(real, last)
        : odd === "last pages take turns"
          ? Math.max(1, real - beyond - (beyond % 2))
          : real
    const more = odd === "last page repeated" || odd === "last pages take turns" || at < last
    return { records: records.slice((at - 1) * size, at * size), more }
  }
  return {
    size: most,
    numbered,
    after: (records, id, member, asked) => {
      const size = sizeOf(asked)
      const from = id === null ? 0 : records.findIndex((one) => textOf(one[member]) === id) + 1
      const cut = records.slice(from, from + size)
      if (odd === "last page repeated" && cut.length === 0) return { records: records.slice(-size), more: true }
      return { records: cut, more: odd === "last page repeated" || from + size < records.length }
    }
  }
}

export interface Bend {
  /** Answers in place of the source, for as long as it answers. The number counts requests from 1. */
  readonly instead?: (asked: Asked, n: number) => Response | undefined
  /** Called after each answer of the source. */
  readonly after?: (n: number) => void
  readonly odd?: Oddity | undefined
  /** A number that the sample holds, and what is written in its place: more than a double holds. */
  readonly written?: { readonly held: string; readonly as: string } | undefined
  /** What time it is at the source: its answers say so. */
  readonly clock?: number | undefined
  readonly size?: number | undefined
  /** Requests, at most; `ENDLESS` unless given. */
  readonly most?: number | undefined
}

/** More requests than any fixture needs: a connector that asks more often never ends. */
const ENDLESS = 500

/** What was asked, as a sample understands it. */
const read = (asked: Asked, written: Bend["written"]): Asked => {
  if (written === undefined) return asked
  const back = (text: string) => text.replaceAll(written.as, written.held)
  const query = new URLSearchParams(back(asked.query.toString()))
  return { ...asked, path: back(asked.path), query, body: back(asked.body) }
}

export interface Simulated {
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** What the connector did that no source can answer: it would take a thrown error for a fault of the network. */
  readonly wrong: () => unknown
  /** Whether pages were asked for by number. */
  readonly numbered: () => boolean
  readonly asked: ReadonlyArray<Asked>
}

export const simulate = (source: Source, bend: Bend = {}): Simulated => {
  const asked: Array<Asked> = []
  const cutting = paging(bend.size ?? 2, bend.odd)
  let numbered = false
  let wrong: unknown
  const cut: Paging = {
    ...cutting,
    numbered: (records, page, size) => {
      numbered = true
      return cutting.numbered(records, page, size)
    }
  }
  const respond = (one: Asked): Response => {
    asked.push(one)
    const most = bend.most ?? ENDLESS
    if (asked.length > most) throw new Error(`the connector does not end: ${most} requests and no last page`)
    const instead = bend.instead?.(one, asked.length)
    if (instead !== undefined) return instead
    const answer = source.answer(read(one, bend.written), cut)
    bend.after?.(asked.length)
    if (answer === undefined) return new Response("{}", { status: 404 })
    const { body, headers = {}, status = 200 } = answer
    const date = bend.clock === undefined ? {} : { date: new Date(bend.clock).toUTCString() }
    const { as = "", held = "" } = bend.written ?? {}
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return new Response(held === "" ? text : text?.replaceAll(held, as), {
      status,
      headers: { "content-type": "application/json", ...date, ...headers }
    })
  }
  const client = HttpClient.make((request, url) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const body = request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString("utf8") : ""
      const { headers, method } = request
      let response: Response
      try {
        response = respond({
          method,
          origin: url.origin,
          path: url.pathname,
          query: url.searchParams,
          headers,
          body,
          at,
          now: bend.clock
        })
      } catch (cause) {
        wrong ??= cause
        response = new Response("{}", { status: 404 })
      }
      return HttpClientResponse.fromWeb(request, response)
    })
  )
  return { asked, wrong: () => wrong, numbered: () => numbered, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

const SPEED = 200
const START = Date.parse("2026-03-01T12:00:00Z")

/** The kit's time: begins on a fixed day, and runs fast. */
export const quickly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const begun = process.hrtime.bigint()
    const nanos = () => BigInt(START) * 1_000_000n + (process.hrtime.bigint() - begun) * BigInt(SPEED)
    const millis = () => Number(nanos() / 1_000_000n)
    return Effect.provideService(effect, Clock.Clock, {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration) / SPEED)
          return Effect.sync(() => clearTimeout(timer))
        })
    })
  })

/**
 * Records as the source writes them: a copy that may be edited. Numbers are numbers, as samples compare and sort them; one
 * with more digits than a double holds stays as `digits` wrote it.
 */
export const copy = (records: ReadonlyArray<object>): Array<Record> =>
  JSON.parse(JSON.stringify(records), ((_: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    return typeof value === "number" && source !== undefined && String(value) !== source ? digits(source) : value
  }) as (key: string, value: unknown) => unknown) as Array<Record>

/** A member as text, whatever it is: a number with its digits, also one of `digits`. */
export const textOf = (value: unknown): string => Json.nameOf(value) ?? String(value)

/** A number with more digits than a double holds, as a source would write it. */
export const digits = (text: string): unknown => Json.parse(text)
