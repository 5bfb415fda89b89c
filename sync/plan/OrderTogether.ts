/** An order with its facts, and with the other orders that have their deferred payment together with it (`rules/OrderParts.ts`). */
import type { Order } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import { sharing } from "../books/Together.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import { areParts, asOne } from "../rules/OrderParts.ts"
import type { Db } from "../state/Database.ts"
import { movementsOf } from "./OrderMovements.ts"

type Whole = Pick<OrderFacts, "movements" | "head" | "parts"> & { readonly order: Order }

const HOLDS =
  "SELECT subject FROM ledger WHERE subject IN (SELECT value FROM json_each(?)) AND held IS NOT NULL ORDER BY 1"

/** @param remoteOf the ledger of an order */
export const withParts = (
  db: Db,
  { deleted = false, key, order }: { readonly deleted?: boolean; readonly key: string; readonly order: Order },
  settings: Pick<OrderSettings, "ships">,
  remoteOf: (key: string) => RemoteOrder | undefined
): Whole => {
  const alone = () => ({ order, movements: movementsOf(db, key, () => order, settings, deleted) })
  const found = deleted ? [] : sharing(db, Document.parseKey(key).connection, order.deferredPayment)
  const keys = found.map((part) => part.key)
  if (!keys.includes(key)) return alone()
  const [holder, other] = db.prepare(HOLDS).pluck().all(JSON.stringify(keys)) as ReadonlyArray<string>
  const head = found.find((part) => part.key === (holder ?? keys[0]))
  if (other !== undefined || head === undefined) return alone()
  const parts = found.map((part) => ({ ...part, movements: movementsOf(db, part.key, () => part.order, settings) }))
  if (!areParts(parts, remoteOf(head.key))) return alone()
  return head.key === key ? { ...asOne(parts, order), parts: keys } : { ...alone(), head: head.key }
}
