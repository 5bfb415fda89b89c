/** Answers about whether source, books and service agree. */
import { Schema } from "effect"
import { COVER_STATES } from "../../../sync/model/CoverStanding.ts"
import { amount, count, currency, flag, list, maybe, record, string } from "./Basics.ts"

const Difference = record("Difference", {
  document: string,
  amount,
  why: string,
  source: maybe(amount),
  facts: maybe(amount)
})

const ListTotal = record("ListTotal", {
  list: string,
  what: Schema.Literals(["total", "closing balance", "left out"]),
  column: string,
  amount,
  read: amount,
  at: string,
  agrees: flag
})

const InvoiceStatement = record("InvoiceStatement", {
  connection: string,
  currency,
  source: amount,
  books: amount,
  service: amount,
  sourceSays: maybe(amount),
  unchecked: count,
  explained: amount,
  credit: Schema.Struct({ amount, invoices: count }),
  invoices: count,
  totals: maybe(list(ListTotal)),
  differences: list(Difference),
  more: count,
  pending: count,
  stale: maybe(Schema.Literal(true)),
  quarantined: count
})

const OrderDifference = record("OrderDifference", {
  document: string,
  what: Schema.Literals(["authorised", "currency", "charged", "held", "captured", "voided", "refunded"]),
  amount,
  source: maybe(amount),
  totals: maybe(Schema.Literal(true)),
  sent: maybe(amount),
  service: string,
  why: string
})

const Checked = Schema.Literals(["not checked", "agree", "differ"])

const OrderStatement = record("OrderStatement", {
  connection: string,
  currency,
  orders: count,
  authorised: amount,
  captured: amount,
  voided: amount,
  expired: amount,
  open: amount,
  books: amount,
  refunded: amount,
  owed: amount,
  still: amount,
  charged: amount,
  ahead: amount,
  toVoid: amount,
  short: amount,
  rounding: amount,
  source: Schema.Struct({ total: amount, open: amount, captured: amount, voided: amount, refunded: amount }),
  totals: Schema.Struct({ captured: Checked, voided: Checked, refunded: Checked }),
  lists: maybe(list(ListTotal)),
  differences: list(OrderDifference),
  more: count,
  waiting: list(OrderDifference),
  accepted: list(OrderDifference),
  pending: count,
  unfound: count,
  quarantined: count
})

const PaymentStatement = record("PaymentStatement", {
  connection: string,
  pays: string,
  currency,
  payments: count,
  received: amount,
  matched: amount,
  payouts: amount.annotate({ description: "What processors paid out: the seller's own money" }),
  notForInvoices: amount,
  waiting: amount.annotate({ description: "What the books may still have; somebody is asked if they do not" }),
  totals: maybe(list(ListTotal)),
  differences: list(Difference),
  more: count,
  pending: count,
  quarantined: count
})

const CoverStatement = record("CoverStatement", {
  connection: string,
  currency,
  books: amount,
  service: amount,
  parts: list(Schema.Struct({ state: Schema.Literals(COVER_STATES), invoices: count, books: amount, service: amount })),
  differences: list(Difference),
  more: count,
  unread: count,
  quarantined: count
})

/** What is open in the source, in the books and on the service, with each difference. */
export const Statement = record("Statement", {
  completeness: list(InvoiceStatement),
  orders: list(OrderStatement),
  payments: list(PaymentStatement),
  cover: list(CoverStatement),
  chain: maybe(Schema.Struct({ entry: count, hash: string })).annotate({
    description: "The latest entry of the chain of what was written"
  })
})

/** What `reconcile` found. */
export const Reconciled = record("Reconciled", {
  transactions: count,
  payments: count,
  orders: count,
  others: count,
  differences: count,
  mended: count,
  found: list(
    Schema.Struct({
      connection: string,
      document: string,
      what: string,
      ledger: Schema.NullOr(string),
      service: Schema.NullOr(string),
      mended: flag,
      todo: maybe(string)
    })
  )
})

/** What the independent witness found. */
export const Witnessed = record("Witnessed", {
  unread: list(
    Schema.Struct({ connection: string, kind: string, origin: string, why: string, key: Schema.optional(string) })
  ),
  documents: count,
  transactions: count,
  others: count,
  orders: count,
  amounts: list(
    Schema.Struct({
      connection: string,
      currency,
      invoices: count,
      source_says: maybe(amount),
      source: amount,
      service: amount,
      not_stated: count,
      differing: count
    })
  ),
  found: list(
    Schema.Struct({
      document: string,
      fact: maybe(string),
      what: string,
      says: maybe(string),
      source: maybe(string),
      service: maybe(string)
    })
  ),
  notChecked: list(Schema.Struct({ document: string, fact: maybe(string), why: string })),
  failed: list(Schema.Struct({ connection: string, message: string }))
})
