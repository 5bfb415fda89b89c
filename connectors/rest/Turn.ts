/** Finds the next page of a declared list, for every kind of pagination. Pure. */
import * as Json from "../Json.ts"
import type { Answer } from "../Judge.ts"
import type * as Http from "../Http.ts"
import * as Paging from "../Paging.ts"
import type { List, Pagination, Place } from "./Declaration.ts"

/** After this many consecutive empty pages, no more are requested. */
const EMPTY = 3

/** The position in a list; the part that a bookmark keeps. */
export interface Kept {
  readonly page: number
  readonly total?: number
  /** A cursor, the parameters of the next page, the last id, or the number of records read. */
  readonly from?: string
}

export interface At extends Kept {
  readonly again: number
  readonly empty: number
  readonly seen: Paging.ReadPages
}

export const begin = (kept: Kept = { page: 1 }): At => ({ ...kept, again: 0, empty: 0, seen: Paging.nothing })

/** How often a list is read again from its beginning because its cursor became invalid. */
const AGAIN = 3

/** The beginning of a list whose cursor became invalid; undefined if that was tried too often. */
export const restarted = (at: At): At | undefined =>
  at.again < AGAIN ? { ...begin(), again: at.again + 1 } : undefined

/** Whether the position can become invalid: its record may be deleted, or the cursor may expire. */
export const isCursor = ({ pagination }: List, { from }: At): boolean =>
  from !== undefined && pagination.by !== "page" && pagination.by !== "offset"

export const kept = ({ from, page, total }: At): Kept => ({ page, ...Json.present({ from, total }) })

/** The text at a place in an answer; undefined if there is none. */
export const said = ({ body, headers }: Answer, place: Place | undefined): string | undefined => {
  if (place === undefined) return undefined
  if (place.startsWith("header:")) return headers[place.slice("header:".length)]
  const value = Json.fieldsOf(body).get(place)
  return typeof value === "boolean" ? String(value) : Json.nameOf(value)
}

const written = (
  { param, written }: Extract<Pagination, { by: "last id" }>,
  id: string,
  besides: Http.Query
): string => {
  const also = besides[param]
  return written?.(id, also === undefined ? undefined : String(also)) ?? id
}

/**
 * The query for a page.
 *
 * @param besides what is asked for on every page: a condition in the same parameter stays there
 */
export const query = ({ pagination, size }: List, { from, page }: At, besides: Http.Query = {}): Http.Query => {
  const sized = size.param === undefined ? {} : { [size.param]: size.most }
  switch (pagination.by) {
    case "none":
      return sized
    case "page":
      return { ...sized, [pagination.param]: page - 1 + (pagination.from ?? 1) }
    case "offset":
      return { ...sized, [pagination.param]: from ?? "0" }
    case "cursor":
      return { ...sized, [pagination.param]: from }
    case "last id":
      return from === undefined ? sized : { ...sized, [pagination.param]: written(pagination, from, besides) }
    case "link":
    case "next":
      // The URL of a next page has all parameters, including the size; for a first page, the declaration has them.
      return from === undefined ? sized : Object.fromEntries(new URLSearchParams(from))
  }
}

/** The parameters of a URL. Its host is ignored: the key is sent with each request, and must not go elsewhere. */
const parametersOf = (address: string | undefined): string | undefined => {
  if (address === undefined) return undefined
  const at = address.indexOf("?")
  return at < 0 ? undefined : address.slice(at + 1)
}

/** `<https://…?page=2>; rel="next", <…>; rel="last"` */
const linked = (header: string | undefined): string | undefined =>
  header
    ?.split(/,\s*(?=<)/)
    .map((one) => /^<([^>]*)>.*;\s*rel="?next"?/i.exec(one.trim()))
    .find((match) => match !== null)?.[1]

/** The value to request the records after this id. */
const behind = (id: string | undefined, inclusive: boolean | "numbers" | undefined): string | undefined =>
  id !== undefined && inclusive === "numbers" && /^\d+$/.test(id) ? String(BigInt(id) + 1n) : id

/** The position of the next page; undefined at the end. */
const follows = (
  pagination: Exclude<Pagination, { by: "page" | "offset" }>,
  answer: Answer,
  keys: ReadonlyArray<string>
) => {
  switch (pagination.by) {
    case "none":
      return undefined
    case "cursor":
      return said(answer, pagination.next)
    case "link":
      return parametersOf(linked(answer.headers["link"]))
    case "next":
      return parametersOf(said(answer, pagination.next))
    case "last id":
      return said(answer, pagination.more) === "false" ? undefined : behind(keys.at(-1), pagination.inclusive)
  }
}

export interface Turned {
  readonly next: At | undefined
  readonly notices: ReadonlyArray<string>
}

const numbered = (at: At, pagination: Pagination & { by: "page" | "offset" }, answer: Answer, keys: Keys): Turned => {
  const pages = Paging.count(said(answer, pagination.pages))
  const more = said(answer, pagination.more)
  const total = Paging.count(said(answer, pagination.total))
  const come = Number(at.from ?? 0) + keys.length
  const byTotal = total === undefined ? undefined : come < total
  const { next, notices } = Paging.turn(
    { ...at, total: at.total },
    { keys, total, more: more !== undefined ? more === "true" : pages !== undefined ? at.page < pages : byTotal }
  )
  if (next === undefined) return { next, notices }
  const { again, empty, page, seen } = next
  const from = page === 1 ? "0" : String(come)
  return { next: { page, from, again, empty, seen, ...Json.present({ total: next.total }) }, notices }
}

type Keys = ReadonlyArray<string>

/** @param keys identifiers of the records in the answer */
export const turn = (at: At, { pagination }: List, answer: Answer, keys: Keys): Turned => {
  if (pagination.by === "page" || pagination.by === "offset") return numbered(at, pagination, answer, keys)
  const from = follows(pagination, answer, keys)
  const empty = keys.length === 0 ? at.empty + 1 : 0
  const seen = Paging.seeing(at.seen, keys)
  if (from === undefined || from === at.from || empty >= EMPTY) return { next: undefined, notices: [] }
  // A new cursor that leads to a page already read: the cursor lost its place.
  if (seen === undefined) return { next: restarted(at), notices: [] }
  return { next: { page: at.page + 1, from, again: at.again, empty, seen }, notices: [] }
}
