/**
 * Defines what the rules decide about one document, given its facts and what the service holds: calls, attention items, a reason.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Attention, Call } from "./Call.ts"
import type { OpenFigures } from "./InvoiceFacts.ts"

export interface Decision<C extends Call = Call> {
  readonly calls: ReadonlyArray<C>
  readonly attention: ReadonlyArray<Attention>
  /** Why nothing is sent, if a rule decided so (T1, T3, T4). */
  readonly reason?: string
  /** The open amount in the books, if the document is in scope. Major units. */
  readonly open: Decimal
  /** For invoices that count: the source's own figures beside those of the facts. */
  readonly figures?: OpenFigures
  /** The calls from this one on wait until another document's calls are done. */
  readonly follows?: number
  /** It must be looked at again in the next run: the service or the source is not ready for it. */
  readonly waits?: boolean
  /** When to look at it again even if nothing changes, in milliseconds. */
  readonly wakeAt?: number
}
