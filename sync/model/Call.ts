/**
 * One thing to do to the service, as a value, and what the ledger says once it is done.
 *
 * A call names documents by key. Identifiers of the service that do not exist yet stand in angle brackets,
 * `<books/invoice/INV-1>`, and are filled in when the call is made; so a plan can be printed, stored, compared and
 * approved before anything happens, and what is approved is what is sent.
 */
import type { Fields, Json, ReportedPayment } from "./RemoteInvoice.ts"
import type { PaymentLookup, Offer, DeferredPayment, PlannedPosting } from "./DeferredPayment.ts"

/**
 * The rules of the reconciler. `owner` creates the owner of a connection's invoices, `match` names their debtor; `buyer`,
 * `order` and `offer` bring a shop's order to the point where its buyer can take it.
 */
export type Rule =
  | "owner"
  | "T1"
  | "T2"
  | "T3"
  | "T4"
  | "T5"
  | "T6"
  | "T7"
  | "T8"
  | "T9"
  | "T10"
  | "T11"
  | "T12"
  | "T13"
  | "P1"
  | "P2"
  | "P3"
  | "P4"
  | "P5"
  | "P6"
  | "P7"
  | "P8"
  | "S1"
  | "S2"
  | "M1"
  | "M2"
  | "M3"
  | "M4"
  | "M5"
  | "O1"
  | "O2"
  | "O3"
  | "O4"
  | "O5"
  | "O6"
  | "match"
  | "buyer"
  | "order"
  | "offer"

export type Operation =
  | "organisations.create"
  | "organisations.update"
  | "organisations.addUser"
  | "users.create"
  | "users.update"
  | "transactions.create"
  | "transactions.update"
  | "transactions.amend"
  | "transactions.confirm"
  | "transactions.paid"
  | "transactions.remove"
  | "transactions.matchDebtor"
  | "transactions.createPayment"
  | "deferredPayments.get"
  | "deferredPayments.capture"
  | "deferredPayments.void"
  | "deferredPayments.refund"
  | "offers.create"
  | "orders.create"
  | "orders.get"
  | "orders.list"
  | "orders.update"

export interface Call {
  /** The key of the invoice, order, buyer or owner that it is about. */
  readonly subject: string
  /** The key of the document that caused it. */
  readonly fact: string
  readonly rule: Rule
  readonly operation: Operation
  /** Members of the path, by name: `transaction_id`. */
  readonly params: Readonly<Record<string, string>>
  readonly body?: Fields
  /** What a payment call adds to the ledger; its remote id comes with the answer. */
  readonly posting?: Omit<ReportedPayment, "id">
  /** Of the lines of an order that is created, so that a change of them shows. */
  readonly print?: string
  /** The offer that there is already, where another one is asked for. */
  readonly before?: string
  /** What a capture, void or refund adds to the ledger; its key is the request's `Idempotency-Key`. */
  readonly take?: PlannedPosting
  /** A reading of an order's deferred payment. It changes nothing on the service. */
  readonly looks?: PaymentLookup
  /** Takes money or a transaction away from what the service holds; counted by the guards. */
  readonly destructive: boolean
  /** Why, in words, with the arithmetic. */
  readonly reason: string
}

/** Something that no rule can settle. */
export interface Attention {
  readonly subject: string
  readonly fact: string
  readonly rule: Rule
  readonly why: string
  /** What a person can do about it. */
  readonly todo: string
}

/** A reference to an identifier of the service that is known once `key` is there. */
export const reference = (key: string): string => `<${key}>`

/** Members of a path, of a body or of its customer that may hold a reference. What a source says is never one. */
const REFERRING = [
  "owner",
  "id",
  "order",
  "organisation",
  "user",
  "transaction_id",
  "organisation_id",
  "user_id",
  "order_id",
  "deferred_payment_id"
]

const isReference = (value: Json | undefined): value is string =>
  typeof value === "string" && value.startsWith("<") && value.endsWith(">")

/** Whether a reference in it is not filled in. */
export const unresolved = (members: Fields = {}): boolean => REFERRING.some((name) => isReference(members[name]))

/** Fills references in. `find` answers the identifier, or undefined while it does not exist. */
export const resolve = <A extends Fields | undefined>(members: A, find: (key: string) => string | undefined): A => {
  let filled: Record<string, Json> | undefined
  for (const name of REFERRING) {
    const value = members?.[name]
    if (!isReference(value)) continue
    const id = find(value.slice(1, -1))
    if (id !== undefined) (filled ??= { ...members })[name] = id
  }
  const customer = members?.["customer"]
  if (typeof customer === "object") (filled ??= { ...members })["customer"] = resolve(customer as Fields, find)
  return (filled as A | undefined) ?? members
}

/** What an answer said, as far as the ledger needs it. */
export interface Answer {
  /** The id of what was created or changed. */
  readonly id?: string
  readonly status?: string
  readonly insured?: boolean
  /** Amounts and dates as the service states them. */
  readonly stated?: Fields
  /** The deferred payment that a look found; undefined when there is none. */
  readonly payment?: DeferredPayment | undefined
  /** There is none, and there will be none: the offer has ended. */
  readonly lapsed?: boolean
  /** Until when an order that has ended is looked at, in milliseconds since the epoch. */
  readonly until?: number
  readonly offer?: Offer
  /** Preferences of an organisation, by payment method. */
  readonly methods?: Readonly<Record<string, string>>
}
