/** How a program's list of invoices is written down here. */
import { csv, INVOICE_SUMS, type Invoice, INVOICES, OPEN, state } from "../Exports.ts"
import type { SetupAnswers } from "../../../../sync/setup/Answers.ts"
import type { Layout } from "./Movements.ts"

interface List {
  readonly name: string
  readonly source: string
  readonly header: string
  readonly mark?: string
  readonly row: (one: Invoice) => ReadonlyArray<string>
  readonly answers?: SetupAnswers
  readonly hasBalance?: boolean
  /** A date says which were paid. */
  readonly hasPaid?: boolean
}

/** A program's list of the invoices. */
export const list = ({
  answers,
  hasBalance = false,
  hasPaid = false,
  header,
  mark = ",",
  name,
  row,
  source
}: List): Layout => ({
  name,
  source,
  files: { "invoices.csv": `${header}\r\n${csv(INVOICES.map(row), mark)}` },
  ...(answers === undefined ? {} : { answers }),
  // Paid without a balance: 1,190.00 and 78.30.
  sums: hasPaid ? { ...INVOICE_SUMS, payment: [2, "1268.30"] } : INVOICE_SUMS,
  ...(hasBalance ? { open: OPEN } : {})
})

export const words = (draft: string, open: string, isPaid: string, isVoid: string) => (one: Invoice) =>
  state({ draft, open, paid: isPaid, void: isVoid }, one)

export const english = words("Draft", "Sent", "Paid", "Void")
