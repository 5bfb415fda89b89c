/** What a person knows and no file says. Each is asked for only where it is needed. */
import type { InvoiceState } from "./Vocabulary.ts"

/** What the rows of a table may be; a statement is a bank's. */
export type TableKind = "invoices" | "payments" | "credit_notes" | "orders" | "statement"

export interface SetupAnswers {
  /** ISO 4217, of amounts whose table does not say it. */
  readonly currency?: string
  /** Where dates fit both ways. */
  readonly dates?: "day first" | "month first"
  readonly decimal?: "." | ","
  /** Days after issue on which invoices are due that do not say it. */
  readonly terms_days?: number
  /** Where times have a zone of their own. */
  readonly time_zone?: string
  /** A preset, whatever the headings look like. */
  readonly preset?: string
  /** By path. */
  readonly kinds?: Readonly<Record<string, TableKind>>
  /** `gross` or `invoices.gross`, to a heading. */
  readonly columns?: Readonly<Record<string, string>>
  /** A text of the status column, to what it means. */
  readonly statuses?: Readonly<Record<string, InvoiceState | "closed" | "cancelled">>
  /** The country of customers without one. */
  readonly country?: string
  /** Settings of a source other than files. */
  readonly set?: Readonly<Record<string, string>>
  /** The seller's name. */
  readonly name?: string
  /** The connection's id; `books` unless given. */
  readonly id?: string
}
