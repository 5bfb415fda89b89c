/**
 * A daemon with a shop whose orders are paid later, read once a day: what happens on the service and in the shop between
 * reaches it by webhooks. Whatever their copies and their order, each parcel is captured once; a forged one does nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { type Fact, type Order, STANDARD } from "../orders/Books.ts"
import { FRONTS } from "../orders/Fronts.ts"
import { checkout } from "../support/Checkout.ts"
import { desk, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { Service } from "../orders/Service.ts"
import { KEY } from "../support/Cli.ts"

useCommand()

const SECRET = "whsec_71"
const AUTHORIZATION = "agreed-beforehand-77"
const COPIES = 5
/** Of 100.00, its part of the delivery with it. */
const [TWO_CHAIRS, RUG, LAMP] = [3333, 1111, 741]

/** How each shop signs, and names what it is about. */
const SAYS: Readonly<Record<string, (id: string, body: string) => Readonly<Record<string, string>>>> = {
  shopify: (id, body) => ({
    "x-shopify-hmac-sha256": createHmac("sha256", SECRET).update(body).digest("base64"),
    "x-shopify-topic": "orders/updated",
    "x-shopify-event-id": id
  }),
  woocommerce: (id, body) => ({
    "x-wc-webhook-signature": createHmac("sha256", SECRET).update(body).digest("base64"),
    "x-wc-webhook-topic": "order.updated",
    "x-wc-webhook-delivery-id": id
  })
}

const parcel = (id: string, day: number, goods: Fact["goods"]): Fact => ({ id, kind: "parcel", order: "A", day, goods })

for (const [shop, says] of Object.entries(SAYS))
  describe(`webhooks about orders of ${shop} in the daemon`, () => {
    it("each parcel is captured once, be it the service or the shop that says that something changed", {
      timeout: 120_000
    }, async () => {
      const there = await service()
      const front = await FRONTS[shop]!()
      const payment = await checkout(there, "N-A", 10_000, "pending_review")
      const order: Order = { id: "A", number: "N-A", status: "open", currency: "GBP", lines: STANDARD, payment }
      const parcels = [parcel("P1", 1, { chairs: 2 })]
      front.say([order], parcels)
      const here = desk({
        "daybook.config.json": JSON.stringify({
          service: { url: there.url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
          daemon: { webhooks: { authorization: { env: "HOOKS" } } },
          connections: [
            {
              id: "shop",
              source: front.source,
              every: "24 hours",
              webhook: { secret: { env: "HOOK" } },
              first_sync: "send",
              owner: { organisation: { unique_id: "shop", name: "Shop", registered: "2024-01-01T00:00:00Z" } }
            }
          ]
        })
      })
      const env = { ...front.environment, HOOK: SECRET, HOOKS: AUTHORIZATION }
      const daemon = await startDaemon(here.folder, { env })
      const books = new Service(there.url, KEY)
      const captured = async (amount: number) => {
        await until(`${amount} is captured`, async () =>
          (await books.figures(payment)).captured === amount ? true : undefined
        )
      }
      const post = async (path: string, body: string, headers: Readonly<Record<string, string>>) =>
        (await fetch(`${daemon.url}/webhooks/${path}`, { method: "POST", body, headers })).status
      try {
        await daemon.says(({ outcome }) => outcome === "done")
        assert.strictEqual((await books.figures(payment)).captured, 0, "it is not accepted yet")

        await books.move(payment, "accepted")
        const about = JSON.stringify({ data: { order: { deferred_payment: { id: payment, status: "accepted" } } } })
        assert.strictEqual(await post("service", about, { authorization: "guessed" }), 401)
        for (let copy = 0; copy < COPIES; copy++)
          assert.strictEqual(await post("service", about, { authorization: AUTHORIZATION }), 200)
        await captured(TWO_CHAIRS)

        const body = `{"id":${front.id("A")}}`
        for (const [n, goods, sum] of [
          [2, { rug: 1 }, TWO_CHAIRS + RUG],
          [3, { lamps: 1 }, TWO_CHAIRS + RUG + LAMP]
        ] as const) {
          parcels.push(parcel(`P${n}`, n, goods))
          front.say([order], parcels)
          const forged = { ...says(`ev-${n}`, `${body} `), "x-forged": "yes" }
          assert.strictEqual(await post("source/shop", body, forged), 401)
          for (let copy = 0; copy < COPIES; copy++)
            assert.strictEqual(await post("source/shop", body, says(`ev-${n}`, body)), 200)
          await captured(sum)
        }
        // The service says itself what it booked: nothing more comes of it.
        assert.strictEqual(await post("service", about, { authorization: AUTHORIZATION }), 200)
        assert.strictEqual((await here.run("status")).status, 0)
      } finally {
        await daemon.stop()
        await front.close()
      }
      assert.strictEqual(await books.acted("POST", `/v1/payment/deferred_payments/${payment}/capture`), 3)
    })
  })
