/**
 * Shopify's interface, with orders in it. A parcel names its goods, and one that did not leave after all stays there as
 * cancelled; what was cancelled and what came back are refunds.
 */
import type { Record } from "../../connectors/testing/Simulator.ts"
import { copy } from "../../connectors/testing/Simulator.ts"
import * as Sample from "../../connectors/shopify/Sample.ts"
import { shopOf } from "../../connectors/shopify/SampleShop.ts"
import { serveSource } from "../support/SourceServer.ts"
import { BUYER, type Fact, type Order, totalOf } from "./Books.ts"
import { type Abilities, moment, money, Numbers, Stamps, type Storefront } from "./Storefront.ts"

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
  /** Parcels of each order, also those that it no longer has. */
  readonly #parcels = new Map<string, Map<string, Fact>>()

  order(order: Order, facts: ReadonlyArray<Fact>): object {
    const { currency, id } = order
    const mine = facts.filter((fact) => fact.order === id)
    const refunds = mine.filter(({ kind }) => kind !== "parcel")
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
      lineItems: this.#lines(order, refunds),
      shippingLines: order.lines.flatMap(({ gross, id, type }) =>
        type === "shipping"
          ? [{ ...Sample.shipping(`${this.#line(order.id, id)}`, money(gross, currency), currency), taxLines: TAXES }]
          : []
      ),
      fulfillments: this.#fulfilments(
        id,
        mine.filter(({ kind }) => kind === "parcel")
      ),
      // The app of the deferred payment marks the order as paid.
      transactions: [
        Sample.transaction(`${this.numbers.of(`${id} sale`)}`, "SALE", "Pay later", total, currency),
        ...refunds.flatMap((fact) => this.#refund(order, fact))
      ]
    }
    const made = Sample.order(`${this.numbers.of(id)}`, currency, total, {
      ...record,
      currentTotalPriceSet: Sample.set(money(totalOf(order.lines) - this.#off(order, refunds), currency), currency)
    })
    return { ...made, updatedAt: this.#stamps.of(id, made) }
  }

  #line(order: string, line: string): number {
    return this.numbers.of(`${order} ${line}`)
  }

  #goods({ goods, order }: Fact): Readonly<globalThis.Record<string, number>> {
    return Object.fromEntries(Object.entries(goods).map(([line, quantity]) => [`${this.#line(order, line)}`, quantity]))
  }

  #lines({ currency, id: order, lines }: Order, refunds: ReadonlyArray<Fact>): ReadonlyArray<object> {
    return lines.flatMap(({ gross, id, quantity, type }) => {
      if (type === "shipping") return []
      const off = refunds.reduce((sum, { goods }) => sum + (goods[id] ?? 0), 0)
      const current = Math.max(0, quantity - off)
      const made = Sample.line(`${this.#line(order, id)}`, id, quantity, money(gross, currency), currency, { current })
      return [{ ...made, vendor: null, taxLines: TAXES }]
    })
  }

  #fulfilments(order: string, parcels: ReadonlyArray<Fact>): ReadonlyArray<object> {
    const all = this.#parcels.get(order) ?? new Map<string, Fact>()
    this.#parcels.set(order, all)
    for (const one of parcels) all.set(one.id, { ...one })
    return [...all.values()].map((one) => {
      const status = parcels.some(({ id }) => id === one.id) ? "SUCCESS" : "CANCELLED"
      return Sample.parcel(`${this.numbers.of(one.id)}`, `${moment(one.day)}Z`, this.#goods(one), status)
    })
  }

  /** What these goods cost, with their part of the delivery. */
  #worth({ lines }: Order, { amount, goods }: Fact): number {
    if (amount !== undefined) return amount
    const products = lines.filter(({ type }) => type === "product")
    const worth = (of: (id: string) => number | undefined) =>
      products.reduce((sum, { gross, id, quantity }) => sum + (gross * (of(id) ?? 0)) / quantity, 0)
    const all = products.reduce((sum, { gross }) => sum + gross, 0)
    return Math.round((totalOf(lines) * worth((id) => goods[id])) / all)
  }

  #off(order: Order, facts: ReadonlyArray<Fact>): number {
    return facts.reduce((sum, fact) => sum + this.#worth(order, fact), 0)
  }

  #refund(order: Order, fact: Fact): ReadonlyArray<object> {
    const amount = money(this.#worth(order, fact), order.currency)
    return [Sample.transaction(`${this.numbers.of(fact.id)}`, "REFUND", "Pay later", amount, order.currency)]
  }
}

/** A fifth on top of everything, contained in its price. */
const TAXES = [{ priceSet: Sample.set(NOTHING, "GBP"), ratePercentage: 20 }]

export const SHOPIFY_CAN: Abilities = {
  bare: [],
  totals: false,
  ending: false,
  hidden: false,
  moved: false,
  foreign: false,
  partly: true,
  apart: false
}

export const shopifyFront = async (): Promise<Storefront> => {
  const shop = new Shop()
  const made = shopOf([])
  const records: Array<Record> = made.lists["orders"]!.records
  const server = await serveSource(made)
  return {
    source: { connector: "shopify", shop: "sample", token: { env: "SHOPIFY_TOKEN" }, buyers: {}, url: server.url },
    environment: { SHOPIFY_TOKEN: "shpat_sample" },
    can: SHOPIFY_CAN,
    say: (orders, facts) => {
      records.splice(0, records.length, ...copy(orders.map((order) => shop.order(order, facts))))
    },
    id: (order) => `${shop.numbers.of(order)}`,
    close: server.close
  }
}
