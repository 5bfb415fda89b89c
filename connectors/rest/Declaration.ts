/**
 * Defines how a source is declared as data: where its lists are, how they are paginated, how changes are queried, which
 * child lists a record has, and how records are mapped. `index.ts` does everything else (pages, bookmarks, rate limits,
 * deletions during a read).
 */
import type { Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { Authorisation, Deletions, Delivery, Limits, SourceError, WebhookEvent } from "../Connector.ts"
import type { Kind } from "../Document.ts"
import type * as Http from "../Http.ts"
import type * as Json from "../Json.ts"

/** A place in an answer: a member by its path (`meta.total`), or a header (`header:x-total-count`). */
export type Place = string

/** How an answer states the length of its list. */
interface Counted {
  /** The number of records; without it, a record deleted during the read would hide another one unnoticed. */
  readonly total: Place
  /** The number of pages. */
  readonly pages?: Place
  /** Whether another page follows. */
  readonly more?: Place
}

/** A list from which nothing is ever deleted, and how that is known. */
interface Growing extends Partial<Counted> {
  readonly keeps: string
}

export type Pagination =
  /** Page numbers, from 1 unless it says from 0. */
  | ({ readonly by: "page"; readonly param: string; readonly from?: 0 | 1 } & (Counted | Growing))
  /** An offset: the number of records to skip. */
  | ({ readonly by: "offset"; readonly param: string } & (Counted | Growing))
  /** A cursor from the previous answer. */
  | { readonly by: "cursor"; readonly param: string; readonly next: Place }
  /** The `Link` header with `rel="next"`. */
  | { readonly by: "link" }
  /** The URL of the next page, in the answer. */
  | { readonly by: "next"; readonly next: Place }
  /**
   * Records after a given id, in the order of ids. `inclusive`: the answer begins with that id itself; if ids are
   * `"numbers"`, the next number is requested instead. `total` is the number of records from there on. `written`: how the
   * parameter names the id, if it is part of a condition: `(id) => \`id gt '${id}'\``. Where `changes` or `query` ask for
   * something in the same parameter, `also` is what: `(id, also) => [also, \`id gt '${id}'\`].filter(Boolean).join(" and ")`.
   */
  | {
      readonly by: "last id"
      readonly param: string
      readonly inclusive?: boolean | "numbers"
      readonly written?: (id: string, also: string | undefined) => string
      readonly more?: Place
      readonly total?: Place
    }
  /** One answer has the whole list. */
  | { readonly by: "none" }

/** How a list is requested. */
export interface List {
  readonly path: string
  /** The member with the records; by default the answer itself is the list. */
  readonly records?: string
  /** The path of a record's id; `id` by default. */
  readonly id?: string
  readonly query?: Http.Query | ((settings: never) => Http.Query)
  /** For a list requested with POST: makes the body, from what would otherwise be the query parameters. */
  readonly question?: (query: Http.Query, settings: never) => unknown
  /** Records per page, and the parameter that sets it. */
  readonly size: { readonly most: number; readonly param?: string }
  readonly pagination: Pagination
  /** Set if a 404 means an empty list; by default it is an error. */
  readonly missing?: "none"
  /**
   * Set to `none` if an answer without the records member means an empty list, and to `[]` if that is written instead of the
   * answer, as PHP writes an object without members; by default both are errors.
   */
  readonly absent?: "none" | "[]"
  /** The answer, or its member, is one record, as for a record that another one names. */
  readonly single?: true
}

/** Records that belong to another record; added to it, under their name, before it is mapped. */
export type Child = List &
  (
    | {
        /** For many records in one request: `param` takes their ids, `key` is the member of a child that names its record. */
        readonly by: "ids"
        readonly param: string
        readonly key: string
        readonly separator?: string
        /** How the parameter names the ids, if not as a list: `(ids) => \`[${ids.join("|")}]\``. */
        readonly written?: (ids: ReadonlyArray<string>) => string
        /** The path of the id to request by; the record's own id by default. */
        readonly whose?: string
      }
    | {
        /** One request per record, with `{id}` in the path: the last resort. */
        readonly by: "each"
        /** The parameter with the id, if it is not in the path. */
        readonly param?: string
        /** The path of the id to request by; the record's own id by default. */
        readonly whose?: string
        /**
         * How many children there are according to the record, which has the children that are declared before these, or
         * whether there are any; for none, no request is sent.
         */
        readonly expects: ((record: Json.Fields) => number | boolean) | "unknown"
        /** How many a child counts for: reading stops once the expected number is reached. */
        readonly counts?: (child: Json.Fields) => number
        /**
         * One list with the children of all records, for a first pull, unless the source lacks it (404). `key` is the member of
         * a child that names its record; `names`, the record's own list of its children, if it has one: if it names a child
         * that the list lacks, because it was made meanwhile, the record's children are requested. `whose` is the path of what
         * `key` holds of a record; its id by default. If the list may lack children, or have them only in part, `has` says
         * whether a record has all of its own; if not, they are requested.
         */
        readonly all?: List & {
          readonly key: string
          readonly names?: string
          readonly whose?: string
          readonly has?: (record: Json.Fields) => boolean
        }
      }
  )

/** How later pulls query for changes. */
export type Changes =
  | {
      /** The parameter with the time since which records changed; or a function that makes the query. */
      readonly since: string | ((at: string) => Http.Query)
      /** The time is sent in a header of that name: `if-modified-since`. */
      readonly in?: "header"
      /** The source's time format; ISO 8601 in UTC by default. */
      readonly format?: "iso" | "seconds" | ((millis: number) => string)
      /** Whether the answer includes records that changed at exactly that time. */
      readonly inclusive: boolean
      /** The resolution of the source's times, in seconds; 1 by default. */
      readonly resolution?: number
      /**
       * For a queried time that does not change with every change of a record: the query reaches `back` seconds further, and
       * a record is used if one of its `times` is not older than the bookmark. Changes beyond that are a blind spot.
       */
      readonly look?: { readonly back: number; readonly times: (record: Json.Fields) => ReadonlyArray<string> }
    }
  | {
      /** For lists that come newest first by this member: read until records are older than the bookmark less `reach`. */
      readonly newest: string
      /** Seconds. Changes of older records are missed: say so in `blindSpots`. */
      readonly reach: number
    }
  | {
      /** The longest period that can be queried at once, in seconds. */
      readonly within: number
      /** Makes the query for the records between two times, in ISO 8601. */
      readonly between: (from: string, until: string) => Http.Query
      /** How many seconds back the first pull goes; older records do not exist or are not read. */
      readonly oldest: number
      /** Part of the error message for a period with too many records: half the period is queried then. */
      readonly tooMany?: string
    }
  /**
   * Consecutively numbered files, `{n}` in the path, that never change once they exist. A later pull continues with the
   * first file that did not exist yet.
   */
  | { readonly numbered: "files" }
  | {
      /** For a ledger, whose records are numbered upwards and stay: the member with the number. Later pulls read what is above. */
      readonly above: string
      /** Makes the query for the records with higher numbers than this one; that of a first pull is 0, or `from`. */
      readonly query: (number: string) => Http.Query
      /** By how many numbers a later pull begins earlier, for records that were numbered first and stored later. */
      readonly back: number
    }
  /** Read completely each time: records that are missing were deleted. */
  | "complete scan"
  /** Read by the first pull only: another list (`of`) names what to read again. */
  | "named"

/** A list of top-level records. */
export interface Root<Settings> extends List {
  readonly name: string
  readonly changes: Changes
  /** The time or number at which the first pull begins; undefined if it reads everything. */
  readonly from?: (settings: Settings) => string | number | undefined
  /** `changes`: left out of the first pull, because another list already has its records. */
  readonly reads?: "changes"
  /** Its records only say which records of `list` to read again, unless this pull read them; `by` is the member with their id. */
  readonly of?: { readonly list: string; readonly by: string }
  /** It is read only with these settings. */
  readonly when?: (settings: Settings) => boolean
  /** What all records of a numbered file come to together, beside what each is: `decode` for one record that holds them. */
  readonly together?: {
    readonly kind: Kind
    /** Records with their members `id` and `rows`. */
    readonly groups: (rows: ReadonlyArray<Json.Members>) => ReadonlyArray<Json.Members>
    readonly decode: (fields: Json.Fields) => Json.Decoded
  }
  /** The kind of its documents. */
  readonly kind: Kind
  readonly decode: (settings: Settings) => (fields: Json.Fields) => Json.Decoded
  /**
   * For a complete scan of a list that can also be queried for changes: it is left out where there are none and the list is as
   * long as it was, by the total that its first page states. It is read once a day nonetheless.
   */
  readonly unless?: Extract<Changes, { since: unknown }>
  /** Read once for each record of another list, with its id in this parameter: the accounts of a bank. */
  readonly each?: List & { readonly param: string }
  readonly children?: Readonly<Record<string, Child>>
  /** How one of its records is read by id: the path with `{id}`, and the member with the record. */
  readonly one?:
    | { readonly path: string; readonly record?: string; readonly query?: Http.Query }
    /** Requested with POST; the answer, or this member of it, is a list with the record, or an empty list. */
    | { readonly path: string; readonly question: (id: string, settings: never) => unknown; readonly records?: string }
    /** Requested as a list that has this record only, or none: for lists whose records have no address of their own. */
    | { readonly path: string; readonly asking: (id: string) => Http.Query; readonly records?: string }
  /**
   * For a list that can be queried by many ids: what to query. Records are then read again many at a time, and only those
   * that are missing from the answer one by one.
   */
  readonly several?: (ids: ReadonlyArray<string>) => Http.Query
  /**
   * The ids of those records of this list that change with one, such as a ledger's entries that were matched with it: where one
   * is read, other than at first, they are read again.
   */
  readonly along?: (record: Json.Fields) => ReadonlyArray<string>
}

type Headers = Readonly<Record<string, string>>

export type Authorise<Settings> =
  | {
      readonly by: "key"
      /** The environment variables with the key, or with the name and the password. */
      readonly variables: (settings: Settings) => ReadonlyArray<string>
      readonly headers: (...keys: ReadonlyArray<string>) => Headers
    }
  | {
      /** OAuth 2 client credentials: id and secret are exchanged for a token that lasts some hours. */
      readonly by: "client"
      /** The token endpoint: relative to the base address, or a whole address. */
      readonly tokens: string | ((settings: Settings) => string)
      /** Whether id and secret are sent in the body; otherwise in a header. */
      readonly inBody?: boolean
      /** What the token is for, if the endpoint asks. */
      readonly scope?: string
      /** For a client that has a certificate, whose private key is its secret and is not sent: its id, and whom the token is for. */
      readonly certificate?: (settings: Settings) => { readonly certificate: string; readonly audience: string }
      /** Environment variables. */
      readonly client: (settings: Settings) => { readonly id: string; readonly secret: string }
    }
  | ({
      readonly by: "oauth2"
      /** Environment variables. */
      readonly client: (settings: Settings) => { readonly id: string; readonly secret: string }
      /** The environment variable with the first refresh token. */
      readonly first?: (settings: Settings) => string | undefined
      /** The page on which the user gives consent, and the token endpoint. */
      readonly page: string | ((settings: Settings) => string)
      readonly tokens: string | ((settings: Settings) => string)
      /** The word before the token in the `Authorization` header; `Bearer` by default. */
      readonly scheme?: string
      /** How many seconds before its end a token is renewed; 60 by default. */
      readonly marginSeconds?: number
    } & Pick<Authorisation, "inBody" | "scopes" | "reaches">)

export interface WebhookDeclaration {
  readonly signature:
    | {
        /** In lower case. */
        readonly header: string
        readonly form: "hex" | "base64"
        /** The prefix in the header, such as `sha256=`. */
        readonly prefix?: string
      }
    /** For signatures over something other than the bytes of the body. */
    | { readonly verify: (delivery: Delivery, secret: string) => boolean }
  /** The records of the first list to read again by id; empty if only a pull shows what changed. */
  readonly events: (fields: Json.Fields, delivery: Delivery, settings: never) => ReadonlyArray<WebhookEvent> | undefined
  /** Whether a delivery only tests the address: it is not signed, and names nothing. */
  readonly isTrial?: (delivery: Delivery) => boolean
}

// biome-ignore lint/suspicious/noExplicitAny: any settings; each source names its own
export interface Declaration<Name extends string, S extends Schema.Codec<any, any>> {
  readonly name: Name
  /** One line for `daybook connectors list`. */
  readonly title: string
  readonly settings: S
  readonly identity?: (settings: S["Type"]) => string | undefined
  /** The account whose requests the source counts together, where that is more than what is read (`limits.by`). */
  readonly account?: (settings: S["Type"]) => string | undefined
  /** The address of a document's page at the source, for people. */
  readonly page?: (settings: S["Type"], kind: Kind, id: string) => string | undefined
  readonly kinds: ReadonlyArray<Kind>
  readonly deletions: Deletions
  /** Descriptions of edits that no list shows. */
  readonly blindSpots: ReadonlyArray<string>
  readonly limits: Omit<Limits, "page">
  readonly base: (settings: S["Type"]) => string
  readonly authorise: Authorise<S["Type"]>
  readonly headers?: Headers | ((settings: S["Type"]) => Headers)
  /** Parameters of every request for a list or a record. */
  readonly query?: (settings: S["Type"]) => Http.Query
  /** Members of an error answer with the message; the first that is present is used. */
  readonly said?: ReadonlyArray<string>
  readonly explain?: Http.Options["explain"]
  /** For sources that answer 200 to rejected requests: what is wrong with such an answer. `GraphQL.inspect`. */
  readonly inspect?: Http.Options["inspect"]
  /** Parses answers that are not JSON: `csv`. */
  readonly read?: Http.Options["read"]
  /** Where an answer states the source's time; the `Date` header by default. */
  readonly clock?: Place
  /** How many seconds before its bookmark a later pull begins. */
  readonly overlapSeconds: number
  readonly lists: readonly [Root<S["Type"]>, ...ReadonlyArray<Root<S["Type"]>>]
  readonly webhook?: WebhookDeclaration
  /**
   * Reads records of the first list by id, with everything that belongs to them, where that takes fewer requests than
   * reading each as its list's `one` says. At most `most` ids at once; those that are not there become `deleted`.
   */
  readonly again?: { readonly most: number; readonly read: Again }
  /** The file of a document, in this path with `{id}`; it is named by its id and `ending`. */
  readonly file?: { readonly kind: Kind; readonly path: string; readonly type: string; readonly ending: string }
}

export type Again = (
  http: Http.Http,
  ids: ReadonlyArray<string>
) => Effect.Effect<Json.Batch, SourceError, HttpClient.HttpClient>
