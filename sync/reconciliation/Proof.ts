/** Collects the statements of a sync: invoices, orders, payments for other connections, and cover. */
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import * as CoverStatement from "./CoverStatement.ts"
import * as InvoiceStatement from "./InvoiceStatement.ts"
import * as OrderStatement from "./OrderStatement.ts"
import * as PaymentStatement from "./PaymentStatement.ts"

export interface Proof {
  readonly completeness: ReadonlyArray<InvoiceStatement.Statement>
  readonly orders: ReadonlyArray<OrderStatement.OrderStatement>
  /** For connections that pay for others: what was received and matched. */
  readonly payments: ReadonlyArray<PaymentStatement.PaymentStatement>
  /** For connections with cover: what is open, by how it is covered. */
  readonly cover: ReadonlyArray<CoverStatement.CoverStatement>
}

/**
 * Takes connections by id, including those that are no longer configured.
 *
 * @param now milliseconds since the epoch
 */
export const prove = (
  db: Database["Service"],
  connections: ReadonlyArray<Pick<Connection, "id">>,
  now: number
): Proof => {
  const ids = connections.map(({ id }) => id)
  return {
    completeness: InvoiceStatement.statements(db, ids),
    orders: OrderStatement.statements(db, ids),
    payments: PaymentStatement.statements(db, ids),
    cover: CoverStatement.statements(db, ids, now)
  }
}

/** Whether all statements agree. */
export const agrees = ({ completeness, cover, orders, payments }: Proof): boolean =>
  [...completeness, ...payments, ...cover].every(({ differences }) => differences.length === 0) &&
  cover.every(({ unread }) => unread === 0) &&
  orders.every((one) => OrderStatement.countApart(one) === 0)
