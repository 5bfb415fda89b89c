/**
 * What a source must provide to be synchronised.
 *
 * `pull` yields pages. A page is the unit of progress: its documents, the records that could not be read, and its
 * bookmark are stored in one transaction, so an interrupted pull resumes after the last whole page and never sees
 * half of one. Connectors decode and report; they decide nothing.
 */
import type { Effect, FileSystem, Stream } from "effect"
import { Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { Decimal } from "../core/money/Decimal.ts"
import type { Document, Kind } from "./Document.ts"

/** One document with the record that it was made from. */
export interface Read {
  readonly document: Document
  /** The record as the source gave it. */
  readonly raw: string
  /** Where it stood: `invoices.csv:12`, `Invoices/4f1c…`. */
  readonly origin: string
}

/** A record that could not be read: quarantined with its text, listed, and tried again when it is read again. */
export interface QuarantinedRecord {
  readonly kind: Kind
  readonly origin: string
  readonly raw: string
  /** The member or column to blame, where one is. */
  readonly field?: string
  /** What is wrong and what to do, in plain words. */
  readonly why: string
  /**
   * The document's id, where that much could be read: what is stored under it, or under ids that begin with it
   * and a slash, then stays. Without one, nothing of this part is taken to have vanished.
   */
  readonly id?: string
}

/** Something odd that cost nothing: the document was read without it. Counted by `what`. */
export interface Notice {
  readonly origin: string
  /** `country "897" is not known; left out`. Equal notices are shown once with their number. */
  readonly what: string
}

/** What was read: by a page, or of documents that were asked for again. */
export interface PageContents {
  readonly read: ReadonlyArray<Read>
  readonly quarantined: ReadonlyArray<QuarantinedRecord>
  readonly notices?: ReadonlyArray<Notice>
  /** Documents that the source says are deleted, or no longer knows when it is asked for them by id. */
  readonly deleted?: ReadonlyArray<Named>
  /**
   * Orders, by their ids, whose parcels, cancellations and returns are all in this page: those that are stored and not in
   * it are gone.
   */
  readonly complete?: ReadonlyArray<string>
}

/** What a list itself says that its records come to: a total below them, or the closing balance of a statement. */
export interface StatedTotal {
  /** What its records are; invoices unless given. The statement of orders shows those of orders and what belongs to them. */
  readonly kind?: Kind
  /** `invoices.csv` */
  readonly list: string
  readonly what: "total" | "closing balance"
  /** The list's own name of what is added up: `Gross`. */
  readonly column: string
  readonly currency: string
  readonly amount: Decimal
  /** What its records come to that were read. Those that are quarantined, or were there before, are not in it. */
  readonly read: Decimal
  /** `invoices.csv:62` */
  readonly at: string
}

/** A page of a pull, and the bookmark behind it. */
export interface Page<Bookmark> extends PageContents {
  readonly bookmark: Bookmark
  /**
   * A part of the source (a file, a listing) that begins or ends with this page. Between `begins` and `ends` of
   * one part every record of that part is seen, so what is stored for it and was not seen has vanished.
   */
  readonly scan?: { readonly name: string; readonly begins?: boolean; readonly ends?: boolean }
  /** Parts that are as they were when they were last read to the end: nothing of them was read again. */
  readonly unchanged?: ReadonlyArray<string>
  /** Of the scan's lists, kept until the scan is read from its beginning again. */
  readonly stated?: ReadonlyArray<StatedTotal>
}

/** A document, by its kind and its id in the source. */
export interface Named {
  readonly kind: Kind
  readonly id: string
}

/** A file that people read of a document, as the source has it. What type it is is found by its content. */
export interface DocumentFile {
  /** `INV-1.pdf` */
  readonly name: string
  readonly bytes: Uint8Array
}

/** How a connector learns that a document is gone. */
export type Deletions = "status" | "tombstones" | "complete scan" | "not at all"

export interface Capabilities {
  readonly kinds: ReadonlyArray<Kind>
  readonly deletions: Deletions
  /** Edits that the bookmark does not see, in words; what a sweep must read again. */
  readonly blindSpots: ReadonlyArray<string>
  /** How it authorises; nothing unless said. */
  readonly authorises?: "key" | "oauth2"
  /**
   * It keeps to `first` of its context, of each of its lists or files. Without this, a preview is what comes first of all:
   * enough where there is one list, whose records come with all that belongs to them.
   */
  readonly firstOfEach?: true
  /** How far a pull by bookmark reaches back behind it, so that ties and late commits are seen. */
  readonly overlapSeconds?: number
  readonly limits?: Limits
  /**
   * What a thousand records cost in requests: `lists` for lists and what is asked for many records at once, `each` at most
   * for what is asked for by itself. Of a source that is declared, computed.
   */
  readonly requestsPerThousand?: { readonly lists: number; readonly each: number }
}

/** What the source allows, as its documentation says. */
export interface Limits {
  readonly perMinute?: number
  readonly perDay?: number
  /** Requests at the same time. */
  readonly atOnce?: number
  /** Records in one page. */
  readonly page?: number
}

/**
 * Secrets of one connection that change by themselves (tokens), sealed where they are kept. `change` runs alone, in this
 * process and in any other; what it answers is on disk before anybody gets to see it.
 */
export interface Vault {
  readonly read: Effect.Effect<string | undefined, SourceError>
  readonly update: <E, R>(
    change: (held: string | undefined) => Effect.Effect<string, E, R>
  ) => Effect.Effect<string, E | SourceError, R>
}

/** What a connector may ask of the program around it. */
export interface ConnectorContext {
  /** Paths in settings are relative to the configuration file's folder. */
  readonly folder: string
  /** Variables of the environment, for the secrets that settings name. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** For connectors that authorise with tokens. */
  readonly vault?: Vault
  /**
   * Only so many records of each list or file are wanted: this reading is a preview, and nothing of it is stored. What is
   * left then does not end the list's scan; a list without scans begins one where it is left, so that a preview knows.
   */
  readonly first?: number
}

/** How a person lets a connector in that authorises with OAuth 2: what `daybook connect` needs to know. */
export interface Authorisation {
  /** The page on which the person agrees. */
  readonly page: string
  /** The address that gives tokens. */
  readonly tokens: string
  /** The client is named in the body of what asks for them; in a header otherwise. */
  readonly inBody?: boolean
  readonly scopes: ReadonlyArray<string>
  /** The variables of the environment that hold them. */
  readonly client: { readonly id: string; readonly secret: string }
  /**
   * What was authorised, for the person to compare with the settings: `{ setting: "tenant", value: "4f1c…", name: "Acme
   * Ltd" }`. `answered` is what the page sent back.
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

/** What a source posted. Nothing in it is believed, but that something changed. */
export interface Delivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it arrived: signatures are of bytes. */
  readonly body: Uint8Array
}

/** One thing that a delivery says is to be read again. */
export interface WebhookEvent {
  /** For `reread` below; left out where only a pull shows it. */
  readonly about?: string
  /** Of the event, the same in every copy of it. */
  readonly event: string
}

/** How a source's webhooks are known to be its own, and what they point to. */
export interface Webhook<Settings> {
  /** Whether the source signed it with this secret. */
  verify(delivery: Delivery, secret: string, now: number): boolean
  /** What it points to; nothing where it is about nothing that this connector reads. Undefined: it cannot be understood. */
  events(delivery: Delivery, settings: Settings): ReadonlyArray<WebhookEvent> | undefined
  /** Reads these again. The bookmark stays where it is. */
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
  /** The version of this contract that it was written for; `make` says it. */
  readonly contract?: number
  /** One line for `daybook connectors list`. */
  readonly title: string
  readonly capabilities: Capabilities
  /** Decodes the `source` member of a connection, `connector` left out. */
  readonly settings: Settings
  readonly bookmark: Bookmark
  /**
   * Which organisation, shop or account these settings read, in words that stay the same as long as it is the same one:
   * `tenant 4f1c…`, `shop my-shop`. Made from settings that do not change by accident, and never from a secret. A
   * connection that suddenly reads another one stops. Undefined, or left out: the settings do not say.
   */
  identity?(settings: Settings["Type"]): string | undefined
  /** How a person lets it in, where it authorises with OAuth 2. */
  authorisation?(settings: Settings["Type"]): Authorisation
  /** Checks that need the outside (files exist, columns are there). Empty when all is well. */
  check?(
    settings: Settings["Type"],
    surroundings: ConnectorContext
  ): Effect.Effect<ReadonlyArray<string>, SourceError, Requirements>
  pull(
    settings: Settings["Type"],
    after: Bookmark["Type"] | undefined,
    surroundings: ConnectorContext
  ): Stream.Stream<Page<Bookmark["Type"]>, SourceError, Requirements>
  /** For sources that post what changed. */
  readonly webhook?: Webhook<Settings["Type"]>
  /**
   * The sweep's half: reads these invoices again, by id, with all that belongs to them. What the source no longer knows
   * is answered as `gone`. The bookmark stays where it is.
   */
  reread?(
    settings: Settings["Type"],
    invoices: ReadonlyArray<string>,
    surroundings: ConnectorContext
  ): Stream.Stream<PageContents, SourceError, Requirements>
  /**
   * The files of a document, such as the copy of an invoice that its buyer got; none where the source has none. They are
   * attached where an insured invoice is handed over to collections. One with more than `largest` bytes fails.
   */
  documents?(
    settings: Settings["Type"],
    of: Named,
    surroundings: ConnectorContext,
    largest: number
  ): Stream.Stream<DocumentFile, SourceError, Requirements>
}

/** The version of this contract. It changes only where a connector that kept the last one would no longer work. */
export const CONTRACT = 2

export const make = <
  const Name extends string,
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  Settings extends Schema.Codec<any, any>,
  // biome-ignore lint/suspicious/noExplicitAny: see Connector
  Bookmark extends Schema.Codec<any, any>
>(
  connector: Connector<Name, Settings, Bookmark>
): Connector<Name, Settings, Bookmark> => ({ contract: CONTRACT, ...connector })

/** The host of the source did not answer. Trying again may help. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { why: Schema.String }) {}

/** The source answered, or is there, and cannot be read now: a limit, a fault of its own, a lock. Later it may be. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { why: Schema.String }) {}

/** The source refused, or the settings do not fit it. Trying again will not help; `hint` says what will. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  what: Schema.String,
  hint: Schema.String,
  /** It no longer accepts the credentials: the connection has to be authorised anew. */
  unauthorised: Schema.optionalKey(Schema.Literal(true))
}) {}

/** The source as a whole cannot be understood (one record that cannot is quarantined instead). */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  where: Schema.String,
  why: Schema.String
}) {}

type Reason = Unreachable | Unavailable | Misconfigured | Unreadable

/** The same reason, with its words changed: such as to hide a secret in them. */
export const reworded = (reason: Reason, change: (words: string) => string): Reason => {
  switch (reason._tag) {
    case "Unreachable":
      return new Unreachable({ why: change(reason.why) })
    case "Unavailable":
      return new Unavailable({ why: change(reason.why) })
    case "Misconfigured":
      return new Misconfigured({ ...reason, what: change(reason.what), hint: change(reason.hint) })
    case "Unreadable":
      return new Unreadable({ where: change(reason.where), why: change(reason.why) })
  }
}

/** One error in the type, the reason inside it. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  /** The connector's name. */
  connector: Schema.String,
  /** The connection that was read; whoever reads it adds it. */
  connection: Schema.optionalKey(Schema.String),
  reason: Schema.Union([Unreachable, Unavailable, Misconfigured, Unreadable])
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "Unreachable":
        return `${this.connector}: cannot be reached: ${reason.why}`
      case "Unavailable":
        return `${this.connector}: cannot be read now: ${reason.why}`
      case "Misconfigured":
        return `${this.connector}: ${reason.what}; ${reason.hint}`
      case "Unreadable":
        return `${this.connector}: ${reason.where} cannot be read: ${reason.why}`
    }
  }
}
