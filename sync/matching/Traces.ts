/**
 * Links payments with their reversals when the source has no payment ids: banks identify both only by an end-to-end id
 * (trace). Traces are stored with the names of invoices, under a prefix that no invoice name has.
 */
import type { Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import { textOf, totalOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"
import { mentioning } from "./Tables.ts"

type Db = Database["Service"]

const OF_PAYMENT = "#payment "
const OF_REVERSAL = "#reversal "

/** The stored name by which a document with a trace is found. */
export const traceName = ({ kind, trace }: Payment | Reversal): ReadonlyArray<string> =>
  trace === undefined || trace.trim() === ""
    ? []
    : [`${kind === "payment" ? OF_PAYMENT : OF_REVERSAL}${Document.storable(trace.trim())}`]

/** A trace that this many documents share identifies none of them. */
const MOST = 200

/**
 * The payment that a reversal reverses: the last one up to its day with the same trace, amount and currency. Mandates and
 * customers often have one trace for all their debits, so a number that the texts of both have comes first.
 */
export const traced = (db: Db, connection: string, pays: string, reversal: Reversal): string | null => {
  const [name] = traceName(reversal)
  if (name === undefined) return null
  const found = mentioning(db, pays, name.replace(OF_REVERSAL, OF_PAYMENT))
  if (found.length > MOST) return null
  const one = db.prepare("SELECT key, body FROM document WHERE id = ? AND deleted = 0")
  const amount = totalOf(reversal)
  const able = found.flatMap((id) => {
    const row = one.get(id) as { readonly key: string; readonly body: string } | undefined
    if (row === undefined || !row.key.startsWith(`${connection}/`)) return []
    const payment = Body.read(row.body) as Payment
    const fits = totalOf(payment) === amount && payment.currency === reversal.currency && payment.date <= reversal.date
    return fits ? [{ key: row.key, date: payment.date, says: textOf(payment) }] : []
  })
  const said = MatchRules.namesIn(reversal.details ?? "").map(({ name }) => name)
  const shared = (text: string) =>
    Math.max(0, ...MatchRules.namesIn(text).map(({ name }) => (said.includes(name) ? name.length : 0)))
  const most = said.length === 0 ? 0 : Math.max(0, ...able.map(({ says }) => shared(says)))
  const named = most === 0 ? able : able.filter(({ says }) => shared(says) === most)
  const last = named
    .map(({ date }) => date)
    .toSorted()
    .at(-1)
  const [only, other] = named.filter(({ date }) => date === last)
  return only === undefined || other !== undefined ? null : only.key
}

/** Reversals that may take back a payment of one of these names. */
export const tracing = (db: Db, pays: string, names: ReadonlyArray<string>): ReadonlyArray<number> =>
  names
    .filter((name) => name.startsWith(OF_PAYMENT))
    .flatMap((name) => mentioning(db, pays, name.replace(OF_PAYMENT, OF_REVERSAL)))
