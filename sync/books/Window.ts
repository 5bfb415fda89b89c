/**
 * Recognises lists that show a window of time only, like an export of the last sixty days: their oldest records leave them as new
 * ones come. Such records were not deleted; they are out of view.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Copy } from "../../connectors/Connector.ts"
import type { Database } from "../state/Database.ts"
import type { DocumentRow } from "./DocumentRow.ts"
import type { ScanState } from "./ScanState.ts"
import * as StrangeScans from "./StrangeScans.ts"

type Db = Pick<Database["Service"], "prepare">

/** The scan of documents that no part covers any more. It never ends, so nothing of it counts as deleted. */
export const OUT_OF_VIEW = "out of view"

const dateOf = (document: Document.Document): string | undefined => {
  if (document.kind === "invoice") return document.issued
  return document.kind === "order" ? document.placed : document.date
}

/** A document's day, as SQL; of the kind that a part has. */
const DATES: Readonly<Record<Document.Kind, string>> = {
  invoice: Body.at("invoice", "issued"),
  payment: Body.at("payment", "date"),
  reversal: Body.at("reversal", "date"),
  credit_note: Body.at("credit_note", "date"),
  payout: Body.at("payout", "date"),
  order: Body.at("order", "placed"),
  fulfilment: Body.at("fulfilment", "date"),
  cancellation: Body.at("cancellation", "date"),
  return: Body.at("return", "date")
}

/** That just the oldest records are deleted by chance is less likely than one in so many. */
const CHANCE = 1000

/** Whether a choice of some among all is one of at least `CHANCE`. */
const isUnlikely = (some: number, all: number): boolean => {
  let ways = 1
  for (let n = 0; n < some && ways < CHANCE; n++) ways *= (all - n) / (n + 1)
  return ways >= CHANCE
}

/** What a document says but for its id and its day. */
const undated = (document: Document.Document): string =>
  Body.write({ ...document, id: "", date: undefined, metadata: undefined } as unknown as Document.Document)

/** Whether what left is there again with another day, or under other ids. */
const isAnew = ({ prepare }: Db, scan: ScanState, lost: ReadonlyArray<Document.Document>): boolean => {
  if (scan.added === 0) return false
  if (StrangeScans.strange({ ...scan, kept: scan.before - lost.length }) === "G8") return true
  const bodies = prepare("SELECT body FROM document WHERE scan = ? AND id >= ?").pluck().all(scan.id, scan.firstAdded)
  const added = new Set((bodies as ReadonlyArray<string>).map((body) => undated(Body.read(body))))
  return lost.some((one) => added.has(undated(one)))
}

/**
 * What a person reads if records left a list because they were the oldest, undefined if they were deleted. They left if the list is
 * known to be a window, if it lists what paid the invoices of another connection, from which nobody deletes what was received, or
 * if new records came at the same time and it is unlikely by chance.
 */
export const left = (
  { prepare }: Db,
  scan: ScanState,
  lost: ReadonlyArray<DocumentRow>,
  pays: boolean
): string | undefined => {
  const { copy, rolls } = prepare("SELECT copy, rolls FROM scan WHERE id = ?").get(scan.id) as {
    readonly copy: string | null
    readonly rolls: number
  }
  const { window } = copy === null ? { window: false } : (JSON.parse(copy) as Copy)
  if (window === false) return undefined
  const isWindow = window === true || rolls === 1
  if (!isWindow && !pays && (scan.added === 0 || !isUnlikely(lost.length, scan.before))) return undefined
  const documents = lost.map(({ body }) => Body.read(body))
  const days = documents.flatMap((document) => dateOf(document) ?? [])
  if (days.length < lost.length) return undefined
  if (!isWindow && pays && isAnew({ prepare }, scan, documents)) return undefined
  const latest = days.reduce((a, b) => (a > b ? a : b))
  const kinds = [...new Set(documents.map(({ kind }) => kind))]
  const until = prepare(
    `SELECT count(*) FROM document WHERE scan = :scan AND deleted = 0 AND (${kinds
      .map((kind) => `(${Body.is(kind)} AND ${DATES[kind]} <= :latest)`)
      .join(" OR ")})`
  )
    .pluck()
    .get({ scan: scan.id, latest })
  if (until !== lost.length) return undefined
  prepare("UPDATE scan SET rolls = 1 WHERE id = ?").run(scan.id)
  return `records up to ${latest} left the list, and none as old is in it (${lost.length}); they stay as they were. If they were deleted, write "window": false`
}
