/**
 * Webhooks of the sources: taken when the source signed them, refused when anybody else did, and followed by reading
 * again what they point to. What is expected is computed here from the sources' own documentation.
 */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import type { Connector, Delivery, Webhook } from "../../../connectors/Connector.ts"
import { fold, run, type Subject } from "../../../connectors/testing/Subject.ts"
import { samples } from "../../support/Samples.ts"

const SECRET = "whsec_9d1c7e"
const NOW = Date.parse("2026-03-01T12:00:00Z")
const SECONDS = Math.floor(NOW / 1000)

const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value))
const mac = (body: Uint8Array | string, form: "hex" | "base64") =>
  createHmac("sha256", SECRET).update(body).digest(form)

const stripeSigned = (body: Buffer, at = SECONDS) => ({
  "stripe-signature": `t=${at},v1=${mac(`${at}.${body.toString()}`, "hex")},v0=ignored`
})
const SIGN: Readonly<Record<string, (body: Buffer) => Readonly<Record<string, string>>>> = {
  stripe: (body) => stripeSigned(body),
  quickbooks: (body) => ({ "intuit-signature": mac(body, "base64") }),
  gocardless: (body) => ({ "webhook-signature": mac(body, "hex") }),
  xero: (body) => ({ "x-xero-signature": mac(body, "base64") }),
  shopify: (body) => ({ "x-shopify-hmac-sha256": mac(body, "base64") }),
  woocommerce: (body) => ({ "x-wc-webhook-signature": mac(body, "base64") })
}

const subjectOf = async (name: string): Promise<Subject> => (await samples[name]!()).subject
const webhookOf = ({ connector }: Subject): Webhook<unknown> => connector.webhook!

/** What a delivery points to, as its connector says. */
const eventsOf = (subject: Subject, body: unknown, headers: Delivery["headers"] = {}) =>
  webhookOf(subject).events({ headers, body: bytes(body) }, subject.settings)

/** Reads again what events point to, from the sample's own source. */
const follow = async (subject: Subject, about: ReadonlyArray<string>) => {
  const connector: Connector = { ...subject.connector, reread: (...all) => subject.connector.webhook!.reread(...all) }
  const ran = await run({ ...subject, connector }, subject.open(), { reread: about })
  if (ran.error !== undefined) throw ran.error
  return [...fold(ran.pages).keys()].toSorted()
}

describe("the signature of a webhook", () => {
  for (const [name, sign] of Object.entries(SIGN)) {
    it(`of ${name}: the source's is taken; another secret, another body, none, and half of one are refused`, async () => {
      const webhook = webhookOf(await subjectOf(name))
      const body = bytes({ id: "evt_1", events: [], data: { object: {} } })
      const headers = sign(body)
      const [header, value] = Object.entries(headers)[0]!
      const verify = (delivery: Delivery, secret = SECRET) => webhook.verify(delivery, secret, NOW)
      assert.isTrue(verify({ headers, body }))
      assert.isFalse(verify({ headers, body }, "another"))
      assert.isFalse(verify({ headers, body: bytes(`${body} `) }))
      assert.isFalse(verify({ headers: {}, body }))
      assert.isFalse(verify({ headers: { [header]: "" }, body }))
      assert.isFalse(verify({ headers: { [header]: value.slice(0, value.length / 2) }, body }))
    })
  }

  it("of stripe counts for five minutes, and any of several may fit", async () => {
    const webhook = webhookOf(await subjectOf("stripe"))
    const body = bytes({ id: "evt_1" })
    const verify = (headers: Delivery["headers"]) => webhook.verify({ headers, body }, SECRET, NOW)
    assert.isTrue(verify(stripeSigned(body, SECONDS - 299)))
    assert.isFalse(verify(stripeSigned(body, SECONDS - 301)))
    assert.isFalse(verify(stripeSigned(body, SECONDS + 301)))
    const [time, right] = stripeSigned(body)["stripe-signature"].split(",")
    assert.isTrue(verify({ "stripe-signature": `${time},v1=${"0".repeat(64)},${right}` }))
    // The signature of an older scheme is none.
    assert.isFalse(verify({ "stripe-signature": `${time},${right!.replace("v1", "v0")}` }))
  })
})

describe("a webhook points to", () => {
  it("an invoice of stripe, or the payment that leads to one; nothing, where it is about something else", async () => {
    const subject = await subjectOf("stripe")
    const event = (type: string, object: object) => ({ id: "evt_1", type, data: { object } })
    assert.deepStrictEqual(eventsOf(subject, event("invoice.paid", { object: "invoice", id: "in_1" })), [
      { about: "invoice:in_1", event: "evt_1" }
    ])
    assert.deepStrictEqual(
      eventsOf(subject, event("credit_note.created", { object: "credit_note", invoice: "in_2" })),
      [{ about: "invoice:in_2", event: "evt_1" }]
    )
    assert.deepStrictEqual(
      eventsOf(subject, event("charge.refunded", { object: "charge", id: "ch_1", payment_intent: "pi_1" })),
      [{ about: "payment_intent:pi_1", event: "evt_1" }]
    )
    // Nothing says which invoice a charge by itself was for.
    assert.deepStrictEqual(eventsOf(subject, event("charge.refunded", { object: "charge", id: "ch_1" })), [])
    assert.deepStrictEqual(eventsOf(subject, event("customer.updated", { object: "customer", id: "cus_1" })), [])
    assert.isUndefined(eventsOf(subject, { hello: "there" }))
    assert.isUndefined(eventsOf(subject, "{"))
    const own = { ...subject, settings: { ...(subject.settings as object), account: "acct_1" } }
    const object = { object: "invoice", id: "in_1" }
    assert.deepStrictEqual(eventsOf(own, { ...event("invoice.paid", object), account: "acct_2" }), [])
  })

  it("a payment of gocardless, for each event of the delivery that names one", async () => {
    const subject = await subjectOf("gocardless")
    const events = [
      { id: "EV1", resource_type: "payments", action: "failed", links: { payment: "PM1" } },
      { id: "EV2", resource_type: "refunds", action: "created", links: { refund: "RF1" } },
      { id: "EV3", resource_type: "mandates", action: "created", links: { mandate: "MD1" } }
    ]
    assert.deepStrictEqual(eventsOf(subject, { events }), [
      { about: "payment:PM1", event: "EV1" },
      { about: "refund:RF1", event: "EV2" }
    ])
    assert.isUndefined(eventsOf(subject, { event: 1 }))
  })

  it("an invoice of this organisation in xero; to nothing, when xero only tries the address", async () => {
    const subject = await subjectOf("xero")
    const { tenant } = subject.settings as { readonly tenant: string }
    const event = (changes: object) => ({
      resourceId: "i-1",
      tenantId: tenant,
      eventCategory: "INVOICE",
      eventType: "UPDATE",
      eventDateUtc: "2026-03-01T11:00:00",
      ...changes
    })
    const events = [event({}), event({ tenantId: "another" }), event({ eventCategory: "CONTACT" })]
    assert.deepStrictEqual(eventsOf(subject, { events }), [{ about: "i-1", event: "i-1 UPDATE 2026-03-01T11:00:00" }])
    assert.deepStrictEqual(eventsOf(subject, { events: [], firstEventSequence: 0 }), [])
  })
})

describe("a webhook of quickbooks points to", () => {
  it("the records of this company that are read, in the older form and as CloudEvents", async () => {
    const subject = await subjectOf("quickbooks")
    const { company } = subject.settings as { readonly company: string }
    const entity = (name: string, id: string, operation: string) => ({
      name,
      id,
      operation,
      lastUpdated: "2026-03-01T11:00:00.000Z"
    })
    const older = (realmId: string, ...entities: ReadonlyArray<object>) => ({ realmId, dataChangeEvent: { entities } })
    const eventNotifications = [
      older(company, entity("Invoice", "101", "Update"), entity("Customer", "58", "Update")),
      older("1", entity("Invoice", "102", "Update"))
    ]
    assert.deepStrictEqual(eventsOf(subject, { eventNotifications }), [
      { about: "Invoice:101", event: "Invoice 101 Update 2026-03-01T11:00:00.000Z" }
    ])
    const event = (type: string, intuitentityid: string, intuitaccountid = company) => ({
      specversion: "1.0",
      id: `id-${intuitentityid}`,
      type,
      intuitentityid,
      intuitaccountid
    })
    const events = [
      event("qbo.refundreceipt.updated.v1", "401"),
      event("qbo.payment.deleted.v1", "201"),
      event("qbo.vendor.created.v1", "7"),
      event("qbo.invoice.created.v1", "102", "1")
    ]
    assert.deepStrictEqual(eventsOf(subject, events), [
      { about: "RefundReceipt:401", event: "id-401" },
      { about: "Payment:201", event: "id-201" }
    ])
    for (const other of [{ hello: "there" }, "{", "7"]) assert.isUndefined(eventsOf(subject, other))
  })
})

describe("a webhook of a shop points to", () => {
  it("an order of shopify's, by its own number or that of what belongs to it; to no other shop's", async () => {
    const subject = await subjectOf("shopify")
    const topic = (name: string, more = {}) => ({ "x-shopify-topic": name, "x-shopify-event-id": "ev-1", ...more })
    const about = (id: string) => [{ about: id, event: `ev-1 ${id}` }]
    const large = "9007199254740993"
    assert.deepStrictEqual(eventsOf(subject, `{"id":${large},"name":"#1"}`, topic("orders/updated")), about(large))
    assert.deepStrictEqual(
      eventsOf(subject, { order_edit: { id: 8, order_id: 1001 } }, topic("orders/edited")),
      about("1001")
    )
    for (const name of ["refunds/create", "fulfillments/update", "order_transactions/create"])
      assert.deepStrictEqual(eventsOf(subject, { id: 31, order_id: 1001 }, topic(name)), about("1001"))
    assert.deepStrictEqual(eventsOf(subject, { id: 5 }, topic("products/update")), [])
    const domain = (shop: string) => ({ "x-shopify-shop-domain": `${shop}.myshopify.com` })
    assert.deepStrictEqual(eventsOf(subject, { id: 1001 }, topic("orders/paid", domain("another"))), [])
    assert.lengthOf(eventsOf(subject, { id: 1001 }, topic("orders/paid", domain("sample")))!, 1)
    assert.isUndefined(eventsOf(subject, { id: 1001 }))
    assert.isUndefined(eventsOf(subject, "{", topic("orders/updated")))
  })

  it("an order of woocommerce's; to nothing, when woocommerce only tries the address", async () => {
    const subject = await subjectOf("woocommerce")
    const topic = (name: string) => ({ "x-wc-webhook-topic": name, "x-wc-webhook-delivery-id": "d-1" })
    for (const name of ["order.updated", "order.deleted", "order.restored"])
      assert.deepStrictEqual(eventsOf(subject, { id: 71 }, topic(name)), [{ about: "71", event: "d-1" }])
    assert.deepStrictEqual(eventsOf(subject, { id: 71 }, topic("product.updated")), [])
    assert.isUndefined(eventsOf(subject, { id: 71 }))
    assert.isUndefined(eventsOf(subject, "{", topic("order.updated")))
    const trial = { headers: {}, body: bytes("webhook_id=7") }
    assert.isTrue(webhookOf(subject).verify(trial, SECRET, NOW))
    assert.deepStrictEqual(eventsOf(subject, "webhook_id=7"), [])
    assert.isFalse(webhookOf(subject).verify({ headers: {}, body: bytes('webhook_id=7&x={"id":71}') }, SECRET, NOW))
  })
})

describe("what a webhook points to is read again", () => {
  it("at shopify and woocommerce: an order with what belongs to it", async () => {
    for (const [name, id, ...others] of [
      ["shopify", "1001", "fulfilment/21", "fulfilment/23", "order/1001"],
      ["woocommerce", "71", "fulfilment/71/all", "order/71"]
    ] as const)
      assert.deepStrictEqual(await follow(await subjectOf(name), [id]), others)
  })

  it("at stripe: an invoice with all that hangs on it, by its own id or by its payment's", async () => {
    const subject = await subjectOf("stripe")
    const byInvoice = await follow(subject, ["invoice:in_1"])
    assert.include(byInvoice, "invoice/in_1")
    assert.isAbove(byInvoice.length, 2)
    assert.deepStrictEqual(await follow(subject, ["payment_intent:pi_1"]), byInvoice)
    assert.deepStrictEqual(
      await follow(subject, ["payment_intent:pi_1", "invoice:in_1", "payment_intent:none"]),
      byInvoice
    )
  })

  it("at gocardless: a payment with its history, by its own id or by its refund's", async () => {
    const subject = await subjectOf("gocardless")
    const all = subject.golden.map((text) => JSON.parse(text) as { readonly kind: string; readonly id: string })
    const id = all.find(({ kind }) => kind === "payment")!.id
    const found = await follow(subject, [`payment:${id}`, "payment:PM-NONE", "refund:RF-NONE"])
    assert.include(found, `payment/${id}`)
    for (const name of found)
      assert.isTrue(
        all.some((one) => `${one.kind}/${one.id}` === name),
        name
      )
  })

  it("at quickbooks: records of any kind, and what was deleted is gone", async () => {
    const subject = await subjectOf("quickbooks")
    const about = ["Invoice:101", "Payment:202", "RefundReceipt:401", "Payment:999"]
    assert.deepStrictEqual(await follow(subject, about), [
      "credit_note/202/credit",
      "invoice/101",
      "payment/201",
      "payment/206",
      "reversal/401"
    ])
    const connector: Connector = { ...subject.connector, reread: (...all) => subject.connector.webhook!.reread(...all) }
    const { pages } = await run({ ...subject, connector }, subject.open(), { reread: ["Payment:999"] })
    const deleted = pages.flatMap((page) => page.deleted ?? []).map(({ id, kind }) => `${kind}/${id}`)
    assert.deepStrictEqual(deleted, ["payment/999", "credit_note/999/credit"])
  })

  it("at xero: an invoice with what belongs to it, and never a bill", async () => {
    const subject = await subjectOf("xero")
    const all = subject.golden.map((text) => JSON.parse(text) as { readonly kind: string; readonly id: string })
    const id = all.find(({ kind }) => kind === "invoice")!.id
    const found = await follow(subject, [id, "00000000-0000-0000-0000-000000000000"])
    assert.deepStrictEqual(found, [`invoice/${id}`, "payment/over-1", "payment/pay-1"])
    const stage = subject.open()
    for (const record of stage.source!.lists["Invoices"]?.records ?? [])
      if (record.InvoiceID === id) record.Type = "ACCPAY"
    const { pages } = await run(subject, stage, { reread: [id] })
    assert.deepStrictEqual([...fold(pages).keys()], [])
  })
})
