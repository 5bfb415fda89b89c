/**
 * Orders (DP 2.6): validates items by the seven rules, and serializes created orders. All problems are reported at once, each
 * under its member.
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Items from "../../money/Items.ts"
import type { Upload } from "../../wire/Upload.ts"
import {
  check,
  type Context,
  created,
  find,
  type Handler,
  missing,
  nest,
  ok,
  page,
  type Problems,
  put,
  timestamp
} from "../store/Handler.ts"
import { unknownCountries, unknownCurrency } from "./FieldFormats.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { showOrder } from "./CheckoutSerializers.ts"
import type { Entity } from "../store/Store.ts"

type Members = Readonly<Record<string, unknown>>

/** An item in its encoded form: amounts are numbers, quantity and rate decimal strings. */
type Item = Members & { readonly type: string; readonly quantity: string; readonly tax_rate: string }

const ITEM = {
  metadata: null,
  reference: null,
  category: null,
  supplier_id: null,
  supplier_name: null,
  fulfilled_quantity: 0,
  cancelled_quantity: 0,
  returned_quantity: 0,
  fulfillment_info: null,
  cancelled_info: null,
  returned_info: null
}

const filled = (blank: Members, given: Members): Members => ({
  ...blank,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
})

const HUNDRED = Decimal.fromInteger(100n)

const say = Decimal.format

/** The accepted tax bases: the specification's, and in lenient mode also the one that real clients use. */
const bases = ({ lenient }: Context): ReadonlyArray<Items.TaxBasis> => (lenient ? ["gross", "net"] : ["gross"])

/** Rules 1 to 5 (DP 2.6), for a single item. Amounts that break a rule are left out of the sums. */
const itemProblems = (context: Context, item: Item): Record<string, string> => {
  const found: Record<string, string> = {}
  const rate = Decimal.of(item.tax_rate)
  const total = Minor.read(item["total_amount"])
  const expected = Items.total(Decimal.of(item.quantity), Minor.read(item["unit_price"]))
  const sign = Items.signProblem(item.type, total)
  // Assumption: a rate is a percentage from 0 to 100.
  if (rate < 0n || rate > HUNDRED) found["tax_rate"] = "Ensure this value is between 0 and 100."
  if (total !== expected) {
    found["total_amount"] = `${say(total)} is not quantity x unit_price, which is ${say(expected)}.`
  } else if (sign !== undefined) found["total_amount"] = sign
  const tax = Minor.read(item["tax_amount"])
  const taxes = found["tax_rate"] === undefined ? bases(context).map((basis) => Items.tax(total, rate, basis)) : [tax]
  if (!taxes.includes(tax)) {
    found["tax_amount"] =
      `${say(tax)} is not ${say(rate)} % of total_amount, which is ${taxes.map((one) => say(one)).join(" or ")}.`
  }
  return found
}

/** Members that the rules need; an item that could not be decoded lacks some of them (`PartialValidation.ts`). */
const NEEDED = ["type", "quantity", "unit_price", "tax_rate", "total_amount", "tax_amount"]

const isWhole = (item: Item | undefined): item is Item =>
  item !== undefined && NEEDED.every((name) => item[name] !== undefined)

/** Validates the items of an order, and that they add up to `total_amount` and `tax_amount` (rule 6). */
export const basketProblems = (context: Context, order: Members, at: ReadonlyArray<string> = []): Problems => {
  const found: Problems = {}
  const items = (order["items"] ?? []) as ReadonlyArray<Item | undefined>
  const whole = items.filter(isWhole)
  for (const [i, item] of items.entries()) {
    if (!isWhole(item)) continue
    for (const [name, why] of Object.entries(itemProblems(context, item))) put(found, [...at, "items", i, name], why)
  }
  const { tax, total } = Items.sum(
    whole.map((item) => ({ total: Minor.read(item["total_amount"]), tax: Minor.read(item["tax_amount"]) }))
  )
  const sums = [
    ["total_amount", total],
    ["tax_amount", tax]
  ] as const
  for (const [name, sum] of sums) {
    // An intent states no tax of its own (DP 2.8), and the sum is unknown if some items are invalid.
    if (order[name] === undefined || whole.length === 0 || whole.length < items.length) continue
    const stated = Minor.read(order[name])
    if (stated !== sum) put(found, [...at, name], `${say(stated)} is not the sum of the items, which is ${say(sum)}.`)
  }
  // Assumption: discounts cannot exceed the rest of the order.
  if (order["total_amount"] !== undefined && Minor.read(order["total_amount"]) < 0n) {
    put(found, [...at, "total_amount"], "Ensure this value is greater than or equal to 0.")
  }
  nest(found, at, unknownCurrency(order))
  return found
}

/** Validates the countries of a customer's addresses: a code or a name (DP 2.1). */
export const addressProblems = (found: Problems, customer: Members, at: ReadonlyArray<string>): void => {
  for (const name of ["delivery_address", "invoice_address"]) {
    nest(found, [...at, name], unknownCountries((customer[name] ?? {}) as Members, "country"))
  }
}

const problems = (context: Context): Problems => {
  const found = basketProblems(context, context.payload)
  const customer = (context.payload["customer"] ?? {}) as Members
  for (const kind of ["organisation", "user"] as const) {
    const id = customer[kind]
    if (typeof id === "string" && context.mine[kind].get(id) === undefined) {
      put(found, ["customer", kind], missing(id).join(" "))
    }
  }
  addressProblems(found, customer, ["customer"])
  return found
}

/** What a created order reports, whatever status was sent (DP 2.6, 3). */
const CREATED = { status: "unpaid", invoice_date: null, due_date: null, paid_date: null, pay_method: "unknown" }

/** Stores an order, together with its `organisation` for lookups. */
export const makeOrder = (context: Context, given: Members): Entity => {
  const { status: _, ...members } = given
  const customer = { organisation: null, user: null, ...(given["customer"] as Members), billing_address: null }
  return context.store.put(context.key, "order", {
    ...CREATED,
    ...filled({ po_number: "", metadata: {} }, members),
    customer,
    items: (given["items"] as ReadonlyArray<Members>).map((item) => filled(ITEM, item)),
    organisation: customer.organisation,
    created: timestamp(context),
    payment_offer: null,
    deferred_payment: null,
    id: context.store.id("order")
  })
}

export const orders = {
  create: (context) => {
    check(problems(context))
    return created(showOrder(context)(makeOrder(context, context.payload)))
  },
  list: (context) => page(context, "/v1/payment/orders/", context.mine.order, showOrder(context)),
  get: (context) => ok(showOrder(context)(find(context, "order", context.params["order_id"]))),
  update: (context) => {
    const order = find(context, "order", context.params["order_id"])
    return ok(showOrder(context)(context.store.put(context.key, "order", { ...order, ...context.payload })))
  },
  /** Assumption: an order may have any number of documents, and each is answered separately. */
  putDocument: (context) => {
    const order = find(context, "order", context.params["order_id"])
    const { amount, description = "", doc_type, file } = context.payload
    const { content, name, type } = file as Upload
    const value = Decimal.of(String(amount))
    const found: Problems = {}
    if (content.length === 0) found["file"] = ["The submitted file is empty."]
    if (value < 0n) found["amount"] = ["Ensure this value is greater than or equal to 0."]
    else if (!Minor.isExact(value)) found["amount"] = ["A valid number is required."]
    check(found)
    const document = { id: context.store.id("order_document"), doc_type, amount: Minor.write(value), description }
    context.store.put(context.key, "order_document", {
      ...document,
      order: order.id,
      name,
      media: type,
      content: Buffer.from(content).toString("base64")
    })
    return ok(document)
  }
} satisfies Record<string, Handler>
