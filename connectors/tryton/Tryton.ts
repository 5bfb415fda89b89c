/**
 * Tryton: reads customer invoices, and the accounting move lines that settle them, over JSON-RPC.
 *
 * Invoices and lines changed since the last pull are read in the order of their ids. A record that was never edited has no
 * `write_date`, so its `create_date` is used. The bookmark's time is Tryton's own: that of its newest record when the pull
 * began. A changed invoice or line is read with everything that it is reconciled with.
 */
import { Array as Arr, Clock, Effect, Option, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Connector from "../Connector.ts"
import type { Document, Kind } from "../Document.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"
import * as Rpc from "./Rpc.ts"
import { datetime, ids, isId, number } from "./Values.ts"

const Settings = Schema.Struct({
  /** The server's address, without the database: `https://tryton.example.com`. */
  url: Http.Url,
  database: Schema.NonEmptyString,
  user: Schema.NonEmptyString,
  password: Rest.secret("TRYTON_PASSWORD"),
  /** The company's id, if the user has several. */
  company: Schema.optionalKey(Schema.Int)
})
type Settings = typeof Settings.Type

const Bookmark = Schema.Struct({
  /** Changes from this time on are read; everything if absent. */
  since: Schema.optionalKey(Schema.String),
  /** The unfinished read: its list, and the last id read. */
  now: Schema.optionalKey(
    Schema.Struct({ began: Schema.optionalKey(Schema.String), list: Schema.Int, id: Schema.String })
  )
})
type Bookmark = typeof Bookmark.Type

const OVERLAP_SECONDS = 600
/** By how much this machine's clock may be behind. */
const MARGIN_MS = 86_400_000
/** Records per page; Tryton has no limit of its own. */
const PAGE = 500
/** Ids per request: as many as the lines of most pages of invoices. */
const IDS = 1500
/** The kinds that a line may have been. */
const KINDS: ReadonlyArray<Kind> = ["payment", "reversal", "credit_note"]

type Read<A> = Effect.Effect<A, Connector.SourceError, HttpClient.HttpClient>

const changed = (since: string | undefined, ...behind: ReadonlyArray<string>) => {
  if (since === undefined) return []
  const from = datetime(since, OVERLAP_SECONDS)
  return [
    [
      "OR",
      ["write_date", ">=", from],
      [
        ["write_date", "=", null],
        ["create_date", ">=", from]
      ],
      ...behind.map((field) => [field, ">=", from])
    ]
  ]
}

const RECEIVABLE = ["account.type.receivable", "=", true] as const
const OUT = ["type", "=", "out"] as const

/** The newest time of change in Tryton. */
const newest = (rpc: Rpc.Rpc): Read<string | undefined> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answers = yield* Effect.forEach(["account.invoice", "account.move.line", "account.move"], (model) =>
      Effect.forEach(["write_date", "create_date"], (field) =>
        rpc.search(model, { domain: [[field, "!=", null]], fields: [field], limit: 1, order: [[field, "DESC"]] })
      )
    )
    return (
      answers
        .flat(2)
        .flatMap((record) => {
          const fields = Mapping.fieldsOf(record)
          return ["write_date", "create_date"].flatMap((name) => Json.nameOf(fields.get(name)) ?? [])
        })
        // Ignores times in the future: as a bookmark, they would hide all changes until then.
        .filter((time) => Date.parse(`${time.slice(0, 19)}Z`) <= now + MARGIN_MS)
        .reduce<string | undefined>((most, one) => (one > (most ?? "") ? one : most), undefined)
    )
  })

/** The record's id; empty if it has no valid one. */
const idOf = (record: unknown): string => {
  const id = Mapping.fieldsOf(record).get("id")
  const text = Json.isNumeral(id) ? id.rawJSON : ""
  return isId(text) ? text : ""
}

/** The lines that can be read; the others are quarantined when they are mapped. */
const linesOf = (records: Iterable<unknown>): ReadonlyArray<Mapping.Line> =>
  [...records].flatMap((record) => {
    try {
      return [Mapping.line(record)]
    } catch (cause) {
      if (cause instanceof Json.Unfit) return []
      throw cause
    }
  })

/** For independent requests, which run concurrently. */
const TOGETHER = { concurrency: "unbounded" } as const

/** Reads records by id, in several requests if there are many. */
const byIds = (
  rpc: Rpc.Rpc,
  model: string,
  fields: ReadonlyArray<string>,
  by: string,
  wanted: Iterable<string>,
  more: ReadonlyArray<unknown> = []
): Read<ReadonlyArray<unknown>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf([...new Set(wanted)].filter(isId), IDS),
      (chunk) => rpc.search(model, { domain: [[by, "in", chunk.map(number)], ...more], fields }),
      TOGETHER
    ),
    (found) => found.flat()
  )

/** Reads everything that these lines are reconciled with, and the invoices concerned, and maps each of these lines. */
const settled = (rpc: Rpc.Rpc, into: Json.Batch, first: ReadonlyArray<unknown>): Read<void> =>
  Effect.gen(function* () {
    // A record without an id is identified by itself.
    const known = new Map(first.map((record): [unknown, unknown] => [idOf(record) || record, record]))
    const reconciled = linesOf(first).flatMap(({ reconciliation }) => reconciliation ?? [])
    for (const record of yield* byIds(rpc, "account.move.line", Mapping.LINE, "reconciliation", reconciled, [
      RECEIVABLE
    ]))
      known.set(idOf(record) || record, record)
    const lines = linesOf(known.values())
    const bills = new Map<string, unknown>()
    const origins = lines.flatMap(({ origin }) => /^account\.invoice,(\d+)$/.exec(origin)?.[1] ?? [])
    const asked: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["move", lines.map(({ move }) => move)],
      ["cancel_move", lines.map(({ move }) => move)],
      ["payment_lines", lines.map(({ id }) => id)],
      ["id", origins]
    ]
    const named = ([by, wanted]: (typeof asked)[number]) =>
      byIds(rpc, "account.invoice", Mapping.INVOICE, by, wanted, [OUT])
    for (const record of (yield* Effect.forEach(asked, named, TOGETHER)).flat()) bills.set(idOf(record), record)
    const facts = Mapping.settle({ lines, bills: [...bills.values()].map(Mapping.bill) })
    const decode = (fields: Json.Fields): Json.Decoded => {
      const { id } = Mapping.line(fields.record)
      const fact: Document | Error | undefined = facts.get(id)
      if (fact instanceof Error) throw fact
      // A line that was a payment, and now belongs to no invoice.
      return fact === undefined
        ? { documents: [], deleted: KINDS.map((kind) => ({ kind, id })) }
        : { documents: [fact] }
    }
    Json.decodeAll(into, [...known.values()], { name: "lines", kind: "payment", id: "id", decode })
  })

/** Reads invoices with their instalments and what settles them. */
const invoices = (rpc: Rpc.Rpc, records: ReadonlyArray<unknown>): Read<Json.Batch> =>
  Effect.gen(function* () {
    const into = Json.batch()
    const own: Array<string> = []
    const paying: Array<string> = []
    for (const record of records) {
      const fields = Mapping.fieldsOf(record)
      own.push(...ids(fields.get("lines_to_pay")))
      paying.push(...ids(fields.get("payment_lines")))
    }
    const model = "account.move.line"
    // A payment detached from its invoice is no longer listed there; its move still names the invoice.
    const origins = records.map((record) => `account.invoice,${idOf(record)}`)
    const domain = [["move.origin", "in", origins], RECEIVABLE]
    const asked: ReadonlyArray<Read<ReadonlyArray<unknown>>> = [
      byIds(rpc, model, Mapping.LINE, "id", [...own, ...paying]),
      origins.length > 0 ? rpc.search(model, { domain, fields: Mapping.LINE }) : Effect.succeed([])
    ]
    const lines = (yield* Effect.all(asked, TOGETHER)).flat()
    const decode = Mapping.invoice(new Map(linesOf(lines).map((line) => [line.id, line])))
    Json.decodeAll(into, records, { name: "invoices", kind: "invoice", id: "id", decode })
    yield* settled(rpc, into, lines)
    return into
  })

interface List {
  readonly model: string
  readonly fields: ReadonlyArray<string>
  readonly domain: (since: string | undefined) => ReadonlyArray<unknown>
  readonly read: (rpc: Rpc.Rpc, records: ReadonlyArray<unknown>) => Read<Json.Batch>
}

const LISTS: ReadonlyArray<List> = [
  {
    model: "account.invoice",
    fields: Mapping.INVOICE,
    domain: (since) => [OUT, ...changed(since)],
    read: invoices
  },
  {
    model: "account.move.line",
    fields: Mapping.LINE,
    // Lines of invoices are read with the invoices. Posting a move does not touch its lines, so the move's time is used too.
    domain: (since) => [RECEIVABLE, ...changed(since, "move.write_date")],
    read: (rpc, records) => {
      const into = Json.batch()
      return Effect.as(settled(rpc, into, records), into)
    }
  }
]

/** @param first how many records of each list are needed, if not all */
const pages = (rpc: Rpc.Rpc, after: Bookmark | undefined, first = Number.POSITIVE_INFINITY) => {
  const { now, since } = after ?? {}
  const kept = since === undefined ? {} : { since }
  return Stream.unwrap(
    Effect.map(now === undefined ? newest(rpc) : Effect.succeed(now.began), (began) => {
      const start = { began: began ?? since, list: now?.list ?? 0, id: now?.id ?? "0", read: 0 }
      const time = start.began === undefined ? {} : { began: start.began }
      return Stream.paginate(start, (at) =>
        Effect.gen(function* () {
          const list = LISTS[at.list]
          if (list === undefined) return [[], Option.none()] as const
          const domain = [...list.domain(since), ["id", ">", number(at.id)]]
          const found = yield* rpc.search(list.model, {
            domain,
            fields: list.fields,
            limit: Math.min(PAGE, first - at.read)
          })
          // A record without an id is quarantined; it cannot serve as a position.
          const records = found.filter((record) => idOf(record) === "" || BigInt(idOf(record)) > BigInt(at.id))
          const last = records.map(idOf).findLast((id) => id !== "")
          const read = at.read + found.length
          const isLeft = last !== undefined && read >= first
          const next =
            last === undefined || isLeft ? { ...at, list: at.list + 1, id: "0", read: 0 } : { ...at, id: last, read }
          const done = next.list === LISTS.length
          const bookmark: Bookmark = done
            ? start.began === undefined
              ? kept
              : { since: start.began }
            : { ...kept, now: { ...time, list: next.list, id: next.id } }
          const into = records.length === 0 ? Json.batch() : yield* list.read(rpc, records)
          const scan = isLeft ? { scan: { name: list.model, begins: true } } : {}
          const page: Connector.Page<Bookmark> = { ...into, bookmark, ...scan }
          return [[page], done ? Option.none<typeof at>() : Option.some(next)] as const
        })
      )
    })
  ).pipe(Stream.concat(Stream.fromEffectDrain(rpc.end)))
}

const rpcOf = ({ company, database, password, url, user }: Settings, { environment }: Connector.ConnectorContext) =>
  Rpc.make({
    url,
    database,
    user,
    password: Http.secret("tryton", environment, password.env),
    variable: password.env,
    company: company?.toString()
  })

export const tryton = Connector.make({
  name: "tryton",
  title: "Tryton: invoices, payments, credit notes, write-offs",
  capabilities: {
    kinds: ["invoice", "payment", "reversal", "credit_note"],
    deletions: "status",
    blindSpots: [
      "a draft that is deleted",
      "a payment that was not made from the invoice, and is removed from it by hand before it is reconciled"
    ],
    authorises: "key",
    firstOfEach: true,
    overlapSeconds: OVERLAP_SECONDS,
    limits: { atOnce: 4, by: "server", page: PAGE }
  },
  settings: Settings,
  identity: ({ company, database, url }: Settings) =>
    `database ${database} of ${new URL(url).host}${company === undefined ? "" : `, company ${company}`}`,
  bookmark: Bookmark,
  pull: (settings: Settings, after, surroundings) => pages(rpcOf(settings, surroundings), after, surroundings.first),
  reread: (settings: Settings, wanted, surroundings) => {
    const rpc = rpcOf(settings, surroundings)
    return Stream.fromIterable(Arr.chunksOf(wanted, PAGE)).pipe(
      Stream.mapEffect((chunk) =>
        Effect.gen(function* () {
          const records = yield* byIds(rpc, "account.invoice", Mapping.INVOICE, "id", chunk.filter(isId), [OUT])
          const there = records.map(idOf)
          const into = yield* invoices(rpc, records)
          const deleted = chunk.filter((id) => !there.includes(id)).map((id) => ({ kind: "invoice" as const, id }))
          return { ...into, deleted: [...into.deleted, ...deleted] }
        })
      ),
      Stream.concat(Stream.fromEffectDrain(rpc.end))
    )
  }
})
