/** Who approves a connection's plans: a person, or somebody other than who caused them. */
import { Schema } from "effect"
import { isCurrency } from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Connection } from "../../model/Connection.ts"

const Amount = Schema.String.check(
  Schema.makeFilter((text: string) => typeof Decimal.parse(text) !== "string" || 'write an amount like "25000.00"')
)
const Currency = Schema.String.check(
  Schema.makeFilter((code: string) => isCurrency(code) || 'write a currency like "GBP"')
)

/** Amounts by currency, as people write them. */
export const Limits = Schema.Record(Currency, Amount)

export const amountLimits = (written: typeof Limits.Type): ReadonlyMap<string, Decimal.Decimal> =>
  new Map(Object.entries(written).map(([code, amount]) => [code, Decimal.of(amount)]))

export const Approve = Schema.Union([
  Schema.Boolean,
  Schema.Struct({
    by: Schema.Literal("another"),
    /** Above these amounts, two people. */
    two_above: Schema.optionalKey(Limits)
  })
])

export const approveOf = (approve: typeof Approve.Type): Pick<Connection, "approve" | "approving"> =>
  typeof approve === "boolean"
    ? { approve }
    : {
        approve: true,
        approving: approve.two_above === undefined ? {} : { twoAbove: amountLimits(approve.two_above) }
      }
