/** Defines the answers that only a person can give. Each is asked for only if needed. */
import type { PaymentState } from "../../connectors/tabular/PaymentStates.ts"
import type { InvoiceState, RowType } from "./Vocabulary.ts"

/** The contents of a table's rows; a statement is a bank statement; nothing is not read. */
export type TableKind = "invoices" | "payments" | "credit_notes" | "orders" | "statement" | "nothing"

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
  readonly statuses?: Readonly<Record<string, InvoiceState | PaymentState | "closed" | "cancelled">>
  /** Maps a text of the type column to the rows that it marks. */
  readonly types?: Readonly<Record<string, RowType>>
  /** Which way money went, by the text that says it. */
  readonly directions?: Readonly<Record<string, "in" | "out" | "neither">>
  /** Whether the rows that a column marks are left out, by its heading. */
  readonly left_out?: Readonly<Record<string, "yes" | "no">>
  /** Whether an amount beside net and tax is added to them, by its heading. */
  readonly added?: Readonly<Record<string, "plus" | "minus" | "no">>
  /** The units of amounts whose heading says that they are not the currency's own, by their heading. */
  readonly units?: Readonly<Record<string, "whole" | "hundredths" | "thousands">>
  /** Maps a sign or name of a currency to its code. */
  readonly currencies?: Readonly<Record<string, string>>
  /** Whether the columns of a table without headings are as its contents suggest. */
  readonly headless?: "yes" | "no"
  /** What rows of one number with other amounts are. */
  readonly repeated?: "lines" | "versions"
  /** Whether invoices of one number in two files, of other customers and days, are two: numbers begin anew in each file. */
  readonly numbers?: "anew" | "same"
  /** Whether all money of a statement without signs was received. */
  readonly received?: "yes" | "no"
  /** The country of customers without one. */
  readonly country?: string
  /** Settings of a source other than files. */
  readonly set?: Readonly<Record<string, string>>
  /** The seller's name. */
  readonly name?: string
  /** The connection's id; default `books`. */
  readonly id?: string
}
