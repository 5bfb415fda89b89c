/**
 * UN/CEFACT's Cross Industry Invoice (XRechnung, Factur-X, ZUGFeRD 2) and its predecessor of ZUGFeRD 1. Paths are those of
 * EN 16931's binding to CII (CEN/TS 16931-3-3), as in the examples of github.com/ConnectingEurope/eInvoicing-EN16931 and of
 * github.com/ZUGFeRD/corpus.
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

const partyOf = (node: Node | undefined, field: string): Party => {
  const vat = all(node, "SpecifiedTaxRegistration/ID").find(({ attributes }) => attributes["schemeID"] === "VA")
  return party(
    {
      id: firstText(node, "ID", "GlobalID"),
      name: firstText(node, "Name", "SpecifiedLegalOrganization/TradingBusinessName"),
      country: firstText(node, "PostalTradeAddress/CountryID")?.toUpperCase(),
      address: addressAt(
        at(node, "PostalTradeAddress"),
        ["LineOne"],
        ["LineTwo"],
        ["LineThree"],
        ["PostcodeCode", "CityName"]
      ),
      vat: vat?.text.trim(),
      regnum: firstText(node, "SpecifiedLegalOrganization/ID")
    },
    field
  )
}

const dayAt = (node: Node | undefined, path: string) => {
  const text = firstText(node, `${path}/DateTimeString`, `${path}/DateTime`, `${path}/DateString`)
  return text === undefined ? undefined : day(text, path)
}

/** Instalments: terms that each have a part and a day. */
const scheduleOf = (terms: ReadonlyArray<Node>): ReadonlyArray<Instalment> | undefined => {
  const rows = terms.flatMap((one) => {
    const [text, date] = [firstText(one, "PartialPaymentAmount"), dayAt(one, "DueDateDateTime")]
    return text === undefined || date === undefined ? [] : [{ amount: amount(text, "PartialPaymentAmount"), date }]
  })
  return rows.length > 1 && rows.length === terms.length ? rows : undefined
}

/** Where a version has its parts: that of ZUGFeRD 2, then that of ZUGFeRD 1. */
const part = (root: Node, ...paths: ReadonlyArray<string>): Node | undefined =>
  paths.map((path) => at(root, path)).find((found) => found !== undefined)

const isMinimum = (root: Node): boolean =>
  /minimum/i.test(firstText(root, "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID") ?? "")

/** The amounts, in the document's currency. */
const sums = (root: Node, settlement: Node, currency: string): Pick<Facts, "gross" | "net" | "payable" | "prepaid"> => {
  const totals = part(
    settlement,
    "SpecifiedTradeSettlementHeaderMonetarySummation",
    "SpecifiedTradeSettlementMonetarySummation"
  )
  const total = (name: string) => amountIn(totals, name, currency)
  const [stated, net, payable] = [total("GrandTotalAmount"), total("TaxBasisTotalAmount"), total("DuePayableAmount")]
  if (stated === undefined) throw new Refused("it has no total (GrandTotalAmount)", "GrandTotalAmount")
  // ZUGFeRD 1 has none in its profile BASIC.
  if (payable === undefined && root.name === "CrossIndustryInvoice")
    throw new Refused("it has no amount to pay (DuePayableAmount)", "DuePayableAmount")
  checkTax({ net, gross: stated, tax: all(totals, "TaxTotalAmount"), currency }, "TaxTotalAmount")
  const rounding = total("RoundingAmount") ?? Decimal.zero
  const gross = stated + rounding
  // The profile MINIMUM has no prepaid amount: what is not to be paid any more was paid.
  const implied = isMinimum(root) && payable !== undefined ? gross - payable : Decimal.zero
  return {
    gross,
    prepaid: total("TotalPrepaidAmount") ?? implied,
    ...netBelow(net, stated, rounding),
    ...(payable === undefined ? {} : { payable })
  }
}

export const cii = (root: Node): Facts | Nothing => {
  const document = part(root, "ExchangedDocument", "HeaderExchangedDocument")
  const trade = part(root, "SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")
  const agreement = trade && part(trade, "ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement")
  const settlement = trade && part(trade, "ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement")
  const context = part(root, "ExchangedDocumentContext", "SpecifiedExchangedDocumentContext")
  if (firstText(context, "TestIndicator/Indicator") === "true") return { nothing: "it says that it is a test" }
  const type = typeOf(firstText(document, "TypeCode"))
  if (typeof type === "object") return type
  if (settlement === undefined || agreement === undefined) throw new Refused("it has no settlement")
  const number = present(firstText(document, "ID"), "number (ID)")
  const currency = present(firstText(settlement, "InvoiceCurrencyCode"), "currency (InvoiceCurrencyCode)")
  const terms = all(settlement, "SpecifiedTradePaymentTerms")
  const schedule = scheduleOf(terms)
  const words = allTexts(settlement, "SpecifiedTradePaymentTerms/Description")
  const method = methodOf(firstText(settlement, "SpecifiedTradeSettlementPaymentMeans/TypeCode"))
  return {
    number,
    id: number,
    type,
    issued: dayAt(document, "IssueDateTime") ?? day(present(undefined, "issue date (IssueDateTime)"), "IssueDateTime"),
    currency,
    ...sums(root, settlement, currency),
    due: terms.flatMap((one) => dayAt(one, "DueDateDateTime") ?? []),
    ...(words.length === 0 ? {} : { terms: words.join("\n") }),
    ...(schedule === undefined ? {} : { schedule }),
    seller: partyOf(at(agreement, "SellerTradeParty"), "seller"),
    buyer: partyOf(at(agreement, "BuyerTradeParty"), "buyer"),
    preceding: allTexts(settlement, "InvoiceReferencedDocument/IssuerAssignedID", "InvoiceReferencedDocument/ID"),
    ...(method === undefined ? {} : { method }),
    metadata: metadataOf(allTexts(settlement, "PaymentReference"), {
      order: firstText(agreement, "BuyerOrderReferencedDocument/IssuerAssignedID", "BuyerOrderReferencedDocument/ID"),
      contract: firstText(agreement, "ContractReferencedDocument/IssuerAssignedID")
    }),
    notices: paidToOthers(firstText(document, "TypeCode"), firstText(settlement, "PayeeTradeParty/Name"))
  }
}
