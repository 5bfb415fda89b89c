/**
 * Determines which order a deferred payment belongs to. It belongs to the one order that holds it in the ledger, and to no
 * other order that claims it, by an identifier in its source or by the reference that it is looked up by.
 *
 * Claims are compared over all connections of the state file before anything is looked up, captured, voided or refunded. What
 * a reading finds is compared again (`isHeld`), and a unique index of the ledger excludes the rest.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { PlannedConnection, Planning } from "../model/Connection.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { DeferredPayment } from "../model/DeferredPayment.ts"
import { isLinked, namedPayments } from "../rules/OrderScope.ts"

/** How an order can be found on the service. */
interface Claim {
  readonly payments: ReadonlyArray<string>
  readonly order: string | null
  /** Set if it is, or may be, looked up by its reference. */
  readonly reference: string | null
}

const isByNumber = (order: Order, { orders }: Planning): boolean => orders?.link === "unique_id" && !isLinked(order)

const claimOf = (order: Order, remote: RemoteOrder | undefined, planning: Planning): Claim => {
  const held = remote !== undefined && isPaid(remote) ? [remote.id] : []
  const payments = order.deferredPayment === undefined ? held : namedPayments(order)
  if (remote === undefined) {
    const reference = isByNumber(order, planning) ? order.number : null
    return { payments, order: order.serviceOrder ?? null, reference }
  }
  // A new reference is sent before anything is captured, voided or refunded.
  const reference = remote.number === order.number ? (remote.reference ?? null) : order.number
  return { payments, order: order.serviceOrder ?? remote.order ?? null, reference }
}

const member = (name: string, body = "body"): string => Body.at("order", name, body)

/** An order that holds several deferred payments, this one among them. */
const AMONG = `SELECT l.subject FROM ledger l, json_each(l.held, '$.each') e WHERE l.held ->> '$.each' IS NOT NULL
  AND e.value ->> '$.id' = :payment`

/** Orders that carry the same identifier, and those that hold it. */
const SAME = `
  ${AMONG} UNION
  SELECT key FROM document WHERE ${Body.is("order")} AND deleted = 0 AND ${member("deferredPayment")} = :payment
  UNION SELECT key FROM document WHERE ${Body.is("order")} AND deleted = 0 AND ${member("serviceOrder")} = :order
  UNION SELECT subject FROM ledger WHERE instr(subject, '/order/') > 0 AND remote = :payment
  UNION SELECT subject FROM ledger WHERE instr(subject, '/order/') > 0 AND remote = :order
  UNION SELECT subject FROM ledger WHERE held ->> '$.kind' = 'order' AND held ->> '$.order' = :order`

/** Orders that may carry several identifiers; in the form of their index, which is like no other one's. */
const SEVERAL = `SELECT key, ${member("deferredPayment")} AS deferredPayment FROM document
  WHERE substr(body, 1, 3) = '[5,' AND ${member("deferredPayment")} GLOB '*[ ,;\t\n\r]*' AND deleted = 0`

/** Orders with this number, and whether they hold something already. */
const NUMBERED = `SELECT d.key, d.body, EXISTS (SELECT 1 FROM ledger l WHERE l.subject = d.key AND l.held IS NOT NULL) AS holds
  FROM document d WHERE ${Body.is("order", "d.body")} AND d.deleted = 0 AND ${member("number", "d.body")} = ?`

interface Numbered {
  readonly key: string
  readonly body: string
  readonly holds: 0 | 1
}

/** Orders that hold what has this reference, and are to keep it. */
const CALLED = `SELECT l.subject FROM ledger l WHERE l.held ->> '$.kind' = 'order' AND l.held ->> '$.reference' = :reference
  AND NOT EXISTS (SELECT 1 FROM document d WHERE d.key = l.subject AND d.deleted = 0 AND ${member("number", "d.body")} <> l.held ->> '$.number')`

/** The keys of other orders that claim what this one claims, or hold it. */
export const rivals = (
  db: Db,
  { id, planning }: PlannedConnection,
  { key, order, parts = [key] }: Pick<OrderFacts, "key" | "order" | "parts">,
  remote: RemoteOrder | undefined
): ReadonlyArray<string> => {
  if (order === undefined) return []
  const { order: onService, payments, reference } = claimOf(order, remote, planning)
  const found = new Set<string>()
  for (const payment of payments.length === 0 ? [null] : payments)
    for (const one of db.prepare(SAME).pluck().all({ payment, order: onService }) as ReadonlyArray<string>)
      found.add(one)
  for (const one of db.prepare(SEVERAL).all() as ReadonlyArray<{
    readonly key: string
    readonly deferredPayment: string
  }>)
    if (namedPayments(one).some((payment) => payments.includes(payment))) found.add(one.key)
  if (reference !== null) {
    for (const one of db.prepare(NUMBERED).all(reference) as ReadonlyArray<Numbered>) {
      const { connection } = Document.parseKey(one.key)
      // If two orders of one shop have the same number, the reference finds either of them. And what the service lists under
      // another order's number is unlikely to be this one's, whatever identifier it carries.
      const isSame = connection === id && (remote === undefined || reference !== order.number)
      const theirs = connection === id ? planning : planningOf(db, connection)
      if (isSame || (one.holds === 0 && isByNumber(Body.read(one.body) as Order, theirs))) found.add(one.key)
    }
    if (remote === undefined) {
      for (const one of db.prepare(CALLED).pluck().all({ reference }) as ReadonlyArray<string>) found.add(one)
    }
  }
  for (const part of parts) found.delete(part)
  return [...found].toSorted()
}

const planningOf = (db: Db, connection: string): Partial<Planning> & Pick<Planning, "owner"> =>
  JSON.parse(String(db.prepare("SELECT planning FROM connection WHERE id = ?").pluck().get(connection) ?? "{}"))

const HELD = `SELECT 1 FROM (${AMONG} AND l.subject <> :subject) UNION ALL SELECT 1 FROM ledger WHERE instr(subject, '/order/') > 0 AND subject <> :subject AND remote = :payment
  UNION ALL SELECT 1 FROM ledger WHERE instr(subject, '/order/') > 0 AND subject <> :subject AND remote = :order
  UNION ALL SELECT 1 FROM ledger WHERE held ->> '$.kind' = 'order' AND subject <> :subject AND held ->> '$.order' = :order`

/** Whether another order in the ledger holds what was read. */
export const isHeld = (db: Db, subject: string, { order, id }: Pick<DeferredPayment, "id" | "order">): boolean =>
  db.prepare(HELD).get({ subject, payment: id, order: order ?? null }) !== undefined
