/**
 * Builds the request that creates a shop's order on the service: items that obey every rule of DP 2.6, with categories and taxes
 * as the connection's settings map them. Otherwise lists, in words, what is missing.
 */
import { Result, Schema } from "effect"
import type { Address, Order, OrderLine } from "../../connectors/Document.ts"
import { buyerKey } from "../../connectors/Document.ts"
import { build, type Line } from "../../core/deferred-payment/OrderBuilder.ts"
import { OrderCreate } from "../../core/deferred-payment/OrderRequests.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Items from "../../core/money/Items.ts"
import { OrganisationId, UserId } from "../../core/wire/Ids.ts"
import { userKey } from "../model/RemoteBuyer.ts"
import { reference } from "../model/Call.ts"
import type { OrderCreation } from "../model/Connection.ts"
import type { Fields } from "../model/RemoteInvoice.ts"

const ONE = Decimal.one

/** Stands in for identifiers that are known only once the buyer is on the service. */
const SOMEBODY = { organisation: OrganisationId.make("org-0"), user: UserId.make("user-0") }

const encode = Schema.encodeSync(OrderCreate)

/** The request's body, or all reasons why it cannot be built. */
export const draft = (
  connection: string,
  order: Order,
  settings: OrderCreation
): Result.Result<Fields, ReadonlyArray<string>> => {
  const { buyer } = order
  const problems: Array<string> = buyer === undefined ? ["its buyer, with an email, is not known"] : []
  const lines = order.lines.filter(({ gross, type }) => type !== "discount" || gross !== 0n)
  const items = lines.map((line) => item(line, order.currency, settings, problems))
  if (buyer === undefined || problems.length > 0) return Result.fail(problems)
  const addresses = {
    ...(order.delivery === undefined ? {} : { delivery_address: address(order.delivery) }),
    ...(order.invoicing === undefined ? {} : { invoice_address: address(order.invoicing) })
  }
  const type = buyer.company?.startsWith("st-") === true ? "sole-trader" : "registered"
  const made = build(
    {
      unique_id: order.number,
      customer: { type, ...SOMEBODY, ...addresses },
      status: "pending",
      currency: order.currency,
      order_date: order.placed,
      items,
      metadata: { ...order.metadata, connection, source_id: order.id }
    },
    settings.tax_basis
  )
  if (Result.isFailure(made)) return Result.fail(made.failure.problems)
  const key = buyerKey(connection, buyer)
  const customer = { type, organisation: reference(key), user: reference(userKey(key)), ...addresses }
  return Result.succeed({ ...(encode(made.success) as unknown as Fields), customer })
}

const item = (line: OrderLine, currency: string, settings: OrderCreation, problems: Array<string>): Line => {
  const { description = line.id, id, sku, supplier } = line
  const category =
    (line.category === undefined ? undefined : own(settings.categories, line.category)) ??
    settings.category ??
    line.category
  if (category === undefined) {
    problems.push(`line ${JSON.stringify(id)} has no category; set orders.create.category`)
  }
  const { quantity, unit_price } = priced(line, currency)
  return {
    item_id: id,
    type: line.type,
    // An amount that is not a multiple of a unit price is sold as one piece, so that amounts are exact.
    description: quantity === line.quantity ? description : `${Decimal.format(line.quantity)} × ${description}`,
    category: category ?? "",
    quantity,
    unit_price,
    tax_rate: taxRate(line, settings, problems),
    ...(sku === undefined ? {} : { reference: sku }),
    ...(supplier?.id === undefined ? {} : { supplier_id: supplier.id }),
    ...(supplier?.name === undefined ? {} : { supplier_name: supplier.name })
  }
}

const own = (map: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined

/** The unit price, if the line's amount is an exact multiple of it; otherwise the line as one piece. */
const priced = ({ gross, quantity }: OrderLine, currency: string) => {
  const total = Decimal.fromInteger(Currency.toMinor(gross, currency))
  const unit_price = Decimal.divide(total, quantity, Items.MINOR_UNIT_PLACES)
  return Items.total(quantity, unit_price) === total ? { quantity, unit_price } : { quantity: ONE, unit_price: total }
}

const HUNDRED = Decimal.fromInteger(100n)

/** The percentage that the settings give for the source's tax, or the one that the source itself states, `20` or `20%`. */
const taxRate = ({ id, tax }: OrderLine, settings: OrderCreation, problems: Array<string>): Decimal.Decimal => {
  if (tax !== undefined) {
    const text = own(settings.tax_rates, tax) ?? tax.replace(/(?<!\s)\s*%$/, "")
    const rate = Decimal.parse(text, 6)
    if (typeof rate === "bigint" && rate >= 0n && rate <= HUNDRED) return rate
    problems.push(`line ${JSON.stringify(id)} has the tax ${JSON.stringify(tax)}; map it under orders.create.tax_rates`)
  } else if (settings.tax_rate === undefined) {
    problems.push(`line ${JSON.stringify(id)} has no tax rate; set orders.create.tax_rate`)
  }
  return Decimal.of(settings.tax_rate ?? "0")
}

const address = ({ city, country, line1, line2, name, postcode }: Address): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ name, address_line1: line1, address_line2: line2, city, postcode, country }).filter(
      (member): member is [string, string] => member[1] !== undefined
    )
  )
