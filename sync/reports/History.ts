/**
 * Collects everything about one document or call: what the source said and when, what belongs to it, what was sent to the service,
 * every call with its request and answer, and what needs attention. Read-only.
 */
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { AttentionStory } from "../model/reports/Books.ts"
import type { Db } from "../state/Database.ts"
import { reader, ROW } from "../state/RecordPages.ts"

export interface Version {
  readonly key: string
  readonly n: number
  readonly deleted: boolean
  /** When it was read, in milliseconds since the epoch. */
  readonly read: number
  readonly origin: string
  readonly document: Document.Document
  readonly raw: string
}

interface VersionRow {
  readonly key: string
  readonly n: number
  readonly deleted: number
  readonly read: number
  readonly record: number
  readonly body: string
}

export interface CallStory extends Omit<PastCalls.PastCall, "request" | "answer"> {
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly answer: unknown
}

/** Every version of a document, oldest first. */
export const versions = (db: Db, key: string): ReadonlyArray<Version> => {
  const rows = db
    .prepare(
      `SELECT x.key, x.n, x.deleted, coalesce(x.read, p.read) AS read, x.record, x.body FROM (
          SELECT d.key, v.n, v.deleted, v.read, v.record, v.body FROM version v JOIN document d ON d.id = v.document WHERE d.key = :key
          UNION ALL SELECT key, n, deleted, read, record, body FROM document WHERE key = :key
        ) x LEFT JOIN record_page p ON p.id = x.record ${ROW} ORDER BY x.n`
    )
    .all({ key }) as ReadonlyArray<VersionRow>
  const recordOf = reader(db)
  return rows.map(({ body, deleted, record, ...row }) => ({
    ...row,
    ...recordOf(record),
    deleted: deleted === 1,
    document: Body.read(body)
  }))
}

/** The keys of the payments, reversals and credit notes that are, or were, allocated to an invoice. */
export const facts = (db: Db, invoice: string): ReadonlyArray<string> =>
  db
    .prepare("SELECT d.key FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = ? ORDER BY d.key")
    .pluck()
    .all(invoice) as ReadonlyArray<string>

const callStory = ({ answer, request, ...row }: PastCalls.PastCall): CallStory => {
  const { body, params } = JSON.parse(request) as Pick<CallStory, "params" | "body">
  return { ...row, params, body, answer: parse(answer) }
}

const parse = (text: string | null): unknown => {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const calls = (db: Db, subject: string): ReadonlyArray<CallStory> => PastCalls.of(db, subject).map(callStory)

export const call = (db: Db, id: number): CallStory | undefined => {
  const row = PastCalls.find(db, id)
  return row === undefined ? undefined : callStory(row)
}

export const attention = (db: Db, subject: string): ReadonlyArray<AttentionStory> =>
  db
    .prepare("SELECT id, rule, why, todo, since, closed, how FROM attention WHERE subject = ? ORDER BY id")
    .all(subject) as ReadonlyArray<AttentionStory>

/** Why nothing is sent, and the currency, as last planned. */
export const standing = (db: Db, subject: string) =>
  db.prepare("SELECT reason, currency FROM ledger WHERE subject = ?").get(subject) as
    | { readonly reason: string | null; readonly currency: string }
    | undefined

/**
 * The documents that a person may mean by a key, a source's id, or an invoice's number. At most ten, keys only.
 */
export const search = (db: Db, text: string, connections: ReadonlyArray<string>): ReadonlyArray<string> => {
  const exists = db.prepare("SELECT 1 FROM document WHERE key = ? UNION SELECT 1 FROM allocation WHERE invoice = ?")
  const whole = [text, ...connections.flatMap((one) => Document.KINDS.map((kind) => Document.key(one, kind, text)))]
  const found = whole.filter((key) => exists.get(key, key) !== undefined)
  if (found.length > 0) return found.slice(0, 10)
  const parts = connections.flatMap((one) =>
    Document.KINDS.flatMap((kind) => {
      const start = `${Document.key(one, kind, text)}/`
      return db
        .prepare("SELECT key FROM document WHERE key > ? AND key < ? LIMIT 10")
        .pluck()
        .all(start, `${start.slice(0, -1)}0`) as ReadonlyArray<string>
    })
  )
  if (parts.length > 0) return parts.slice(0, 10)
  return db
    .prepare(
      `SELECT key FROM document WHERE ${Body.is("invoice")} AND ${Body.at("invoice", "number")} = :text
          AND ${Body.at("invoice", "number")} IS NOT NULL
        UNION ALL SELECT key FROM document WHERE ${Body.is("order")} AND ${Body.at("order", "number")} = :text LIMIT 10`
    )
    .pluck()
    .all({ text }) as ReadonlyArray<string>
}

/** A document as the source says now. */
export const document = (db: Db, key: string): Document.Document | undefined => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(key)
  return typeof body === "string" ? Body.read(body) : undefined
}
