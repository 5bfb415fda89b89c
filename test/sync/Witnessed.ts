/**
 * Brings before the witness (`../support/witness`) what a world's sources state, what its service holds, and what Daybook
 * prints of both. It passes plain data on, and decides nothing.
 */
import { judgeInvoices } from "../support/witness/Invoices.ts"
import type { OrderWitness } from "../support/witness/Orders.ts"
import type { PlainPayment, PlainTransaction } from "../../sync/witness/Plain.ts"
import type { PrintedInvoices, PrintedOrders } from "../support/witness/Printed.ts"
import { open } from "./InWorld.ts"
import type { World } from "./World.ts"

/** A shop beside the seller's books: who watches its orders, and where each is paid. */
export interface Watched {
  readonly witness: OrderWitness
  /** The deferred payment of each order that has one, by the order's id. */
  readonly payments: ReadonlyMap<string, string>
  /** Those of them that somebody captured past Daybook, by the order's id: no receipt explains that. */
  readonly byHand?: ReadonlySet<string>
}

/** What Daybook says of itself. */
export interface Said {
  readonly invoices: ReadonlyArray<PrintedInvoices>
  readonly orders: ReadonlyArray<PrintedOrders>
  readonly attention: ReadonlySet<string>
}

const transactionsOf = ({ service }: World): ReadonlyArray<PlainTransaction> =>
  [...service.transaction.values()].map((one) => ({
    id: one.id,
    unique_id: String(one["unique_id"]),
    status: String(one["status"]),
    currency: String(one["currency"]),
    due: String(one["gross_amount"] ?? one["net_amount"]),
    issuedOn: typeof one["issue_date"] === "string" ? one["issue_date"] : undefined,
    dueOn: typeof one["due_date"] === "string" ? one["due_date"] : undefined,
    payments: service.payment.by(one.id).map(({ amount, date, details }) => ({
      amount: String(amount),
      day: String(date),
      details: String(details)
    }))
  }))

export const paymentOf = ({ service }: World, id: string): PlainPayment => {
  const held = service.deferred_payment.get(id)!
  const n = (name: string) => BigInt(String(held[name]))
  return {
    id,
    currency: String(held["currency"]),
    open: n("authorisation"),
    captured: n("protected_captures") + n("unprotected_captures"),
    voided: n("voided_authorisation"),
    refunded: n("refunds")
  }
}

const paymentsOf = (world: World, { payments }: Watched): ReadonlyMap<string, PlainPayment> =>
  new Map([...payments].map(([id, payment]) => [id, paymentOf(world, payment)]))

/** What never holds of the orders, at any moment. */
export const alwaysWitnessed = (world: World, watched: Watched): ReadonlyArray<string> =>
  watched.witness.always({ ...watched, payments: paymentsOf(world, watched) })

/** Everything that does not hold, in words. */
export const witnessed = (
  world: World,
  { attention, invoices, orders }: Said,
  watched?: Watched
): ReadonlyArray<string> => {
  const [books, debits] = world.connections
  const quarantined = open(world, "SELECT connection, kind, id FROM quarantine").map(
    ({ connection, id, kind }) => `${String(connection)}/${String(kind)}/${String(id)}`
  )
  const decided = new Set(
    open(
      world,
      "SELECT payment FROM choice UNION SELECT a FROM same_money WHERE same = 1 UNION SELECT b FROM same_money WHERE same = 1"
    ).map(({ payment }) => String(payment))
  )
  return [
    ...judgeInvoices(
      {
        connection: books!.id,
        documents: world.documents,
        ...(debits === undefined ? {} : { paying: { connection: debits.id, documents: world.payments } })
      },
      { transactions: transactionsOf(world), printed: invoices, attention, decided }
    ),
    ...(watched === undefined
      ? []
      : watched.witness.judge(world.documents, {
          ...watched,
          payments: paymentsOf(world, watched),
          printed: orders,
          // Of a record that cannot be read, what it said before stands.
          attention: new Set([...attention, ...quarantined])
        }))
  ]
}
