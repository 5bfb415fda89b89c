/**
 * What a configuration says of tables, wherever they are kept: which of their columns is which of our fields, and how
 * what stands in them is written. Each connector adds where its tables are.
 */
import { Schema } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Country from "../../core/wire/Country.ts"
import * as Dates from "./Dates.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey
const map = Schema.Record(Schema.String, Schema.String)
export const said = (what: string) => text.annotateKey({ messageMissingKey: `is missing; write ${what}` })

/** How the cells of any stream are written. */
const WRITING = {
  /** `yyyy-MM-dd` unless given; `yyyy yy MM M MMM dd d` and any separators. */
  date_format: maybe(text.check(Schema.makeFilter((format: string) => Dates.wrongFormat(format) ?? true))),
  /** Found from the values unless given. */
  decimal: maybe(Schema.Literals([".", ","])),
  /** What stands in a cell that has nothing to say, like "N/A". Empty cells need not be named. */
  null_values: maybe(Schema.Array(Schema.String)),
  /** ISO 4217, for tables without a column for it. */
  currency: maybe(
    text.check(
      Schema.makeFilter(
        (code: string) => Currency.isCurrency(code.toUpperCase()) || 'write a code of ISO 4217, like "GBP"'
      )
    )
  )
}

const isCountry = (name: string) =>
  Country.parse(name) !== undefined || 'write a country of ISO 3166-1, like "GB" or "United Kingdom"'

const METHODS = maybe(Schema.Record(Schema.String, Schema.Literals(["unknown", "bank", "card", "cash"])))

/** Ours on the left, the table's on the right. */
const columns = <const Names extends ReadonlyArray<string>>(required: ReadonlyArray<string>, names: Names) =>
  Schema.Struct(
    Object.fromEntries(
      names.map((name) => [
        name,
        required.includes(name) ? said(`the name of the column for it, like ${JSON.stringify(name)}`) : maybe(text)
      ])
    ) as {
      readonly [Name in Names[number]]: Schema.optionalKey<Schema.NonEmptyString>
    }
  ).annotateKey({ messageMissingKey: `is missing; write which column is which, like { "id": "Invoice" }` })

const INVOICES = {
  ...WRITING,
  columns: columns(
    ["id", "customer", "issued", "due"],
    [
      "id",
      "number",
      "customer",
      "customer_id",
      "customer_country",
      "customer_regnum",
      "customer_vat",
      "customer_address",
      "customer_company",
      "issued",
      "due",
      "net",
      "gross",
      "currency",
      "status",
      "settled",
      "method"
    ]
  ).check(
    Schema.makeFilter((columns: { readonly net?: string; readonly gross?: string }) =>
      columns.net !== undefined || columns.gross !== undefined ? true : "name a column for net or for gross (or both)"
    )
  ),
  /** Values of the status column to ours: draft, open, paid, void. */
  statuses: maybe(Schema.Record(Schema.String, Schema.Literals(["draft", "open", "paid", "void"]))),
  /** Values of the country column to countries of ISO 3166-1. */
  countries: maybe(Schema.Record(Schema.String, text.check(Schema.makeFilter(isCountry)))),
  /** A country that is not known is left out, with a notice; or the invoice is quarantined. */
  unknown_country: maybe(Schema.Literals(["leave out", "quarantine"])),
  /** The country of every customer for whom no column tells it. */
  customer_country: maybe(text.check(Schema.makeFilter(isCountry))),
  /** Columns that go along as metadata, by the name they get. */
  metadata: maybe(map),
  /** Values of the method column to bank, card, cash or unknown. */
  methods: METHODS
}

const TYPES = ["chargeback", "refund", "error", "unknown", "other"] as const

const PAYMENTS = {
  ...WRITING,
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
      "customer_id"
    ]
  ).check(
    // A statement of a bank names no invoices: another connection's are found by what it says.
    Schema.makeFilter(({ customer, invoice, reference }: { readonly [column: string]: string | undefined }) =>
      invoice !== undefined || reference !== undefined || customer !== undefined
        ? true
        : "name a column for invoice; or, where they pay the invoices of another connection, for reference or customer"
    )
  ),
  /** Values of the type column to a reversal's type. */
  types: maybe(Schema.Record(Schema.String, Schema.Literals([...TYPES, "settlement"]))),
  /** Values of the method column to bank, card, cash or unknown. */
  methods: METHODS
}

const CREDIT_NOTES = {
  ...WRITING,
  columns: columns(["id", "invoice", "date", "gross"], ["id", "invoice", "date", "gross", "net", "currency"])
}

/** For orders that are created on the service: who orders, where it goes, what each line is. */
const BUYER = [
  "buyer",
  "buyer_id",
  "email",
  "contact",
  "phone",
  "buyer_company",
  "buyer_regnum",
  "buyer_vat",
  "buyer_address",
  "buyer_country",
  "buyer_since",
  "delivery_name",
  "delivery_line1",
  "delivery_line2",
  "delivery_city",
  "delivery_postcode",
  "delivery_country",
  "invoicing_name",
  "invoicing_line1",
  "invoicing_line2",
  "invoicing_city",
  "invoicing_postcode",
  "invoicing_country",
  "sku",
  "category",
  "tax",
  "supplier",
  "supplier_id"
] as const

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
      ...BUYER
    ]
  ),
  /** Columns that go along as metadata, by the name they get. */
  metadata: maybe(map),
  /** Values of the status column to ours: open, closed, cancelled. */
  statuses: maybe(Schema.Record(Schema.String, Schema.Literals(["open", "closed", "cancelled"]))),
  /** Values of the type column to ours: product, shipping, fee, discount. */
  types: maybe(Schema.Record(Schema.String, Schema.Literals(["product", "shipping", "fee", "discount"])))
}

/** Parcels, cancellations and returns: a row is a line; rows of one id follow each other. */
const FULFILMENTS = {
  ...WRITING,
  columns: columns(["id", "order", "date"], ["id", "order", "date", "line", "quantity", "currency"])
}

/** `amount` stands in place of what the lines come to, or, without lines, for a discount after the sale. */
const ORDER_FACTS = {
  ...WRITING,
  columns: columns(["id", "order", "date"], ["id", "order", "date", "line", "quantity", "amount", "currency"])
}

/** In the order in which they are read. */
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

/**
 * The settings of all streams. `where` is what each says of its table's place; at least one stream must be named.
 *
 * @param also what stands beside the streams
 */
export const settings = <const Where extends Schema.Struct.Fields, const Also extends Schema.Struct.Fields>(
  where: Where,
  also: Also
) =>
  Schema.Struct({
    ...also,
    invoices: maybe(Schema.Struct({ ...where, ...INVOICES })),
    payments: maybe(Schema.Struct({ ...where, ...PAYMENTS })),
    credit_notes: maybe(Schema.Struct({ ...where, ...CREDIT_NOTES })),
    orders: maybe(Schema.Struct({ ...where, ...ORDERS })),
    fulfilments: maybe(Schema.Struct({ ...where, ...FULFILMENTS })),
    cancellations: maybe(Schema.Struct({ ...where, ...ORDER_FACTS })),
    returns: maybe(Schema.Struct({ ...where, ...ORDER_FACTS }))
  }).check(
    Schema.makeFilter((settings: object) =>
      STREAMS.some((stream) => stream in settings)
        ? true
        : "name at least one of invoices, payments, credit_notes, orders, fulfilments, cancellations, returns"
    )
  )

const Plain = settings({}, {})

/** The settings of one stream, whichever it is. */
export type StreamSettings = NonNullable<(typeof Plain.Type)[Stream]>

export type InvoiceSettings = NonNullable<(typeof Plain.Type)["invoices"]>
export type PaymentSettings = NonNullable<(typeof Plain.Type)["payments"]>
export type CreditNoteSettings = NonNullable<(typeof Plain.Type)["credit_notes"]>
export type OrderStreamSettings = NonNullable<(typeof Plain.Type)["orders"]>
export type OrderFactSettings = NonNullable<(typeof Plain.Type)["returns"]>

export const REVERSAL_TYPES: ReadonlyArray<string> = TYPES
