/** WooCommerce's interface, with orders in it. Parcels are a plugin's, in the order's metadata. */
import type { Record } from "../../connectors/testing/Simulator.ts"
import { copy } from "../../connectors/testing/Simulator.ts"
import * as Sample from "../../connectors/woocommerce/Sample.ts"
import { serveSource } from "../support/SourceServer.ts"
import { BUYER, type Fact, type Order, totalOf } from "./Books.ts"
import { money } from "../world/views/OrderFiles.ts"
import { moment, Numbers, Stamps, type Storefront } from "./Storefront.ts"

const ADDRESS = {
  first_name: "Ann",
  last_name: "Lee",
  company: BUYER.buyer,
  address_1: BUYER.delivery_line1,
  address_2: "",
  city: BUYER.delivery_city,
  postcode: BUYER.delivery_postcode,
  country: BUYER.delivery_country
}
const RATE = 1

/** The shop's clock is so far ahead of Greenwich that in the morning it is the day before there. */
const AHEAD_MS = 11 * 3_600_000
const shifted = (time: string, millis: number): string =>
  new Date(Date.parse(`${time}Z`) + millis).toISOString().slice(0, 19)

/** A time by both clocks. */
const times = (name: string, own: string | undefined) => ({
  [name]: own ?? null,
  [`${name}_gmt`]: own === undefined ? null : shifted(own, -AHEAD_MS)
})

class Shop {
  readonly numbers = new Numbers()
  readonly #stamps = new Stamps()

  order(order: Order, facts: ReadonlyArray<Fact>): Record {
    const { currency, id } = order
    const mine = facts.filter((fact) => fact.order === id)
    const line = (of: string) => this.#line(id, of)
    const taxes = (gross: number) => ({ taxes: [{ id: RATE, total: money(gross, currency) }] })
    const record = {
      number: order.number,
      ...times("date_created", moment(0)),
      ...times("date_completed", undefined),
      customer_id: 0,
      billing: { ...ADDRESS, email: BUYER.email, phone: "" },
      shipping: ADDRESS,
      tax_lines: [{ rate_id: RATE, rate_percent: 20 }],
      meta_data: [
        { id: 1, key: "_wc_shipment_tracking_items", value: mine.map((fact) => this.#parcel(fact)) },
        { id: 2, key: "company", value: BUYER.buyer_company },
        ...(order.payment === undefined ? [] : [{ id: 3, key: "deferred_payment", value: order.payment }])
      ],
      line_items: order.lines.flatMap(({ gross, id, quantity, type }) =>
        type === "product" ? [{ ...Sample.line(line(id), id, quantity, money(gross, currency)), ...taxes(gross) }] : []
      ),
      shipping_lines: order.lines.flatMap(({ gross, id, type }) =>
        type === "shipping" ? [{ ...Sample.shipping(line(id), money(gross, currency)), ...taxes(gross) }] : []
      )
    }
    const made = Sample.order(
      this.numbers.of(id),
      "processing",
      currency,
      money(totalOf(order.lines), currency),
      record
    )
    // What an order says of its refunds is empty in some versions, and their list is asked for.
    const { refunds: _, ...rest } = made
    const changed = shifted(this.#stamps.of(id, rest).replace(/\.\d+Z$/, ""), AHEAD_MS)
    return { ...rest, ...times("date_modified", changed) }
  }

  #line(order: string, line: string): number {
    return this.numbers.of(`${order} ${line}`)
  }

  #parcel({ day, goods, id, order }: Fact): object {
    const products_list = Object.entries(goods).map(([line, quantity]) => ({
      product: "",
      item_id: `${this.#line(order, line)}`,
      qty: `${quantity}`
    }))
    // A day of the shop's, as the plugins for tracking write it: the seconds of its midnight.
    return { tracking_id: id, date_shipped: `${Date.parse(moment(day).slice(0, 10)) / 1000}`, products_list }
  }
}

export const wooFront = async (): Promise<Storefront> => {
  const shop = new Shop()
  const made = Sample.shopOf([], {})
  const records: Array<Record> = made.lists["orders"]!.records
  const server = await serveSource(made)
  return {
    source: {
      connector: "woocommerce",
      url: server.url,
      key: { env: "WOO_KEY" },
      secret: { env: "WOO_SECRET" },
      buyers: {}
    },
    environment: { WOO_KEY: "ck_sample", WOO_SECRET: "cs_sample" },
    say: (orders, facts) => {
      records.splice(0, records.length, ...copy(orders.map((order) => shop.order(order, facts))))
    },
    id: (order) => `${shop.numbers.of(order)}`,
    close: server.close
  }
}
