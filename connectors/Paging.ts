/**
 * Decides, for lists with numbered pages, whether another page follows and whether the list must be read again.
 *
 * Sources get pagination wrong in many ways. Some repeat their last page forever, some alternate between two pages, some
 * leave a page in the middle empty. And when a record is deleted while the list is read, all records after it move up by
 * one: the first record of the next page moves to the page that was already read, and is missed. A drop in the source's own
 * count reveals this. Sources that can list what follows a given id have none of these problems, so prefer that.
 */
import { hash } from "node:crypto"
import * as Json from "./Json.ts"

/** After this many consecutive empty pages, no more are requested. */
const EMPTY = 3
/** How often a list is read again because records were deleted meanwhile. */
const AGAIN = 3

/** The pages read so far: the last page in full, and a digest of every page, to save memory. */
export interface ReadPages {
  readonly last: ReadonlySet<string>
  readonly pages: ReadonlySet<string>
}

export const nothing: ReadPages = { last: new Set(), pages: new Set() }

/** Adds a page; undefined if the page brings nothing new, because it was read before or is part of the last one. */
export const seeing = (seen: ReadPages, keys: ReadonlyArray<string>): ReadPages | undefined => {
  if (keys.length === 0) return seen
  const page = hash("sha1", JSON.stringify(keys.toSorted()), "base64url")
  if (seen.pages.has(page) || keys.every((key) => seen.last.has(key))) return undefined
  // The set is passed on from page to page and never shared, so it is modified in place to avoid copies.
  return {
    last: new Set(keys),
    pages: (seen.pages === nothing.pages ? new Set<string>() : (seen.pages as Set<string>)).add(page)
  }
}

/** Identifies records by the id at a path; a record without one is identified by its whole content. */
export const keysOf = (records: ReadonlyArray<unknown>, path: string): ReadonlyArray<string> =>
  records.map((record) => Json.nameAt(record, path) ?? JSON.stringify(record) ?? "")

/** The position in a list. */
export interface At {
  /** Starts at 1. */
  readonly page: number
  /** The source's count of records. Kept in the bookmark, beside the page. */
  readonly total: number | undefined
  readonly again: number
  readonly empty: number
  readonly seen: ReadPages
}

/** The start of a list, or the position from a bookmark. */
export const from = (page = 1, total?: number): At => ({ page, total, again: 0, empty: 0, seen: nothing })

/** The part of a position that a bookmark keeps. */
export const kept = ({ page, total }: At): { readonly page: number; readonly total?: number } => ({
  page,
  ...(total === undefined ? {} : { total })
})

export interface Page {
  /** Identifiers of its records. */
  readonly keys: ReadonlyArray<string>
  /** The source's count of records, if it gives one. */
  readonly total?: number | undefined
  /** Whether the source says that another page follows; undefined if it does not say. */
  readonly more?: boolean | undefined
}

export interface Turned {
  /** The next page to request; undefined at the end of the list. */
  readonly next: At | undefined
  /** Anomalies, in words. */
  readonly notices: ReadonlyArray<string>
}

/** Parses a count that a source states as a number or text; undefined if it is not one. */
export const count = (said: unknown): number | undefined => {
  const text = typeof said === "number" ? String(said) : (Json.nameOf(said) ?? "")
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

/** Decides what follows a page. */
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
