/** Maps GoCardless's payouts, each with its items, to documents. Pure. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Payout, PayoutItem } from "../Document.ts"
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"
import { type Entry, roundedItemsOf } from "../PayoutItems.ts"

/** A payout with its items, as it is stored with its document; without them once GoCardless no longer tells them. */
export interface PaidOut extends Members {
  readonly id: unknown
  readonly payout: unknown
  readonly items?: ReadonlyArray<unknown>
}

/** One that bounced may be sent again, and is then paid. */
const STATUSES: Readonly<Record<string, Payout["status"]>> = { pending: "pending", paid: "paid", bounced: "failed" }

const PARTS: Readonly<Record<string, PayoutItem["part"]>> = {
  payment_paid_out: "collected",
  payment_refunded: "refunds",
  refund: "refunds",
  refund_funds_returned: "refunds",
  payment_charged_back: "chargebacks",
  payment_failed: "failures",
  gocardless_fee: "fees",
  app_fee: "fees",
  surcharge_fee: "fees",
  revenue_share: "adjustments"
}

/** Items are in minor units and tenths of them; GoCardless adds them up and rounds the sum. */
const entryOf = (item: Fields, currency: string): Entry => {
  const amount = Decimal.shifted(item.decimal("amount"), Currency.decimals(currency))
  if (amount === undefined) throw new Json.Unfit("amount", "has more decimal places than can be counted")
  return { part: item.meaning("type", PARTS, "type of item"), name: item.text("type"), amount }
}

/** What the bank gets, where GoCardless converts it. */
const settledOf = (one: Fields, currency: string): Pick<Payout, "settled"> => {
  if (one.get("fx.fx_amount") === undefined) return {}
  const its = one.currency("fx.fx_currency")
  return its === currency ? {} : { settled: { currency: its, amount: one.minor("fx.fx_amount", its) } }
}

export const payout = (whole: Fields): Decoded => {
  const its = whole.get("payout")
  if (!Json.isObject(its)) throw new Json.Unfit("payout", "is not a JSON object")
  const one = new Json.Fields(its)
  const currency = one.currency("currency")
  const amount = one.minor("amount", currency)
  const reference = one.maybe("reference")
  return {
    documents: [
      {
        kind: "payout",
        id: one.text("id"),
        // Its arrival date is known once it is paid.
        date: one.get("arrival_date") === undefined ? one.instantDay("created_at") : one.day("arrival_date"),
        currency,
        amount,
        status: one.meaning("status", STATUSES),
        by: "GoCardless",
        ...settledOf(one, currency),
        ...Json.present({ account: one.maybe("links.creditor") }),
        ...(reference === undefined ? {} : { references: [reference] }),
        items: roundedItemsOf(
          whole.list("items").map((item) => entryOf(item, currency)),
          amount,
          currency
        )
      }
    ]
  }
}
