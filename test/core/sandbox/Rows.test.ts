/**
 * Rows of the documents that stand in their sentences, beside the tables.
 */
import { expect, test } from "vitest"
import { order } from "./Ordering.ts"
import { companies, insured, invoice, organisation, sandbox } from "./Wire.ts"

const api = sandbox({ clock: "2024-03-01T09:00:00Z" })

test("DP 3: order: a created order reports unpaid, as draft and as pending, and so do its later reads", async () => {
  for (const status of ["draft", "pending"]) {
    const { id, status: reported } = await order(api, { status })
    expect([reported, (await api.get(`/v1/payment/orders/${id}`)).body.status]).toEqual(["unpaid", "unpaid"])
  }
})

test("II 3.2: an offered quote does not insure until accepted and paid", async () => {
  const owner = await organisation(api)
  const { id } = await invoice(api, { owner })
  const quote = (await api.post("/v1/quotes", { transaction: id })).body
  const buy = (stripe_id: string) => api.post("/v1/policies", { quote: quote.id, stripe_id })
  const covered = async () => [
    (await api.get(`/v1/transactions/${id}`)).body.policy !== null,
    (await api.get(`/v1/organisations/${owner}`)).body.has_purchased_policy
  ]
  expect([quote.status, quote.policy, await covered()]).toEqual(["offered", null, [false, false]])
  expect([(await buy("tok_declined")).status, await covered()]).toEqual([402, [false, false]])
  expect([(await buy("tok_visa")).status, await covered()]).toEqual([201, [true, true]])
  // An uninsured one may be edited, for all that is offered; this one no more.
  expect((await api.patch(`/v1/transactions/${id}`, { number: "2" })).status).toBe(409)
})

test("II 4: amend rules: an omitted schedule stays; a given one sums to gross_amount and ends on due_date", async () => {
  const schedule = (first: string, second: string) => [
    { date: "2024-03-31", amount: first },
    { date: "2024-04-30", amount: second }
  ]
  const { transaction } = await insured(api, {
    due_date: "2024-04-30",
    scheduled_payments: schedule("600.00", "600.00")
  })
  const amend = (body: object) => api.patch(`/v1/transactions/${transaction.id}/amend/`, body)
  const kept = await amend({ net_amount: "999.00" })
  expect([kept.status, kept.body.scheduled_payments]).toEqual([200, transaction.scheduled_payments])
  const due_date = "2024-04-30"
  const wrong = [
    { gross_amount: "1200.01", due_date, scheduled_payments: schedule("600", "600") },
    { gross_amount: "1200", due_date: "2024-04-29", scheduled_payments: schedule("600", "600") },
    { gross_amount: "1200.01", due_date: "2024-05-01", scheduled_payments: schedule("600", "600") }
  ]
  const refused = await Promise.all(wrong.map(amend))
  expect(refused.map(({ body, status }) => [status, Object.keys(body).toSorted()])).toEqual([
    [400, ["scheduled_payments"]],
    [400, ["due_date"]],
    [400, ["due_date", "scheduled_payments"]]
  ])
  const moved = await amend({ gross_amount: 900, due_date, scheduled_payments: schedule("300.10", "599.90") })
  expect([moved.status, moved.body.scheduled_payments]).toMatchObject([200, schedule("300.10", "599.90")])
})

test("II 4: parties that are null are matched internally: the quote is of the companies that raw data names", async () => {
  const { buyer, other, seller } = await companies(api)
  const { creditor, debtor, id } = await invoice(api, {
    debtor: null,
    debtor_name: buyer.name.toUpperCase(),
    debtor_country: "United Kingdom",
    creditor: null,
    creditor_regnum: seller.reg_number,
    creditor_country: "GB"
  })
  expect([creditor, debtor]).toEqual([seller.id, buyer.id])
  const quote = await api.post("/v1/quotes", { transaction: id })
  expect([quote.status, quote.body.status, quote.body.client]).toEqual([201, "offered", buyer.id])
  const named = await api.post("/v1/quotes", { transaction: id, client_name: other.name, client_country: "GB" })
  expect([named.status, named.body.client]).toEqual([201, other.id])
})
