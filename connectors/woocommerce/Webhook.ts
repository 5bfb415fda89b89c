/**
 * Reads WooCommerce's webhooks. Those about orders name the order to read again. When a webhook is created, WooCommerce tests
 * the address with an unsigned, empty request, which must be accepted.
 */
import * as Json from "../Json.ts"
import type { WebhookDeclaration } from "../rest/index.ts"
import * as Signature from "../Signature.ts"

export const webhook: WebhookDeclaration = {
  signature: { header: "x-wc-webhook-signature", form: "base64" },
  isTrial: ({ body }) => body.length < 40 && /^webhook_id=\d+$/.test(Buffer.from(body).toString("utf8")),
  events: (fields, delivery) => {
    const topic = delivery.headers["x-wc-webhook-topic"]
    if (topic === undefined) return undefined
    const id = Json.nameOf(fields.get("id"))
    if (!topic.startsWith("order.") || id === undefined || !/^\d+$/.test(id)) return []
    return [{ about: id, event: delivery.headers["x-wc-webhook-delivery-id"] ?? Signature.digest(delivery) }]
  }
}
