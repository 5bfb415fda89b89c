/** Renders payments for the invoices of another connection: what was matched, and what an unmatched one may be for. */
import { kindOf } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Candidate } from "../../sync/matching/Candidates.ts"
import type { PaymentStatement } from "../../sync/model/reports/Statement.ts"
import { resultOf } from "../../sync/reconciliation/PaymentStatement.ts"
import type { Output } from "./Output.ts"
import { grouped } from "../../core/Plural.ts"
import { type Items, listTotals, reasonOf } from "./ReportView.ts"
import { headings, table } from "./Table.ts"

export const paymentCompleteness = (
  statements: ReadonlyArray<PaymentStatement>,
  { style, width }: Pick<Output, "style" | "width">,
  items?: Items
): string => {
  const hasPayouts = statements.some(({ payouts }) => /[1-9]/.test(payouts))
  const isWaiting = statements.some(({ waiting }) => /[1-9]/.test(waiting))
  const rows = statements
    .map((one) => ({ one, ...resultOf(one) }))
    .map(({ kind, one, text }) => [
      one.connection,
      one.pays,
      one.currency,
      grouped(one.payments),
      Currency.group(one.received),
      Currency.group(one.matched),
      ...(hasPayouts ? [Currency.group(one.payouts)] : []),
      Currency.group(one.notForInvoices),
      ...(isWaiting ? [Currency.group(one.waiting)] : []),
      { text, look: kind === "agree" ? style.green : style.yellow }
    ])
  const lines = [
    style.bold("Payments, and the invoices that they are for"),
    table(
      [
        ...headings("Connection, Pays, Currency, >Payments, >Received, >Matched"),
        ...(hasPayouts ? [{ title: "Payouts", right: true }] : []),
        { title: "Not for invoices", right: true },
        ...(isWaiting ? [{ title: "Waiting", right: true }] : []),
        { title: "" }
      ],
      rows,
      { style, width }
    )
  ]
  for (const statement of statements) {
    const { currency, differences, more } = statement
    lines.push(...listTotals(statement))
    for (const one of differences.slice(0, 10))
      lines.push(`  ${one.document}: ${Currency.group(one.amount)} ${currency}: ${reasonOf(one, items)}`)
    const left = more + Math.max(0, differences.length - 10)
    if (left > 0) lines.push(`  and ${grouped(left)} more`)
  }
  return lines.join("\n")
}

/** @param payment the key of the payment or reversal */
export const candidateLines = (payment: string, candidates: ReadonlyArray<Candidate>): string => {
  const isBack = kindOf(payment) === "reversal"
  if (candidates.length === 0)
    return isBack ? "No invoice had a payment of that amount before." : "No open invoice has exactly that amount."
  const isExact = candidates.every(({ before, why }) => before !== true && why === undefined)
  return [
    isBack
      ? "Invoices that had a payment of that amount before (now open):"
      : isExact
        ? "Open invoices of that amount:"
        : "Invoices that it may be for:",
    ...candidates.map((one) => `  ${candidateLine(one)}`)
  ].join("\n")
}

const candidateLine = ({ amount, before, due, invoice, number, open, party, why }: Candidate): string => {
  const receives = amount === undefined || amount === open ? "" : `, ${amount} of it`
  const note = before === true ? "of its amount before it was corrected" : why
  return `${number}  ${open}${receives}  due ${due}  ${party}  (${invoice})${note === undefined ? "" : `  ${note}`}`
}
