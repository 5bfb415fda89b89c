/**
 * Recognises DATEV's posting batch (EXTF): each row posts from a customer's account to another, and the first line states the
 * currency, the year and the chart of accounts. The chart determines which accounts are revenue and which are money.
 * The headings are those that `ledermann/datev` writes (`lib/datev/base/booking.rb`).
 */
import { cellsOf, type FoundTable, type Proposal } from "./Tables.ts"
import { squash } from "./Vocabulary.ts"

const AMOUNT = "Umsatz (ohne Soll/Haben-Kz)"
const SIDE = "Soll/Haben-Kennzeichen"
/** Of a posting in another currency than the first line says. */
const CURRENCY = "WKZ Umsatz"

/** Charts of accounts: the prefixes of revenue accounts, and of cash, bank and transit accounts. */
const SKR03 = { revenue: /^8\d{3,}$/, money: /^1[0-3]\d{2,}$/ }
const SKR04 = { revenue: /^4\d{3,}$/, money: /^1[468]\d{2,}$/ }

/** What the columns mean, by stream. */
const columnsOf = (currency: { readonly currency?: string }) => ({
  invoices: {
    id: "Belegfeld 1",
    customer: "Buchungstext",
    customer_id: "Konto",
    issued: "Belegdatum",
    gross: AMOUNT,
    ...currency
  },
  notes: {
    id: ["Belegfeld 1", "Belegdatum"],
    invoice: "Belegfeld 1",
    date: "Belegdatum",
    gross: AMOUNT,
    ...currency
  },
  payments: {
    id: { content: ["Konto", "Belegfeld 1", "Belegdatum", AMOUNT] },
    invoice: "Belegfeld 1",
    date: "Belegdatum",
    amount: { plus: AMOUNT, negative: { [SIDE]: "S" } },
    ...currency
  }
})

export const datev = (table: FoundTable): ReadonlyArray<Proposal> => {
  const first = table.above[0]?.cells ?? []
  const contra = table.header.find((heading) => squash(heading).startsWith("gegenkonto")) ?? "Gegenkonto"
  const at = (heading: string) => table.header.indexOf(heading)
  const length = Number(first[13]) || 4
  const accounts = cellsOf(table.rows, at("Konto"))
  const others = cellsOf(table.rows, at(contra))
  /** Customers' accounts are one digit longer than others, and begin with 1 to 6. */
  const customer = new RegExp(`^[1-6]\\d{${length}}$`)
  const used = [...new Set(others.filter((_, n) => customer.test(accounts[n] ?? "")))].filter(
    (one) => one.length <= length
  )
  const named = { "03": SKR03, "04": SKR04 }[first[26] ?? ""]
  const chart = named ?? (used.some((one) => one.startsWith("8")) ? SKR03 : SKR04)
  const revenue = used.filter((one) => chart.revenue.test(one)).toSorted()
  const money = used.filter((one) => chart.money.test(one)).toSorted()
  const columns = columnsOf(at(CURRENCY) < 0 ? {} : { currency: CURRENCY })
  const found = (accounts: ReadonlyArray<string>) => (accounts.length === 1 ? accounts.join() : accounts)
  const common = {
    date_format: "dMM",
    year: { line: table.above[0]?.line ?? 1, cell: 13 },
    ...(/^[A-Z]{3}$/.test(first[21] ?? "") ? { currency: first[21] } : {})
  }
  return [
    { ...common, stream: "invoices", where: { [contra]: found(revenue), [SIDE]: "S" }, columns: columns.invoices },
    { ...common, stream: "credit_notes", where: { [contra]: found(revenue), [SIDE]: "H" }, columns: columns.notes },
    { ...common, stream: "payments", where: { [contra]: found(money) }, columns: columns.payments }
  ]
}
