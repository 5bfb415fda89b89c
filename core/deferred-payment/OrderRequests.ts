/**
 * Requests that create an order or an intent (DP 2.6, 2.8), as `OrderBuilder.ts` builds them. Apart from the endpoints, because
 * planning checks a request without sending it.
 *
 * Amounts are in minor units and include tax. They are JSON numbers with up to five fraction digits; `money/Items.ts` has the
 * arithmetic.
 */
import { Schema } from "effect"
import * as Codecs from "../money/Codecs.ts"
import { Day } from "../wire/Day.ts"
import { OrganisationId, UserId } from "../wire/Ids.ts"
import { Instant } from "../wire/Instant.ts"
import { Locale } from "../wire/Locale.ts"
import { maybe, Metadata, nullable, openEnum } from "../wire/Open.ts"

/** All strings; the country is a code or a name (DP 2.1). An intent may have `town` instead of `city` (DP 2.8). */
export const address = {
  name: nullable(Schema.String),
  address_line1: nullable(Schema.String),
  address_line2: nullable(Schema.String),
  city: nullable(Schema.String),
  town: nullable(Schema.String),
  postcode: nullable(Schema.String),
  country: nullable(Schema.String)
}

/** An address in a request. */
export const Address = Schema.Struct(address)
export type Address = typeof Address.Type

/** More types are possible (DP 2.6). */
export const ItemType = openEnum(["product", "discount", "shipping"])

export const quantities = {
  fulfilled_quantity: nullable(Schema.Finite),
  cancelled_quantity: nullable(Schema.Finite),
  returned_quantity: nullable(Schema.Finite),
  fulfillment_info: nullable(Schema.Unknown),
  cancelled_info: nullable(Schema.Unknown),
  returned_info: nullable(Schema.Unknown)
}

/** Assumption: the specification does not say which members are required; those that the rules of DP 2.6 need are. */
export const ItemCreate = Schema.Struct({
  item_id: Schema.NonEmptyString,
  type: ItemType.pipe(Schema.check(Schema.isMinLength(1))),
  description: Schema.String,
  metadata: nullable(Metadata),
  reference: nullable(Schema.String),
  category: Schema.NonEmptyString,
  supplier_id: nullable(Schema.String),
  supplier_name: nullable(Schema.String),
  quantity: Codecs.Quantity,
  unit_price: Codecs.Minor,
  tax_rate: Codecs.Percentage,
  total_amount: Codecs.Minor,
  tax_amount: Codecs.Minor,
  ...quantities
})
export type ItemCreate = typeof ItemCreate.Type

/** The buyer: an organisation, and the user who orders for it. */
export const CustomerCreate = Schema.Struct({
  type: Schema.Literals(["registered", "sole-trader"]),
  organisation: OrganisationId,
  user: UserId,
  delivery_address: nullable(Address),
  invoice_address: nullable(Address)
})

/** Assumption: as with items, the members without which no offer can be made are required. */
export const OrderCreate = Schema.Struct({
  unique_id: Schema.NonEmptyString,
  customer: CustomerCreate,
  status: maybe(Schema.Literals(["draft", "pending"])),
  currency: Schema.String,
  total_amount: Codecs.Minor,
  tax_amount: Codecs.Minor,
  order_date: Day,
  invoice_date: nullable(Day),
  due_date: nullable(Day),
  paid_date: nullable(Day),
  pay_method: nullable(Schema.String),
  po_number: nullable(Schema.String),
  items: Schema.Array(ItemCreate).check(Schema.isMinLength(1)),
  metadata: nullable(Metadata)
})
export type OrderCreate = typeof OrderCreate.Type

/** `success`, `failure` and `cancel` are required and sent empty; `notification` is the webhook for payments (DP 2.7, 6.1). */
export const Urls = Schema.Struct({
  success: Schema.String,
  failure: Schema.String,
  cancel: Schema.String,
  notification: nullable(Schema.String)
})

/** Request of an intent (DP 2.8). The order has no tax amount of its own. Amounts are in minor units. */
export const IntentCreate = Schema.Struct({
  order: Schema.Struct({
    customer: Schema.Struct({
      user: Schema.Struct({
        email: Schema.NonEmptyString,
        name: Schema.NonEmptyString,
        phone: nullable(Schema.String),
        registered: Instant
      }),
      invoice_address: nullable(Address),
      delivery_address: nullable(Address)
    }),
    unique_id: Schema.NonEmptyString,
    currency: Schema.String,
    total_amount: Codecs.Minor,
    items: Schema.Array(ItemCreate).check(Schema.isMinLength(1))
  }),
  merchant_urls: Urls,
  locale: Locale
})
export type IntentCreate = typeof IntentCreate.Type
