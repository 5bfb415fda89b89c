/** Finds the order for an invoice: the one with its number, in its connection or in the one that `handover.orders` names. */
import type { Address, Fulfilment, Invoice, Order, OrderFact } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"
import { isSameParty } from "../model/PartyName.ts"
import * as Facts from "../plan/Facts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { buyerOf, sellerOf } from "./Account.ts"
import type { ParcelProof } from "./ProofOfDelivery.ts"
import type { OrderProof } from "./ProofOfOrder.ts"

const OF_NUMBER = `SELECT key FROM document WHERE ${Body.is("order")} AND ${Body.at("order", "number")} = ?
  AND key > ? AND key < ? AND deleted = 0 ORDER BY key LIMIT 2`

/** The documents made from the order: the proof that it was placed, and of what left. */
export interface Proofs {
  readonly order?: OrderProof
  /** If something left. */
  readonly delivery?: ParcelProof
}

/** Empty if there is no such order of this buyer, or it is unclear which one it is. */
export const proofsOf = (db: Db, connection: string, planning: Planning, invoice: Invoice): Proofs => {
  const from = planning.cover?.handover?.orders ?? connection
  const range = [`${from}/order/`, `${from}/order0`]
  const [key, second] = db
    .prepare(OF_NUMBER)
    .pluck()
    .all(invoice.number, ...range) as ReadonlyArray<string>
  if (key === undefined || second !== undefined) return {}
  const { movements, order, parts } = Facts.orderFacts(db, key)
  // An order in another currency, or of another buyer or of nobody, is another sale with the same number; and of one that is part of
  // a sale, the facts are those of all parts.
  if (order === undefined || parts !== undefined || order.currency !== invoice.currency) return {}
  if (order.buyer === undefined || !isSameParty(order.buyer, invoice.party)) return {}
  const facts = movements.map(({ document }) => document).toSorted(byDay)
  const parcels = facts.filter((one): one is Fulfilment => one.kind === "fulfilment")
  return {
    ...(order.status === "cancelled" ? {} : { order: orderOf(planning, invoice, order, facts) }),
    ...(parcels.length === 0 ? {} : { delivery: deliveryOf(planning, invoice, order, parcels) })
  }
}

const orderOf = (
  planning: Planning,
  { number, party }: Invoice,
  { buyer, currency, lines, number: order, placed }: Order,
  facts: ReadonlyArray<OrderFact>
): OrderProof => ({
  invoice: number,
  order,
  placed,
  seller: sellerOf(planning),
  buyer: buyerOf(buyer ?? party),
  currency,
  lines,
  changes: facts.flatMap((one) => (one.kind === "fulfilment" ? [] : [one]))
})

const deliveryOf = (
  planning: Planning,
  { number, party: { address, country, name } }: Invoice,
  order: Order,
  parcels: ReadonlyArray<Fulfilment>
): ParcelProof => ({
  invoice: number,
  order: order.number,
  placed: order.placed,
  seller: sellerOf(planning),
  to:
    order.delivery === undefined
      ? { name, details: [address, country].filter((one) => one !== undefined), ...(country && { country }) }
      : partyOf(order.delivery, name),
  lines: order.lines,
  parcels
})

/** The delivery address as lines. */
const partyOf = ({ city, country, line1, line2, name, postcode }: Address, buyer: string): ParcelProof["to"] => ({
  name: name ?? buyer,
  details: [line1, line2, [postcode, city].filter(Boolean).join(" "), country].filter(
    (one): one is string => one !== undefined && one !== ""
  ),
  ...(country === undefined ? {} : { country })
})

const byDay = (a: OrderFact, b: OrderFact): number =>
  a.date < b.date ? -1 : a.date > b.date ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
