/**
 * Performs a buyer's checkout on the sandbox, up to the deferred payment: what a shop's own software does before Daybook.
 */
import { KEY, type Service } from "./Cli.ts"

type Json = Readonly<Record<string, unknown>>

export const api = async (url: string, method: string, path: string, body?: unknown): Promise<Json> => {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Token ${KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Json
}

/** Checks out an order of this many minor units. Returns the deferred payment's identifier. */
export const checkout = async (
  shop: Service,
  unique_id: string,
  total: number,
  status: string,
  currency = "GBP",
  company = "co-1000"
): Promise<string> => {
  const { url } = shop
  const registered = "2024-01-05T09:30:00Z"
  const { id: organisation } = await api(url, "POST", "/v1/organisations", {
    unique_id: "b",
    registered,
    company
  })
  const { id: user } = await api(url, "POST", "/v1/users", { email: "ann@example.com", name: "Ann", registered })
  const amounts = { total_amount: total, tax_amount: 0 }
  const goods = {
    item_id: "1",
    type: "product",
    description: "Goods",
    category: "/goods",
    quantity: "1",
    tax_rate: "0"
  }
  const order = await api(url, "POST", "/v1/payment/orders", {
    unique_id,
    customer: { type: "registered", organisation, user },
    currency,
    order_date: "2026-03-01",
    items: [{ ...goods, unit_price: total, ...amounts }],
    ...amounts
  })
  const urls = { success: "", failure: "", cancel: "", notification: "" }
  const offer = await api(url, "POST", "/v1/payment/offers", { order: order["id"], locale: "en-gb", urls })
  const [plan] = offer["offered_payment_plans"] as ReadonlyArray<Json>
  const payment = await shop.control<Json>("POST", `offers/${offer["id"]}/plans/${plan!["id"]}/accept`, { status })
  return String(payment["id"])
}
