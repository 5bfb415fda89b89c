/**
 * Links payments with their reversals when the source has no payment ids: banks identify both only by an end-to-end id
 * (trace), or by the reference that a debit was collected with. Both are stored with the names of invoices, traces under a
 * prefix that no invoice name has.
 */
import type { Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Body from "../state/Body.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import { textOf, totalOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"
import { mentioning } from "./Tables.ts"

const OF_PAYMENT = "#payment "
const OF_REVERSAL = "#reversal "

/** The stored name by which a document with a trace is found. */
export const traceName = (document: Payment | Reversal): ReadonlyArray<string> => {
  const collected = document.kind === "reversal" ? document.collected?.reference : undefined
  const trace = (document.trace ?? collected ?? "").trim()
  return trace === "" ? [] : [`${document.kind === "payment" ? OF_PAYMENT : OF_REVERSAL}${Document.storable(trace)}`]
}

/** A trace that this many documents share identifies none of them. */
const MOST = 200

/** A payment may be booked so many days after the one on which it was collected. */
export const BOOKED_WITHIN_DAYS = 5

interface Found {
  readonly key: string
  readonly date: Day.Day
  readonly says: string
  readonly hasTrace: boolean
}

/** A payment, in minor units. */
interface Taken {
  readonly key: string
  readonly amount: number
  readonly currency: string
  readonly date: string
}

/** The payments under a name that a reversal may take back: of its amount and currency, up to a day. */
const able = (db: Db, connection: string, pays: string, reversal: Reversal, name: string): ReadonlyArray<Found> => {
  const found = mentioning(db, pays, name)
  if (found.length > MOST) return []
  const one = db.prepare("SELECT key, body FROM document WHERE id = ? AND deleted = 0")
  const amount = totalOf(reversal)
  const day = reversal.collected?.day
  const until = day === undefined ? reversal.date : Day.addDays(day, BOOKED_WITHIN_DAYS)
  return found.flatMap((id) => {
    const row = one.get(id) as { readonly key: string; readonly body: string } | undefined
    if (row?.key.startsWith(`${connection}/`) !== true) return []
    const payment = Body.read(row.body) as Payment | Reversal
    if (payment.kind !== "payment" || payment.date > until) return []
    const fits = totalOf(payment) === amount && payment.currency === reversal.currency
    const hasTrace = payment.trace !== undefined
    return fits ? [{ key: row.key, date: payment.date, says: textOf(payment), hasTrace }] : []
  })
}

/** The last of them, if it is one. */
const last = (all: ReadonlyArray<Found>): string | null => {
  const day = all
    .map(({ date }) => date)
    .toSorted()
    .at(-1)
  const [only, other] = all.filter(({ date }) => date === day)
  return only === undefined || other !== undefined ? null : only.key
}

/**
 * The payment that a reversal reverses: the last one up to its day with the same trace, amount and currency. Mandates and
 * customers often have one trace for all their debits, so a number that the texts of both have comes first. Without a trace,
 * the last one whose text has the reference that was collected with, or an invoice's number of its own text ("UNPAID CHQ INV-2").
 */
export const traced = (db: Db, connection: string, pays: string, reversal: Reversal): string | null => {
  const [name] = traceName(reversal)
  if (name === undefined) return referred(db, connection, pays, reversal, [])
  const traces = able(db, connection, pays, reversal, name.replace(OF_REVERSAL, OF_PAYMENT))
  // A payment may have been read in a format that has no traces: its invoice says which one it is.
  if (reversal.collected !== undefined || traces.length === 0) return referred(db, connection, pays, reversal, traces)
  const said = MatchRules.namesIn(reversal.details ?? "").map(({ name }) => name)
  const shared = (text: string) =>
    Math.max(0, ...MatchRules.namesIn(text).map(({ name }) => (said.includes(name) ? name.length : 0)))
  const most = said.length === 0 ? 0 : Math.max(0, ...traces.map(({ says }) => shared(says)))
  return last(most === 0 ? traces : traces.filter(({ says }) => shared(says) === most))
}

/** The longest part of a reference or text counts under which there is a payment. What another reversal took back is not taken back again. */
const referred = (
  db: Db,
  connection: string,
  pays: string,
  reversal: Reversal,
  traces: ReadonlyArray<Found>
): string | null => {
  const own = Document.key(connection, "reversal", reversal.id)
  const others = db.prepare(
    "SELECT 1 FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ? AND d.key <> ? AND d.deleted = 0"
  )
  const left = (all: ReadonlyArray<Found>) => all.filter(({ key }) => others.get(key, own) === undefined)
  const first = left(traces)
  if (first.length > 0) return last(first)
  const { collected, details = "" } = reversal
  const numbered = db.prepare(
    `SELECT 1 FROM payable WHERE connection = :pays AND number = :name
      UNION ALL SELECT 1 FROM asked WHERE connection = :pays AND reference = :name`
  )
  // In a bank's text, only an invoice's number says what a payment was for: mandates, dates and amounts are in many.
  const names = MatchRules.namesIn(collected?.reference ?? details).filter(
    ({ name, weak }) => !weak && (collected !== undefined || numbered.get({ pays, name }) !== undefined)
  )
  const isTraced = traceName(reversal).length > 0
  const found = names
    .map(({ name }) => left(able(db, connection, pays, reversal, name)).filter((one) => !isTraced || !one.hasTrace))
    .filter((all) => all.length > 0)
  // A text may have the numbers of several invoices; a reference is one, and its parts.
  if (collected === undefined && new Set(found.map(last)).size > 1) return null
  if (found[0] !== undefined) return last(found[0])
  if (isTraced || reversal.type !== "refund") return null
  const [only, ...more] = MatchRules.namesIn(details).filter(({ name }) => numbered.get({ pays, name }) !== undefined)
  return only === undefined || more.length > 0
    ? null
    : refundedPartly(db, connection, reversal, mentioning(db, pays, only.name))
}

/** A refund of a part says whose it is by the one invoice that it names, if a single payment of its list is for that. */
const refundedPartly = (
  db: Db,
  connection: string,
  reversal: Reversal,
  mentioned: ReadonlyArray<number>
): string | null => {
  const one = db.prepare(
    `SELECT d.key, m.amount, m.currency, m.date FROM matching m JOIN document d ON d.id = m.document
      WHERE d.id = ? AND m.connection = ? AND m.back = 0 AND d.deleted = 0`
  )
  const [payment, ...others] = mentioned.flatMap((id) => (one.get(id, connection) as Taken | undefined) ?? [])
  if (payment === undefined || others.length > 0 || payment.date > reversal.date) return null
  const amount = Currency.toMinorOutward(totalOf(reversal), payment.currency)
  const back = db
    .prepare(
      `SELECT total(m.amount) FROM matching m JOIN document d ON d.id = m.document
        WHERE m.of = ? AND d.key <> ? AND d.deleted = 0`
    )
    .pluck()
    .get(payment.key, Document.key(connection, "reversal", reversal.id)) as number
  const fits = payment.currency === reversal.currency && BigInt(payment.amount) >= amount + BigInt(back)
  return fits ? payment.key : null
}

/** Reversals that may take back a payment of one of these names, or one that another of them took back. */
export const tracing = (db: Db, pays: string, names: ReadonlyArray<string>): ReadonlyArray<number> => {
  const is = db.prepare("SELECT 1 FROM matching WHERE document = ? AND back = 1")
  return names.flatMap((name) => {
    const found = mentioning(db, pays, name.replace(OF_PAYMENT, OF_REVERSAL))
    return name.startsWith("#") || found.length <= MOST ? found.filter((id) => is.get(id) !== undefined) : []
  })
}
