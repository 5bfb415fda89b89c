/** Each payout that a processor reports is explained to the cent, and is the bank's line that it came as. */
import type { PayoutReport } from "../Product.ts"
import type { Money } from "../truth/Money.ts"
import { type Day, major, minor, type Minor, sum } from "../Values.ts"

const PARTS: Readonly<Record<string, string>> = {
  payment_paid_out: "collected",
  gocardless_fee: "fees",
  refund: "refunds",
  payment_failed: "failures",
  payment_charged_back: "chargebacks"
}

/** What of the report is not so, in sentences. */
export const unexplained = (money: Money, report: PayoutReport, day: Day): ReadonlyArray<string> => {
  const paid = [...money.payouts.values()].filter(({ line }) => line.day <= day)
  const told = new Map(report.payouts.map((one) => [one.payout.replace(/^.*\//, ""), one]))
  const wrong = paid.flatMap(({ id, items, line }) => {
    const one = told.get(id)
    if (one === undefined) return [`${id} of ${major(line.amount)} is not in the report`]
    const parts = Map.groupBy(items, ({ type }) => PARTS[type]!)
    const says = (part: string): Minor =>
      sum(one.items.flatMap((item) => (item.part === part ? [minor(item.amount)] : [])))
    const differs = [...new Set(Object.values(PARTS))].flatMap((part) => {
      const is = sum((parts.get(part) ?? []).map(({ amount }) => amount))
      return is === says(part) ? [] : [`${part} ${major(says(part))} instead of ${major(is)}`]
    })
    return [
      ...differs.map((what) => `${id}: ${what}`),
      ...(minor(one.notItemised) === 0n ? [] : [`${id}: ${one.notItemised} is not itemised`]),
      ...(one.standing === "arrived" && minor(one.apart) === 0n && one.lines.length === 1
        ? []
        : [`${id} of ${major(line.amount)}: ${one.standing}, ${one.lines.length} lines, apart ${one.apart}`])
    ]
  })
  return [...wrong, ...report.lines.map(({ amount, line }) => `${line}: ${amount} is explained by no payout`)]
}
