/**
 * A connector on malformed records: its own sample's, broken one by one, read by the real pull into real books, and
 * planned. None may stop the run; each is read, because what is broken is nothing that counts, or quarantined with a reason.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Cause, Clock, Duration, Effect, Exit, Layer, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Connector } from "../../connectors/Connector.ts"
import type { Answered, Cut, Paging, Source } from "../../connectors/testing/Simulator.ts"
import { type Stage, type Subject, vaultOf } from "../../connectors/testing/Subject.ts"
import * as Json from "../../connectors/Json.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { Dice } from "../simulation/Dice.ts"
import { planning } from "../support/Documents.ts"
import { broken, brokenLine, GARBAGE, marked } from "./Garbage.ts"

/** Time that passes only when somebody waits, and then at once. */
const hurried = (): Clock.Clock => {
  let now = Date.UTC(2026, 2, 1, 12)
  const millis = () => now
  const nanos = () => BigInt(now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.suspend(() => {
        now += Duration.toMillis(duration)
        return Effect.yieldNow
      })
  }
}

const PAGE = 100
/** A connector that asks more often than this for one round never ends. */
const ENDLESS = 20_000

type Rows = ReadonlyArray<Record<string, unknown>>

const from: Paging["from"] = (records, before): Cut => ({
  records: records.slice(before, before + PAGE),
  more: before + PAGE < records.length
})

const paging: Paging = {
  size: PAGE,
  from,
  numbered: (records: Rows, page) => from(records, (page - 1) * PAGE),
  after: (records: Rows, id, member) => from(records, records.findIndex((one) => String(one[member]) === id) + 1)
}

/** What became of the malformed records of one round. */
export interface Fuzzed {
  readonly records: number
  readonly unreadable: number
  readonly read: number
  /** Neither read nor quarantined, though the record would have been read had it not been broken: how each was broken. */
  readonly lost: ReadonlyArray<string>
  /** What does not hold. */
  readonly found: ReadonlyArray<string>
}

interface Broken {
  readonly how: string
  readonly traced: boolean
  /** The record it was made from. */
  readonly of: string
}

/** Breaks what a source answers with: the objects of its lists. */
class Breaker {
  readonly made = new Map<string, Broken>()
  readonly #dice: Dice
  readonly #rate: number
  readonly #keep: ReadonlySet<string>
  /** A record is broken in the same way however often it is asked for. */
  readonly #before = new Map<string, unknown>()

  constructor(dice: Dice, rate: number, keep: ReadonlyArray<string>) {
    this.#dice = dice
    this.#rate = rate
    this.#keep = new Set(["id", ...keep])
  }

  mark(how: string, of: string): string {
    const mark = `fz${this.made.size}z`
    this.made.set(mark, { how, of, traced: true })
    return mark
  }

  answer(path: string, { body, ...rest }: Answered): Answered {
    return { ...rest, body: typeof body === "string" ? this.table(path, body) : this.#lists(path, body, 0) }
  }

  /** CSV with its lines so many times, most of them broken; a column that nobody asks for carries the mark as well. */
  table(path: string, csv: string, times = 1): string {
    const [head = "", ...lines] = csv.trimEnd().split("\n")
    const rows = Array.from({ length: times }).flatMap(() =>
      lines.map((line) => {
        const of = `${path} ${line}`
        const mark = this.mark("", of)
        const cells = line.split(",")
        const row = [`${cells[0]}${mark}`, ...cells.slice(1), mark]
        if (!this.#dice.chance(this.#rate)) return row.join(",")
        const made = brokenLine(row, mark, this.#dice)
        this.made.set(mark, { how: `${path}: ${made.slice(0, 100)}`, of, traced: true })
        return made
      })
    )
    return `${[`${head},Mark`, ...rows].join("\n")}\n`
  }

  #lists(path: string, value: unknown, depth: number): unknown {
    if (Array.isArray(value) && value.length > 0 && typeof value[0] === "object") {
      // The last of a page keeps its id, by which the page after it is asked for.
      return value.map((one, n) => this.#one(path, one, n === value.length - 1))
    }
    if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 5) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.#lists(`${path} ${name}`, one, depth + 1)])
    )
  }

  #one(path: string, record: unknown, last: boolean): unknown {
    const text = `${path} ${JSON.stringify(record)}`
    const before = this.#before.get(text)
    if (before !== undefined && (!last || this.#isNamed(before, record))) return before
    const of = text.slice(0, 300)
    const mark = this.mark("", of)
    const {
      how,
      record: made,
      traced
    } = this.#dice.chance(this.#rate)
      ? broken(record, mark, this.#dice, last ? this.#keep : undefined)
      : { how: "", record: marked(record, mark), traced: true }
    // Of a record that was there before under another name, either may be what is read.
    if (how !== "") this.made.set(mark, { how: `${path}: ${how}`, of, traced: traced && before === undefined })
    this.#before.set(text, made)
    return made
  }

  /** It is still called as it was. */
  #isNamed(made: unknown, record: unknown): boolean {
    const names = (one: unknown) => JSON.stringify(one, ["id", ...this.#keep])
    return names(made) === names(record)
  }
}

/** Another name of the same kind: a number stays one. */
const renamed = (id: unknown, n: number): unknown => {
  if (Json.isNumeral(id)) return Json.parse(`${id.rawJSON}${100 + n}`)
  if (typeof id === "number") return Number(`${id}${100 + n}`)
  return typeof id === "string" ? `${id}x${n}` : BigInt(`${String(id)}${100 + n}`)
}

/** Every record of a source so many times, each time under an id of its own. */
const multiply = (lists: Source["lists"], times: number, copy: (record: object) => object): void => {
  for (const { id, records } of Object.values(lists)) {
    const copies = Array.from({ length: times - 1 }, (_, n) =>
      // What has no id of its own belongs to a record of another list.
      records.flatMap((one) => (one[id] === undefined ? [] : [{ ...copy(one), [id]: renamed(one[id], n) }]))
    ).flat()
    records.push(...copies)
  }
}

/** Rows of a database, most of them broken: a cell has a text or nothing. */
const scratch = (lists: Source["lists"], breaker: Breaker, dice: Dice, rate: number, times: number): void => {
  multiply(lists, times, structuredClone)
  for (const [name, { id, records }] of Object.entries(lists)) {
    for (const row of records) {
      const of = `${name} ${JSON.stringify(row, (_, one) => (typeof one === "bigint" ? String(one) : one))}`
      const mark = breaker.mark("", of)
      const columns = Object.keys(row).filter((column) => column !== id)
      const bears = columns.find((column) => typeof row[column] === "string")!
      row[bears] = `${row[bears]}${mark}`
      if (!dice.chance(rate)) continue
      const column = dice.of(columns)!
      const made = dice.of(GARBAGE)!(mark)
      const text = typeof made === "string" || made == null ? (made ?? null) : JSON.stringify(made)
      row[column] = text
      const traced = column !== bears || text?.includes(mark) === true
      breaker.made.set(mark, { how: `${name}: ${column} is ${text}`, of, traced })
    }
  }
}

/** Where a record came from: the same list may be read for itself, or only to find something else. */
const asking = ({ pathname, searchParams }: URL, body: string): string => {
  const [what = ""] = /(?<="method":")[^"]+|(?<="query":")query \w+/.exec(body) ?? []
  return [pathname, what, ...[...searchParams.keys()].filter((key) => !/limit|page|after/.test(key)).toSorted()].join(
    " "
  )
}

/** A copy in which numbers stay what they are: of JavaScript, or with the digits that the source wrote. */
const cloned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cloned)
  if (!Json.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cloned(one)]))
}

const web = (source: Source, breaker: Breaker): Layer.Layer<HttpClient.HttpClient> => {
  let asked = 0
  return Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.sync(() => {
        if (++asked > ENDLESS) throw new Error("the connector does not end")
        const body = request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString("utf8") : ""
        const { headers, method } = request
        const answer = source.answer({ method, path: url.pathname, query: url.searchParams, headers, body }, paging)
        const {
          body: said,
          headers: more = {},
          status = 200
        } = answer === undefined ? { body: {}, status: 404 } : breaker.answer(asking(url, body), answer)
        const text = typeof said === "string" ? said : JSON.stringify(said)
        const all = { "content-type": "application/json", ...more }
        return HttpClientResponse.fromWeb(request, new Response(text, { status, headers: all }))
      })
    )
  )
}

/** Files with many lines, most of them broken. */
const scribble = (folder: string, breaker: Breaker, times: number): void => {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    writeFileSync(file, breaker.table(name, readFileSync(file, "utf8"), times))
  }
}

/** What the pages of one pull said, as texts. */
interface Kept {
  readonly unreadable: Array<{ readonly why: string; readonly raw: string; readonly origin: string }>
  readonly read: Array<string>
  readonly deleted: Set<string>
}

/** One pull into books of its own, and a plan of what it brought. */
const round = async (subject: Subject, stage: Stage, breaker: Breaker): Promise<Kept | string> => {
  const settings = Schema.decodeUnknownSync(subject.connector.settings as Schema.Codec<unknown>)(subject.settings)
  const kept: Kept = { unreadable: [], read: [], deleted: new Set() }
  const connector: Connector = {
    ...subject.connector,
    pull: (...words) =>
      Stream.tap(subject.connector.pull(...words), ({ deleted = [], read, quarantined }) =>
        Effect.sync(() => {
          kept.unreadable.push(...quarantined)
          for (const { raw } of read) kept.read.push(raw)
          for (const { id } of deleted) kept.deleted.add(id)
        })
      )
  }
  const connection: Connection = { id: "books", connector, settings, planning }
  const surroundings = {
    folder: stage.folder ?? ".",
    environment: subject.environment ?? {},
    vault: vaultOf(subject.oauth?.held)
  }
  const http = stage.source === undefined ? FetchHttpClient.layer : web(stage.source, breaker)
  const exit = await Effect.gen(function* () {
    yield* pull(connection, surroundings)
    yield* Stream.runDrain(Plan.stream([connection]))
    const db = yield* Database
    return db.prepare("SELECT count(*) FROM quarantine WHERE why = '' OR raw = ''").pluck().get() as number
  }).pipe(
    Effect.provide(Layer.mergeAll(NodeFileSystem.layer, http, Database.layer({ file: ":memory:", mode: "write" }))),
    Effect.provideService(Clock.Clock, hurried()),
    Effect.runPromiseExit
  )
  return Exit.isSuccess(exit) ? kept : Cause.pretty(exit.cause)
}

const marksIn = (texts: Iterable<string>): ReadonlySet<string> => {
  const marks = new Set<string>()
  for (const text of texts) for (const [mark] of text.matchAll(/fz\d+z/g)) marks.add(mark)
  return marks
}

/** One round of a connector. With a rate of 0 nothing is broken. */
const once = async (subject: Subject, seed: number, rate: number, times: number) => {
  const stage = subject.open()
  const dice = new Dice(seed)
  const ids = Object.values(stage.source?.lists ?? {}).map(({ id }) => id)
  const breaker = new Breaker(dice, rate, ids)
  try {
    if (stage.source !== undefined) multiply(stage.source.lists, times, (record) => cloned(record) as object)
    else if (stage.lists !== undefined) {
      scratch(stage.lists, breaker, dice, rate, times)
      stage.settle?.()
    } else if (stage.folder !== undefined) scribble(stage.folder, breaker, times)
    return { kept: await round(subject, stage, breaker), made: breaker.made }
  } finally {
    stage.close?.()
  }
}

/** Some malformed records of a connector's sample. */
export const fuzz = async (subject: Subject, seed: number, times = 20): Promise<Fuzzed> => {
  const calm = await once(subject, seed, 0, times)
  if (typeof calm.kept === "string") return { records: 0, unreadable: 0, read: 0, lost: [], found: [calm.kept] }
  const counted = marksIn(calm.kept.read)
  const counts = new Set([...calm.made].flatMap(([mark, { of }]) => (counted.has(mark) ? [of] : [])))

  const { kept, made } = await once(subject, seed, 0.95, times)
  const records = [...made.values()].filter(({ how }) => how !== "").length
  if (typeof kept === "string") return { records, unreadable: 0, read: 0, lost: [], found: [`it stops: ${kept}`] }
  const found = kept.unreadable.flatMap(({ origin, why }) =>
    why.length < 5 ? [`${origin} is quarantined without a reason`] : []
  )
  const [unreadable, read] = [marksIn(kept.unreadable.map(({ raw }) => raw)), marksIn(kept.read)]
  const isGone = (of: string): boolean =>
    [...kept.deleted].some((id) => [`"${id}"`, `:${id},`, `:${id}}`, `/${id}"`].some((one) => of.includes(one)))
  // What was asked for apart is gone when its record was quarantined; what is taken back in a ledger only brings an invoice.
  const apart = (of: string) => of.includes(" data order agreements ") || of.includes(`"Unapplied":true`)
  // What is listed for all payments is of one only by a name, which may be broken here or there: refunds, disputes, events.
  const elsewhere = (how: string) =>
    /^(\/v1\/(refunds|disputes)|\/refunds|\/events {2}\S*resource_type|\/wp-json\/wc\/v3\/refunds {2}order) /.test(how)
  // What of an order does not fit into a page, or cannot be read there, is asked for again.
  const again = (how: string) =>
    / query Orders data orders nodes: .*\b(edited|shippingLines|lineItems|fulfillments|refunds|transactions)( |\.nodes |\.page)/.test(
      how
    )
  const lost = [...made].flatMap(([mark, { how, of, traced }]) =>
    how === "" ||
    apart(of) ||
    elsewhere(how) ||
    again(how) ||
    !traced ||
    unreadable.has(mark) ||
    read.has(mark) ||
    !counts.has(of) ||
    isGone(of)
      ? []
      : [how]
  )
  const many = new Set(kept.unreadable.map(({ origin, raw }) => `${origin} ${raw}`)).size
  return { records, unreadable: many, read: records - many - lost.length, lost, found }
}
