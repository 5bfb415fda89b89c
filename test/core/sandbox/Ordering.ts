/**
 * Buyers, baskets and payments for the sandbox's tests of deferred payment, as the specification's flow makes them
 * (DP 1). Amounts are written out, not computed by what is tested.
 */
import { type Answered, fresh, type Json, KEY, user, type Wire } from "./Wire.ts"

/** One request with headers of its own. */
export const send = async (
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>
): Promise<Answered> => {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Token ${KEY}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(8000)
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) }
}

/** Two of them make 24.00, of which 4.80 are tax. */
export const widgets = {
  item_id: "widgets",
  type: "product",
  description: "Widgets",
  category: "/hardware/widgets",
  quantity: "2",
  unit_price: 1200,
  tax_rate: "20",
  total_amount: 2400,
  tax_amount: 480
}

export const shipping = {
  ...widgets,
  item_id: "shipping",
  type: "shipping",
  description: "By road",
  category: "/shipping",
  quantity: "1",
  unit_price: 500,
  total_amount: 500,
  tax_amount: 100
}

export const discount = {
  ...widgets,
  item_id: "discount",
  type: "discount",
  description: "Welcome",
  category: "/discount",
  quantity: "1",
  unit_price: -900,
  total_amount: -900,
  tax_amount: -180
}

/** An organisation of a company, and a user of it. */
export const buyer = async (api: Wire, company: string | null = "co-1000") => {
  const unique_id = fresh("buyer")
  const made = await api.post("/v1/organisations", { unique_id, registered: "2024-01-05T09:30:00Z", company })
  const organisation: string = made.body.id
  const member = await user(api)
  await api.post(`/v1/organisations/${organisation}/users`, { id: member, role: "member" })
  return { organisation, user: member }
}

export const address = {
  name: "Harbour Lane Bakery",
  address_line1: "1 Harbour Lane",
  address_line2: "",
  city: "Portsmouth",
  postcode: "PO1 1AA",
  country: "GB"
}

/** What an order is sent as: 20.00, of which 4.00 are tax. */
export const basket = async (api: Wire, more: Readonly<Record<string, unknown>> = {}): Promise<Json> => ({
  unique_id: fresh("order"),
  customer: {
    type: "registered",
    ...((more["buyer"] as object | undefined) ?? (await buyer(api))),
    delivery_address: address,
    invoice_address: address
  },
  status: "draft",
  currency: "GBP",
  total_amount: 2000,
  tax_amount: 400,
  order_date: "2024-03-01",
  invoice_date: null,
  due_date: null,
  paid_date: null,
  pay_method: "unknown",
  items: [widgets, shipping, discount],
  metadata: { channel: "web" },
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "buyer"))
})

export const order = async (api: Wire, more: Readonly<Record<string, unknown>> = {}): Promise<Json> => {
  const answer = await api.post("/v1/payment/orders", await basket(api, more))
  if (answer.status !== 201) throw new Error(`the order was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const urls = { success: "", failure: "", cancel: "", notification: "" }

export const offer = async (api: Wire, id: string, more: Readonly<Record<string, unknown>> = {}): Promise<Json> => {
  const answer = await api.post("/v1/payment/offers", { order: id, locale: "en-gb", urls, ...more })
  if (answer.status !== 201) throw new Error(`the offer was refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** The buyer completes checkout for the first plan of an offer. */
export const accept = (api: Wire, { id, offered_payment_plans }: Json, body: unknown = {}): Promise<Answered> =>
  api.post(`/sandbox/offers/${id}/plans/${offered_payment_plans[0].id}/accept`, body)

/** A deferred payment of 20.00. */
export const payment = async (api: Wire, more: Readonly<Record<string, unknown>> = {}): Promise<Json> => {
  const answer = await accept(api, await offer(api, (await order(api, more)).id))
  if (answer.status !== 201) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`)
  return answer.body
}
