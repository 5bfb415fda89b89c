/**
 * Maps Stripe's payouts, each with the balance transactions that an automatic one pays out, to documents. Pure.
 *
 * `reporting_category` says what a transaction is better than its `type`, which calls disputes and much else an adjustment
 * (docs.stripe.com/reports/reporting-categories). Of payouts by hand Stripe says no transactions: they are not itemised.
 */
import type { Payout, PayoutItem } from "../Document.ts"
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"
import { type Entry, itemsOf } from "../PayoutItems.ts"
import { minorUnits } from "./Amounts.ts"
import { idOf } from "./Mapping.ts"

/** A payout with its balance transactions, as it is stored with its document. */
export interface PaidOut extends Members {
  readonly id: unknown
  readonly payout: unknown
  readonly transactions: ReadonlyArray<unknown>
}

const STATUSES: Readonly<Record<string, Payout["status"]>> = {
  pending: "pending",
  in_transit: "pending",
  paid: "paid",
  // The money is back in the balance, as a transaction of its own.
  canceled: "failed",
  failed: "failed"
}

/** Movements of the balance that are no sale and nothing of one. */
const OTHERS = (
  "advance advance_funding anticipation_repayment climate_order_purchase climate_order_refund connect_collection_transfer " +
  "connect_reserved_funds contribution currency_conversion financing_paydown financing_paydown_reversal financing_payout " +
  "financing_payout_reversal inbound_transfer inbound_transfer_reversal issuing_authorization_hold issuing_authorization_release " +
  "issuing_dispute issuing_transaction minimum_balance_hold obligation other_adjustment payment_network_reserved_funds payout " +
  "payout_reversal platform_earning platform_earning_refund risk_reserved_funds stripe_balance_payment_debit " +
  "stripe_balance_payment_debit_reversal topup topup_reversal transfer transfer_reversal unreconciled_customer_funds"
).split(" ")

const PARTS: Readonly<Record<string, PayoutItem["part"]>> = {
  ...Object.fromEntries(OTHERS.map((name) => [name, "adjustments" as const])),
  charge: "collected",
  refund: "refunds",
  refund_failure: "refunds",
  partial_capture_reversal: "refunds",
  dispute: "chargebacks",
  dispute_reversal: "chargebacks",
  charge_failure: "failures",
  fee: "fees",
  network_cost: "fees",
  platform_fee: "fees",
  stripe_fee: "fees",
  stripe_fee_tax: "fees",
  tax: "fees"
}

/** A transaction, and its fee apart. */
const entriesOf = (one: Fields, currency: string): ReadonlyArray<Entry> => {
  const its = one.currency("currency")
  if (its !== currency) throw new Json.Unfit("currency", `is ${its} in a payout in ${currency}`)
  const [amount, fee, net] = ["amount", "fee", "net"].map((member) => minorUnits(one, member, currency)) as [
    bigint,
    bigint,
    bigint
  ]
  if (amount - fee !== net) throw new Json.Unfit("net", "is not the amount less the fee")
  const [name, part] = [one.text("reporting_category"), one.meaning("reporting_category", PARTS, "reporting category")]
  return [
    { part, name, amount },
    { part: "fees", name: part === "fees" ? name : `fee of ${name}`, amount: -fee }
  ]
}

export const payout = (whole: Fields): Decoded => {
  const its = whole.get("payout")
  if (!Json.isObject(its)) throw new Json.Unfit("payout", "is not a JSON object")
  const one = new Json.Fields(its)
  const [id, currency] = [one.text("id"), one.currency("currency")]
  const transactions = whole.list("transactions")
  // The list has the payout's own transaction as well, which takes the sum out of the balance.
  const paid = transactions.filter((each) => idOf(each.get("source")) !== id)
  const references = [one.maybe("trace_id.value"), one.maybe("statement_descriptor")].flatMap((text) => text ?? [])
  const source = one.maybe("source_type") ?? "card"
  return {
    documents: [
      {
        kind: "payout",
        id,
        // A day that Stripe states as its midnight in UTC, whatever the account's time zone.
        date: one.unixDay("arrival_date"),
        currency,
        amount: minorUnits(one, "amount", currency),
        status: one.meaning("status", STATUSES),
        by: "Stripe",
        ...(source === "card" ? {} : { account: source }),
        ...(references.length === 0 ? {} : { references }),
        items: itemsOf(paid.flatMap((each) => entriesOf(each, currency)))
      }
    ]
  }
}
