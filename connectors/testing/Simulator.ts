/**
 * Simulates an HTTP source from fixtures: lists of records, served by the API that a connector's sample implements. The kit
 * edits the records and changes answers; the API stays the sample's.
 *
 * Time runs two hundred times as fast, so that waits of the connector do not delay its tests.
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
  /** Sets the time that the source's cursor follows; without it, the list cannot be queried for changes. */
  readonly stamp?: (record: Record, millis: number | null) => void
  /** What identifies it in the documents' raw records, if that is not its id: an event is identified by its subject. */
  readonly shows?: (record: Record) => string
  /** For a ledger (`above`): the member with a record's number. */
  readonly number?: string
  /** Changes a copy of a record, which has no children: it must name none of the original's. */
  readonly childless?: (copied: Record) => void
}

/** A list that can be queried for changes. */
export type Stamped = List & Required<Pick<List, "stamp">>

export const isStamped = (list: List): list is Stamped => list.stamp !== undefined

export interface Asked {
  readonly method: string
  /** `https://api.example.com`, the simulated source. */
  readonly origin?: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<globalThis.Record<string, string | undefined>>
  readonly body: string
  /** The kit's time. */
  readonly at?: number
  /** The source's time, if the kit sets it: for sources that state their time in answers. */
  readonly now?: number | undefined
}

export interface Answered {
  readonly status?: number
  readonly headers?: globalThis.Record<string, string>
  readonly body: unknown
}

export interface Source {
  readonly lists: Readonly<globalThis.Record<string, List>>
  /** The source's answer; undefined for an unknown address. */
  readonly answer: (asked: Asked, paging: Paging) => Answered | undefined
}

export type Oddity = "last page repeated" | "last pages take turns" | "empty middle page"

export interface Cut {
  readonly records: ReadonlyArray<Record>
  readonly more: boolean
}

/**
 * Splits a list into pages as the kit requires. `asked` is the page size that the connector asked for, if any: a page never
 * has more.
 */
export interface Paging {
  /** Maximum records per page, whatever the connector asks for: small, so that the fixtures fill several pages. */
  readonly size: number
  /** Page numbers start at 1. */
  readonly numbered: (records: ReadonlyArray<Record>, page: number, asked?: number | string | null) => Cut
  /** The records after the one with this id. */
  readonly after: (
    records: ReadonlyArray<Record>,
    id: string | null,
    member: string,
    asked?: number | string | null
  ) => Cut
  /** The records after the first so many. */
  readonly from: (records: ReadonlyArray<Record>, before: number, asked?: number | string | null) => Cut
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
  const from: Paging["from"] = (records, before, asked) => {
    const size = sizeOf(asked)
    const cut = records.slice(before, before + size)
    if (odd === "last page repeated" && cut.length === 0) return { records: records.slice(-size), more: true }
    return { records: cut, more: odd === "last page repeated" || before + size < records.length }
  }
  return {
    size: most,
    numbered,
    from,
    after: (records, id, member, asked) =>
      from(records, id === null ? 0 : records.findIndex((one) => textOf(one[member]) === id) + 1, asked)
  }
}

export interface Bend {
  /** Answers instead of the source, unless it returns undefined. `n` is the number of the request, from 1. */
  readonly instead?: (asked: Asked, n: number) => Response | undefined
  /** Called after each answer of the source. */
  readonly after?: (n: number, answer: string) => void
  readonly odd?: Oddity | undefined
  /** A number in the sample, and what is written in its place: one that a double cannot hold. */
  readonly written?: { readonly held: string; readonly as: string } | undefined
  /** The source's time, as stated in its answers: one, or that of the nth. */
  readonly clock?: number | ((n: number) => number) | undefined
  readonly size?: number | undefined
  /** Lists that cannot be queried for changes have one record a page: they belong to records of other lists. */
  readonly alone?: boolean
  /** Maximum number of requests; `ENDLESS` by default. */
  readonly most?: number | undefined
}

/** More requests than any fixture needs: a connector that sends more never stops. */
const ENDLESS = 500

/** The request in the form that a sample understands. */
const read = (asked: Asked, written: Bend["written"]): Asked => {
  if (written === undefined) return asked
  const back = (text: string) => text.replaceAll(written.as, written.held)
  const query = new URLSearchParams(back(asked.query.toString()))
  return { ...asked, path: back(asked.path), query, body: back(asked.body) }
}

export interface Simulated {
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** A request that no source can answer. It is not thrown, because the connector would take that for a network error. */
  readonly wrong: () => unknown
  /** Whether pages were requested by number. */
  readonly numbered: () => boolean
  readonly asked: ReadonlyArray<Asked>
}

export const simulate = (source: Source, bend: Bend = {}): Simulated => {
  const asked: Array<Asked> = []
  const cutting = paging(bend.size ?? 2, bend.odd)
  let numbered = false
  let wrong: unknown
  const isOfOthers = ([one]: ReadonlyArray<Record>) =>
    bend.alone === true &&
    Object.values(source.lists).some(
      ({ number, records, stamp }) => stamp === undefined && number === undefined && records.includes(one)
    )
  const by = (records: ReadonlyArray<Record>): Paging => (isOfOthers(records) ? paging(1) : cutting)
  const cut: Paging = {
    ...cutting,
    after: (records, ...rest) => by(records).after(records, ...rest),
    numbered: (records, page, size) => {
      numbered = true
      return by(records).numbered(records, page, size)
    }
  }
  const now = () => (typeof bend.clock === "function" ? bend.clock(asked.length) : bend.clock)
  const respond = (one: Asked): Response => {
    asked.push(one)
    const most = bend.most ?? ENDLESS
    if (asked.length > most) throw new Error(`the connector does not end: ${most} requests and no last page`)
    const instead = bend.instead?.(one, asked.length)
    if (instead !== undefined) return instead
    const answer = source.answer(read(one, bend.written), cut)
    const { body, headers = {}, status = 200 } = answer ?? { body: {}, status: 404 }
    const text = typeof body === "string" ? body : JSON.stringify(body)
    // What is changed after an answer is not in it.
    bend.after?.(asked.length, text ?? "")
    if (answer === undefined) return new Response("{}", { status: 404 })
    const time = now()
    const date = time === undefined ? {} : { date: new Date(time).toUTCString() }
    const { as = "", held = "" } = bend.written ?? {}
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
          now: now()
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

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/**
 * Moves only while somebody sleeps, and then straight to the time at which the first sleeper wakes. So a slow machine does not make it
 * look as if a connector had waited.
 */
class KitClock implements Clock.Clock {
  #now = START
  #sleepers: ReadonlyArray<Sleeper> = []
  #timer: NodeJS.Timeout | undefined

  currentTimeMillisUnsafe(): number {
    return this.#now
  }
  currentTimeNanosUnsafe(): bigint {
    return BigInt(Math.round(this.#now)) * 1_000_000n
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = this.currentTimeNanos

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const until = this.#now + Duration.toMillis(duration)
      const sleeper = { until, wake: () => resume(Effect.void) }
      this.#sleepers = [...this.#sleepers, sleeper].toSorted((a, b) => a.until - b.until)
      this.#next()
      return Effect.sync(() => this.#leaves(sleeper))
    })
  }

  #leaves(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((one) => one !== sleeper)
    this.#next()
  }

  #next(): void {
    clearTimeout(this.#timer)
    const [first] = this.#sleepers
    if (first === undefined) return
    const wake = () => {
      this.#now = first.until
      this.#leaves(first)
      first.wake()
    }
    this.#timer = setTimeout(wake, (first.until - this.#now) / SPEED)
  }
}

/** Runs with a clock of its own, which begins on a fixed day and runs fast. */
export const quickly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Clock.Clock, new KitClock()))

/**
 * A copy of records that may be edited, as the source writes them. Numbers are JavaScript numbers, because samples compare
 * and sort them; a number too long for a double keeps the form that `digits` gave it.
 */
export const copy = (records: ReadonlyArray<object>): Array<Record> =>
  JSON.parse(JSON.stringify(records), ((_: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    return typeof value === "number" && source !== undefined && String(value) !== source ? digits(source) : value
  }) as (key: string, value: unknown) => unknown) as Array<Record>

/** Any member as text; numbers keep their digits, including those made by `digits`. */
export const textOf = (value: unknown): string => Json.nameOf(value) ?? String(value)

/** A number with more digits than a double can hold, as a source would write it. */
export const digits = (text: string): unknown => Json.parse(text)
