/**
 * Everything the books say about one invoice: the invoice, and the payments, reversals and credit notes that have a
 * share in it. What the reconciler looks at, whole, and nothing else.
 *
 * Amounts are added up in the invoice's currency. A fact in another currency, or with an amount that the invoice's
 * currency cannot hold, is kept apart: it is part of no sum.
 */
import type { Allocated, CreditNote, Document, Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"

export interface Fact<D extends Document> {
  readonly key: string
  readonly document: D
  /** Its share in this invoice, positive. */
  readonly amount: bigint
  /** A payment of another connection: by which rule it came to this invoice, in words. */
  readonly how?: string
}

export interface InvoiceFacts {
  /** The invoice's key, `books/invoice/INV-1`. */
  readonly key: string
  readonly connection: string
  /** Absent when payments name an invoice that the source has never stated. */
  readonly invoice: Invoice | undefined
  /** The source no longer has it. */
  readonly deleted: boolean
  /** Not all of the source was read: there may be facts that the books do not have yet. */
  readonly unread?: boolean
  /** Documents of it whose latest record could not be read: what is known of them is older. */
  readonly outdated?: ReadonlyArray<{ readonly key: string; readonly origin: string; readonly why: string }>
  /** Its connection has payments of its own: they should come to what the source states. Looked up where it states a balance. */
  readonly hasPayments?: boolean
  readonly payments: ReadonlyArray<Fact<Payment>>
  readonly reversals: ReadonlyArray<Fact<Reversal>>
  readonly creditNotes: ReadonlyArray<Fact<CreditNote>>
  /** What names this invoice and cannot be counted in its currency. */
  readonly foreign?: ReadonlyArray<Fact<Allocated>>
  /**
   * Payments that were reported on this invoice, are still in the books, and have no invoice now: they were corrected.
   * `named`: the payment's attention item says that it was reported on this invoice.
   */
  readonly unplaced?: ReadonlyArray<{
    readonly key: string
    readonly date: Day
    readonly amount: Decimal
    readonly named: boolean
  }>
  /** The company that a person chose for this party. */
  readonly match?: string
}

/** What is open of an invoice, by its facts and by the source's own word. Major units. */
export interface OpenFigures {
  /** By its facts; negative where more was received or credited than it asked for. */
  readonly balance: Decimal
  /** What the source itself says; undefined where it states none. */
  readonly says: Decimal | undefined
  /** What the source would say if it had just the facts that were read. */
  readonly follows: Decimal
}

/** The same in minor units, as the ledger has them. */
export interface MinorFigures {
  readonly balance: bigint
  readonly says: bigint | null
  /** Null where the source says nothing that could differ from it. */
  readonly follows: bigint | null
}

/** The amounts of an invoice, or of a fact in it, that have to fit its currency. */
const amountsOf = ({ gross, net, schedule = [] }: Invoice): ReadonlyArray<Decimal | undefined> => [
  net,
  gross,
  ...schedule.map(({ amount }) => amount)
]

/** Whether the invoice's own amounts fit its currency. Without, nothing can be said of it in minor units. */
export const isExact = (invoice: Invoice): boolean =>
  amountsOf(invoice).every((amount) => amount === undefined || Currency.fits(amount, invoice.currency))

const isForeign = ({ amount, document }: Fact<Allocated>, invoice: Invoice): boolean => {
  if (document.currency !== undefined && document.currency !== invoice.currency) return true
  if (!Currency.fits(amount, invoice.currency)) return true
  return (
    document.kind === "credit_note" &&
    document.shares.some(({ net }) => net !== undefined && !Currency.fits(net, invoice.currency))
  )
}

/** The same subject, with what cannot be counted in the invoice's currency kept apart. */
export const inOwnCurrency = (facts: InvoiceFacts): InvoiceFacts => {
  const { creditNotes, invoice, payments, reversals } = facts
  if (invoice === undefined) return facts
  const foreign = [...payments, ...reversals, ...creditNotes].filter((fact) => isForeign(fact, invoice))
  if (foreign.length === 0) return facts
  const own = (fact: Fact<Allocated>): boolean => !isForeign(fact, invoice)
  return {
    ...facts,
    payments: payments.filter(own),
    reversals: reversals.filter(own),
    creditNotes: creditNotes.filter(own),
    foreign: [...(facts.foreign ?? []), ...foreign]
  }
}
