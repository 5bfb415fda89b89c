/** Shopify's Admin interface (GraphQL) for orders. */
import { type Day, major, type Minor, most, sum } from "../Values.ts"
import type { Order } from "../truth/Order.ts"
import type { Answered, Asked } from "./Server.ts"
import { at, idOf, type Kept, type ShopView } from "./ShopView.ts"

const gid = (kind: string, id: string | number): string => `gid://shopify/${kind}/${id}`
const money = (amount: Minor) => ({
  presentmentMoney: { amount: major(amount), currencyCode: "EUR" },
  shopMoney: { amount: major(amount), currencyCode: "EUR" }
})
const list = (nodes: ReadonlyArray<unknown>) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } })
const SCOPES = { accessScopes: [{ handle: "read_orders" }, { handle: "read_all_orders" }] }

export class Shopify implements ShopView {
  readonly link = "carried"
  readonly #kept: Kept

  constructor(kept: Kept) {
    this.#kept = kept
  }

  source(url: string): object {
    return { connector: "shopify", shop: "my-shop", token: { env: "SHOP" }, url }
  }

  #transactions(order: Order): ReadonlyArray<object> {
    const { card, own, placing } = order
    const one = (id: string, kind: string, gateway: string, amount: Minor) => ({
      id: gid("OrderTransaction", `${placing.id}${id}`),
      kind,
      status: "SUCCESS",
      gateway,
      amountSet: money(amount)
    })
    const refunds = order.refunds.flatMap(({ cards, credit, id, own: back }) => [
      ...(back > 0n ? [one(`${id}1`, "REFUND", "Pay later", back)] : []),
      ...(cards > 0n ? [one(`${id}2`, "REFUND", "gift_card", cards)] : []),
      ...(credit > 0n ? [one(`${id}3`, "REFUND", "shopify_store_credit", credit)] : [])
    ])
    const later = card.received - placing.card
    return [
      ...(placing.card > 0n ? [one("01", "SALE", "gift_card", placing.card)] : []),
      ...(own.received > 0n ? [one("02", "SALE", "Pay later", own.received)] : []),
      ...(later > 0n ? [one("03", "SALE", "gift_card", later)] : []),
      ...refunds
    ]
  }

  #order(order: Order): Readonly<Record<string, unknown>> & { readonly updatedAt: string } {
    const { end, placing } = order
    const given = (refund: Order["refunds"][number]) => refund.own + refund.cards + refund.credit
    const before = sum(order.lines.map(({ gross }) => gross)) + placing.shipping
    const removed = sum(
      order.edits.flatMap(({ removed: those }) =>
        those.map(
          ({ line, quantity }) => (order.line(line).gross * BigInt(quantity)) / BigInt(order.line(line).ordered)
        )
      )
    )
    const total = order.total()
    const paid = order.net + order.card.received - order.card.given - order.credit
    return {
      id: gid("Order", placing.id),
      name: `#${placing.number}`,
      createdAt: at(placing.day),
      processedAt: at(placing.day),
      updatedAt: at(order.changed, 12),
      cancelledAt: end?.how === "cancelled" ? at(end.day) : null,
      closedAt: end?.how === "complete" ? at(end.day) : null,
      edited: order.edits.length > 0,
      taxesIncluded: true,
      currencyCode: "EUR",
      presentmentCurrencyCode: "EUR",
      tags: [],
      customAttributes: [{ key: "deferred_payment", value: this.#kept.payments.get(placing.number) }],
      totalPriceSet: money(before - removed),
      originalTotalPriceSet: money(order.placed + placing.card),
      currentTotalPriceSet: money(total),
      totalOutstandingSet: money(most(0n, total - paid)),
      totalRefundedSet: money(sum(order.refunds.map(given))),
      totalTipReceivedSet: money(0n),
      originalTotalDutiesSet: null,
      originalTotalAdditionalFeesSet: null,
      lineItems: list(
        order.lines.map(({ gross, id, ordered }) => ({
          id: gid("LineItem", id),
          name: `Tea ${id}`,
          sku: `T-${id}`,
          quantity: ordered,
          currentQuantity: order.count(id, "here") + order.count(id, "gone"),
          unfulfilledQuantity: order.count(id, "here"),
          originalTotalSet: money(gross),
          taxLines: [],
          discountAllocations: []
        }))
      ),
      shippingLines: list(
        placing.shipping === 0n
          ? []
          : [
              {
                id: gid("ShippingLine", placing.id),
                title: "Standard",
                originalPriceSet: money(placing.shipping),
                taxLines: [],
                discountAllocations: []
              }
            ]
      ),
      fulfillments: order.parcels.map(({ cancelled, day, id, parts }) => ({
        id: gid("Fulfillment", `${placing.id}${id}`),
        status: cancelled ? "CANCELLED" : "SUCCESS",
        createdAt: at(day),
        trackingInfo: [],
        fulfillmentLineItems: list(
          parts.map(({ line, quantity }) => ({
            id: gid("FulfillmentLineItem", `${placing.id}${id}${line}`),
            quantity,
            lineItem: { id: gid("LineItem", line) }
          }))
        )
      })),
      refunds: order.refunds.map((refund) => ({
        id: gid("Refund", `${placing.id}${refund.id}`),
        createdAt: at(refund.day),
        totalRefundedSet: money(given(refund)),
        refundLineItems: list(
          refund.parts.map(({ line, quantity, returned, worth }) => ({
            id: gid("RefundLineItem", `${placing.id}${refund.id}${line}`),
            quantity,
            restockType: returned ? "RETURN" : "CANCEL",
            lineItem: { id: gid("LineItem", line) },
            subtotalSet: money(worth),
            totalTaxSet: money(0n)
          }))
        )
      })),
      transactions: this.#transactions(order)
    }
  }

  #agreements(order: Order | undefined): ReadonlyArray<object> {
    const sale = (actionType: string, line: string, quantity: number) => ({
      actionType,
      quantity,
      lineItem: { id: gid("LineItem", line) }
    })
    return (order?.edits ?? []).map(({ added, day, id, removed }) => ({
      id: gid("OrderEditAgreement", `${order!.placing.id}${id}`),
      reason: "ORDER_EDIT",
      happenedAt: at(day),
      sales: list([
        ...removed.map(({ line, quantity }) => sale("RETURN", line, -quantity)),
        ...added.map(({ line, quantity }) => sale("ORDER", line, quantity))
      ])
    }))
  }

  answers({ body, path }: Asked, _day: Day): Answered | undefined {
    if (!path.endsWith("graphql.json")) return undefined
    const { query, variables = {} } = JSON.parse(body) as {
      readonly query: string
      readonly variables?: Readonly<Record<string, string>>
    }
    const data = (found: unknown): Answered => ({ body: { data: found } })
    const orders = [...this.#kept.orders.values()]
    const one = orders.find((order) => gid("Order", idOf(order)) === variables["id"])
    switch (/^query (\w+)/.exec(query)?.[1]) {
      case "Scopes":
        return data({ currentAppInstallation: SCOPES })
      case "Orders": {
        const since = /updated_at:>='([^']*)'/.exec(variables["query"] ?? "")?.[1] ?? ""
        return data({
          orders: list(orders.map((order) => this.#order(order)).filter(({ updatedAt }) => updatedAt >= since)),
          currentAppInstallation: SCOPES
        })
      }
      case "All":
      case "Whole":
        return data({ order: one === undefined ? null : this.#order(one) })
      case "Edits":
        return data({ order: { agreements: list(this.#agreements(one)) } })
      default:
        return data({ order: {} })
    }
  }
}
