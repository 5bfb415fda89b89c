/**
 * Creates the statement of orders, per connection and currency: what each order's state makes of its deferred payment
 * (`OrderComparison.ts`), next to what the service holds as last read: authorised = captured + voided + expired + open, and
 * refunded. What was charged, captured less refunded, has to be what is owed for what left.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { plural } from "../../core/Plural.ts"
import type { OrderSettings } from "../model/Connection.ts"
import { decodeRemote } from "../model/Remote.ts"
import * as Body from "../state/Body.ts"
import { atOnce, type Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"
import { isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import { inCurrencyOf, type OrderFacts } from "../model/OrderFacts.ts"
import { movementsOf } from "../plan/OrderMovements.ts"
import { withParts } from "../plan/OrderTogether.ts"
import { compare, type Measure, MEASURES } from "../rules/OrderComparison.ts"
import { asFarAsRead, countQuarantined, type verdict } from "./InvoiceStatement.ts"
import type { ListTotal, OrderDifference, OrderStatement } from "../model/reports/Statement.ts"
import * as ListTotals from "./ListTotals.ts"
import { stands } from "../rules/OrderPlan.ts"
import { owed } from "../rules/OrderOwed.ts"

export type { OrderDifference, OrderStatement }

const MOST = 100
/** How many orders are compared before others have their turn. */
const PART = 50
const MEMBERS = ["captured", "voided", "expired", "open", "refunded"] as const
const FIGURES = ["owed", "still", "charged", "ahead", "toVoid", "short", "rounding"] as const

interface Row {
  readonly subject: string
  readonly remote: string
  readonly held: string
  readonly reason: string | null
  readonly body: string
  readonly deleted: bigint
  readonly waits: bigint
  readonly later: bigint
  readonly why: string | null
}

/** An order whose parcels are in the books and that still waits for its deferred payment. */
type Unfound = Pick<Row, "subject" | "reason" | "body"> & { readonly currency: string }

const UNFOUND = `SELECT c.subject, d.body, ${Body.at("order", "currency", "d.body")} AS currency, l.reason
  FROM changed c JOIN document d ON d.key = c.subject LEFT JOIN ledger l ON l.subject = c.subject
  WHERE c.subject > ? AND c.subject < ? AND l.held IS NULL AND d.deleted = 0
    AND EXISTS (SELECT 1 FROM allocation a JOIN document f ON f.id = a.document
      WHERE a.invoice = c.subject AND f.deleted = 0 AND f.key GLOB '*/fulfilment/*')
  ORDER BY c.subject LIMIT ?`

type Waits = Pick<OrderStatement, "pending" | "unfound" | "quarantined">

/** An order that was looked for is in the ledger, without anything that the service holds. */
const WAITS = `SELECT count(*) FILTER (WHERE l.subject IS NULL OR l.held IS NOT NULL) AS pending,
    count(*) FILTER (WHERE l.subject IS NOT NULL AND l.held IS NULL) AS unfound
  FROM changed c LEFT JOIN ledger l ON l.subject = c.subject WHERE c.subject > ? AND c.subject < ?`

/** Whether the service agrees with the source's own totals, in words. */
export const ownTotals = ({ totals }: Pick<OrderStatement, "totals">): string => {
  const all = Object.entries(totals)
  if (all.some(([, one]) => one === "differ")) return "differ"
  const agree = all.flatMap(([name, one]) => (one === "agree" ? [name] : []))
  if (agree.length === 0) return "not checked"
  return agree.length === all.length ? "agree" : `${agree.join(" and ")} agree`
}

/** The sums of one currency. */
class Sums {
  readonly service = { orders: 0, captured: 0n, voided: 0n, expired: 0n, open: 0n, refunded: 0n }
  books = 0n
  readonly source = { total: 0n, captured: 0n, voided: 0n, refunded: 0n, open: 0n }
  readonly figures = { owed: 0n, still: 0n, charged: 0n, ahead: 0n, toVoid: 0n, short: 0n, rounding: 0n }
  readonly totals: Record<Measure, OrderStatement["totals"][Measure]> = {
    captured: "not checked",
    voided: "not checked",
    refunded: "not checked"
  }
  readonly differences: Array<OrderDifference> = []
  readonly waiting: Array<OrderDifference> = []
  readonly accepted: Array<OrderDifference> = []
  readonly currency: string

  constructor(currency: string) {
    this.currency = currency
  }

  say(minor: bigint): string {
    return Currency.format(Currency.ofMinor(minor, this.currency), this.currency)
  }

  add(row: Row, remote: RemoteOrder, whole: () => ReturnType<typeof withParts>, orders: OrderSettings): void {
    for (const name of MEMBERS) this.service[name] += BigInt(remote[name])
    if (!isPaid(remote)) return
    this.service.orders++
    const { movements, order: stated } = whole()
    const order = inCurrencyOf(stated, remote)
    const found = compare({ movements, deleted: row.deleted === 1n }, order, remote, orders, row.later === 1n)
    this.books += found.source.open
    for (const name of [...MEASURES, "total", "open"] as const) this.source[name] += found.source[name]
    for (const name of FIGURES) this.figures[name] += found.figures[name]
    for (const [what, agrees] of Object.entries(found.totals) as ReadonlyArray<[Measure, boolean]>)
      this.totals[what] = agrees && this.totals[what] !== "differ" ? "agree" : "differ"
    // Nothing is sent for an order that is no longer exported; what is open of it needs attention.
    const differences = row.deleted === 1n && remote.open === "0" ? [] : found.differences
    for (const { accepted = false, ...apart } of differences) {
      const where = accepted ? this.accepted : row.waits === 0n ? this.differences : this.waiting
      const why = apart.why ?? row.why ?? row.reason ?? "not everything has been sent yet"
      where.push({ document: row.subject, ...apart, why })
    }
  }

  /** Goods of an order left, and the service has nothing that could be captured for them. */
  addUnfound({ body, reason, subject }: Unfound, facts: OrderFacts["movements"], orders: OrderSettings): void {
    const order = Body.read(body) as Order
    const its = stands({ movements: facts }, order, {}, orders)
    const { owe, still } = owed(its, its.total)
    if (owe === still) return
    const amount = this.say(owe - still)
    const why = reason ?? "its deferred payment has not been looked up yet"
    this.waiting.push({ document: subject, what: "captured", amount, source: amount, service: this.say(0n), why })
  }
}

/** The settings with which a connection's orders are planned, as last configured. */
export const settingsOf = (db: Db, connection: string): OrderSettings => {
  const planning = db.prepare("SELECT planning FROM connection WHERE id = ?").pluck().get(connection)
  return typeof planning === "string" ? ((JSON.parse(planning) as { orders?: OrderSettings }).orders ?? {}) : {}
}

/** @param most how many differences of one statement are listed */
export const statements = (db: Db, connections: ReadonlyArray<string>, most = MOST): ReadonlyArray<OrderStatement> =>
  atOnce(inParts(db, connections, most))

export function* inParts(
  db: Db,
  connections: ReadonlyArray<string>,
  most = MOST
): Stepwise<ReadonlyArray<OrderStatement>> {
  const all: Array<OrderStatement> = []
  for (const connection of connections) {
    const range = [`${connection}/order/`, `${connection}/order0`] as const
    const settings = settingsOf(db, connection)
    const rows = db
      .prepare(
        `SELECT l.subject, l.remote, l.held, l.currency, l.reason, d.body, d.deleted,
            EXISTS (SELECT 1 FROM changed c WHERE c.subject = l.subject) AS waits,
            EXISTS (SELECT 1 FROM wake w WHERE w.subject = l.subject) AS later,
            (SELECT a.why FROM attention a WHERE a.subject = l.subject AND a.closed IS NULL LIMIT 1) AS why
          FROM ledger l JOIN document d ON d.key = l.subject
          WHERE l.subject > ? AND l.subject < ? AND l.held IS NOT NULL ORDER BY l.subject`
      )
      .safeIntegers()
      .iterate(...range) as Iterable<Row & { readonly currency: string }>
    const found = new Map<string, Sums>()
    let count = 0
    for (const row of rows) {
      if (++count % PART === 0) yield
      const sums = found.get(row.currency) ?? new Sums(row.currency)
      found.set(row.currency, sums)
      const remote = decodeRemote(row) as RemoteOrder
      const its = () => ({ key: row.subject, order: Body.read(row.body) as Order, deleted: row.deleted === 1n })
      sums.add(row, remote, () => withParts(db, its(), settings, () => remote), settings)
    }
    for (const row of db.prepare(UNFOUND).all(...range, MOST) as ReadonlyArray<Unfound>) {
      const sums = found.get(row.currency) ?? new Sums(row.currency)
      found.set(row.currency, sums)
      const order = () => Body.read(row.body) as Order
      sums.addUnfound(row, movementsOf(db, row.subject, order, settings), settings)
    }
    const waits = { ...(db.prepare(WAITS).get(...range) as Waits), quarantined: countQuarantined(db, connection) }
    const lists = ListTotals.of(db, connection, "orders")
    for (const currency of lists.keys()) if (!found.has(currency)) found.set(currency, new Sums(currency))
    for (const sums of [...found.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)))
      all.push(statement(sums, connection, { most, waits, lists: lists.get(sums.currency)?.totals ?? [] }))
  }
  return all
}

/** The number of differences in a statement, including lists whose totals do not match. */
export const countApart = ({
  differences,
  lists = [],
  more
}: Pick<OrderStatement, "differences" | "lists" | "more">): number =>
  differences.length + more + lists.filter(({ agrees }) => !agrees).length

/** The result of a statement, as `verdict` says it of invoices. */
export const orderResult = (
  one: Pick<OrderStatement, "differences" | "lists" | "more" | "pending" | "quarantined">
): ReturnType<typeof verdict> => {
  const { pending, quarantined } = one
  if (countApart(one) > 0) return { kind: "differ", text: plural(countApart(one), "difference") }
  if (pending > 0) return { kind: "not checked", text: `${plural(pending, "order")} waiting` }
  return quarantined > 0 ? asFarAsRead(quarantined) : { kind: "agree", text: "agree" }
}

/** The orders of a connection for which the statement names a difference. */
export const differing = (db: Db, connection: string): ReadonlyArray<string> =>
  statements(db, [connection], Number.POSITIVE_INFINITY).flatMap(({ differences }) =>
    differences.map(({ document }) => document)
  )

const statement = (
  sums: Sums,
  connection: string,
  { lists, most, waits }: { readonly most: number; readonly waits: Waits; readonly lists: ReadonlyArray<ListTotal> }
): OrderStatement => {
  const { service, source } = sums
  const say = (minor: bigint) => sums.say(minor)
  return {
    connection,
    currency: sums.currency,
    orders: service.orders,
    authorised: say(service.captured + service.voided + service.expired + service.open),
    captured: say(service.captured),
    voided: say(service.voided),
    expired: say(service.expired),
    open: say(service.open),
    books: say(sums.books),
    refunded: say(service.refunded),
    owed: say(sums.figures.owed),
    still: say(sums.figures.still),
    charged: say(sums.figures.charged),
    ahead: say(sums.figures.ahead),
    toVoid: say(sums.figures.toVoid),
    short: say(sums.figures.short),
    rounding: say(sums.figures.rounding),
    source: {
      total: say(source.total),
      captured: say(source.captured),
      voided: say(source.voided),
      open: say(source.open),
      refunded: say(source.refunded)
    },
    totals: sums.totals,
    ...(lists.length === 0 ? {} : { lists }),
    differences: sums.differences.slice(0, most),
    more: Math.max(0, sums.differences.length - most),
    waiting: sums.waiting.slice(0, most),
    accepted: sums.accepted.slice(0, most),
    ...waits
  }
}
