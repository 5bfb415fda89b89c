/** Renders what `daybook watch` found: the findings of each kind, with their money and the orders' pages. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { WatchedOrder, WatchReport } from "../../sync/reconciliation/OrderWatch.ts"
import { WATCHED_KINDS } from "../../sync/rules/OrderWatch.ts"
import type { Output } from "./Output.ts"
import { table } from "./Table.ts"

/** How many findings of a kind are listed. */
const MOST = 20

const KINDS = [...WATCHED_KINDS, "not on the service"] as const

/** The sums of findings by currency. */
const sums = (found: ReadonlyArray<WatchedOrder>): string =>
  [...new Set(found.map(({ currency }) => currency))]
    .toSorted()
    .flatMap((currency) => {
      const all = found.filter((one) => one.currency === currency).map(({ amount }) => Decimal.of(amount))
      const sum = Decimal.sum(all)
      return sum === 0n ? [] : [Currency.say(sum, currency)]
    })
    .join(", ")

/** @param isWhole whether all orders could be read: if not, nothing is said of those that are missing */
export const watchReport = (
  { compared, found, others }: WatchReport,
  { style, width }: Output,
  isWhole: boolean
): string => {
  const besides = others === 0 ? "" : `; ${plural(others, "order")} of other payments left out`
  const lines = [`Compared ${plural(compared, "order")} with the service${besides}.`]
  if (!isWhole) lines.push("Not all orders could be read (see above): nothing is said about the rest.")
  else if (found.length === 0) lines.push("Every order is captured and refunded as the shop says.")
  for (const kind of KINDS) {
    const its = found.filter((one) => one.kind === kind)
    if (its.length === 0) continue
    const money = sums(its)
    lines.push("", style.bold(`${grouped(its.length)} ${kind}${money === "" ? "" : `: ${money}`}`))
    lines.push(
      table(
        [{ title: "Order" }, { title: "Amount", right: true }, { title: "Why", flexible: true }],
        its
          .slice(0, MOST)
          .map(({ amount, currency, link, number, why }) => [
            number,
            Decimal.of(amount) === 0n ? "" : `${Currency.group(amount)} ${currency}`,
            link === undefined ? why : `${why}; ${link}`
          ]),
        { style, width }
      )
    )
    if (its.length > MOST) lines.push(`  and ${plural(its.length - MOST, "order")} more; --json has them`)
  }
  return lines.join("\n")
}
