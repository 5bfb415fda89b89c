/** Answers about whether source, books and service agree. */
import { Schema } from "effect"
import { COVER_STATES } from "../CoverStanding.ts"
import { amount, integer, currency, flag, list, maybe, orNull, record, string } from "./Fields.ts"

const sum = (what: string) => amount.annotate({ description: what })
const counted = (what: string) => integer.annotate({ description: what })
const more = counted("How many more differences there are than the first hundred of each kind")
const quarantined = counted("How many records could not be read; their amounts are in none of the sums")

const StatementDifference = record("Difference", {
  document: string.annotate({ description: "The document concerned, or the part of the source" }),
  amount: sum("Books less service, source less books, or the source's own figure less that of its facts"),
  why: string,
  /** If the source's own figure differs: its open amount, and that of what was read. */
  source: maybe(amount),
  facts: maybe(amount)
})
export type StatementDifference = typeof StatementDifference.Type

/** The total that a list of the source states itself, next to what was read of it. */
const ListTotal = record("ListTotal", {
  /** `invoices.csv` */
  list: string,
  what: Schema.Literals(["total", "closing balance", "left out"]),
  column: string.annotate({ description: "The list's own name of the column that is added up" }),
  amount: sum("The list's own total"),
  read: sum("The total of what was read"),
  at: string,
  agrees: flag
})
export type ListTotal = typeof ListTotal.Type
const totals = maybe(list(ListTotal)).annotate({
  description: "The totals that lists of the source state themselves; left out if none does"
})

const InvoiceStatement = record("InvoiceStatement", {
  connection: string,
  currency,
  source: amount,
  books: amount,
  service: amount,
  sourceSays: maybe(sum("What the source itself states as open, where it does; left out if it states none")),
  unchecked: counted("How many counted invoices have no balance stated by the source"),
  explained: sum(
    "The part of the difference between the source's figures and the books that other connections' payments and reversals explain"
  ),
  credit: Schema.Struct({ amount, invoices: integer }).annotate({
    description: "What was received or credited beyond the amounts of invoices, and for how many"
  }),
  invoices: counted("How many invoices were sent to the service"),
  totals,
  differences: list(StatementDifference),
  more,
  pending: counted("How many invoices of this connection, in any currency, changed since they were last planned"),
  stale: maybe(
    Schema.Literal(true).annotate({
      description: "Too many changed to be recalculated here: the books are those of the last run"
    })
  ),
  quarantined
})
export type InvoiceStatement = typeof InvoiceStatement.Type

const OrderDifference = record("OrderDifference", {
  document: string,
  what: Schema.Literals(["authorised", "currency", "charged", "held", "captured", "voided", "refunded"]),
  amount,
  source: maybe(sum("What the source comes to; with `totals`, the source's own total")),
  totals: maybe(Schema.Literal(true)),
  service: string,
  why: string
})
export type OrderDifference = typeof OrderDifference.Type

const Checked = Schema.Literals(["not checked", "agree", "differ"])

const OrderStatement = record("OrderStatement", {
  connection: string,
  currency,
  orders: counted("How many orders have a deferred payment"),
  authorised: amount,
  captured: amount,
  voided: amount,
  expired: amount,
  open: sum("As last read from the service"),
  books: sum("What the source's facts, and what a person accepted, leave open of the authorised amount"),
  refunded: amount,
  owed: sum("What the orders owe by their deferred payments"),
  still: sum("What they owe for goods still to leave"),
  charged: sum("Captured less refunded"),
  ahead: sum("Charged ahead of what left: used up by what still leaves, or given back"),
  toVoid: sum("Open and not owed: voided when the orders end"),
  short: sum("What is not authorised of the orders"),
  rounding: sum("How far single orders are apart by rounding, in all"),
  source: Schema.Struct({ total: amount, open: amount, captured: amount, voided: amount, refunded: amount }).annotate({
    description: "What the sums come to with all that follows from the source, for the same orders"
  }),
  totals: Schema.Struct({ captured: Checked, voided: Checked, refunded: Checked }).annotate({
    description: "Whether the service agrees with the source's own totals, if it states any"
  }),
  lists: totals,
  differences: list(OrderDifference),
  more,
  waiting: list(OrderDifference).annotate({
    description: "Differences of orders that wait for a deferred payment, or changed since the last run"
  }),
  accepted: list(OrderDifference).annotate({ description: "Differences that a person accepted" }),
  pending: counted(
    "How many orders wait, or changed since the last run; without those for which the service has nothing"
  ),
  unfound: counted("How many orders were looked for on the service, which has no deferred payment for them"),
  quarantined
})
export type OrderStatement = typeof OrderStatement.Type

const PaymentStatement = record("PaymentStatement", {
  connection: string,
  pays: string.annotate({ description: "The connection whose invoices they are for" }),
  currency,
  payments: integer,
  received: sum("Received less what went back"),
  matched: sum("What is for invoices"),
  payouts: amount.annotate({ description: "What processors paid out: the seller's own money" }),
  notForInvoices: sum("What is for no invoice, as people said of it or of payments like it: it is settled"),
  waiting: sum("What nothing explains yet and the books may still have; somebody is asked if they do not"),
  totals,
  differences: list(StatementDifference),
  more,
  pending: counted("How many documents changed and were not matched again yet"),
  quarantined
})
export type PaymentStatement = typeof PaymentStatement.Type

const CoverPart = Schema.Struct({
  state: Schema.Literals(COVER_STATES),
  invoices: integer,
  books: amount,
  service: amount
})

const CoverStatement = record("CoverStatement", {
  connection: string,
  currency,
  books: amount,
  service: amount,
  parts: list(CoverPart),
  differences: list(StatementDifference),
  more,
  unread: counted(
    "Covered invoices whose status on the service was not read within two days: nothing is said about them"
  ),
  quarantined
})
export type CoverStatement = typeof CoverStatement.Type

/** What is open in the source, in the books and on the service, with each difference. */
export const Proof = record("Statement", {
  completeness: list(InvoiceStatement),
  orders: list(OrderStatement),
  /** For connections that pay for others: what was received and matched. */
  payments: list(PaymentStatement),
  /** For connections with cover: what is open, by how it is covered. */
  cover: list(CoverStatement),
  chain: maybe(Schema.Struct({ entry: integer, hash: string })).annotate({
    description:
      "The latest entry of the chain of what was written: whoever keeps it can tell whether anything before was changed"
  })
})
export type Proof = typeof Proof.Type

const Found = Schema.Struct({
  connection: string,
  document: string.annotate({ description: "The key of the invoice or order" }),
  what: string,
  ledger: orNull(string),
  service: orNull(string),
  mended: flag.annotate({ description: "The ledger was corrected" }),
  todo: maybe(string.annotate({ description: "What a person can do if correcting the ledger is not enough" }))
})
export type Found = typeof Found.Type

const audited = {
  transactions: integer,
  payments: integer,
  orders: integer,
  others: counted("How many transactions of the service belong to none of these connections"),
  differences: integer,
  mended: integer
}
const Audited = Schema.Struct(audited)
export type Audited = typeof Audited.Type

/** What `reconcile` found. */
export const Reconciled = record("Reconciled", { ...audited, found: list(Found) })
export type Reconciled = typeof Reconciled.Type

/** What the independent witness found. */
export const WitnessAnswer = record("Witnessed", {
  unread: list(
    Schema.Struct({ connection: string, kind: string, origin: string, why: string, key: Schema.optional(string) })
  ),
  documents: integer,
  transactions: integer,
  others: integer,
  orders: integer,
  amounts: list(
    Schema.Struct({
      connection: string,
      currency,
      invoices: integer,
      source_says: maybe(amount),
      source: amount,
      service: amount,
      not_stated: integer,
      differing: integer
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
