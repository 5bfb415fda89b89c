/** Stripe's payouts: each is of one charge, less its fee, and comes to the bank on the day on which the bank has it. */
import type { Money } from "../truth/Money.ts"
import { type Day, instant, sum } from "../Values.ts"

type Json = Readonly<Record<string, unknown>>

const BY = "STRIPE"
const plain = (id: string): string => id.replaceAll(/\W/g, "")

/** Payouts, and their balance transactions with the payout that each is in. */
export const payoutsOf = (
  money: Money,
  day: Day
): { readonly payouts: ReadonlyArray<Json>; readonly balance_transactions: ReadonlyArray<Json> } => {
  const lines = [...money.lines.values()].filter((one) => one.day <= day && one.name.startsWith(BY))
  const all = lines.flatMap((line) => {
    const movement = money.movements.get(line.id.slice(1))
    if (movement === undefined) return []
    const id = `po_1${plain(line.id)}`
    const created = Math.round(instant(line.day) / 1000)
    const whole = sum(movement.for.map(({ amount }) => amount))
    const transaction = (n: number, reporting_category: string, amount: bigint, fee: bigint, source: string) => ({
      id: `txn_${n}${plain(line.id)}`,
      object: "balance_transaction",
      payout: id,
      created,
      currency: "eur",
      reporting_category,
      amount: Number(amount),
      fee: Number(fee),
      net: Number(amount - fee),
      source
    })
    const payout = {
      id,
      object: "payout",
      amount: Number(line.amount),
      currency: "eur",
      arrival_date: created - (created % 86_400),
      created,
      automatic: true,
      status: "paid",
      statement_descriptor: null,
      source_type: "card",
      trace_id: { status: "unsupported", value: null }
    }
    return [
      {
        payout,
        transactions: [
          transaction(0, "payout", -line.amount, 0n, id),
          transaction(1, "charge", whole, whole - line.amount, `ch_1${plain(movement.id)}`)
        ]
      }
    ]
  })
  return {
    payouts: all.map(({ payout }) => payout),
    balance_transactions: all.flatMap(({ transactions }) => transactions)
  }
}
