/** Defines the answers that only a person can give. Each is asked for only if needed. */
import type { InvoiceState } from "./Vocabulary.ts"

/** The contents of a table's rows; a statement is a bank statement. */
export type TableKind = "invoices" | "payments" | "credit_notes" | "orders" | "statement"

export interface SetupAnswers {
  /** ISO 4217, for amounts whose table does not state it. */
  readonly currency?: string
  /** If dates can be read both ways. */
  readonly dates?: "day first" | "month first"
  readonly decimal?: "." | ","
  /** Days from issue to due date, for invoices that state neither terms nor a due date. */
  readonly terms_days?: number
  /** If times have a time zone. */
  readonly time_zone?: string
  /** A preset, whatever the headings are. */
  readonly preset?: string
  /** By path. */
  readonly kinds?: Readonly<Record<string, TableKind>>
  /** Maps `gross` or `invoices.gross` to a heading. */
  readonly columns?: Readonly<Record<string, string>>
  /** Maps a text of the status column to its meaning. */
  readonly statuses?: Readonly<Record<string, InvoiceState | "closed" | "cancelled">>
  /** The country of customers without one. */
  readonly country?: string
  /** Settings of a source other than files. */
  readonly set?: Readonly<Record<string, string>>
  /** The seller's name. */
  readonly name?: string
  /** The connection's id; default `books`. */
  readonly id?: string
}
