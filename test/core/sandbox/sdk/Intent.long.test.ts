/**
 * The element `checkout` in Chromium for an intent (DP 2.8, 6.3): the buyer says in the payment frame which company it
 * is, and is offered plans there.
 */
import { describe, expect, test } from "vitest"
import { useStorefront } from "../../../support/Storefront.ts"
import { address, urls, widgets } from "../Ordering.ts"
import { fresh, type Json } from "../Wire.ts"

const shop = useStorefront()

const made = async (): Promise<Json> => {
  const { body, status } = await shop().api.post("/v1/payment/intents", {
    order: {
      customer: {
        user: { email: "ann@example.com", name: "Ann Example", phone: "", registered: "2024-01-05T09:30:00Z" },
        invoice_address: address,
        delivery_address: address
      },
      unique_id: fresh("intent"),
      currency: "GBP",
      total_amount: 2400,
      items: [widgets]
    },
    merchant_urls: urls,
    locale: "en-gb"
  })
  expect(status).toBe(201)
  return body
}

const ready = async (intent: Json, more = "") => {
  const visited = await shop().visit(`
    window.element = watch(DeferredPayment(PUBLIC_KEY).elements().create("checkout", { intent: ${JSON.stringify(intent)}, ${more} }), "checkout")
    element.mount("#a")`)
  await visited.heard("ready")
  return { ...visited, frame: visited.page.frameLocator("iframe") }
}

type Frame = Awaited<ReturnType<typeof ready>>["frame"]

const choose = async (frame: Frame, name: string): Promise<void> => {
  await frame.getByLabel("Company name or registration number").fill(name)
  await frame.getByRole("option").filter({ hasText: name }).first().click()
}

const confirm = async (frame: Frame): Promise<void> => {
  await frame.getByLabel("Pay in 30 days").check()
  await frame.getByLabel("Bank transfer").check()
  await frame.getByRole("button", { name: "Confirm and pay later" }).click()
}

describe("an intent", () => {
  test("DP 6.3: checkout intent: a registered company is found, offered plans, and pays later", async () => {
    const intent = await made()
    const { events, frame, heard } = await ready(intent)
    expect(await frame.getByRole("button", { name: "Confirm" }).count()).toBe(0)
    await choose(frame, "Harbour Lane Bakery Ltd")
    await confirm(frame)
    const { deferred_payment } = await heard("success")
    expect(await shop().paymentOf(intent.order)).toMatchObject({ id: deferred_payment.id, status: "accepted" })
    const { body: order } = await shop().api.get(`/v1/payment/orders/${intent.order}`)
    const { body: organisation } = await shop().api.get(`/v1/organisations/${order.customer.organisation}`)
    expect([order.customer.type, organisation.company]).toEqual(["registered", "co-1000"])
    expect((await events()).map(([name]) => name)).toEqual(["ready", "success"])
  })

  test("DP 6.3: checkout intent: a sole trader describes itself, and is one of the platform's from then on", async () => {
    const intent = await made()
    const { frame, heard } = await ready(intent)
    await frame.getByLabel("a sole trader").check()
    const fields = {
      trading_name: "Ann's Flowers",
      trading_address: "2 Mill Road",
      trading_address_postcode: "PO2 2BB",
      trading_address_city: "Portsmouth",
      proprietor_name: "Ann Example",
      date_of_birth: "1980-02-29",
      proprietor_address_line1: "Flat 1",
      proprietor_address_line2: "3 Hill Street",
      proprietor_address_postcode: "PO3 3CC",
      proprietor_address_city: "Southsea"
    }
    for (const [name, value] of Object.entries(fields)) await frame.locator(`#${name}`).fill(value)
    await frame.getByRole("button", { name: "Use these details" }).click()
    await confirm(frame)
    await heard("success")
    const { body: traders } = await shop().api.get("/v1/soletraders")
    expect(traders.results).toMatchObject([{ ...fields, unique_id: intent.id }])
    const { body: order } = await shop().api.get(`/v1/payment/orders/${intent.order}`)
    expect(order.customer).toMatchObject({ type: "sole-trader", user: traders.results[0].owner })
  })

  test("a company that is declined is told so, and another one may be chosen", async () => {
    const intent = await made()
    const { frame, heard } = await ready(intent, "buttonlessSubmission: true")
    expect(await heard("formState")).toEqual({ isReadyToSubmit: false })
    await choose(frame, "Declined Buyer Sector Ltd")
    expect(await heard("rejected")).toMatchObject({ reasons: [{ code: "buyer-sector" }] })
    await frame.getByText("Paying later is not available for this company.").waitFor()
    await frame.getByRole("button", { name: "Change" }).click()
    await choose(frame, "Brightwater Foods Ltd")
    await frame.getByLabel("Pay in 30 days").check()
    await frame.getByLabel("Card").check()
    expect(await heard("formState", 2)).toEqual({ isReadyToSubmit: true })
    // The buyer thinks again: what was chosen for the first company is gone.
    await frame.getByRole("button", { name: "Change" }).click()
    expect(await heard("formState", 3)).toEqual({ isReadyToSubmit: false })
    expect(await frame.getByLabel("Card").count()).toBe(0)
    expect(await shop().paymentOf(intent.order)).toBeNull()
  })
})
