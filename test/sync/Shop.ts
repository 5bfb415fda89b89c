/**
 * The buyer's side, past the sync: a checkout of a shop's order on the sandbox, and what its deferred payment then says.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { OrderPostingKind } from "../../sync/model/DeferredPayment.ts"
import type { Planning } from "../../sync/model/Connection.ts"
import { planning as plain } from "../support/Documents.ts"
import { order } from "../support/Orders.ts"
import { ask, open } from "./InWorld.ts"
import { KEY, URL, type World } from "./World.ts"

type Json = Readonly<Record<string, unknown>>

const SIGNS = { product: "product", shipping: "shipping", fee: "product", discount: "discount" } as const

/** The buyer orders and takes the first plan. Answers the deferred payment's identifier. */
export const checkout = async (world: World, order: Order, status = "accepted"): Promise<string> =>
  (await buy((method, path, body) => ask(world, method, path, body), order, status)).payment

/** The same over any line to the service; answers the order's identifier as well. */
export const buy = async (
  ask: (method: string, path: string, body: unknown) => Promise<Json>,
  order: Order,
  status: string
): Promise<{ readonly payment: string; readonly order: string }> => {
  const registered = "2024-01-05T09:30:00Z"
  const { id: organisation } = await ask("POST", "/v1/organisations", {
    unique_id: "buyer",
    registered,
    company: "co-1000"
  })
  const { id: user } = await ask("POST", "/v1/users", { email: "ann@example.com", name: "Ann", registered })
  const items = order.lines.map(({ gross, id, type }) => ({
    item_id: id,
    type: SIGNS[type],
    description: id,
    category: "/goods",
    quantity: "1",
    unit_price: Number(Currency.toMinor(gross, order.currency)),
    tax_rate: "0",
    total_amount: Number(Currency.toMinor(gross, order.currency)),
    tax_amount: 0
  }))
  const made = await ask("POST", "/v1/payment/orders", {
    unique_id: order.number,
    customer: { type: "registered", organisation, user },
    status: "draft",
    currency: order.currency,
    total_amount: items.reduce((sum, { total_amount }) => sum + total_amount, 0),
    tax_amount: 0,
    order_date: order.placed,
    items
  })
  const urls = { success: "", failure: "", cancel: "", notification: "" }
  const offer = await ask("POST", "/v1/payment/offers", { order: made["id"], locale: "en-gb", urls })
  const [plan] = offer["offered_payment_plans"] as ReadonlyArray<Json>
  const payment = await ask("POST", `/sandbox/offers/${offer["id"]}/plans/${plan!["id"]}/accept`, { status })
  return { payment: String(payment["id"]), order: String(made["id"]) }
}

/** Authorised and open, captured, voided, refunded: minor units, and the status. */
export const payment = (world: World, id: string) => {
  const held = world.service.deferred_payment.get(id)!
  const n = (name: string) => Number(held[name])
  return {
    open: n("authorisation"),
    captured: n("protected_captures") + n("unprotected_captures"),
    voided: n("voided_authorisation"),
    refunded: n("refunds"),
    status: held["status"]
  }
}

/** What the service booked on a deferred payment, in its order. */
export const booked = (world: World, id: string): ReadonlyArray<readonly [unknown, number]> =>
  world.service.ledger.by(id).map(({ amount, type }) => [type, Number(amount)] as const)

/** A capture, void or refund past the sync. */
export const byHand = (
  world: World,
  id: string,
  taking: OrderPostingKind,
  amount: number,
  idempotencyKey: string
): Promise<void> =>
  new Promise((resolve, reject) =>
    world.instance.respond(
      {
        method: "POST",
        url: `/v1/payment/deferred_payments/${id}/${taking}`,
        base: URL,
        authorization: `Token ${KEY}`,
        idempotencyKey,
        body: JSON.stringify({ amount }),
        local: true
      },
      (outcome) =>
        outcome !== "cut" && outcome.status === 201 ? resolve() : reject(new Error(JSON.stringify(outcome)))
    )
  )

export const create = {
  categories: { seats: "/furniture/chairs" },
  category: "/home",
  tax_rate: "20",
  tax_rates: { reduced: "5" }
}

export const creating: Planning = { ...plain, orders: { create } }

export const buyer = {
  id: "B1",
  name: "Corner Bakery Ltd",
  email: "ann@example.com",
  contact: "Ann",
  company: "co-1000"
}

/** The order of the story, by a buyer, without an identifier of the service. */
export const fresh = (changes: Partial<Order> = {}): Order => {
  const { deferredPayment: _, lines, ...rest } = order()
  const [chairs, ...others] = lines
  return {
    ...rest,
    buyer,
    lines: [{ ...chairs!, category: "seats", tax: "reduced", sku: "CH-4" }, ...others],
    ...changes
  }
}

/** What needs attention: the document and why. */
export const attention = (world: World) =>
  open(world, "SELECT subject, why FROM attention WHERE closed IS NULL ORDER BY id").map(
    ({ subject, why }) => [String(subject), String(why)] as const
  )

/** The buyer takes the first plan of the only offer. Answers the deferred payment's identifier. */
export const take = async (world: World, status = "accepted"): Promise<string> => {
  const [offer] = [...world.service.offer.values()] as ReadonlyArray<Json>
  const [plan] = offer!["offered_payment_plans"] as ReadonlyArray<Json>
  const made = await ask(world, "POST", `/sandbox/offers/${String(offer!["id"])}/plans/${String(plan!["id"])}/accept`, {
    status
  })
  return String(made["id"])
}
