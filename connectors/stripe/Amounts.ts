/**
 * Reads Stripe's amounts. Pure. They are minor units by Stripe's own count: ISK and UGX have two decimals there, which are always
 * zero; MGA has none.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Sum } from "../Contradictions.ts"
import type { Fields } from "../Json.ts"

const PLACES: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

export const minorUnits = (fields: Fields, path: string, currency: string): Decimal =>
  fields.minor(path, currency, PLACES[currency] ?? Currency.decimals(currency))

const discounted = (one: Fields, currency: string): ReadonlyArray<Sum> => {
  if (one.get("total_excluding_tax") === undefined) return []
  const taxes = one.list("total_taxes").map((tax) => minorUnits(tax, "amount", currency))
  const parts = [minorUnits(one, "total_excluding_tax", currency), ...taxes]
  const of = "what it is without tax, and its taxes,"
  return [{ currency, field: "total", total: minorUnits(one, "total", currency), of, parts }]
}

/**
 * The lines come to the subtotal, and the subtotal and the tax on top of it to the total: the descriptions of these members of an
 * invoice in stripe/openapi. With discounts, it is what `total_excluding_tax` ("including all discounts but excluding all tax") and
 * all taxes come to. Credits and deliveries change both in several ways, so nothing is said of an invoice that has any.
 */
export const sumsOf = (one: Fields, currency: string): ReadonlyArray<Sum> => {
  const isMore = one.list("total_pretax_credit_amounts").length > 0 || one.get("shipping_cost") !== undefined
  if (isMore || one.get("subtotal") === undefined) return []
  if (one.list("total_discount_amounts").length > 0) return discounted(one, currency)
  const subtotal = minorUnits(one, "subtotal", currency)
  const taxes = one.list("total_taxes").filter((tax) => tax.maybe("tax_behavior") !== "inclusive")
  const parts = [subtotal, ...taxes.map((tax) => minorUnits(tax, "amount", currency))]
  const all = {
    currency,
    field: "total",
    total: minorUnits(one, "total", currency),
    of: "its subtotal and its tax",
    parts
  }
  const lines = one.list("lines.data")
  if (one.get("lines.has_more") !== false || lines.length === 0) return [all]
  const amounts = lines.map((line) => minorUnits(line, "amount", currency))
  return [all, { currency, field: "subtotal", total: subtotal, of: "its lines", parts: amounts }]
}
