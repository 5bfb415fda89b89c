/**
 * Compares settings of cover: whether more may be bought, or at a higher price, than under those before. Pure. Where it cannot be
 * said that they allow less, they allow more.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { CoverSettings, PriceLimits, Selection } from "../model/CoverSettings.ts"

/** Whether a condition that is `now` lets through nothing that the one before kept out; absent: it lets everything through. */
const within = <A>(before: A | undefined, now: A | undefined, fits: (now: A, before: A) => boolean): boolean =>
  before === undefined || (now !== undefined && fits(now, before))

const isAtMost = (now: string, before: string): boolean => Decimal.of(now) <= Decimal.of(before)

const isPartOf = (now: ReadonlyArray<string>, before: ReadonlyArray<string>): boolean =>
  now.every((one) => before.includes(one))

const isNarrower = (now: Selection, before: Selection): boolean =>
  within(before.countries, now.countries, isPartOf) &&
  within(before.min, now.min, (a, b) => isAtMost(b, a)) &&
  within(before.max, now.max, isAtMost) &&
  within(before.terms_days, now.terms_days, (a, b) => a <= b) &&
  within(before.buyers, now.buyers, isPartOf) &&
  within(before.except, now.except, (a, b) => isPartOf(b, a))

const PRICES = ["per_invoice", "of_net", "per_month"] as const

const widerPrice = (before: PriceLimits, now: PriceLimits): ReadonlyArray<string> =>
  before.currency === now.currency
    ? PRICES.filter((name) => !within(before[name], now[name], isAtMost)).map((name) => `price.${name}`)
    : ["price.currency"]

/** What a person looks at before anything is bought, the most first. */
const MATCHES = ["review", "registration_number", "name"] as const

/** The settings of cover that allow more than those before; empty: none. */
export const wider = (before: CoverSettings, now: CoverSettings): ReadonlyArray<string> => {
  const unasked = ({ match = "name" }: CoverSettings): number => MATCHES.indexOf(match)
  return [
    ...(now.select.every((one) => before.select.some((other) => isNarrower(one, other))) ? [] : ["select"]),
    ...widerPrice(before.price, now.price),
    ...(before.approve === "always" && now.approve !== "always" ? ["approve"] : []),
    ...(unasked(now) > unasked(before) ? ["match"] : []),
    ...(now.pay_with !== undefined && now.pay_with.env !== before.pay_with?.env ? ["pay_with"] : [])
  ].map((name) => `cover.${name}`)
}
