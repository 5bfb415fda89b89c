/**
 * Defines a call: one operation on the service, as a value.
 *
 * A call names documents by key. Identifiers of the service that do not exist yet are references in angle brackets,
 * `<books/invoice/INV-1>`, which are resolved when the call is made. So a plan can be printed, stored, compared and approved
 * before anything happens, and exactly what was approved is sent.
 *
 * Calls are a union with one shape per operation. `kind` says what a call is about, and which part of the ledger it
 * changes; `operation` says what is done. `rule` is only shown to people and decides nothing.
 */
import { Schema } from "effect"
import { CoverDocument, CoverPrice, Declaration } from "./Cover.ts"
import { PaymentLookup, PlannedPosting } from "./DeferredPayment.ts"
import { Fields, type Json, PlannedPayment } from "./RemoteInvoice.ts"
import { Rule } from "./Rule.ts"

/** Fields of every call. */
const common = {
  /** The key of the invoice, order, buyer or owner that the call is about. */
  subject: Schema.String,
  /** The key of the document that caused the call. */
  fact: Schema.String,
  rule: Rule,
  /** The call takes money or a transaction away from what the service holds; guards count such calls. */
  destructive: Schema.Boolean,
  /** The reason in words, with the arithmetic. */
  reason: Schema.String
}

/** Path parameters of a call that has none. */
const nothing = Schema.Struct({})
const ofOrganisation = Schema.Struct({ organisation_id: Schema.String })
const ofUser = Schema.Struct({ user_id: Schema.String })
const ofTransaction = Schema.Struct({ transaction_id: Schema.String })
const ofCollection = Schema.Struct({ collection_id: Schema.String })
const ofDocument = Schema.Struct({ document_id: Schema.String })
const ofOrder = Schema.Struct({ order_id: Schema.String })
const ofPayment = Schema.Struct({ deferred_payment_id: Schema.String })

const membership = Schema.Struct({ id: Schema.String, role: Schema.String })

/** The owner of a connection's invoices, or a member of it (II 2.5). */
const owner = { ...common, kind: Schema.Literal("owner") }

export const OwnerCall = Schema.Union([
  Schema.Struct({ ...owner, operation: Schema.Literal("organisations.create"), params: nothing, body: Fields }),
  Schema.Struct({ ...owner, operation: Schema.Literal("users.create"), params: nothing, body: Fields }),
  Schema.Struct({
    ...owner,
    operation: Schema.Literal("organisations.addUser"),
    params: ofOrganisation,
    body: membership
  })
])
export type OwnerCall = typeof OwnerCall.Type

/** A buyer of orders: its organisation, its user and its preferences (DP 2.4, 2.5). */
const buyer = { ...common, kind: Schema.Literal("buyer") }

export const BuyerCall = Schema.Union([
  Schema.Struct({ ...buyer, operation: Schema.Literal("organisations.create"), params: nothing, body: Fields }),
  Schema.Struct({ ...buyer, operation: Schema.Literal("organisations.update"), params: ofOrganisation, body: Fields }),
  Schema.Struct({
    ...buyer,
    operation: Schema.Literal("organisations.addUser"),
    params: ofOrganisation,
    body: membership
  }),
  Schema.Struct({ ...buyer, operation: Schema.Literal("users.create"), params: nothing, body: Fields }),
  Schema.Struct({ ...buyer, operation: Schema.Literal("users.update"), params: ofUser, body: Fields })
])
export type BuyerCall = typeof BuyerCall.Type

/** A transaction (an invoice on the service) and its payments (II 2.5, 2.6). */
const invoice = { ...common, kind: Schema.Literal("invoice") }

export const InvoiceCall = Schema.Union([
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.create"), params: nothing, body: Fields }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.update"), params: ofTransaction, body: Fields }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.amend"), params: ofTransaction, body: Fields }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.confirm"), params: ofTransaction }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.paid"), params: ofTransaction, body: Fields }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("transactions.remove"), params: ofTransaction }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("transactions.matchDebtor"),
    params: ofTransaction,
    body: Fields
  }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("transactions.createPayment"),
    params: ofTransaction,
    body: Fields,
    /** What the call adds to the ledger; its identifier comes with the answer. */
    posting: PlannedPayment
  }),
  // The invoice's cover (II 2.8 to 2.11).
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("quotes.create"),
    params: nothing,
    body: Fields,
    /** The existing quote, when another one is requested. */
    before: Schema.optionalKey(Schema.String),
    /** How many quotes in a row were requested because the one before expired. */
    asked: Schema.Int
  }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("policies.create"),
    params: nothing,
    /** Names the payment secret, which is filled in just before the request is sent. */
    body: Fields,
    /** The price of the quote: counts as spent from the claim on. */
    price: CoverPrice,
    /** The person's decision that approved it, if there was one. */
    approved: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("collections.create"), params: nothing, body: Fields }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("collections.update"),
    params: ofCollection,
    body: Fields,
    /** The person who made the two declarations, if the body contains them. */
    declaration: Schema.optionalKey(Declaration)
  }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("collectionDocuments.create"),
    params: nothing,
    /** The form's fields except the file. */
    body: Fields,
    document: CoverDocument
  }),
  Schema.Struct({ ...invoice, operation: Schema.Literal("collectionDocuments.remove"), params: ofDocument }),
  Schema.Struct({
    ...invoice,
    operation: Schema.Literal("collections.send"),
    params: ofCollection,
    declaration: Declaration
  })
])
export type InvoiceCall = typeof InvoiceCall.Type

/** An order, its offer and its deferred payment (DP 2.6, 2.7, 2.9). */
const order = { ...common, kind: Schema.Literal("order") }

/** Reads an order's deferred payment. It changes nothing on the service. */
const reading = { ...order, lookup: PaymentLookup }

export const ReadingCall = Schema.Union([
  Schema.Struct({ ...reading, operation: Schema.Literal("deferredPayments.get"), params: ofPayment }),
  Schema.Struct({ ...reading, operation: Schema.Literal("orders.get"), params: ofOrder }),
  Schema.Struct({ ...reading, operation: Schema.Literal("orders.list"), params: nothing })
])
export type ReadingCall = typeof ReadingCall.Type

/** A capture, void or refund. */
export const PostingCall = Schema.Struct({
  ...order,
  operation: Schema.Literals(["deferredPayments.capture", "deferredPayments.void", "deferredPayments.refund"]),
  params: ofPayment,
  body: Schema.Struct({ amount: Schema.Number }),
  /** What the call adds to the ledger; its key is the request's `Idempotency-Key`. */
  orderPosting: PlannedPosting
})
export type PostingCall = typeof PostingCall.Type

export const OrderCall = Schema.Union([
  Schema.Struct({
    ...order,
    operation: Schema.Literal("orders.create"),
    params: nothing,
    body: Fields,
    /** A digest of the order's lines, to detect changes. */
    print: Schema.String
  }),
  Schema.Struct({
    ...order,
    operation: Schema.Literal("offers.create"),
    params: nothing,
    body: Fields,
    /** The existing offer, when another one is requested. */
    before: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    ...order,
    operation: Schema.Literal("orders.update"),
    params: ofOrder,
    body: Schema.Struct({ unique_id: Schema.String })
  }),
  Schema.Struct({
    ...order,
    operation: Schema.Literal("orders.putDocument"),
    params: ofOrder,
    /** The form's fields except the file. */
    body: Fields,
    document: CoverDocument,
    /** The request's `Idempotency-Key`: the service has no list of these documents in which it could be looked for. */
    key: Schema.String
  }),
  PostingCall,
  ReadingCall
])
export type OrderCall = typeof OrderCall.Type

export const Call = Schema.Union([OwnerCall, BuyerCall, InvoiceCall, OrderCall])
export type Call = typeof Call.Type

export type Operation = Call["operation"]

/** The calls with this operation. */
export type CallOf<O extends Operation> = Extract<Call, { readonly operation: O }>

/** A call that changes something on the service, or may. */
export type SentCall = Exclude<Call, ReadingCall>

export const isReading = (call: Call): call is ReadingCall => "lookup" in call

/** The JSON body; undefined for calls without one. */
export const bodyOf = (call: Call): Fields | undefined => ("body" in call ? call.body : undefined)

/** The request's `Idempotency-Key`, for calls whose repetition must not take effect twice (DP 8). */
export const idempotencyKey = (call: Call): string | undefined => {
  if (call.operation === "orders.putDocument") return call.key
  return "orderPosting" in call ? call.orderPosting.key : undefined
}

/** An attention item: something that no rule can resolve. */
export interface Attention {
  readonly subject: string
  readonly fact: string
  readonly rule: Rule
  /** What a decision about it depends on; texts are for people alone. */
  readonly code?: string
  readonly why: string
  /** What a person can do about it. */
  readonly todo: string
}

/** A reference to an identifier of the service that is known once the document `key` exists there. */
export const reference = (key: string): string => `<${key}>`

/** Fields of a path, of a body or of its customer that may hold a reference. Text from a source is never in one of them. */
const REFERRING = [
  "owner",
  "id",
  "order",
  "organisation",
  "user",
  "transaction",
  "quote",
  "policy",
  "transaction_id",
  "collection_id",
  "organisation_id",
  "user_id",
  "order_id",
  "deferred_payment_id"
]

const isReference = (value: Json | undefined): value is string =>
  typeof value === "string" && value.startsWith("<") && value.endsWith(">")

/** The keys that it refers to. */
export const referred = (members: Fields = {}): ReadonlyArray<string> => {
  const keys: Array<string> = []
  resolve(members, (key) => void keys.push(key))
  return keys
}

/** Whether it contains an unresolved reference. */
export const unresolved = (members: Fields = {}): boolean => REFERRING.some((name) => isReference(members[name]))

/** Resolves references. `find` returns the identifier, or undefined while it does not exist. */
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
