/**
 * Stores what is known about invoices' cover beside the ledger: a row for budget, exposure and reports, each change of a
 * status with its time, when to plan an invoice again, and whether purchases are blocked.
 */
import * as Day from "../../core/wire/Day.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { Cover } from "../model/Cover.ts"
import { type CoverState, stateOf, windowEnds } from "../model/CoverStanding.ts"
import type { Remote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import type { CoverPart } from "../plan/CoverPlan.ts"
import { partyKey } from "../plan/PartyKey.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import { expectedExposure } from "../rules/Cover.ts"
import type { CoverEvent } from "../model/reports/Books.ts"
import { millisOf } from "../rules/CoverParts.ts"
import { leaveFor } from "../rules/CoverPurchase.ts"
import { lacksBudget, netOf, notInsurable, notSelected } from "../rules/CoverSelection.ts"
import type { Db } from "../state/Database.ts"

const minor = (amount: string | undefined, currency: string): bigint | null =>
  amount === undefined ? null : Currency.toMinorOutward(Decimal.of(amount), currency)

/** How much of the buyer's limit it uses. */
const exposure = (remote: RemoteInvoice, { invoice: { currency } }: CoverPart): bigint => {
  const said = remote.cover?.quote?.price?.insured ?? remote.cover?.quote?.insured
  const isSaid = remote.cover?.quote?.status === "offered" || remote.cover?.policy !== undefined
  return said !== undefined && isSaid
    ? Currency.toMinorOutward(Decimal.of(said), currency)
    : Currency.toMinorOutward(expectedExposure(netOf(remote), currency), currency)
}

/** Whether the offer is bought as soon as the month's budget has room for it. */
const isBought = (remote: RemoteInvoice, { invoice, settings, standing }: CoverPart, selected: boolean): boolean => {
  const quote = remote.cover?.quote
  if (!selected || quote?.status !== "offered" || quote.price === undefined) return false
  return leaveFor(quote, invoice, remote, settings, standing).by !== "nobody"
}

/** Writes the row of an invoice, or removes it if there is nothing to say about its cover. */
export const write = (
  db: Db,
  {
    connection,
    cover: part,
    subject
  }: { readonly subject: string; readonly connection: string; readonly cover?: CoverPart },
  remote: Remote | undefined
): void => {
  if (part === undefined) return
  const of = remote?.kind === "invoice" ? remote : undefined
  const selected = of !== undefined && notSelected(part.invoice, of, part.settings) === undefined
  const state = of === undefined ? "unselected" : stateOf(of, selected)
  const without =
    of !== undefined &&
    state === "unselected" &&
    notInsurable(of) === undefined &&
    lacksBudget(part.invoice, of, part.settings)
  const before = withoutBudget(db, subject)
  if (part.voids !== undefined) becomeVoid(db, subject, part.voids)
  writeRow(db, { connection, part, subject, selected, state, without }, of)
  sayBudget(db, connection, subject, [before, without ? part.invoice.currency : undefined])
}

/** Q5: keeps that an approval is void, so that it does not come back with the configuration. */
const becomeVoid = (db: Db, subject: string, { decision, now }: NonNullable<CoverPart["voids"]>): void =>
  void db
    .prepare(
      `INSERT INTO cover_decision (subject, about, decision, who, decided, digest, shown)
        SELECT subject, about, 'void', who, ?, digest, '{}' FROM cover_decision WHERE id = ? AND subject = ?`
    )
    .run(now, decision.id, subject)

/** The currency of an invoice that is listed for having no budget. */
const withoutBudget = (db: Db, subject: string): string | undefined =>
  db.prepare("SELECT currency FROM cover WHERE subject = ? AND code = 'no-budget'").pluck().get(subject) as
    | string
    | undefined

/** Plans the invoices again whose item stands for a currency without a budget, from now on or until now. */
const sayBudget = (
  db: Db,
  connection: string,
  subject: string,
  [before, after]: readonly [string | undefined, string | undefined]
): void => {
  if (before === after) return
  for (const currency of [before, after]) {
    if (currency === undefined) continue
    const others = db
      .prepare(
        "SELECT subject FROM cover WHERE connection = ? AND currency = ? AND code = 'no-budget' ORDER BY subject LIMIT 2"
      )
      .pluck()
      .all(connection, currency) as ReadonlyArray<string>
    const [first] = others.filter((one) => one !== subject)
    if (first !== undefined && first > subject) ChangedDocuments.touch(db, first)
  }
}

/** Writes the row, or removes it. */
const writeRow = (
  db: Db,
  {
    connection,
    part,
    selected,
    state,
    subject,
    without
  }: {
    readonly connection: string
    readonly part: CoverPart
    readonly selected: boolean
    readonly state: CoverState
    readonly subject: string
    readonly without: boolean
  },
  of: RemoteInvoice | undefined
): void => {
  if (of === undefined || (state === "unselected" && of.cover === undefined && !without)) {
    db.prepare("DELETE FROM cover WHERE subject = ?").run(subject)
    return
  }
  const { policy, quote } = of.cover ?? {}
  const { currency, due } = part.invoice
  const priced = quote?.price
  const row = {
    subject,
    connection,
    buyer: partyKey(part.invoice),
    company: CoverFacts.companyOf(of) ?? null,
    currency,
    due,
    state,
    why: part.why ?? null,
    quote: quote?.id ?? null,
    until: millisOf(quote?.validUntil) ?? null,
    price: priced === undefined ? null : minor(priced.total, priced.currency),
    price_currency: priced?.currency ?? null,
    insured: exposure(of, part),
    may: isBought(of, part, selected) ? 1 : 0,
    code: without ? CoverFacts.NO_BUDGET : (quote?.rejection?.code ?? null),
    rejection: quote?.rejection === undefined ? null : JSON.stringify(quote.rejection),
    policy: policy?.id ?? null,
    status: policy?.status ?? null,
    window_ends: windowEnds(policy, part.settings) ?? null
  }
  const names = Object.keys(row)
  const kept = names.filter((name) => name !== "subject" && name !== "why").map((name) => `${name} = excluded.${name}`)
  db.prepare(
    `INSERT INTO cover (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})
      ON CONFLICT (subject) DO UPDATE SET ${kept.join(", ")}, why = coalesce(excluded.why, why)`
  ).run(row)
}

/** Records that the service has just been read, by its own clock. */
export const wasRead = (db: Db, subject: string, time: number): void =>
  void db.prepare("UPDATE cover SET read = ? WHERE subject = ?").run(Math.round(time), subject)

/**
 * Whether the invoice was given another due date, and one of the two has passed: its policy may be in another window now, which
 * nobody has read yet.
 */
const isMoved = (before: Remote | undefined, after: Remote | undefined, now: number): boolean => {
  const dueOf = (one: Remote | undefined) => (one?.kind === "invoice" ? one.fields["due_date"] : undefined)
  const [was, is] = [dueOf(before), dueOf(after)]
  if (typeof was !== "string" || typeof is !== "string" || was === is) return false
  return (was < is ? was : is) < Day.fromEpochMillis(now)
}

/** H1, H10: stores each change of a status once, with its time. Call after the row was written. */
export const record = (
  db: Db,
  subject: string,
  before: Remote | undefined,
  after: Remote | undefined,
  now: number
): void => {
  const was = before?.kind === "invoice" ? before.cover : undefined
  const is = after?.kind === "invoice" ? after.cover : undefined
  const changed = changes(was ?? {}, is ?? {})
  const time = ServiceTime.of(db, now)
  if (isMoved(before, after, time)) wasRead(db, subject, 0)
  else if (changed.length > 0) wasRead(db, subject, time)
  for (const { after: to, before: from, detail, what } of changed)
    db.prepare("INSERT INTO cover_event (subject, at, what, before, after, detail) VALUES (?, ?, ?, ?, ?, ?)").run(
      subject,
      now,
      what,
      from ?? null,
      to,
      detail ?? null
    )
}

interface Change {
  readonly what: "quote" | "policy" | "collection" | "recovered"
  readonly before?: string
  readonly after: string
  readonly detail?: string
}

const changes = (was: Cover, is: Cover): ReadonlyArray<Change> => {
  const found: Array<Change> = []
  if (is.quote !== undefined && (is.quote.id !== was.quote?.id || is.quote.status !== was.quote.status)) {
    const same = is.quote.id === was.quote?.id
    const { rejection } = is.quote
    found.push({
      what: "quote",
      ...(same && was.quote !== undefined ? { before: was.quote.status } : {}),
      after: is.quote.status,
      detail: rejection === undefined ? is.quote.id : `${is.quote.id} ${rejection.code}`
    })
  }
  if (is.policy !== undefined && is.policy.status !== was.policy?.status)
    found.push({
      what: "policy",
      ...(was.policy === undefined ? {} : { before: was.policy.status }),
      after: is.policy.status,
      detail: is.policy.number ?? is.policy.id
    })
  const { recovered } = is.policy ?? {}
  if (recovered !== undefined && recovered !== was.policy?.recovered)
    found.push({
      what: "recovered",
      ...(was.policy?.recovered === undefined ? {} : { before: was.policy.recovered }),
      after: recovered
    })
  if (is.collection?.sent !== undefined && was.collection?.sent === undefined)
    found.push({ what: "collection", after: "sent", detail: is.collection.id })
  return found
}

export const events = (db: Db, subject: string): ReadonlyArray<CoverEvent> =>
  db
    .prepare("SELECT at, what, before, after, detail FROM cover_event WHERE subject = ? ORDER BY id")
    .all(subject) as ReadonlyArray<CoverEvent>

/** Sets when a document is planned again even if nothing changes. */
export const wake = (db: Db, subject: string, at: number | undefined): void => {
  if (at === undefined) db.prepare("DELETE FROM wake WHERE subject = ?").run(subject)
  else
    db.prepare("INSERT INTO wake VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at").run(subject, Math.trunc(at))
}

/** Records that a payment failed: nothing more is bought for this connection until a person decides. */
export const block = (db: Db, connection: string, subject: string, why: string, now: number): void =>
  void db
    .prepare("INSERT INTO purchase_block VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
    .run(connection, now, subject, why)

/**
 * Records a person's decision to continue buying: the payment will work again, or this month has enough budget in any case.
 */
export const unblock = (db: Db, connection: string, by: "payment" | "spent"): void => {
  const sql =
    by === "payment"
      ? "DELETE FROM purchase_block WHERE connection = ?1"
      : "DELETE FROM earlier_purchase WHERE total IS NULL AND subject > ?1 || '/' AND subject < ?1 || '0'"
  const { changes: cleared } = db.prepare(sql).run({ 1: connection })
  if (cleared === 0) return
  const offered = db
    .prepare("SELECT subject FROM cover WHERE connection = ? AND state = 'offered'")
    .pluck()
    .all(connection) as ReadonlyArray<string>
  for (const subject of offered) ChangedDocuments.touch(db, subject)
}
