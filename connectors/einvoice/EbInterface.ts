/**
 * ebInterface 3.0 to 6.1, by AustriaPro's schemas (ebinterface.at/schema/6p1); members as in the examples of
 * github.com/phax/ph-ebinterface.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Party } from "../Document.ts"
import { Refused } from "../Refused.ts"
import { amount, day, type Facts, metadataOf, type Nothing, notRead, party, present, type Type } from "./Facts.ts"
import { allTexts, firstText, type Node } from "./Tree.ts"
import { addressAt, all, at } from "../XmlNodes.ts"

const TYPES: Readonly<Record<string, Type>> = {
  Invoice: "invoice",
  FinalSettlement: "final invoice",
  InvoiceForAdvancePayment: "invoice",
  InvoiceForPartialDelivery: "invoice",
  SelfBilling: "invoice",
  SubsequentCredit: "credit note",
  CreditMemo: "credit note"
}

const partyOf = (node: Node | undefined, field: string): Party => {
  const register = all(node, "FurtherIdentification").find(
    ({ attributes }) => attributes["IdentificationType"] === "FN" || attributes["IdentificationType"] === "FBNR"
  )
  const land = at(node, "Address/Country")
  return party(
    {
      id: firstText(node, "BillersInvoiceRecipientID"),
      name: firstText(node, "Address/Name"),
      country: land?.attributes["CountryCode"]?.toUpperCase(),
      address: addressAt(at(node, "Address"), ["Street"], ["ZIP", "Town"]),
      vat: firstText(node, "VATIdentificationNumber"),
      regnum: register?.text.trim()
    },
    field
  )
}

const NAMESPACE = /ebinterface\.at\/schema\/(\d)p(\d)/

export const ebInterface = (root: Node): Facts | Nothing => {
  const [, major = "", minor = ""] = NAMESPACE.exec(Object.values(root.attributes).join(" ")) ?? []
  if (major !== "" && Number(major) < 3)
    throw new Refused(`it is ebInterface ${major}.${minor}`, undefined, "get it in one of the versions 3.0 to 6.1")
  const kind = root.attributes["DocumentType"] ?? "Invoice"
  const type = TYPES[kind]
  if (type === undefined) throw notRead(kind, "DocumentType")
  const total = firstText(root, "TotalGrossAmount")
  if (total === undefined) throw new Refused("it has no total (TotalGrossAmount)", "TotalGrossAmount")
  const optional = (name: string) => {
    const text = firstText(root, name)
    return text === undefined ? undefined : amount(text, name)
  }
  const payable = optional("PayableAmount")
  const prepaid = optional("PrepaidAmount") ?? Decimal.zero
  // Items below the line are asked for, and in no total.
  const below = Decimal.sum(
    all(root, "Details/BelowTheLineItem/LineItemAmount").map(({ text }) => amount(text.trim(), "LineItemAmount"))
  )
  const gross = amount(total, "TotalGrossAmount") + (optional("RoundingAmount") ?? Decimal.zero)
  const isExplained = payable === gross + below - prepaid
  const terms = at(root, "PaymentConditions")
  const cancelled = firstText(root, "CancelledOriginalDocument/InvoiceNumber")
  const number = present(firstText(root, "InvoiceNumber"), "number (InvoiceNumber)")
  return {
    number,
    id: number,
    issued: day(present(firstText(root, "InvoiceDate"), "InvoiceDate"), "InvoiceDate"),
    type: cancelled !== undefined && type === "invoice" ? "correction" : type,
    currency: present(root.attributes["InvoiceCurrency"], "InvoiceCurrency"),
    gross: isExplained ? gross + below : gross,
    prepaid,
    ...(payable === undefined ? {} : { payable }),
    due: all(terms, "DueDate").map(({ text }) => day(text.trim(), "DueDate")),
    seller: partyOf(at(root, "Biller"), "Biller"),
    buyer: partyOf(at(root, "InvoiceRecipient"), "InvoiceRecipient"),
    preceding: [
      cancelled ?? (type === "credit note" ? firstText(root, "RelatedDocument/InvoiceNumber") : undefined)
    ].filter((id) => id !== undefined),
    metadata: metadataOf(
      // Until 3.0.2, the method is the bank transaction itself.
      allTexts(root, "PaymentMethod/UniversalBankTransaction/PaymentReference", "PaymentMethod/PaymentReference")
    ),
    notices: root.attributes["IsDuplicate"] === "true" ? ["a duplicate of an invoice"] : []
  }
}
