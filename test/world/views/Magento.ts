/** Magento's REST interface (Adobe Commerce): orders, shipments and credit memos as its data interfaces name them. */
import { type Day, major, type Minor, sum } from "../Values.ts"
import type { Order, OrderLine } from "../truth/Order.ts"
import type { Answered, Asked } from "./Server.ts"
import { at, foreignLine, idOf, type Kept, type ShopView } from "./ShopView.ts"

const number = (amount: Minor): number => Number(major(amount))
/** `2026-05-06 10:00:00` in UTC */
const stamp = (day: Day, hour?: number): string => at(day, hour).replace("T", " ").slice(0, 19)

type Row = Readonly<Record<string, unknown>>

export class Magento implements ShopView {
  readonly link = "unique_id"
  readonly #kept: Kept
  /** The service's own plugin keeps something else than the identifier. */
  readonly #plugin: boolean

  constructor(kept: Kept, plugin: boolean) {
    this.#kept = kept
    this.#plugin = plugin
  }

  source(url: string): object {
    return { connector: "adobecommerce", url, token: { env: "SHOP" } }
  }

  /** As Magento's own state machine has it: complete once nothing is left to ship or invoice. */
  #state(order: Order): string {
    const { end } = order
    if (end?.how === "cancelled") return "canceled"
    const here = order.all("here").length
    if (order.own.given > 0n && order.own.given >= order.own.received && here === 0) return "closed"
    if (here > 0) return order.own.received === 0n ? "new" : "processing"
    return "complete"
  }

  #item(order: Order, line: OrderLine): Row {
    const id = line.id
    const refunded = sum(
      order.refunds.flatMap(({ parts }) =>
        parts.filter((part) => part.line === id).map(({ quantity }) => BigInt(quantity))
      )
    )
    const shipped = line.isVirtual ? 0 : order.count(id, "gone") + order.count(id, "back")
    const off = order.count(id, "off")
    const canceled = order.canceled > 0n ? off : 0
    const net = (line.list * 100n + 50n) / (100n + line.rate)
    return {
      item_id: Number(id),
      order_id: idOf(order),
      product_type: line.isVirtual ? "downloadable" : "simple",
      is_virtual: line.isVirtual ? 1 : 0,
      sku: `SKU-${id}`,
      name: `Item ${id}`,
      qty_ordered: line.ordered,
      qty_invoiced: order.placing.paid === "at once" || line.isVirtual ? line.ordered - canceled : shipped,
      qty_shipped: shipped,
      qty_canceled: canceled,
      qty_refunded: Number(refunded),
      price: number((line.list * 100n) / (100n + line.rate) / BigInt(line.ordered)),
      row_total: number(net),
      row_total_incl_tax: number(line.list),
      discount_amount: number(line.off),
      tax_percent: Number(line.rate),
      tax_amount: number(line.gross - net + line.off),
      discount_tax_compensation_amount: 0
    }
  }

  #order(order: Order): Row {
    const { placing } = order
    const state = this.#state(order)
    const grand = order.placed
    return {
      entity_id: idOf(order),
      increment_id: placing.number,
      state,
      status: state,
      store_id: 1,
      order_currency_code: "EUR",
      base_currency_code: "EUR",
      created_at: stamp(placing.day),
      updated_at: stamp(order.changed, 12),
      grand_total: number(grand),
      base_grand_total: number(grand),
      total_paid: number(order.own.received),
      total_refunded: number(order.own.given),
      total_canceled: number(order.canceled),
      shipping_amount: number(placing.shipping),
      shipping_incl_tax: number(placing.shipping),
      discount_amount: -number(sum(order.lines.map(({ off }) => off))),
      items: order.lines.map((line) => this.#item(order, line)),
      payment: {
        method: "pay_later",
        last_trans_id: this.#plugin ? `D${placing.number}KX-1777` : this.#kept.payments.get(placing.number),
        amount_ordered: number(grand),
        additional_information: []
      },
      extension_attributes: {}
    }
  }

  #foreign({ day, id, payment }: Kept["others"][number]): Row {
    const { gross } = foreignLine
    return {
      entity_id: Number(id),
      increment_id: id,
      state: "processing",
      status: "processing",
      store_id: 1,
      order_currency_code: "EUR",
      base_currency_code: "EUR",
      created_at: stamp(day),
      updated_at: stamp(day),
      grand_total: number(gross),
      base_grand_total: number(gross),
      total_paid: number(gross),
      total_refunded: 0,
      total_canceled: 0,
      shipping_amount: 0,
      shipping_incl_tax: 0,
      discount_amount: 0,
      items: [
        {
          item_id: 7100 + Number(id),
          order_id: Number(id),
          product_type: "simple",
          is_virtual: 0,
          sku: "SKU-71",
          name: "Item 71",
          qty_ordered: 1,
          qty_invoiced: 1,
          qty_shipped: 0,
          qty_canceled: 0,
          qty_refunded: 0,
          price: 30,
          row_total: 30,
          row_total_incl_tax: 30,
          discount_amount: 0,
          tax_percent: 0,
          tax_amount: 0
        }
      ],
      payment: {
        method: payment === "card" ? "stripe_payments" : "checkmo",
        last_trans_id: payment === "card" ? "pi_3Nx8aL2eZvKYlo2C" : null,
        additional_information: []
      },
      extension_attributes: {}
    }
  }

  #shipments(): ReadonlyArray<Row> {
    return [...this.#kept.orders.values()].flatMap((order) =>
      order.parcels.map(({ day, id, parts }) => ({
        entity_id: idOf(order) * 100 + Number(id),
        order_id: idOf(order),
        increment_id: `S${id}`,
        created_at: stamp(day),
        updated_at: stamp(day),
        items: parts.map(({ line, quantity }) => ({ order_item_id: Number(line), qty: quantity })),
        tracks: []
      }))
    )
  }

  #memos(): ReadonlyArray<Row> {
    return [...this.#kept.orders.values()].flatMap((order) =>
      order.refunds.map((refund) => {
        const share = (line: string, of: Minor, quantity: number) =>
          (of * BigInt(quantity)) / BigInt(order.line(line).ordered)
        const worth = sum(refund.parts.map((part) => part.worth))
        const given = refund.own + refund.cards
        return {
          entity_id: idOf(order) * 100 + 50 + Number(refund.id),
          order_id: idOf(order),
          state: 2,
          created_at: stamp(refund.day),
          updated_at: stamp(refund.day),
          grand_total: number(given),
          adjustment: number(given - worth),
          items: refund.parts.map(({ line, quantity }) => ({
            order_item_id: Number(line),
            qty: quantity,
            row_total_incl_tax: number(share(line, order.line(line).list, quantity)),
            discount_amount: number(share(line, order.line(line).off, quantity))
          }))
        }
      })
    )
  }

  answers({ path, query }: Asked, _day: Day): Answered | undefined {
    const [, name, id] = /^\/rest\/V1\/(orders|shipments|creditmemos|invoices)(?:\/(\d+))?$/.exec(path) ?? []
    if (name === undefined) return undefined
    const all =
      name === "orders"
        ? [
            ...[...this.#kept.orders.values()].map((one) => this.#order(one)),
            ...this.#kept.others.map((one) => this.#foreign(one))
          ]
        : name === "shipments"
          ? this.#shipments()
          : name === "creditmemos"
            ? this.#memos()
            : []
    if (id !== undefined) {
      const found = all.find((one) => String(one["entity_id"]) === id)
      return found === undefined ? undefined : { body: found }
    }
    const filter = "searchCriteria[filterGroups][0][filters][0]"
    const field = query.get(`${filter}[field]`)
    const value = query.get(`${filter}[value]`) ?? ""
    const isFrom = query.get(`${filter}[conditionType]`) === "gteq"
    const found = all.filter(
      (one) => field === null || (isFrom ? String(one[field]) >= value : value.split(",").includes(String(one[field])))
    )
    // Past the last page, Magento answers with the last page again.
    return { body: { items: found, search_criteria: {}, total_count: found.length } }
  }
}
