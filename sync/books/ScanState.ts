/**
 * Tracks a scan while it is read from beginning to end: what was seen so far, and its sums.
 */
import type * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { add, contribution, type Totals } from "./ControlTotals.ts"

export interface ScanState {
  readonly id: number
  readonly name: string
  /** It is being read from its beginning, so documents that are not seen count as deleted. */
  scanning: boolean
  /** It had no documents when this scan began, so inserting first is faster than looking up first. */
  fresh: boolean
  /** A record without an id was quarantined, so nothing can count as deleted. */
  blind: boolean
  /** Ids of its quarantined records, which a later reading may release; empty text for those without an id. */
  quarantined: Set<string>
  /** The last row of the quarantine when this scan began: those up to it are of earlier readings. */
  earlier: number
  /** What this scan has seen so far: the sums, and a bit for each document. */
  readonly totals: Totals
  read: Uint8Array
  /** How many documents it had when this scan began, and how many came since that were new or had been deleted. */
  before: number
  added: number
  revived: number
  /** The row of the first document that came since. */
  firstAdded: number
}

const MONEY: ReadonlyArray<Document.Kind> = ["payment", "reversal", "credit_note"]

/** The kinds that a quarantined record may be of: until it can be read, the kind of money is unknown. */
export const likely = (kind: Document.Kind): ReadonlyArray<Document.Kind> => (MONEY.includes(kind) ? MONEY : [kind])

/** The records that a document may come from: one record may yield several documents, as `7/1` from `7`. */
export const recordsOf = (id: string): ReadonlyArray<string> => {
  if (!id.includes("/")) return [id]
  const parts = id.split("/")
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"))
}

export const NOTHING = new Uint8Array(0)

/** A scan of which nothing was read yet. */
const idle = (id: number, name: string, quarantined: Set<string>): ScanState => ({
  id,
  name,
  scanning: false,
  fresh: false,
  blind: false,
  quarantined,
  earlier: 0,
  totals: new Map(),
  read: NOTHING,
  before: 0,
  added: 0,
  revived: 0,
  firstAdded: 0
})

/** The ids of a scan's quarantined records; empty text for those without an id. */
export const idsInQuarantine = (prepare: Db["prepare"], connection: string, scan: string): Set<string> =>
  new Set(
    prepare("SELECT coalesce(id, '') FROM quarantine WHERE connection = ? AND scan = ?")
      .pluck()
      .all(connection, scan) as ReadonlyArray<string>
  )

/** The scan with this name, made if it is new. */
export const findScan = ({ prepare }: Pick<Db, "prepare">, connection: string, name: string): ScanState => {
  prepare("INSERT INTO scan (connection, name) VALUES (?, ?) ON CONFLICT DO NOTHING").run(connection, name)
  const id = prepare("SELECT id FROM scan WHERE connection = ? AND name = ?").pluck().get(connection, name)
  return idle(id as number, name, idsInQuarantine(prepare, connection, name))
}

/** Starts reading it from its beginning. */
export const begin = (scan: ScanState, before: number): void => {
  scan.totals.clear()
  Object.assign(scan, { scanning: true, blind: false, read: new Uint8Array(1 << 13) })
  Object.assign(scan, { fresh: before === 0, before, added: 0, revived: 0 })
}

/** Counts a document that is stored unchanged as seen. */
export const count = (scan: ScanState, body: string): void => {
  const stored = Body.read(body)
  add(scan.totals, stored.currency ?? "", 1, contribution(stored))
}

export const markRead = (scan: ScanState, id: number): void => {
  if (!scan.scanning) return
  const at = id >> 3
  if (at >= scan.read.length) {
    const larger = new Uint8Array(Math.max(scan.read.length * 2, at + 1))
    larger.set(scan.read)
    scan.read = larger
  }
  scan.read[at] = (scan.read[at] ?? 0) | (1 << (id & 7))
}

export const isRead = (scan: ScanState, id: number): boolean => ((scan.read[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
