/** What belongs to an order: its own parcels, cancellations and returns, or parcels of another connection (`orders.ships`). */
import type { Fulfilment, Order, OrderFact } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import { ordersCalled } from "../books/Parcels.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

const OF_ORDER = "SELECT d.key, d.body FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = ?"

type Movements = OrderFacts["movements"]

const named = (db: Db, subject: string, deleted = false): Movements =>
  (
    db.prepare(deleted ? OF_ORDER : `${OF_ORDER} AND d.deleted = 0`).all(subject) as ReadonlyArray<{
      readonly key: string
      readonly body: string
    }>
  ).map(({ body, key }) => ({ key, document: Body.read(body) as OrderFact }))

/** What names an order that is not there. Parcels of a connection that ships another's orders are facts of those. */
export const strays = (db: Db, key: string, isShipper: boolean): Movements =>
  named(db, key).filter(({ document }) => !isShipper || document.kind !== "fulfilment")

/**
 * The facts of an order: its own, and where another connection ships it, that one's parcels in place of its own.
 *
 * @param deleted also those that are no longer exported
 */
export const movementsOf = (
  db: Db,
  key: string,
  order: () => Order,
  { ships }: Pick<OrderSettings, "ships">,
  deleted = false
): Movements => {
  const own = named(db, key, deleted)
  if (ships === undefined) return own
  const its = order()
  const { connection } = Document.parseKey(key)
  const names = [...new Set([its.id, its.number])].filter((name) => ordersCalled(db, connection, name).join() === key)
  return [
    ...own.filter(({ document }) => document.kind !== "fulfilment"),
    ...names
      .flatMap((name) => named(db, Document.key(ships, "order", name), deleted))
      .flatMap(({ document, key }) =>
        document.kind === "fulfilment" ? [{ key, document: ofLines(document, its) }] : []
      )
  ]
}

/** A parcel of another system names goods by the order's lines or by their SKUs, and needs no currency. */
const ofLines = ({ currency: _, ...parcel }: Fulfilment, { id, lines }: Order): Fulfilment => ({
  ...parcel,
  order: id,
  lines: parcel.lines.map(({ line, quantity }) => {
    const bySku = lines.filter(({ sku }) => sku === line)
    const known = lines.some((one) => one.id === line) || bySku.length !== 1
    return { line: known ? line : (bySku[0]?.id ?? line), quantity }
  })
})
