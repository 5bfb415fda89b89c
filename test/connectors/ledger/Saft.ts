/** Writes a SAF-T PT of an invented company. */

export interface Sale {
  readonly no: string
  readonly type?: string
  readonly status?: string
  readonly day?: string
  readonly customer?: string
  /** Of each line: without tax, in percent, and the documents that it names. */
  readonly lines: ReadonlyArray<readonly [net: string, tax: string, ...references: ReadonlyArray<string>]>
  readonly net: string
  readonly tax: string
  readonly gross: string
  /** More of its totals. */
  readonly totals?: string
}

export interface Receipt {
  readonly no: string
  readonly status?: string
  readonly lines: ReadonlyArray<readonly [amount: string, tax: string, document: string, more?: string]>
  readonly net: string
  readonly tax: string
  readonly gross: string
  readonly means?: ReadonlyArray<readonly [mechanism: string, amount: string]>
  readonly more?: string
}

const tax = (percentage: string) => `<Tax><TaxType>IVA</TaxType><TaxPercentage>${percentage}</TaxPercentage></Tax>`

const totals = (one: Sale | Receipt, more = "") =>
  `<DocumentTotals><TaxPayable>${one.tax}</TaxPayable><NetTotal>${one.net}</NetTotal><GrossTotal>${one.gross}</GrossTotal>${more}</DocumentTotals>`

const sale = (one: Sale): string => {
  const { customer = "C1", day = "2026-03-05", lines, no, status = "N", type = "FT" } = one
  const side = type === "NC" ? "DebitAmount" : "CreditAmount"
  return `<Invoice><InvoiceNo>${no}</InvoiceNo><DocumentStatus><InvoiceStatus>${status}</InvoiceStatus></DocumentStatus>
<InvoiceDate>${day}</InvoiceDate><InvoiceType>${type}</InvoiceType><CustomerID>${customer}</CustomerID>
${lines.map(([net, percentage, ...references]) => `<Line>${references.map((text) => `<References><Reference>${text}</Reference></References>`).join("")}<${side}>${net}</${side}>${tax(percentage)}</Line>`).join("\n")}
${totals(one, one.totals)}</Invoice>`
}

const receipt = (one: Receipt): string => {
  const { lines, means = [], more = "", no, status = "N" } = one
  return `<Payment><PaymentRefNo>${no}</PaymentRefNo><TransactionDate>2026-04-01</TransactionDate><PaymentType>RG</PaymentType>
<DocumentStatus><PaymentStatus>${status}</PaymentStatus></DocumentStatus>
${means.map(([mechanism, amount]) => `<PaymentMethod><PaymentMechanism>${mechanism}</PaymentMechanism><PaymentAmount>${amount}</PaymentAmount></PaymentMethod>`).join("")}
<CustomerID>C1</CustomerID>
${lines.map(([amount, percentage, document, rest = ""]) => `<Line><SourceDocumentID><OriginatingON>${document}</OriginatingON></SourceDocumentID>${rest}<${amount.startsWith("-") ? "DebitAmount" : "CreditAmount"}>${amount.replace("-", "")}</${amount.startsWith("-") ? "DebitAmount" : "CreditAmount"}>${tax(percentage)}</Line>`).join("\n")}
${totals(one)}${more}</Payment>`
}

/** In hundred-thousandths, which is as fine as the lines of these files are. */
const units = (text: string): bigint => {
  const [whole = "", part = ""] = text.replace("-", "").split(".")
  return BigInt(whole + part.padEnd(5, "0"))
}
const written = (sum: bigint): string => `${sum / 100_000n}.${String(sum % 100_000n).padStart(5, "0")}`

export const saft = (sales: ReadonlyArray<Sale>, receipts: ReadonlyArray<Receipt> = []): string => {
  const counted = sales.filter(({ status }) => status !== "A" && status !== "F")
  const sum = (isNote: boolean) =>
    counted
      .filter(({ type }) => (type === "NC") === isNote)
      .flatMap(({ lines }) => lines)
      .reduce((all, [net]) => all + units(net), 0n)
  const paid = (isDebit: boolean) =>
    receipts
      .filter(({ status }) => status !== "A")
      .flatMap(({ lines }) => lines)
      .filter(([amount]) => amount.startsWith("-") === isDebit)
      .reduce((all, [amount]) => all + units(amount), 0n)
  return `<?xml version="1.0" encoding="windows-1252"?>
<AuditFile xmlns="urn:OECD:StandardAuditFile-Tax:PT_1.04_01">
<Header><CompanyName>Cerâmica do Minho, Lda.</CompanyName><CurrencyCode>EUR</CurrencyCode></Header>
<MasterFiles>
<Customer><CustomerID>C1</CustomerID><CustomerTaxID>501964843</CustomerTaxID><CompanyName>Azulejos São João</CompanyName><BillingAddress><AddressDetail>Rua do Sol, 4</AddressDetail><City>Porto</City><PostalCode>4000-001</PostalCode><Country>PT</Country></BillingAddress></Customer>
<Customer><CustomerID>C2</CustomerID><CustomerTaxID>999999990</CustomerTaxID><CompanyName>Consumidor final</CompanyName><BillingAddress><AddressDetail>Desconhecido</AddressDetail><City>Desconhecido</City><PostalCode>Desconhecido</PostalCode><Country>Desconhecido</Country></BillingAddress></Customer>
<Product><ProductCode>P</ProductCode></Product>
</MasterFiles>
<SourceDocuments>
<SalesInvoices><NumberOfEntries>${sales.length}</NumberOfEntries><TotalDebit>${written(sum(true))}</TotalDebit><TotalCredit>${written(sum(false))}</TotalCredit>
${sales.map(sale).join("\n")}
</SalesInvoices>
<Payments><NumberOfEntries>${receipts.length}</NumberOfEntries><TotalDebit>${written(paid(true))}</TotalDebit><TotalCredit>${written(paid(false))}</TotalCredit>
${receipts.map(receipt).join("\n")}
</Payments>
</SourceDocuments>
</AuditFile>
`
}
