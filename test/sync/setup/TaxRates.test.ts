/** Rates of tax, however they are written, are added to net amounts, and are neither amounts nor the buyer's number. */
import { describe, expect, it } from "vitest"
import { pull } from "../../connectors/files/support.ts"
import { serial, workbook } from "./Exports.ts"
import { readAll, sumsOf } from "./Reading.ts"

const NETS = ["1000.00", "2340.50", "87.20", "15.99"]
const HEAD = "Invoice No,Customer,Date,Due,Currency"
const row = (n: number) => `R${n},Alder,2026-09-0${n + 1},2026-10-0${n + 1},EUR`

/** 20 % of all: 1,200.00, 2,808.60, 104.64 and 19.19. */
const TAXED = { invoice: [4, "4132.43"] }

const ofAll = async (headings: string, cells: (net: string, n: number) => string) => {
  const text = [`${HEAD},${headings}`, ...NETS.map((net, n) => `${row(n)},${cells(net, n)}`), ""].join("\n")
  const { documents, found, quarantined } = await readAll({ "a.csv": text })
  const parties = documents.flatMap((one) => (one.kind === "invoice" ? [one.party] : []))
  return { asked: found.questions.map(({ answer }) => answer), parties, quarantined, ...sumsOf(documents) }
}

describe("a rate of tax", () => {
  for (const [heading, rate] of [
    ["VAT", "20"],
    ["VAT", "20%"],
    ["VAT", "20 %"],
    ["VAT", "0.2"],
    ["VAT", "0.20"],
    ["VAT Rate", "20"],
    ["VAT %", "20%"],
    ["MwSt-Satz", "20"],
    ["Umsatzsteuersatz", "0.2"],
    ["Taux de TVA", "20"],
    ["Btw-tarief", "20%"],
    ["Aliquota IVA", "20"],
    ["Tipo de IVA", "0.2"],
    ["Momssats", "20"],
    ["Stawka VAT", "20%"]
  ] as const)
    it(`is added to the net amount: ${rate} under ${JSON.stringify(heading)}`, async () => {
      const { asked, parties, quarantined, sums } = await ofAll(`Net,${heading}`, (net) => `${net},${rate}`)
      expect([asked, quarantined, sums]).toEqual([[], [], TAXED])
      for (const party of parties) expect(party.vat).toBeUndefined()
    })

  it("may be another one in each row, and none", async () => {
    const rates = ["0.2", "0.07", "0", ""]
    const { asked, sums } = await ofAll("Net,VAT", (net, n) => `${net},${rates[n]}`)
    // 1,200.00, 2,504.34, 87.20 and 15.99.
    expect([asked, sums]).toEqual([[], { invoice: [4, "3807.53"] }])
  })

  it("beside both amounts is held against them", async () => {
    for (const rate of ["20", "20%", "0.2"]) {
      const { asked, sums } = await ofAll("Net,VAT,Total", (net) => `${net},${rate},${(Number(net) * 1.2).toFixed(2)}`)
      expect([rate, asked, sums]).toEqual([rate, [], TAXED])
    }
  })

  it("is no rate where it is an amount, however small", async () => {
    const { sums } = await ofAll("Net,VAT", (_, n) => `${n + 1}.00,0.${(n + 1) * 2}0`)
    expect(sums).toEqual({ invoice: [4, "12.00"] })
  })

  it("is read as a workbook shows it", async () => {
    const rows = NETS.map((net, n) => [
      `R${n}`,
      "Alder",
      serial(`2026-09-0${n + 1}`),
      serial(`2026-10-0${n + 1}`),
      "EUR",
      Number(net),
      { t: "n", v: n === 3 ? 0.055 : 0.2, z: n === 3 ? "0.0%" : "0%" }
    ])
    const files = { "a.xlsx": workbook(["Invoices", [[...HEAD.split(","), "Net", "VAT"], ...rows]]) }
    const { documents, found } = await readAll(files)
    // 15.99 with 5.5 % is 16.87.
    const sums = { invoice: [4, "4130.11"] }
    expect([found.questions, sumsOf(documents).sums]).toEqual([[], sums])
    const columns = { id: "Invoice No", customer: "Customer", issued: "Date", due: "Due", currency: "Currency" }
    const read = await pull(files, {
      invoices: { path: "a.xlsx", columns: { ...columns, net: "Net", gross: { plus: "Net", add_percent: "VAT" } } }
    })
    expect(sumsOf(read.documents).sums).toEqual(sums)
  })
})
