/** Shopify's interface, with orders and their parcels in it. */
import type { Record } from "../../connectors/testing/Simulator.ts"
import { copy } from "../../connectors/testing/Simulator.ts"
import * as Sample from "../../connectors/shopify/Sample.ts"
import { shopOf } from "../../connectors/shopify/SampleShop.ts"
import { serveSource } from "../support/SourceServer.ts"
import { BUYER, type Fact, type Order, totalOf } from "./Books.ts"
import { money } from "../world/views/OrderFiles.ts"
import { moment, Numbers, Stamps, type Storefront } from "./Storefront.ts"

const NOTHING = "0.0"
const ADDRESS = {
  name: BUYER.contact,
  company: BUYER.buyer,
  address1: BUYER.delivery_line1,
  address2: null,
  city: BUYER.delivery_city,
  zip: BUYER.delivery_postcode,
  countryCodeV2: BUYER.delivery_country
}

class Shop {
  readonly numbers = new Numbers()
  readonly #stamps = new Stamps()

  order(order: Order, facts: ReadonlyArray<Fact>): object {
    const { currency, id } = order
    const ended = order.status === "open" ? null : `${moment(30)}Z`
    const total = money(totalOf(order.lines), currency)
    const record = {
      name: order.number,
      createdAt: `${moment(0)}Z`,
      processedAt: null,
      closedAt: ended,
      cancelledAt: order.status === "cancelled" ? ended : null,
      email: BUYER.email,
      phone: null,
      customer: { id: Sample.gid("Customer", "7"), displayName: BUYER.contact, createdAt: "2024-05-01T09:00:00Z" },
      purchasingEntity: null,
      billingAddress: ADDRESS,
      shippingAddress: ADDRESS,
      customAttributes: [
        { key: "company", value: BUYER.buyer_company },
        ...(order.payment === undefined ? [] : [{ key: "deferred_payment", value: order.payment }])
      ],
      lineItems: this.#lines(order),
      shippingLines: order.lines.flatMap(({ gross, id, type }) =>
        type === "shipping"
          ? [{ ...Sample.shipping(`${this.#line(order.id, id)}`, money(gross, currency), currency), taxLines: TAXES }]
          : []
      ),
      fulfillments: this.#fulfilments(facts.filter((fact) => fact.order === id)),
      // The app of the deferred payment marks the order as paid.
      transactions: [Sample.transaction(`${this.numbers.of(`${id} sale`)}`, "SALE", "Pay later", total, currency)]
    }
    const made = Sample.order(`${this.numbers.of(id)}`, currency, total, record)
    return { ...made, updatedAt: this.#stamps.of(id, made) }
  }

  #line(order: string, line: string): number {
    return this.numbers.of(`${order} ${line}`)
  }

  #goods({ goods, order }: Fact): Readonly<globalThis.Record<string, number>> {
    return Object.fromEntries(Object.entries(goods).map(([line, quantity]) => [`${this.#line(order, line)}`, quantity]))
  }

  #lines({ currency, id: order, lines }: Order): ReadonlyArray<object> {
    return lines.flatMap(({ gross, id, quantity, type }) => {
      if (type === "shipping") return []
      const made = Sample.line(`${this.#line(order, id)}`, id, quantity, money(gross, currency), currency, {})
      return [{ ...made, vendor: null, taxLines: TAXES }]
    })
  }

  #fulfilments(parcels: ReadonlyArray<Fact>): ReadonlyArray<object> {
    return parcels.map((one) =>
      Sample.parcel(`${this.numbers.of(one.id)}`, `${moment(one.day)}Z`, this.#goods(one), "SUCCESS")
    )
  }
}

/** A fifth on top of everything, contained in its price. */
const TAXES = [{ priceSet: Sample.set(NOTHING, "GBP"), ratePercentage: 20 }]

export const shopifyFront = async (): Promise<Storefront> => {
  const shop = new Shop()
  const made = shopOf([])
  const records: Array<Record> = made.lists["orders"]!.records
  const server = await serveSource(made)
  return {
    source: { connector: "shopify", shop: "sample", token: { env: "SHOPIFY_TOKEN" }, buyers: {}, url: server.url },
    environment: { SHOPIFY_TOKEN: "shpat_sample" },
    say: (orders, facts) => {
      records.splice(0, records.length, ...copy(orders.map((order) => shop.order(order, facts))))
    },
    id: (order) => `${shop.numbers.of(order)}`,
    close: server.close
  }
}
