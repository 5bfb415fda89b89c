/**
 * The way of an order and the way of an invoice, as a stranger goes them: every operation is called with what it
 * takes, and refused once in each way that it can be. For tests that look at all that is said on the way.
 */
import { expect } from "vitest"
import { INVOICE, late, upload } from "../insurance/Rows.ts"
import { accept, basket, buyer, offer, order, payment, send, urls, widgets } from "./Ordering.ts"
import { trader } from "./Traders.ts"
import { call, companies, fresh, insured, invoice, type Json, KEY, organisation, user, type Wire } from "./Wire.ts"

const registered = "2024-01-05T09:30:00Z"

/** What both interfaces share: reference data, companies, sole traders, organisations, users, memberships. */
export const shared = async (api: Wire): Promise<void> => {
  await api.get("/v1/me")
  await api.get("/v1/countries/debtor")
  await api.get("/v1/countries/customer")
  await call(`${api.url}/v1/me`, "GET", undefined, null)
  await api.post("/v1/companies/search", { country: "GB", name: "Harbour Lane Bakery Ltd" })
  await api.post("/v1/companies/search", {})
  await api.get("/v1/companies/co-1000")
  await api.get("/v1/companies/co-none")

  const sent = await trader(api)
  const { soletrader_id } = (await api.post("/v1/soletraders", sent)).body
  await api.post("/v1/soletraders", sent)
  await api.get("/v1/soletraders?limit=2&offset=0")
  await api.get(`/v1/soletraders/${soletrader_id}?expand=owner`)
  await api.patch(`/v1/soletraders/${soletrader_id}`, { trading_name: "Bea's Cakes" })

  const body = { unique_id: fresh("organisation"), registered, company: "co-1000", metadata: { channel: "web" } }
  const { id } = (await api.post("/v1/organisations", body)).body
  await api.post("/v1/organisations", body)
  await api.get(`/v1/organisations?unique_id=${body.unique_id}&expand=company`)
  await api.get("/v1/organisations?limit=x")
  await api.get(`/v1/organisations/${id}`)
  await api.patch(`/v1/organisations/${id}`, {
    name: "Acme",
    payment_method_config: { card: { preference: "off" } }
  })

  const person = { email: `${fresh("pat")}@example.com`, name: "Pat", registered, country: "GB" }
  const member = (await api.post("/v1/users", person)).body.id
  await api.post("/v1/users", person)
  await api.get("/v1/users?expand=company")
  await api.get(`/v1/users/${member}`)
  await api.patch(`/v1/users/${member}`, { phone: "+44 1" })
  for (const [mine, theirs, other] of [
    [`/v1/organisations/${id}/users`, member, { id: member }],
    [`/v1/users/${member}/organisations`, id, { id }]
  ] as const) {
    await api.post(mine, { ...other, role: "member" })
    await api.post(mine, { ...other, role: "admin" })
    await api.post(mine, { ...other, role: "king" })
    await api.get(mine)
    await api.get(`${mine}/${theirs}`)
    await api.patch(`${mine}/${theirs}`, { role: "read-only" })
    expect((await api.remove(`${mine}/${theirs}`)).status).toBe(204)
    await api.get(`${mine}/${theirs}`)
    await api.post(mine, { ...other, role: "member" })
  }
  await api.remove(`/v1/users/${await user(api)}`)
  await api.remove(`/v1/organisations/${await organisation(api)}`)
}

/** An order, from the basket to the refund (DP 1). */
export const ofAnOrder = async (api: Wire): Promise<void> => {
  const customer = await buyer(api)
  await api.patch("/v1/organisations", { id: customer.organisation, payment_method_config: { card: {} } })
  const made = await order(api, { buyer: customer })
  await api.post("/v1/payment/orders", await basket(api, { total_amount: 1, items: [] }))
  await api.get("/v1/payment/orders/?limit=5&expand=payment_offer")
  await api.patch(`/v1/payment/orders/${made.id}`, { unique_id: fresh("PO") })
  const form = new FormData()
  form.append("doc_type", "invoice")
  form.append("amount", "2000")
  form.append("file", new Blob(["%PDF-1.4"], { type: "application/pdf" }), "invoice.pdf")
  await fetch(`${api.url}/v1/payment/orders/${made.id}/documents`, {
    method: "PUT",
    headers: { authorization: `Token ${KEY}` },
    body: form
  })
  const offered = await offer(api, made.id, { metadata: { basket: "1" } })
  await api.post("/v1/payment/offers", { order: "order-none", locale: "en-gb", urls })
  await accept(api, offered)
  await api.post("/v1/payment/offers", { order: made.id, locale: "en-gb", urls })
  await api.get(`/v1/payment/offers/${offered.id}?expand=order`)
  await api.get(`/v1/payment/orders/${made.id}?expand=deferred_payment`)
  await offer(api, (await order(api, { buyer: await buyer(api, null) })).id)
  await api.remove(`/v1/organisations/${customer.organisation}`)

  const { id } = await payment(api)
  const path = `/v1/payment/deferred_payments/${id}`
  await api.get(`${path}?expand=order`)
  const key = { "idempotency-key": fresh("key") }
  for (const amount of [100, 100, 200]) await send(`${api.url}${path}/capture`, "POST", { amount }, key)
  await api.post(`${path}/void`, { amount: 50, metadata: { why: "sold out" } })
  await api.post(`${path}/refund`, { amount: 10 })
  await api.post(`${path}/capture_remaining`)
  await api.post(`${path}/capture_remaining`)
  await api.post(`/v1/payment/deferred_payments/${(await payment(api)).id}/void_remaining`, {})
  await api.get("/v1/payment/deferred_payments/defpay-none")

  await api.post("/v1/payment/intents", {
    order: {
      customer: { user: { email: "bob@example.com", name: "Bob", registered } },
      unique_id: fresh("intent"),
      currency: "GBP",
      total_amount: 2400,
      items: [widgets]
    },
    merchant_urls: urls,
    locale: "en-gb"
  })
  await api.post("/v1/payment/credit_limits/company/co-1000", { currency: "GBP" })
  for (const { decision, id } of (await companies(api)).all) {
    if (decision?.code === "buyer-limit") await api.post(`/v1/payment/credit_limits/company/${id}`)
  }
}

/** An invoice, from the transaction to the collection that is sent (II 1). */
export const ofAnInvoice = async (api: Wire): Promise<void> => {
  const { all, buyer: debtor, seller } = await companies(api)
  for (const body of [{ company: seller.id }, { country: "FR", name: "Nobody at all" }, { company: "co-none" }]) {
    await api.post("/v1/scores", body)
  }
  await api.post(`/v1/credit_limits/debtor/company/${debtor.id}/`, { currency: "GBP" })
  await api.post(`/v1/credit_limits/debtor/company/${debtor.id}/`)

  const whole = await invoice(api, {
    unique_id: fresh("invoice"),
    number: "INV-1",
    status: "draft",
    items: [{ description: "Flour", quantity: 2, unit_price: "500.000001" }],
    scheduled_payments: [{ date: "2024-03-31", amount: 1200 }],
    metadata: { cost_centre: 7 }
  })
  const path = `/v1/transactions/${whole.id}`
  await api.post("/v1/transactions", { owner: "co-1000", net_amount: "x" })
  await api.get("/v1/transactions?limit=2")
  await api.put(`${path}/confirm`)
  await api.put(`${path}/confirm`)
  await api.patch(path, { number: "INV-2" })
  await api.patch(`${path}/amend/`, {
    net_amount: "900.00",
    gross_amount: 1080,
    scheduled_payments: [{ date: "2024-04-01", amount: "1080" }],
    due_date: "2024-04-01"
  })
  const { body } = await api.post(`${path}/payments/`, { date: "2024-03-05", amount: 100 })
  await api.post(`${path}/payments/`, { date: "2024-03-06", amount: "-50.00", type: "error", provider_code: "AC04" })
  await api.post(`${path}/payments/`, { date: "2024-03-06", amount: "-50.00" })
  await api.get(`${path}/payments/`)
  await api.get(`${path}/payments/${body.id}`)
  const raw = await invoice(api, { debtor: null, debtor_name: "Somebody unknown" })
  await api.put(`/v1/transactions/${raw.id}/match_debtor`, { debtor: debtor.id })
  await api.put(`${path}/paid`, { pay_method: "bank", paid_date: "2024-04-01" })
  await api.put(`/v1/transactions/${(await invoice(api)).id}/paid`)
  await api.remove(`/v1/transactions/${raw.id}`)
  await api.get(`/v1/transactions/${raw.id}`)

  for (const { id } of all.filter(({ decision }: Json) => decision !== null).slice(0, 8)) {
    await api.post("/v1/quotes", { transaction: (await invoice(api, { debtor: id })).id })
  }
  const quoted = (await api.post("/v1/quotes", { transaction: (await invoice(api)).id, client: debtor.id })).body
  await api.get("/v1/quotes?expand=transaction")
  await api.get(`/v1/quotes/${quoted.id}`)
  for (const stripe_id of ["tok_declined", "tok_error", "tok_timeout", ""]) {
    await api.post("/v1/policies", { quote: quoted.id, stripe_id })
  }
  await api.remove(`/v1/quotes/${quoted.id}`)

  const { policy, quote, transaction } = await late(api)
  await api.get(`/v1/transactions/${transaction.id}?expand=debtor,creditor,policy,quote`)
  await api.remove(`/v1/transactions/${transaction.id}`)
  await api.patch(`/v1/transactions/${transaction.id}`, { number: "x" })
  await api.post("/v1/quotes", { transaction: transaction.id })
  await api.remove(`/v1/quotes/${quote.id}`)
  await api.get("/v1/policies")
  await api.get(`/v1/policies/${policy.id}?expand=quote`)
  const collection = `/v1/collections/${(await api.post("/v1/collections", { policy: policy.id })).body.id}`
  await api.post("/v1/collections", { policy: policy.id })
  await api.get("/v1/collections")
  await api.patch(collection, { confirm_correct: true, partial_payment: "10.00" })
  const document = (await upload(api, { policy: policy.id, type: "invoice", file: INVOICE })).body
  const spare = (await upload(api, { policy: policy.id, file: INVOICE })).body
  await api.get(`/v1/collectiondocuments?policy_id=${policy.id}`)
  await api.get(`/v1/collectiondocuments/${document.id}`)
  await api.remove(`/v1/collectiondocuments/${spare.id}`)
  await api.put(`${collection}/send`)
  await api.put(`${collection}/send`)
  await api.patch(collection, { reasons: "none" })
  await api.get(`${collection}?expand=policy`)
  await upload(api, { policy: policy.id, file: INVOICE })
  await api.remove(`/v1/collectiondocuments/${document.id}`)
  await insured(api)
}
