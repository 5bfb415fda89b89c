/**
 * Finds out whether a list that is read completely must be read again. Where nothing in it was created or changed since its
 * last complete read, records can only have been deleted, and then it is shorter than it was. Without either, it is the same.
 */
import { Effect, Schema } from "effect"
import type * as Http from "../Http.ts"
import * as Paging from "../Paging.ts"
import type { Answer } from "../Judge.ts"
import type * as Asking from "./Asking.ts"
import { changesOf, clock, type Reading } from "./Changes.ts"
import type { Root } from "./Declaration.ts"
import * as Parts from "./Parts.ts"
import * as Turn from "./Turn.ts"

/** A complete read: when it began, by the source's clock, and how long the list was, or each of its parts. */
export const Read = Schema.Struct({ at: Schema.Number, lengths: Schema.Record(Schema.String, Schema.Int) })

/** Even if nothing seems to have changed, a list is read again after a day. */
const LONGEST_MS = 86_400_000

/** What a pull learns of the lists that it reads completely; changed in place. */
export interface Scan {
  /** By list, its last complete read. Kept in the bookmark. */
  readonly done: Map<string, typeof Read.Type>
  /** The lengths of what the current read has read. */
  readonly found: Map<string, number>
  /** The length of the current part, as its first page states it, and the records that were read so far. */
  total: number | undefined
  read: number
  /** Whether every record of the current read was readable: if not, deleted ones are not known. */
  isReadable: boolean
}

export const begin = (scans: Readonly<Record<string, typeof Read.Type>> = {}): Scan => ({
  done: new Map(Object.entries(scans)),
  found: new Map(),
  total: undefined,
  read: 0,
  isReadable: true
})

const totalOf = ({ pagination }: Root<never>, answer: Answer): number | undefined =>
  "total" in pagination ? Paging.count(Turn.said(answer, pagination.total)) : undefined

/** Where a page is in a complete read of its list. */
interface Place {
  readonly part: string | undefined
  readonly begins: boolean
  /** Whether it is the last page of the list, or of the part. */
  readonly isLast: boolean
}

/** Adds a page. A part of which more or fewer records were read than it has gets no length: it is then read again. */
export const add = (
  scan: Scan,
  root: Root<never>,
  { answer, records }: Asking.Asked,
  { begins, isLast, part }: Place
): void => {
  if (begins) Object.assign(scan, { read: 0, isReadable: true, found: new Map() })
  if (scan.read === 0) scan.total = totalOf(root, answer)
  scan.read += records.length
  if (!isLast) return
  if (scan.total === scan.read) scan.found.set(part ?? "", scan.read)
  scan.read = 0
}

/** Ends a complete read. */
export const end = ({ done, found, isReadable }: Scan, { name }: Root<never>, at: number): void => {
  if (isReadable) done.set(name, { at, lengths: Object.fromEntries(found) })
  else done.delete(name)
}

/** Since when a list is known to be the same, by the source's clock; undefined if it must be read again. */
export const since = (
  reading: Reading,
  root: Root<never>,
  { done }: Scan,
  mark: number,
  parts: Parts.Parts | undefined
): Asking.Read<number | undefined> =>
  Effect.gen(function* () {
    const { declaration: d, source } = reading
    const all = parts?.ids ?? [undefined]
    const { at, lengths } = done.get(root.name) ?? { at: 0, lengths: {} }
    const known = Object.values(lengths)
    if (root.unless === undefined || known.length !== all.length) return undefined
    const pages = known.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / root.size.most)), 0)
    if (pages <= 2 * all.length) return undefined
    // One record is enough to see that there are any, and to be told how many.
    const single = { ...root, size: { ...root.size, most: 1 } }
    const ask = (part: string | undefined, query: Http.Query) =>
      source.page(single, Turn.begin(), root.path, { ...query, ...Parts.query(root, part) })
    const changes = changesOf(reading, { ...root, changes: root.unless }, mark)
    let began: number | undefined
    for (const part of all) {
      // Changes first: what is created between the two requests is then still to be seen by the next pull.
      const changed = yield* ask(part, changes)
      began ??= yield* clock(d, changed.answer)
      if (changed.records.length > 0 || began - at >= LONGEST_MS) return undefined
      const { answer } = yield* ask(part, {})
      if (totalOf(root, answer) !== lengths[part ?? ""]) return undefined
    }
    return began
  })
