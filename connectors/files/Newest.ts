/**
 * Finds out from the contents of several files without a date in their names which is the newer export of one list: the one that has
 * every invoice of the other, and later ones. What only their contents say is not known before both are read.
 */
import type { Day } from "../../core/wire/Day.ts"
import { facts } from "../Bytes.ts"
import { isBank, partOf } from "./BankFiles.ts"
import { periodOf } from "./Copies.ts"
import type { File } from "./Listing.ts"
import type { Bookmark } from "./Known.ts"
import { type Reading, readTable } from "./ReadTable.ts"

/** So many files, and so many bytes, are read once more to be compared. */
const MOST_FILES = 24
const MOST_BYTES = 2 ** 26

/** The files that state invoices and whose names do not say when they were written, if there are several. */
export const undatedIn = (all: ReadonlyArray<File>): ReadonlyArray<File> => {
  const found = all.filter((one) => !isBank(one) && one.stream === "invoices" && periodOf(one.path) === undefined)
  return new Set(found.map(({ path }) => path)).size < 2 || found.length > MOST_FILES ? [] : found
}

/**
 * The same files, those that have a place in the order of exports from the oldest on; first those that were read before, so that of
 * each of them its day is known before another one is held against it.
 */
export const oldestFirst = (
  all: ReadonlyArray<File>,
  { files, latest }: { readonly files: Bookmark["files"]; readonly latest: Readonly<Record<string, Day>> }
): ReadonlyArray<File> => {
  const placeOf = (file: File): string => `${files[partOf(file)] === undefined ? 1 : 0} ${latest[partOf(file)]}`
  const isOrdered = (file: File): boolean => latest[partOf(file)] !== undefined
  const ordered = all.filter(isOrdered).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  let next = 0
  return all.map((one) => (isOrdered(one) ? (ordered[next++] ?? one) : one))
}

interface Contents {
  readonly part: string
  readonly ids: ReadonlySet<string>
  /** The latest day on which one of its invoices was issued. */
  readonly latest: Day | undefined
}

const contentsOf = async (file: File, bookmark: Bookmark): Promise<Contents & { readonly bytes: number }> => {
  const content = await facts(file.path)
  const ids = new Set<string>()
  let latest: Day | undefined
  if (content.bytes > MOST_BYTES) return { part: partOf(file), ids, latest, bytes: content.bytes }
  const reading: Reading = {
    bookmark,
    first: undefined,
    others: undefined,
    hasInvoices: true,
    how: "",
    chunks: undefined,
    changed: () => ({ appeared: [], gone: [] })
  }
  for await (const { read } of readTable(file, partOf(file), content, reading))
    for (const { document } of read)
      if (document.kind === "invoice") {
        ids.add(document.id)
        if (latest === undefined || document.issued > latest) latest = document.issued
      }
  return { part: partOf(file), ids, latest, bytes: content.bytes }
}

const hasAll = ({ ids }: Contents, other: Contents): boolean => [...other.ids].every((id) => ids.has(id))
const share = ({ ids }: Contents, other: Contents): boolean => [...other.ids].some((id) => ids.has(id))

/** Those of a group that share invoices, if each of them has all of the one before and later ones. */
const chainOf = (one: Contents, all: ReadonlyArray<Contents>): ReadonlyArray<Contents> => {
  const chain = all.filter((other) => other === one || share(one, other)).toSorted((a, b) => a.ids.size - b.ids.size)
  const isChain = chain.every((own, n) => {
    const before = chain[n - 1]
    return before === undefined || ((before.latest ?? "") < (own.latest ?? "") && hasAll(own, before))
  })
  return chain.length > 1 && isChain ? chain : []
}

/** For each part that has a place in the order of such exports: the latest day in it. */
export const orderOf = async (
  group: ReadonlyArray<File>,
  bookmark: Bookmark
): Promise<Readonly<Record<string, Day | undefined>>> => {
  const all: Array<Contents> = []
  let bytes = 0
  for (const file of group) {
    // What is wrong with a file is said where it is read.
    const found = await contentsOf(file, bookmark).catch(() => undefined)
    if (found === undefined || (bytes += found.bytes) > MOST_BYTES) return {}
    all.push(found)
  }
  const ordered = all.filter((one) => {
    const chain = chainOf(one, all)
    return chain.length > 0 && chain.every((other) => chainOf(other, all).length === chain.length)
  })
  return Object.fromEntries(ordered.map(({ latest, part }) => [part, latest]))
}
