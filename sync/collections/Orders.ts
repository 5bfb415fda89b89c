/** The order that an invoice is for, where its connection, or the one that `handover.orders` names, has one of its number. */
import type { Address, Fulfilment, Invoice } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import { sellerOf } from "./Account.ts"
import type { ParcelProof } from "./ProofOfDelivery.ts"

const OF_NUMBER = `SELECT key FROM document WHERE ${Body.is("order")} AND ${Body.at("order", "number")} = ?
  AND key > ? AND key < ? AND deleted = 0 ORDER BY key LIMIT 2`

/** What left of the invoice's order; undefined where there is no such order, or nothing of it left. */
export const deliveryOf = (
  db: Database["Service"],
  connection: string,
  planning: Planning,
  { number, party }: Invoice
): ParcelProof | undefined => {
  const from = planning.cover?.handover?.orders ?? connection
  const keys = db.prepare(OF_NUMBER).pluck().all(number, `${from}/order/`, `${from}/order0`) as ReadonlyArray<string>
  // Of two it is not known which.
  const [key] = keys
  if (key === undefined || keys.length > 1) return undefined
  const { movements, order } = Facts.orderFacts(db, key)
  const parcels = movements.flatMap(({ document }) => (document.kind === "fulfilment" ? [document] : []))
  if (order === undefined || parcels.length === 0) return undefined
  const { address, country, name } = party
  return {
    invoice: number,
    order: order.number,
    placed: order.placed,
    seller: sellerOf(planning),
    to:
      order.delivery === undefined
        ? { name, details: [address, country].filter((one) => one !== undefined), ...(country && { country }) }
        : partyOf(order.delivery, name),
    lines: order.lines,
    parcels: parcels.toSorted(byDay)
  }
}

/** Where an order went, as lines of an address. */
const partyOf = ({ city, country, line1, line2, name, postcode }: Address, buyer: string): ParcelProof["to"] => ({
  name: name ?? buyer,
  details: [line1, line2, [postcode, city].filter(Boolean).join(" "), country].filter(
    (one): one is string => one !== undefined && one !== ""
  ),
  ...(country === undefined ? {} : { country })
})

const byDay = (a: Fulfilment, b: Fulfilment): number =>
  a.date < b.date ? -1 : a.date > b.date ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
