/**
 * Adds to the demo's books what its rooms are looked at with: a bank whose lines no rule explains, a wholesale connection whose plan
 * waits for a person, and one whose invoices are insured.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const DAY_MS = 86_400_000
const day = (from: number): string => new Date(Date.now() + from * DAY_MS).toISOString().slice(0, 10)

const BUYERS = ["Harbour Lane Bakery Ltd", "Kestrel Catering Ltd", "Marlow & Daughters Ltd", "Polder Groothandel BV"]
const PLANNED = 120
const INSURED = 9

export const PICTURED_ENV = { COVER_PAYMENT: "tok_visa", BANK_SORTCODE: "20-00-00", BANK_NUMBER: "12345678" }

const columns = {
  id: "Invoice",
  number: "Invoice",
  customer: "Buyer",
  customer_country: "Country",
  customer_address: "Address",
  issued: "Issued",
  due: "Due",
  net: "Net",
  gross: "Gross"
}
const HEAD = "Invoice,Buyer,Country,Address,Issued,Due,Net,Gross\n"
const gross = (n: number): string => `${200 + ((n * 7919) % 4800)}.${String((n * 37) % 100).padStart(2, "0")}`

const invoices = (name: string, count: number, from: number): string =>
  HEAD +
  Array.from({ length: count }, (_, n) => {
    const buyer = BUYERS[n % BUYERS.length]!
    const country = buyer.endsWith("BV") ? "NL" : "GB"
    const amount = gross(n)
    return `${name}-${2001 + n},${buyer},${country},${n + 1} Quay Street,${day(from - (n % 20))},${day(from + 30 - (n % 20))},${amount},${amount}\n`
  }).join("")

/** A bank's lines: two that add up to invoices of their payer, one that is short, and some of strangers. */
const LINES = `No,Day,Amount,From,Text
1,2026-11-20,3751.18,Peel Street Cafe,PEEL STREET STATEMENT
2,2026-11-21,9296.11,Brightwater Foods Holding,BRIGHTWATER
3,2026-11-23,2665.70,Northfield Tools Ltd,NORTHFIELD LESS CHARGES
4,2026-11-24,16317.74,Maison Verlaine SAS,VIREMENT FACTURES
5,2026-11-25,120.00,K Osei,REFUND DEPOSIT
6,2026-11-25,88.40,City Water,METER 2231
`

/** @param folder of the demo */
export const furnish = (folder: string, daemon: object): void => {
  const file = join(folder, "daybook.config.json")
  const written = JSON.parse(readFileSync(file, "utf8"))
  const [books] = written.connections
  const every = "1 hour"
  const source = (path: string) => ({ connector: "files", invoices: { path, columns, currency: "GBP" } })
  written.daemon = daemon
  written.connections = [
    { ...books, every },
    {
      id: "bank",
      every,
      pays: "books",
      source: {
        connector: "files",
        payments: {
          path: "bank.csv",
          columns: { id: "No", date: "Day", amount: "Amount", customer: "From", reference: "Text" },
          currency: "GBP"
        }
      }
    },
    { id: "wholesale", every, approve: true, owner: books.owner, source: source("wholesale.csv") },
    {
      id: "insured",
      every,
      first_sync: "send",
      owner: books.owner,
      creditor: { name: "Acme Trading Ltd", country: "GB" },
      source: source("insured.csv"),
      cover: {
        select: [{ min: "500.00" }],
        price: { currency: "GBP", per_invoice: "20.00", per_month: "500.00" },
        pay_with: { env: "COVER_PAYMENT" },
        handover: {
          contact: { name: "Pat Acme", email: "pat@acme.example" },
          bank: { name: "Acme Ltd", sortcode: { env: "BANK_SORTCODE" }, number: { env: "BANK_NUMBER" } },
          documents: "invoices/{number}.pdf"
        }
      }
    }
  ]
  writeFileSync(file, JSON.stringify(written))
  writeFileSync(join(folder, "bank.csv"), LINES)
  writeFileSync(join(folder, "wholesale.csv"), invoices("WS", PLANNED, -4))
  writeFileSync(join(folder, "insured.csv"), invoices("IN", INSURED, -2))
}
