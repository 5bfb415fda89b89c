/** Writes electronic invoices in each syntax, with what a test sets. */

export interface Invoice {
  readonly type?: string
  readonly due?: string
  readonly terms?: string
  readonly net?: string
  readonly gross?: string
  readonly prepaid?: string
  readonly rounding?: string
  readonly payable?: string
  readonly currency?: string
  readonly reference?: string
  readonly preceding?: ReadonlyArray<string>
  readonly seller?: string
  readonly number?: string
  readonly vat?: string
}

const tag = (name: string, text: string | undefined, attributes = ""): string =>
  text === undefined || text === "" ? "" : `<${name}${attributes}>${text}</${name}>`

const SELLER = { name: "Northwind Tea BV", country: "BE", vat: "BE0403019261" }
const BUYER = { name: "Atelier Nord", country: "FR", vat: "FR83404833048" }

const ublParty = (role: string, { country, name, vat }: typeof SELLER): string =>
  `<cac:${role}><cac:Party><cac:PostalAddress><cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${vat}</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${role}>`

/** What a test does not set. */
const whole = (of: Invoice) => {
  const { gross = "121.00" } = of
  return {
    currency: "EUR",
    due: "2026-04-04",
    net: "100.00",
    number: "R-1",
    payable: gross,
    preceding: [],
    prepaid: undefined,
    reference: undefined,
    rounding: undefined,
    seller: SELLER.name,
    terms: undefined,
    type: "380",
    vat: SELLER.vat,
    ...of,
    gross
  }
}

export const ubl = (of: Invoice): string => {
  const {
    currency,
    due,
    gross,
    net,
    number,
    payable,
    preceding,
    prepaid,
    reference,
    rounding,
    seller,
    terms,
    type,
    vat
  } = whole(of)
  const amount = (name: string, text: string | undefined) => tag(`cbc:${name}`, text, ` currencyID="${currency}"`)
  const root = type === "381" ? "CreditNote" : "Invoice"
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
${tag("cbc:ID", number)}${tag("cbc:IssueDate", "2026-03-05")}${root === "Invoice" ? tag("cbc:DueDate", due) : ""}${tag(`cbc:${root}TypeCode`, type)}${tag("cbc:DocumentCurrencyCode", currency)}
${preceding.map((id) => `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${id}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`).join("")}
${ublParty("AccountingSupplierParty", { ...SELLER, name: seller, vat })}${ublParty("AccountingCustomerParty", BUYER)}
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>${tag("cbc:PaymentID", reference)}</cac:PaymentMeans>
${terms === undefined ? "" : `<cac:PaymentTerms>${tag("cbc:Note", terms)}</cac:PaymentTerms>`}
<cac:LegalMonetaryTotal>${amount("TaxExclusiveAmount", net)}${amount("TaxInclusiveAmount", gross)}${amount("PrepaidAmount", prepaid)}${amount("PayableRoundingAmount", rounding)}${amount("PayableAmount", payable)}</cac:LegalMonetaryTotal>
</${root}>`
}

const ciiParty = (role: string, { country, name, vat }: typeof SELLER): string =>
  `<ram:${role}>${tag("ram:Name", name)}<ram:PostalTradeAddress>${tag("ram:CountryID", country)}</ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vat}</ram:ID></ram:SpecifiedTaxRegistration></ram:${role}>`

const ciiDay = (name: string, day: string): string =>
  day === ""
    ? ""
    : `<ram:${name}><udt:DateTimeString format="102">${day.replaceAll("-", "")}</udt:DateTimeString></ram:${name}>`

export const cii = (of: Invoice): string => {
  const {
    currency,
    due,
    gross,
    net,
    number,
    payable,
    preceding,
    prepaid,
    reference,
    rounding,
    seller,
    terms,
    type,
    vat
  } = whole(of)
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocument>${tag("ram:ID", number)}${tag("ram:TypeCode", type)}${ciiDay("IssueDateTime", "2026-03-05")}</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement>${ciiParty("SellerTradeParty", { ...SELLER, name: seller, vat })}${ciiParty("BuyerTradeParty", BUYER)}</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement>${tag("ram:PaymentReference", reference)}${tag("ram:InvoiceCurrencyCode", currency)}
<ram:SpecifiedTradePaymentTerms>${tag("ram:Description", terms)}${ciiDay("DueDateDateTime", due)}</ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation>${tag("ram:TaxBasisTotalAmount", net)}${tag("ram:RoundingAmount", rounding)}${tag("ram:GrandTotalAmount", gross, ` currencyID="${currency}"`)}${tag("ram:TotalPrepaidAmount", prepaid)}${tag("ram:DuePayableAmount", payable)}</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
${preceding.map((id) => `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${id}</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>`).join("")}
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>`
}

interface Fattura {
  readonly type?: string
  readonly split?: boolean
  readonly withheld?: string
  readonly total?: string
  readonly of?: readonly [number: string, day: string]
  readonly times?: number
}

const fatturaBody = ({ of, split = false, total, type = "TD01", withheld }: Fattura): string => `
<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento>${tag("TipoDocumento", type)}<Divisa>EUR</Divisa><Data>2026-03-05</Data><Numero>12</Numero>${withheld === undefined ? "" : `<DatiRitenuta><TipoRitenuta>RT01</TipoRitenuta><ImportoRitenuta>${withheld}</ImportoRitenuta></DatiRitenuta>`}${tag("ImportoTotaleDocumento", total)}</DatiGeneraliDocumento>${of === undefined ? "" : `<DatiFattureCollegate><IdDocumento>${of[0]}</IdDocumento><Data>${of[1]}</Data></DatiFattureCollegate>`}</DatiGenerali>
<DatiBeniServizi><DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta><EsigibilitaIVA>${split ? "S" : "I"}</EsigibilitaIVA></DatiRiepilogo></DatiBeniServizi>
<DatiPagamento><CondizioniPagamento>TP02</CondizioniPagamento><DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento><DataScadenzaPagamento>2026-04-04</DataScadenzaPagamento><ImportoPagamento>122.00</ImportoPagamento></DettaglioPagamento></DatiPagamento></FatturaElettronicaBody>`

export const fattura = (of: Fattura): string => `<?xml version="1.0" encoding="UTF-8"?>
<p:FatturaElettronica versione="FPR12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2"><FatturaElettronicaHeader>
<CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA><Anagrafica><Denominazione>Torrefazione Alfa SRL</Denominazione></Anagrafica></DatiAnagrafici><Sede><Nazione>IT</Nazione></Sede></CedentePrestatore>
<CessionarioCommittente><DatiAnagrafici><CodiceFiscale>RSSMRA80A01H501U</CodiceFiscale><Anagrafica><Nome>Mario</Nome><Cognome>Rossi</Cognome></Anagrafica></DatiAnagrafici><Sede><Nazione>IT</Nazione></Sede></CessionarioCommittente>
</FatturaElettronicaHeader>${fatturaBody(of).repeat(of.times ?? 1)}</p:FatturaElettronica>`

export const simplified = (of: Fattura): string =>
  fattura(of).replaceAll("p:FatturaElettronica", "p:FatturaElettronicaSemplificata")

interface Ksef {
  readonly kind?: string
  readonly total?: string
  readonly of?: ReadonlyArray<string>
  readonly paid?: string
}

export const ksef = ({
  kind = "VAT",
  of = [],
  paid,
  total = "123.00"
}: Ksef): string => `<?xml version="1.0" encoding="UTF-8"?>
<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/"><Podmiot1><DaneIdentyfikacyjne><NIP>1234563218</NIP><Nazwa>Herbata Polska sp. z o.o.</Nazwa></DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju></Adres></Podmiot1>
<Podmiot2><DaneIdentyfikacyjne><NIP>9876543210</NIP><Nazwa>Kawiarnia Lipowa</Nazwa></DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju></Adres></Podmiot2>
<Fa><KodWaluty>PLN</KodWaluty><P_1>2026-03-05</P_1><P_2>F/1</P_2>${total === "123.00" ? "<P_13_1>100.00</P_13_1><P_14_1>23.00</P_14_1>" : `<P_13_7>${total}</P_13_7>`}<P_15>${total}</P_15><RodzajFaktury>${kind}</RodzajFaktury>${of.map((id) => `<DaneFaKorygowanej><DataWystFaKorygowanej>2026-02-01</DataWystFaKorygowanej><NrFaKorygowanej>${id}</NrFaKorygowanej></DaneFaKorygowanej>`).join("")}
<Platnosc>${paid === undefined ? "" : `<Zaplacono>1</Zaplacono><DataZaplaty>${paid}</DataZaplaty>`}<TerminPlatnosci><Termin>2026-04-04</Termin></TerminPlatnosci></Platnosc></Fa></Faktura>`

interface FacturaeOf {
  readonly class?: string
  readonly corrects?: string
  readonly total?: string
}

const spanish = (role: string, name: string): string =>
  `<${role}><TaxIdentification><TaxIdentificationNumber>B23103039</TaxIdentificationNumber></TaxIdentification><LegalEntity><CorporateName>${name}</CorporateName><AddressInSpain><CountryCode>ESP</CountryCode></AddressInSpain></LegalEntity></${role}>`

export const facturae = ({
  class: of = "OO",
  corrects,
  total = "121.00"
}: FacturaeOf): string => `<?xml version="1.0" encoding="UTF-8"?>
<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml"><FileHeader><SchemaVersion>3.2.2</SchemaVersion></FileHeader>
<Parties>${spanish("SellerParty", "Tés del Sur SL")}${spanish("BuyerParty", "Café Central SL")}</Parties>
<Invoices><Invoice><InvoiceHeader><InvoiceNumber>7</InvoiceNumber><InvoiceSeriesCode>A</InvoiceSeriesCode><InvoiceClass>${corrects === undefined ? of : "OR"}</InvoiceClass>${corrects === undefined ? "" : `<Corrective><InvoiceNumber>${corrects.split("/")[1]}</InvoiceNumber><InvoiceSeriesCode>${corrects.split("/")[0]}</InvoiceSeriesCode><CorrectionMethod>02</CorrectionMethod></Corrective>`}</InvoiceHeader>
<InvoiceIssueData><IssueDate>2026-03-05</IssueDate><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode></InvoiceIssueData>
<InvoiceTotals><TotalGrossAmountBeforeTaxes>${total.startsWith("-") ? "-100.00" : "100.00"}</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>${total.startsWith("-") ? "-" : ""}21.00</TotalTaxOutputs><InvoiceTotal>${total}</InvoiceTotal><TotalExecutableAmount>${total}</TotalExecutableAmount></InvoiceTotals>
<PaymentDetails><Installment><InstallmentDueDate>2026-04-04</InstallmentDueDate><InstallmentAmount>${total}</InstallmentAmount><PaymentMeans>04</PaymentMeans></Installment></PaymentDetails></Invoice></Invoices></fe:Facturae>`

export const ebInterface = (): string => `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="http://www.ebinterface.at/schema/6p1/" DocumentType="Invoice" InvoiceCurrency="EUR"><InvoiceNumber>E-1</InvoiceNumber><InvoiceDate>2026-03-05</InvoiceDate>
<Biller><VATIdentificationNumber>ATU12345678</VATIdentificationNumber><Address><Name>Teehaus Wien GmbH</Name><Country CountryCode="AT">Österreich</Country></Address></Biller>
<InvoiceRecipient><VATIdentificationNumber>ATU87654321</VATIdentificationNumber><Address><Name>Kaffee Linz KG</Name><Country CountryCode="AT">Österreich</Country></Address></InvoiceRecipient>
<TotalGrossAmount>120.00</TotalGrossAmount><PayableAmount>120.00</PayableAmount><PaymentConditions><DueDate>2026-04-04</DueDate></PaymentConditions></Invoice>`
