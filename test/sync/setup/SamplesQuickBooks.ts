/** Reports of QuickBooks Online: titles padded to the table's width, an empty line, groups by customer, a timestamp at the end. */
import {
  counted,
  csv,
  day,
  english,
  INVOICE_SUMS,
  type Invoice,
  OPEN,
  paid,
  PAYMENT_SUMS,
  type Sample,
  sumOf
} from "./Exports.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const DATES = "MM/dd/yyyy"

const report = (title: string, header: ReadonlyArray<string>, body: Rows): string => {
  const wide = (text: string) => [text, ...header.slice(1).map(() => "")]
  const above = csv([wide("Harbour Tea Wholesale Ltd"), wide(title), wide("January 1-March 31, 2026")])
  const below = csv([wide(" Tuesday, March 31, 2026 09:30 PM GMT-04:00")])
  return `${above}\r\n${csv([header, ...body])}\r\n\r\n\r\n${below}`
}

/** The customers, each with its invoices and the payments of them. */
const CUSTOMERS = [...new Set(counted.map(({ customer }) => customer))].map((customer) => {
  const invoices = counted.filter((one) => one.customer === customer)
  return { customer, invoices, payments: paid.filter(([, of]) => invoices.some(({ no }) => no === of)) }
})

const posting = (one: Invoice) => [day(one.issued, DATES), "Invoice", one.no, "Yes"]
const RECEIVABLES = "Accounts Receivable (A/R)"

/** The sum that the report shows of its rows, whatever they are. */
const shown = (rows: Rows): string => `$${english(sumOf(rows.map((row) => (row.at(-1) ?? "").replaceAll(",", ""))))}`

const BY_DATE: Rows = CUSTOMERS.flatMap(({ customer, invoices, payments }) => [
  ...invoices.map((one) => [...posting(one), customer, "", RECEIVABLES, "Sales", english(one.gross)]),
  ...payments.map(([, of, date, amount]) => {
    const row = [day(date, DATES), "Payment", "", "Yes", customer, of]
    return [...row, "Imaginary Checking", RECEIVABLES, english(amount)]
  })
])

const sample = (name: string, preset: string, file: string, text: string, open?: string): Sample => ({
  name,
  preset,
  files: { [file]: text },
  answers: { currency: "USD" },
  sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS },
  currencies: ["USD"],
  ...(open === undefined ? {} : { open })
})

export const quickbooks: ReadonlyArray<Sample> = [
  sample(
    "QuickBooks, Transaction List by Customer with open balances, without accounts",
    "quickbooks-transactions",
    "Transaction List by Customer.csv",
    report(
      "Transaction List by Customer",
      ["", "Date", "Transaction type", "Num", "Memo/Description", "Due date", "Amount", "Open balance"],
      CUSTOMERS.flatMap(({ customer, invoices, payments }) => [
        [customer, "", "", "", "", "", "", ""],
        ...invoices.map((one) => {
          const [issued, due] = [day(one.issued, DATES), day(one.due, DATES)]
          return ["", issued, "Invoice", one.no, "", due, english(one.gross), english(one.open)]
        }),
        ...payments.map(([, of, date, amount]) => {
          return ["", day(date, DATES), "Payment", "", of, "", `-${english(amount)}`, "0.00"]
        })
      ])
    ),
    OPEN
  ),
  sample(
    "QuickBooks, Transaction List by Customer, whose payments name the bank account or receivables",
    "quickbooks-postings",
    "Transaction List by Customer.csv",
    report(
      "Transaction List by Customer",
      ["", "Date", "Transaction type", "Num", "Posting (Y/N)", "Memo/Description", "Account full name", "Amount"],
      CUSTOMERS.flatMap(({ customer, invoices, payments }) => {
        const rows = [
          ...invoices.map((one) => ["", ...posting(one), "", RECEIVABLES, english(one.gross)]),
          ...payments.map(([id, of, date, amount]) => {
            const row = ["", day(date, DATES), "Payment", "", "Yes", of]
            return id === "PAY-2"
              ? [...row, `${RECEIVABLES} - USD`, `-${english(amount)}`]
              : [...row, "Checking", english(amount)]
          })
        ]
        const total = [`Total for ${customer}`, "", "", "", "", "", "", shown(rows)]
        return [[customer, "", "", "", "", "", "", ""], ...rows, total]
      })
    )
  ),
  sample(
    "QuickBooks, Transaction List by Date, with the customer in a column",
    "quickbooks-postings",
    "Transaction List by Date.csv",
    report(
      "Transaction List by Date",
      ["Date", "Transaction type", "Num", "Posting (Y/N)", "Name", "Memo", "Account name", "Split", "Amount"],
      [...BY_DATE, ["TOTAL", "", "", "", "", "", "", "", shown(BY_DATE)]]
    )
  ),
  sample(
    "QuickBooks, Invoices and Received Payments",
    "quickbooks-received",
    "Invoices and Received Payments.csv",
    report(
      "Invoices and Received Payments",
      ["", "Date", "Transaction type", "Memo/Description", "Transaction number", "Amount"],
      CUSTOMERS.flatMap(({ customer, invoices, payments }) => [
        [customer, "", "", "", "", ""],
        ...payments.map(([, of, date, amount]) => ["", day(date, DATES), "Payment", of, "", english(amount)]),
        ...invoices.map((one) => ["", day(one.issued, DATES), "Invoice", "", one.no, english(one.gross)])
      ])
    )
  )
]
