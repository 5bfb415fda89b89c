/**
 * Lists that a source cuts into numbered pages: when another page follows, and when the list must be read again.
 *
 * Sources get this wrong in many ways. Some repeat their last page for ever, some take turns between two, some leave a page
 * in the middle empty. And where a record is deleted while the list is read, all behind it move up by one: the first of the
 * next page stands on the page that was read already, and nobody sees it. The source's own count shows that; a source that
 * can be asked for what follows a certain id has none of this, so that is the better way.
 */
import { hash } from "node:crypto"
import * as Json from "./Json.ts"

/** Pages without a record, one after the other, behind which no more are looked for. */
const EMPTY = 3
/** How often a list is read again because some of it was taken away meanwhile. */
const AGAIN = 3

/** What of a list came already: the last page, and a digest of each before it, so that it takes little memory. */
export interface ReadPages {
  readonly last: ReadonlySet<string>
  readonly pages: ReadonlySet<string>
}

export const nothing: ReadPages = { last: new Set(), pages: new Set() }

/** The same with one page more; undefined where the page brings nothing new: it came before, or is part of the last one. */
export const seeing = (seen: ReadPages, keys: ReadonlyArray<string>): ReadPages | undefined => {
  if (keys.length === 0) return seen
  const page = hash("sha1", JSON.stringify(keys.toSorted()), "base64url")
  if (seen.pages.has(page) || keys.every((key) => seen.last.has(key))) return undefined
  // There is one of these for each list, handed on from page to page: a copy for each would take time.
  return {
    last: new Set(keys),
    pages: (seen.pages === nothing.pages ? new Set<string>() : (seen.pages as Set<string>)).add(page)
  }
}

/** What records are called, by the path of what names them; one without a name is called by all that is in it. */
export const keysOf = (records: ReadonlyArray<unknown>, path: string): ReadonlyArray<string> =>
  records.map((record) => Json.nameAt(record, path) ?? JSON.stringify(record) ?? "")

/** Where the reading of a list stands. */
export interface At {
  /** Counted from 1. */
  readonly page: number
  /** How many records the source said that there are. To be kept in the bookmark, beside the page. */
  readonly total: number | undefined
  readonly again: number
  readonly empty: number
  readonly seen: ReadPages
}

/** The beginning of a list, or where a bookmark says that its reading stands. */
export const from = (page = 1, total?: number): At => ({ page, total, again: 0, empty: 0, seen: nothing })

/** What a bookmark keeps of it. */
export const kept = ({ page, total }: At): { readonly page: number; readonly total?: number } => ({
  page,
  ...(total === undefined ? {} : { total })
})

export interface Page {
  /** What its records are called. */
  readonly keys: ReadonlyArray<string>
  /** How many there are in all, where the source says it. */
  readonly total?: number | undefined
  /** Whether the source says that another page follows; undefined where it says nothing of that. */
  readonly more?: boolean | undefined
}

export interface Turned {
  /** What to ask for next; undefined at the end of the list. */
  readonly next: At | undefined
  /** What is odd about it, in words. */
  readonly notices: ReadonlyArray<string>
}

/** A number that a source states, in whatever way; undefined where it is none. */
export const count = (said: unknown): number | undefined => {
  const text = typeof said === "number" ? String(said) : (Json.nameOf(said) ?? "")
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

/** From one page to the next. */
export const turn = (at: At, { keys, more, total }: Page): Turned => {
  const shrunk = total !== undefined && at.total !== undefined && total < at.total
  if (shrunk && at.again < AGAIN) {
    return { next: { page: 1, total, again: at.again + 1, empty: 0, seen: nothing }, notices: [] }
  }
  const notices = shrunk
    ? ["records kept being deleted while the list was read; a record that was missed is read when it changes"]
    : []
  const empty = keys.length === 0 ? at.empty + 1 : 0
  const seen = seeing(at.seen, keys)
  if (seen === undefined) {
    const early = "a page was repeated although the source announced more; later records are read when they change"
    return { next: undefined, notices: more === true ? [...notices, early] : notices }
  }
  if (!(more ?? keys.length > 0) || empty >= EMPTY) return { next: undefined, notices }
  return { next: { page: at.page + 1, total: total ?? at.total, again: at.again, empty, seen }, notices }
}
