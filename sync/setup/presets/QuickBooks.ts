/**
 * Reports of QuickBooks Online. Their headings are those that public programs read and their tests repeat; QuickBooks has
 * changed some of them over time ("Posting" was "Posting (Y/N)", "Account" was "Account full name"), so that both are known.
 */
import type { FoundTable, Proposal } from "../Tables.ts"
import { squash } from "../Vocabulary.ts"
import type { Preset } from "./Preset.ts"

const MEMO = ["Memo/Description", "Memo"]
const ACCOUNT = ["Account full name", "Account name", "Account"]
const POSTING = ["Posting (Y/N)", "Posting"]
const TYPE = "Transaction type"
const TYPES = { invoice: { [TYPE]: "Invoice" }, payment: { [TYPE]: "Payment" } }

/** The first of these headings that the table has. */
const headingOf = ({ header }: FoundTable, names: ReadonlyArray<string>): string | undefined =>
  names.find((name) => header.some((cell) => squash(cell) === squash(name)))

/** A list by customer names each customer on a line of its own, in a column without a heading; a list by date in "Name". */
const customerOf = (table: FoundTable) => {
  const name = headingOf(table, ["Name"])
  return name === undefined ? { column: "#1", layout: { fill_down: ["#1"] } } : { column: name, layout: {} }
}

/**
 * A payment has no number. Its amount is negative where the list shows the customer's side of it (receivables, which it
 * lowers), and positive where it shows the account that received it.
 */
const payments = (table: FoundTable, receivables: Readonly<Record<string, unknown>> | undefined): Proposal => {
  const { column, layout } = customerOf(table)
  const memo = headingOf(table, MEMO)
  const paid = TYPES.payment
  return {
    stream: "payments",
    ...layout,
    where: paid,
    columns: {
      id: { content: [column, "Date", ...(memo === undefined ? [] : [memo]), "Amount"] },
      date: "Date",
      ...(memo === undefined ? {} : { reference: memo }),
      customer: column,
      amount: receivables === undefined ? "Amount" : { plus: "Amount", negative: { ...paid, ...receivables } }
    }
  }
}

const invoices = (table: FoundTable, id: string, rest: Readonly<Record<string, string>> = {}): Proposal => {
  const { column, layout } = customerOf(table)
  return {
    stream: "invoices",
    ...layout,
    where: TYPES.invoice,
    columns: { id, customer: column, issued: "Date", gross: "Amount", ...rest }
  }
}

/** With "Open balance", amounts are those of receivables, whatever account is shown. */
const transactions = (table: FoundTable) => {
  const account = headingOf(table, ACCOUNT)
  const owed = headingOf(table, ["Open balance"]) !== undefined
  return [
    invoices(table, "Num", { due: "Due date", balance: "Open balance" }),
    payments(table, owed || account === undefined ? {} : { [account]: { starts: "Accounts Receivable" } })
  ]
}

export const quickbooks: ReadonlyArray<Preset> = [
  {
    name: "quickbooks-invoices",
    title: "QuickBooks, Invoice List",
    needs: ["Date", TYPE, "Num", "Name", "Due date", "Amount", "Open balance"],
    streams: [
      {
        stream: "invoices",
        where: TYPES.invoice,
        columns: {
          id: "Num",
          customer: "Name",
          issued: "Date",
          due: "Due date",
          gross: "Amount",
          currency: "Currency",
          balance: "Open balance"
        }
      }
    ]
  },
  {
    name: "quickbooks-transactions",
    title: "QuickBooks, Transaction List by Customer",
    needs: ["Date", TYPE, "Num", MEMO, "Amount", "Open balance"],
    streams: transactions
  },
  // A list without "Open balance" has the headings of a list by vendor and, almost, of a general ledger: its title decides.
  {
    name: "quickbooks-postings",
    title: "QuickBooks, Transaction List by Customer or by Date, without open balances",
    needs: ["Date", TYPE, "Num", POSTING, MEMO, ACCOUNT, "Amount"],
    above: /Transaction List by (?!Vendor|Supplier|Tag)/i,
    streams: transactions
  },
  {
    name: "quickbooks-received",
    title: "QuickBooks, Invoices and Received Payments",
    needs: ["Date", TYPE, MEMO, "Transaction number", "Amount"],
    above: /Invoices and Received Payments/i,
    streams: (table) => [invoices(table, "Transaction number"), payments(table, undefined)]
  }
]
