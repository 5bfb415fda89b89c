/**
 * The ledger that is measured with: invoices in a CSV file, about 79 bytes each, some with quoted cells; and the
 * configuration that reads them.
 */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { Result } from "effect"
import { type Configuration, decodeWith } from "../../sync/library/config/Configuration.ts"
import { files } from "../../connectors/files/Files.ts"

export const HEADER = "Invoice,Customer,Country,Issued,Due,Net,Gross,State"

const COUNTRIES = ["GB", "DE", "FR", "NL", "SE", "IE", "PL", "ES"] as const

const two = (n: number): string => String(n).padStart(2, "0")

const netOf = (n: number, edit: number): number => 100 + (n % 9000) + edit

/** What an invoice asks for. */
export const grossOf = (n: number, edit = 0): string => {
  const net = netOf(n, edit)
  return `${net + Math.floor(net / 5)}.${two((n * 7) % 100)}`
}

/** @param edit counts how often the invoice was edited */
const row = (n: number, edit: number): string => {
  const customer = n % 5000
  const name = customer % 10 === 0 ? `"Carter, Son & ${customer}"` : `Harbour Bakery #${customer}`
  const month = 1 + (n % 11)
  const day = two(1 + (n % 28))
  const amounts = `${netOf(n, edit)}.${two(n % 100)},${grossOf(n, edit)}`
  const year = 2019 + (n % 6)
  return `INV-${String(n).padStart(7, "0")},${name},${COUNTRIES[customer % 8]},${year}-${two(month)}-${day},${year}-${two(month + 1)}-${day},${amounts},Sent\n`
}

export interface Edits {
  /** So many invoices, evenly spread, are edited. */
  readonly count: number
  readonly times: number
}

/** Writes the ledger. */
export const write = async (file: string, count: number, edits: Edits = { count: 0, times: 0 }): Promise<void> => {
  const out = createWriteStream(file)
  const every = edits.count === 0 ? Number.POSITIVE_INFINITY : Math.floor(count / edits.count)
  let text = `${HEADER}\n`
  for (let n = 0; n < count; n++) {
    text += row(n, n % every === every - 1 ? edits.times : 0)
    if (text.length < 1 << 20) continue
    if (!out.write(text)) await once(out, "drain")
    text = ""
  }
  out.end(text)
  await once(out, "close")
}

/** What a configuration file would hold. */
export const config = (csv: string, url: string) => ({
  service: { url, key: { env: "DAYBOOK_KEY" } },
  connections: [
    {
      id: "books",
      source: {
        connector: "files",
        invoices: {
          path: csv,
          columns: {
            id: "Invoice",
            customer: "Customer",
            customer_country: "Country",
            issued: "Issued",
            due: "Due",
            net: "Net",
            gross: "Gross",
            status: "State"
          },
          currency: "GBP",
          statuses: { Sent: "open" as const }
        }
      },
      first_sync: "send",
      owner: { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
})

/** The same, decoded. */
export const configuration = (folder: string, csv: string, url = "http://127.0.0.1:4010"): Configuration =>
  Result.getOrThrow(
    decodeWith(config(csv, url), {
      file: "daybook.config.json",
      folder,
      environment: { DAYBOOK_KEY: "sandbox-key" },
      connectors: new Map([["files", files]])
    })
  )
