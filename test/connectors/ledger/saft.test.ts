/** What the sales documents and receipts of a SAF-T PT become, and that its stated totals are kept. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pullFrom } from "./Fec.ts"
import { type Receipt, saft, type Sale } from "./Saft.ts"
import { times } from "../../support/Effort.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daybook-saft-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string, text: string | Buffer): void => {
  writeFileSync(join(folder, name), typeof text === "string" ? Buffer.from(text, "latin1") : text)
  utimesSync(join(folder, name), 1_000_000, 1_000_000)
}

const pull = async (sales: ReadonlyArray<Sale>, receipts: ReadonlyArray<Receipt> = [], settings = {}) => {
  put("saft.xml", saft(sales, receipts))
  return await pullFrom(folder, settings)
}

const FT1: Sale = { no: "FT A/1", lines: [["100.00", "23"]], net: "100.00", tax: "23.00", gross: "123.00" }
const FT2: Sale = {
  ...FT1,
  no: "FT A/2",
  lines: [
    ["50.00", "23"],
    ["10.00", "0"]
  ],
  net: "60.00",
  tax: "11.50",
  gross: "71.50"
}

describe("a SAF-T PT", () => {
  it("has invoices with their customers, receipts with their shares, and totals that are met", async () => {
    const { read, refused, said, stated } = await pull(
      [FT1, FT2],
      [
        {
          no: "RG A/1",
          lines: [
            ["100.00", "23", "FT A/1"],
            ["50.00", "23", " FT  A/2"],
            ["10.00", "0", "FT A/2"]
          ],
          net: "160.00",
          tax: "34.50",
          gross: "194.50",
          means: [["TB", "194.50"]]
        }
      ]
    )
    expect([said, refused]).toEqual([
      ["invoice FT A/1 123.00", "invoice FT A/2 71.50", "payment 2026-04-01 123.00 of FT A/1, 71.50 of FT A/2"],
      []
    ])
    expect(read[0]?.document).toMatchObject({
      party: {
        id: "C1",
        name: "Azulejos São João",
        country: "PT",
        address: "Rua do Sol, 4, 4000-001 Porto",
        vat: "PT501964843"
      },
      due: "2026-04-04",
      net: 10_000_000_000n
    })
    expect(read[2]?.document).toMatchObject({ method: "bank", party: { id: "C1" } })
    expect(stated.every(({ amount, read }) => amount === read)).toBe(true)
  })

  it("voids what was annulled, pays what was paid at once, and leaves out summaries", async () => {
    const { notices, read, said } = await pull(
      [
        { ...FT1, status: "A" },
        {
          ...FT2,
          no: "FR A/1",
          type: "FR",
          customer: "C2",
          totals: `<Payment><PaymentMechanism>NU</PaymentMechanism><PaymentAmount>20.00</PaymentAmount><PaymentDate>2026-03-05</PaymentDate></Payment><Payment><PaymentMechanism>CC</PaymentMechanism><PaymentAmount>51.50</PaymentAmount><PaymentDate>2026-03-06</PaymentDate></Payment>`
        },
        { ...FT1, no: "FR A/2", type: "FR" },
        { ...FT1, no: "R A/1", status: "R" },
        { ...FT1, no: "NC A/9", type: "NC", status: "A" }
      ],
      [
        { no: "RG A/1", status: "A", lines: [["123.00", "23", "FT A/1"]], net: "100.00", tax: "23.00", gross: "123.00" }
      ],
      { country: "PT" }
    )
    expect(said).toEqual([
      "void invoice FT A/1 123.00",
      "invoice FR A/1 71.50",
      "payment 2026-03-05 20.00 of FR A/1",
      "payment 2026-03-06 51.50 of FR A/1",
      "invoice FR A/2 123.00",
      "payment 2026-03-05 123.00 of FR A/2"
    ])
    expect(read[1]?.document).toMatchObject({
      party: { id: "C2", name: "Consumidor final", country: "PT" },
      due: "2026-03-05"
    })
    expect(read[1]?.document).not.toHaveProperty("party.address")
    expect(notices).toEqual([
      "a summary of documents of another program (status R); left out",
      "a credit note that was annulled; left out",
      "a receipt that was annulled; left out"
    ])
  })

  it("credits the invoices that lines name, each with its tax, and guesses no split", async () => {
    const note = (no: string, lines: Sale["lines"]): Sale => ({
      no,
      type: "NC",
      lines,
      net: "60.00",
      tax: "11.50",
      gross: "71.50"
    })
    const { refused, said } = await pull([
      FT1,
      note("NC A/1", [
        ["50.00", "23", "FT A/1"],
        ["10.00", "0", "FT A/2"]
      ]),
      note("NC A/2", [["60.00", "19.17", "FT A/1"]]),
      note("NC A/3", [["60.00", "19.17"]]),
      note("NC A/4", [["60.00", "19.17", "FT A/1", "FT A/2"]])
    ])
    expect(said.slice(1)).toEqual([
      "credit_note 2026-03-05 61.50 of FT A/1, 10.00 of FT A/2",
      "credit_note 2026-03-05 71.50 of FT A/1",
      "invoice NC A/3 -71.50"
    ])
    expect(refused).toEqual([
      expect.stringContaining("it credits 2 invoices (FT A/1, FT A/2), and does not say how much of each")
    ])
  })

  it("asks for the document's currency, whose payment in full is known, and for the books' by setting", async () => {
    const usd: Sale = {
      ...FT1,
      totals: `<Currency><CurrencyCode>USD</CurrencyCode><CurrencyAmount>150.00</CurrencyAmount><ExchangeRate>0.82</ExchangeRate></Currency>`
    }
    const full: Receipt = {
      no: "RG A/1",
      lines: [["123.00", "23", "FT A/1"]],
      net: "100.00",
      tax: "23.00",
      gross: "123.00"
    }
    const part: Receipt = {
      ...full,
      no: "RG A/2",
      lines: [["61.50", "23", "FT A/1"]],
      net: "50.00",
      tax: "11.50",
      gross: "61.50"
    }
    const { read, refused, said } = await pull([usd], [full, part])
    expect(said).toEqual(["invoice FT A/1 150.00", "payment 2026-04-01 150.00 of FT A/1"])
    expect(read.map(({ document }) => "currency" in document && document.currency)).toEqual(["USD", "USD"])
    expect(refused).toEqual([
      expect.stringContaining("in another currency in part, or with others; set foreign to ledger")
    ])
    expect((await pull([usd], [part], { foreign: "ledger" })).said).toEqual([
      "invoice FT A/1 123.00",
      "payment 2026-04-01 61.50 of FT A/1"
    ])
    expect((await pull([{ ...usd, totals: usd.totals!.replace("150", "510") }])).refused).toEqual([
      expect.stringContaining("510.00 at the rate 0.82 is not 123.00")
    ])
  })

  it("knows discounts, withheld tax and used credit notes beside the money", async () => {
    const { notices, refused, said } = await pull(
      [FT1],
      [
        {
          no: "RG A/1",
          lines: [["90.00", "23", "FT A/1", "<SettlementAmount>10.00</SettlementAmount>"]],
          ...{ net: "90.00", tax: "23.00", gross: "113.00" },
          means: [["TB", "93.00"]],
          more: "<WithholdingTax><WithholdingTaxAmount>20.00</WithholdingTaxAmount></WithholdingTax>"
        },
        {
          no: "RG A/2",
          lines: [
            ["123.00", "0", "FT A/1"],
            ["-23.00", "0", "NC A/1"]
          ],
          net: "100.00",
          tax: "0.00",
          gross: "100.00",
          means: [["MB", "100.00"]]
        },
        {
          no: "RG A/3",
          lines: [["123.00", "0", "FT A/1"]],
          net: "123.00",
          tax: "0.00",
          gross: "123.00",
          means: [["TB", "100.00"]]
        }
      ]
    )
    expect(said.slice(1)).toEqual([
      "payment 2026-04-01 93.00 of FT A/1",
      "credit_note 2026-04-01 30.00 of FT A/1",
      "payment 2026-04-01 100.00 of FT A/1"
    ])
    expect(notices).toEqual(["tax that the buyer withheld, or a discount, beside a payment: a credit note"])
    expect(refused).toEqual([expect.stringContaining("it settles 123.00, and its means of payment are 100.00")])
  })

  it("takes the terms' day, no discount's day, and says where there is none", async () => {
    const due = async (settlement: string) =>
      (await pull([{ ...FT1, totals: `<Settlement>${settlement}</Settlement>` }])).read[0]?.document
    expect(await due("<PaymentTerms>2026-05-31</PaymentTerms>")).toMatchObject({ due: "2026-05-31" })
    expect(await due("<PaymentTerms>60 dias</PaymentTerms>")).toMatchObject({ due: "2026-05-04" })
    expect(await due("<SettlementDate>2026-06-01</SettlementDate>")).toMatchObject({ due: "2026-06-01" })
    expect(
      await due("<SettlementDiscount>2%</SettlementDiscount><SettlementDate>2026-03-10</SettlementDate>")
    ).toMatchObject({ due: "2026-04-04" })
    put("saft.xml", saft([FT1]))
    expect((await pullFrom(folder, { terms_days: undefined as never })).refused).toEqual([
      expect.stringContaining("set terms_days")
    ])
  })

  it("is incomplete if its counts, its totals or its sums are not met, with the line of each", async () => {
    const text = saft([FT1, FT2])
    put(
      "saft.xml",
      text.replace("<NumberOfEntries>2<", "<NumberOfEntries>3<").replace("<TotalCredit>160.0", "<TotalCredit>170.0")
    )
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml:10: SalesInvoices states 3 documents (NumberOfEntries) and has 2; export the whole file again",
      "saft.xml:10: SalesInvoices states 170.00 as TotalCredit, and its documents that are not annulled come to 160.00; export the whole file again"
    ])
    put("saft.xml", text.replace(/<NumberOfEntries>2<[^\n]*<TotalCredit>[^<]*<\/TotalCredit>/, ""))
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml:10: SalesInvoices does not state its NumberOfEntries, TotalDebit, TotalCredit, so whether documents are missing cannot be told; export the whole file again"
    ])
    put("saft.xml", text.replace(/<SalesInvoices>[\s\S]*<\/SalesInvoices>/, "$&$&"))
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml:20: the file has SalesInvoices twice; export the file again: its documents may be counted twice"
    ])
    put("saft.xml", text.replace(/<SalesInvoices>[\s\S]*<\/SalesInvoices>/, ""))
    expect((await pullFrom(folder)).notices).toContain(
      "a file without sales documents; export the file with all documents"
    )
    put("saft.xml", text.replace("<CreditAmount>100.00", "<CreditAmount>10.00"))
    expect((await pullFrom(folder)).notices).toContain(
      "a document whose lines come to 10.00 without tax, and whose total says 100.00; the total is read"
    )
    put("saft.xml", text.replace("<GrossTotal>123.00", "<GrossTotal>132.00"))
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml:11: its sums contradict each other: 100.00 net and 23.00 tax are not 132.00; correct it in the program that wrote it, and export it again"
    ])
    put("saft.xml", text.replace("<InvoiceType>FT", "<InvoiceType>NC"))
    expect((await pullFrom(folder)).notices).toContain(
      "a document of type NC whose lines are credits, as those of an invoice are; its type is read"
    )
    put(
      "saft.xml",
      text
        .replaceAll("CreditAmount>100.00", "DebitAmount>100.00")
        .replace("100.00</CreditAmount>", "100.00</DebitAmount>")
    )
    expect((await pullFrom(folder)).notices).toContain(
      "a document of type FT whose lines are debits, as those of a credit note are; its type is read"
    )
    put("saft.xml", text.replace("<CurrencyCode>EUR", "<CurrencyCode>EU"))
    expect((await pullFrom(folder)).refused[0]).toContain('the file\'s currency "EU" is not one')
  })

  it("refuses entities and deep nesting in a sentence, and keeps what it had read of the file", async () => {
    const bomb = saft([FT1]).replace("<AuditFile", `<!DOCTYPE a [<!ENTITY b "bb">]><AuditFile`)
    put("saft.xml", bomb)
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml: it has a document type (DOCTYPE), and is not read; get it again from where it was made"
    ])
    put("saft.xml", saft([FT1]).replace("<Line>", `<Line>${"<a>".repeat(80)}`))
    expect((await pullFrom(folder)).refused).toEqual([
      "saft.xml: its elements are nested more than 64 deep; get it again from where it was made"
    ])
  })

  it("is read once while it does not change, beside other months and a FEC", async () => {
    put("jan.xml", saft([FT1], []))
    put("feb.xml", saft([{ ...FT1, status: "A" }, FT2]))
    const { bookmark, scans } = await pullFrom(folder)
    expect(scans).toEqual(["feb.xml", "jan.xml"])
    const later = Object.fromEntries(
      Object.entries(bookmark.files).map(([name, one]) => [
        name,
        { ...one, look: { ...one.look, at: Date.now() + 3_600_000 } }
      ])
    )
    put("mar.xml", saft([{ ...FT1, no: "FT A/3" }]))
    const again = await pullFrom(folder, {}, { ...bookmark, files: later })
    expect([again.said, again.unchanged]).toEqual([["invoice FT A/3 123.00"], ["feb.xml", "jan.xml"]])
  })

  it("is never read as other amounts in silence: cut at 20 places, and with bytes flipped", async () => {
    const whole = Buffer.from(
      saft(
        [FT1, FT2],
        [
          {
            no: "RG A/1",
            lines: [["123.00", "0", "FT A/1"]],
            net: "123.00",
            tax: "0.00",
            gross: "123.00",
            means: [["TB", "123.00"]]
          }
        ]
      ),
      "latin1"
    )
    const read = async (bytes: Buffer) => {
      put("saft.xml", bytes)
      return await pullFrom(folder).catch((error: Error) => error.message)
    }
    const right = await read(whole)
    if (typeof right === "string") throw new Error(right)
    const flipped = Array.from({ length: times(800) }, (_, n) => {
      const copy = Buffer.from(whole)
      copy[(n * 7919 + 900) % copy.length]! ^= 1 << (n % 7)
      return copy
    })
    const cut = Array.from({ length: 20 }, (_, n) => whole.subarray(0, Math.floor((whole.length * (n + 1)) / 21)))
    for (const bytes of [...cut, ...flipped]) {
      const found = await read(bytes)
      if (typeof found === "string" || found.refused.length > 0) continue
      for (const [n, one] of found.said.entries())
        expect(one.match(/\d+\.\d\d/g), one).toEqual(right.said[n]?.match(/\d+\.\d\d/g))
    }
  })
})
