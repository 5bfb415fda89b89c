/**
 * Everything the books say about one invoice: the invoice, and the payments, reversals and credit notes that have a
 * share in it. What the reconciler looks at, whole, and nothing else.
 */
import type { CreditNote, Document, Invoice, Payment, Reversal } from "../connectors/Document.ts"

export interface Fact<D extends Document> {
  readonly key: string
  readonly document: D
  /** Its share in this invoice, positive. */
  readonly amount: bigint
  /** A payment of another connection: by which rule it came to this invoice, in words. */
  readonly how?: string
}

export interface Subject {
  /** The invoice's key, `books/invoice/INV-1`. */
  readonly key: string
  readonly connection: string
  /** Absent when payments name an invoice that the source has never stated. */
  readonly invoice: Invoice | undefined
  /** The source no longer has it. */
  readonly gone: boolean
  /** Not all of the source was read: there may be facts that the books do not have yet. */
  readonly unread?: boolean
  readonly payments: ReadonlyArray<Fact<Payment>>
  readonly reversals: ReadonlyArray<Fact<Reversal>>
  readonly creditNotes: ReadonlyArray<Fact<CreditNote>>
  /** The company that a person chose for this party. */
  readonly match?: string
}
