/** The shape of the words of one language: what columns, states, types of documents and files are called. */
/** What a column may hold, whatever the kind of the documents. */
export const ROLES = [
  "invoice",
  "document",
  "key",
  "payment",
  "credit",
  "original",
  "party",
  "party_id",
  "country",
  "regnum",
  "vat",
  "issued",
  "date",
  "paid_on",
  "due",
  "terms",
  "net",
  "tax",
  "gross",
  "amount",
  "paid",
  "balance",
  "paid_in",
  "paid_out",
  "currency",
  "status",
  "type",
  "method",
  "text",
  "code",
  "reason",
  "order",
  "quantity"
] as const
export type Role = (typeof ROLES)[number]

export type InvoiceState = "draft" | "open" | "paid" | "void"

/** What a row may be, where a column says so of each. */
export type RowType = "invoice" | "credit_note" | "payment" | "refund"

/** Words of one language; the likelier ones of a role first, divided by `|`. */
export interface Vocabulary {
  /** ISO 639-1. */
  readonly code: string
  readonly headings: Partial<Readonly<Record<Role, string>>>
  readonly states: Readonly<Record<InvoiceState, string>>
  readonly types: Readonly<Record<RowType, string>>
  /** What a bank writes of money that goes back, within longer texts. */
  readonly returned: string
  /** How a file of payments, or of credit notes, may be called or titled. */
  readonly titles: Readonly<Record<"invoices" | "payments" | "credit_notes" | "orders", string>>
}
