/**
 * A row of an invoices file: the invoice, and the payment that its settled date stands for.
 */
import * as Country from "../../core/wire/Country.ts"
import type { Invoice, Party, Payment } from "../Document.ts"
import { type Context, type Decode, find, mapped, methodReader, type Mutable, needed, Unreadable } from "./Cells.ts"
import { remembered } from "./Remembered.ts"
import type { Row } from "./Row.ts"
import type { InvoiceSettings } from "./Streams.ts"

/** Optional members of a party behind its name, in their order, each with its column. */
const OF_PARTY = [
  ["country", "customer_country"],
  ["regnum", "customer_regnum"],
  ["vat", "customer_vat"],
  ["address", "customer_address"],
  ["company", "customer_company"]
] as const

export const invoices = (settings: InvoiceSettings, context: Context): Decode => {
  const { at, cell, currency: currencyOf, day, header, money } = context
  const { columns } = settings
  const id = at("id")
  const number = at("number")
  const issued = at("issued")
  const due = at("due")
  const net = at("net")
  const gross = at("gross")
  const status = at("status")
  const settled = at("settled")
  const method = at("method")
  const extras = Object.entries(settings.metadata ?? {}).map(([name, column]) => [name, find(header, column)] as const)
  const partyOf = partyReader(settings, context)
  const statusOf = statusReader(settings)
  const methodOf = methodReader(settings.methods, columns.method)

  return (row) => {
    const source = needed(cell(row, id), columns.id!)
    let { notices, party } = partyOf(row)
    const currency = currencyOf(row)
    if (currency === undefined) throw noCurrency(columns.currency)
    const grossAmount = gross < 0 ? undefined : money(row, gross, columns.gross!, currency)
    const netAmount = net < 0 ? undefined : money(row, net, columns.net!, currency)
    if (grossAmount === undefined && netAmount === undefined) {
      throw new Unreadable("is empty; an amount is needed", columns.gross ?? columns.net)
    }
    const given = number < 0 ? "" : cell(row, number)
    const invoice: Mutable<Invoice> = {
      kind: "invoice",
      id: source,
      number: given === "" ? source : given,
      status: statusOf(status < 0 ? "" : cell(row, status)),
      party,
      currency,
      issued: day(row, issued, columns.issued!),
      due: day(row, due, columns.due!)
    }
    if (netAmount !== undefined) invoice.net = netAmount
    if (grossAmount !== undefined) invoice.gross = grossAmount
    if (method >= 0) {
      const how = methodOf(cell(row, method))
      if (how.method !== undefined) invoice.payMethod = how.method
      if (how.notice !== undefined) (notices ??= []).push(how.notice)
    }
    if (extras.length > 0) {
      const metadata = extras.flatMap(([name, index]) => (cell(row, index) === "" ? [] : [[name, cell(row, index)]]))
      if (metadata.length > 0) invoice.metadata = Object.fromEntries(metadata)
    }
    const settledOn = settled < 0 || cell(row, settled) === "" ? undefined : day(row, settled, columns.settled!)
    const total = grossAmount ?? netAmount!
    const paid = settledOn !== undefined && total > 0n && invoice.status !== "void" && invoice.status !== "draft"
    if (!paid) return notices === undefined ? { documents: [invoice] } : { documents: [invoice], notices }
    const payment: Payment = {
      kind: "payment",
      id: `${source}/settled`,
      date: settledOn,
      currency,
      shares: [{ invoice: source, amount: total }]
    }
    return notices === undefined ? { documents: [invoice, payment] } : { documents: [invoice, payment], notices }
  }
}

const noCurrency = (column: string | undefined): Unreadable =>
  new Unreadable(
    column === undefined
      ? "the currency is not known; name a column for it, or set currency"
      : "is empty; the currency is needed (or set currency for rows without one)",
    column
  )

interface Named {
  readonly party: Party
  readonly notices: Array<string> | undefined
}

const partyReader = (settings: InvoiceSettings, { at, cell }: Context): ((row: Row) => Named) => {
  const { columns } = settings
  const customer = at("customer")
  const customerId = at("customer_id")
  const ofParty = OF_PARTY.map(([member, column]) => [member, at(column)] as const).filter(
    ([member, index]) => index >= 0 || (member === "country" && settings.customer_country !== undefined)
  )
  const countryOf = countryReader(settings)
  return (row) => {
    const name = needed(cell(row, customer), columns.customer!)
    const id = customerId < 0 ? "" : cell(row, customerId)
    const party: Mutable<Party> = id === "" ? { name } : { id, name }
    let notices: Array<string> | undefined
    for (const [member, index] of ofParty) {
      let text = cell(row, index)
      if (member === "country") {
        const where = countryOf(text)
        if (where.notice !== undefined) (notices ??= []).push(where.notice)
        text = where.country ?? ""
      }
      if (text !== "") party[member] = text
    }
    return { party, notices }
  }
}

const STATUSES: ReadonlyArray<string> = ["draft", "open", "paid", "void"]

const statusReader = ({ columns, statuses }: InvoiceSettings): ((text: string) => Invoice["status"]) =>
  remembered(1000, (text) => {
    const status =
      mapped(statuses, text) ??
      (text === "" ? "open" : STATUSES.includes(text.toLowerCase()) ? text.toLowerCase() : undefined)
    if (status !== undefined) return status as Invoice["status"]
    throw new Unreadable(
      `${JSON.stringify(text)} is not draft, open, paid or void; map it under statuses`,
      columns.status
    )
  })

interface Where {
  readonly country?: string
  readonly notice?: string
}

const countryReader = ({
  columns,
  countries,
  customer_country,
  unknown_country
}: InvoiceSettings): ((text: string) => Where) =>
  remembered(10_000, (cell) => {
    const text = cell === "" ? (customer_country ?? "") : cell
    if (text === "") return {}
    const country = Country.parse(mapped(countries, text) ?? text)
    if (country !== undefined) return { country }
    const column = columns.customer_country ?? "customer_country"
    if (unknown_country === "quarantine") {
      throw new Unreadable(`${JSON.stringify(text)} is no country of ISO 3166-1; map it under countries`, column)
    }
    return {
      notice: `${column} ${JSON.stringify(text)} is no country of ISO 3166-1; left out (map it under countries)`
    }
  })
