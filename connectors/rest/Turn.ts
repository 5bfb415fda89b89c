/** From one page of a declared list to the next, however the source cuts it. Pure. */
import * as Json from "../Json.ts"
import type { Answer } from "../Judge.ts"
import type * as Http from "../Http.ts"
import * as Paging from "../Paging.ts"
import type { List, Pagination, Place } from "./Declaration.ts"

/** Pages without a record, one after the other, behind which no more are looked for. */
const EMPTY = 3

/** Where the reading of a list stands: what a bookmark keeps of it. */
export interface Kept {
  readonly page: number
  readonly total?: number
  /** A cursor, the parameters of the next page, the last id, or how many records came. */
  readonly from?: string
}

export interface At extends Kept {
  readonly again: number
  readonly empty: number
  readonly seen: Paging.ReadPages
}

export const begin = (kept: Kept = { page: 1 }): At => ({ ...kept, again: 0, empty: 0, seen: Paging.nothing })

/** How often a list is read from its beginning again because its cursor lost its place. */
const AGAIN = 3

/** The beginning of a list that lost its place; undefined where that does not help. */
export const restarted = (at: At): At | undefined =>
  at.again < AGAIN ? { ...begin(), again: at.again + 1 } : undefined

/** Whether a place may be lost: the record that it is behind was deleted, or the cursor is too old. */
export const isCursor = ({ pagination }: List, { from }: At): boolean =>
  from !== undefined && pagination.by !== "page" && pagination.by !== "offset"

export const kept = ({ from, page, total }: At): Kept => ({ page, ...Json.present({ from, total }) })

/** What an answer says at a place; undefined where it says nothing there. */
export const said = ({ body, headers }: Answer, place: Place | undefined): string | undefined => {
  if (place === undefined) return undefined
  if (place.startsWith("header:")) return headers[place.slice("header:".length)]
  const value = new Json.Fields(Json.isObject(body) ? body : {}).get(place)
  return typeof value === "boolean" ? String(value) : Json.nameOf(value)
}

/** What asks for the page at hand. */
export const query = ({ pagination, size }: List, { from, page }: At): Http.Query => {
  const sized = size.param === undefined ? {} : { [size.param]: size.most }
  switch (pagination.by) {
    case "none":
      return sized
    case "page":
      return { ...sized, [pagination.param]: page }
    case "offset":
      return { ...sized, [pagination.param]: from ?? "0" }
    case "cursor":
    case "last id":
      return { ...sized, [pagination.param]: from }
    case "link":
    case "next":
      // The address of the next page says all of it, the size too; of a first page, the declaration does.
      return from === undefined ? sized : Object.fromEntries(new URLSearchParams(from))
  }
}

/** The parameters of an address: its host is not asked, because the key goes with each request. */
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

/** What is asked for to get what follows this record. */
const behind = (id: string | undefined, inclusive: boolean | "numbers" | undefined): string | undefined =>
  id !== undefined && inclusive === "numbers" && /^\d+$/.test(id) ? String(BigInt(id) + 1n) : id

/** What leads to the next page; undefined at the end. */
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

/** @param keys what the records of the answer are called */
export const turn = (at: At, { pagination }: List, answer: Answer, keys: Keys): Turned => {
  if (pagination.by === "page" || pagination.by === "offset") return numbered(at, pagination, answer, keys)
  const from = follows(pagination, answer, keys)
  const empty = keys.length === 0 ? at.empty + 1 : 0
  const seen = Paging.seeing(at.seen, keys)
  if (from === undefined || from === at.from || empty >= EMPTY) return { next: undefined, notices: [] }
  // What was read already, behind another cursor: it lost its place.
  if (seen === undefined) return { next: restarted(at), notices: [] }
  return { next: { page: at.page + 1, from, again: at.again, empty, seen }, notices: [] }
}
