/** The totals of electronic invoices: what has to be there, and what they come to with charges, deductions and rounding. */
import { describe, expect, it } from "vitest"
import { meaning } from "../../../connectors/einvoice/Meaning.ts"
import { factsIn, read } from "./Lines.ts"
import * as Xml from "./Xml.ts"

describe("totals", () => {
  it("are refused without the amount to pay, which shows what else is missing", () => {
    const without = (xml: string) => xml.replace(/<(\w+):(PayableAmount|DuePayableAmount)[^>]*>[^<]*<\/\1:\2>/, "")
    expect(read(without(Xml.ubl({})))).toEqual([
      "refused: it has no amount to pay (PayableAmount); correct it in the program that wrote it, and export it again"
    ])
    expect(read(without(Xml.cii({})))).toEqual([
      "refused: it has no amount to pay (DuePayableAmount); correct it in the program that wrote it, and export it again"
    ])
    const alone = Xml.ubl({ payable: "100.00" }).replace(/<cbc:(Tax(?:In|Ex)clusiveAmount)[^>]*>[^<]*<\/cbc:\1>/g, "")
    expect(read(alone)).toEqual([
      "refused: it has no total (TaxInclusiveAmount); correct it in the program that wrote it, and export it again"
    ])
    // Net and tax say what the total with tax was.
    const torn = Xml.ubl({ payable: "100.00" })
      .replace(/<cbc:TaxInclusiveAmount[^>]*>[^<]*<\/cbc:TaxInclusiveAmount>/, "")
      .replace(
        "<cac:LegalMonetaryTotal>",
        '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">21.00</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>'
      )
    expect(read(torn)[0]).toMatch(/contradict each other: 100\.00 and 21\.00 tax is not 100\.00/)
  })
  it("of KSeF ask for what is charged beside the invoice, and less what is taken off", () => {
    const settled = (inner: string) =>
      Xml.ksef({}).replace("<Platnosc>", `<Rozliczenie>${inner}</Rozliczenie><Platnosc>`)
    const both = "<SumaObciazen>7.00</SumaObciazen><SumaOdliczen>30.00</SumaOdliczen>"
    const asks = (amount: string) => [`invoice F/1 2026-03-05 2026-04-04 ${amount} PLN`]
    expect(read(settled(`${both}<DoZaplaty>100.00</DoZaplaty>`))).toEqual(asks("100.00"))
    expect(read(settled(both))).toEqual(asks("100.00"))
    expect(read(settled(`${both}<DoZaplaty>110.00</DoZaplaty>`))).toEqual([
      "refused: its sums contradict each other: 123.00 and 7.00 charged, less 30.00, is not 110.00 to pay; correct it in the program that wrote it, and export it again"
    ])
    expect(read(settled("<DoRozliczenia>0</DoRozliczenia>"))).toEqual(asks("123.00"))
  })
  it("may be rounded down where there is no tax: the net amount, which is above it, is left out", () => {
    for (const write of [Xml.ubl, Xml.cii]) {
      const rounded = write({ gross: "100.16", net: "100.16", rounding: "-0.16", payable: "100.00" })
      expect(read(rounded)).toEqual(["invoice R-1 2026-03-05 2026-04-04 100.00 EUR"])
      const [document] = meaning(factsIn(rounded), {}).documents
      expect(document).not.toHaveProperty("net")
    }
  })
})

describe("Polish final invoices", () => {
  it("say where their sums are not what they ask for", () => {
    expect(factsIn(Xml.ksef({ kind: "ROZ" })).notices).toEqual([])
    expect(factsIn(Xml.ksef({ kind: "ROZ" }).replace("<P_15>123.00", "<P_15>143.00")).notices).toEqual([
      "an invoice of kind ROZ whose amounts without tax and tax are not its total (P_15), which it asks for"
    ])
  })
})
