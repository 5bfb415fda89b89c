/** What changes the meaning of an amount is looked for before the amount is believed: one layout for each way that it can be said. */
import { describe, expect, it } from "vitest"
import { banks } from "./corpus/Banks.ts"
import { programs } from "./corpus/Programs.ts"
import { pull, write } from "../../connectors/files/support.ts"
import { draftOf, readAll, sumsOf } from "./Reading.ts"

const reads = async (name: string) => {
  const found = [...banks, ...programs].find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`no layout is called ${name}`)
  const { documents, quarantined } = await readAll(found.files, found.answers)
  expect([sumsOf(documents).sums, quarantined]).toEqual([found.sums, []])
}

describe("the meaning of an amount", () => {
  it("is money in or out, as another column says", () => reads("ING, Netherlands, with a column"))
  it("is nothing received, where its state says that it is pending or was denied", () => reads("PayPal, activity"))
  it("is nothing received in any list whose column says that it is pending or failed", async () => {
    const text =
      "Payment ID,Payment Date,Customer,Invoice Number,Amount,Currency,Status\nP-1,2026-09-20,Alder,1,100.00,EUR,Completed\nP-2,2026-09-21,Beech,2,50.00,EUR,Pending\nP-3,2026-09-22,Beech,3,25.00,EUR,Failed\n"
    const { documents } = await readAll({ "payments.csv": text })
    expect(sumsOf(documents).sums).toEqual({ payment: [1, "100.00"] })
  })
  it("is what was paid of an invoice in another file", () => reads("a list of receipts"))
  it("is net with a tax whose column holds the rate", async () => {
    const text =
      "Rechnungsnummer;Kunde;Rechnungsdatum;Fällig am;Netto;MwSt;Währung\nRE-1;Ahorn;2026-09-01;2026-10-01;2000,00;19;EUR\nRE-2;Birke;2026-09-02;2026-10-02;1000,00;7;EUR\n"
    const { documents } = await readAll({ "a.csv": text })
    expect(sumsOf(documents).sums).toEqual({ invoice: [2, "3450.00"] })
  })
  it("is the part that pays the invoice of its row", () => reads("Zoho Books, customer payments"))
  it("is in the currency of its row, not in the seller's own", () =>
    reads("QuickBooks, with amounts in the home currency"))
})

describe("what is not read", () => {
  it("is asked about, a state at a time, with a row that has it", async () => {
    const text =
      "Invoice No,Customer,Date,Due,Total,Currency,Status\n1,Alder,2026-09-01,2026-10-01,100.00,EUR,Open\n2,Beech,2026-09-02,2026-10-02,50.00,EUR,Cancelled and reissued\n"
    const { found } = await draftOf({ "a.csv": text })
    expect(found.questions.map(({ ask, flag }) => `${flag}: ${ask}`)).toEqual([
      '--status "Cancelled and reissued=open": What does the state "Cancelled and reissued" of 1 row of a.csv mean (like 2, Beech, 50.00)?'
    ])
  })

  it("is asked about where a part was paid and nothing says of how much", async () => {
    const text = (heading: string, left: string) =>
      `Number,Invoice Partner Display Name,Invoice/Bill Date,Due Date,Total,Currency,${heading},Payment Status\nINV/1,Alder,2026-09-01,2026-10-01,120.00,EUR,${left},Partially Paid\n`
    const asked = async (files: Record<string, string>) => (await draftOf(files)).found.questions.map(({ ask }) => ask)
    expect(await asked({ "a.csv": text("Salesperson", "Ann") })).toEqual([
      'What does the state "Partially Paid" of 1 row of a.csv mean (like INV/1, Alder, 120.00)? No column and no other file says how much of it was paid: as open, all of it counts as open. If a column has what is left of it, --column invoices.balance=HEADING names it.'
    ])
    const payments = "Payment date,Invoice Number,Amount,Currency\n2026-09-20,INV/1,60.00,EUR\n"
    expect(await asked({ "a.csv": text("Salesperson", "Ann"), "payments.csv": payments })).toEqual([])
    // Odoo's name for it (addons/account, `amount_residual_signed`) is in the company's currency, which may be another.
    const odoo = { "a.csv": text("Amount Due Signed", "60.00") }
    const [balance, state, ...others] = await asked(odoo)
    expect([balance, state, others]).toEqual([
      expect.stringContaining('"Amount Due Signed"'),
      expect.stringContaining('"Partially Paid"'),
      []
    ])
    const answers = { columns: { "invoices.balance": "Amount Due Signed" } }
    expect((await draftOf(odoo, answers)).found.questions).toEqual([])
    expect(sumsOf((await readAll(odoo, answers)).documents).open).toEqual("60.00")
  })

  it("is the row with a date that is none, though the other days could be months as well", async () => {
    const days = ["2026-09-01", "2026-09-02", "2026-09-03", "tomorrow", "2026-09-05"]
    const rows = days.map((day, n) => `${n + 1},Alder,${day},2026-10-0${n + 1},100.00,EUR`)
    const text = ["Invoice No,Customer,Invoice Date,Due Date,Total,Currency", ...rows, ""].join("\n")
    const { documents, quarantined } = await readAll({ "a.csv": text })
    expect([sumsOf(documents).sums, quarantined.length]).toEqual([{ invoice: [4, "400.00"] }, 1])
    expect(quarantined[0]).toContain("tomorrow")
  })

  it("is a row of a type that comes later, where all were invoices", async () => {
    const text = "Type,Invoice No,Customer,Date,Due,Total,Currency\nInvoice,1,Alder,2026-09-01,2026-10-01,100.00,EUR\n"
    const { found, folder } = await draftOf({ "a.csv": text })
    expect(found.questions).toEqual([])
    const { connector: _, ...settings } = found.sources.books as { connector: string }
    write({ "a.csv": `${text}Estimate,2,Beech,2026-09-02,2026-10-02,50.00,EUR\n` }, folder)
    const { documents, quarantined } = await pull(folder, settings)
    expect(documents.map(({ id }) => id)).toEqual(["1"])
    expect(quarantined.map(({ why }) => why)).toEqual([expect.stringContaining('"Estimate" in 1 row, 50.00 EUR')])
  })

  it("is named: columns with their reason, and rows with their sum", async () => {
    const text =
      "Type,Invoice No,Customer,Date,Due,Total,Currency,Weather\nInvoice,1,Alder,2026-09-01,2026-10-01,100.00,EUR,sunny\nEstimate,2,Beech,2026-09-02,2026-10-02,50.00,EUR,rain\n"
    const { found } = await draftOf({ "a.csv": text })
    const said = found.decisions.map(({ because, what }) => `${what}: ${because}`)
    expect(said).toContain('column "Weather" is not used: its heading is not known')
    expect(said).toContain('1 row of "Estimate": left out, 50.00')
    expect(found.sources.books).toMatchObject({
      invoices: { where: { Type: "Invoice" }, leave_out: { Type: "Estimate" } }
    })
  })
})
