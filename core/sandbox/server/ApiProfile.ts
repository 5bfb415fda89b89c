/**
 * Which interface a sandbox speaks, and how strictly.
 *
 * Lenient accepts what real clients are seen to send beside what the specification says: items without a `category`,
 * customers of type `guest`, and tax computed on the net amount. An item's type `fee` and an address's `phone` are
 * accepted in any case: the one because more types are possible, the other because unknown members are ignored. A
 * payment may come without a `date`, and is of today.
 */
import { Schema, Struct } from "effect"
import { IntentCreate } from "../../deferred-payment/Intents.ts"
import { CustomerCreate, ItemCreate, OrderCreate } from "../../deferred-payment/Orders.ts"
import { PaymentCreate } from "../../insurance/Transactions.ts"
import { Day } from "../../wire/Day.ts"

/** Where the two documents differ on one path, `both` takes the looser rule. */
const INTERFACES = ["both", "deferred-payment", "insurance"] as const
export type Interface = (typeof INTERFACES)[number]

export interface Dialect {
  readonly interface: Interface
  readonly lenient: boolean
}

export const DEFAULT: Dialect = { interface: "both", lenient: false }

const items = Schema.Array(
  ItemCreate.mapFields(Struct.assign({ category: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
).check(Schema.isMinLength(1))

const lenientOrder = OrderCreate.mapFields(
  Struct.assign({
    items,
    customer: CustomerCreate.mapFields(Struct.assign({ type: Schema.Literals(["registered", "sole-trader", "guest"]) }))
  })
)

const lenientIntent = IntentCreate.mapFields(
  Struct.assign({ order: IntentCreate.fields.order.mapFields(Struct.assign({ items })) })
)

/** Payloads that a lenient sandbox reads otherwise, by group and endpoint. */
export const LENIENT: Readonly<Record<string, Schema.Top>> = {
  "orders.create": lenientOrder,
  "transactions.createPayment": PaymentCreate.mapFields(Struct.assign({ date: Schema.optionalKey(Day) })),
  "intents.create": lenientIntent
}
