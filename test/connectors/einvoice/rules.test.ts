/**
 * What electronic invoices become, and what is never guessed. The shapes are those of public examples (KoSIT's XRechnung test
 * suite, CEN's examples of EN 16931, the Italian, Polish, Spanish and Austrian authorities'), with invented names and amounts.
 */
import { describe, expect, it } from "vitest"
import { decode } from "../../../connectors/einvoice/Container.ts"
import { dueOf } from "../../../connectors/Terms.ts"
import * as Day from "../../../core/wire/Day.ts"
import { type Choices, factsIn, read } from "./Lines.ts"
import * as Xml from "./Xml.ts"

describe("UBL and CII", () => {
  const CASES: ReadonlyArray<
    readonly [what: string, of: Xml.Invoice, choices: Choices, result: ReadonlyArray<string | RegExp>]
  > = [
    ["an invoice", {}, {}, ["invoice R-1 2026-03-05 2026-04-04 121.00 EUR"]],
    [
      "without a due day, by terms_days",
      { due: "" },
      { terms_days: 14 },
      ["invoice R-1 2026-03-05 2026-03-19 121.00 EUR"]
    ],
    [
      "by its terms",
      { due: "", terms: "Zahlbar innerhalb von 10 Tagen" },
      {},
      ["invoice R-1 2026-03-05 2026-03-15 121.00 EUR"]
    ],
    [
      "prepaid in part",
      { prepaid: "21.00", payable: "100.00" },
      {},
      [/^refused: 21\.00 EUR of it was paid before; set prepaid to payment .* or deduct/]
    ],
    [
      "prepaid, as a payment",
      { prepaid: "21.00", payable: "100.00" },
      { prepaid: "payment" },
      ["invoice R-1 2026-03-05 2026-04-04 121.00 EUR", "payment R-1/prepaid 21.00 on R-1"]
    ],
    [
      "prepaid, of which only the rest is asked for",
      { prepaid: "21.00", payable: "100.00" },
      { prepaid: "deduct" },
      ["invoice R-1 2026-03-05 2026-04-04 100.00 EUR"]
    ],
    ["prepaid in full", { prepaid: "121.00", payable: "0.00" }, { prepaid: "deduct" }, [/^nothing: .*prepaid in full/]],
    [
      "a final invoice, whose advances were invoices of their own",
      { type: "877", prepaid: "21.00", payable: "100.00" },
      {},
      ["invoice R-1 2026-03-05 2026-04-04 100.00 EUR"]
    ],
    ["rounded", { rounding: "0.01", payable: "121.01" }, {}, ["invoice R-1 2026-03-05 2026-04-04 121.01 EUR"]],
    [
      "whose sums contradict each other",
      { payable: "112.00" },
      {},
      [/^refused: its sums contradict each other: 121\.00 EUR/]
    ],
    ["a credit note", { type: "381", preceding: ["R-0"] }, {}, ["credit_note R-1 121.00 on R-0"]],
    ["a credit note of nothing in particular", { type: "381" }, {}, ["invoice R-1 2026-03-05 2026-03-05 -121.00 EUR"]],
    [
      "a credit note of two, which the books split",
      { type: "381", preceding: ["R-0", "R-9"] },
      {},
      ["credit_note R-1 121.00 among R-0, R-9"]
    ],
    [
      "a negative credit note",
      { type: "381", gross: "-121.00", net: "-100.00", preceding: ["R-0"] },
      {},
      [/^refused: it is a credit note of -121\.00 EUR; set negative_credit_notes/]
    ],
    [
      "a negative credit note that credits",
      { type: "381", gross: "-121.00", net: "-100.00", preceding: ["R-0"] },
      { negative_credit_notes: "credit" },
      ["credit_note R-1 121.00 on R-0"]
    ],
    [
      "a negative invoice",
      { gross: "-121.00", net: "-100.00", preceding: ["R-0"] },
      {},
      ["credit_note R-1 121.00 on R-0"]
    ],
    [
      "a corrected invoice",
      { type: "384", preceding: ["R-0"] },
      {},
      [/^refused: does it take the place of R-0, or add to it/]
    ],
    [
      "a corrected invoice that replaces",
      { type: "384", preceding: ["R-0"] },
      { corrected_invoices: "replace" },
      ["invoice R-1 2026-03-05 2026-04-04 121.00 EUR", "replaces R-0"]
    ],
    ["a self-billed invoice (Gutschrift)", { type: "389" }, {}, ["invoice R-1 2026-03-05 2026-04-04 121.00 EUR"]],
    ["a pro-forma invoice", { type: "325" }, {}, [/^nothing: a pro-forma invoice/]],
    ["a payment request", { type: "71" }, {}, ["refused: documents of type 71 are not read; take the file away"]],
    ["without a type", { type: "" }, {}, [/^refused: it has no type code/]],
    [
      "in cents of yen",
      { currency: "JPY", gross: "121.5", net: "100" },
      {},
      [/^refused: 121\.5 has more decimal places than JPY/]
    ]
  ]
  for (const [what, of, choices, result] of CASES)
    it(`${what}: the same in both`, () => {
      for (const write of [Xml.ubl, Xml.cii]) {
        // Without a code, a CII document does not say what it is; UBL's root does for credit notes alone.
        const lines = read(write(of), choices)
        expect(lines).toHaveLength(result.length)
        for (const [at, line] of lines.entries())
          typeof result[at] === "string" ? expect(line).toBe(result[at]) : expect(line).toMatch(result[at]!)
      }
    })

  it("take the amounts of their own currency, not of the VAT's", () => {
    const twice = Xml.cii({}).replace(
      "<ram:GrandTotalAmount",
      '<ram:GrandTotalAmount currencyID="SEK">1399.00</ram:GrandTotalAmount><ram:GrandTotalAmount'
    )
    expect(read(twice)).toEqual(["invoice R-1 2026-03-05 2026-04-04 121.00 EUR"])
  })

  it("are read within envelopes, and with any prefix", () => {
    const inner = Xml.ubl({})
    const body = inner.replace(/^<\?xml[^>]*\?>/, "")
    expect(
      read(
        `<s:StandardBusinessDocument xmlns:s="urn:s"><s:StandardBusinessDocumentHeader/>${body}</s:StandardBusinessDocument>`
      )
    ).toEqual(read(inner))
    const attached = `<AttachedDocument xmlns="urn:a"><Attachment><ExternalReference><Description><![CDATA[${inner}]]></Description></ExternalReference></Attachment></AttachedDocument>`
    expect(read(attached)).toEqual(read(inner))
  })

  it("are all read where a file has several, and a credit note is one whatever its code is", () => {
    const body = (number: string) => Xml.ubl({ number }).replace(/^<\?xml[^>]*\?>/, "")
    expect(read(`<Batch>${body("R-1")}<More>${body("R-2")}</More></Batch>`)).toEqual([
      "invoice R-1 2026-03-05 2026-04-04 121.00 EUR",
      "invoice R-2 2026-03-05 2026-04-04 121.00 EUR"
    ])
    const credit = Xml.ubl({ type: "381", preceding: ["R-0"] })
    for (const code of ["384", "380", "877"])
      expect(read(credit.replace("TypeCode>381", `TypeCode>${code}`), { prepaid: "deduct" })).toEqual(read(credit))
  })

  it("contradict themselves where nothing is to pay of a positive one, and nothing was prepaid", () => {
    for (const type of ["380", "384", "877"])
      for (const write of [Xml.ubl, Xml.cii])
        expect(read(write({ type, payable: "0.00" }))).toEqual([expect.stringMatching(/^refused: its sums contradict/)])
    expect(read(Xml.cii({ type: "381", payable: "0.00", preceding: ["R-0"] }))).toEqual([
      "credit_note R-1 121.00 on R-0"
    ])
  })

  it("are in UTF-8 if they can be, whatever single-byte encoding they declare", () => {
    const text = Xml.ubl({ seller: "Café Süd" }).replace("UTF-8", "ISO-8859-1")
    for (const encoding of ["utf8", "latin1"] as const)
      expect(factsIn(decode(Buffer.from(text, encoding))).seller.name).toBe("Café Süd")
  })

  it("say who the buyer is, and what the buyer writes on the transfer", () => {
    for (const write of [Xml.ubl, Xml.cii]) {
      const { buyer, metadata } = factsIn(write({ reference: "RF18539007547034" }))
      expect(buyer).toMatchObject({ name: "Atelier Nord", country: "FR", vat: "FR83404833048" })
      expect(metadata["payment_reference"]).toBe("RF18539007547034")
    }
  })
})

describe("terms in words", () => {
  const due = (terms: string) => dueOf(terms, Day.of("2026-03-05"))
  it("lead to a day where they have exactly one number of days", () => {
    for (const [terms, day] of [
      ["30 jours", "2026-04-04"],
      ["Net 14 days", "2026-03-19"],
      ["Betaling binnen 10 dagen", "2026-03-15"],
      ["sofort", "2026-03-05"],
      ["à réception de facture", "2026-03-05"],
      ["#SKONTO#TAGE=7#PROZENT=2.00#\n30 Tage netto", "2026-04-04"]
    ] as const)
      expect([terms, due(terms)]).toEqual([terms, day])
  })
  it("lead to none where they say more, or something else", () => {
    for (const terms of [
      "30 Tagen netto bis 04.07.2018, 3% Skonto innerhalb 10 Tagen",
      "2 % Skonto bei 10 Tagen",
      "#SKONTO#TAGE=7#PROZENT=2.00#",
      "10 days or 30 days",
      "Wie vereinbart"
    ])
      expect([terms, due(terms)]).toEqual([terms, undefined])
  })
})

describe("sums that a file states more than once", () => {
  it("have to agree: net, tax and total, in the document's currency", () => {
    const tax = (text: string) =>
      Xml.ubl({}).replace(
        "<cac:LegalMonetaryTotal>",
        `<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${text}</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>`
      )
    expect(read(tax("21.00"))).toEqual(["invoice R-1 2026-03-05 2026-04-04 121.00 EUR"])
    expect(read(tax("12.00"))[0]).toMatch(/contradict each other: 100\.00 and 12\.00 tax is not 121\.00/)
    for (const xml of [Xml.ubl({}), Xml.cii({})])
      expect(read(xml.replace(">EUR<", ">SEK<"))[0]).toMatch(/is in EUR, and the document in SEK; correct it/)
  })
  it("may have the rounding in the total with tax, as before EN 16931", () => {
    expect(read(Xml.ubl({ gross: "121.30", rounding: "0.30", payable: "121.30" }))).toEqual([
      "invoice R-1 2026-03-05 2026-04-04 121.30 EUR"
    ])
  })
  it("ask for more than the invoice where the prepaid amount is negative, which is never guessed", () => {
    const owed = Xml.ubl({ prepaid: "-50.00", payable: "171.00" })
    expect(read(owed, { prepaid: "payment" })).toEqual([
      "refused: it asks for 171.00 EUR, of which 50.00 EUR are from before; set prepaid to deduct to ask for all of it"
    ])
    expect(read(owed, { prepaid: "deduct" })).toEqual(["invoice R-1 2026-03-05 2026-04-04 171.00 EUR"])
  })
  it("of KSeF, Facturae and ebInterface agree too", () => {
    expect(read(Xml.ksef({}).replace("<P_14_1>23.00", "<P_14_1>22.00"))).toEqual([
      "refused: its amounts without tax (100.00) and its tax (22.00) are not its total 123.00; correct it in the program that wrote it, and export it again"
    ])
    // Of a simplified invoice, the buyer's tax number is all that there is.
    expect(factsIn(Xml.ksef({ kind: "UPR" }).replace("<Nazwa>Kawiarnia Lipowa</Nazwa>", "")).buyer.name).toBe(
      "9876543210"
    )
    expect(read(Xml.facturae({}).replace("<InvoiceTotal>121", "<InvoiceTotal>112"))).toEqual([
      "refused: its sums contradict each other: 100.00 and 21.00 tax, with 0.00 withheld, is not 112.00; correct it in the program that wrote it, and export it again"
    ])
    const batch = (count: number, sum: string) =>
      Xml.facturae({}).replace(
        "</FileHeader>",
        `<Batch><InvoicesCount>${count}</InvoicesCount><TotalInvoicesAmount><TotalAmount>${sum}</TotalAmount></TotalInvoicesAmount></Batch></FileHeader>`
      )
    expect(read(batch(2, "121.00"))).toEqual([
      "refused: it says that it has 2 invoices, and has 1; correct it in the program that wrote it, and export it again"
    ])
    expect(read(batch(1, "242.00"))[0]).toMatch(/its invoices come to 242.00, and they come to 121.00; correct it/)
    const below = Xml.ebInterface().replace(
      "<TotalGrossAmount>",
      "<Details><BelowTheLineItem><LineItemAmount>1.5</LineItemAmount></BelowTheLineItem></Details><TotalGrossAmount>"
    )
    expect(read(below.replace("<PayableAmount>120.00", "<PayableAmount>121.50"))).toEqual([
      "invoice E-1 2026-03-05 2026-04-04 121.50 EUR"
    ])
    expect(read(Xml.ebInterface().replace("schema/6p1", "schema/2p2"))[0]).toMatch(/it is ebInterface 2.2; get it/)
  })
  it("of Facturae are with or without what the buyer withholds: it pays the rest", () => {
    const withheld = (total: string) =>
      Xml.facturae({ total })
        .replace("<InvoiceTotal>", "<TotalTaxesWithheld>15.00</TotalTaxesWithheld><InvoiceTotal>")
        .replace(/<TotalExecutableAmount>[^<]*/, "<TotalExecutableAmount>106.00")
    for (const total of ["121.00", "106.00"]) {
      expect(read(withheld(total))).toEqual(["invoice A/7 2026-03-05 2026-04-04 106.00 EUR"])
      expect(read(withheld(total), { withheld: "keep" })).toEqual(["invoice A/7 2026-03-05 2026-04-04 121.00 EUR"])
    }
  })
  it("are of an invoice: a file without one is refused", () => {
    const empty = Xml.fattura({}).replace(/<FatturaElettronicaBody>[\s\S]*<\/FatturaElettronicaBody>/, "")
    expect(read(empty)[0]).toMatch(/^refused: its FatturaElettronica has no invoice in it; correct it/)
  })
})

describe("Italian invoices", () => {
  it("ask for what the buyer pays: without the VAT of split payment, without what is withheld", () => {
    expect(read(Xml.fattura({}))).toEqual(["invoice 12/2026 2026-03-05 2026-04-04 122.00 EUR"])
    expect(read(Xml.fattura({ split: true }))).toEqual(["invoice 12/2026 2026-03-05 2026-04-04 100.00 EUR"])
    expect(read(Xml.fattura({ withheld: "20.00" }))).toEqual(["invoice 12/2026 2026-03-05 2026-04-04 102.00 EUR"])
    expect(read(Xml.fattura({ withheld: "20.00" }), { withheld: "keep" })).toEqual([
      "invoice 12/2026 2026-03-05 2026-04-04 122.00 EUR"
    ])
  })
  it("have numbers that restart each year, and credit notes that name them", () => {
    expect(read(Xml.fattura({ type: "TD04", of: ["9", "2025-12-30"] }))).toEqual([
      "credit_note 12/2026 122.00 on 9/2025"
    ])
  })
  it("may be several in one file, and others' purchases", () => {
    expect(read(Xml.fattura({ times: 2 }))).toHaveLength(2)
    expect(read(Xml.fattura({ type: "TD17" }))).toEqual([expect.stringMatching(/^nothing: .*purchases/)])
  })
  it("simplified ones name what they credit; without a date it is said which year is taken", () => {
    const credit = Xml.simplified({ type: "TD08", of: ["9", "2025-12-01"] })
    const named = credit
      .replaceAll("DatiFattureCollegate", "DatiFatturaRettificata")
      .replace(/IdDocumento>/g, "NumeroFR>")
      .replace("<Data>2025-12-01</Data>", "<DataFR>2025-12-01</DataFR>")
    expect(read(named)).toEqual(["credit_note 12/2026 122.00 on 9/2025"])
    const undated = credit.replace("<Data>2025-12-01</Data>", "")
    expect(read(undated)).toEqual(["credit_note 12/2026 122.00 on 9/2026"])
    expect(factsIn(undated).notices).toEqual([expect.stringMatching(/without a date/)])
  })
  it("are refused where total and VAT differ", () => {
    const wrong = [Xml.fattura({ total: "150.00" }), Xml.fattura({}).replace("<Imposta>22", "<Imposta>2")]
    expect(wrong.flatMap((xml) => read(xml))).toEqual([
      "refused: its total 150.00 is not that of its VAT summary, 122.00; correct it in the program that wrote it, and export it again",
      "refused: its tax 2.00 is not 22 % of 100.00; correct it in the program that wrote it, and export it again"
    ])
  })
})

describe("Polish invoices", () => {
  it("are corrected by differences, and advances ask for nothing", () => {
    expect(read(Xml.ksef({}))).toEqual(["invoice F/1 2026-03-05 2026-04-04 123.00 PLN"])
    expect(read(Xml.ksef({ kind: "KOR", total: "-23.00", of: ["F/0"] }))).toEqual(["credit_note F/1 23.00 on F/0"])
    expect(read(Xml.ksef({ kind: "KOR", total: "23.00", of: ["F/0"] }))).toEqual([
      "invoice F/1 2026-03-05 2026-04-04 23.00 PLN"
    ])
    expect(read(Xml.ksef({ kind: "KOR", total: "0", of: ["F/0"] }))[0]).toMatch(/^nothing.*0.00 changes/)
    expect(read(Xml.ksef({ kind: "KOR", total: "-23.00", of: ["F/0", "F/9"] }))).toEqual([
      "credit_note F/1 23.00 among F/0, F/9"
    ])
    expect(read(Xml.ksef({ kind: "ZAL" }))).toEqual([expect.stringMatching(/^nothing: an advance invoice/)])
    expect(read(Xml.ksef({ kind: "KOR_ZAL", of: ["ZAL/1"] }))[0]).toMatch(/^nothing.* of an advance/)
  })
  it("say what was paid before", () => {
    expect(read(Xml.ksef({ paid: "2026-03-01" }))).toEqual([
      "invoice F/1 2026-03-05 2026-04-04 123.00 PLN",
      "payment F/1/1 123.00 on F/1"
    ])
  })
})

describe("Spanish and Austrian invoices", () => {
  it("are read", () => {
    expect(read(Xml.facturae({}))).toEqual(["invoice A/7 2026-03-05 2026-04-04 121.00 EUR"])
    expect(read(Xml.facturae({ corrects: "A/6", total: "-121.00" }))).toEqual(["credit_note A/7 121.00 on A/6"])
    expect(read(Xml.facturae({ class: "CO" }))).toEqual([expect.stringMatching(/^nothing: a copy/)])
    expect(read(Xml.ebInterface())).toEqual(["invoice E-1 2026-03-05 2026-04-04 120.00 EUR"])
  })
})

describe("Spanish totals", () => {
  it("ask for expenses for others too, and not for what subsidies and guarantees take off", () => {
    for (const [member, left] of [
      ["<TotalReimbursableExpenses>50.00</TotalReimbursableExpenses>", "171.00"],
      ["<Subsidies><Subsidy><SubsidyAmount>21.00</SubsidyAmount></Subsidy></Subsidies>", "100.00"],
      ["<AmountsWithheld><WithholdingAmount>6.05</WithholdingAmount></AmountsWithheld>", "114.95"]
    ] as const) {
      const xml = Xml.facturae({}).replace("<TotalExecutableAmount>121.00", `${member}<TotalExecutableAmount>${left}`)
      expect(read(xml)).toEqual([`invoice A/7 2026-03-05 2026-04-04 ${left} EUR`])
    }
  })
})
