/** Declares the settings of tables, wherever they are: which column is which field, and how cells are written. */
import { Schema } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Country from "../../core/wire/Country.ts"
import * as CountryNames from "../../core/wire/CountryNames.ts"
import * as Dates from "./Dates.ts"
import { DATE_FORMATS, hasYear } from "./DateFormats.ts"
import * as Expressions from "./Expressions.ts"
import { PAYMENT_STATES } from "./PaymentStates.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey
const map = Schema.Record(Schema.String, Schema.String)
export const said = (what: string) => text.annotateKey({ messageMissingKey: `is missing; write ${what}` })

const currency = text.check(
  Schema.makeFilter((code: string) => Currency.isCurrency(code.toUpperCase()) || 'write a code of ISO 4217, like "GBP"')
)

/** How cells are written, in any stream. */
const WRITING = {
  ...DATE_FORMATS,
  /** ISO 639-1: names of months and countries are read in this language and in English. */
  language: maybe(
    text.check(
      Schema.makeFilter(
        (code: string) => CountryNames.languages.includes(code) || 'write the code of a language, like "de"'
      )
    )
  ),
  /** The seller's time zone, which decides on which day a time with its own zone falls. */
  time_zone: maybe(text.check(Schema.makeFilter((zone: string) => Dates.wrongZone(zone) ?? true))),
  /** For dates without a year: the year, or the line and cell of the file that has it, as DATEV writes it. */
  year: maybe(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 1900, maximum: 2999 }, { message: "write a year, like 2026" })),
      Schema.Struct({ line: Schema.Int, cell: Schema.Int })
    ])
  ),
  /** The decimal mark; detected from the values by default. */
  decimal: maybe(Schema.Literals([".", ","])),
  /** Texts that mean an empty cell, like "N/A". Cells that are really empty need not be listed. */
  null_values: maybe(Schema.Array(Schema.String)),
  /** What the table's own signs and names of currencies mean, where they are not clear: { "$": "CAD" }. */
  currencies: maybe(Schema.Record(Schema.String, currency)),
  /** ISO 4217, for tables without a currency column. */
  currency: maybe(currency),
  unused: maybe(Schema.Record(Schema.String, Schema.Literal("any")))
}

const isCountry = (name: string) =>
  Country.parse(name) !== undefined || 'write a country of ISO 3166-1, like "GB" or "United Kingdom"'

/** Maps values of the method column to bank, card, cash or unknown. */
const METHODS = maybe(Schema.Record(Schema.String, Schema.Literals(["unknown", "bank", "card", "cash"])))

/** Fields that may be combined from several columns, and how. */
const EXPRESSIONS = {
  id: Expressions.Id,
  net: Expressions.Amount,
  gross: Expressions.Amount,
  tax_amount: Expressions.Amount,
  amount: Expressions.Amount,
  balance: Expressions.Amount,
  paid: Expressions.Amount,
  credited: Expressions.Amount,
  refunded: Expressions.Amount,
  unallocated: Expressions.Amount,
  total: Expressions.Amount,
  customer: Expressions.Text,
  customer_address: Expressions.Text,
  reference: Expressions.Text,
  status: Expressions.Text,
  details: Expressions.Text,
  description: Expressions.Text
} as const
type Expressed = typeof EXPRESSIONS

/** Our field names on the left, the table's headings on the right. */
const columns = <const Names extends ReadonlyArray<string>>(required: ReadonlyArray<string>, names: Names) =>
  Schema.Struct(
    Object.fromEntries(
      names.map((name) => {
        const value = name in EXPRESSIONS ? EXPRESSIONS[name as keyof Expressed] : text
        const hint = `is missing; write the name of the column for it, like ${JSON.stringify(name)}`
        return [name, required.includes(name) ? value.annotateKey({ messageMissingKey: hint }) : maybe(value)]
      })
    ) as {
      readonly [Name in Names[number]]: Schema.optionalKey<
        Name extends keyof Expressed ? Expressed[Name] : Schema.NonEmptyString
      >
    }
  ).annotateKey({ messageMissingKey: `is missing; write which column is which, like { "id": "Invoice" }` })

const DAYS = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3650 }, { message: "write a number of days" }))
const UNUSED = ["empty", "zero", "whole", "any"] as const
export type Unused = (typeof UNUSED)[number]

const INVOICES = {
  ...WRITING,
  columns: columns(
    ["id", "customer", "issued"],
    [
      "id",
      "number",
      "reference",
      "customer",
      "customer_id",
      "customer_country",
      "customer_regnum",
      "customer_vat",
      "customer_address",
      "customer_company",
      "issued",
      "due",
      "terms",
      "net",
      "gross",
      "tax_amount",
      "currency",
      "status",
      "settled",
      "method",
      "balance",
      "paid",
      "credited",
      "credits"
    ]
  ).check(
    Schema.makeFilter((columns: { readonly net?: unknown; readonly gross?: unknown }) =>
      columns.net !== undefined || columns.gross !== undefined ? true : "name a column for net or for gross (or both)"
    )
  ),
  /** Days from issue to due date, for tables without a due date column; or the meaning of each text of `terms`. */
  terms_days: maybe(Schema.Union([DAYS, Schema.Record(Schema.String, DAYS)])),
  /** What a row with a negative amount is; by default an invoice, which is read but not sent. */
  negative: maybe(Schema.Literals(["credit_note"])),
  /** Maps values of the status column to draft, open, paid or void. */
  statuses: maybe(Schema.Record(Schema.String, Schema.Literals(["draft", "open", "paid", "void"]))),
  /** Maps values of the country column to ISO 3166-1 countries. */
  countries: maybe(Schema.Record(Schema.String, text.check(Schema.makeFilter(isCountry)))),
  /** Whether an unknown country is left out, with a notice, or the invoice is quarantined. */
  unknown_country: maybe(Schema.Literals(["leave out", "quarantine"])),
  /** The country of every customer without one in a column. */
  customer_country: maybe(text.check(Schema.makeFilter(isCountry))),
  /** Columns sent as metadata, by their name there. */
  metadata: maybe(map),
  /** Columns that no field uses, by what all of their cells said when that was decided; "any": whatever they say. */
  unused: maybe(Schema.Record(Schema.String, Schema.Literals(UNUSED))),
  methods: METHODS
}

export const REVERSAL_TYPES = ["chargeback", "refund", "error", "unknown", "other"] as const

/** What the column `invoice` has, where an id of one invoice may be the number of another. */
const NAMES = maybe(Schema.Literals(["id", "number"]))

const PAYMENTS = {
  ...WRITING,
  names: NAMES,
  columns: columns(
    ["id", "date", "amount"],
    [
      "id",
      "invoice",
      "date",
      "amount",
      "currency",
      "type",
      "provider_code",
      "details",
      "method",
      "payment",
      "reference",
      "customer",
      "customer_id",
      "balance",
      "account",
      "fee",
      "status",
      "refunded",
      "unallocated",
      "total"
    ]
  ).check(
    // A bank statement names no invoices: those of another connection are matched by its texts.
    Schema.makeFilter(({ customer, invoice, reference }: { readonly [column: string]: unknown }) =>
      invoice !== undefined || reference !== undefined || customer !== undefined
        ? true
        : "name a column for invoice; or, where they pay the invoices of another connection, for reference or customer"
    )
  ),
  /** Maps values of the status column to received, pending, failed, refunded or charged_back. */
  statuses: maybe(Schema.Record(Schema.String, Schema.Literals(PAYMENT_STATES))),
  /** Maps values of the type column to a reversal's type. */
  types: maybe(Schema.Record(Schema.String, Schema.Literals([...REVERSAL_TYPES, "settlement"]))),
  methods: METHODS
}

const CREDIT_NOTES = {
  ...WRITING,
  names: NAMES,
  columns: columns(
    ["id", "invoice", "date", "gross"],
    ["id", "invoice", "date", "gross", "net", "tax_amount", "currency"]
  )
}

/** Members of a buyer, for orders created on the service, each with its column. */
export const OF_BUYER = {
  id: "buyer_id",
  contact: "contact",
  phone: "phone",
  company: "buyer_company",
  regnum: "buyer_regnum",
  vat: "buyer_vat",
  address: "buyer_address",
  country: "buyer_country"
} as const
export const OF_SUPPLIER = { id: "supplier_id", name: "supplier" } as const
/** Members of an address, whose columns begin with what it is for: `delivery_city`. */
export const OF_ADDRESS = ["name", "line1", "line2", "city", "postcode", "country"] as const
/** Members of a line by which the service classifies it. */
export const OF_LINE = ["sku", "category", "tax"] as const

const ORDERS = {
  ...WRITING,
  columns: columns(
    ["id", "placed", "gross"],
    [
      "id",
      "number",
      "placed",
      "status",
      "currency",
      "line",
      "type",
      "quantity",
      "gross",
      "description",
      "deferred_payment",
      "service_order",
      "shipped",
      "cancelled",
      "refunded",
      "total_now",
      "outstanding",
      "paid_otherwise",
      ...(["buyer", "email", "buyer_since"] as const),
      ...Object.values(OF_BUYER),
      ...OF_ADDRESS.map((member) => `delivery_${member}` as const),
      ...OF_ADDRESS.map((member) => `invoicing_${member}` as const),
      ...OF_LINE,
      ...Object.values(OF_SUPPLIER)
    ]
  ),
  /** Columns sent as metadata, by their name there. */
  metadata: maybe(map),
  /** Maps values of the status column to open, closed or cancelled. */
  statuses: maybe(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** Maps values of the type column to product, shipping, fee or discount. */
  types: maybe(Schema.Record(Schema.String, Schema.Literals(["product", "shipping", "fee", "discount"])))
}

/** Parcels, cancellations and returns: a row is a line, and rows with one id are adjacent. */
const FULFILMENTS = {
  ...WRITING,
  columns: columns(
    ["id", "order", "date"],
    ["id", "order", "date", "line", "quantity", "currency", "tracking", "carrier", "tracking_url"]
  )
}

/** `amount` replaces the amount computed from the lines, 0 too; without lines, it is a discount after the sale. */
const ORDER_FACTS = {
  ...WRITING,
  columns: columns(
    ["id", "order", "date"],
    ["id", "order", "date", "line", "quantity", "amount", "currency", "method"]
  ),
  /** Maps values of the method column: money by another method than the deferred payment's is not given back here. */
  methods: maybe(Schema.Record(Schema.String, Schema.Literals(["deferred", "other"])))
}

/** In reading order. */
export const STREAMS = [
  "invoices",
  "credit_notes",
  "payments",
  "orders",
  "fulfilments",
  "cancellations",
  "returns"
] as const
export type Stream = (typeof STREAMS)[number]

/** An invoice needs a due date, from a column or computed. */
const isDue = Schema.makeFilter((settings: object) => {
  const one = settings as { readonly columns: object; readonly terms_days?: unknown }
  return "due" in one.columns || one.terms_days !== undefined || "terms" in one.columns
    ? true
    : {
        path: ["columns", "due"],
        issue: 'is missing; write the name of the column for it, like "due", or set terms_days'
      }
})

/** The settings of each stream. `where` adds the settings for its table's place. */
export const streams = <const Where extends Schema.Struct.Fields>(where: Where) => ({
  invoices: Schema.Struct({ ...where, ...INVOICES }).check(isDue, hasYear),
  payments: Schema.Struct({ ...where, ...PAYMENTS }).check(hasYear),
  credit_notes: Schema.Struct({ ...where, ...CREDIT_NOTES }).check(hasYear),
  orders: Schema.Struct({ ...where, ...ORDERS }).check(hasYear),
  fulfilments: Schema.Struct({ ...where, ...FULFILMENTS }).check(hasYear),
  cancellations: Schema.Struct({ ...where, ...ORDER_FACTS }).check(hasYear),
  returns: Schema.Struct({ ...where, ...ORDER_FACTS }).check(hasYear)
})

/** Requires at least one stream. */
export const named = Schema.makeFilter((settings: object) =>
  STREAMS.some((stream) => stream in settings)
    ? true
    : "name at least one of invoices, payments, credit_notes, orders, fulfilments, cancellations, returns"
)

const ANY = streams({})

/** The settings as written in the configuration, for any connector. */
export type Written = { readonly [S in Stream]: (typeof ANY)[S]["Type"] }[Stream]

/** The settings as used for reading rows: fields combined from several columns have one column. */
type Read<Of extends { readonly columns: object }> = Omit<Of, "columns"> & {
  readonly columns: { readonly [Name in keyof Of["columns"]]: Extract<Of["columns"][Name], string | undefined> }
}

export type InvoiceSettings = Read<(typeof ANY)["invoices"]["Type"]>
export type PaymentSettings = Read<(typeof ANY)["payments"]["Type"]>
export type CreditNoteSettings = Read<(typeof ANY)["credit_notes"]["Type"]>
export type OrderStreamSettings = Read<(typeof ANY)["orders"]["Type"]>
export type OrderFactSettings = Read<(typeof ANY)["returns"]["Type"]>
export type FulfilmentSettings = Read<(typeof ANY)["fulfilments"]["Type"]>

/** The settings of any one stream. */
export type StreamSettings =
  | InvoiceSettings
  | PaymentSettings
  | CreditNoteSettings
  | OrderStreamSettings
  | OrderFactSettings
  | FulfilmentSettings
