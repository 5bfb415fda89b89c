/** What the receipts of a SAF-T PT become: payments, and credit notes for discounts and withheld tax beside the money. */
import * as Decimal from "../../../core/money/Decimal.ts"
import type { CreditNote, Payment } from "../../Document.ts"
import type { Node } from "../../XmlRecords.ts"
import { all, textAt } from "../../XmlNodes.ts"
import { Refused } from "../../Refused.ts"
import { type Share, split } from "../Share.ts"
import { type Around, type Meant, methodOf, partyOf } from "./Invoices.ts"
import { linesOf, type SaftLine, sharesOf } from "./Lines.ts"
import { amountAt, CENT, dayAt, moneyAt, needed, numberIn } from "./Values.ts"

const sumAt = (node: Node, path: string, member: string): Decimal.Decimal =>
  Decimal.sum(all(node, path).map((one) => amountAt(one, member) ?? 0n))

/** Credit notes that were used with the money lower what it paid. */
const withoutUsed = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> => {
  const used = shares.filter(({ amount }) => amount < 0n)
  const sum = Decimal.sum(used.map(({ amount }) => -amount))
  const [left] = split(
    shares.filter(({ amount }) => amount > 0n),
    sum
  )
  return left
}

/** What each invoice is settled by: lines, with their discounts, and the tax that both are with or without. */
const settledBy = (lines: ReadonlyArray<SaftLine & { readonly document: string }>, gross: Decimal.Decimal) => {
  const discount = Decimal.sum(lines.map((line) => line.discount))
  if (discount === 0n) return { shares: sharesOf(lines, gross), discount }
  try {
    return {
      shares: sharesOf(
        lines.map((line) => ({ ...line, amount: line.amount + line.discount })),
        gross + discount
      ),
      discount
    }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    // The discount is not part of what the receipt states.
    return { shares: sharesOf(lines, gross), discount: 0n }
  }
}

/** Amounts of the books as the document's own, where an invoice in another currency is settled in full. */
const inForeign = (shares: ReadonlyArray<Share>, { currency, foreign }: Around) => {
  const found = shares.map((one) => ({ one, its: foreign.get(one.invoice) }))
  if (found.every(({ its }) => its === undefined)) return { currency, shares }
  const [first] = found
  if (found.length !== 1 || first?.its === undefined || first.its.booked !== first.one.amount)
    throw new Refused(
      "it pays an invoice in another currency in part, or with others",
      "CreditAmount",
      "set foreign to ledger"
    )
  return { currency: first.its.currency, shares: [{ invoice: first.one.invoice, amount: first.its.amount }] }
}

export const receipt = (document: Node, around: Around): Meant => {
  const id = numberIn(needed(document, "PaymentRefNo"))
  const status = needed(document, "DocumentStatus/PaymentStatus")
  if (status === "A") return { documents: [], notice: "a receipt that was annulled; left out" }
  if (status !== "N") throw new Refused(`status ${status} is not known`, "PaymentStatus")
  const gross = moneyAt(document, "DocumentTotals/GrossTotal")
  const [net, tax] = [
    amountAt(document, "DocumentTotals/NetTotal") ?? 0n,
    amountAt(document, "DocumentTotals/TaxPayable") ?? 0n
  ]
  if (Decimal.abs(net + tax - gross) > CENT)
    throw new Refused(`its sums contradict each other: net and tax are not ${Decimal.format(gross, 2)}`, "GrossTotal")
  const date = dayAt(document, "TransactionDate")
  const party = partyOf(document, around)
  const withheld = sumAt(document, "WithholdingTax", "WithholdingTaxAmount")
  const means = all(document, "PaymentMethod")
  const base = {
    kind: "payment",
    id,
    date,
    party: { ...(party.id === undefined ? {} : { id: party.id }), name: party.name },
    ...methodOf(textAt(document, "PaymentMethod/PaymentMechanism"))
  } as const
  const lines = linesOf(document, "SourceDocumentID/OriginatingON")
  if (lines.some(({ documents }) => documents.length !== 1)) {
    const reference = lines.flatMap(({ documents }) => documents).join(" ")
    const amount = means.length > 0 ? sumAt(document, "PaymentMethod", "PaymentAmount") : gross - withheld
    const payment: Payment = { ...base, currency: around.currency, shares: [], unallocated: amount, reference }
    return { documents: [payment], notice: "a receipt whose line names several invoices, or none: not allocated" }
  }
  const { discount, shares: stated } = settledBy(
    lines.map((line) => ({ ...line, document: line.documents[0] ?? "" })),
    gross
  )
  const shares = withoutUsed(stated)
  const closes = Decimal.sum(shares.map(({ amount }) => amount))
  const money = means.length > 0 ? sumAt(document, "PaymentMethod", "PaymentAmount") : closes - withheld - discount
  const beside = closes - money
  if (beside !== 0n && beside !== withheld + discount && beside !== withheld)
    throw new Refused(
      `it settles ${Decimal.format(closes, 2)}, and its means of payment are ${Decimal.format(money, 2)}: the difference is neither tax withheld nor a discount`,
      "PaymentAmount"
    )
  const [left, off] = split(shares, beside)
  const own = inForeign(left, around)
  if (off.length > 0 && own.currency !== around.currency)
    throw new Refused(
      "it has a discount on an invoice in another currency",
      "SettlementAmount",
      "set foreign to ledger"
    )
  const payment: Payment = { ...base, currency: own.currency, shares: own.shares }
  const note: CreditNote = { kind: "credit_note", id: `${id}/discount`, date, currency: around.currency, shares: off }
  return off.length === 0
    ? { documents: [payment] }
    : {
        documents: [payment, note],
        notice: "tax that the buyer withheld, or a discount, beside a payment: a credit note"
      }
}
