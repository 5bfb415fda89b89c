/** Orders of one connection that carry the same deferred payment, such as the sellers' parts of one checkout. */
import * as Document from "../../connectors/Document.ts"
import type { Order } from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

export interface SharedOrder {
  readonly key: string
  readonly order: Order
}

const SAME = `SELECT key, body FROM document WHERE ${Body.is("order")} AND ${Body.at("order", "deferredPayment")} = ?
  AND ${Body.at("order", "deferredPayment")} IS NOT NULL AND key > ? AND key < ? AND deleted = 0 ORDER BY key LIMIT 100`

/** The orders that carry this payment, sorted by key; none if fewer than two do. */
export const sharing = (db: Db, connection: string, payment: string | undefined): ReadonlyArray<SharedOrder> => {
  if (payment === undefined) return []
  const found = db.prepare(SAME).all(payment, `${connection}/order/`, `${connection}/order0`) as ReadonlyArray<{
    readonly key: string
    readonly body: string
  }>
  return found.length < 2 ? [] : found.map(({ body, key }) => ({ key, order: Body.read(body) as Order }))
}

const PAYMENT = `SELECT ${Body.at("order", "deferredPayment")} FROM document WHERE key = ? AND ${Body.is("order")}`

/** The payment of the order that a document is, or belongs to. */
export const carriedPayment = (db: Db, connection: string, document: Document.Document): string | undefined => {
  if (document.kind === "order") return document.deferredPayment
  if (!Document.isOrderFact(document)) return undefined
  const found = db
    .prepare(PAYMENT)
    .pluck()
    .get(Document.key(connection, "order", document.order))
  return typeof found === "string" ? found : undefined
}
