/** BigCommerce's interface: orders and shipments (version 2), refunds (version 3). */
import { type Day, instant, major, type Minor, sum } from "../Values.ts"
import type { Order } from "../truth/Order.ts"
import type { Answered, Asked } from "./Server.ts"
import { at, foreignLine, idOf, type Kept, type ShopView } from "./ShopView.ts"

/** Four decimals, as its documents have them. */
const amount = (of: Minor): string => `${major(of)}00`
/** RFC 2822 */
const stamp = (day: Day, hour = 10): string => new Date(instant(day, hour)).toUTCString().replace("GMT", "+0000")

type Row = Readonly<Record<string, unknown>>

export class BigCommerce implements ShopView {
  readonly link = "carried"
  readonly #kept: Kept

  constructor(kept: Kept) {
    this.#kept = kept
  }

  source(url: string): object {
    return {
      connector: "bigcommerce",
      store: "abc",
      token: { env: "SHOP" },
      deferred_payment: "payment_provider_id",
      url
    }
  }

  /** A refund sets the status, whatever it was before, and what happens later sets it again. */
  #status(order: Order): number {
    const given = order.own.given + order.card.given + order.credit
    const refunded = order.refunds.at(-1)?.day ?? -1
    const moved = Math.max(order.completed ?? 0, order.parcels.at(-1)?.day ?? 0)
    if (given > 0n && refunded >= moved) return given >= order.placed + order.placing.card ? 4 : 14
    if (order.end?.how === "cancelled") return 5
    if (order.completed !== undefined) return 10
    if (order.parcels.length === 0) return 11
    return order.all("here").length === 0 ? 2 : 3
  }

  #row(id: number, more: Row): Row {
    const zero = amount(0n)
    return {
      id,
      customer_id: 11,
      date_shipped: "",
      shipping_cost_inc_tax: zero,
      handling_cost_inc_tax: zero,
      wrapping_cost_inc_tax: zero,
      discount_amount: zero,
      coupon_discount: zero,
      items_shipped: 0,
      items_total: 1,
      default_currency_code: "EUR",
      currency_code: "EUR",
      is_deleted: false,
      store_credit_amount: zero,
      gift_certificate_amount: zero,
      refunded_amount: zero,
      fees: [],
      billing_address: {
        first_name: "Jane",
        last_name: "Doe",
        company: "Harbour Tea Ltd",
        street_1: "1 Quay",
        city: "Bristol",
        zip: "BS1 4DJ",
        country_iso2: "GB",
        email: "jane@example.com"
      },
      ...more
    }
  }

  #lines(items: ReadonlyArray<Row>): Row {
    return { pickups: [], downloads: [], email: { gift_certificates: [] }, shipping: [{ id: 1, line_items: items }] }
  }

  #order(order: Order): Row {
    const { placing } = order
    const parcels = this.#parcels(order)
    const shipped = order.completed ?? parcels.at(-1)?.day
    const left = sum(parcels.flatMap(({ parts }) => parts.map(({ quantity }) => BigInt(quantity))))
    return this.#row(idOf(order), {
      status_id: this.#status(order),
      date_created: stamp(placing.day),
      date_modified: stamp(order.changed, 12),
      date_shipped: shipped === undefined ? "" : stamp(shipped),
      total_inc_tax: amount(order.placed + placing.card),
      shipping_cost_inc_tax: amount(placing.shipping),
      coupon_discount: amount(sum(order.lines.map(({ gross, list }) => list - gross))),
      items_shipped: Number(left),
      items_total: order.units.length,
      payment_provider_id: this.#kept.payments.get(placing.number),
      gift_certificate_amount: amount(placing.card),
      refunded_amount: amount(order.own.given + order.card.given + order.credit),
      consignments: this.#lines(
        order.lines.map(({ id, list, ordered }) => ({
          id: Number(id),
          name: `Tea ${id}`,
          sku: `T-${id}`,
          type: "physical",
          quantity: ordered,
          total_inc_tax: amount(list)
        }))
      )
    })
  }

  /** What left when the shop merely called it completed is no shipment there. */
  #parcels(order: Order): Order["parcels"] {
    return order.parcels.filter(({ day }) => day !== order.completed)
  }

  #foreign({ day, id, payment }: Kept["others"][number]): Row {
    return this.#row(Number(id), {
      status_id: 11,
      date_created: stamp(day),
      date_modified: stamp(day),
      total_inc_tax: amount(foreignLine.gross),
      payment_provider_id: payment === "card" ? "ch_3Nx8aL2eZvKYlo2C" : null,
      consignments: this.#lines([
        { id: 71, name: "Tea 71", sku: "T-71", type: "physical", quantity: 1, total_inc_tax: amount(foreignLine.gross) }
      ])
    })
  }

  #refunds(): ReadonlyArray<Row> {
    return [...this.#kept.orders.values()].flatMap((order) =>
      order.refunds.map(({ cards, credit, day, id, own, parts }) => {
        const payment = (n: number, provider_id: string, of: Minor) =>
          of > 0n ? [{ id: n, provider_id, amount: Number(major(of)), offline: true, is_declined: false }] : []
        const all = own + cards + credit
        const items = parts.map(({ line, quantity, worth }) => ({
          item_type: "PRODUCT",
          item_id: Number(line),
          quantity,
          requested_amount: Number(major(worth))
        }))
        const none = { item_type: "ORDER", item_id: idOf(order), quantity: 1, requested_amount: Number(major(all)) }
        return {
          id: idOf(order) * 100 + Number(id),
          order_id: idOf(order),
          user_id: 1,
          created: at(day).replace("Z", "+00:00"),
          reason: "",
          total_amount: Number(major(all)),
          total_tax: 0,
          items: parts.length === 0 ? [none] : items,
          payments: [
            ...payment(1, "invoice", own),
            ...payment(2, "giftcertificate", cards),
            ...payment(3, "storecredit", credit)
          ]
        }
      })
    )
  }

  answers({ path, query }: Asked, _day: Day): Answered | undefined {
    const place = path.replace("/stores/abc", "")
    const rows = (all: ReadonlyArray<Row>): Answered => (all.length === 0 ? { status: 204, body: "" } : { body: all })
    const orders = [
      ...[...this.#kept.orders.values()].map((one) => this.#order(one)),
      ...this.#kept.others.map((one) => this.#foreign(one))
    ]
    const [, of, shipments] = /^\/v2\/orders\/(\d+)(\/shipments)?$/.exec(place) ?? []
    if (place === "/v2/orders") {
      if (query.get("is_deleted") === "true") return rows([])
      const since = Date.parse(query.get("min_date_modified") ?? "1970-01-01")
      return rows(
        orders
          .filter(
            (one) =>
              Number(one["id"]) >= Number(query.get("min_id") ?? 0) && Date.parse(String(one["date_modified"])) >= since
          )
          .sort((a, b) => Number(a["id"]) - Number(b["id"]))
      )
    }
    if (place.endsWith("/refunds")) {
      const among = query.get("order_id:in")?.split(",")
      const single = /orders\/(\d+)\//.exec(place)?.[1]
      const all = this.#refunds().filter(
        (one) =>
          (among === undefined || among.includes(String(one["order_id"]))) &&
          (single === undefined || single === String(one["order_id"])) &&
          String(one["created"]) >= (query.get("created:min") ?? "")
      )
      return {
        body: {
          data: all,
          meta: {
            pagination: {
              total: all.length,
              count: all.length,
              per_page: 250,
              current_page: 1,
              total_pages: 1,
              links: {}
            }
          }
        }
      }
    }
    if (of === undefined) return undefined
    const order = [...this.#kept.orders.values()].find((one) => String(idOf(one)) === of)
    if (shipments !== undefined)
      return rows(
        order === undefined
          ? []
          : this.#parcels(order).map(({ day, id, parts }) => ({
              id: idOf(order) * 100 + Number(id),
              order_id: idOf(order),
              date_created: stamp(day),
              tracking_number: "",
              shipping_provider: "",
              items: parts.map(({ line, quantity }) => ({ order_product_id: Number(line), quantity }))
            }))
      )
    const found = orders.find((one) => String(one["id"]) === of)
    return found === undefined ? undefined : { body: found }
  }
}
