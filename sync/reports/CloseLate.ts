/**
 * What was read late: documents dated in a month that was closed, which were read, changed or deleted after that. Their former
 * versions are in the state file, so that both figures are known.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"
import type { Late } from "./CloseReport.ts"

interface Version {
  readonly id: number
  readonly key: string
  readonly deleted: number
  readonly read: number
  readonly body: string
  /** What was matched with invoices, where it is another connection's payment. */
  readonly matched: string | null
}

const READ = `coalesce(d.read, (SELECT p.read FROM record_page p WHERE p.id = d.record ${ROW}))`
const MATCHED = "(SELECT json_group_array(a.amount) FROM allocation a WHERE a.document = d.id AND a.amount IS NOT NULL)"

const SINCE = `SELECT d.id, d.key, d.deleted, ${READ} AS read, d.body, ${MATCHED} AS matched FROM document d
  WHERE d.key > :first AND d.key <= :end AND ${READ} > :closed ORDER BY d.key`

/** How many documents are looked at in one piece. */
const PART = 500

const PART_ENDS = `SELECT max(key) FROM (SELECT key FROM document WHERE key > ? AND key < ? ORDER BY key LIMIT ${PART})`

const BEFORE = `SELECT d.deleted, d.body FROM version d WHERE d.document = ? AND ${READ} <= ? ORDER BY d.n DESC LIMIT 1`

interface Effect {
  readonly date: Day
  readonly currency: string
  readonly amount: Decimal.Decimal
}

/** What a version adds to what is open. */
const effectOf = (
  version: Pick<Version, "deleted" | "body"> | undefined,
  matched: string | null,
  currencyOf: (document: Document.Document) => string
): Effect | undefined => {
  if (version === undefined || version.deleted === 1) return undefined
  const document = Body.read(version.body)
  if (document.kind === "invoice") {
    const { currency, gross, issued, net, status } = document
    return status === "open" || status === "paid" ? { date: issued, currency, amount: gross ?? net ?? 0n } : undefined
  }
  if (document.kind !== "payment" && document.kind !== "reversal" && document.kind !== "credit_note") return undefined
  const given = JSON.parse(matched ?? "[]") as ReadonlyArray<string>
  const sum =
    given.length > 0
      ? Decimal.sum(given.map((amount) => BigInt(amount)))
      : Decimal.sum(document.shares.map(({ amount }) => amount))
  return {
    date: document.date,
    currency: document.currency ?? currencyOf(document),
    amount: document.kind === "reversal" ? sum : -sum
  }
}

/** Documents of these kinds that changed since, and undefined between the parts. */
function* since(db: Db, connection: string, closed: number): IterableIterator<Version | undefined> {
  for (const kind of ["invoice", "payment", "reversal", "credit_note"] as const) {
    let first = `${connection}/${kind}/`
    for (;;) {
      const end = db.prepare(PART_ENDS).pluck().get(first, `${connection}/${kind}0`) as string | null
      if (end === null) break
      yield* db.prepare(SINCE).all({ first, end, closed }) as ReadonlyArray<Version>
      first = end
      yield undefined
    }
  }
}

/**
 * Yields undefined between its parts.
 *
 * @param closed when the month was closed that ended on this day, milliseconds
 */
export function* late(db: Db, connection: string, closed: number, last: Day): IterableIterator<Late | undefined> {
  const before = db.prepare(BEFORE)
  const currencyOf = (document: Document.Document) => currencyOfInvoice(db, connection, document)
  for (const row of since(db, connection, closed)) {
    if (row === undefined) yield undefined
    else {
      const earlier = before.get(row.id, closed) as Version | undefined
      const [was, now] = [earlier, row].map((one) => effectOf(one, row.matched, currencyOf))
      // In another currency it is none in the former one.
      for (const currency of new Set([was, now].flatMap((one) => (one === undefined ? [] : [one.currency])))) {
        const amountOf = (effect: Effect | undefined) =>
          effect?.currency !== currency || effect.date > last ? 0n : effect.amount
        const dated = now ?? was
        if (dated === undefined || amountOf(was) === amountOf(now)) continue
        yield {
          document: row.key,
          connection,
          currency,
          date: dated.date,
          was: Currency.format(amountOf(was), currency),
          now: Currency.format(amountOf(now), currency),
          read: Instant.fromEpochMillis(row.read)
        }
      }
    }
  }
}

/** A fact without a currency has its invoice's. */
const currencyOfInvoice = (db: Db, connection: string, document: Document.Document): string => {
  const [share] = "shares" in document ? document.shares : []
  if (share === undefined) return ""
  const found = db
    .prepare(`SELECT ${Body.at("invoice", "currency")} FROM document WHERE key = ?`)
    .pluck()
    .get(Document.key(connection, "invoice", share.invoice))
  return typeof found === "string" ? found : ""
}
