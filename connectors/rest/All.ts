/** Reads a declared list to its end at once, rather than page by page. */
import { Effect } from "effect"
import type * as Http from "../Http.ts"
import type { Asked, Read, Source } from "./Asking.ts"
import type { List } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

/** Makes keys unique: identical records without an id on one page are separate records. */
const numbered = (keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const times = new Map<string, number>()
  return keys.map((key) => {
    const n = times.get(key) ?? 0
    times.set(key, n + 1)
    return n === 0 ? key : `${key} ${n}`
  })
}

/** Why a list cannot be read. */
export type Unreadable = string

/** The most pages of children that are read for one record, or for the records of one page. */
const MOST_PAGES = 100

const endless = (most: number): Unreadable => `has more than ${most} pages; the source may repeat them for ever`
export const MISSING: Unreadable =
  "is not there (404); the record may have been deleted meanwhile, or the address is wrong"

export interface Until {
  readonly isEnough?: (found: ReadonlyArray<unknown>) => boolean
  /** The most pages. */
  readonly most?: number
}

/** Reads a list to its end, or until `isEnough`. */
export const all = (
  { page }: Source,
  list: List & { readonly by?: string },
  path: string,
  query: Http.Query,
  { isEnough, most = MOST_PAGES }: Until = {}
): Read<ReadonlyArray<unknown> | Unreadable> =>
  Effect.gen(function* () {
    const found = new Map<string, unknown>()
    for (let at: Turn.At | undefined = Turn.begin(), n = 0; at !== undefined; n++) {
      if (n === most) return endless(most)
      // Also when the list is read again because a record was deleted meanwhile.
      if (at.page === 1) found.clear()
      const { answer, keys, records }: Asked = yield* page(list, at, path, query)
      if (answer.status === 404 && list.missing !== "none") return MISSING
      for (const [i, key] of numbered(keys).entries()) found.set(key, records[i])
      if (isEnough?.([...found.values()])) break
      at = Turn.turn(at, list, answer, keys).next
    }
    return [...found.values()]
  })
