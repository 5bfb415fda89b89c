/**
 * A row and the documents it becomes. Pure: what a file's data may look like is decided here, how its bytes are read
 * next door. A stream's settings are compiled against a file's header once; a row then costs no schema.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Notice, Read, SetAside } from "../Connector.ts"
import type { CreditNote, Document, Invoice, Kind, Party, Payment, Reversal, ReversalType } from "../Document.ts"
import * as Dates from "./Dates.ts"
import * as Numerals from "./Numerals.ts"
import {
  type CreditNoteSettings,
  type InvoiceSettings,
  type PaymentSettings,
  REVERSAL_TYPES,
  type Stream,
  type StreamSettings
} from "./Settings.ts"
import type { Row } from "./Table.ts"

/** What one row gave. */
export interface Decoded {
  readonly documents: ReadonlyArray<Document>
  readonly notice?: string
}

/** Why a row gives nothing: the file's own name of the column, what is wrong, and what to do. */
export class Unreadable {
  readonly field: string | undefined
  readonly why: string
  readonly date: boolean
  constructor(why: string, field?: string, date = false) {
    this.why = why
    this.field = field
    this.date = date
  }
}

interface Context {
  readonly header: ReadonlyArray<string>
  readonly at: (name: string) => number
  readonly cell: (row: Row, index: number) => string
  readonly day: (row: Row, index: number, column: string) => Day
  readonly money: (row: Row, index: number, column: string, currency: string) => Decimal | undefined
  readonly currency: (row: Row) => string | undefined
}

const context = (
  settings: StreamSettings,
  header: ReadonlyArray<string>,
  mark: Numerals.Mark,
  typed: boolean
): Context => {
  const columns = settings.columns as Readonly<Record<string, string | undefined>>
  const format = settings.date_format ?? "yyyy-MM-dd"
  const parse = Dates.reader(format)
  const iso = Dates.reader("yyyy-MM-dd")
  const at = (name: string) => (columns[name] === undefined ? -1 : find(header, columns[name]!))
  const currencyAt = at("currency")
  const cell = (row: Row, index: number) => (index < 0 ? "" : (row.cells[index] ?? "").trim())
  return {
    header,
    at,
    cell,
    day: (row, index, column) => {
      const text = cell(row, index)
      const day =
        parse(text) ??
        (typed ? (iso(text) ?? (/^\d+(\.\d+)?$/.test(text) ? Dates.fromSerial(Number(text)) : undefined)) : undefined)
      if (day !== undefined) return day
      if (text === "") throw new Unreadable("is empty; a date is needed", column)
      throw new Unreadable(
        `${JSON.stringify(text)} is not a date written ${format}; set date_format, or correct it`,
        column,
        true
      )
    },
    money: (row, index, column, currency) => {
      const text = cell(row, index)
      if (text === "") return undefined
      const amount = Numerals.parse(text, mark, Currency.decimals(currency))
      if (typeof amount === "string") {
        throw new Unreadable(
          `${JSON.stringify(text)} ${amount}${amount.includes("places") ? ` (${currency})` : `, with ${JSON.stringify(mark)} as the decimal mark`}`,
          column
        )
      }
      return amount
    },
    currency: (row) => {
      const text = currencyAt < 0 ? "" : cell(row, currencyAt).toUpperCase()
      const code = text === "" ? settings.currency : text
      if (code !== undefined && !Currency.isCurrency(code)) {
        throw new Unreadable(`${JSON.stringify(code)} is no currency of ISO 4217`, columns["currency"] ?? "currency")
      }
      return code
    }
  }
}

/** The index of a column, by its name, or by its name in another case. */
export const find = (header: ReadonlyArray<string>, name: string): number => {
  const exact = header.indexOf(name.trim())
  return exact >= 0 ? exact : header.findIndex((one) => one.toLowerCase() === name.trim().toLowerCase())
}

type Decode = (row: Row) => Decoded

const needed = (text: string, column: string): string => {
  if (text === "") throw new Unreadable("is empty; it is needed", column)
  return text
}

const invoices = (settings: InvoiceSettings, context: Context): Decode => {
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
      ...(extras.length === 0
        ? {}
        : { metadata: Object.fromEntries(extras.map(([name, index]) => [name, cell(row, index)])) })
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

const optional = <Name extends string>(name: Name, value: string): { readonly [N in Name]?: string } =>
  (value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: string }

const STATUSES: ReadonlyArray<string> = ["draft", "open", "paid", "void"]

const statusOf = (text: string, { columns, statuses }: InvoiceSettings): Invoice["status"] => {
  if (text === "") return "open"
  const mapped = statuses?.[text] ?? (STATUSES.includes(text.toLowerCase()) ? text.toLowerCase() : undefined)
  if (mapped === undefined) {
    throw new Unreadable(
      `${JSON.stringify(text)} is not draft, open, paid or void; map it under statuses`,
      columns.status
    )
  }
  return mapped as Invoice["status"]
}

const METHODS: ReadonlyArray<string> = ["unknown", "bank", "card", "cash"]

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
    const country = countries?.[text] ?? Country.parse(text)
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

const payments = (settings: PaymentSettings, context: Context): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const [id, invoice, date, amount, type, code, details, method, payment] = [
    "id",
    "invoice",
    "date",
    "amount",
    "type",
    "provider_code",
    "details",
    "method",
    "payment"
  ].map(at) as [number, number, number, number, number, number, number, number, number]
  return (row) => {
    const source = needed(cell(row, id), columns.id!)
    const about = needed(cell(row, invoice), columns.invoice!)
    const currency = context.currency(row)
    const value = context.money(row, amount, columns.amount!, currency ?? "KWD")
    if (value === undefined) throw new Unreadable("is empty; an amount is needed", columns.amount)
    if (value === 0n) throw new Unreadable("is zero; nothing was paid", columns.amount)
    const shared = {
      id: `${source}/${about}`,
      date: context.day(row, date, columns.date!),
      ...(currency === undefined ? {} : { currency }),
      shares: [{ invoice: about, amount: value < 0n ? -value : value }]
    }
    if (value > 0n) {
      const how = cell(row, method)
      const mapped = settings.methods?.[how] ?? (METHODS.includes(how.toLowerCase()) ? how.toLowerCase() : undefined)
      const document: Payment = {
        kind: "payment",
        ...shared,
        ...(mapped === undefined ? {} : { method: mapped as "bank" })
      }
      return { documents: [document] }
    }
    const document: Reversal = {
      kind: "reversal",
      ...shared,
      ...optional("payment", cell(row, payment)),
      type: typeOf(cell(row, type), settings),
      ...optional("providerCode", cell(row, code)),
      ...optional("details", cell(row, details))
    }
    return { documents: [document] }
  }
}

const typeOf = (text: string, { columns, types }: PaymentSettings): ReversalType => {
  if (text === "") return "unknown"
  const mapped = types?.[text] ?? (REVERSAL_TYPES.includes(text.toLowerCase()) ? text.toLowerCase() : undefined)
  if (mapped === undefined || mapped === "settlement") {
    throw new Unreadable(
      `${JSON.stringify(text)} is no type of reversal (${REVERSAL_TYPES.join(", ")}); map it under types`,
      columns.type
    )
  }
  return mapped as ReversalType
}

const creditNotes = (settings: CreditNoteSettings, context: Context): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const [id, invoice, date, gross, net] = ["id", "invoice", "date", "gross", "net"].map(at) as [
    number,
    number,
    number,
    number,
    number
  ]
  return (row) => {
    const source = needed(cell(row, id), columns.id!)
    const about = needed(cell(row, invoice), columns.invoice!)
    const currency = context.currency(row)
    const amount = context.money(row, gross, columns.gross!, currency ?? "KWD")
    if (amount === undefined || amount === 0n)
      throw new Unreadable("is empty or zero; an amount is needed", columns.gross)
    const netAmount = net < 0 ? undefined : context.money(row, net, columns.net!, currency ?? "KWD")
    const positive = (value: bigint) => (value < 0n ? -value : value)
    const document: CreditNote = {
      kind: "credit_note",
      id: `${source}/${about}`,
      date: context.day(row, date, columns.date!),
      ...(currency === undefined ? {} : { currency }),
      shares: [
        { invoice: about, amount: positive(amount), ...(netAmount === undefined ? {} : { net: positive(netAmount) }) }
      ]
    }
    return { documents: [document] }
  }
}

const KINDS: Readonly<Record<Stream, Kind>> = { invoices: "invoice", payments: "payment", credit_notes: "credit_note" }

export interface Batch {
  readonly read: Array<Read>
  readonly setAside: Array<SetAside>
  readonly notices: Array<Notice>
  /** Rows that failed on a date, and rows that did not fail: for telling a wrong format from a wrong row. */
  badDates: number
}

/** Compiles the settings of a stream against a file's header. */
export const compile = (
  stream: Stream,
  settings: StreamSettings,
  {
    file,
    header,
    mark,
    typed
  }: {
    readonly file: string
    readonly header: ReadonlyArray<string>
    readonly mark: Numerals.Mark
    readonly typed: boolean
  }
): ((rows: ReadonlyArray<Row>) => Batch) => {
  const within = context(settings, header, mark, typed)
  const decode: Decode =
    stream === "invoices"
      ? invoices(settings as InvoiceSettings, within)
      : stream === "payments"
        ? payments(settings as PaymentSettings, within)
        : creditNotes(settings as CreditNoteSettings, within)
  const idAt = within.at("id")
  const kind = KINDS[stream]
  return (rows) => {
    const batch: Batch = { read: [], setAside: [], notices: [], badDates: 0 }
    for (const row of rows) {
      const origin = `${file}:${row.line}`
      try {
        if (row.problem !== undefined) throw new Unreadable(row.problem)
        const { documents, notice } = decode(row)
        for (const document of documents) batch.read.push({ document, raw: row.raw, origin })
        if (notice !== undefined) batch.notices.push({ origin, what: notice })
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        if (cause.date) batch.badDates++
        const id = row.problem === undefined ? within.cell(row, idAt) : ""
        batch.setAside.push({
          kind,
          origin,
          raw: row.raw,
          why: cause.why,
          ...(cause.field === undefined ? {} : { field: cause.field }),
          ...(id === "" ? {} : { id })
        })
      }
    }
    return batch
  }
}
