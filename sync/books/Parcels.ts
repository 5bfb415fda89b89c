/** Orders whose parcels another connection has (`orders.ships`), such as a warehouse's. These name the order by its id or its number. */
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

/** The connections whose orders this one ships. */
export const shippedBy = (db: Db, connection: string): ReadonlyArray<string> =>
  db.prepare("SELECT id FROM connection WHERE planning ->> '$.orders.ships' = ?").pluck().all(connection) as string[]

/** The connection that ships this one's orders. */
export const shipper = (db: Db, connection: string): string | undefined => {
  const found = db.prepare("SELECT planning ->> '$.orders.ships' FROM connection WHERE id = ?").pluck().get(connection)
  return typeof found === "string" ? found : undefined
}

const NUMBERED = `SELECT key FROM document WHERE ${Body.is("order")} AND ${Body.at("order", "number")} = ?
  AND ${Body.at("order", "number")} IS NOT NULL AND key > ? AND key < ? AND deleted = 0 LIMIT 2`

/** The orders of a connection that are called so: the one with this id, or else those with this number. */
export const ordersCalled = (db: Db, connection: string, name: string): ReadonlyArray<string> => {
  const own = Document.key(connection, "order", name)
  if (db.prepare("SELECT 1 FROM document WHERE key = ?").get(own) !== undefined) return [own]
  return db.prepare(NUMBERED).pluck().all(name, `${connection}/order/`, `${connection}/order0`) as string[]
}
