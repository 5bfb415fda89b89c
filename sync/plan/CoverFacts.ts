/**
 * Reads from the state file the further input of the rules for cover: budget, limits, exposure, and people's decisions. Each
 * function depends only on the file and the time, so that planning one invoice and planning all give the same result.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { CoverRejection } from "../model/Cover.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import type { BuyerExposure, BuyerLimit, CoverContext } from "../model/CoverContext.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import { millisOf, monthOf } from "../rules/CoverParts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as OfferStore from "./OfferStore.ts"
import * as PurchaseBlocks from "./PurchaseBlocks.ts"
import { partyKey } from "./PartyKey.ts"
import * as ServiceTime from "./ServiceTime.ts"
import * as UnknownCalls from "./UnknownCalls.ts"

const money = (minor: unknown, currency: string): Decimal.Decimal =>
  Currency.ofMinor(typeof minor === "bigint" ? minor : BigInt((minor as number | null) ?? 0), currency)

const DAY_MS = 86_400_000

interface Purchase {
  readonly total: string
  /** The service's own time. */
  readonly created: string | null
  readonly claimed: number
  readonly answered: number | null
}

/**
 * Whether a purchase may have been made in a month of the service, which is between its request and its answer, within a day. What
 * the service says about it decides, where it says when.
 */
const mayBeIn = ({ answered, claimed, created }: Purchase, [first, next]: readonly [number, number], ahead: number) => {
  const stated = millisOf(created ?? undefined)
  const [from, to] =
    stated === undefined
      ? [claimed - Math.max(ahead, 0), Math.min(answered ?? Infinity, claimed + DAY_MS) - Math.min(ahead, 0)]
      : [stated, stated]
  return from < next && to >= first
}

/**
 * What a connection spent on cover in the calendar month of the service, UTC. Calls without a known outcome count, rejected ones
 * do not, and purchases by another state file do (`EarlierPurchases.ts`). What may have been bought in either of two months counts
 * in both.
 */
export const spent = (db: Db, connection: string, currency: string, now: number): Decimal.Decimal => {
  const ahead = ServiceTime.aheadOf(db)
  const month = monthOf(now - ahead)
  const [begins, ends] = month
  // In the middle of a month, the answer is not looked at.
  const around = DAY_MS + Math.abs(ahead)
  const at = { begins, ends, around, connection, currency }
  const purchases = db
    .prepare(
      `SELECT c.request ->> '$.price.total' AS total, c.claimed, r.answered,
          CASE WHEN abs(c.claimed - :begins) > :around AND abs(c.claimed - :ends) > :around THEN NULL
            WHEN json_valid(r.answer) THEN r.answer ->> '$.created' END AS created
        FROM claim c LEFT JOIN receipt r ON r.claim = c.id
        WHERE c.operation = 'policies.create' AND c.claimed >= :begins - :around AND c.claimed < :ends + :around
          AND +c.subject > :connection || '/' AND +c.subject < :connection || '0'
          AND c.request ->> '$.price.currency' = :currency AND (r.outcome IS NULL OR r.outcome = 'done')`
    )
    .all(at) as ReadonlyArray<Purchase>
  const earlier = db
    .prepare(
      `SELECT total FROM earlier_purchase
        WHERE bought >= :begins AND bought < :ends AND subject > :connection || '/' AND subject < :connection || '0'
          AND currency = :currency AND total IS NOT NULL`
    )
    .pluck()
    .all({ begins, ends, connection, currency }) as ReadonlyArray<string>
  const own = purchases.filter((one) => mayBeIn(one, month, ahead)).map(({ total }) => total)
  return Decimal.sum([...own, ...earlier].map((total) => Decimal.of(total)))
}

/**
 * The offers that are bought before one, as soon as there is room: whether there are any, and at what price in sum. Beyond
 * what is left of the month they are not added up: whatever comes behind does not fit.
 */
const before = (
  db: Db,
  connection: string,
  currency: string,
  at: { readonly due: string; readonly subject: string; readonly now: number },
  left: Decimal.Decimal
): { readonly any: boolean; readonly price: Decimal.Decimal } => {
  const prices = db
    .prepare(
      `SELECT price FROM cover c
        WHERE connection = :connection AND state = 'offered' AND may = 1 AND price_currency = :currency
          AND (due, subject) < (:due, :subject) AND (until IS NULL OR until > :now)
          AND NOT EXISTS (SELECT 1 FROM claim p WHERE p.subject = c.subject AND p.has_receipt = 0 AND p.operation = 'policies.create')
        ORDER BY due, subject`
    )
    .pluck()
    .iterate({ connection, currency, ...at }) as Iterable<number | null>
  let sum = 0n
  let any = false
  for (const price of prices) {
    any = true
    sum += money(price, currency)
    if (sum > left) break
  }
  return { any, price: sum }
}

/** What all offers cost that are bought as soon as there is room, but for those named: approved, or within the limits. */
export const promised = (
  db: Db,
  connection: string,
  currency: string,
  but: ReadonlyArray<string>,
  now: number
): Decimal.Decimal => {
  const prices = db
    .prepare(
      `SELECT price FROM cover c WHERE connection = ? AND state = 'offered' AND may = 1 AND price_currency = ?
        AND (until IS NULL OR until > ?) AND subject NOT IN (SELECT value FROM json_each(?))
        AND NOT EXISTS (SELECT 1 FROM claim p WHERE p.subject = c.subject AND p.has_receipt = 0 AND p.operation = 'policies.create')`
    )
    .pluck()
    .all(connection, currency, ServiceTime.of(db, now), JSON.stringify(but)) as ReadonlyArray<number | null>
  return Decimal.sum(prices.map((price) => money(price, currency)))
}

/** The code of an invoice that would be selected if `price` had a budget in its currency. */
export const NO_BUDGET = "no-budget"

/** The first invoice of a connection in a currency without a budget; its attention item stands for all of them. */
const firstWithoutBudget = (db: Db, connection: string, currency: string): string | undefined =>
  db
    .prepare(
      "SELECT subject FROM cover WHERE connection = ? AND currency = ? AND code = 'no-budget' ORDER BY subject LIMIT 1"
    )
    .pluck()
    .get(connection, currency) as string | undefined

/** The limit could not be read: the next sync tries again, and nothing waits for it. */
export const UNREAD = "unread"

/** Whether a company's limit was requested, with whatever outcome. */
const isLimitTried = (db: Db, company: string, currency: string): boolean =>
  db.prepare("SELECT 1 FROM buyer_limit WHERE company = ? AND currency = ?").get(company, currency) !== undefined

/** What was last read of a company's limit. */
export const limitOf = (db: Db, company: string, currency: string): BuyerLimit | undefined => {
  const row = db.prepare("SELECT * FROM buyer_limit WHERE company = ? AND currency = ?").get(company, currency) as
    | (Record<"available" | "used" | "maximum" | "rejection" | "was", string | null> &
        Pick<BuyerLimit, "company" | "currency" | "read" | "status">)
    | undefined
  if (row === undefined || row.status === UNREAD) return undefined
  const { available, maximum, rejection, used, was, ...rest } = row
  return {
    ...rest,
    ...(available === null ? {} : { available }),
    ...(used === null ? {} : { used }),
    ...(maximum === null ? {} : { maximum }),
    ...(rejection === null ? {} : { rejection: JSON.parse(rejection) as CoverRejection }),
    ...(was === null ? {} : { was })
  }
}

/** The buyer's company on the service, if known. */
export const companyOf = ({ cover, fields }: RemoteInvoice): string | undefined => {
  const { debtor } = fields
  return typeof debtor === "string" && !debtor.startsWith("<") ? debtor : cover?.company
}

const OTHERS = 5

const NO_SUMS = { insured: 0, waiting: 0, ahead: 0, earlier: 0 }

/** Of the invoices of a company, wherever it buys: they share its limit. */
const sumsOf = (
  db: Db,
  at: { readonly company: string; readonly currency: string; readonly due: string; readonly subject: string },
  read: number
): typeof NO_SUMS =>
  db
    .prepare(
      `SELECT coalesce(sum(iif(state = 'insured', insured, 0)), 0) AS insured,
          coalesce(sum(iif(state IN ('waiting', 'offered'), insured, 0)), 0) AS waiting,
          coalesce(sum(iif((state IN ('waiting', 'offered') AND subject <> :subject AND (due < :due OR (due = :due AND subject < :subject)))
            OR (state = 'insured' AND (SELECT max(claimed) FROM claim p WHERE p.subject = c.subject AND p.operation = 'policies.create') >= :read),
            insured, 0)), 0) AS ahead,
          coalesce(sum(due < :due OR (due = :due AND subject < :subject)), 0) AS earlier
        FROM cover c WHERE company = :company AND currency = :currency
          AND state IN ('insured', 'waiting', 'offered', 'declined')`
    )
    .get({ ...at, read }) as typeof NO_SUMS

const othersOf = (db: Db, connection: string, buyer: string, subject: string): ReadonlyArray<string> =>
  db
    .prepare(
      `SELECT subject FROM cover WHERE connection = ? AND buyer = ? AND state = 'insured' AND subject <> ? ORDER BY due, subject`
    )
    .pluck()
    .all(connection, buyer, subject) as ReadonlyArray<string>

/** Sums are taken where a limit is shared out, and others named where one is insured: nothing else looks at them. */
const exposureOf = (
  db: Db,
  { connection, key }: InvoiceFacts,
  invoice: Invoice,
  remote: RemoteInvoice,
  limit: BuyerLimit | undefined
): BuyerExposure => {
  const { currency, due } = invoice
  const sums =
    limit === undefined ? NO_SUMS : sumsOf(db, { company: limit.company, currency, due, subject: key }, limit.read)
  const isInsured = remote.insured || remote.cover?.policy !== undefined
  const others = isInsured ? othersOf(db, connection, partyKey(invoice), key) : []
  return {
    insured: money(sums.insured, currency),
    waiting: money(sums.waiting, currency),
    ahead: money(sums.ahead, currency),
    first: sums.earlier === 0,
    others: others.slice(0, OTHERS),
    count: others.length
  }
}

const wantedOf = (db: Db, subject: string): CoverContext["wanted"] =>
  db
    .prepare(
      "SELECT id, about FROM cover_decision WHERE subject = ? AND decision = 'quote' AND id > ? ORDER BY id DESC LIMIT 1"
    )
    .get(subject, OfferStore.lastBeforeRestoring(db)) as CoverContext["wanted"] | undefined

/** When a buyer last paid any invoice of this connection. */
const lastPaid = (db: Db, connection: string, buyer: string): Day | undefined =>
  (db
    .prepare(
      `SELECT max(${Body.at("payment", "date", "d.body")}) FROM cover c JOIN allocation a ON a.invoice = c.subject JOIN document d ON d.id = a.document
        WHERE c.connection = ? AND c.buyer = ? AND d.deleted = 0 AND d.key GLOB '*/payment/*'`
    )
    .pluck()
    .get(connection, buyer) as Day | null) ?? undefined

/** Rejections that apply to other invoices, too. */
const known = (db: Db, connection: string): ReadonlyArray<CoverRejection> =>
  (
    db
      .prepare(
        `SELECT DISTINCT rejection FROM cover WHERE connection = ? AND state = 'declined'
          AND code IN ('invoice-currency', 'buyer-country', 'invoice-credit-terms') ORDER BY rejection LIMIT 50`
      )
      .pluck()
      .all(connection) as ReadonlyArray<string>
  ).map((text) => JSON.parse(text) as CoverRejection)

/** @param now by this machine's clock; the rules count by the service's */
export const contextOf = (
  db: Db,
  facts: InvoiceFacts,
  invoice: Invoice,
  remote: RemoteInvoice,
  settings: CoverSettings,
  now: number
): Omit<CoverContext, "contradictions"> => {
  const { connection, key } = facts
  const { price } = settings
  const company = companyOf(remote)
  const limit = company === undefined ? undefined : limitOf(db, company, invoice.currency)
  const time = ServiceTime.of(db, now)
  const at = { due: invoice.due, subject: key, now: time }
  const quote = remote.cover?.quote
  const isOffered = quote?.status === "offered"
  const bought = isOffered ? spent(db, connection, price.currency, now) : 0n
  // Only what is offered is bought, and has others before it.
  const ahead = isOffered
    ? before(db, connection, price.currency, at, Decimal.of(price.per_month) - bought)
    : { any: false, price: 0n }
  const wanted = wantedOf(db, key)
  const block = PurchaseBlocks.blocked(db, connection, settings, now)
  const paid = quote?.status === "declined" ? lastPaid(db, connection, partyKey(invoice)) : undefined
  const isFirst =
    invoice.currency === price.currency ? !ahead.any : firstWithoutBudget(db, connection, invoice.currency) === key
  const isUnread = company !== undefined && !isLimitTried(db, company, invoice.currency)
  return {
    now: time,
    spent: bought,
    ahead: ahead.price,
    speaks: isFirst,
    standing: OfferStore.offerDecisions(db, key, remote),
    known: quote === undefined ? known(db, connection) : [],
    listed: db.prepare("SELECT 1 FROM cover WHERE subject = ?").get(key) !== undefined,
    exposure: exposureOf(db, facts, invoice, remote, limit),
    ...(UnknownCalls.isPurchase(db, key) ? { unknown: true as const } : {}),
    ...(block === undefined ? {} : { blocked: block }),
    ...(limit === undefined ? {} : { limit }),
    ...(isUnread ? { limitUnread: true as const } : {}),
    ...(wanted === undefined ? {} : { wanted }),
    ...(paid === undefined ? {} : { lastPaid: paid })
  }
}

/** Whether anything of a connection is covered, or may be: it is watched as long as it is. */
export const isWatched = (db: Db, { id, planning }: PlannedConnection): boolean =>
  planning.cover !== undefined ||
  db
    .prepare("SELECT 1 FROM cover WHERE connection = ? AND (policy IS NOT NULL OR state = 'insured') LIMIT 1")
    .get(id) !== undefined
