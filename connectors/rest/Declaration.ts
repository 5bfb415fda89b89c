/**
 * A source declared as data: where its lists are, how they are paged, how changes are asked for, what belongs to a record,
 * and what a record means. Everything else (pages, bookmarks, limits, deletions while it reads) is done by `index.ts`.
 */
import type { Schema } from "effect"
import type { Authorisation, Deletions, Delivery, Limits, WebhookEvent } from "../Connector.ts"
import type { Kind } from "../Document.ts"
import type * as Http from "../Http.ts"
import type * as Json from "../Json.ts"

/** Where an answer says something: a member by its path (`meta.total`), or a header (`header:x-total-count`). */
export type Place = string

/** What an answer says of how long its list is. */
interface Counted {
  /** How many records the list has: without it, a record that is deleted while the list is read hides another one. */
  readonly total: Place
  /** How many pages it has. */
  readonly pages?: Place
  /** Whether another page follows. */
  readonly more?: Place
}

/** A list of which nothing is ever deleted, and why that is known. */
interface Growing extends Partial<Counted> {
  readonly keeps: string
}

export type Pagination =
  /** Numbered pages, from 1. */
  | ({ readonly by: "page"; readonly param: string } & (Counted | Growing))
  /** So many records from the beginning. */
  | ({ readonly by: "offset"; readonly param: string } & (Counted | Growing))
  /** A cursor that the answer gives. */
  | { readonly by: "cursor"; readonly param: string; readonly next: Place }
  /** The header `Link` with `rel="next"`. */
  | { readonly by: "link" }
  /** The address of the next page, in the answer. */
  | { readonly by: "next"; readonly next: Place }
  /**
   * What follows the last record's id, in the order of ids. `inclusive`: the answer begins with that id, so that the one
   * after it is asked for where ids are numbers.
   */
  | { readonly by: "last id"; readonly param: string; readonly inclusive?: boolean | "numbers"; readonly more?: Place }
  /** One answer has all of it. */
  | { readonly by: "none" }

/** How a list is asked for. */
export interface List {
  readonly path: string
  /** The member that holds the records; without it, the answer is the list. */
  readonly records?: string
  /** The path of the member that names a record; `id` unless given. */
  readonly id?: string
  readonly query?: Http.Query
  /** Of a list that is asked for with POST: the question, of what would be parameters otherwise. */
  readonly question?: (query: Http.Query, settings: never) => unknown
  /** Records in a page, and the parameter that asks for so many. */
  readonly size: { readonly most: number; readonly param?: string }
  readonly pagination: Pagination
  /** What a 404 means: that there are none. Without it, the reading stops. */
  readonly missing?: "none"
  /** What an answer means that has no member with records: that there are none. Without it, the reading stops. */
  readonly absent?: "none"
}

/** Records that belong to one record, put into it under their name before it is mapped. */
export type Child = List &
  (
    | {
        /** Of many records in one request: the parameter that takes their ids, and the member that says whose a child is. */
        readonly by: "ids"
        readonly param: string
        readonly key: string
        readonly separator?: string
        /** The path of the member whose id is asked for; the record's own unless given. */
        readonly whose?: string
      }
    | {
        /** A request for each record, `{id}` in the path: the last resort. */
        readonly by: "each"
        /** The parameter that takes the id, where the path does not. */
        readonly param?: string
        /** The path of the member whose id is asked for; the record's own unless given. */
        readonly whose?: string
        /** How many there are, as the record says it, or whether there are any; for none, nothing is asked. */
        readonly expects: ((record: Json.Fields) => number | boolean) | "unknown"
        /** For how many a child counts: no page is asked for once all that are expected are there. */
        readonly counts?: (child: Json.Fields) => number
      }
  )

/** How a later reading asks for what changed. */
export type Changes =
  | {
      /** The parameter that takes the time since which records changed; or the query that does. */
      readonly since: string | ((at: string) => Http.Query)
      /** How the source writes times; ISO 8601 in UTC unless given. */
      readonly format?: "iso" | "seconds" | ((millis: number) => string)
      /** Whether a record that changed exactly then is among them. */
      readonly inclusive: boolean
      /** In how many seconds the source counts; 1 unless given. */
      readonly resolution?: number
      /**
       * What it asks for does not move with what changes in a record: so many seconds further back are asked for, and a record
       * counts where one of these times of it is not older than the bookmark. What lies beyond is a blind spot.
       */
      readonly look?: { readonly back: number; readonly times: (record: Json.Fields) => ReadonlyArray<string> }
    }
  | {
      /** The list comes newest first by this member: it is read until records are older than the bookmark less the reach. */
      readonly newest: string
      /** Seconds. Changes of older records are not seen: say so in `blindSpots`. */
      readonly reach: number
    }
  | {
      /** So many seconds can be asked for at once. */
      readonly within: number
      /** What asks for the records from one time until another, in ISO 8601. */
      readonly between: (from: string, until: string) => Http.Query
      /** How many seconds back a first reading goes: the source has nothing older, or is not asked for it. */
      readonly oldest: number
      /** What the source says in its refusal where so much time has too many records: half of it is asked for then. */
      readonly tooMany?: string
    }
  /**
   * Files with consecutive numbers, `{n}` in the path, of which none changes once it is there: a later reading goes on with
   * the first that was not there yet.
   */
  | { readonly numbered: "files" }
  /** It is read whole, each time: what is not in it any more is deleted. */
  | "complete scan"

/** A list that is read. */
export interface Root<Settings> extends List {
  readonly name: string
  readonly changes: Changes
  /** From which time, or which number, on a first reading reads a list that is asked for by times or by numbers. */
  readonly from?: (settings: Settings) => string | number | undefined
  /** `changes`: not in a first reading, where another list has all of it already. */
  readonly reads?: "changes"
  /** Its records are only read for the records that they belong to: `list` says of which list, `by` the member with the id. */
  readonly of?: { readonly list: string; readonly by: string }
  /** What its records become. */
  readonly kind: Kind
  readonly decode: (settings: Settings) => (fields: Json.Fields) => Json.Decoded
  /** It is read once for each record of another list, whose id this parameter takes: the accounts of a bank. */
  readonly each?: List & { readonly param: string }
  readonly children?: Readonly<Record<string, Child>>
  /** How one of its records is read by its id: `{id}` in the path, and the member that holds it. */
  readonly one?:
    | { readonly path: string; readonly record?: string; readonly query?: Http.Query }
    /** Asked for with POST; the answer, or this member of it, is a list with it, or an empty one. */
    | { readonly path: string; readonly question: (id: string, settings: never) => unknown; readonly records?: string }
}

type Headers = Readonly<Record<string, string>>

export type Authorise<Settings> =
  | {
      readonly by: "key"
      /** The variables of the environment that hold the key, or the name and the password. */
      readonly variables: (settings: Settings) => ReadonlyArray<string>
      readonly headers: (...keys: ReadonlyArray<string>) => Headers
    }
  | {
      /** A client's id and secret give a token for some hours. */
      readonly by: "client"
      /** Where, below the base. */
      readonly tokens: string
      /** Variables of the environment. */
      readonly client: (settings: Settings) => { readonly id: string; readonly secret: string }
    }
  | ({
      readonly by: "oauth2"
      /** Variables of the environment. */
      readonly client: (settings: Settings) => { readonly id: string; readonly secret: string }
      /** The variable with a first refresh token. */
      readonly first?: (settings: Settings) => string | undefined
    } & Pick<Authorisation, "page" | "tokens" | "inBody" | "scopes">)

export interface WebhookDeclaration {
  readonly signature:
    | {
        /** In lower case. */
        readonly header: string
        readonly form: "hex" | "base64"
        /** `sha256=`, where the header has it. */
        readonly prefix?: string
      }
    /** Where another thing than the bytes of the body is signed. */
    | { readonly verify: (delivery: Delivery, secret: string) => boolean }
  /** The ids of records of the first list that can be read by id; none where only a pull shows what changed. */
  readonly events: (fields: Json.Fields, delivery: Delivery) => ReadonlyArray<WebhookEvent> | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: any settings; each source names its own
export interface Declaration<Name extends string, S extends Schema.Codec<any, any>> {
  readonly name: Name
  /** One line for `daybook connectors list`. */
  readonly title: string
  readonly settings: S
  readonly identity?: (settings: S["Type"]) => string | undefined
  readonly kinds: ReadonlyArray<Kind>
  readonly deletions: Deletions
  /** Edits that no list shows, in words. */
  readonly blindSpots: ReadonlyArray<string>
  readonly limits: Omit<Limits, "page">
  readonly base: (settings: S["Type"]) => string
  readonly authorise: Authorise<S["Type"]>
  readonly headers?: Headers | ((settings: S["Type"]) => Headers)
  /** Where a refusal says in words what is wrong: members of the answer, the first that is there counts. */
  readonly said?: ReadonlyArray<string>
  readonly explain?: Http.Options["explain"]
  /** What is wrong with an answer of 200, of a source that refuses with such: `GraphQL.inspect`. */
  readonly inspect?: Http.Options["inspect"]
  /** How answers are read that are no JSON: `csv`. */
  readonly read?: Http.Options["read"]
  /** Where an answer says what time it is at the source; the header `Date` unless given. */
  readonly clock?: Place
  /** How many seconds a later reading reaches back behind its bookmark. */
  readonly overlapSeconds: number
  readonly lists: readonly [Root<S["Type"]>, ...ReadonlyArray<Root<S["Type"]>>]
  readonly webhook?: WebhookDeclaration
}
