/**
 * Reports payments without an invoice: why there is none, and where the payment was reported before. There is one attention
 * item under the payment's key; the invoice that it leaves needs none of its own.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Attention } from "../model/Call.ts"
import * as Body from "../state/Body.ts"
import * as Facts from "../plan/Facts.ts"
import type { Db } from "../state/Database.ts"
import { isUnknown } from "./NotOurs.ts"
import { SAME } from "../rules/InvoiceAttention.ts"
import { totalOf } from "./References.ts"
import { numberOf } from "./Numbers.ts"
import { isOnAccount } from "./OnAccount.ts"

/** Updates the attention items of some payments, and returns whether there may be more. */
export const report = (db: Db, most: number, now: number): boolean => {
  const rows = db
    .prepare(
      `SELECT t.document, d.key, d.body, m.rule, m.why, coalesce(m.was, '') AS was, m.document IS NULL AND d.deleted = 0
          AND NOT EXISTS (SELECT 1 FROM paying WHERE connection = substr(d.key, 1, instr(d.key, '/') - 1)) AS own
        FROM to_report t JOIN document d ON d.id = t.document LEFT JOIN matching m ON m.document = t.document
        WHERE t.due <= ? LIMIT ?`
    )
    .all(now, most) as ReadonlyArray<{
    readonly document: number
    readonly key: string
    readonly body: string
    readonly rule: Attention["rule"] | null
    readonly why: string | null
    readonly was: string
    /** Whether it is a payment beside the invoices of its own source. */
    readonly own: 0 | 1
  }>
  for (const { body, document, key, own, rule, was, why } of rows) {
    const payment = Body.read(body) as Payment
    const needs =
      own === 1
        ? unplaced(key, payment)
        : why === null || rule === null
          ? []
          : [attention(key, payment, { rule, why, before: reported(db, key, was) })]
    const until = needs.length > 0 && WAITING.includes(rule ?? "") ? patience(db, key, payment, now) : undefined
    const isWaiting = until !== undefined && until > now
    AttentionStore.update(db, key, isWaiting ? [] : needs, undefined, now)
    if (isWaiting) db.prepare("UPDATE to_report SET due = ? WHERE document = ?").run(until, document)
    else db.prepare("DELETE FROM to_report WHERE document = ?").run(document)
  }
  return rows.length === most
}

/** What the books may say: an amount or a name that explains nothing, or whether it is the same money as another payment. */
const WAITING: ReadonlyArray<string> = ["M2", "M3", "M6", "V1"]

/** For how many days the books may have a payment before somebody is asked about it. */
const WAIT_DAYS = 35

const MS_PER_DAY = 86_400_000

/**
 * Until when the books may have a payment that nothing explains, in milliseconds since the epoch; strangers are asked about together, when
 * that quarter is over, and nobody about what the books have on account. Undefined where they had none of its connection's, for what was
 * reported once, and for what went back. Nothing is sent of it meanwhile: waiting costs time, and never money.
 */
const patience = (db: Db, key: string, payment: Payment, now: number): number | undefined => {
  const { date, kind } = payment
  const row = db
    .prepare(
      `SELECT coalesce(limits ->> '$.wait', ${WAIT_DAYS}) FROM paying WHERE connection = ? AND booked = 1
        AND NOT EXISTS (SELECT 1 FROM posted WHERE fact = ?)`
    )
    .pluck()
  const days = row.get(Document.parseKey(key).connection, key) as number | undefined
  if (days === undefined || (kind as string) === "reversal") return undefined
  const until = Day.toEpochMillis(date) + days * MS_PER_DAY
  // Looked at again after as many days: the books may have it for an invoice by then, or no longer.
  if (until <= now && days > 0 && isOnAccount(db, key, payment)) return now + days * MS_PER_DAY
  return days > 0 && isUnknown(db, key) ? quarterEnd(until) : until
}

/** When the quarter is over that an instant is in. Milliseconds since the epoch. */
const quarterEnd = (instant: number): number => {
  const day = new Date(instant)
  return Date.UTC(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3) * 3 + 3)
}

/** Where the books have a connection's payments now, or none any more, what is asked about it is decided again. */
export const renewBooked = (db: Db): void => {
  const changed = db
    .prepare(
      `UPDATE paying SET booked = 1 - booked WHERE booked <> EXISTS (SELECT 1 FROM sighting f JOIN sighting l ON l.document = f.leader
          WHERE f.leader IS NOT NULL AND f.list = paying.connection AND f.how <> 'doubt' AND l.list = l.family) RETURNING connection`
    )
    .pluck()
    .all() as ReadonlyArray<string>
  for (const connection of changed)
    db.prepare(
      `INSERT INTO to_report (document) SELECT document FROM matching WHERE connection = ? AND matched <> amount
        ON CONFLICT DO UPDATE SET due = 0`
    ).run(connection)
}

/** P10: money beside the invoices of its own source that names none of them. */
const unplaced = (
  key: string,
  { currency, date, kind, party, unallocated = 0n }: Payment
): ReadonlyArray<Attention> => {
  if (unallocated === 0n) return []
  const who = party?.name ?? party?.id
  const what = (kind as string) === "reversal" ? "went back" : "received"
  return [
    {
      subject: key,
      fact: key,
      rule: "P10",
      why: `${Currency.say(unallocated, currency)} ${what} on ${date}${who === undefined ? "" : ` from ${who}`}: its source names no invoice for it`,
      todo: 'name the invoice in the source, or read such payments in a connection of their own that "pays" this one, where payers, texts and amounts find it; if it is for no invoice: daybook attention resolve NUMBER --note "for no invoice"'
    }
  ]
}

/** Where it was reported while it had an invoice. */
interface Reported {
  readonly invoice: string
  readonly amount: string
  readonly isPaid: boolean
}

const reported = (db: Db, fact: string, was: string): ReadonlyArray<Reported> =>
  (was === "" || Document.kindOf(fact) !== "payment" ? [] : (JSON.parse(was) as ReadonlyArray<string>)).flatMap(
    (invoice) => {
      const remote = Facts.remoteInvoice(db, invoice)
      if (remote === undefined) return []
      const last = remote.postings.findLast((posting) => posting.fact === fact && !posting.undo)
      if (last === undefined) return []
      const currency = db
        .prepare(`SELECT ${Body.at("invoice", "currency")} FROM document WHERE key = ?`)
        .pluck()
        .get(invoice)
      const amount = `${Currency.say(last.amount, typeof currency === "string" ? currency : "")} on ${last.date}`
      return [{ invoice: numberOf(db, invoice), amount, isPaid: remote.status === "paid" }]
    }
  )

const PLACE_IT =
  "say which invoice it is for: daybook attention resolve NUMBER --invoice INVOICE (more than once for several), or --none; or correct it in the source"

const attention = (
  key: string,
  document: Payment,
  {
    before,
    rule,
    why
  }: { readonly rule: Attention["rule"]; readonly why: string; readonly before: ReadonlyArray<Reported> }
): Attention => {
  const { currency, date, kind, party } = document
  const who = party?.name ?? party?.id
  const what = (kind as string) === "reversal" ? "went back" : "received"
  const said = before.map(({ amount, invoice }) => `; it was reported as ${amount} on ${invoice}, which is taken back`)
  const paid = before.flatMap(({ invoice, isPaid }) => (isPaid ? [invoice] : []))
  const closed = paid.map(
    (invoice) =>
      `; ${invoice} is marked as paid on the service, which cannot be undone: where it stays open, contact the service's operator`
  )
  return {
    subject: key,
    fact: key,
    rule,
    why: `${Currency.say(totalOf(document), currency)} ${what} on ${date}${who === undefined ? "" : ` from ${who}`}: ${why}${said.join("")}`,
    todo: `${rule === "V1" ? `${SAME}; or ` : ""}${PLACE_IT}${closed.join("")}`
  }
}
