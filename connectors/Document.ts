/**
 * The one shape that every source is turned into.
 *
 * A connector knows its source and this file; the reconciler knows this file and the service. Documents are
 * facts: a payment, its later failure and its refund are three documents, not one whose status changed.
 *
 * Amounts are exact decimals in major units and never finer than their currency. Days are calendar days. A
 * document's `id` is the source's own and unique among its kind; its key adds the connection and the kind.
 */
import type { Decimal } from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"

/** Who buys. `company` is an identifier of the service, where the source carries one. */
export interface Party {
  readonly id?: string
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country?: string
  readonly regnum?: string
  readonly vat?: string
  readonly address?: string
  readonly company?: string
}

/** What is due when. Instalments sum to the gross amount. */
export interface Instalment {
  readonly date: Day
  readonly amount: Decimal
}

export interface Invoice {
  readonly kind: "invoice"
  readonly id: string
  readonly number: string
  readonly status: "draft" | "open" | "paid" | "void"
  readonly party: Party
  /** ISO 4217 */
  readonly currency: string
  readonly issued: Day
  readonly due: Day
  /** At least one of the two. */
  readonly net?: Decimal
  readonly gross?: Decimal
  /** Absent: one payment of the gross amount on the due date. */
  readonly schedule?: ReadonlyArray<Instalment>
  /** The day the source says it was settled, when it says `paid` without payments of its own. */
  readonly paidOn?: Day
  readonly payMethod?: PayMethod
  /** Free text that goes along as metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** How much of a payment, reversal or credit note belongs to which invoice. `invoice` is the invoice's id. */
export interface Share {
  readonly invoice: string
  readonly amount: Decimal
}

export type PayMethod = "unknown" | "bank" | "card" | "cash"

/** Money received. Amounts are positive. */
export interface Payment {
  readonly kind: "payment"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  readonly method?: PayMethod
}

/** Why money went back (II 2.6). */
export type ReversalType = "chargeback" | "refund" | "error" | "unknown" | "other"

/** Money that went back, or never came. Amounts are positive: how much was taken back. */
export interface Reversal {
  readonly kind: "reversal"
  readonly id: string
  /** The id of the payment that is reversed, where the source says so. */
  readonly payment?: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  readonly type: ReversalType
  readonly providerCode?: string
  readonly details?: string
}

/** Lowers what invoices ask for; no money moves. `net` beside each share's gross, where it is known. */
export interface CreditNote {
  readonly kind: "credit_note"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share & { readonly net?: Decimal }>
}

export type Document = Invoice | Payment | Reversal | CreditNote
export type Kind = Document["kind"]

/** The kinds whose shares belong to invoices. */
export type Allocated = Payment | Reversal | CreditNote

/**
 * `connection/kind/id`: unique for ever, one token without blanks. Blanks, `;`, `#` and `%` of an id are
 * percent-encoded, so that a key can be found again inside other text.
 */
export type Key = string

const UNSAFE = /[\s;#%\u0000-\u001f\u007f]/

const encodeId = (id: string): string =>
  UNSAFE.test(id) ? id.replace(/[\s;#%\u0000-\u001f\u007f]/g, (c) => encodeURIComponent(c)) : id

export const key = (connection: string, kind: Kind, id: string): Key => `${connection}/${kind}/${encodeId(id)}`

/** The parts of a key. */
export const parseKey = (key: Key): { readonly connection: string; readonly kind: string; readonly id: string } => {
  const first = key.indexOf("/")
  const second = key.indexOf("/", first + 1)
  return {
    connection: key.slice(0, first),
    kind: key.slice(first + 1, second),
    id: decodeURIComponent(key.slice(second + 1))
  }
}

/**
 * A document as JSON text, members in one fixed order and decimals as strings: equal documents have equal text.
 * Written by hand because it runs once for every row of a ledger.
 */
export const encode = (document: Document): string => JSON.stringify(document, replacer)

const replacer = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value)

const BIGINT = /^-?\d+n$/

/** The other way. `text` is what `encode` wrote. */
export const decode = (text: string): Document =>
  JSON.parse(text, (name, value) =>
    (name === "amount" || name === "net" || name === "gross") && typeof value === "string" && BIGINT.test(value)
      ? BigInt(value.slice(0, -1))
      : value
  ) as Document
