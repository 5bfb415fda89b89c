/**
 * Orders and their items (DP 2.6): what a buyer's company wants to buy, and what payment plans are offered for. `OrderRequests.ts`
 * has the requests. Amounts are in minor units and include tax.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import * as Decimal from "../money/Decimal.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { DeferredPaymentId, OfferId, OrderId } from "../wire/Ids.ts"
import { expandable, maybe, Metadata, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import * as Upload from "../wire/Upload.ts"
import { address, ItemType, OrderCreate, quantities } from "./OrderRequests.ts"

/** Request of an update: `unique_id` is the only member that can be changed after checkout (DP 4). */
export const OrderUpdate = Schema.Struct({ unique_id: maybe(Schema.NonEmptyString) })

/** An item as the service answers it. */
export const Item = open({
  item_id: nullable(Schema.String),
  type: ItemType,
  description: nullable(Schema.String),
  metadata: nullable(Metadata),
  reference: nullable(Schema.String),
  category: nullable(Schema.String),
  supplier_id: nullable(Schema.String),
  supplier_name: nullable(Schema.String),
  quantity: Codecs.Plain,
  unit_price: Codecs.Minor,
  tax_rate: Codecs.Plain,
  total_amount: Codecs.Minor,
  tax_amount: Codecs.Minor,
  ...quantities
})
export type Item = typeof Item.Type

const AnyAddress = nullable(open(address))

/** An order as the service answers it; `payment_offer` and `deferred_payment` are null until they exist. */
export const Order = open({
  url: maybe(Schema.String),
  id: OrderId,
  unique_id: nullable(Schema.String),
  customer: open({
    type: maybe(openEnum(["registered", "sole-trader"])),
    organisation: nullable(Schema.String),
    user: nullable(Schema.Unknown),
    delivery_address: AnyAddress,
    invoice_address: AnyAddress,
    billing_address: AnyAddress
  }),
  status: openEnum(["draft", "pending", "unpaid"]),
  currency: Schema.String,
  total_amount: Codecs.Minor,
  tax_amount: nullable(Codecs.Minor),
  order_date: nullable(Schema.String),
  invoice_date: nullable(Schema.String),
  due_date: nullable(Schema.String),
  paid_date: nullable(Schema.String),
  pay_method: nullable(openEnum(["unknown", "directdebit"])),
  po_number: nullable(Schema.String),
  created: maybe(Schema.String),
  items: Schema.Array(Item),
  metadata: nullable(Metadata),
  payment_offer: nullable(expandable(OfferId)),
  deferred_payment: nullable(expandable(DeferredPaymentId))
})
export type Order = typeof Order.Type

/** Assumption (not in DP 4): a document of the order, sent as a multipart form. */
export const OrderDocumentCreate = Schema.Struct({
  doc_type: Schema.Literals(["invoice", "credit_note"]),
  amount: Codecs.MinorText,
  description: maybe(Schema.String),
  file: Upload.Upload
})
export type OrderDocumentCreate = typeof OrderDocumentCreate.Type

/** The multipart form that `putDocument` takes. */
export const documentForm = ({ amount, ...rest }: OrderDocumentCreate): FormData =>
  Upload.form({ ...rest, amount: Decimal.format(amount) })

/** A document as the service answers it; `amount` is in minor units. */
export const OrderDocument = open({
  id: maybe(Schema.String),
  doc_type: openEnum(["invoice", "credit_note"]),
  amount: nullable(Codecs.Minor),
  description: nullable(Schema.String)
})

const params = { order_id: OrderId }

export class OrdersApi extends HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: OrderCreate,
      success: Order.pipe(HttpApiSchema.status(201)),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("list", "/", { query: { ...Paging, ...Expand }, success: page(Order), error: BadRequestBody }),
    // Assumption (DP 4, note 6: not shown): one order can be read alone.
    HttpApiEndpoint.get("get", "/:order_id", { params, query: Expand, success: Order, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:order_id", {
      params,
      payload: OrderUpdate,
      success: Order,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.put("putDocument", "/:order_id/documents", {
      params,
      payload: OrderDocumentCreate.pipe(HttpApiSchema.asMultipart()),
      success: OrderDocument,
      error: [BadRequestBody, NotFound]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/payment/orders") {}
