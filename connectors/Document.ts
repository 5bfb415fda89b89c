/**
 * The one shape that every source is turned into.
 *
 * A connector knows its source and this file; the reconciler knows this file and the service. Documents are
 * facts: a payment, its later failure and its refund are three documents, not one whose status changed.
 *
 * Amounts are exact decimals in major units and never finer than their currency. Days are calendar days. A
 * document's `id` is the source's own and unique among its kind; its key adds the connection and the kind.
 */
import type { Address } from "./Address.ts"
import type { Tracking } from "./Tracking.ts"
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

/**
 * What the source itself says of an invoice, in the invoice's currency. It enters no sum of the books: they are held
 * against it, so that a fact that was not read, or was read wrong, shows.
 */
export interface Stated {
  /** What is still to be paid; negative where the buyer is owed. */
  readonly open?: Decimal
  /** What was received of it. */
  readonly paid?: Decimal
  /** What was credited. */
  readonly credited?: Decimal
  /** These figures stay as they are when money goes back: a refund or a chargeback does not open it again. */
  readonly beforeReversals?: true
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
  /** Its own figures, where the source has them. */
  readonly stated?: Stated
  /** Free text that goes along as metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** How much of a payment, reversal or credit note belongs to which invoice. `invoice` is the invoice's id. */
export interface Share {
  readonly invoice: string
  readonly amount: Decimal
}

export type PayMethod = "unknown" | "bank" | "card" | "cash"

/** Who paid, as far as the source knows: its own id of the payer, or a name. */
export interface Payer {
  readonly id?: string
  readonly name?: string
}

/**
 * Money received. Amounts are positive.
 *
 * Where a connection `pays` the invoices of another, `invoice` of a share is what this source knows the invoice by: its id
 * there, or its number. Money that the source gives to no invoice is `unallocated`, and found a place for by what it says.
 */
export interface Payment {
  readonly kind: "payment"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  /** What is in no share. Absent: nothing. */
  readonly unallocated?: Decimal
  /** What was written with it: the payer's reference, a description. Numbers of invoices are looked for in it. */
  readonly reference?: string
  readonly party?: Payer
  readonly method?: PayMethod
  /** What the banks of both sides know it by. What goes back has that of its payment. */
  readonly trace?: string
}

/** Why money went back (II 2.6). */
export type ReversalType = "chargeback" | "refund" | "error" | "unknown" | "other"

/** Reversals, or never came. Amounts are positive: how much was taken back. */
export interface Reversal {
  readonly kind: "reversal"
  readonly id: string
  /** The id of the payment that is reversed, where the source says so. */
  readonly payment?: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share>
  /** What is in no share; it follows its payment. */
  readonly unallocated?: Decimal
  readonly type: ReversalType
  readonly providerCode?: string
  readonly details?: string
  readonly trace?: string
}

/** Lowers what invoices ask for; no money moves. `net` beside each share's gross, where it is known. */
export interface CreditNote {
  readonly kind: "credit_note"
  readonly id: string
  readonly date: Day
  readonly currency?: string
  readonly shares: ReadonlyArray<Share & { readonly net?: Decimal }>
}

/** How an order's line counts. What is no product travels with the products, by a rule of the connection. */
export type LineType = "product" | "shipping" | "fee" | "discount"

export interface OrderLine {
  /** Unique within its order. */
  readonly id: string
  readonly type: LineType
  /** Positive, up to three places. */
  readonly quantity: Decimal
  /** Of the whole line, tax included; negative for a discount, not negative otherwise. */
  readonly gross: Decimal
  readonly description?: string
  readonly sku?: string
  /** As the source names them; a connection's settings say what is sent to the service. */
  readonly category?: string
  readonly tax?: string
  readonly supplier?: { readonly id?: string; readonly name?: string }
}

export type { Address, Tracking }

/** Who orders: a company, and the person who acts for it. Its `id`, or else the email, identifies it. */
export interface Buyer extends Party {
  readonly email: string
  /** The person's name. */
  readonly contact?: string
  readonly phone?: string
  /** Since when the source knows it. */
  readonly registered?: Day
}

/** What a buyer ordered with deferred payment. Its amount is the sum of its lines. */
export interface Order {
  readonly kind: "order"
  readonly id: string
  /** The reference that buyer and seller know it by; the `unique_id` of the service's order. */
  readonly number: string
  /** `closed` and `cancelled`: nothing more will be shipped, so what is still authorised is given up. */
  readonly status: "open" | "closed" | "cancelled"
  readonly currency: string
  readonly placed: Day
  readonly lines: ReadonlyArray<OrderLine>
  /** Identifiers of the service that the shop carries. */
  readonly deferredPayment?: string
  readonly serviceOrder?: string
  /** Needed only of orders that are created on the service. */
  readonly buyer?: Buyer
  readonly delivery?: Address
  readonly invoicing?: Address
  /** What the source itself says of it in all, where it does: of the goods that left, were cancelled and came back. */
  readonly totals?: { readonly shipped?: Decimal; readonly cancelled?: Decimal; readonly refunded?: Decimal }
  /** Free text that goes along as metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** How much of which line. */
export interface LinePart {
  readonly line: string
  readonly quantity: Decimal
}

interface OfOrder {
  readonly id: string
  /** The order's id. */
  readonly order: string
  readonly date: Day
  readonly currency?: string
  /** None at all: everything that is left (of a return: everything that was shipped). */
  readonly lines: ReadonlyArray<LinePart>
}

/** Goods that left: one parcel. */
export interface Fulfilment extends OfOrder {
  readonly kind: "fulfilment"
  /** Goes into the proof of delivery where an insured invoice is handed over to collections. */
  readonly tracking?: ReadonlyArray<Tracking>
}

/** An amount that the source states: in place of what the lines come to, or, without lines, given up on no goods at all. */
interface Amounting extends OfOrder {
  /** More than nothing. */
  readonly amount?: Decimal
}

/** Goods that will not be shipped, or an amount that will not be asked for. */
export interface Cancellation extends Amounting {
  readonly kind: "cancellation"
}

/** Goods that came back, or an amount that is given back: a discount after the sale. */
export interface Return extends Amounting {
  readonly kind: "return"
}

export type Document = Invoice | Payment | Reversal | CreditNote | Order | OrderFact
export type Kind = Document["kind"]

/** The kinds whose shares belong to invoices. */
export type Allocated = Payment | Reversal | CreditNote

/** The kinds that belong to one order. */
export type OrderFact = Fulfilment | Cancellation | Return

/** Every kind, those that others belong to first. */
export const KINDS: ReadonlyArray<Kind> = [
  "invoice",
  "payment",
  "reversal",
  "credit_note",
  "order",
  "fulfilment",
  "cancellation",
  "return"
]

/** What is sent to the service as a whole, in this order. Documents of other kinds are part of one; orders state buyers. */
export const SUBJECTS = ["buyer", "invoice", "order"] as const

export const isAllocated = (document: Document): document is Allocated =>
  document.kind === "payment" || document.kind === "reversal" || document.kind === "credit_note"

export const isOrderFact = (document: Document): document is OrderFact =>
  document.kind === "fulfilment" || document.kind === "cancellation" || document.kind === "return"

/** The keys of the invoices, orders and buyers that a document says something about. */
export const about = (connection: string, document: Document): ReadonlyArray<Key> => {
  if (isAllocated(document)) return document.shares.map(({ invoice }) => key(connection, "invoice", invoice))
  if (isOrderFact(document)) return [key(connection, "order", document.order)]
  const own = key(connection, document.kind, document.id)
  return document.kind === "order" && document.buyer !== undefined ? [own, buyerKey(connection, document.buyer)] : [own]
}

/**
 * `connection/kind/id`: unique for ever, one token without blanks. Blanks, `;`, `#` and `%` of an id are
 * percent-encoded, so that a key can be found again inside other text.
 */
export type Key = string

const UNSAFE = /[\s;#%\u0000-\u001f\u007f]/

const encodeId = (id: string): string =>
  UNSAFE.test(id) ? id.replace(/[\s;#%\u0000-\u001f\u007f]/g, (c) => encodeURIComponent(c)) : id

export const key = (connection: string, kind: Kind | "buyer", id: string): Key =>
  `${connection}/${kind}/${encodeId(id)}`

export const buyerKey = (connection: string, { email, id }: Buyer): Key => key(connection, "buyer", id ?? email)

/** Text as it can be stored without becoming another: half of a surrogate pair has no form in UTF-8, and is written out. */
export const storable = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text).slice(1, -1))

/** What a key is of: a kind of document, `buyer`, or what the connection itself states. */
export const kindOf = (key: Key): string => key.split("/", 2)[1] ?? ""

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

type Loose = { [member: string]: unknown }

const revive = (of: Loose, name: string): void => {
  const value = of[name]
  if (typeof value === "string" && value.endsWith("n")) of[name] = BigInt(value.slice(0, -1))
}

const each = (of: Loose, list: string, ...names: ReadonlyArray<string>): void => {
  const all = of[list] as ReadonlyArray<Loose> | undefined
  if (all !== undefined) for (const one of all) for (const name of names) revive(one, name)
}

/** The other way. `text` is what `encode` wrote. By hand as well: a reviver would be asked about every member. */
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
      if (document["totals"] !== undefined)
        for (const name of ["shipped", "cancelled", "refunded"]) revive(document["totals"] as Loose, name)
      break
    default:
      revive(document, "unallocated")
      each(document, "shares", "amount", "net")
  }
  return document as unknown as Document
}
