/**
 * Facturae 3.2.x, by the schema of facturae.gob.es (Facturaev3_2_2.xml): one file may have several invoices. Members as in the
 * examples of github.com/invopop/gobl.facturae.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Country from "../../core/wire/Country.ts"
import type { Party } from "../Document.ts"
import { Refused } from "../Refused.ts"
import { amount, day, type Facts, metadataOf, type Nothing, party, present, type Type, within } from "./Facts.ts"
import { allTexts, firstText, type Node } from "./Tree.ts"
import { addressAt, all, at } from "../XmlNodes.ts"

const partyOf = (node: Node | undefined, field: string): Party => {
  const legal = at(node, "LegalEntity") ?? at(node, "Individual")
  const person = [firstText(legal, "Name"), firstText(legal, "FirstSurname"), firstText(legal, "SecondSurname")]
  const place = at(legal, "AddressInSpain") ?? at(legal, "OverseasAddress")
  const code = firstText(place, "CountryCode")
  return party(
    {
      name: firstText(legal, "CorporateName") ?? person.filter((text) => text !== undefined).join(" "),
      country: code === undefined ? undefined : Country.parse(code),
      address: addressAt(place, ["Address"], ["PostCode", "Town", "PostCodeAndTown"]),
      vat: firstText(node, "TaxIdentification/TaxIdentificationNumber")
    },
    field
  )
}

const METHODS: Readonly<Record<string, "cash" | "card" | "bank">> = {
  "01": "cash",
  "02": "bank",
  "04": "bank",
  "19": "card"
}

/** How a class of document counts: copies are left out, corrections are differences or take the other's place. */
const typeOf = (header: Node): Type | Nothing => {
  const invoiceClass = present(firstText(header, "InvoiceClass"), "InvoiceClass")
  if (invoiceClass.startsWith("C")) return { nothing: "a copy of an invoice (CO, CR, CC)" }
  if (invoiceClass !== "OR") return "invoice"
  return firstText(header, "Corrective/CorrectionMethod") === "01" ? "correction" : "difference"
}

type Total = (name: string) => Decimal.Decimal | undefined

/** What an invoice leaves to pay beside its total: subsidies and guarantees lower it, expenses for others raise it. */
const besides = (total: Total): Decimal.Decimal =>
  (total("Subsidies/Subsidy/SubsidyAmount") ?? Decimal.zero) +
  (total("AmountsWithheld/WithholdingAmount") ?? Decimal.zero) -
  (total("TotalReimbursableExpenses") ?? Decimal.zero)

/** InvoiceTotal is without the tax that the buyer withholds by the schema, and with it in what programs write. */
const sumsOf = (total: Total, keep: boolean) => {
  const stated = total("InvoiceTotal")
  if (stated === undefined) throw new Refused("it has no total (InvoiceTotal)", "InvoiceTotal")
  const withheld = total("TotalTaxesWithheld") ?? Decimal.zero
  const [before, taxed] = [total("TotalGrossAmountBeforeTaxes"), total("TotalTaxOutputs")]
  const whole = before === undefined || taxed === undefined ? stated + withheld : before + taxed
  if (![whole, whole - withheld].includes(stated))
    throw new Refused(
      `its sums contradict each other: ${Decimal.format(before ?? stated, 2)} and ${Decimal.format(taxed ?? Decimal.zero, 2)} tax, with ${Decimal.format(withheld, 2)} withheld, is not ${Decimal.format(stated, 2)}`,
      "InvoiceTotal"
    )
  const left = whole - withheld - (total("TotalPaymentsOnAccount") ?? Decimal.zero) - besides(total)
  const executable = total("TotalExecutableAmount")
  if (executable !== undefined && executable !== left)
    throw new Refused(
      `its sums contradict each other: ${Decimal.format(left, 2)} is left to pay of it, and it says ${Decimal.format(executable, 2)}`,
      "TotalExecutableAmount"
    )
  return { gross: (keep ? whole : whole - withheld) - besides(total), before }
}

const invoice = (node: Node, root: Node, keep: boolean): Facts | Nothing => {
  const header = at(node, "InvoiceHeader")
  if (header === undefined) throw new Refused("it has no InvoiceHeader")
  const type = typeOf(header)
  if (typeof type === "object") return type
  const [issue, totals] = [at(node, "InvoiceIssueData"), at(node, "InvoiceTotals")]
  const total = (name: string) => {
    const text = firstText(totals, name)
    return text === undefined ? undefined : amount(text, name)
  }
  const { before, gross } = sumsOf(total, keep)
  const withheld = total("TotalTaxesWithheld") ?? Decimal.zero
  const instalments = all(node, "PaymentDetails/Installment").map((one) => ({
    date: day(present(firstText(one, "InstallmentDueDate"), "InstallmentDueDate"), "InstallmentDueDate"),
    amount: amount(present(firstText(one, "InstallmentAmount"), "InstallmentAmount"), "InstallmentAmount")
  }))
  const name = (at: Node | undefined, number: string, series: string) =>
    [firstText(at, series), firstText(at, number)].filter((text) => text !== undefined).join("/")
  const number = present(name(header, "InvoiceNumber", "InvoiceSeriesCode") || undefined, "number (InvoiceNumber)")
  const method = METHODS[firstText(node, "PaymentDetails/Installment/PaymentMeans") ?? ""]
  const corrective = at(header, "Corrective")
  return {
    number,
    id: number,
    issued: day(present(firstText(issue, "IssueDate"), "IssueDate"), "IssueDate"),
    type,
    currency: present(firstText(issue, "InvoiceCurrencyCode"), "InvoiceCurrencyCode"),
    ...(before === undefined || Decimal.abs(before) > Decimal.abs(gross) ? {} : { net: before }),
    gross,
    prepaid: total("TotalPaymentsOnAccount") ?? Decimal.zero,
    due: instalments.map(({ date }) => date),
    ...(instalments.length > 1 ? { schedule: instalments } : {}),
    seller: partyOf(at(root, "Parties/SellerParty"), "SellerParty"),
    buyer: partyOf(at(root, "Parties/BuyerParty"), "BuyerParty"),
    preceding:
      corrective === undefined
        ? []
        : [name(corrective, "InvoiceNumber", "InvoiceSeriesCode")].filter((id) => id !== ""),
    ...(method === undefined ? {} : { method }),
    metadata: metadataOf(allTexts(node, "PaymentDetails/Installment/PaymentReconciliationReference")),
    notices: [
      ...(withheld === 0n || keep
        ? []
        : ["tax that the buyer withholds for the seller is not asked for (withheld: deduct)"]),
      ...(at(root, "FileHeader/FactoringAssignmentData") === undefined
        ? []
        : ["an invoice that was assigned to a factor"])
    ]
  }
}

export const facturae = (root: Node, keep: boolean): ReadonlyArray<Facts | Nothing> => {
  const invoices = all(root, "Invoices/Invoice")
  const [count, sum] = ["InvoicesCount", "TotalInvoicesAmount/TotalAmount"].map((name) =>
    firstText(root, `FileHeader/Batch/${name}`)
  )
  const totals = invoices.flatMap((one) => firstText(one, "InvoiceTotals/InvoiceTotal") ?? [])
  const come = Decimal.sum(totals.map((text) => amount(text, "InvoiceTotal")))
  if (count !== undefined && Number(count) !== invoices.length)
    throw new Refused(`it says that it has ${count} invoices, and has ${invoices.length}`, "InvoicesCount")
  if (sum !== undefined && amount(sum, "TotalInvoicesAmount") !== come)
    throw new Refused(
      `it says that its invoices come to ${sum}, and they come to ${Decimal.format(come, 2)}`,
      "TotalInvoicesAmount"
    )
  return invoices.map((one) => within(one, () => invoice(one, root, keep)))
}
