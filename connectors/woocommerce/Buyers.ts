/** Reads buyers, addresses and tax rates from WooCommerce, for orders that are to be created on the service. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Address, Buyer, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Html from "./Html.ts"

const personOf = (one: Json.Fields, part: string): string | undefined => {
  const name = [Html.maybe(one, `${part}.first_name`), Html.maybe(one, `${part}.last_name`)].filter(Boolean).join(" ")
  return name === "" ? undefined : name
}

/** An empty shipping address means that it is the same as the billing address. */
const addressOf = (one: Json.Fields, part: string): Address | undefined => {
  const line1 = Html.maybe(one, `${part}.address_1`)
  if (line1 === undefined) return undefined
  return Json.present({
    name: personOf(one, part) ?? Html.maybe(one, `${part}.company`),
    line1,
    line2: Html.maybe(one, `${part}.address_2`),
    city: Html.maybe(one, `${part}.city`),
    postcode: Html.maybe(one, `${part}.postcode`),
    country: one.maybe(`${part}.country`)
  })
}

const buyerOf = (one: Json.Fields, named: string): Buyer | undefined => {
  // Checkout stored the service's id for the company in metadata: `co-...` or `st-...`.
  const known = Json.objects(one.get("meta_data")).find(({ key }) => key === named)?.["value"]
  const email = one.maybe("billing.email")
  if (email === undefined) return undefined
  const contact = personOf(one, "billing")
  const id = one.maybe("customer_id")
  return {
    name: Html.maybe(one, "billing.company") ?? contact ?? email,
    email,
    ...Json.present({
      // A guest has the customer id 0, and is identified by email.
      id: id === "0" ? undefined : id,
      contact,
      phone: Html.maybe(one, "billing.phone"),
      country: one.maybe("billing.country"),
      company: typeof known === "string" && /^(co|st)-/.test(known) ? known : undefined
    })
  }
}

/** @param named the metadata with the service's id for the company */
export const ofOrder = (one: Json.Fields, named: string) => {
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
