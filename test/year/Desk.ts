/** The seller's desk: files, the command, and a service, all at the same moment of a made-up year. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { remove, temporary } from "../support/Built.ts"
import { type Ran, runResident } from "../support/Resident.ts"
import { LEFT_OUT } from "./Script.ts"

const KEY = "sk-test-year"
const START = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** A day of the year as a calendar day. */
export const dayOf = (n: number): string => new Date(START + n * DAY_MS).toISOString().slice(0, 10)

export const pence = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`

/** What the person wrote down, in pence. */
export const PRICE = { invoice: 5000n, month: 30_000n, least: 50_000n }

const table = (path: string, columns: Record<string, string>) => ({
  path,
  columns,
  date_format: "yyyy-MM-dd",
  decimal: "."
})

const configuration = (url: string) => ({
  service: { url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
  connections: [
    {
      id: "books",
      first_sync: "send",
      source: {
        connector: "files",
        invoices: {
          ...table("invoices.csv", {
            id: "Invoice",
            number: "Invoice",
            customer: "Buyer",
            customer_country: "Country",
            customer_address: "Address",
            currency: "Currency",
            issued: "Issued",
            due: "Due",
            net: "Net",
            gross: "Gross",
            status: "State"
          }),
          statuses: { Sent: "open" }
        },
        payments: table("payments.csv", {
          id: "Ref",
          invoice: "Invoice",
          date: "Date",
          amount: "Amount",
          currency: "Currency",
          type: "Type"
        }),
        credit_notes: table("credit_notes.csv", {
          id: "Note",
          invoice: "Invoice",
          date: "Date",
          gross: "Gross",
          currency: "Currency"
        })
      },
      creditor: { name: "Acme Ltd", country: "GB" },
      owner: {
        organisation: {
          unique_id: "acme",
          name: "Acme Ltd",
          registered: "2020-01-01T00:00:00Z",
          members: [{ email: "pat@acme.example", name: "Pat Acme", role: "admin" }]
        }
      },
      scope: { issued_after: "2024-01-01", drafts: false },
      cover: {
        select: [{ min: pence(PRICE.least), except: [LEFT_OUT] }],
        price: { currency: "GBP", per_invoice: pence(PRICE.invoice), per_month: pence(PRICE.month) },
        pay_with: { env: "COVER_PAYMENT" },
        handover: {
          contact: { name: "Pat Acme", email: "pat@acme.example" },
          bank: { name: "Acme Ltd", sortcode: { env: "BANK_SORTCODE" }, number: { env: "BANK_NUMBER" } },
          documents: "invoices/{number}.pdf"
        }
      }
    }
  ]
})

/** A file that is what its name says. */
export const pdf = (text: string): string => `%PDF-1.7\n${text}\n%%EOF\n`

export const open = async () => {
  const { close, url } = await startSandbox({ lateDays: 30, port: 0, keys: [KEY] })
  const folder = temporary()
  let at = START
  const asked = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const answer = await fetch(path.startsWith("http") ? path : `${url}${path}`, {
      method,
      headers: { authorization: `Token ${KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, at / 1000, at / 1000)
  }
  write("daybook.config.json", JSON.stringify(configuration(url), null, 2))
  return {
    asked,
    write,
    path: (name: string) => join(folder, name),
    /** The morning of a day, for the service and for the command: sooner or later than the day before, as a person comes to it. */
    morning: async (day: number) => {
      at = START + day * DAY_MS + 8 * HOUR_MS + (day % 7) * (HOUR_MS / 6)
      await asked("POST", "/sandbox/clock", { set: new Date(at).toISOString() })
    },
    /** Each command of a day is a minute after the one before. */
    run: async (...args: ReadonlyArray<string>): Promise<Ran> => {
      at += 60_000
      await asked("POST", "/sandbox/clock", { set: new Date(at).toISOString() })
      const env = {
        ...process.env,
        SERVICE_KEY: KEY,
        COVER_PAYMENT: "tok_visa",
        BANK_SORTCODE: "20-00-00",
        BANK_NUMBER: "12345678",
        DAYBOOK_TEST_BEGINS: new Date(at).toISOString()
      }
      return runResident({ args, cwd: folder, env })
    },
    close: async () => {
      await close()
      remove(folder)
    }
  }
}

export type Desk = Awaited<ReturnType<typeof open>>
