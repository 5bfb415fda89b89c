/**
 * Reads all EXTF files of a folder together: batches of months, and the list of customers that has their names. Of two exports of
 * the same postings, the one that was written later is read.
 */
import type { ConnectorContext, Notice, QuarantinedRecord } from "../../Connector.ts"
import type { ListedFile } from "../../Listed.ts"
import type { Part } from "../Part.ts"
import type { Settings } from "../Settings.ts"
import { type Batch, readBatch, type Refusal } from "./Batch.ts"
import { type Around, aroundOf, Documents, type Made } from "./Documents.ts"
import { Invoiced } from "./Oddities.ts"
import { Store } from "./Store.ts"

/** Postings of a page. */
const PAGE = 2000

/** Two files with so many equal postings are exports of one batch. */
const SAME = 0.8

const isExportOf = (one: Batch, other: Batch, store: Store): boolean =>
  one.count > 0 &&
  one.from <= other.to &&
  other.from <= one.to &&
  store.same(one.file.name, other.file.name) >= SAME * one.count

export interface DatevFiles {
  readonly batches: ReadonlyArray<Batch>
  /** Earlier exports of others. */
  readonly earlier: ReadonlyArray<Batch>
  readonly store: Store
}

export const readBatches = async (files: ReadonlyArray<ListedFile>): Promise<DatevFiles> => {
  const store = new Store()
  const all: Array<Batch> = []
  for (const file of files) {
    const one = await readBatch(file, (posting) => store.put(posting))
    if (one !== undefined) all.push(one)
  }
  store.full()
  const sorted = all.toSorted((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0))
  const earlier = sorted.filter((one, n) => sorted.slice(n + 1).some((later) => isExportOf(one, later, store)))
  for (const { file } of earlier) store.drop(file.name)
  const batches = sorted.filter((one) => !earlier.includes(one)).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return { batches, earlier, store }
}

interface Page extends Made {
  readonly ends: boolean
}

/** What the postings of a file become, document by document: those of all files belong together. */
function* pages(file: ListedFile, { store }: DatevFiles, around: Around, most: number): Generator<Page> {
  const empty = (): Page => ({ read: [], quarantined: [], notices: [], ends: false })
  let [page, left] = [empty(), most]
  for (const postings of store.documents(file.name)) {
    const { notices, quarantined, read } = new Documents(around, postings).make(file.name)
    page.quarantined.push(...quarantined)
    page.notices.push(...notices)
    page.read.push(...read.slice(0, left))
    if (read.length > left) return yield page
    left -= read.length
    if (page.read.length + page.quarantined.length < PAGE) continue
    yield page
    page = empty()
  }
  yield { ...page, ends: true }
}

const noticesOf = ({ file, said }: Batch, { batches, earlier, store }: DatevFiles): ReadonlyArray<Notice> => {
  const { count, first } = store.repeats(file.name)
  const twice = `postings that are the same in every cell as one before (line ${first}); each was read: look whether the batch has them twice`
  return [
    ...said.map((what) => ({ origin: file.name, what })),
    ...(count === 0 ? [] : [{ origin: file.name, what: twice }]),
    ...(file === batches[0]?.file
      ? earlier.map((one) => ({ origin: one.file.name, what: "an earlier export of the same postings; left out" }))
      : [])
  ]
}

export function* datevParts(
  files: DatevFiles,
  settings: Settings,
  { first }: Pick<ConnectorContext, "first">
): Generator<Part> {
  const around = aroundOf(settings, files)
  try {
    let left = first ?? Infinity
    const invoiced = new Invoiced()
    for (const batch of files.batches) {
      const { file, refused } = batch
      let begins = true
      for (const { ends, notices, quarantined, read } of pages(file, files, around, left)) {
        left -= read.length
        for (const { document } of read)
          if (document.kind === "invoice" && (document.gross ?? 0n) > 0n) invoiced.add(document.id)
        const gaps = ends && batch === files.batches.at(-1) && first === undefined ? invoiced.said : []
        yield {
          name: file.name,
          begins,
          ends,
          read,
          quarantined: [...quarantined, ...(begins ? refused.map((one) => refusedOf(file, one)) : [])],
          notices: [
            ...notices,
            ...(begins ? noticesOf(batch, files) : []),
            ...gaps.map((what) => ({ origin: file.name, what }))
          ]
        }
        begins = false
      }
    }
  } finally {
    files.store.close()
  }
}

const refusedOf = ({ name }: ListedFile, { line, ...rest }: Refusal): QuarantinedRecord => ({
  kind: "invoice",
  origin: `${name}:${line}`,
  ...rest
})
