/**
 * Collects whatever in the program says otherwise about an invoice: what cannot be undone, a handover to collections and a
 * purchase of cover, waits until nothing does (H8, Q4). Pure; `plan/Contradictions.ts` adds what the state file knows beside
 * the invoice's own facts.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import * as SourceFigures from "./SourceFigures.ts"

/**
 * `unread`: a source of it failed or was not read to its end; `unreadable`: a record of it or of its payments cannot be read;
 * `figures`: the source's own balance is another (S1); `foreign`: a fact of it cannot be counted in its currency; `unplaced`: a
 * payment that was reported on it has no invoice now; `waiting`: a payment that may be for it waits for a person.
 */
export type ContradictionCode = "unread" | "unreadable" | "figures" | "foreign" | "unplaced" | "waiting"

export interface Contradiction {
  readonly code: ContradictionCode
  readonly why: string
}

export const fromFacts = (
  facts: InvoiceFacts,
  invoice: Invoice,
  planning: Pick<Planning, "report_paid">
): ReadonlyArray<Contradiction> => {
  const figures = SourceFigures.of(facts, invoice, planning)
  const { foreign = [], outdated = [], unplaced = [] } = facts
  return [
    ...(facts.unread === true
      ? [{ code: "unread", why: "its source, or one that pays for it, failed or was not read to its end" } as const]
      : []),
    ...outdated.map(({ key, origin, why }) => ({
      code: "unreadable" as const,
      why: `the latest record of ${key} cannot be read (${origin}: ${why})`
    })),
    ...(SourceFigures.differs(figures)
      ? [{ code: "figures", why: SourceFigures.words(facts, invoice, figures) } as const]
      : []),
    ...foreign.map(({ amount, document, key }) => ({
      code: "foreign" as const,
      why: `${key} of ${Currency.say(amount, document.currency ?? invoice.currency)} cannot be counted in ${invoice.currency}`
    })),
    ...unplaced.map(({ amount, date, key }) => ({
      code: "unplaced" as const,
      why: `${key} of ${Currency.say(amount, invoice.currency)} on ${date} was reported on it, and is for no invoice now`
    }))
  ]
}
