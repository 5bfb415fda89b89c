/**
 * Defines the input and output of handlers. Handlers are plain functions: deterministic, without a clock or network.
 */
import * as Instant from "../../wire/Instant.ts"
import type { Upload } from "../../wire/Upload.ts"
import type { Windows } from "../rules/States.ts"
import type { Directory } from "./Directory.ts"
import type { Entity, Kind, PlatformShelves, Store } from "./Store.ts"

export interface Context {
  /** The API key; each is a separate platform (DP 5, 6). */
  readonly key: string
  readonly mine: PlatformShelves
  readonly store: Store
  readonly directory: Directory
  /** The sandbox's own time, in milliseconds since the epoch. */
  readonly now: number
  /** The base address for links in answers. */
  readonly base: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Decoded and re-encoded by the endpoint's schema: known members only, amounts as decimal strings. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Members that failed to decode (`PartialValidation.ts`): they are absent but were sent. */
  readonly unread: ReadonlySet<string>
  /** Whether requests of real clients beyond the specification are accepted. */
  readonly lenient: boolean
  /** For policies bought now: how long they are late, and can be handed over. */
  readonly windows: Windows
  /** Sends a notification to an address that a platform gave (DP 6.1). */
  readonly notify: (url: string, body: unknown) => void
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  /** A file in place of JSON. */
  readonly file?: Upload
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (context: Context) => Answer

/** Thrown by a handler to answer with an error in one of the shapes of DP 7. */
export class Refusal {
  readonly answer: Answer
  constructor(status: number, body: unknown) {
    this.answer = { status, body }
  }
}

/** 200. */
export const ok = (body: unknown): Answer => ({ status: 200, body })
/** 201. */
export const created = (body: unknown): Answer => ({ status: 201, body })
/** 204. */
export const gone: Answer = { status: 204 }

/** 404, to be thrown. */
export const notFound = (): Refusal => new Refusal(404, { detail: "Not found." })
/** 409, to be thrown. */
export const conflict = (detail: string): Refusal => new Refusal(409, { detail })

export type Problems = Record<string, unknown>

/** Adds a message under a member, nested like the request (DP 7). */
export const put = (into: Problems, [key, ...rest]: ReadonlyArray<PropertyKey>, message: string): void => {
  const name = key as string
  if (rest.length === 0) {
    const before = into[name]
    into[name] = Array.isArray(before) ? (before.includes(message) ? before : [...before, message]) : [message]
  } else {
    const next = into[name]
    const nested = next !== null && typeof next === "object" && !Array.isArray(next) ? next : (into[name] = {})
    put(nested as Problems, rest, message)
  }
}

/** Adds the problems of a nested object under its path. */
export const nest = (into: Problems, at: ReadonlyArray<PropertyKey>, problems: Problems): void => {
  for (const [name, messages] of Object.entries(problems)) {
    for (const message of messages as ReadonlyArray<string>) put(into, [...at, name], message)
  }
}

/** Throws a 400 with every invalid field, if there are any. */
export const check = (problems: Problems): void => {
  if (Object.keys(problems).length > 0) throw new Refusal(400, problems)
}

/** The message for an identifier of an object that does not exist. */
export const missing = (id: string): ReadonlyArray<string> => [`Invalid id "${id}" - object does not exist.`]

/** An object of this platform. Throws a 404 if there is none. */
export const find = (context: Context, kind: Kind, id: string | undefined): Entity => {
  const found = id === undefined ? undefined : context.mine[kind].get(id)
  if (found === undefined) throw notFound()
  return found
}

/** Path parameters that name an object of the platform. */
const NAMED: Readonly<Record<string, Kind>> = {
  collection_id: "collection",
  deferred_payment_id: "deferred_payment",
  document_id: "document",
  offer_id: "offer",
  order_id: "order",
  organisation_id: "organisation",
  policy_id: "policy",
  quote_id: "quote",
  soletrader_id: "soletrader",
  transaction_id: "transaction",
  user_id: "user"
}

/** Whether every object that a request names in its path exists. */
export type Exists = (mine: PlatformShelves, params: Context["params"]) => boolean

const ALWAYS: Exists = () => true

/** For a route's path, because most have one parameter or none. */
export const existsOf = (path: string): Exists => {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name)
  if (names.includes("organisation_id") && names.includes("user_id"))
    return (mine, { organisation_id = "", user_id = "" }) =>
      mine.membership.get(membershipId(organisation_id, user_id)) !== undefined
  const named = names.flatMap((name) => {
    const kind = NAMED[name]
    return kind === undefined ? [] : [{ name, kind }]
  })
  const [first] = named
  if (first === undefined) return ALWAYS
  if (named.length === 1) return (mine, params) => mine[first.kind].get(params[first.name] ?? "") !== undefined
  return (mine, params) => named.every(({ kind, name }) => mine[kind].get(params[name] ?? "") !== undefined)
}

/** A membership's id is made of the two that it joins. */
export const membershipId = (organisation: string, user: string): string => `membership-${organisation}-${user}`

/** The current time in the service's format. */
export const timestamp = (context: Context): string => Instant.fromEpochMillis(context.now)

/** Maximum page size. Assumption: none is shown. */
const MOST = 1000

/** The page envelope (DP 2.1, 8): `limit` 25 and `offset` 0 by default; `next` and `previous` are full addresses or null. */
export const page = (
  context: Context,
  path: string,
  all: Pick<ReadonlyArray<Entity>, "length" | "slice">,
  show: (entity: Entity) => unknown
): Answer => {
  const limit = Math.min(Number(context.query["limit"] ?? 25), MOST)
  const offset = Number(context.query["offset"] ?? 0)
  const count = all.length
  const others = Object.entries(context.query).filter(([name]) => name !== "limit" && name !== "offset")
  const filters = others.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`).join("")
  const link = (from: number) => `${context.base}${path}?${filters}limit=${limit}&offset=${from}`
  return ok({
    count,
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
    results: all.slice(offset, offset + limit).map(show)
  })
}

/** Replaces each member named in `expand` by the whole resource (DP 4, note 4). */
export const expand = (
  context: Context,
  body: Readonly<Record<string, unknown>>,
  resources: Readonly<Record<string, (id: string) => unknown>>
): Readonly<Record<string, unknown>> => {
  const names = (context.query["expand"] ?? "").split(",").map((name) => name.trim())
  const expanded = { ...body }
  for (const name of names) {
    const id = body[name]
    const whole = typeof id === "string" ? resources[name]?.(id) : undefined
    if (whole !== undefined) expanded[name] = whole
  }
  return expanded
}
