/**
 * Reads the columns of an orders file that are needed only for orders created on the service: the buyer, the addresses, and
 * how the service classifies each line.
 */
import * as Country from "../../core/wire/Country.ts"
import type { Address, Buyer, OrderLine } from "../Document.ts"
import { present } from "../Json.ts"
import { type Context, metadataReader } from "./Cells.ts"
import { OF_ADDRESS, OF_BUYER, OF_LINE, OF_SUPPLIER, type OrderStreamSettings } from "./Streams.ts"
import type { Row } from "./Row.ts"

/** Reads the cells of these columns into an object; undefined if all of them are empty. */
const reader = <A extends object>(
  { at, cell, countries }: Context,
  columns: Readonly<Record<string, string>>
): ((row: Row) => A | undefined) => {
  const there = Object.entries(columns)
    .map(([member, column]) => [member, at(column)] as const)
    .filter(([, index]) => index >= 0)
  if (there.length === 0) return () => undefined
  return (row) => {
    const found: Record<string, string> = {}
    for (const [member, index] of there) {
      const text = cell(row, index)
      // An unknown country is kept as it is, for the service to judge.
      if (text !== "") found[member] = member === "country" ? (Country.parse(text) ?? countries(text) ?? text) : text
    }
    return Object.keys(found).length === 0 ? undefined : (found as A)
  }
}

const address = (context: Context, of: string) =>
  reader<Address>(context, Object.fromEntries(OF_ADDRESS.map((member) => [member, `${of}_${member}`])))

/** The optional members of an order and of its lines. */
export const details = (settings: OrderStreamSettings, context: Context) => {
  const { at, cell, day } = context
  const { columns } = settings
  const [name, email, since] = [at("buyer"), at("email"), at("buyer_since")]
  const ofBuyer = reader<Partial<Buyer>>(context, OF_BUYER)
  const delivery = address(context, "delivery")
  const invoicing = address(context, "invoicing")
  const ofLine = reader<Pick<OrderLine, "sku" | "category" | "tax">>(
    context,
    Object.fromEntries(OF_LINE.map((name) => [name, name]))
  )
  const supplier = reader<NonNullable<OrderLine["supplier"]>>(context, OF_SUPPLIER)
  const metadata = metadataReader(settings.metadata, context)

  /** Undefined without an email address, because the service requires one. */
  const buyer = (row: Row): Buyer | undefined => {
    const address = cell(row, email)
    if (address === "") return undefined
    const rest = ofBuyer(row) ?? {}
    return {
      name: cell(row, name) || rest.contact || address,
      email: address,
      ...rest,
      ...(cell(row, since) === "" ? {} : { registered: day(row, since, columns.buyer_since) })
    }
  }

  return {
    order: (row: Row) =>
      present({ buyer: buyer(row), delivery: delivery(row), invoicing: invoicing(row), metadata: metadata(row) }),
    line: (row: Row) => present({ ...ofLine(row), supplier: supplier(row) })
  }
}
