/** Collects the statements of a sync: invoices, orders, payments for other connections, and cover. */
import type { Effect } from "effect"
import type { Connection } from "../model/Connection.ts"
import type { Proof } from "../model/reports/Statement.ts"
import { atOnce, type Stepwise } from "../state/Breathe.ts"
import { headOf } from "../state/chain/Chain.ts"
import type { StateError, Db } from "../state/Database.ts"
import { readInParts } from "../state/Snapshot.ts"
import * as CoverStatement from "./CoverStatement.ts"
import * as InvoiceStatement from "./InvoiceStatement.ts"
import * as OrderStatement from "./OrderStatement.ts"
import * as PaymentStatement from "./PaymentStatement.ts"

/**
 * Takes connections by id, including those that are no longer configured.
 *
 * @param now milliseconds since the epoch
 */
export const prove = (db: Db, connections: ReadonlyArray<Pick<Connection, "id">>, now: number): Proof =>
  atOnce(parts(db, connections, now))

/** The same; others have their turn while many documents are recalculated. */
export const proveInParts = (
  db: Db,
  connections: ReadonlyArray<Pick<Connection, "id">>,
  now: number
): Effect.Effect<Proof, StateError> =>
  readInParts(
    db,
    (books) => connections.some(({ id }) => isLong(books, id)),
    (books) => parts(books, connections, now)
  )

/** Invoices that changed, or orders, of which each is recalculated: more than this take longer than others should wait. */
const MANY = 500

const isLong = (db: Db, connection: string): boolean =>
  (
    [
      ["changed", `${connection}/`, `${connection}0`],
      ["ledger", `${connection}/order/`, `${connection}/order0`]
    ] as const
  ).some(
    ([table, after, end]) =>
      db.prepare(`SELECT 1 FROM ${table} WHERE subject > ? AND subject < ? LIMIT 1 OFFSET ?`).get(after, end, MANY) !==
      undefined
  )

function* parts(db: Db, connections: ReadonlyArray<Pick<Connection, "id">>, now: number): Stepwise<Proof> {
  const ids = connections.map(({ id }) => id)
  const chain = headOf(db)
  return {
    completeness: yield* InvoiceStatement.inParts(db, ids),
    orders: yield* OrderStatement.inParts(db, ids),
    payments: PaymentStatement.statements(db, ids),
    cover: CoverStatement.statements(db, ids, now),
    ...(chain === undefined ? {} : { chain })
  }
}

/** Whether all statements agree. */
export const agrees = ({ completeness, cover, orders, payments }: Proof): boolean =>
  [...completeness, ...payments, ...cover].every(({ differences }) => differences.length === 0) &&
  cover.every(({ unread }) => unread === 0) &&
  orders.every((one) => OrderStatement.countApart(one) === 0)
