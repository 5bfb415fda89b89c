/**
 * Reports on cover: each buyer's open and covered amounts, this month's spending, waiting offers, and upcoming deadlines.
 * Amounts are decimal text, instants milliseconds.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { offerOf } from "../apply/CoverDecisions.ts"
import type { Connection, PlannedConnection } from "../model/Connection.ts"
import { REMIND_DAYS } from "../model/CoverSettings.ts"
import type { CoverState } from "../model/CoverStanding.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import * as OfferStore from "../plan/OfferStore.ts"
import * as PurchaseBlocks from "../plan/PurchaseBlocks.ts"
import * as Facts from "../plan/Facts.ts"
import { planOne } from "../plan/Plan.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import * as UnknownCalls from "../plan/UnknownCalls.ts"
import { monthOf } from "../rules/CoverParts.ts"
import { decisionOnOffer } from "../rules/CoverPurchase.ts"
import { netOf } from "../rules/CoverSelection.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { type Stood, stoodAt } from "../state/tables/History.ts"
import { exposure } from "./CoverExposure.ts"
import type { CoverBudget, CoverDeadline, CoverReport, CoverRow, WaitingOffer } from "../model/reports/Cover.ts"

export type { CoverBudget, CoverDeadline, CoverReport, WaitingOffer }

/** What is stored of an invoice's cover, with the invoice's number and the buyer's name. */
export interface StoredCover {
  readonly subject: string
  readonly connection: string
  readonly buyer: string
  readonly company: string | null
  readonly currency: string
  readonly due: string
  readonly state: CoverState
  readonly why: string | null
  readonly code: string | null
  readonly quote: string | null
  readonly until: bigint | null
  readonly price: bigint | null
  readonly price_currency: string | null
  readonly insured: bigint | null
  readonly policy: string | null
  readonly status: string | null
  readonly window_ends: string | null
  readonly number: string | null
  readonly name: string | null
}

interface Row extends StoredCover {
  readonly open: bigint | null
  /** Handed over to collections: 1 or 0. */
  readonly handed: bigint
}

const rowsOf = (db: Db, connection: string, where = "", stood?: Stood): ReadonlyArray<Row> =>
  db
    .prepare(
      `${stoodAt(stood)} SELECT c.*, ${Body.numberOfInvoice("d.body")} AS number, ${Body.at("invoice", "party.name", "d.body")} AS name, l.books_open AS open,
          EXISTS (SELECT 1 FROM cover_event e WHERE e.subject = c.subject AND e.what = 'collection' AND e.at <= ?) AS handed
        FROM cover c LEFT JOIN document d ON d.key = c.subject LEFT JOIN ledger l ON l.subject = c.subject
        WHERE c.connection = ? ${where} ORDER BY c.due, c.subject`
    )
    .safeIntegers()
    .all(stood?.at ?? Number.MAX_SAFE_INTEGER, connection) as ReadonlyArray<Row>

const amount = (minor: bigint | null, currency: string): string =>
  Currency.format(Currency.ofMinor(minor ?? 0n, currency), currency)

/** Every invoice that is selected, or was covered, by due date. */
export const invoices = (db: Db, connection: string, stood?: Stood): ReadonlyArray<CoverRow> =>
  rowsOf(db, connection, "", stood).map((row) => ({
    subject: row.subject,
    connection,
    number: row.number ?? "",
    buyer: row.buyer,
    name: row.name ?? row.buyer,
    currency: row.currency,
    due: row.due,
    state: row.state,
    open: amount(row.open, row.currency),
    insured: amount(row.insured, row.currency),
    quote: row.quote,
    policy: row.policy,
    status: row.status,
    code: row.code,
    why: row.why === "" ? null : (row.why ?? null),
    price: row.price === null ? null : amount(row.price, row.price_currency ?? row.currency),
    priceCurrency: row.price_currency
  }))

export const budget = (db: Db, { id, planning }: PlannedConnection, now: number): CoverBudget | undefined => {
  const { cover } = planning
  if (cover === undefined) return undefined
  const { price } = cover
  const spent = CoverFacts.spent(db, id, price.currency, now)
  const limit = Decimal.of(price.per_month)
  const left = limit > spent ? limit - spent : 0n
  return {
    connection: id,
    currency: price.currency,
    month: new Date(monthOf(ServiceTime.of(db, now))[0]).toISOString().slice(0, 7),
    limit: Currency.format(limit, price.currency),
    spent: Currency.format(spent, price.currency),
    left: Currency.format(left, price.currency),
    blocked: PurchaseBlocks.blocked(db, id, cover, now)?.why ?? null
  }
}

/** Valid offers that were not bought, by the invoice's due date. */
export const offers = (db: Db, connection: PlannedConnection, now: number): ReadonlyArray<WaitingOffer> =>
  rowsOf(db, connection.id, "AND c.state = 'offered'").flatMap(
    ({ subject }) => waiting(db, connection, subject, now) ?? []
  )

/** The plan that would buy an offer waits for a person, or was rejected; undefined: it is sent. */
const heldBy = (
  db: Db,
  id: string
): { readonly standing: "waits" | "rejected"; readonly words: string } | undefined => {
  const approval = Approvals.of(db, id)
  if (approval === undefined || approval.decision === "approved") return undefined
  return approval.decision === null
    ? { standing: "waits", words: "; its plan waits for approval" }
    : { standing: "rejected", words: `; its plan was rejected by ${approval.who}` }
}

/** The current offer of one invoice. */
export const waiting = (
  db: Db,
  connection: PlannedConnection,
  subject: string,
  now: number
): WaitingOffer | undefined => {
  const offer = offerOf(db, connection, subject, now)
  const remote = Facts.remoteInvoice(db, subject)
  const { invoice } = Facts.invoiceFacts(db, subject)
  const quote = remote?.cover?.quote
  if (offer === undefined || invoice === undefined || remote === undefined || quote === undefined) return undefined
  const plan = planOne(db, connection, subject, { now })
  const standing = OfferStore.offerDecisions(db, subject, remote)
  const said = decisionOnOffer(quote, standing)
  const purchase = plan.calls.find(({ operation }) => operation === "policies.create")
  const held = heldBy(db, connection.id)
  const asks = plan.attention.some(({ rule }) => rule === "Q5" || rule === "Q10")
  const isRejected = said?.decision === "reject" || standing.refused !== undefined
  const rest = UnknownCalls.isPurchase(db, subject) ? "unknown" : isRejected ? "rejected" : "waits"
  return {
    subject,
    connection: connection.id,
    number: invoice.number,
    name: invoice.party.name,
    currency: invoice.currency,
    due: invoice.due,
    net: Currency.format(netOf(remote), invoice.currency),
    standing: purchase !== undefined ? (held?.standing ?? "next") : asks ? "asks" : rest,
    why: purchase === undefined ? (plan.cover?.why ?? null) : `${purchase.reason}${held?.words ?? ""}`,
    decided: said?.who ?? null,
    ...offer
  }
}

/** Deadlines from today on, nearest first. */
export const deadlines = (
  db: Db,
  id: string,
  now: number,
  remind: ReadonlyArray<number> = REMIND_DAYS,
  stood?: Stood
): ReadonlyArray<CoverDeadline> => {
  const today = ServiceTime.today(db, now)
  return rowsOf(db, id, "AND c.state IN ('offered', 'insured')", stood)
    .flatMap((row) => {
      const { number, status, subject, until, window_ends: ends } = row
      const open = amount(row.open, row.currency)
      const of = {
        ...{ subject, connection: id, number: number ?? "", name: row.name ?? row.buyer, status },
        ...{ open, currency: row.currency }
      }
      const days: ReadonlyArray<readonly [string | null, CoverDeadline["what"]]> = [
        [status === "active" ? row.due : null, "due"],
        [row.state === "offered" && until !== null ? Day.fromEpochMillis(Number(until)) : null, "offer ends"],
        [status === "late_can_handover" && row.handed === 0n ? ends : null, "window closes"]
      ]
      return days.flatMap(([day, what]) =>
        day === null || day < today
          ? []
          : [
              {
                ...of,
                day,
                what,
                daysLeft: Day.between(today, Day.of(day)),
                remind: what === "window closes" ? remind : []
              }
            ]
      )
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.subject < b.subject ? -1 : 1))
}

/** The connections of which something is or may be covered, whether the configuration still has `cover` for them or not. */
export const watched = <C extends PlannedConnection>(db: Db, connections: ReadonlyArray<C>): ReadonlyArray<C> =>
  connections.filter((connection) => CoverFacts.isWatched(db, connection))

/** The deadlines of a connection. Without `cover` in the configuration nothing is bought, so that no offer ends. */
export const deadlinesOf = (
  db: Db,
  { id, planning }: PlannedConnection,
  now: number,
  stood?: Stood
): ReadonlyArray<CoverDeadline> =>
  deadlines(db, id, now, planning.cover?.handover?.remind, stood).filter(
    ({ what }) => planning.cover !== undefined || what !== "offer ends"
  )

export const report = (db: Db, connections: ReadonlyArray<Connection>, now: number): CoverReport => {
  const covered = watched(db, connections)
  const exposed = covered.map(({ id }) => exposure(db, id))
  return {
    exposure: exposed.flatMap(({ buyers }) => buyers),
    totals: exposed.flatMap(({ totals }) => totals),
    budgets: covered.flatMap((one) => budget(db, one, now) ?? []),
    offers: covered.flatMap((one) => offers(db, one, now)),
    deadlines: covered.flatMap((one) => deadlinesOf(db, one, now)),
    invoices: covered.flatMap(({ id }) => invoices(db, id))
  }
}

/** The report after an earlier run: without offers to decide about, and without the buyers' limits, which are known as they are now only. */
export const reportThen = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  stood: Stood,
  { budgets, now }: { readonly budgets: ReadonlyArray<CoverBudget>; readonly now: number }
): CoverReport => {
  const exposed = connections.map(({ id }) => ({ invoices: invoices(db, id, stood), ...exposure(db, id, stood) }))
  const covered = exposed.filter(({ invoices }) => invoices.length > 0)
  return {
    exposure: covered.flatMap(({ buyers }) => buyers),
    totals: covered.flatMap(({ totals }) => totals),
    budgets,
    offers: [],
    deadlines: connections.flatMap((one) => deadlinesOf(db, one, now, stood)),
    invoices: covered.flatMap(({ invoices }) => invoices)
  }
}
