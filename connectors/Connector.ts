/**
 * The contract between a source's connector and the engine.
 *
 * `pull` yields pages. A page is the unit of progress: its documents, the records that could not be read, and its
 * bookmark are stored in one transaction, so an interrupted pull resumes after the last complete page and never sees
 * half of one. Connectors decode and report; they make no decisions.
 */
import type { Effect, FileSystem, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type { Decimal } from "../core/money/Decimal.ts"
import type { Capabilities } from "./Capabilities.ts"
import type { Document, Kind } from "./Document.ts"
import { inCapabilities, type Known, misnamed, refuse } from "./Misnamed.ts"
import type { Copy, Coverage, StatementEntry } from "./Parts.ts"
import { failing, Misconfigured, reworded, SourceError, Unavailable, Unreachable, Unreadable } from "./SourceError.ts"

export type { Capabilities, Deletions } from "./Capabilities.ts"
export type { Limits } from "./Limits.ts"

/** One document with the record that it was made from. */
export interface Read {
  readonly document: Document
  /** The record as the source sent it. */
  readonly raw: string
  /** Where the record was found: `invoices.csv:12`, `Invoices/4f1c…`. */
  readonly origin: string
}

/** A record that could not be read. It is stored with its text, listed, and decoded again when it is next read. */
export interface QuarantinedRecord {
  readonly kind: Kind
  readonly origin: string
  readonly raw: string
  /** The member or column that is wrong, if it is one in particular. */
  readonly field?: string
  /** What is wrong and how to fix it, in plain words. */
  readonly why: string
  /**
   * The document's id, if it could be read. Documents stored under this id, or under ids that begin with it and a slash,
   * then stay. When it is missing, no document of this scan is considered deleted.
   */
  readonly id?: string
}

/** Something unusual that lost no data: the document was read without it. Counted by `what`. */
export interface Notice {
  readonly origin: string
  /** `country "897" is not known; left out`. Equal notices are shown once, with a count. */
  readonly what: string
}

/** What a page contains, or what `reread` returns. */
export interface PageContents {
  readonly read: ReadonlyArray<Read>
  readonly quarantined: ReadonlyArray<QuarantinedRecord>
  readonly notices?: ReadonlyArray<Notice>
  /** Documents that the source says are deleted, or does not find when asked for them by id. */
  readonly deleted?: ReadonlyArray<Named>
  /**
   * Ids of orders whose fulfilments, cancellations and returns are all in this page, or of invoices whose payments, reversals
   * and credit notes are. Stored ones that are not in it are deleted.
   */
  readonly complete?: ReadonlyArray<string>
}

/**
 * A total that the list itself states for its records: a total row below them, or the closing balance of a statement. Or what
 * the configuration leaves out of the list by name.
 */
export interface StatedTotal {
  /** The kind of the records; invoices by default. The orders statement shows those of orders and their facts. */
  readonly kind?: Kind
  /** `invoices.csv` */
  readonly list: string
  readonly what: "total" | "closing balance" | "left out"
  /** The list's own name for the column: `Gross`. */
  readonly column: string
  readonly currency: string
  readonly amount: Decimal
  /** The sum of the records that were read, without those that are quarantined or were read before. */
  readonly read: Decimal
  /** `invoices.csv:62` */
  readonly at: string
}

/**
 * The records between two cuts of a list. If it is `known`, the books remember it, and the next pull may skip it where it
 * finds the same bytes: each record has to mean the same whatever other records there are.
 */
export interface Chunk {
  readonly known?: {
    /** Covers the chunk's bytes, and everything that its records are decoded by. */
    readonly digest: string
    readonly documents: number
    /** Whatever the connector needs to skip it. */
    readonly detail: string
  }
}

/** A page of a pull, and the bookmark from which the next pull continues. */
export interface Page<Bookmark> extends PageContents {
  readonly bookmark: Bookmark
  /**
   * A part of the source (a file, a list) whose complete read begins or ends with this page. Every record of the part is
   * read between `begins` and `ends`, so documents stored for it that were not seen in between are deleted.
   */
  readonly scan?: { readonly name: string; readonly begins?: boolean; readonly ends?: boolean; readonly copy?: Copy }
  /** Of a bank's statements: what each of `read` is made from. Entries of one account, day and amount are in one page. */
  readonly entries?: ReadonlyArray<StatementEntry>
  /** With the end of a bank's statements: the days that they are the last word on. */
  readonly covers?: ReadonlyArray<Coverage>
  /** Parts that are not there any more. What was read of them stays, unless another part states it. */
  readonly gone?: ReadonlyArray<string>
  /** Parts that did not change since they were last read to the end, and were not read again. */
  readonly unchanged?: ReadonlyArray<string>
  /** Totals of the scan's lists, kept until the scan begins anew. */
  readonly stated?: ReadonlyArray<StatedTotal>
  /** The chunk that ends with this page: it began with the scan, or after the last page that names chunks. */
  readonly chunk?: Chunk
  /** The digests of chunks that follow here, and are as they were: their documents count as read. */
  readonly skipped?: ReadonlyArray<string>
}

/** A document, by its kind and its id in the source. */
export interface Named {
  readonly kind: Kind
  readonly id: string
}

/** A document's file for people to read, as the source has it. Its media type is detected from its content. */
export interface DocumentFile {
  /** `INV-1.pdf` */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Stores a connection's secrets that change by themselves (tokens), encrypted. `change` holds a lock within this process
 * and across processes; its result is on disk before it is returned.
 */
export interface Vault {
  readonly read: Effect.Effect<string | undefined, SourceError>
  readonly update: <E, R>(
    change: (held: string | undefined) => Effect.Effect<string, E, R>
  ) => Effect.Effect<string, E | SourceError, R>
}

/** What the surrounding program provides to a connector. */
export interface ConnectorContext {
  /** The configuration file's folder: paths in settings are relative to it. */
  readonly folder: string
  /** If set, only files in these folders may be read, whatever settings say and symbolic links point to. */
  readonly folders?: ReadonlyArray<string>
  /** Somebody else entered its address: where its requests may lead. Its answers are as large as they like. */
  readonly entered?: "internet" | "anywhere"
  /** Environment variables, for secrets that settings refer to by name. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** For connectors that authorise with tokens. */
  readonly vault?: Vault
  /**
   * Set for a preview: only this many records of each list or file are needed, and nothing is stored. A list that is cut
   * short does not end its scan. A list without scans begins one where it is cut short, which tells the preview so.
   */
  readonly first?: number
  /** Set for a preview: the bookmark of the last pull. Everything is read all the same; it says what has changed since. */
  readonly before?: unknown
  /** By scan, the chunks that may be skipped: what `detail` said, by digest. */
  readonly chunks?: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** How a user authorises a connector that uses OAuth 2; `daybook connect` needs this. */
export interface Authorisation {
  /** The page on which the user gives consent. */
  readonly page: string
  /** The token endpoint. */
  readonly tokens: string
  /** Whether the client is identified in the body of token requests; otherwise in a header. */
  readonly inBody?: boolean
  readonly scopes: ReadonlyArray<string>
  /** The environment variables that hold the client's id and secret. */
  readonly client: { readonly id: string; readonly secret: string }
  /**
   * Returns what was authorised, for the user to compare with the settings: `{ setting: "tenant", value: "4f1c…", name:
   * "Acme Ltd" }`. `answered` holds the parameters that the consent page sent back.
   */
  readonly reaches?: (
    access: string,
    answered: URLSearchParams
  ) => Effect.Effect<
    ReadonlyArray<{ readonly setting: string; readonly value: string; readonly name?: string }>,
    SourceError,
    HttpClient.HttpClient
  >
}

export type Requirements = FileSystem.FileSystem | HttpClient.HttpClient

/** A webhook request. It is trusted only as a hint that something changed. */
export interface Delivery {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The exact bytes, because signatures are computed over bytes. */
  readonly body: Uint8Array
}

/** One thing that a delivery says must be read again. */
export interface WebhookEvent {
  /** The argument for `reread` below; left out where only a pull shows the change. */
  readonly about?: string
  /** The event's id, equal in every copy of the event. */
  readonly event: string
}

/** How a source's webhooks are authenticated, and which documents they point to. */
export interface Webhook<Settings> {
  /** Whether the source signed the delivery with this secret. */
  verify(delivery: Delivery, secret: string, now: number): boolean
  /** The documents it points to; empty if this connector reads none of them, undefined if the payload is unrecognised. */
  events(delivery: Delivery, settings: Settings): ReadonlyArray<WebhookEvent> | undefined
  /** Reads these documents again. The bookmark does not change. */
  reread(
    settings: Settings,
    about: ReadonlyArray<string>,
    surroundings: ConnectorContext
  ): Stream.Stream<PageContents, SourceError, Requirements>
}

export interface Connector<
  Name extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: any settings, any bookmark; each connector names its own
  Settings extends Schema.Codec<any, any> = Schema.Codec<any, any>,
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Bookmark extends Schema.Codec<any, any> = Schema.Codec<any, any>
> {
  readonly name: Name
  /** The contract version that the connector was written for; set by `make`. */
  readonly contract?: number
  /** One line for `daybook connectors list`. */
  readonly title: string
  readonly capabilities: Capabilities
  /** The schema of a connection's `source` member, without `connector`. */
  readonly settings: Settings
  readonly bookmark: Bookmark
  /**
   * Names the organisation, shop or account that these settings read: `tenant 4f1c…`, `shop my-shop`. The text must stay
   * the same as long as it is the same account, so it is made from settings that do not change by accident, and never from
   * a secret. A connection whose identity changes stops. Undefined, or left out, if the settings do not tell.
   */
  identity?(settings: Settings["Type"]): string | undefined
  /** The address of a document's page at the source, for people. Undefined, or left out, if it is not known. */
  page?(settings: Settings["Type"], kind: Kind, id: string): string | undefined
  /** How a user authorises it, if it uses OAuth 2. */
  authorisation?(settings: Settings["Type"]): Authorisation
  /** Runs checks that need I/O (files exist, columns are present). Returns what is wrong; empty if nothing is. */
  check?(
    settings: Settings["Type"],
    surroundings: ConnectorContext
  ): Effect.Effect<ReadonlyArray<string>, SourceError, Requirements>
  pull(
    settings: Settings["Type"],
    after: Bookmark["Type"] | undefined,
    surroundings: ConnectorContext
  ): Stream.Stream<Page<Bookmark["Type"]>, SourceError, Requirements>
  /**
   * Whether a pull would now take enough processor time to be worth a thread of its own, beside the one that stores: large
   * files. In that thread it gets the same settings, `folder` and `chunks`, and nothing else of its context.
   */
  isHeavy?(
    settings: Settings["Type"],
    after: Bookmark["Type"] | undefined,
    surroundings: ConnectorContext
  ): Effect.Effect<boolean>
  /** For sources that send webhooks. */
  readonly webhook?: Webhook<Settings["Type"]>
  /**
   * Used by sweeps: reads these invoices again, by id, with everything that belongs to them. Those that the source no
   * longer has are returned as `deleted`. The bookmark does not change.
   */
  reread?(
    settings: Settings["Type"],
    invoices: ReadonlyArray<string>,
    surroundings: ConnectorContext
  ): Stream.Stream<PageContents, SourceError, Requirements>
  /**
   * Returns the files of a document, such as the copy of an invoice that its buyer received; empty if the source has none.
   * They are attached when an insured invoice is handed over to collections. A file larger than `largest` bytes fails.
   */
  documents?(
    settings: Settings["Type"],
    of: Named,
    surroundings: ConnectorContext,
    largest: number
  ): Stream.Stream<DocumentFile, SourceError, Requirements>
}

/** The contract's version. It is raised only when existing connectors would stop working. */
export const CONTRACT = 2

const CONNECTOR: Known<Connector> = {
  name: true,
  contract: true,
  title: true,
  capabilities: true,
  settings: true,
  bookmark: true,
  identity: true,
  page: true,
  authorisation: true,
  check: true,
  pull: true,
  isHeavy: true,
  webhook: true,
  reread: true,
  documents: true
}

export const make = <
  const Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  Settings extends Schema.Codec<any, any>,
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  Bookmark extends Schema.Codec<any, any>
>(
  connector: Connector<Name, Settings, Bookmark>
): Connector<Name, Settings, Bookmark> => {
  refuse(connector.name, [...misnamed(connector, CONNECTOR, ""), ...inCapabilities(connector.capabilities)])
  return { contract: CONTRACT, ...connector }
}

export type { Copy, Coverage, StatementEntry }
export { failing, Misconfigured, reworded, SourceError, Unavailable, Unreachable, Unreadable }
