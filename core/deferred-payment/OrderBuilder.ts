/**
 * Builds orders that the service accepts. Amounts and taxes are computed from quantities, prices and rates, and totals from
 * the items. An order that would break a rule of DP 2.6 is rejected with all its problems.
 *
 * Amounts are in minor units and include tax. Pure: nothing is sent.
 */
import { Result, Schema } from "effect"
import * as Currency from "../money/Currency.ts"
import * as Decimal from "../money/Decimal.ts"
import * as Items from "../money/Items.ts"
import * as Country from "../wire/Country.ts"
import { IntentCreate, type ItemCreate, OrderCreate } from "./OrderRequests.ts"

/** An item without its computed amounts. */
export interface Line extends Omit<ItemCreate, "total_amount" | "tax_amount"> {
  /** Minor units, tax included; negative for a discount. Up to five fraction digits. */
  readonly unit_price: Decimal.Decimal
  /** Up to three fraction digits. */
  readonly quantity: Decimal.Decimal
  /** Percent, from 0 to 100. */
  readonly tax_rate: Decimal.Decimal
}

/** An order without its computed amounts. Items of all vendors of one checkout belong in one order (DP 2.6, rule 7). */
export interface Draft extends Omit<OrderCreate, "items" | "total_amount" | "tax_amount"> {
  readonly items: ReadonlyArray<Line>
}

/** An intent without its computed amounts (DP 2.8). The buyer's company is not known yet either. */
export interface IntentDraft extends Omit<IntentCreate["order"], "items" | "total_amount"> {
  readonly items: ReadonlyArray<Line>
  readonly locale: IntentCreate["locale"]
  readonly merchant_urls: IntentCreate["merchant_urls"]
}

/** The order cannot be built. `problems` names each member and what is wrong with it. */
export class Unbuildable extends Schema.TaggedError<Unbuildable>()("Unbuildable", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `the order cannot be built: ${this.problems.join("; ")}`
  }
}

const HUNDRED = Decimal.fromInteger(100n)

/** Computes the total and the tax of a line. */
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

/** Addresses whose country is not one. */
const addressProblems = ({ customer }: Pick<Draft, "customer"> | IntentDraft): ReadonlyArray<string> =>
  (["delivery_address", "invoice_address"] as const).flatMap((name) => {
    const country = customer[name]?.country ?? ""
    return country === "" || Country.parse(country) !== undefined
      ? []
      : [`customer.${name}.country: ${JSON.stringify(country)} is not a country`]
  })

/** The items of a basket with their totals, and every problem found. */
const basketOf = ({ currency, items: lines }: Pick<Draft, "currency" | "items">, basis: Items.TaxBasis) => {
  const problems: Array<string> = []
  if (!Currency.isCurrency(currency)) problems.push(`currency: ${JSON.stringify(currency)} is not a currency`)
  if (lines.length === 0) problems.push("items: the list is empty")
  const items = lines.map((line) => itemOf(line, basis))
  for (const [i, item] of items.entries()) {
    problems.push(...lineProblems(item).map((why) => `items[${i}] ${JSON.stringify(item.item_id)}: ${why}`))
  }
  const { tax, total } = Items.sum(
    items.map(({ tax_amount, total_amount }) => ({ total: total_amount, tax: tax_amount }))
  )
  if (total < 0n) problems.push("total_amount: the discounts are larger than the total")
  return { items, total_amount: total, tax_amount: tax, problems }
}

/** Encodes the request and decodes it again, to find values that JSON cannot carry or would change. */
const wireProblems = <A>(schema: Schema.Codec<A, unknown>) => {
  const encode = Schema.encodeUnknownResult(schema, { errors: "all" })
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (request: A): ReadonlyArray<string> => {
    const written = encode(request)
    if (Result.isFailure(written)) return [written.failure.message]
    const read = decode(written.success)
    return Result.isFailure(read) ? [read.failure.message] : []
  }
}

const orderProblems = wireProblems(OrderCreate)
const intentProblems = wireProblems(IntentCreate)

const built = <A>(
  request: A,
  problems: ReadonlyArray<string>,
  onWire: (request: A) => ReadonlyArray<string>
): Result.Result<A, Unbuildable> => {
  const all = problems.length === 0 ? onWire(request) : problems
  return all.length > 0 ? Result.fail(new Unbuildable({ problems: all })) : Result.succeed(request)
}

/**
 * Builds the request for `orders.create`, or returns everything that is wrong with the draft.
 *
 * @param basis how tax is computed; default: from the total that includes it (DP 2.6, rule 2)
 */
export const build = (draft: Draft, basis: Items.TaxBasis = "gross"): Result.Result<OrderCreate, Unbuildable> => {
  const { problems, ...basket } = basketOf(draft, basis)
  return built({ ...draft, ...basket }, [...addressProblems(draft), ...problems], orderProblems)
}

/** Builds the request for `intents.create`, or returns everything that is wrong with the draft. */
export const buildIntent = (
  { locale, merchant_urls, ...draft }: IntentDraft,
  basis: Items.TaxBasis = "gross"
): Result.Result<IntentCreate, Unbuildable> => {
  const { problems, tax_amount: _, ...basket } = basketOf(draft, basis)
  const request = { locale, merchant_urls, order: { ...draft, ...basket } }
  return built(request, [...addressProblems({ ...draft, locale, merchant_urls }), ...problems], intentProblems)
}
