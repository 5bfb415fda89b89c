/**
 * Reads WooCommerce's webhooks, each signed with its own secret. Those about orders name the order to read again. When a
 * webhook is created, WooCommerce tests the address with an unsigned, empty request, which must be accepted.
 */
import type { Delivery, WebhookEvent } from "../Connector.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"

const isTrial = ({ body }: Delivery): boolean =>
  body.length < 40 && /^webhook_id=\d+$/.test(Buffer.from(body).toString("utf8"))

export const verify = (delivery: Delivery, secret: string): boolean =>
  isTrial(delivery) ||
  Signature.isSame(delivery.headers["x-wc-webhook-signature"], Signature.hmac(secret, "base64", delivery.body))

export const events = (delivery: Delivery): ReadonlyArray<WebhookEvent> | undefined => {
  if (isTrial(delivery)) return []
  const { headers } = delivery
  const topic = headers["x-wc-webhook-topic"]
  const fields = Signature.fields(delivery)
  if (topic === undefined || fields === undefined) return undefined
  const id = Json.nameOf(fields.get("id"))
  if (!topic.startsWith("order.") || id === undefined || !/^\d+$/.test(id)) return []
  return [{ about: id, event: headers["x-wc-webhook-delivery-id"] ?? Signature.digest(delivery) }]
}
