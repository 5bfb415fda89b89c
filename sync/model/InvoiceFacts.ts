/**
 * Everything that the books say about one invoice: the invoice, and the payments, reversals and credit notes allocated to it.
 * The rules see all of this and nothing else.
 *
 * Amounts are added up in the invoice's currency. A fact in another currency, or with an amount that the invoice's currency
 * cannot represent, is kept apart and is in no total.
 */
import type { Allocated, CreditNote, Document, Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"

export interface Fact<D extends Document> {
  readonly key: string
  readonly document: D
  /** The amount allocated to this invoice, positive. */
  readonly amount: bigint
  /** For a payment of another connection: what of it is on no invoice, where it has more than was open. */
  readonly rest?: bigint
  /** For a payment of another connection: the rule that matched it to this invoice, in words. */
  readonly how?: string
  /** How its amount comes from the invoice's, where a fee or a discount was taken. */
  readonly note?: string
  /** What other lists state of the same money. */
  readonly seen?: ReadonlyArray<SeenElsewhere>
}

/** The same money as another list states it. */
export interface SeenElsewhere {
  readonly key: string
  readonly date: Day
  /** Why it is the same. */
  readonly how?: string
  /** It is a debit that is not received yet. */
  readonly pending?: true
}

/** A payment that may be the same money as others, and waits for a person; it is in no sum and is not sent. */
export interface Waiting {
  readonly fact: Fact<Payment>
  readonly like: ReadonlyArray<Fact<Payment>>
  /** Other invoices that those are reported on and that are marked as paid. */
  readonly closed?: ReadonlyArray<string>
}

export interface InvoiceFacts {
  /** The invoice's key, `books/invoice/INV-1`. */
  readonly key: string
  readonly connection: string
  /** Absent when payments name an invoice that was never found in the source. */
  readonly invoice: Invoice | undefined
  /** It was deleted in the source. */
  readonly deleted: boolean
  /** The source was not read to its end: the books may not have all facts yet. */
  readonly unread?: boolean
  /** The connection that was not read to its end, if it is not its own. */
  readonly reading?: { readonly connection: string; readonly removed: boolean }
  /** Quarantined records that may be about its money: it is not marked as paid. Looked up if it could be. */
  readonly blocked?: ReadonlyArray<{ readonly origin: string }>
  /** Money that went back, nobody knows of which payment, and may have been its own: it is not marked as paid. */
  readonly returned?: ReadonlyArray<string>
  /** Its documents whose latest record could not be read: what is known of them is outdated. */
  readonly outdated?: ReadonlyArray<{ readonly key: string; readonly origin: string; readonly why: string }>
  /** Its connection has payments of its own, which should match the source's figures. Looked up if the source states a balance. */
  readonly hasPayments?: boolean
  readonly payments: ReadonlyArray<Fact<Payment>>
  readonly reversals: ReadonlyArray<Fact<Reversal>>
  readonly creditNotes: ReadonlyArray<Fact<CreditNote>>
  /** Payments of it that stand on another invoice as well. `leaves`: the plan of that invoice takes it back. */
  readonly moving?: ReadonlyArray<{
    readonly fact: string
    readonly invoice: string
    readonly amount: Decimal
    readonly leaves: boolean
  }>
  /** Payments of other lists that may already be counted. */
  readonly waiting?: ReadonlyArray<Waiting>
  /** Facts that name this invoice but cannot be counted in its currency. */
  readonly foreign?: ReadonlyArray<Fact<Allocated>>
  /**
   * Payments that were reported on this invoice, were then corrected, and are allocated to no invoice now.
   * `named`: the payment's attention item says that it was reported on this invoice.
   */
  readonly unplaced?: ReadonlyArray<{
    readonly key: string
    readonly date: Day
    readonly amount: Decimal
    readonly named: boolean
  }>
  /** The company that a person chose for this debtor. */
  readonly match?: string
}

/** The open amount of an invoice, from its facts and from the source's own figures. Major units. */
export interface OpenFigures {
  /** From its facts; negative if more was received or credited than its amount. */
  readonly balance: Decimal
  /** The source's own figure; undefined if it states none. */
  readonly says: Decimal | undefined
  /** What the source would state if it had exactly the facts that were read. */
  readonly follows: Decimal
}

/** The same in minor units, as the ledger has them. */
export interface MinorFigures {
  readonly balance: bigint
  readonly says: bigint | null
  /** Null if the source states nothing that could differ from it. */
  readonly follows: bigint | null
}

/** The amounts of an invoice that must be exact in its currency. */
const amountsOf = ({ gross, net, schedule = [] }: Invoice): ReadonlyArray<Decimal | undefined> => [
  net,
  gross,
  ...schedule.map(({ amount }) => amount)
]

/** Whether the invoice's own amounts are exact in its currency. If not, it has no amounts in minor units. */
export const isExact = (invoice: Invoice): boolean =>
  amountsOf(invoice).every((amount) => amount === undefined || Currency.fits(amount, invoice.currency))

/** Whether its amount is in the invoice's currency, whichever its own is: a person said it, or its bank what was sent. */
export const isExchanged = ({ how }: { readonly how?: string | undefined }): boolean =>
  how === "choice" || how === "link"

const isForeign = ({ amount, document, how }: Fact<Allocated>, invoice: Invoice): boolean => {
  if (!isExchanged({ how }) && document.currency !== undefined && document.currency !== invoice.currency) return true
  if (!Currency.fits(amount, invoice.currency)) return true
  return (
    document.kind === "credit_note" &&
    document.shares.some(({ net }) => net !== undefined && !Currency.fits(net, invoice.currency))
  )
}

/** The same facts, with those that cannot be counted in the invoice's currency moved to `foreign`. */
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
