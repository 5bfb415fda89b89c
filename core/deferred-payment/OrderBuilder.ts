/**
 * Makes orders that the service accepts, and no others: amounts and taxes follow from quantities, prices and rates, the
 * sums from the items, and what would break a rule of DP 2.6 is told instead of built.
 *
 * Amounts are in minor units, taxes included. Nothing is sent.
 */
import { Result, Schema } from "effect"
import * as Currency from "../money/Currency.ts"
import * as Decimal from "../money/Decimal.ts"
import * as Items from "../money/Items.ts"
import * as Country from "../wire/Country.ts"
import { type ItemCreate, OrderCreate } from "./Orders.ts"

/** What an item is before its amounts are known. */
export interface Line extends Omit<ItemCreate, "total_amount" | "tax_amount"> {
  /** Minor units, tax included; negative for a discount. Up to five fraction digits. */
  readonly unit_price: Decimal.Decimal
  /** Up to three fraction digits. */
  readonly quantity: Decimal.Decimal
  /** Percent, from 0 to 100. */
  readonly tax_rate: Decimal.Decimal
}

/** What an order is before its amounts are known. Lines of every vendor of one checkout go into one order (rule 7). */
export interface Draft extends Omit<OrderCreate, "items" | "total_amount" | "tax_amount"> {
  readonly items: ReadonlyArray<Line>
}

/** The order cannot be built; `problems` names each member and what is wrong with it. */
export class Unbuildable extends Schema.TaggedError<Unbuildable>()("Unbuildable", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `the order cannot be built: ${this.problems.join("; ")}`
  }
}

const HUNDRED = Decimal.fromInteger(100n)

/** The item of a line: its total and its tax. */
const itemOf = (line: Line, basis: Items.TaxBasis): ItemCreate => {
  const { tax, total } = Items.amounts(
    { quantity: line.quantity, unitPrice: line.unit_price, taxRate: line.tax_rate },
    basis
  )
  return { ...line, total_amount: total, tax_amount: tax }
}

const lineProblems = ({ tax_rate, total_amount, type }: ItemCreate): ReadonlyArray<string> => [
  ...(tax_rate < 0n || tax_rate > HUNDRED ? ["tax_rate is not between 0 and 100"] : []),
  ...[Items.signProblem(type, total_amount) ?? []].flat()
]

const encodeOrder = Schema.encodeUnknownResult(OrderCreate, { errors: "all" })
const decodeOrder = Schema.decodeUnknownResult(OrderCreate, { errors: "all" })

/** Countries of the addresses that are none. */
const addressProblems = ({ customer }: Draft): ReadonlyArray<string> =>
  (["delivery_address", "invoice_address"] as const).flatMap((name) => {
    const country = customer[name]?.country ?? ""
    return country === "" || Country.parse(country) !== undefined
      ? []
      : [`customer.${name}.country: ${JSON.stringify(country)} is no country`]
  })

/**
 * The order of a draft, ready for `orders.create`; or everything that is wrong with it.
 *
 * @param basis how the tax follows from the total: the specification's, unless given
 */
export const build = (draft: Draft, basis: Items.TaxBasis = "gross"): Result.Result<OrderCreate, Unbuildable> => {
  const problems: Array<string> = [...addressProblems(draft)]
  if (!Currency.isCurrency(draft.currency)) problems.push(`currency: ${JSON.stringify(draft.currency)} is none`)
  if (draft.items.length === 0) problems.push("items: there are none")
  const items = draft.items.map((line) => itemOf(line, basis))
  for (const [i, item] of items.entries()) {
    problems.push(...lineProblems(item).map((why) => `items[${i}] ${JSON.stringify(item.item_id)}: ${why}`))
  }
  const { tax, total } = Items.sum(
    items.map(({ tax_amount, total_amount }) => ({ total: total_amount, tax: tax_amount }))
  )
  if (total < 0n) problems.push("total_amount: the discounts take off more than there is")
  const order = { ...draft, items, total_amount: total, tax_amount: tax }
  // What is left is what JSON cannot carry, or what the wire would write otherwise: it is written and read again.
  if (problems.length === 0) problems.push(...wireProblems(order))
  return problems.length > 0 ? Result.fail(new Unbuildable({ problems })) : Result.succeed(order)
}

const wireProblems = (order: OrderCreate): ReadonlyArray<string> => {
  const written = encodeOrder(order)
  if (Result.isFailure(written)) return [written.failure.message]
  const read = decodeOrder(written.success)
  if (Result.isFailure(read)) return [read.failure.message]
  return []
}
