/**
 * QuickBooks Online: reads invoices, payments with the credits that they use, and refund receipts, over OAuth 2.
 *
 * The first pull reads every record, oldest first: creation times never change, so edits and deletions meanwhile hide no
 * record. Later pulls use change data capture, which lists changes and deletions; it reaches thirty days back and returns
 * at most a thousand records, without pagination. If either limit is exceeded, every record is read again in a complete
 * scan, because deletions show nowhere else.
 */
import { Array as Arr, Clock, Effect, Stream } from "effect"
import * as Connector from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import { explain } from "./Faults.ts"
import { decoded, everything, idOf, type List, LISTS, MINOR, type Page, query, scan, SIZE, timeOf } from "./Scan.ts"
import { Bookmark, Settings } from "./Settings.ts"
import * as Webhook from "./Webhook.ts"

const [INVOICES, PAYMENTS] = LISTS as [List, List, List]

const OVERLAP_SECONDS = 300
/** The most records that change data capture returns. */
const FULL = 1000
/** One day less than change data capture reaches back. */
const KEPT_MS = 29 * 86_400_000
/** Ids per query. */
const CHUNK = 40
const limits = { perMinute: 500, atOnce: 8, by: "account", page: SIZE } as const
const HOSTS = {
  production: "https://quickbooks.api.intuit.com",
  sandbox: "https://sandbox-quickbooks.api.intuit.com"
} as const
const captured = (http: Http.Http, lists: ReadonlyArray<List>, since: number) =>
  Effect.gen(function* () {
    const changedSince = `${new Date(since - OVERLAP_SECONDS * 1000).toISOString().slice(0, 19)}Z`
    const entities = lists.map(({ name }) => name).join(",")
    const answer = yield* http.get("/cdc", { entities, changedSince, minorversion: MINOR })
    const responses = yield* Http.records("quickbooks", "/cdc", answer, "CDCResponse")
    const found = responses.flatMap((one): ReadonlyArray<unknown> => {
      const all = Json.isObject(one) ? one["QueryResponse"] : undefined
      return Array.isArray(all) ? all : [undefined]
    })
    const of = (one: unknown, name: string) => (Json.isObject(one) ? (one[name] ?? []) : undefined)
    // Taking a missing list for an empty one would move the bookmark past records that were not read.
    if (found.some((one) => lists.some(({ name }) => !Array.isArray(of(one, name)))))
      return yield* Connector.failing("quickbooks").unreadable("/cdc", "the answer is not made of lists of records")
    const changed = lists.map((list) => ({
      list,
      records: found.flatMap((one) => of(one, list.name) as ReadonlyArray<unknown>)
    }))
    const full = changed.reduce((sum, { records }) => sum + records.length, 0) >= FULL
    return { changed, full, time: yield* timeOf(answer.body) }
  })

/** Changes and deletions since the bookmark. */
const changes = (http: Http.Http, settings: Settings, after: Bookmark, since: number) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const all = yield* captured(http, LISTS, since)
      const each = all.full ? yield* Effect.forEach(LISTS, (list) => captured(http, [list], since)) : [all]
      const full = LISTS.filter((_, n) => all.full && each[n]?.full === true)
      const pages = each
        .flatMap(({ changed }) => changed)
        .filter(({ list, records }) => records.length > 0 && !full.includes(list))
        .map(({ list, records }): Page => {
          return { ...decoded(list, records, settings), bookmark: after, scan: { name: list.name } }
        })
      const end =
        full.length > 0
          ? scan(http, settings, full, { began: all.time }, () => after)
          : Stream.make<[Page]>({ read: [], quarantined: [], bookmark: { since: all.time } })
      return Stream.concat(Stream.fromIterable(pages), end)
    })
  )

const quoted = (ids: ReadonlyArray<string>) => ids.map((id) => `'${id.replace(/[\\']/g, "\\$&")}'`).join(",")

/** Reads records by id; also returns the ids that QuickBooks does not have. */
const byId = (http: Http.Http, list: List, ids: ReadonlyArray<string>) =>
  Effect.map(query(http, list, `WHERE Id IN (${quoted(ids)}) MAXRESULTS ${limits.page}`), ({ records }) => {
    const there = new Set(records.map(idOf))
    return { records, missing: ids.filter((id) => !there.has(id)) }
  })

/** The payments that an invoice is linked to. */
const linked = (records: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  Json.objects(records).flatMap((record) =>
    Json.objects(record["LinkedTxn"]).flatMap(({ TxnId, TxnType }) =>
      TxnType === "Payment" && typeof TxnId === "string" ? [TxnId] : []
    )
  )

/** Reads records again, invoices with their payments. Those that QuickBooks does not have are reported as deleted. */
const again = (http: Http.Http, settings: Settings, list: List, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { missing, records } = yield* byId(http, list, ids)
    const deleted = missing.map((Id) => ({ Id, status: "Deleted" }))
    const into = decoded(list, [...records, ...deleted], settings)
    const payments = list.kind === "invoice" ? linked(records) : []
    for (const chunk of Arr.chunksOf(new Set(payments), CHUNK)) {
      const paid = decoded(PAYMENTS, (yield* byId(http, PAYMENTS, chunk)).records, settings)
      for (const name of ["read", "quarantined", "notices", "deleted"] as const)
        into[name].push(...(paid[name] as never[]))
    }
    return into
  })

const REQUESTS: Rest.Requesting = {
  name: "quickbooks",
  account: ({ company }: Settings) => company,
  base: ({ company, environment = "production", url }: Settings) =>
    `${(url ?? HOSTS[environment]).replace(/(?<!\/)\/+$/, "")}/v3/company/${company}`,
  authorise: Rest.oauth2({
    page: "https://appcenter.intuit.com/connect/oauth2",
    tokens: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer",
    scopes: ["com.intuit.quickbooks.accounting"],
    // The consent page sends back the company's id with the code.
    reaches: (_, answered) => {
      const company = answered.get("realmId")
      return Effect.succeed(company === null ? [] : [{ setting: "company", value: company }])
    }
  }),
  limits,
  explain
}

const httpOf = (settings: Settings, context: Connector.ConnectorContext) =>
  Rest.httpOf(REQUESTS, settings as never, context)

const webhook: Connector.Webhook<Settings> = {
  verify: Webhook.verify,
  events: (delivery, { company }) =>
    Webhook.events(
      delivery,
      company,
      LISTS.map(({ name }) => name)
    ),
  reread: (settings, about, surroundings) => {
    const http = httpOf(settings, surroundings)
    const chunks = LISTS.flatMap((list) => {
      const ids = about.filter((one) => one.startsWith(`${list.name}:`)).map((one) => one.slice(list.name.length + 1))
      return Arr.chunksOf(ids, CHUNK).map((chunk) => ({ list, chunk }))
    })
    return Stream.mapEffect(Stream.fromIterable(chunks), ({ chunk, list }) => again(http, settings, list, chunk))
  }
}

export const quickbooks = Connector.make({
  name: "quickbooks",
  title: "QuickBooks Online: invoices, payments, credit memos, refund receipts",
  capabilities: {
    kinds: ["invoice", "payment", "credit_note", "reversal"],
    deletions: "tombstones",
    blindSpots: [
      "money returned by a journal entry or an expense (a bounced cheque): QuickBooks does not link it to an invoice",
      "refund receipts that name no invoice"
    ],
    authorises: "oauth2",
    firstOfEach: true,
    overlapSeconds: OVERLAP_SECONDS,
    limits
  },
  settings: Settings,
  identity: ({ company, environment = "production" }: Settings) => `${environment} company ${company}`,
  bookmark: Bookmark,
  ...Rest.authorisation(REQUESTS),
  pull: (settings: Settings, after, surroundings) => {
    const http = httpOf(settings, surroundings)
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (after?.since === undefined) return everything(http, settings, after ?? {}, surroundings.first !== undefined)
        if (after.since < now - KEPT_MS) return scan(http, settings, LISTS, {}, () => after)
        return changes(http, settings, after, after.since)
      })
    )
  },
  webhook,
  reread: (settings: Settings, ids, surroundings) => {
    const http = httpOf(settings, surroundings)
    const chunks = Arr.chunksOf(ids, CHUNK)
    return Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => again(http, settings, INVOICES, chunk))
  },
  /** Downloads the invoice in the layout that the company chose. */
  documents: (settings: Settings, { id, kind }, surroundings, largest) => {
    if (kind !== "invoice") return Stream.empty
    const file = httpOf(settings, surroundings).file(`/invoice/${Http.segment(id)}/pdf`, "application/pdf", largest)
    return Http.fileOf(file, `${id}.pdf`)
  }
})
