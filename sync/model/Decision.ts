/**
 * What the rules decide about one document from its facts and what the service holds: calls, attention items, a reason.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Attention, Call } from "./Call.ts"
import type { OpenFigures } from "./InvoiceFacts.ts"

export interface Decision<C extends Call = Call> {
  readonly calls: ReadonlyArray<C>
  readonly attention: ReadonlyArray<Attention>
  /** Why nothing is sent of it, when that is a rule's decision (T1, T3, T4). */
  readonly reason?: string
  /** What is open in the books, of what is in scope. Major units. */
  readonly open: Decimal
  /** Of an invoice that counts: what the source itself says of it, beside its facts. */
  readonly figures?: OpenFigures
  /** It is to be looked at again in the next run: the service, or the source, is not ready for it. */
  readonly waits?: boolean
}
