/** WooCommerce's REST interface, version 3: orders and refunds. */
import type { ShopStyle } from "../truth/Storekeeper.ts"
import { type Day, instantIn, least, localOf, type Minor, sum } from "../Values.ts"
import type { Order } from "../truth/Order.ts"
import type { Answered, Asked } from "./Server.ts"
import { fine, foreignLine, idOf, type Kept, type ShopView } from "./ShopView.ts"

/** Times are without a zone there: the shop's own, and those of UTC. */
const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19)

/** How much later than something happened its order is saved. */
const LATER_MS = 7_200_000

type Row = Readonly<Record<string, unknown>>

export class WooCommerce implements ShopView {
  readonly link = "carried"
  readonly #kept: Kept
  readonly #style: ShopStyle

  constructor(kept: Kept, style: ShopStyle) {
    this.#kept = kept
    this.#style = style
  }

  source(url: string): object {
    return {
      connector: "woocommerce",
      url,
      key: { env: "SHOP" },
      secret: { env: "SHOP" },
      ...(this.#style.shipped === "shipped" ? { shipped: ["shipped"], statuses: { shipped: "closed" } } : {})
    }
  }

  /**
   * What each refund comes to: of an order that is not paid, the price of what it is for, which the shop fills in whoever
   * paid, within what is left of the total.
   */
  #given(order: Order): ReadonlyArray<Minor> {
    let left = order.placed
    return order.refunds.map(({ less, own }) => {
      const amount = least(left, order.placing.paid === "never" ? less : own)
      left -= amount
      return amount
    })
  }

  #both(name: string, day: Day | undefined, later = 0): Readonly<Record<string, string | null>> {
    const { zone } = this.#style
    const at = day === undefined ? undefined : instantIn(zone, day) + later
    return {
      [name]: at === undefined ? null : stamp(localOf(zone, at)),
      [`${name}_gmt`]: at === undefined ? null : stamp(at)
    }
  }

  #status(order: Order): string {
    const { end } = order
    if (end?.how === "failed") return "failed"
    const given = sum(this.#given(order))
    if (given > 0n && given >= order.placed) return "refunded"
    if (end?.how === "cancelled") return "cancelled"
    return order.completed === undefined ? "processing" : this.#style.shipped
  }

  #order(order: Order): Row {
    const { placing } = order
    const amount = (of: Minor) => fine(of, this.#style)
    return {
      id: idOf(order),
      parent_id: 0,
      number: placing.number,
      status: this.#status(order),
      currency: "EUR",
      prices_include_tax: true,
      ...this.#both("date_created", placing.day),
      ...this.#both("date_modified", order.changed, LATER_MS),
      ...this.#both("date_completed", this.#style.shipped === "completed" ? order.completed : undefined),
      ...this.#both("date_paid", placing.paid === "at once" ? placing.day : undefined),
      total: amount(order.placed),
      total_tax: "0.00",
      transaction_id: "",
      payment_method: "pay_later",
      meta_data: [{ id: 1, key: "deferred_payment", value: this.#kept.payments.get(placing.number) }],
      refunds: this.#given(order).map((given, at) => ({
        id: idOf(order) * 100 + Number(order.refunds[at]!.id),
        reason: "",
        total: `-${amount(given)}`
      })),
      line_items: order.lines.map(({ gross, id, ordered }) => ({
        id: Number(id),
        name: `Item ${id}`,
        sku: `T-${id}`,
        product_id: 500,
        variation_id: 0,
        quantity: ordered,
        subtotal: amount(gross),
        total: amount(gross),
        total_tax: "0.00",
        taxes: [],
        meta_data: []
      })),
      shipping_lines:
        placing.shipping === 0n
          ? []
          : [{ id: idOf(order) * 10, method_title: "Flat rate", total: amount(placing.shipping), total_tax: "0.00" }],
      fee_lines:
        placing.card === 0n
          ? []
          : [{ id: idOf(order) * 10 + 1, name: "Gift card", total: `-${amount(placing.card)}`, total_tax: "0.00" }],
      coupon_lines: []
    }
  }

  #foreign({ day, id, payment }: Kept["others"][number]): Row {
    const line = {
      id: 71,
      name: "Item 71",
      sku: "T-71",
      product_id: 500,
      variation_id: 0,
      quantity: 1,
      subtotal: "30.00",
      total: "30.00",
      total_tax: "0.00",
      taxes: [],
      meta_data: []
    }
    return {
      id: Number(id),
      parent_id: 0,
      number: id,
      status: "processing",
      currency: "EUR",
      prices_include_tax: true,
      ...this.#both("date_created", day),
      ...this.#both("date_modified", day),
      ...this.#both("date_completed", undefined),
      ...this.#both("date_paid", day),
      total: fine(foreignLine.gross, { ...this.#style, decimals: 2 }),
      total_tax: "0.00",
      transaction_id: payment === "card" ? "ch_3Nx8aL2eZvKYlo2C" : "",
      payment_method: payment === "card" ? "stripe" : "cheque",
      meta_data: [],
      refunds: [],
      line_items: [line],
      shipping_lines: [],
      fee_lines: [],
      coupon_lines: []
    }
  }

  #refunds(): ReadonlyArray<Row> {
    return [...this.#kept.orders.values()].flatMap((order) =>
      this.#given(order).map((given, at) => {
        const refund = order.refunds[at]!
        const id = idOf(order) * 100 + Number(refund.id)
        const free = given === 0n
        return {
          id,
          parent_id: idOf(order),
          ...this.#both("date_created", refund.day),
          amount: fine(given, this.#style),
          reason: "",
          line_items: refund.parts.map(({ line, quantity, worth }, n) => ({
            id: id * 10 + n,
            name: `Item ${line}`,
            quantity: -quantity,
            total: free ? "0.00" : `-${fine(worth, this.#style)}`,
            total_tax: "0.00",
            meta_data: [{ id: 1, key: "_refunded_item_id", value: line }]
          })),
          shipping_lines: [],
          fee_lines: []
        }
      })
    )
  }

  answers({ path, query }: Asked, _day: Day): Answered | undefined {
    const [, list, id, part] = /^\/wp-json\/wc\/v3\/(orders|refunds)(?:\/(\d+))?(\/refunds)?$/.exec(path) ?? []
    if (list === undefined) return undefined
    const page = (all: ReadonlyArray<Row>): Answered => {
      const size = Number(query.get("per_page") ?? 10)
      const from = (Number(query.get("page") ?? 1) - 1) * size
      return {
        body: all.slice(from, from + size),
        headers: { "x-wp-total": String(all.length), "x-wp-totalpages": String(Math.ceil(all.length / size)) }
      }
    }
    const refunds = this.#refunds()
    const suffix = query.get("dates_are_gmt") === "true" ? "_gmt" : ""
    if (list === "refunds")
      return page(refunds.filter((one) => String(one[`date_created${suffix}`]) > (query.get("after") ?? "")))
    if (part !== undefined) return page(refunds.filter((one) => String(one["parent_id"]) === id))
    const orders = [
      ...[...this.#kept.orders.values()].map((one) => this.#order(one)),
      ...this.#kept.others.map((one) => this.#foreign(one))
    ]
    if (id !== undefined) {
      const found = orders.find((one) => String(one["id"]) === id)
      return found === undefined ? undefined : { body: found }
    }
    const among = query.get("include")?.split(",")
    const since = query.get("modified_after") ?? ""
    return page(
      orders.filter(
        (one) =>
          (among === undefined || among.includes(String(one["id"]))) && String(one[`date_modified${suffix}`]) > since
      )
    )
  }
}
