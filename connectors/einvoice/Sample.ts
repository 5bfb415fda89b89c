/**
 * Provides fixtures for the connector of electronic invoices, for the conformance kit: an invoice in UBL, one in CII that was
 * prepaid in part, and a credit note, in files of their own.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import type { Subject } from "../testing/Subject.ts"
import { einvoice } from "./EInvoice.ts"

const CAC = `xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"`

const party = (role: string, name: string, country: string, vat: string): string => `
  <cac:${role}><cac:Party><cac:PostalAddress><cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    <cac:PartyTaxScheme><cbc:CompanyID>${vat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${role}>`

const total = (net: string, gross: string, rest = ""): string => `
  <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="EUR">${net}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="EUR">${gross}</cbc:TaxInclusiveAmount>${rest}<cbc:PayableAmount currencyID="EUR">${gross}</cbc:PayableAmount></cac:LegalMonetaryTotal>`

const PARTIES = `${party("AccountingSupplierParty", "Northwind Tea BV", "BE", "BE0403019261")}${party("AccountingCustomerParty", "Atelier Nord", "FR", "FR83404833048")}`

const FILES = {
  "INV-1.xml": `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" ${CAC}>
  <cbc:ID>INV-1</cbc:ID><cbc:IssueDate>2026-01-05</cbc:IssueDate><cbc:DueDate>2026-02-04</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>${PARTIES}
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>${total("100.00", "121.00")}
</Invoice>
`,
  "INV-2.xml": `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocument><ram:ID>INV-2</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260131</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty><ram:Name>Northwind Tea BV</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">BE0403019261</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>Harbour Tea Ltd</ram:Name><ram:PostalTradeAddress><ram:CountryID>IE</ram:CountryID></ram:PostalTradeAddress></ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20260302</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>1000.10</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>1200.12</ram:GrandTotalAmount><ram:TotalPrepaidAmount>200.12</ram:TotalPrepaidAmount><ram:DuePayableAmount>1000.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`,
  "CN-1.xml": `<?xml version="1.0" encoding="UTF-8"?>
<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2" ${CAC}>
  <cbc:ID>CN-1</cbc:ID><cbc:IssueDate>2026-02-10</cbc:IssueDate><cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>INV-1</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>${PARTIES}${total("20.00", "24.20")}
</CreditNote>
`
} as const

export const subject: Subject = {
  connector: einvoice,
  settings: { path: ".", seller: ["BE 0403.019.261"], prepaid: "payment" },
  golden: [
    `{"kind":"invoice","id":"INV-1","number":"INV-1","status":"open","party":{"name":"Atelier Nord","country":"FR","vat":"FR83404833048"},"currency":"EUR","issued":"2026-01-05","payMethod":"bank","due":"2026-02-04","gross":"12100000000n","net":"10000000000n"}`,
    `{"kind":"invoice","id":"INV-2","number":"INV-2","status":"open","party":{"name":"Harbour Tea Ltd","country":"IE"},"currency":"EUR","issued":"2026-01-31","due":"2026-03-02","gross":"120012000000n","net":"100010000000n"}`,
    `{"kind":"payment","id":"INV-2/prepaid","date":"2026-01-31","currency":"EUR","shares":[{"invoice":"INV-2","amount":"20012000000n"}]}`,
    `{"kind":"credit_note","id":"CN-1","date":"2026-02-10","currency":"EUR","shares":[{"invoice":"INV-1","amount":"2420000000n","net":"2000000000n"}]}`
  ],
  open: () => {
    const folder = temporaryFolder("sample")
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
    const edit = (name: keyof typeof FILES, ...pairs: ReadonlyArray<readonly [from: string, to: string]>) => {
      const path = join(folder, name)
      writeFileSync(
        path,
        pairs.reduce((text, [from, to]) => text.replaceAll(from, to), readFileSync(path, "utf8"))
      )
    }
    return {
      folder,
      close: () => rmSync(folder, { recursive: true, force: true }),
      malform: () => {
        edit("INV-1.xml", ["2026-01-05", "32 March"])
        return "32 March"
      },
      enlarge: () => {
        edit("INV-1.xml", ["121.00", "90071992547409.93"])
        return { document: "invoice/INV-1", amount: "90071992547409.93" }
      }
    }
  }
}
