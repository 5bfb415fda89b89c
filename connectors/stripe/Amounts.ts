/**
 * Reads Stripe's amounts. Pure. They are minor units by Stripe's own count: ISK and UGX have two decimals there, which are always
 * zero; MGA has none.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Fields } from "../Json.ts"

const PLACES: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

export const minorUnits = (fields: Fields, path: string, currency: string): Decimal =>
  fields.minor(path, currency, PLACES[currency] ?? Currency.decimals(currency))
