/** The statements of a sync together: invoices, orders, and payments that one connection makes for another. */
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import * as CoverStatement from "./CoverStatement.ts"
import * as InvoiceStatement from "./InvoiceStatement.ts"
import * as OrderStatement from "./OrderStatement.ts"
import * as PaymentStatement from "./PaymentStatement.ts"

export interface Proof {
  readonly completeness: ReadonlyArray<InvoiceStatement.Statement>
  readonly orders: ReadonlyArray<OrderStatement.OrderStatement>
  /** Of connections that pay for others: what was received and matched. */
  readonly payments: ReadonlyArray<PaymentStatement.PaymentStatement>
  /** Of connections that have cover: what is open, by how it is covered. */
  readonly cover: ReadonlyArray<CoverStatement.CoverStatement>
}

/** Connections by id: also those that no configuration names any more. */
export const prove = (db: Database["Service"], connections: ReadonlyArray<Pick<Connection, "id">>): Proof => {
  const ids = connections.map(({ id }) => id)
  return {
    completeness: InvoiceStatement.statements(db, ids),
    orders: OrderStatement.statements(db, ids),
    payments: PaymentStatement.statements(db, ids),
    cover: CoverStatement.statements(db, ids)
  }
}

/** Whether every sum agrees with every other. */
export const agrees = ({ completeness, cover, orders, payments }: Proof): boolean =>
  [...completeness, ...payments, ...cover].every(({ differences }) => differences.length === 0) &&
  orders.every((one) => OrderStatement.countApart(one) === 0)
