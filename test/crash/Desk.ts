/**
 * Documents as files that the program reads, with the configuration for them; and as they are once they were read from
 * there: a row is one share, so a payment over two invoices becomes two documents.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"

/** How long after a request its absence is believed, in milliseconds; late ones come well before. */
export const SETTLED = 1500

const columns = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, name]))

const STREAMS = {
  invoices: ["id", "number", "customer", "customer_country", "issued", "due", "net", "gross", "status", "currency"],
  payments: ["id", "invoice", "date", "amount", "type", "payment", "currency"],
  credit_notes: ["id", "invoice", "date", "gross", "currency"],
  orders: [
    "id",
    "number",
    "placed",
    "status",
    "line",
    "type",
    "quantity",
    "gross",
    "deferred_payment",
    "service_order",
    "currency"
  ],
  fulfilments: ["id", "order", "date", "line", "quantity"],
  cancellations: ["id", "order", "date", "line", "quantity"],
  returns: ["id", "order", "date", "line", "quantity"]
} as const

type Stream = keyof typeof STREAMS

const configuration = (url: string) => ({
  service: { url, key: { env: "SERVICE_KEY" }, concurrency: 4, settle_after: `${SETTLED} millis` },
  connections: [
    {
      id: "books",
      source: {
        connector: "files",
        ...Object.fromEntries(
          Object.entries(STREAMS).map(([name, names]) => [
            name,
            { path: `${name}.csv`, columns: columns(...names), decimal: "." }
          ])
        )
      },
      first_sync: "send",
      owner: { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
})

type Row = Readonly<Record<string, string | undefined>>

const rows = (documents: ReadonlyArray<Document.Document>): Readonly<Record<Stream, ReadonlyArray<Row>>> => {
  const all = Object.fromEntries(Object.keys(STREAMS).map((name) => [name, []])) as unknown as Record<
    Stream,
    Array<Row>
  >
  const currencies = new Map(documents.flatMap((one) => (one.kind === "invoice" ? [[one.id, one.currency]] : [])))
  for (const one of documents) {
    switch (one.kind) {
      case "invoice": {
        const { currency, due, gross, id, issued, net, number, party, status } = one
        const money = (amount: bigint | undefined) => (amount === undefined ? "" : Currency.format(amount, currency))
        const to = { customer: party.name, customer_country: party.country }
        all.invoices.push({ id, number, ...to, issued, due, net: money(net), gross: money(gross), status, currency })
        break
      }
      case "payment":
      case "reversal":
      case "credit_note":
        for (const { amount, invoice } of one.shares) {
          const currency = currencies.get(invoice) ?? "GBP"
          const sum = Currency.format(one.kind === "reversal" ? -amount : amount, currency)
          const row = { id: one.id, invoice, date: one.date, currency }
          if (one.kind === "credit_note") all.credit_notes.push({ ...row, gross: sum })
          else if (one.kind === "payment") all.payments.push({ ...row, amount: sum })
          else {
            const payment = one.payment === undefined ? "" : `${one.payment}/${invoice}`
            all.payments.push({ ...row, amount: sum, type: one.type, payment })
          }
        }
        break
      case "order":
        for (const line of one.lines) {
          const { currency, deferredPayment, id, number, placed, serviceOrder, status } = one
          const of = { line: line.id, type: line.type, quantity: Decimal.format(line.quantity) }
          const gross = Currency.format(line.gross, currency)
          const known = { deferred_payment: deferredPayment, service_order: serviceOrder }
          all.orders.push({ id, number, placed, status, ...of, gross, ...known, currency })
        }
        break
      case "payout":
        break
      default: {
        const stream = { fulfilment: "fulfilments", cancellation: "cancellations", return: "returns" } as const
        for (const { line, quantity } of one.lines)
          all[stream[one.kind]].push({
            id: one.id,
            order: one.order,
            date: one.date,
            line,
            quantity: Decimal.format(quantity)
          })
      }
    }
  }
  return all
}

export class Desk {
  readonly folder: string

  constructor(folder: string, url: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "daybook.config.json"), JSON.stringify(configuration(url)))
  }

  get state(): string {
    return join(this.folder, "daybook.db")
  }

  write(documents: ReadonlyArray<Document.Document>): void {
    for (const [name, lines] of Object.entries(rows(documents))) {
      const names: ReadonlyArray<string> = STREAMS[name as Stream]
      const text = [names, ...lines.map((row) => names.map((column) => row[column] ?? ""))]
      const path = join(this.folder, `${name}.csv`)
      writeFileSync(`${path}.new`, `${text.map((cells) => cells.join(",")).join("\n")}\n`)
      renameSync(`${path}.new`, path)
    }
  }
}

/** Documents as they are read from the files. */
export const asRead = (documents: ReadonlyArray<Document.Document>): ReadonlyArray<Document.Document> =>
  documents.flatMap((one): ReadonlyArray<Document.Document> => {
    if (!Document.isAllocated(one)) return [one]
    return one.shares.map((share) => ({ ...one, id: `${one.id}/${share.invoice}`, shares: [share] }) as typeof one)
  })
