/**
 * Defines which interface a sandbox implements, and how strictly.
 *
 * Lenient mode also accepts what real clients have been seen to send: items without a `category`, customers of type `guest`,
 * and tax computed on the net amount. An item's type `fee` and an address's `phone` are always accepted: the one because more
 * types are possible, the other because unknown members are ignored. A payment without a `date` is dated today.
 */
import { Schema, Struct } from "effect"
import { CustomerCreate, IntentCreate, ItemCreate, OrderCreate } from "../../deferred-payment/OrderRequests.ts"
import { PaymentCreate } from "../../insurance/Transactions.ts"
import { Day } from "../../wire/Day.ts"

/** Where the two specifications differ on a path, `both` uses the looser rule. */
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

/** Payload schemas that replace the strict ones in lenient mode, by group and endpoint. */
export const LENIENT: Readonly<Record<string, Schema.Top>> = {
  "orders.create": lenientOrder,
  "transactions.createPayment": PaymentCreate.mapFields(Struct.assign({ date: Schema.optionalKey(Day) })),
  "intents.create": lenientIntent
}
