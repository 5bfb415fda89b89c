/**
 * Reads the buyer of a Shopify order and the addresses. Requested only if orders are to be created on the service, because
 * this is personal data, which Shopify gives only to apps that it has approved for it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Address, Buyer, OrderLine } from "../Document.ts"
import * as Json from "../Json.ts"
import * as Shop from "../Shop.ts"
import { nodes, tail } from "./Records.ts"

const ADDRESS = "{ name company address1 address2 city zip countryCodeV2 }"

/** Additional selection on an order. */
export const OF_ORDER = `email phone customer { id displayName createdAt } billingAddress ${ADDRESS} shippingAddress ${ADDRESS}
    purchasingEntity { ... on PurchasingCompany { company { id name createdAt } } }`
/** Additional selection on a line; the other one is for each of its taxes. */
export const OF_LINE = "vendor"
export const OF_TAX = "ratePercentage"

const MEMBERS = { line1: "address1", line2: "address2", city: "city", postcode: "zip", country: "countryCodeV2" }

const addressOf = (one: Json.Fields, path: string): Address | undefined =>
  Shop.address(one, path, one.maybe(`${path}.name`) ?? one.maybe(`${path}.company`), MEMBERS)

/** The ordering company, or else the person. Undefined without an email address, because the service requires one. */
const buyerOf = (one: Json.Fields, named: string): Buyer | undefined => {
  // Checkout stored the service's id for the company in an attribute: `co-...` or `st-...`.
  const known = Json.objects(one.get("customAttributes")).find(({ key }) => key === named)?.["value"]
  const email = one.maybe("email")
  if (email === undefined) return undefined
  const company = "purchasingEntity.company"
  const [whole, person] = [one.maybe(`${company}.id`), one.maybe("customer.id")]
  const id = whole ?? person
  const contact = one.maybe("customer.displayName") ?? one.maybe("billingAddress.name")
  const since = whole === undefined ? "customer.createdAt" : `${company}.createdAt`
  return {
    name: one.maybe(`${company}.name`) ?? one.maybe("billingAddress.company") ?? contact ?? email,
    email,
    ...Json.present({
      id: id === undefined ? undefined : tail(id),
      contact,
      phone: one.maybe("phone"),
      country: one.maybe("billingAddress.countryCodeV2"),
      company: typeof known === "string" && /^(co|st)-/.test(known) ? known : undefined,
      registered: one.get(since) === undefined ? undefined : one.instantDay(since)
    })
  }
}

/** @param named the attribute with the service's id for the company */
export const ofOrder = (one: Json.Fields, named: string) =>
  Json.present({
    buyer: buyerOf(one, named),
    delivery: addressOf(one, "shippingAddress"),
    invoicing: addressOf(one, "billingAddress")
  })

/** Tax rates of one line add up. */
export const ofLine = (line: Json.Fields): Pick<OrderLine, "tax" | "supplier"> => {
  const rates = nodes(line, "taxLines").map((tax) => {
    const rate = Decimal.parse(tax.maybe("ratePercentage") ?? "0")
    if (typeof rate === "string") throw new Json.Unfit("ratePercentage", `${rate}; a percentage is needed`)
    return rate
  })
  const vendor = line.maybe("vendor")
  return {
    tax: Decimal.format(Decimal.sum(rates)),
    ...(vendor === undefined ? {} : { supplier: { name: vendor } })
  }
}
