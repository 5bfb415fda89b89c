/**
 * Uses Daybook inside another program: reads the books, shows the plan, sends it, and checks that both sides agree. The state
 * file remembers what was sent, so running this again sends nothing.
 */
import { Daybook, defineConfig, env } from "daybook"
import { files } from "daybook/connectors"
import { startSandbox } from "daybook/sandbox"

// The service on this machine. For the real one, remove this and write its address below.
const service = await startSandbox({ port: 4010, state: "service.db", keys: ["sandbox-key"] })
process.env["SERVICE_KEY"] = "sandbox-key"

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
            customer: "Customer",
            customer_country: "Country",
            issued: "Issued",
            due: "Due",
            net: "Net",
            gross: "Gross",
            settled: "Paid"
          },
          currency: "GBP"
        }
      }),
      owner: { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
})

const daybook = await Daybook.open(config, { folder: import.meta.dirname, state: "daybook.db" })
try {
  const { books } = await daybook.pull()
  console.log(`${books?.read} records read`)

  const plan = await daybook.plan()
  for (const { reason, rule, subject } of plan.calls) console.log(`${subject} ${rule}: ${reason}`)

  // The first sync of a connection is sent only with explicit consent: here, after its plan was shown.
  const { completeness, done } = await daybook.apply(plan, { firstSync: "send" })
  console.log(`${done} calls`)
  for (const { books, currency, service, source } of completeness) {
    console.log(`open in ${currency}: ${source} in the source, ${books} in the books, ${service} on the service`)
  }
} finally {
  await daybook.close()
  await service.close()
}
