/** Reads buyers, addresses and tax rates from WooCommerce, for orders that are to be created on the service. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Address, Buyer, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import * as Html from "./Html.ts"

const MEMBERS = { line1: "address_1", line2: "address_2", city: "city", postcode: "postcode", country: "country" }

/** An empty shipping address means that it is the same as the billing address. */
const addressOf = (one: Json.Fields, part: string): Address | undefined =>
  one.maybe(`${part}.address_1`) === undefined
    ? undefined
    : Shop.address(one, part, Shop.nameOf(one, part) ?? one.maybe(`${part}.company`), MEMBERS)

const buyerOf = (one: Json.Fields, named: string): Buyer | undefined => {
  // Checkout stored the service's id for the company in metadata: `co-...` or `st-...`.
  const known = Json.objects(one.get("meta_data")).find(({ key }) => key === named)?.["value"]
  const id = one.maybe("customer_id")
  return Shop.buyer(one.maybe("billing.email"), one.maybe("billing.company"), {
    // A guest has the customer id 0, and is identified by email.
    id: id === "0" ? undefined : id,
    contact: Shop.nameOf(one, "billing"),
    phone: one.maybe("billing.phone"),
    country: one.maybe("billing.country"),
    company: typeof known === "string" && /^(co|st)-/.test(known) ? known : undefined
  })
}

/** @param named the metadata with the service's id for the company */
export const ofOrder = (order: Json.Fields, named: string) => {
  const one = Html.decoded(order, "billing", "shipping")
  const invoicing = addressOf(one, "billing")
  return Json.present({ buyer: buyerOf(one, named), delivery: addressOf(one, "shipping") ?? invoicing, invoicing })
}

/** Adds up the tax rates that a line was charged with, from the order's list of taxes. */
export const taxOf = (one: Json.Fields) => {
  const rates = new Map(
    one.list("tax_lines").map((tax) => [tax.maybe("rate_id"), Decimal.parse(tax.maybe("rate_percent") ?? "")] as const)
  )
  return (line: Json.Fields): Pick<OrderLine, "tax"> => {
    const charged = line
      .list("taxes")
      .filter((tax) => tax.maybe("total") !== undefined)
      .map((tax) => rates.get(tax.maybe("id")))
    // Before version 3.7, orders did not state their rates.
    if (charged.some((rate) => typeof rate !== "bigint")) return {}
    return { tax: Decimal.format(Decimal.sum(charged.filter((rate) => typeof rate === "bigint"))) }
  }
}
