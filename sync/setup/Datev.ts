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

/** Charts of accounts: how the accounts of revenue, and of cash, banks and transit begin. */
const SKR03 = { revenue: ["8"], money: ["10", "11", "12", "13"] }
const SKR04 = { revenue: ["4"], money: ["14", "16", "18"] }

/** Customers' accounts are one digit longer than others, and begin with 1 to 6; those of suppliers begin with 7 to 9. */
const CUSTOMERS = ["1", "2", "3", "4", "5", "6"]
const SUPPLIERS = ["7", "8", "9"]

interface Side {
  /** The columns of the customer's account, and of the other one. */
  readonly customer: string
  readonly other: string
  /** What the side says if the customer owes more: S if the customer's account is in Konto. */
  readonly debit: "S" | "H"
  readonly credit: "S" | "H"
}

interface Chart {
  readonly customers: object
  readonly revenue: object
  readonly money: object
}

/** The postings with the customer's account on one side. */
const postings = (
  { credit, customer, debit, other }: Side,
  name: string,
  chart: Chart,
  common: object
): ReadonlyArray<Proposal> => {
  const who = { customer: name === "" ? customer : name, customer_id: customer }
  const note = { id: ["Belegfeld 1", "Belegdatum"], invoice: "Belegfeld 1", date: "Belegdatum", gross: AMOUNT }
  const payment = {
    id: { content: [customer, "Belegfeld 1", "Belegdatum", AMOUNT] },
    invoice: "Belegfeld 1",
    date: "Belegdatum",
    amount: { plus: AMOUNT, negative: { [SIDE]: debit } }
  }
  const of = (accounts: object) => ({ [customer]: chart.customers, [other]: accounts })
  const { currency, ...settings } = common as { readonly currency?: string; readonly columns?: object }
  const columns = settings.columns ?? {}
  const shared = { ...settings, ...(currency === undefined ? {} : { currency }) }
  return [
    {
      ...shared,
      stream: "invoices",
      where: { ...of(chart.revenue), [SIDE]: debit },
      columns: { id: "Belegfeld 1", ...who, issued: "Belegdatum", gross: AMOUNT, ...columns }
    },
    {
      ...shared,
      stream: "credit_notes",
      where: { ...of(chart.revenue), [SIDE]: credit },
      columns: { ...note, ...columns }
    },
    { ...shared, stream: "payments", where: of(chart.money), columns: { ...payment, ...columns } }
  ]
}

/** Postings without a customer's account: between others, and with suppliers. */
const withoutCustomers = (contra: string, length: number): ReadonlyArray<object> => [
  { Konto: { length }, [contra]: { length } },
  { Konto: { starts: SUPPLIERS, length: length + 1 } },
  { [contra]: { starts: SUPPLIERS, length: length + 1 } }
]

/** The posting's text, if it is the same for all of a customer: then it is the customer's name. */
const nameOf = (texts: ReadonlyArray<string>, accounts: ReadonlyArray<string>, isCustomer: RegExp): string => {
  const names = new Map<string, Set<string>>()
  for (const [n, account] of accounts.entries())
    if (isCustomer.test(account)) names.set(account, (names.get(account) ?? new Set()).add(texts[n] ?? ""))
  return [...names.values()].every(({ size }) => size === 1) ? "Buchungstext" : ""
}

export const datev = (table: FoundTable): ReadonlyArray<Proposal> => {
  const first = table.above[0]?.cells ?? []
  const contra = table.header.find((heading) => squash(heading).startsWith("gegenkonto")) ?? "Gegenkonto"
  const at = (heading: string) => table.header.indexOf(heading)
  const length = Number(first[13]) || 4
  const [accounts, others] = [cellsOf(table.rows, at("Konto")), cellsOf(table.rows, at(contra))]
  const isCustomer = new RegExp(`^[1-6]\\d{${length}}$`)
  const used = [...accounts, ...others].filter((one) => one.length === length)
  const named = { "03": SKR03, "04": SKR04 }[first[26] ?? ""]
  const { money, revenue } = named ?? (used.some((one) => one.startsWith("8")) ? SKR03 : SKR04)
  const chart = {
    customers: { starts: CUSTOMERS, length: length + 1 },
    revenue: { starts: revenue, length },
    money: { starts: money, length }
  }
  const common = {
    date_format: "dMM",
    year: { line: table.above[0]?.line ?? 1, cell: 13 },
    ...(/^[A-Z]{3}$/.test(first[21] ?? "") ? { currency: first[21] } : {}),
    ...(at(CURRENCY) < 0 ? {} : { columns: { currency: CURRENCY } })
  }
  const text = cellsOf(table.rows, at("Buchungstext"))
  const all = [
    ...postings(
      { customer: "Konto", other: contra, debit: "S", credit: "H" },
      nameOf(text, accounts, isCustomer),
      chart,
      common
    ),
    ...postings(
      { customer: contra, other: "Konto", debit: "H", credit: "S" },
      nameOf(text, others, isCustomer),
      chart,
      common
    )
  ]
  // Each stream says it: which of them there are depends on which rows a file has.
  return all.map((proposal) => ({ ...proposal, leave_out: withoutCustomers(contra, length) }))
}
