/**
 * Cover from an open invoice to recovered money, on the service's sandbox: quotes, a purchase within the limits, one that a
 * user approves, an unpaid invoice, its handover to collections, and the recovery. It simulates a quarter of a year in a few
 * seconds: `node cover.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Daybook, defineConfig, env } from "daybook"
import { files } from "daybook/connectors"
import { startSandbox } from "daybook/sandbox"

// Daybook and the sandbox share one clock, which this program advances. Without this, days would take days.
const machine = Date.now
let ahead = Date.parse("2026-03-02T09:00:00Z") - machine()
Date.now = () => machine() + ahead
const pass = (days: number): void => {
  ahead += days * 86_400_000
  console.log(`\n── ${new Date(Date.now()).toISOString().slice(0, 10)}`)
}

process.env["SERVICE_KEY"] = "sandbox-key"
process.env["COVER_PAYMENT"] = "tok_visa"
process.env["BANK_SORTCODE"] = "20-00-00"
process.env["BANK_NUMBER"] = "12345678"

const service = await startSandbox({ port: 0, keys: ["sandbox-key"] })
const folder = mkdtempSync(join(tmpdir(), "daybook-cover-"))

const config = defineConfig({
  service: { url: service.url, key: env("SERVICE_KEY") },
  connections: [
    {
      id: "books",
      source: files({
        invoices: {
          path: "invoices.csv",
          columns: {
            id: "Invoice",
            number: "Invoice",
            customer: "Buyer",
            customer_country: "Country",
            customer_address: "Address",
            issued: "Issued",
            due: "Due",
            net: "Net",
            gross: "Gross"
          },
          currency: "GBP"
        }
      }),
      creditor: { name: "Acme Ltd", country: "GB" },
      owner: {
        organisation: {
          unique_id: "acme",
          name: "Acme Ltd",
          registered: "2020-01-01T00:00:00Z",
          members: [{ email: "ada@acme.example", name: "Ada Reed", role: "admin" }]
        }
      },
      cover: {
        select: [{ min: "500.00" }],
        price: { currency: "GBP", per_invoice: "50.00", per_month: "500.00" },
        pay_with: env("COVER_PAYMENT"),
        handover: {
          contact: { name: "Ada Reed", email: "ada@acme.example" },
          bank: { name: "Acme Ltd", sortcode: env("BANK_SORTCODE"), number: env("BANK_NUMBER") },
          documents: "invoices/{number}.pdf"
        }
      }
    }
  ]
})

const daybook = await Daybook.open(config, { folder: import.meta.dirname, state: join(folder, "daybook.db") })
daybook.on("receipt", ({ call: { reason, rule, subject } }) => {
  if (/^[QH]/.test(rule)) console.log(`${rule} ${subject}: ${reason}`)
})
const show = async () => {
  const { budgets, invoices } = await daybook.cover()
  for (const { code, number, state, status } of invoices) console.log(`  ${number}: ${status ?? code ?? state}`)
  for (const { currency, limit, month, spent } of budgets)
    console.log(`  ${month}: ${spent} of ${limit} ${currency} spent`)
}

try {
  pass(0)
  await daybook.sync({ firstSync: "send" })
  // The first sync buys nothing: its offers were in no plan that somebody saw.
  await daybook.sync()
  await show()

  // INV-2 costs more than per_invoice: a user is shown the price, and approves exactly that.
  const { offers } = await daybook.cover()
  for (const { digest, price, standing, subject, why } of offers.filter((one) => one.standing === "asks")) {
    console.log(`${subject} ${standing}: ${why}`)
    console.log(`Ada approves ${price.total} ${price.currency}`)
    await daybook.decideCover(subject, { decision: "buy", digest, who: "Ada Reed" })
  }
  await daybook.sync()

  // Nobody pays INV-1. Once the service allows it, Daybook begins its collection and gathers the documents.
  pass(75)
  await daybook.sync()
  await show()
  const invoice = "books/invoice/INV-1"
  const shown = await daybook.collection(invoice)
  for (const { name, type } of shown.documents) console.log(`  ${type}: ${name}`)
  for (const one of shown.lacking) console.log(`  missing: ${one}`)

  // Both declarations must be made by a person. In your own program they are two boxes that a user checks.
  await daybook.collect(invoice, {
    step: "confirm",
    who: "Ada Reed",
    digest: shown.digest,
    disputed: false,
    confirm_correct: true,
    collections_terms_acceptance: true
  })
  await daybook.sync()

  // The sandbox plays the collections partner.
  await fetch(`${service.url}/sandbox/policies/${shown.policy.id}/status`, {
    method: "PUT",
    body: JSON.stringify({ status: "recovery_complete", recovered: "1200.00" })
  })
  pass(2)
  await daybook.sync()
  await show()
  const { policy, sent } = await daybook.collection(invoice)
  console.log(`INV-1 was handed over on ${sent?.slice(0, 10)}; ${policy.status}`)
} finally {
  await daybook.close()
  await service.close()
  rmSync(folder, { recursive: true })
}
