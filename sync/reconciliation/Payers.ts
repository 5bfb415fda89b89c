/** Lists the connections whose payments are for one connection's invoices: itself, and those that pay, or paid, for it. */
import type { Connection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"

export const payers = (db: Db, id: string, connections: Iterable<Connection>): ReadonlyArray<string> => {
  const known = db.prepare("SELECT connection FROM paying WHERE pays = ?").pluck().all(id) as ReadonlyArray<string>
  const configured = [...connections].filter(({ pays }) => pays?.connection === id)
  return [id, ...known, ...configured.map((one) => one.id)]
}
