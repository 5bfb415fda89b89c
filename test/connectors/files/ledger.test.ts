/**
 * A real ledger of 2,586 settled invoices, where it lies beside the project. It is no part of it.
 */
import { expect, it } from "vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Invoice } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { ids, pull } from "./support.ts"

const FOLDER = join(import.meta.dirname, "../../../../shared/samples/datasets")
const NAME = "late-payments.csv"

const source = (more: object = {}) => ({
  invoices: {
    path: NAME,
    columns: {
      id: "invoiceNumber",
      customer: "customerID",
      customer_country: "countryCode",
      issued: "InvoiceDate",
      due: "DueDate",
      gross: "InvoiceAmount",
      settled: "SettledDate"
    },
    currency: "USD",
    ...more
  }
})

it("is read whole, with its payments, and its odd country codes are named", async (context) => {
  if (!existsSync(join(FOLDER, NAME))) context.skip(`${NAME} is not there`)
  const { documents, error, notices, quarantined } = await pull(FOLDER, source({ date_format: "M/d/yyyy" }))
  expect([error, quarantined]).toEqual([undefined, []])
  expect([new Set(ids(documents)).size, ids(documents, "payment").length]).toEqual([2586, 2586])
  const all = documents.filter((one): one is Invoice => one.kind === "invoice")
  expect(Decimal.format(Decimal.sum(all.map(({ gross }) => gross!)))).toBe("155658.78")
  expect(documents.slice(0, 2)).toEqual([
    {
      kind: "invoice",
      id: "2195380883",
      number: "2195380883",
      status: "open",
      party: { name: "6627-ELFBK", country: "EG" },
      currency: "USD",
      issued: "2012-01-06",
      due: "2012-02-05",
      gross: Decimal.of("47.07")
    },
    {
      kind: "payment",
      id: "2195380883/settled",
      date: "2012-02-03",
      currency: "USD",
      shares: [{ invoice: "2195380883", amount: Decimal.of("47.07") }]
    }
  ])
  const times = Object.groupBy(notices, ({ what }) => what.split(" is ")[0]!)
  expect(Object.entries(times).map(([what, some]) => [what, some!.length])).toEqual([
    ['countryCode "897"', 415],
    ['countryCode "770"', 534],
    ['countryCode "391"', 638],
    ['countryCode "406"', 588]
  ])
})

it("is not read in the format of another country, which is named", async (context) => {
  if (!existsSync(join(FOLDER, NAME))) context.skip(`${NAME} is not there`)
  const { error, pages } = await pull(FOLDER, source())
  expect(pages).toEqual([])
  expect(error?.message).toMatch(
    /^files: late-payments\.csv: (\d+) of the first \1 rows have dates that are not written yyyy-MM-dd \("InvoiceDate" says "1\/6\/2012"\); set source\.invoices\.date_format to "M\/d\/yyyy"$/
  )
})
