/** Defines the vocabulary of one language: words for columns, states, types of documents and files. */
/** The roles that a column may have, for all kinds of documents. */
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
  "quantity",
  "direction",
  "refunded",
  "applied",
  "unallocated",
  "foreign",
  "home",
  "exchange",
  "fee"
] as const
export type Role = (typeof ROLES)[number]

export type InvoiceState = "draft" | "open" | "paid" | "void"

/** The types of rows, if a column states them. */
export type RowType = "invoice" | "credit_note" | "payment" | "refund" | "left_out"

/** Words of one language; the most likely ones of a role first, separated by `|`. */
export interface Vocabulary {
  /** ISO 639-1. */
  readonly code: string
  readonly headings: Partial<Readonly<Record<Role, string>>>
  readonly states: Readonly<Record<InvoiceState, string>>
  readonly types: Readonly<Record<RowType, string>>
  /** Words in bank texts that mark returned money. */
  readonly returned: string
  /** Names and titles of files of each kind. */
  readonly titles: Readonly<Record<"invoices" | "payments" | "credit_notes" | "orders", string>>
}
