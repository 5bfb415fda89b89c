/** The connections whose payments are for the invoices of one: itself, and those that pay for it or did. */
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"

export const payers = (
  db: Database["Service"],
  id: string,
  connections: Iterable<Connection>
): ReadonlyArray<string> => {
  const known = db.prepare("SELECT connection FROM paying WHERE pays = ?").pluck().all(id) as ReadonlyArray<string>
  const configured = [...connections].filter(({ pays }) => pays?.connection === id)
  return [id, ...known, ...configured.map((one) => one.id)]
}
