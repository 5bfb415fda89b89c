/** The books of a fleet's tenants: a file of invoices for each, and the configuration that reads it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const CONNECTION = "books"

export const columns = {
  id: "Invoice",
  customer: "Customer",
  customer_country: "Country",
  issued: "Issued",
  due: "Due",
  net: "Net",
  gross: "Gross"
}

const row = (tenant: string, n: number) =>
  `${tenant}-${n},Harbour Bakery #${n % 5},GB,2026-01-${10 + (n % 19)},2026-12-01,${100 + n}.00,${120 + n}.00`

export interface Books {
  readonly service: string
  readonly every: string
  readonly settleMs: number
}

/** Creates or replaces a tenant's file of invoices; its configuration is written with the first, empty one. */
export const writeBooks = (folder: string, name: string, rows: number, books: Books): void => {
  mkdirSync(folder, { recursive: true })
  const lines = Array.from({ length: rows }, (_, n) => row(name, n))
  writeFileSync(join(folder, "invoices.csv"), `${[Object.values(columns).join(","), ...lines].join("\n")}\n`)
  if (rows > 0) return
  const files = { connector: "files", invoices: { path: "invoices.csv", columns, currency: "GBP" } }
  const owner = { organisation: { unique_id: name, name: `Tenant ${name}`, registered: "2024-01-01T00:00:00Z" } }
  const connection = { id: CONNECTION, source: files, every: books.every, first_sync: "send", owner }
  const service = {
    url: books.service,
    key: { env: "SERVICE_KEY" },
    settle_after: `${books.settleMs} millis`,
    concurrency: 4
  }
  const daemon = { webhooks: { authorization: { env: "HOOK_WORD" } } }
  writeFileSync(join(folder, "daybook.config.json"), JSON.stringify({ service, connections: [connection], daemon }))
}
