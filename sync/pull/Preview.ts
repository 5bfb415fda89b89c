/**
 * Reads the first records of a source with the connection's own key, and the documents that they become, to be checked
 * before anything is stored. Used by `daybook preview`, `daybook doctor` and the library's `preview`. Stores nothing except
 * tokens that a source changes with every use, and sends nothing.
 */
import { Effect, Stream } from "effect"
import type {
  ConnectorContext as SourceContext,
  Notice,
  QuarantinedRecord,
  Read,
  Requirements,
  SourceError,
  StatedTotal
} from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Secrets from "../../connectors/Secrets.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Bookmarks from "../books/Bookmarks.ts"
import type { Connection } from "../model/Connection.ts"
import * as BookmarkText from "./BookmarkText.ts"
import * as ConnectorContext from "./ConnectorContext.ts"
import * as Ingest from "./Ingest.ts"

/** How many records of each list or file are read. */
export const FIRST = 1000
/** How many documents are shown. */
export const SHOWN = 20

/** A record as the source has it, and its document. */
export interface PreviewRow {
  readonly origin: string
  readonly raw: string
  readonly documents: ReadonlyArray<Document.Document>
}

/** The total of the documents of one kind, status and currency. */
export interface PreviewSum {
  readonly kind: Document.Kind
  /** For invoices and orders. */
  readonly status?: string
  /** Undefined if the documents state none: that of their invoices or orders applies. */
  readonly currency?: string
  readonly documents: number
  /** Undefined if they have no amounts of their own: the amounts of parcels are those of their lines. */
  readonly amount?: Decimal
  /** The open amount that the source itself states, and for how many of them. */
  readonly open?: { readonly amount: Decimal; readonly documents: number }
}

export interface Preview {
  /** Everything in the source was read; otherwise the first records of each list or file. */
  readonly whole: boolean
  /** The number of documents. */
  readonly documents: number
  readonly rows: ReadonlyArray<PreviewRow>
  readonly quarantined: ReadonlyArray<QuarantinedRecord>
  readonly notices: ReadonlyArray<Notice>
  readonly sums: ReadonlyArray<PreviewSum>
  /** Totals that lists state themselves and that do not equal what was read of them. */
  readonly differing: ReadonlyArray<StatedTotal>
}

export interface PreviewOptions {
  /** How many documents to show; default 20. */
  readonly show?: number
  /** How many records of each list or file to read; default 1,000. */
  readonly first?: number
  /** How many characters of each record's text to keep; default: all. */
  readonly characters?: number
}

/** A document, and the record that it was made of. */
type Found = Pick<Read, "document" | "origin" | "raw">

/** The amount of a document; undefined if it has none of its own. */
const amountOf = (document: Document.Document): Decimal | undefined => {
  const total = (all: ReadonlyArray<{ readonly amount: Decimal }>) => all.reduce((sum, { amount }) => sum + amount, 0n)
  switch (document.kind) {
    case "invoice":
      return document.gross ?? document.net
    case "order":
      return document.lines.reduce((sum, { gross }) => sum + gross, 0n)
    case "payment":
    case "reversal":
      return total(document.shares) + (document.unallocated ?? 0n)
    case "credit_note":
      return total(document.shares)
    case "fulfilment":
      return undefined
    case "payout":
    case "cancellation":
    case "return":
      return document.amount
  }
}

/** The open amount of an invoice that the source itself states: from a balance, or from what was paid. */
const openOf = (document: Document.Document): Decimal | undefined => {
  if (document.kind !== "invoice" || document.stated === undefined) return undefined
  const { credited = 0n, open, paid } = document.stated
  return open ?? (paid === undefined ? undefined : (document.gross ?? document.net ?? 0n) - paid - credited)
}

/** The totals of documents; if one came twice, the later version counts. */
const summed = (found: ReadonlyArray<Found>): ReadonlyArray<PreviewSum> => {
  const currencies = new Map<string, string>()
  for (const { document } of found)
    if (document.kind === "invoice" || document.kind === "order")
      currencies.set(`${document.kind}/${document.id}`, document.currency)
  /** The currency of the invoice or order that a document belongs to, if that was read. */
  const ofOwner = (document: Document.Document): string | undefined => {
    if (Document.isAllocated(document)) return currencies.get(`invoice/${document.shares[0]?.invoice}`)
    return Document.isOrderFact(document) ? currencies.get(`order/${document.order}`) : undefined
  }
  const sums = new Map<string, PreviewSum>()
  for (const { document } of found) {
    const { kind } = document
    const status = "status" in document ? document.status : undefined
    const currency = document.currency ?? ofOwner(document)
    const key = JSON.stringify([Document.KINDS.indexOf(kind), currency ?? "~", status])
    const before = sums.get(key)
    const amount = added(before?.amount, amountOf(document))
    const open = openOf(document)
    const its = before?.open
    const stated =
      open === undefined ? its : { amount: (its?.amount ?? 0n) + open, documents: (its?.documents ?? 0) + 1 }
    sums.set(key, {
      kind,
      ...(status === undefined ? {} : { status }),
      ...(currency === undefined ? {} : { currency }),
      documents: (before?.documents ?? 0) + 1,
      ...(amount === undefined ? {} : { amount }),
      ...(stated === undefined ? {} : { open: stated })
    })
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

const added = (sum: Decimal | undefined, amount: Decimal | undefined): Decimal | undefined =>
  amount === undefined ? sum : (sum ?? 0n) + amount

interface Row extends PreviewRow {
  readonly documents: Array<Document.Document>
}

/**
 * Takes turns between the kinds, so that each is shown however many there are of the first; keeps documents of a record
 * together.
 */
const shown = (found: ReadonlyArray<Found>, show: number): ReadonlyArray<PreviewRow> => {
  const records = new Map<string, { readonly kind: Document.Kind; readonly row: Row }>()
  for (const { document, origin, raw } of found) {
    const key = JSON.stringify([origin, raw])
    const record = records.get(key) ?? { kind: document.kind, row: { origin, raw, documents: [] } }
    record.row.documents.push(document)
    records.set(key, record)
  }
  const kinds = new Map<Document.Kind, number>()
  const turns = [...records.values()].map(({ kind, row }) => {
    const turn = kinds.get(kind) ?? 0
    kinds.set(kind, turn + 1)
    return { place: Document.KINDS.indexOf(kind), row, turn }
  })
  let left = show
  const taken = turns
    .toSorted((a, b) => a.turn - b.turn || a.place - b.place)
    .filter(({ row }) => {
      const fits = left > 0
      if (fits) left -= row.documents.length
      return fits
    })
  return taken.toSorted((a, b) => a.place - b.place || a.turn - b.turn).map(({ row }) => row)
}

/** @param state the state file, whose vault is beside it; it need not exist */
export const preview = (
  place: ConnectorContext.Place,
  connection: Connection,
  state: string,
  options: PreviewOptions = {}
): Effect.Effect<Preview, SourceError, Requirements> =>
  Effect.flatMap(contextOf(place, connection, state), (context) => within(connection, context, options))

/** What a connector gets for a preview: of files, what the last pull knew as well. */
export const contextOf = (
  place: ConnectorContext.Place,
  connection: Connection,
  state: string
): Effect.Effect<SourceContext, SourceError> =>
  Effect.gen(function* () {
    const context = yield* ConnectorContext.of(place, connection, state)
    if (connection.connector.capabilities.onThisMachine !== true) return context
    const before = yield* BookmarkText.of(connection.connector).read(Bookmarks.storedIn(state, connection.id))
    return before === undefined ? context : { ...context, before }
  })

/** The same, where it was found out already what the connector gets. */
export const within = (
  connection: Pick<Connection, "connector" | "id" | "settings">,
  context: SourceContext,
  { characters = Number.POSITIVE_INFINITY, first = FIRST, show = SHOWN }: PreviewOptions = {}
): Effect.Effect<Preview, SourceError, Requirements> =>
  Effect.gen(function* () {
    const { connector, settings } = connection
    const surroundings = { ...context, first }
    const kept = <A extends { readonly raw: string }>(one: A): A =>
      one.raw.length > characters ? { ...one, raw: one.raw.slice(0, characters) } : one
    /** By kind and id: a document that changes meanwhile comes again. */
    const documents = new Map<string, Found>()
    const quarantined = new Map<string, QuarantinedRecord>()
    const notices: Array<Notice> = []
    const differing: Array<StatedTotal> = []
    /** Lists whose end was not reached, and whether the reading was stopped. */
    const begun = new Set<string>()
    let left = false
    let scanned = false
    let records = 0
    const most = connector.capabilities.firstOfEach === true ? Number.POSITIVE_INFINITY : first
    yield* Ingest.pages(connection, surroundings, () => connector.pull(settings, undefined, surroundings)).pipe(
      Stream.takeUntil((page) => {
        records += page.read.length + page.quarantined.length
        left = records >= most
        return left
      }),
      Stream.runForEach((page) =>
        Effect.sync(() => {
          for (const one of page.read) documents.set(`${one.document.kind}/${one.document.id}`, kept(one))
          for (const { id, kind } of page.deleted ?? []) documents.delete(`${kind}/${id}`)
          for (const one of page.quarantined.map(kept))
            quarantined.set(JSON.stringify([one.origin, one.raw, one.field, one.why]), one)
          notices.push(...(page.notices ?? []))
          differing.push(...(page.stated ?? []).filter(({ amount, read }) => amount !== read))
          scanned ||= page.scan !== undefined
          if (page.scan?.begins === true) begun.add(page.scan.name)
          if (page.scan?.ends === true) begun.delete(page.scan.name)
        })
      )
    )
    const hide = Secrets.hiding(settings, surroundings.environment)
    const all = [...documents.values()]
    return {
      whole: !left && begun.size === 0 && (scanned || !cut(all, first)),
      documents: all.length,
      rows: shown(all, show),
      quarantined: [...quarantined.values()].map((one) => ({ ...one, why: hide(one.why) })),
      notices,
      sums: summed(all),
      differing
    }
  })

/** A list without start and end markers may have been cut if as many documents of a kind came as were requested. */
const cut = (found: ReadonlyArray<Found>, first: number): boolean =>
  Document.KINDS.some((kind) => found.filter(({ document }) => document.kind === kind).length >= first)
