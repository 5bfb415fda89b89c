/**
 * UBL 2.1 (Peppol BIS Billing 3, XRechnung, OIOUBL): `Invoice` and `CreditNote`. Paths are those of EN 16931's binding to UBL
 * (CEN/TS 16931-3-2), as in the examples of github.com/ConnectingEurope/eInvoicing-EN16931.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Instalment, Party } from "../Document.ts"
import { Refused } from "../Refused.ts"
import {
  amount,
  amountIn,
  checkTax,
  day,
  type Facts,
  metadataOf,
  netBelow,
  type Nothing,
  paidToOthers,
  party,
  present
} from "./Facts.ts"
import { methodOf } from "./Methods.ts"
import { allTexts, firstText, type Node } from "./Tree.ts"
import { addressAt, all, at } from "../XmlNodes.ts"
import { typeOf } from "./Types.ts"

const partyOf = (node: Node | undefined, field: string): Party =>
  party(
    {
      id: firstText(node, "PartyIdentification/ID"),
      name: firstText(node, "PartyLegalEntity/RegistrationName", "PartyName/Name"),
      country: firstText(node, "PostalAddress/Country/IdentificationCode")?.toUpperCase(),
      address: addressAt(
        at(node, "PostalAddress"),
        ["StreetName", "BuildingNumber"],
        ["AdditionalStreetName"],
        ["AddressLine/Line"],
        ["PostalZone", "CityName"]
      ),
      vat: firstText(node, "PartyTaxScheme/CompanyID"),
      regnum: firstText(node, "PartyLegalEntity/CompanyID")
    },
    field
  )

const days = (node: Node, paths: ReadonlyArray<string>) =>
  paths.flatMap((path) => all(node, path).map(({ text }) => day(text.trim(), path)))

/** Instalments: terms that each have an amount and a day. */
const scheduleOf = (node: Node): ReadonlyArray<Instalment> | undefined => {
  const terms = all(node, "PaymentTerms")
  const rows = terms.flatMap((one) => {
    const [text, date] = [firstText(one, "Amount"), firstText(one, "PaymentDueDate", "InstallmentDueDate")]
    return text === undefined || date === undefined
      ? []
      : [{ amount: amount(text, "PaymentTerms/Amount"), date: day(date, "PaymentDueDate") }]
  })
  return rows.length > 1 && rows.length === terms.length ? rows : undefined
}

/** The amounts, in the document's currency. */
const sumsOf = (root: Node, currency: string): Pick<Facts, "gross" | "net" | "payable" | "prepaid"> => {
  const totals = at(root, "LegalMonetaryTotal") ?? at(root, "RequestedMonetaryTotal")
  const total = (name: string) => amountIn(totals, name, currency)
  const stated = total("TaxInclusiveAmount")
  const payable = total("PayableAmount")
  const net = total("TaxExclusiveAmount")
  if (payable === undefined) throw new Refused("it has no amount to pay (PayableAmount)", "PayableAmount")
  if (stated === undefined && net === undefined)
    throw new Refused("it has no total (TaxInclusiveAmount)", "TaxInclusiveAmount")
  // Payments that the seller takes for others (XRechnung's extension): asked for, and in no total.
  const others = Decimal.sum(
    all(root, "PrepaidPayment/PaidAmount").map(({ text }) => amount(text.trim(), "PaidAmount"))
  )
  const prepaid = total("PrepaidAmount") ?? Decimal.zero
  const rounding = total("PayableRoundingAmount") ?? Decimal.zero
  // Before EN 16931, the total with tax had the rounding in it.
  const isWithin = stated !== undefined && rounding !== 0n && payable === stated - prepaid
  const gross = isWithin ? stated - rounding : (stated ?? payable + prepaid - rounding - others)
  const isExplained = payable === gross + rounding + others - prepaid
  checkTax({ net, gross, tax: all(root, "TaxTotal/TaxAmount"), currency }, "TaxTotal/TaxAmount")
  return {
    ...(stated === undefined ? {} : netBelow(net, gross, rounding)),
    gross: gross + rounding + (isExplained ? others : Decimal.zero),
    prepaid,
    payable
  }
}

/** A Danish payment slip (OIOUBL's means 93, and 50) has its kind as PaymentID, and the reference beside it. */
const referencesOf = (means: Node): ReadonlyArray<string> =>
  ["50", "93"].includes(firstText(means, "PaymentMeansCode") ?? "") && at(means, "InstructionID") !== undefined
    ? allTexts(means, "InstructionID")
    : allTexts(means, "PaymentID")

export const ubl = (root: Node): Facts | Nothing => {
  const isCredit = root.name === "CreditNote"
  const type = typeOf(firstText(root, "InvoiceTypeCode", "CreditNoteTypeCode") ?? (isCredit ? "381" : undefined))
  if (typeof type === "object") return type
  const number = present(firstText(root, "ID"), "number (ID)")
  const currency = present(firstText(root, "DocumentCurrencyCode"), "currency (DocumentCurrencyCode)")
  const schedule = scheduleOf(root)
  const terms = all(root, "PaymentTerms/Note").map(({ text }) => text.trim())
  const method = methodOf(firstText(root, "PaymentMeans/PaymentMeansCode"))
  return {
    number,
    id: number,
    type: isCredit ? "credit note" : type,
    issued: day(present(firstText(root, "IssueDate"), "issue date (IssueDate)"), "IssueDate"),
    currency,
    ...sumsOf(root, currency),
    due: days(root, ["DueDate", "PaymentMeans/PaymentDueDate", "PaymentTerms/PaymentDueDate"]),
    ...(terms.length === 0 ? {} : { terms: terms.join("\n") }),
    ...(schedule === undefined ? {} : { schedule }),
    seller: partyOf(at(root, "AccountingSupplierParty/Party"), "seller"),
    buyer: partyOf(at(root, "AccountingCustomerParty/Party"), "buyer"),
    preceding: allTexts(root, "BillingReference/InvoiceDocumentReference/ID"),
    ...(method === undefined ? {} : { method }),
    metadata: metadataOf(
      all(root, "PaymentMeans").flatMap((one) => referencesOf(one)),
      {
        order: firstText(root, "OrderReference/ID"),
        contract: firstText(root, "ContractDocumentReference/ID")
      }
    ),
    notices: [
      ...(!isCredit && type === "credit note"
        ? ["an Invoice whose type is that of a credit note; read as a credit note"]
        : []),
      ...paidToOthers(
        firstText(root, "InvoiceTypeCode", "CreditNoteTypeCode"),
        firstText(root, "PayeeParty/PartyName/Name", "PayeeParty/PartyLegalEntity/RegistrationName")
      )
    ]
  }
}
