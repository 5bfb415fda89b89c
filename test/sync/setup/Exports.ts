/**
 * Books of a seller as programs export them: with titles and totals, in their languages, encodings and ways to write dates
 * and amounts. What each comes to is known, because all are made of the same few invoices.
 */
import * as XLSX from "xlsx"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"

export interface Invoice {
  readonly no: string
  readonly customer: string
  readonly country: string
  /** ISO. */
  readonly issued: string
  readonly due: string
  readonly net: string
  readonly tax: string
  readonly gross: string
  readonly open: string
  readonly state: "draft" | "open" | "paid" | "void"
}

const make = (
  no: number,
  customer: string,
  country: string,
  [issued, due]: readonly [string, string],
  [net, tax, gross, open]: readonly [string, string, string, string],
  state: Invoice["state"]
): Invoice => ({ no: `INV-${no}`, customer, country, issued, due, net, tax, gross, open, state })

export const INVOICES: ReadonlyArray<Invoice> = [
  make(2001, "Müller & Söhne KG", "DE", ["2026-01-05", "2026-02-04"], ["1000.00", "190.00", "1190.00", "0.00"], "paid"),
  make(
    2002,
    "Atelier Nord SARL",
    "FR",
    ["2026-01-09", "2026-02-08"],
    ["2450.50", "490.10", "2940.60", "2940.60"],
    "open"
  ),
  make(2003, "Tern, Tide & Co", "GB", ["2026-01-14", "2026-02-13"], ["80.00", "16.00", "96.00", "96.00"], "open"),
  make(
    2004,
    "Bäckerei Jäger",
    "DE",
    ["2026-01-22", "2026-02-21"],
    ["12340.00", "2344.60", "14684.60", "684.60"],
    "open"
  ),
  make(2005, "Café “Zur Post”", "AT", ["2026-02-02", "2026-03-04"], ["65.25", "13.05", "78.30", "0.00"], "paid"),
  make(2006, "Casa Verde SL", "ES", ["2026-02-11", "2026-03-13"], ["500.00", "105.00", "605.00", "0.00"], "void"),
  make(2007, "Peel Street Cafe", "GB", ["2026-02-19", "2026-03-21"], ["740.00", "148.00", "888.00", "888.00"], "open"),
  make(2008, "Van den Berg BV", "NL", ["2026-03-03", "2026-04-02"], ["1999.99", "420.00", "2419.99", "2419.99"], "open")
]

export const counted = INVOICES.filter(({ state }) => state !== "draft" && state !== "void")
export const sumOf = (all: ReadonlyArray<string>): string =>
  Decimal.format(Decimal.sum(all.map((one) => Decimal.of(one))), 2)

const grouped = (amount: string, thousands: string, mark: string): string => {
  const [whole = "", fraction = ""] = amount.split(".")
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, thousands)}${mark}${fraction}`
}
export const german = (amount: string): string => grouped(amount, ".", ",")
export const french = (amount: string): string => grouped(amount, "\u202f", ",")
export const english = (amount: string): string => grouped(amount, ",", ".")

export const day = (iso: string, format: string): string => {
  const [y = "", m = "", d = ""] = iso.split("-")
  const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
  return format
    .replace("yyyy", y)
    .replace("yy", y.slice(2))
    .replace("MMM", months[Number(m) - 1] ?? "")
    .replace("MM", m)
    .replace("dd", d)
}

const quote = (cell: string, mark: string): string =>
  cell.includes(mark) || cell.includes('"') || cell.includes("\n") ? `"${cell.replaceAll('"', '""')}"` : cell
export const csv = (rows: ReadonlyArray<ReadonlyArray<string>>, mark = ",", end = "\r\n"): string =>
  rows.map((row) => row.map((cell) => quote(cell, mark)).join(mark) + end).join("")

/** Characters of Windows-1252 that are not at their place in Latin-1. */
const ODD: Readonly<Record<string, number>> = { "€": 0x80, "“": 0x93, "”": 0x94, "’": 0x92, "–": 0x96 }
export const windows = (text: string): Uint8Array =>
  Uint8Array.from([...text].map((one) => ODD[one] ?? one.codePointAt(0) ?? 63))
export const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, "utf16le")
export const bom = (text: string): string => `\uFEFF${text}`

/** A day as a spreadsheet keeps it. */
export const serial = (iso: string) => ({
  t: "n",
  v: Date.parse(iso) / 86_400_000 + 25_569,
  z: "dd/mm/yyyy"
})

export const workbook = (
  ...sheets: ReadonlyArray<readonly [string, ReadonlyArray<ReadonlyArray<unknown>>]>
): Uint8Array => {
  const book = XLSX.utils.book_new()
  for (const [name, rows] of sheets)
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows as Array<Array<unknown>>), name)
  return XLSX.write(book, { type: "buffer", bookType: "xlsx" })
}

/** An export, and what it comes to. */
export interface Sample {
  readonly name: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** What a person is asked and answers; nothing where `init --yes` is enough. */
  readonly answers?: SetupAnswers
  readonly preset?: string
  /** Of each kind: how many documents, and what they come to. */
  readonly sums: Readonly<Record<string, readonly [number, string]>>
  readonly open?: string
  readonly currencies: ReadonlyArray<string>
}

export const INVOICE_SUMS = { invoice: [counted.length, sumOf(counted.map(({ gross }) => gross))] } as const
export const OPEN = sumOf(counted.map(({ open }) => open))

export const rows = (row: (one: Invoice) => ReadonlyArray<string>) => INVOICES.map(row)
export const total = (member: "net" | "tax" | "gross" | "open") => sumOf(INVOICES.map((one) => one[member]))
export const state = (
  texts: Readonly<Record<Invoice["state"], string>>,
  { open, gross, state }: Invoice,
  part?: string
): string => (part !== undefined && state === "open" && open !== gross ? part : texts[state])

export const GERMAN = { draft: "Entwurf", open: "Offen", paid: "Bezahlt", void: "Storniert" }

export const received = counted.filter(({ gross, open }) => gross !== open)
/** What was paid of each, to the cent. */
export const paid: ReadonlyArray<readonly [string, string, string, string]> = [
  ["PAY-1", "INV-2001", "2026-02-03", "1190.00"],
  ["PAY-2", "INV-2004", "2026-02-20", "14000.00"],
  ["PAY-3", "INV-2005", "2026-03-01", "78.30"]
]
export const PAYMENT_SUMS = { payment: [received.length, sumOf(paid.map(([, , , amount]) => amount))] } as const
