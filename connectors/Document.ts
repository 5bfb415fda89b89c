/**
 * The normalised documents that every source is converted into.
 *
 * A connector knows its source and this file; the rules know this file and the service. Documents are facts: a payment,
 * its later failure and its refund are three documents, not one whose status changed.
 *
 * Amounts are exact decimals in major units and never finer than their currency. Days are calendar days. A
 * document's `id` is the source's own and unique among its kind; its key adds the connection and the kind.
 */
import type { Address } from "./Address.ts"
import type { Buyer, Order, OrderFact } from "./OrderDocuments.ts"
import type { Party } from "./Party.ts"
import type { Tracking } from "./Tracking.ts"
import type { Decimal } from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"

/** An amount with its due date. The instalments of an invoice add up to its gross amount. */
export interface Instalment {
  readonly date: Day
  readonly amount: Decimal
}

/**
 * The source's own figures for an invoice, in the invoice's currency. They do not enter the sums of the books: the sums
 * are compared with them, so that a fact that was not read, or was read wrong, shows up.
 */
export interface Stated {
  /** The amount still to be paid; negative if the buyer has a credit. */
  readonly open?: Decimal
  /** The amount paid. */
  readonly paid?: Decimal
  /** The amount credited. */
  readonly credited?: Decimal
  /** These figures do not change when money goes back: a refund or a chargeback does not reopen the invoice. */
  readonly beforeReversals?: true
}

export interface Invoice {
  readonly kind: "invoice"
  readonly id: string
  readonly number: string
  /** What the buyer is asked to write on the transfer where it is not the number: structured references (EN 16931 BT-83), one in each line. */
  readonly reference?: string
  readonly status: "draft" | "open" | "paid" | "void"
  readonly party: Party
  /** ISO 4217 */
  readonly currency: string
  readonly issued: Day
  readonly due: Day
  /** At least one of `net` and `gross` is present. */
  readonly net?: Decimal
  readonly gross?: Decimal
  /** Absent: the gross amount is due on the due date. */
  readonly schedule?: ReadonlyArray<Instalment>
  /** The settlement day, for sources that say `paid` without listing payments. */
  readonly paidOn?: Day
  readonly payMethod?: PayMethod
  /** The source's own figures, if it has any. */
  readonly stated?: Stated
  /** Free text, sent to the service as metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** The part of a payment, reversal or credit note that is allocated to one invoice. `invoice` is the invoice's id. */
export interface Share {
  readonly invoice: string
  /** What `invoice` is, if the settings of a table say so: otherwise its id, or its number. Never stored. */
  readonly names?: "id" | "number"
  readonly amount: Decimal
}

export type PayMethod = "unknown" | "bank" | "card" | "cash"

/** The payer as far as the source knows: its own id for the payer, or a name. */
export interface Payer {
  readonly id?: string
  readonly name?: string
}

/**
 * Money received. Amounts are positive.
 *
 * When a connection `pays` the invoices of another, `invoice` of a share is whatever this source calls the invoice: its id
 * there, or its number. Money that the source allocates to no invoice is `unallocated`; it is matched by its reference.
 */
export interface Payment {
  readonly kind: "payment"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  /** The amount that is in no share. Absent: zero. */
  readonly unallocated?: Decimal
  /** The payer's reference or a description. It is searched for invoice numbers. */
  readonly reference?: string
  readonly party?: Payer
  readonly method?: PayMethod
  /** What its payer sent, where that was in another currency and the bank exchanged it: the instructed amount of ISO 20022. */
  readonly instructed?: { readonly currency: string; readonly amount: Decimal }
  /** The identifier that the banks of both sides use. A reversal has the same one as its payment. */
  readonly trace?: string
  /**
   * A debit that was tried and is not received yet, or never was: then a reversal takes back all of it. It is for no invoice, but books
   * that have it as paid already are not believed.
   */
  readonly tried?: "pending" | "failed"
}

/** Why money went back (II 2.6). */
export type ReversalType = "chargeback" | "refund" | "error" | "unknown" | "other"

/** Money that went back, or never arrived. Amounts are positive: how much was taken back. */
export interface Reversal {
  readonly kind: "reversal"
  readonly id: string
  /** The id of the reversed payment, if the source states it. */
  readonly payment?: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  /** The amount that is in no share; it is allocated like its payment. */
  readonly unallocated?: Decimal
  readonly type: ReversalType
  readonly providerCode?: string
  readonly details?: string
  readonly trace?: string
  /** What is said of the payment that it takes back, where neither id nor trace leads to it: its reference, and its day. */
  readonly collected?: { readonly reference: string; readonly day?: Day }
}

/** `among`: the invoices that its amount is for, of which nobody said how much each has. Never stored, see `sync/pull/SharedCredits.ts`. */
export interface CreditShare extends Share {
  readonly net?: Decimal
  readonly among?: ReadonlyArray<string>
}

/** Lowers the amount due on invoices; no money moves. `net` is given beside each share's gross amount if it is known. */
export interface CreditNote {
  readonly kind: "credit_note"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<CreditShare>
  /** What it credits was paid back: a reversal has the money. Figures that are `beforeReversals` count neither. */
  readonly refunded?: true
}

/** What an entry of a processor's balance is. A payout's amount less its items is not itemised. */
export const PAYOUT_PARTS = ["collected", "refunds", "chargebacks", "failures", "fees", "adjustments"] as const

export interface PayoutItem {
  readonly part: (typeof PAYOUT_PARTS)[number]
  /** The processor's own word: `payment_paid_out`. */
  readonly name: string
  /** How many entries it is the sum of. */
  readonly count: number
  /** Negative if it lowers the payout. It may be finer than the currency: processors count fees in parts of a cent. */
  readonly amount: Decimal
}

/** A transfer from a payment processor to the seller's bank account: the seller's own money, and no customer's. */
export interface Payout {
  readonly kind: "payout"
  readonly id: string
  /** The day on which it arrives at the bank. */
  readonly date: Day
  readonly currency: string
  /** What the bank account gets; negative if the processor takes it from there. */
  readonly amount: Decimal
  /** `failed`: it did not arrive, and is back in the balance. */
  readonly status: "pending" | "paid" | "failed"
  /** The processor's name, as banks write it: `STRIPE`. */
  readonly by: string
  /** What arrives at the bank, where the processor converts it. */
  readonly settled?: { readonly currency: string; readonly amount: Decimal }
  /** The balance that it was taken from, if the processor has several. */
  readonly account?: string
  /** What the bank's line says of this payout and of no other. */
  readonly references?: ReadonlyArray<string>
  readonly items: ReadonlyArray<PayoutItem>
}

export type * from "./OrderDocuments.ts"
export type { Address, Party, Tracking }

export type Document = Invoice | Payment | Reversal | CreditNote | Payout | Order | OrderFact
export type Kind = Document["kind"]

/** The kinds that are allocated to invoices. */
export type Allocated = Payment | Reversal | CreditNote

/** Every kind; kinds that others refer to come first. */
export const KINDS: ReadonlyArray<Kind> = [
  "invoice",
  "payment",
  "reversal",
  "credit_note",
  "payout",
  "order",
  "fulfilment",
  "cancellation",
  "return"
]

/** What is synchronised as a unit, in this order. Every other document belongs to one of these; orders name buyers. */
export const SUBJECTS = ["buyer", "invoice", "order"] as const

export const isAllocated = (document: Document): document is Allocated =>
  document.kind === "payment" || document.kind === "reversal" || document.kind === "credit_note"

export const isOrderFact = (document: Document): document is OrderFact =>
  document.kind === "fulfilment" || document.kind === "cancellation" || document.kind === "return"

/** The keys of the invoices, orders and buyers that a document concerns. */
export const about = (connection: string, document: Document): ReadonlyArray<Key> => {
  if (isAllocated(document)) return document.shares.map(({ invoice }) => key(connection, "invoice", invoice))
  if (isOrderFact(document)) return [key(connection, "order", document.order)]
  const own = key(connection, document.kind, document.id)
  return document.kind === "order" && document.buyer !== undefined ? [own, buyerKey(connection, document.buyer)] : [own]
}

/**
 * `connection/kind/id`: permanently unique, and one token without whitespace. Whitespace, `;`, `#` and `%` in an id are
 * percent-encoded, so that a key can be found inside other text.
 */
export type Key = string

const UNSAFE = /[\s;#%\u0000-\u001f\u007f]/

const encodeId = (id: string): string =>
  UNSAFE.test(id) ? id.replace(/[\s;#%\u0000-\u001f\u007f]/g, (c) => encodeURIComponent(c)) : id

export const key = (connection: string, kind: Kind | "buyer", id: string): Key =>
  `${connection}/${kind}/${encodeId(id)}`

export const buyerKey = (connection: string, { email, id }: Buyer): Key => key(connection, "buyer", id ?? email)

/** Escapes unpaired surrogates, which have no UTF-8 form: storing them would turn different texts into equal ones. */
export const storable = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text).slice(1, -1))

/** The kind in a key: a kind of document, `buyer`, or a statement of the connection itself. */
export const kindOf = (key: Key): string => key.split("/", 2)[1] ?? ""

/** The parts of a key. */
export const parseKey = (key: Key): { readonly connection: string; readonly kind: string; readonly id: string } => {
  const first = key.indexOf("/")
  const second = key.indexOf("/", first + 1)
  const id = key.slice(second + 1)
  return {
    connection: key.slice(0, first),
    kind: key.slice(first + 1, second),
    id: id.includes("%") ? decodeURIComponent(id) : id
  }
}

/**
 * Encodes a document as JSON with members in a fixed order and decimals as strings, so that equal documents have equal
 * text. Hand-written because it runs once for every row of a ledger.
 */
export const encode = (document: Document): string => JSON.stringify(document, replacer)

const replacer = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value)

type Loose = { [member: string]: unknown }

const revive = (of: Loose, name: string): void => {
  const value = of[name]
  if (typeof value === "string" && value.endsWith("n")) of[name] = BigInt(value.slice(0, -1))
}

const each = (of: Loose, list: string, ...names: ReadonlyArray<string>): void => {
  const all = of[list] as ReadonlyArray<Loose> | undefined
  if (all !== undefined) for (const one of all) for (const name of names) revive(one, name)
}

/** Members of an order's totals and of its state that are amounts. */
export const ORDER_TOTALS = ["shipped", "cancelled", "refunded", "now", "outstanding", "otherwise"]
export const STATE_SUMS = ["total", "outstanding", "placed", "charges", "cancelled"]

const reviveState = (state: Loose): void => {
  for (const name of STATE_SUMS) revive(state, name)
  each(state, "lines", "left", "back", "still", "unsure")
  for (const side of ["own", "others"]) for (const name of ["received", "given"]) revive(state[side] as Loose, name)
}

const reviveAlso = (also: Loose): void => {
  each(also, "lines", "gross", "quantity")
  if (also["state"] !== undefined) reviveState(also["state"] as Loose)
}

/** Decodes what `encode` wrote. Hand-written because a reviver would be called for every member. */
export const decode = (text: string): Document => {
  const document = JSON.parse(text) as Loose
  switch (document["kind"]) {
    case "invoice":
      revive(document, "net")
      revive(document, "gross")
      each(document, "schedule", "amount")
      if (document["stated"] !== undefined)
        for (const name of ["open", "paid", "credited"]) revive(document["stated"] as Loose, name)
      break
    case "order":
    case "fulfilment":
    case "cancellation":
    case "return":
      revive(document, "amount")
      each(document, "lines", "gross", "quantity")
      if (document["totals"] !== undefined) for (const name of ORDER_TOTALS) revive(document["totals"] as Loose, name)
      if (document["state"] !== undefined) reviveState(document["state"] as Loose)
      if (document["also"] !== undefined) reviveAlso(document["also"] as Loose)
      break
    case "payout":
      revive(document, "amount")
      each(document, "items", "amount")
      if (document["settled"] !== undefined) revive(document["settled"] as Loose, "amount")
      break
    default:
      revive(document, "unallocated")
      each(document, "shares", "amount", "net")
  }
  return document as unknown as Document
}
