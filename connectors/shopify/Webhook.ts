/**
 * Reads Shopify's webhooks, signed with the app's secret. Those about orders and what belongs to them name the order to read
 * again, by number. Numbers may have more digits than a double holds.
 */
import type { Delivery, WebhookEvent } from "../Connector.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"

export const verify = ({ body, headers }: Delivery, secret: string): boolean =>
  Signature.isSame(headers["x-shopify-hmac-sha256"], Signature.hmac(secret, "base64", body))

/** @param shop the part before `.myshopify.com`; webhooks of other shops concern none of this shop's orders */
export const events = (delivery: Delivery, shop: string): ReadonlyArray<WebhookEvent> | undefined => {
  const { headers } = delivery
  const topic = headers["x-shopify-topic"]
  const fields = Signature.fields(delivery)
  if (topic === undefined || fields === undefined) return undefined
  const domain = headers["x-shopify-shop-domain"]
  if (domain !== undefined && domain !== `${shop}.myshopify.com`) return []
  const named = topic.startsWith("orders/") ? ["order_edit.order_id", "id"] : ["order_id"]
  const id = named.map((name) => Json.nameOf(fields.get(name))).find((one) => one !== undefined)
  if (id === undefined || !/^\d+$/.test(id)) return []
  // One event may arrive under several topics, and each delivery of it more than once.
  const event = headers["x-shopify-event-id"] ?? headers["x-shopify-webhook-id"] ?? Signature.digest(delivery)
  return [{ about: id, event: `${event} ${id}` }]
}
