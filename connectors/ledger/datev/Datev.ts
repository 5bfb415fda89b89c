/**
 * Reads all EXTF files of a folder together: batches of months, and the list of customers that has their names. Of two exports of
 * the same postings, the one that was written later is read.
 */
import type { ConnectorContext } from "../../Connector.ts"
import type { ListedFile } from "../../Listed.ts"
import type { Part } from "../Part.ts"
import type { Settings } from "../Settings.ts"
import { type Batch, type Posting, readBatch } from "./Batch.ts"
import { Documents } from "./Documents.ts"

/** Postings of a page. */
const PAGE = 2000

/** Two files with so many equal postings are exports of one batch. */
const SAME = 0.8

const contentOf = ({ amount, currency, customer, day, other, ref }: Posting): string =>
  [customer, other, day, ref, amount, currency].join("\u0000")

const isExportOf = (one: Batch, other: Batch): boolean => {
  const there = new Set(other.postings.map(contentOf))
  const same = one.postings.filter((posting) => there.has(contentOf(posting))).length
  return one.postings.length > 0 && same >= SAME * one.postings.length
}

export interface DatevFiles {
  readonly batches: ReadonlyArray<Batch>
  /** Earlier exports of others. */
  readonly earlier: ReadonlyArray<Batch>
}

export const readBatches = async (files: ReadonlyArray<ListedFile>): Promise<DatevFiles> => {
  const all: Array<Batch> = []
  for (const file of files) {
    const one = await readBatch(file)
    if (one !== undefined) all.push(one)
  }
  const sorted = all.toSorted((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0))
  const earlier = sorted.filter((one, n) => sorted.slice(n + 1).some((later) => isExportOf(one, later)))
  const days = ({ postings }: Batch) => postings[0]?.day ?? ""
  const batches = sorted.filter((one) => !earlier.includes(one)).toSorted((a, b) => (days(a) < days(b) ? -1 : 1))
  return { batches, earlier }
}

export function* datevParts(
  { batches, earlier }: DatevFiles,
  settings: Settings,
  { first = Infinity }: Pick<ConnectorContext, "first">
): Generator<Part> {
  const documents = new Documents(settings, batches)
  const notices = earlier.map(({ file }) => ({
    origin: file.name,
    what: "an earlier export of the same postings; left out"
  }))
  for (const { file, notices: its, postings, refused } of batches) {
    let [at, left] = [0, first]
    do {
      const made = documents.make(postings.slice(at, at + PAGE))
      const isCut = made.read.length > left
      const begins = at === 0
      at += PAGE
      yield {
        name: file.name,
        begins,
        ends: at >= postings.length && !isCut,
        read: isCut ? made.read.slice(0, left) : made.read,
        quarantined: [
          ...made.quarantined,
          ...(begins
            ? refused.map(({ line, ...rest }) => ({
                kind: "invoice" as const,
                origin: `${file.name}:${line}`,
                ...rest
              }))
            : [])
        ],
        notices: [
          ...made.notices,
          ...(begins ? its.map((what) => ({ origin: file.name, what })) : []),
          ...(begins && file === batches[0]?.file ? notices : [])
        ]
      }
      left -= made.read.length
    } while (at < postings.length && left > 0)
  }
}
