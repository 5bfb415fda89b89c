/** Ledgers as tables: which number is the invoice's, and what has both sides of each posting. */
import { describe, expect, it } from "vitest"
import { draftOf, readAll } from "./Reading.ts"

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`
const SAID = { currency: "GBP", terms_days: 30 }

describe("an audit trail", () => {
  for (const [called, [number, ref, type], [invoice, receipt]] of [
    ["English", ["No", "Ref", "Type"], ["SI", "SR"]],
    ["with another column in between", ["Tran No", "Ref", "Type"], ["Sales invoice", "Sales receipt"]],
    ["German", ["Nr.", "Referenz", "Belegart"], ["Rechnung", "Zahlung"]],
    ["French", ["N°", "Référence", "Type"], ["Facture", "Paiement"]]
  ] as const) {
    const head = `${number},${type},Customer,Date,${ref},Net,Tax`
    const rows = [
      `1,${invoice},Alder,2026-09-01,INV-1,100.00,20.00`,
      `2,${receipt},Alder,2026-09-05,INV-1,120.00,0.00`,
      `3,${invoice},Beech,2026-09-02,INV-2,50.00,10.00`
    ]
    it(`has the number that payments have as well, beside one of each row: ${called}`, async () => {
      const { documents } = await readAll({ "trail.csv": lines(head, ...rows) }, SAID)
      const shares = documents.flatMap((one) =>
        one.kind === "payment" ? one.shares.map(({ invoice }) => invoice) : []
      )
      const numbers = documents.flatMap((one) => (one.kind === "invoice" ? [one.number ?? one.id] : []))
      expect([numbers, shares]).toEqual([["INV-1", "INV-2"], ["INV-1"]])
    })
  }

  it("without payments counts its rows, and has the invoice's number as reference", async () => {
    const text = lines(
      "No,Type,Customer,Date,Ref,Net,Tax",
      "1,SI,Alder,2026-09-01,1000,100.00,20.00",
      "2,PI,Mill,2026-09-02,77,10.00,2.00",
      "3,SI,Beech,2026-09-03,1001,50.00,10.00"
    )
    const { documents } = await readAll({ "trail.csv": text }, SAID)
    expect(documents.map((one) => one.kind === "invoice" && (one.number ?? one.id))).toEqual(["1000", "1001"])
  })
})

describe("a table with both sides of each posting", () => {
  for (const [own, contra, side, debit, credit] of [
    ["Konto", "Gegenkonto (ohne BU-Schlüssel)", "Soll/Haben-Kennzeichen", "S", "H"],
    ["Account", "Contra account", "Debit/Credit", "D", "C"],
    ["Compte", "Contrepartie", "Sens", "D", "C"],
    ["Konto", "Modkonto", "Debet/Kredit", "D", "K"]
  ] as const)
    it(`is asked what it is, and is no statement of an account: ${contra}`, async () => {
      const text = lines(
        `Amount,${side},Currency,${own},${contra},Date,Document,Text`,
        `119.00,${debit},EUR,10001,8400,2026-09-01,1000,Alder`,
        `119.00,${debit},EUR,1200,10001,2026-09-05,1000,Alder`,
        `59.00,${credit},EUR,10002,1200,2026-09-06,1001,Beech`
      )
      const { found } = await draftOf({ "batch.csv": text })
      expect(found.sources.payments ?? found.sources.books).toBeUndefined()
      expect(found.questions.map(({ answer, ask }) => [answer, ask])).toEqual([
        ["kind.batch.csv", expect.stringContaining(`"${own}" and "${contra}" of batch.csv are the two sides`)]
      ])
    })

  it("is none where the accounts are a bank's", async () => {
    const text = lines(
      "Datum,Naam,Rekening,Tegenrekening,Af Bij,Bedrag,Mededelingen",
      '2026-09-05,Alder,NL02ABNA0123456789,NL91ABNA0417164300,Bij,"100,00",INV 1',
      '2026-09-06,Beech,NL02ABNA0123456789,NL91ABNA0417164301,Af,"75,50",huur'
    )
    const { found } = await draftOf({ "bank.csv": text }, { currency: "EUR" })
    expect([found.questions, found.sources.payments === undefined && found.sources.books === undefined]).toEqual([
      [],
      false
    ])
  })
})
