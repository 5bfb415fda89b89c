/** What electronic invoices in XML become, in a line each. */
import type { CreditNote, Payment } from "../../../connectors/Document.ts"
import type { Settings } from "../../../connectors/einvoice/Settings.ts"
import { Refused } from "../../../connectors/Refused.ts"
import type { Facts } from "../../../connectors/einvoice/Facts.ts"
import { meaning } from "../../../connectors/einvoice/Meaning.ts"
import { factsOf } from "../../../connectors/einvoice/Roots.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

export type Choices = Partial<Omit<Settings, "path">>

const placeOf = ({ shares }: Payment | CreditNote): string => {
  const [share] = shares
  return share !== undefined && "among" in share ? `among ${share.among?.join(", ")}` : `on ${share!.invoice}`
}

/** Each document in one line; or what was left out; or why it was refused. */
export const read = (xml: string, choices: Choices = {}): ReadonlyArray<string> => {
  const lines: Array<string> = []
  try {
    for (const facts of factsOf(xml, choices.withheld === "keep")) {
      if ("nothing" in facts) {
        lines.push(`nothing: ${facts.nothing}`)
        continue
      }
      const meant = meaning(facts, { terms_days: 30, ...choices })
      for (const document of meant.documents)
        lines.push(
          document.kind === "invoice"
            ? `invoice ${document.id} ${document.issued} ${document.due} ${Decimal.format(document.gross!, 2)} ${document.currency}`
            : document.kind === "credit_note" || document.kind === "payment"
              ? `${document.kind} ${document.id} ${Decimal.format(document.shares[0]!.amount, 2)} ${placeOf(document)}`
              : document.kind
        )
      if (meant.documents.length === 0) lines.push(`nothing: ${meant.notices.at(-1)}`)
      if (meant.replaces !== undefined) lines.push(`replaces ${meant.replaces}`)
    }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    lines.push(`refused: ${cause.message}`)
  }
  return lines
}

export const factsIn = (xml: string): Facts => factsOf(xml, false)[0] as Facts
