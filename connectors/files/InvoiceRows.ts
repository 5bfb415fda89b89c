/**
 * A row of an invoices file: the invoice, and the payment that its settled date stands for.
 */
import * as Country from "../../core/wire/Country.ts"
import type { Document, Invoice, Party } from "../Document.ts"
import { type Context, type Decode, find, mapped, METHODS, needed, optional, Unreadable } from "./Cells.ts"
import type { InvoiceSettings } from "./Settings.ts"

export const invoices = (settings: InvoiceSettings, context: Context): Decode => {
  const { at, cell, header } = context
  const { columns } = settings
  const [id, number, customer, customerId, country, regnum, vat, address, company] = [
    "id",
    "number",
    "customer",
    "customer_id",
    "customer_country",
    "customer_regnum",
    "customer_vat",
    "customer_address",
    "customer_company"
  ].map(at) as [number, number, number, number, number, number, number, number, number]
  const [issued, due, net, gross, status, settled, method] = [
    "issued",
    "due",
    "net",
    "gross",
    "status",
    "settled",
    "method"
  ].map(at) as [number, number, number, number, number, number, number]
  const extras = Object.entries(settings.metadata ?? {}).map(([name, column]) => [name, find(header, column)] as const)
  const countries = countryReader(settings)

  return (row) => {
    const source = needed(cell(row, id), columns.id!)
    const name = needed(cell(row, customer), columns.customer!)
    const currency = context.currency(row)
    if (currency === undefined) throw new Unreadable("the currency is not known; name a column or set `currency`")
    const grossAmount = gross < 0 ? undefined : context.money(row, gross, columns.gross!, currency)
    const netAmount = net < 0 ? undefined : context.money(row, net, columns.net!, currency)
    if (grossAmount === undefined && netAmount === undefined)
      throw new Unreadable("is empty; an amount is needed", columns.gross ?? columns.net)
    const issuedOn = context.day(row, issued, columns.issued!)
    const dueOn = context.day(row, due, columns.due!)
    const where = countries(cell(row, country) === "" ? (settings.customer_country ?? "") : cell(row, country))
    const settledOn = settled < 0 || cell(row, settled) === "" ? undefined : context.day(row, settled, columns.settled!)
    const total = grossAmount ?? netAmount!
    const party: Party = {
      ...optional("id", cell(row, customerId)),
      name,
      ...optional("country", where.country ?? ""),
      ...optional("regnum", cell(row, regnum)),
      ...optional("vat", cell(row, vat)),
      ...optional("address", cell(row, address)),
      ...optional("company", cell(row, company))
    }
    const metadata = extras.flatMap(([name, index]) => (cell(row, index) === "" ? [] : [[name, cell(row, index)]]))
    const invoice: Invoice = {
      kind: "invoice",
      id: source,
      number: number < 0 || cell(row, number) === "" ? source : cell(row, number),
      status: statusOf(cell(row, status), settings),
      party,
      currency,
      issued: issuedOn,
      due: dueOn,
      ...(netAmount === undefined ? {} : { net: netAmount }),
      ...(grossAmount === undefined ? {} : { gross: grossAmount }),
      ...payMethod(cell(row, method)),
      ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) })
    }
    const documents: ReadonlyArray<Document> =
      settledOn === undefined || total <= 0n || invoice.status === "void" || invoice.status === "draft"
        ? [invoice]
        : [
            invoice,
            {
              kind: "payment",
              id: `${source}/settled`,
              date: settledOn,
              currency,
              shares: [{ invoice: source, amount: total }]
            }
          ]
    return where.notice === undefined ? { documents } : { documents, notice: where.notice }
  }
}

const STATUSES: ReadonlyArray<string> = ["draft", "open", "paid", "void"]

const statusOf = (text: string, { columns, statuses }: InvoiceSettings): Invoice["status"] => {
  if (text === "") return "open"
  const status = mapped(statuses, text) ?? (STATUSES.includes(text.toLowerCase()) ? text.toLowerCase() : undefined)
  if (status === undefined) {
    throw new Unreadable(
      `${JSON.stringify(text)} is not draft, open, paid or void; map it under statuses`,
      columns.status
    )
  }
  return status as Invoice["status"]
}

const payMethod = (text: string): Pick<Invoice, "payMethod"> =>
  METHODS.includes(text.toLowerCase()) ? { payMethod: text.toLowerCase() as "bank" } : {}

interface Where {
  readonly country?: string
  readonly notice?: string
}

const countryReader = ({ columns, countries, unknown_country }: InvoiceSettings): ((text: string) => Where) => {
  const seen = new Map<string, Where>([["", {}]])
  return (text) => {
    const known = seen.get(text)
    if (known !== undefined) return known
    const country = mapped(countries, text) ?? Country.parse(text)
    const column = columns.customer_country ?? "customer_country"
    if (country === undefined && unknown_country === "set aside") {
      throw new Unreadable(`${JSON.stringify(text)} is no country of ISO 3166-1; map it under countries`, column)
    }
    const where =
      country === undefined
        ? { notice: `${column} ${JSON.stringify(text)} is no country of ISO 3166-1; left out (map it under countries)` }
        : { country }
    if (seen.size < 10_000) seen.set(text, where)
    return where
  }
}
