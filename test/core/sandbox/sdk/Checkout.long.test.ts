/**
 * The element `checkout` in Chromium (DP 6.2, 6.3), for an offer: what the buyer is shown and sends, what the page is
 * told, and what becomes of the order.
 */
import { beforeEach, describe, expect, test } from "vitest"
import { type PageOptions, useStorefront } from "../../../support/Storefront.ts"
import { type Json, KEY } from "../Wire.ts"

const shop = useStorefront({ keys: [KEY, "another-platform"] })

beforeEach(() => shop().api.post("/sandbox/clock", { set: "2026-03-01T09:00:00Z" }))

/** A page with the element, with the offer and these options. */
const visit = (offer: Json, more = "", given: PageOptions = {}) =>
  shop().visit(
    `window.element = watch(DeferredPayment(PUBLIC_KEY).elements().create("checkout",
       { paymentOffer: ${JSON.stringify(offer)}, ${more} }), "checkout")
     element.mount("#a")`,
    given
  )

const ready = async (offer: Json, more?: string, given?: PageOptions) => {
  const visited = await visit(offer, more, given)
  await visited.heard("ready")
  return { ...visited, frame: visited.page.frameLocator("iframe") }
}

const CONFIRM = "Confirm and pay later"

/** The buyer takes the first plan, on invoice. */
const pay = async ({ frame }: Pick<Awaited<ReturnType<typeof ready>>, "frame">): Promise<void> => {
  await frame.getByLabel("Pay in 30 days").check()
  await frame.getByLabel("Bank transfer").check()
  await frame.getByRole("button", { name: CONFIRM }).click()
}

describe("an offer", () => {
  test("DP 6.3: checkout paymentOffer: its plans are shown with dates, amounts and fees, each with its ways to pay", async () => {
    const offer = await shop().offerFor()
    const { frame, page } = await ready(offer)
    const words = await frame.locator("section").innerText()
    expect(words.replace(/\s*\n\s*/g, "\n")).toBe(`Total: £20.00
When do you want to pay?
Pay in 30 days
£20.00 on 31 March 2026
No fee
Pay in 60 days
£20.00 on 30 April 2026
No fee
3 instalments
£6.67 on 31 March 2026
£6.67 on 30 April 2026
£6.66 on 30 May 2026
No fee
By confirming, you accept the payment terms and privacy policy.
${CONFIRM}`)
    await frame.getByLabel("3 instalments").check()
    expect(await frame.getByRole("group", { name: "How do you want to pay?" }).innerText()).toContain("Direct debit")
    const opened = page.waitForEvent("popup")
    await frame.getByRole("link").click()
    const terms = await opened
    expect(await terms.innerText("h1")).toBe("Payment terms and privacy policy")
    // A page behind another one is given its clicks seconds later.
    await terms.close()
  })

  test("DP 6.2: checkout ready: once after each mount, when the frame shows what can be chosen", async () => {
    const { events, frame, run, heard } = await ready(await shop().offerFor())
    expect(await events()).toEqual([["ready"]])
    expect(await frame.getByRole("button", { name: CONFIRM }).isVisible()).toBe(true)
    await run(`element.unmount(); element.mount("#b")`)
    await heard("ready", 2)
    expect(await events()).toHaveLength(2)
  })

  test("DP 6.2: checkout success: the plan is accepted and a deferred payment made, of which the offer's address is notified", async () => {
    const offer = await shop().offerFor("co-1001", {
      urls: { success: "", failure: "", cancel: "", notification: `${shop().url}/notified` }
    })
    const visited = await ready(offer)
    const { events, frame, heard } = visited
    await frame.getByRole("button", { name: CONFIRM }).click()
    await frame.getByText("Choose when you want to pay.").waitFor()
    await frame.getByLabel("3 instalments").check()
    await frame.getByRole("button", { name: CONFIRM }).click()
    await frame.getByText("Choose how you want to pay.").waitFor()
    await frame.getByLabel("Direct debit").check()
    await frame.getByRole("button", { name: CONFIRM }).click()
    const { deferred_payment, order, payment_plan } = await heard("success")
    await frame.getByText("Confirmed. You pay later, as agreed.").waitFor()
    expect(await shop().paymentOf(offer.order)).toMatchObject({ ...deferred_payment, status: "accepted", payment_plan })
    expect([order, payment_plan]).toEqual([offer.order, offer.offered_payment_plans[2].id])
    await expect.poll(async () => (await shop().api.get("/sandbox/webhooks")).body.length).toBeGreaterThan(0)
    expect(await events()).toHaveLength(2)
  })

  test("an answer that is lost is asked for again, and the order is paid once", async () => {
    const offer = await shop().offerFor()
    const visited = await ready(offer)
    await shop().api.post("/sandbox/faults", { kind: "lose_response", path: "/frame/v1/submit" })
    await pay(visited)
    await visited.frame.getByText("Try again; nothing is confirmed twice.").waitFor()
    const { id } = await shop().paymentOf(offer.order)
    await shop().api.remove("/sandbox/faults")
    await visited.frame.getByRole("button", { name: CONFIRM }).click()
    expect((await visited.heard("success")).deferred_payment.id).toBe(id)
    expect((await visited.events()).map(([name]) => name)).toEqual(["ready", "success"])
  })

  test("a payment that is yet to be checked, and one that is refused at last, are told apart", async () => {
    const { api, offerFor } = shop()
    await api.put("/sandbox/companies/co-1002/outcome", { status: "pending_review" })
    const checked = await ready(await offerFor("co-1002"))
    await pay(checked)
    expect((await checked.heard("success")).deferred_payment.status).toBe("pending_review")
    await checked.frame.getByText("Your order is being checked").waitFor()
    await api.put("/sandbox/companies/co-1002/outcome", { status: "rejected" })
    const refused = await ready(await offerFor("co-1002"))
    await pay(refused)
    expect((await refused.heard("rejected")).deferred_payment.status).toBe("rejected")
    await refused.frame.getByText("Paying later was not approved.").waitFor()
    expect((await api.put("/sandbox/companies/co-1002/outcome", { status: "perhaps" })).status).toBe(400)
    await api.put("/sandbox/companies/co-1002/outcome", { status: null })
  })
})

describe("nothing to choose", () => {
  test("DP 6.2: checkout rejected: fires with the reasons when every plan is declined", async () => {
    const { heard } = await visit(await shop().offerFor("co-2010"))
    const { body } = await shop().api.get("/sandbox/companies")
    const { code, params } = body.find(({ id }: Json) => id === "co-2010").decision
    expect(await heard("rejected")).toEqual({ reasons: [{ code, params, detail: expect.any(String) }] })
  })

  test("DP 3: checkout element: it is not shown when every plan of the offer is declined", async () => {
    const { events, page, heard } = await visit(await shop().offerFor("co-2011"))
    await heard("rejected")
    expect([await page.locator("iframe").count(), await page.locator("#a").textContent()]).toEqual([0, ""])
    expect(await events()).toHaveLength(1)
  })

  test("DP 6.2: checkout failure: an offer that has expired, before it is shown and while it is", async () => {
    const offer = await shop().offerFor()
    const shown = await ready(offer)
    await shop().api.post("/sandbox/clock", { advance: "P15D" })
    await pay(shown)
    expect(await shown.heard("failure")).toMatchObject({ code: "expired" })
    await shown.frame.getByText("This offer has expired. Go back, and place your order again.").waitFor()
    const { page, said, heard } = await visit(offer)
    expect(await heard("failure")).toEqual({
      code: "expired",
      message: expect.stringMatching(/answers 410: The offer offr-\w+ was valid until 2026-03-15T09:/)
    })
    expect(said.some((line) => line.startsWith("[deferred payment] checkout: ") && line.includes("410"))).toBe(true)
    expect(await page.locator("iframe").count()).toBe(0)
  })

  test("DP 6.2: checkout failure: an order that is paid, an offer of another platform, a key that does not fit", async () => {
    const offer = await shop().offerFor()
    const plan = offer.offered_payment_plans[0]
    const strange = { ...plan, payment_url: plan.payment_url.replace(/key=.*/, "key=key-wrong") }
    const wrong = await visit({ ...offer, offered_payment_plans: [strange] })
    expect(await wrong.heard("failure")).toMatchObject({ code: "wrong_key" })
    const other = await shop().visit(`
      const element = DeferredPayment("${shop().sandbox.publicKeys[1]}").elements().create("checkout", { paymentOffer: ${JSON.stringify(offer)} })
      watch(element, "checkout").mount("#a")`)
    expect(await other.heard("failure")).toMatchObject({ code: "status_404" })
    await shop().api.post(`/sandbox/offers/${offer.id}/plans/${plan.id}/accept`, {})
    const paid = await visit(offer)
    expect(await paid.heard("failure")).toMatchObject({ code: "already_paid" })
  })

  test("DP 6.2: checkout failure: the payment frame's host is out of reach, or the page's policy does not name it", async () => {
    const offer = await shop().offerFor()
    const { frame, url } = shop().sandbox
    await shop().api.post("/sandbox/faults", { kind: "lose_request", path: "/frame" })
    const away = await visit(offer)
    expect(await away.heard("failure")).toEqual({
      code: "unreachable",
      message: `${frame} cannot be reached. If this page has a Content-Security-Policy, its connect-src must name ${frame}.`
    })
    await shop().api.remove("/sandbox/faults")
    const closed = await visit(offer, "", { policy: { "connect-src": url } })
    expect(await closed.heard("failure")).toMatchObject({ code: "unreachable" })
    const unframed = await visit(offer, "", { policy: { "frame-src": "'none'" } })
    expect(await unframed.heard("failure")).toEqual({
      code: "frame_blocked",
      message: `The payment frame of ${frame} does not load. If this page has a Content-Security-Policy, its frame-src must name ${frame}.`
    })
  })
})

describe("options", () => {
  test("DP 6.3: checkout paymentPlanId: shows that plan alone, chosen; a declined one is a rejection", async () => {
    const offer = await shop().offerFor()
    const { frame, heard } = await ready(offer, `paymentPlanId: "${offer.offered_payment_plans[1].id}"`)
    expect(await frame.getByText("Pay in 60 days").isVisible()).toBe(true)
    expect(await frame.getByText("Pay in 30 days").count()).toBe(0)
    expect(await frame.locator("[name=plan]").count()).toBe(0)
    await frame.getByLabel("Card").check()
    await frame.getByRole("button", { name: CONFIRM }).click()
    expect((await heard("success")).payment_plan).toBe(offer.offered_payment_plans[1].id)
    const declined = await shop().offerFor("co-2010")
    const rejected = await visit(declined, `paymentPlanId: "${declined.offered_payment_plans[0].id}"`)
    await rejected.heard("rejected")
  })

  test("DP 6.3: checkout hidePaymentPlanName: the preselected plan has dates and amounts, and no name", async () => {
    const offer = await shop().offerFor()
    const { frame } = await ready(
      offer,
      `paymentPlanId: "${offer.offered_payment_plans[1].id}", hidePaymentPlanName: true`
    )
    expect(await frame.getByText("£20.00 on 30 April 2026").isVisible()).toBe(true)
    expect(await frame.getByText("Pay in 60 days").count()).toBe(0)
  })

  test("DP 6.3: checkout buttonlessSubmission: there is no button; DP 6.3: confirmOrder() submits", async () => {
    const { frame, run, heard } = await ready(await shop().offerFor(), "buttonlessSubmission: true")
    expect(await frame.getByRole("button").count()).toBe(0)
    await run("element.confirmOrder()")
    await frame.getByText("Choose when you want to pay.").waitFor()
    await frame.getByLabel("Pay in 30 days").check()
    await frame.getByLabel("Card").check()
    await run("element.confirmOrder()")
    await heard("success")
  })

  test("DP 6.2: checkout formState: says whether it can be submitted, each time that changes, without a button only", async () => {
    const offer = await shop().offerFor()
    const { events, frame, run, heard } = await ready(offer, "buttonlessSubmission: true")
    expect(await heard("formState")).toEqual({ isReadyToSubmit: false })
    await frame.getByLabel("Pay in 30 days").check()
    await frame.getByLabel("Card").check()
    expect(await heard("formState", 2)).toEqual({ isReadyToSubmit: true })
    await frame.getByLabel("Pay in 60 days").check()
    await run("element.confirmOrder()")
    await heard("success")
    expect((await events()).filter(([name]) => name === "formState").map(([, state]) => state.isReadyToSubmit)).toEqual(
      [false, true, false]
    )
    const plain = await ready(await shop().offerFor())
    await pay(plain)
    await plain.heard("success")
    expect((await plain.events()).map(([name]) => name)).toEqual(["ready", "success"])
  })

  test("DP 6.3: checkout headless: has no UI, and confirmOrder() pays the plan by invoice", async () => {
    const offer = await shop().offerFor()
    const { events, page, run, heard } = await ready(
      offer,
      `headless: true, paymentPlanId: "${offer.offered_payment_plans[0].id}"`
    )
    expect([await page.locator("iframe").count(), await page.locator("#a").textContent()]).toEqual([0, ""])
    await run("element.confirmOrder()")
    expect((await heard("success")).payment_plan).toBe(offer.offered_payment_plans[0].id)
    expect(await run("thrown(() => element.confirmOrder())")).toMatch(/there is nothing to confirm/)
    expect(await shop().paymentOf(offer.order)).toMatchObject({ status: "accepted" })
    expect((await events()).map(([name]) => name)).toEqual(["ready", "success"])
  })

  test("DP 6.3: confirmOrder(): is a mistake before ready, and with a button", async () => {
    const { run, heard } = await visit(await shop().offerFor())
    await heard("ready")
    expect(await run("thrown(() => element.confirmOrder())")).toBe(
      "IntegrationError: checkout: there is nothing to confirm. confirmOrder needs the option headless or buttonlessSubmission, and comes after ready."
    )
    const offer = JSON.stringify(await shop().offerFor())
    const early = await shop().visit(`
      const element = watch(DeferredPayment(PUBLIC_KEY).elements().create("checkout", { paymentOffer: ${offer}, buttonlessSubmission: true }), "checkout")
      element.mount("#a"), element.confirmOrder()`)
    expect(await early.heard("thrown")).toMatch(/there is nothing to confirm/)
  })

  test("options that contradict each other are mistakes, and so is a mount without its two required handlers", async () => {
    const offer = await shop().offerFor()
    const plan = offer.offered_payment_plans[0].id
    const intent = { id: "intent-1", payment_url: "http://127.0.0.1/pay/intent-1?key=k" }
    const { run } = await shop().visit(
      `Object.assign(window, { offer: ${JSON.stringify(offer)}, intent: ${JSON.stringify(intent)}, elements: DeferredPayment(PUBLIC_KEY).elements() })`
    )
    for (const [options, why] of [
      ["{ paymentOffer: offer, intent }", "pass paymentOffer or intent, never both."],
      ["{}", "pass a paymentOffer or an intent."],
      [`{ paymentOffer: "${offer.id}" }`, "paymentOffer is the whole object that the request for an offer answered."],
      ["{ intent: intent.id }", "intent is the whole object that the request for an intent answered."],
      [`{ paymentOffer: offer, paymentPlanId: "ppln-1" }`, `the offer ${offer.id} has no plan "ppln-1".`],
      [`{ intent, paymentPlanId: "${plan}" }`, "paymentPlanId is not used with an intent."],
      ["{ paymentOffer: offer, headless: true }", "headless needs paymentPlanId."],
      ["{ paymentOffer: offer, hidePaymentPlanName: true }", "hidePaymentPlanName needs paymentPlanId."]
    ] as const)
      expect(await run(`thrown(() => elements.create("checkout", ${options}))`)).toBe(
        `IntegrationError: checkout: ${why}`
      )
    await run(`window.element = elements.create("checkout", { paymentOffer: offer })`)
    expect(await run(`thrown(() => element.mount("#a"))`)).toBe(
      "IntegrationError: checkout: bind a handler for success and failure before mount."
    )
    expect(await run("thrown(() => element.update({ intent, paymentOffer: offer }))")).toMatch(/never both/)
  })

  test("another offer takes the place of the first, in the frame as well", async () => {
    const { frame, run } = await ready(await shop().offerFor())
    const { body } = await shop().api.post("/v1/payment/offers", {
      order: (await shop().offerFor()).order,
      locale: "de-de",
      urls: { success: "", failure: "", cancel: "", notification: "" }
    })
    await run(`element.update({ paymentOffer: ${JSON.stringify(body)} })`)
    await frame.getByText("In 30 Tagen zahlen").waitFor()
    expect(await frame.getByText("20,00 £ am 31. März 2026").count()).toBeGreaterThan(0)
  })
})
