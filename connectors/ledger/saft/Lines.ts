/** The lines of a document: what each of them is for, with and without its tax. */
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Node } from "../../XmlRecords.ts"
import { all, textAt } from "../../XmlNodes.ts"
import { Refused } from "../../Refused.ts"
import type { Share } from "../Share.ts"
import { amountAt, CENT, numberIn, rounded, withTax } from "./Values.ts"

export interface SaftLine {
  /** What it says was credited, less what was debited; without its tax, where the document is an invoice. */
  readonly amount: Decimal
  /** A discount when it was paid. */
  readonly discount: Decimal
  readonly percentage: Decimal
  readonly documents: ReadonlyArray<string>
}

/** @param references where a line names documents */
export const linesOf = (document: Node, references: string): ReadonlyArray<SaftLine> =>
  all(document, "Line").map((line) => ({
    amount: (amountAt(line, "CreditAmount") ?? 0n) - (amountAt(line, "DebitAmount") ?? 0n),
    discount: amountAt(line, "SettlementAmount") ?? 0n,
    percentage: amountAt(line, "Tax/TaxPercentage") ?? 0n,
    documents: [
      ...new Set(
        all(line, references)
          .map(({ text }) => numberIn(text))
          .filter((text) => text !== "")
      )
    ]
  }))

export const documentOf = (line: Node, path: string): string | undefined => {
  const text = textAt(line, path)
  return text === undefined ? undefined : numberIn(text)
}

/**
 * Divides a total among the documents that lines name. Lines may be with or without tax: whichever adds up to the total, to a cent
 * for each line; what rounding leaves is the last one's.
 */
export const sharesOf = (
  lines: ReadonlyArray<SaftLine & { readonly document: string }>,
  total: Decimal
): ReadonlyArray<Share> => {
  const [plain, taxed] = [
    lines.map(({ amount }) => rounded(amount)),
    lines.map(({ amount, percentage }) => rounded(withTax(amount, percentage)))
  ]
  const sum = (all: ReadonlyArray<Decimal>) => all.reduce((one, other) => one + other, 0n)
  const isNear = (all: ReadonlyArray<Decimal>, most: bigint) => {
    const rest = total - sum(all)
    return (rest < 0n ? -rest : rest) <= most
  }
  const amounts = isNear(plain, 0n) ? plain : isNear(taxed, CENT * BigInt(lines.length)) ? taxed : undefined
  if (amounts === undefined)
    throw new Refused(
      "its lines add up to its total neither with nor without tax, so how much each document gets is not known",
      "Line"
    )
  const parts = new Map<string, bigint>()
  for (const [n, { document }] of lines.entries()) parts.set(document, (parts.get(document) ?? 0n) + (amounts[n] ?? 0n))
  const last = lines.at(-1)?.document
  if (last !== undefined) parts.set(last, (parts.get(last) ?? 0n) + total - sum(amounts))
  return [...parts].map(([invoice, amount]) => ({ invoice, amount }))
}
