/** Answers about documents: the normalised documents of the sources, lists of them, and the story of one. */
import { Schema } from "effect"
import { COVER_STATES } from "../CoverStanding.ts"
import {
  amount,
  integer,
  currency,
  day,
  flag,
  instant,
  key,
  list,
  type InMillis,
  maybe,
  component,
  record,
  next,
  anyJson,
  orNull,
  string
} from "./Fields.ts"
import { PAYOUT_PARTS } from "../../../connectors/Document.ts"
import { QuarantinedRecord } from "./State.ts"

const Party = record("Party", {
  id: maybe(string),
  name: string,
  country: maybe(string),
  regnum: maybe(string),
  vat: maybe(string),
  address: maybe(string),
  company: maybe(string)
})

const Share = Schema.Struct({ invoice: string, amount })
const method = maybe(Schema.Literals(["unknown", "bank", "card", "cash"]))
const metadata = maybe(Schema.Record(Schema.String, Schema.String))

export const InvoiceShown = record("Invoice", {
  kind: Schema.Literal("invoice"),
  id: string,
  number: string,
  reference: maybe(
    string.annotate({ description: "What the buyer is asked to write on the transfer where it is not the number" })
  ),
  status: Schema.Literals(["draft", "open", "paid", "void"]),
  party: Party,
  currency,
  issued: day,
  due: day,
  net: maybe(amount),
  gross: maybe(amount),
  schedule: maybe(list(Schema.Struct({ date: day, amount }))),
  paidOn: maybe(day),
  payMethod: method,
  stated: maybe(
    Schema.Struct({
      open: maybe(amount),
      paid: maybe(amount),
      credited: maybe(amount),
      beforeReversals: maybe(Schema.Literal(true))
    })
  ),
  metadata
})

export const PaymentShown = record("Payment", {
  kind: Schema.Literal("payment"),
  id: string,
  date: day,
  currency: maybe(currency),
  shares: list(Share),
  unallocated: maybe(amount),
  reference: maybe(string),
  party: maybe(Schema.Struct({ id: maybe(string), name: maybe(string) })),
  method,
  instructed: maybe(
    Schema.Struct({ currency, amount }).annotate({
      description: "What its payer sent, where that was in another currency and the bank exchanged it"
    })
  ),
  trace: maybe(string),
  tried: maybe(
    Schema.Literals(["pending", "failed"]).annotate({ description: "A debit that is not received yet, or never was" })
  )
})

export const ReversalShown = record("Reversal", {
  kind: Schema.Literal("reversal"),
  id: string,
  payment: maybe(string),
  date: day,
  currency: maybe(currency),
  shares: list(Share),
  unallocated: maybe(amount),
  type: Schema.Literals(["chargeback", "refund", "error", "unknown", "other"]),
  providerCode: maybe(string),
  details: maybe(string),
  trace: maybe(string),
  collected: maybe(Schema.Struct({ reference: string, day: maybe(day) }))
})

export const CreditNoteShown = record("CreditNote", {
  kind: Schema.Literal("credit_note"),
  id: string,
  date: day,
  currency: maybe(currency),
  shares: list(Schema.Struct({ invoice: string, amount, net: maybe(amount) })),
  refunded: maybe(Schema.Literal(true).annotate({ description: "What it credits was paid back" }))
})

export const PayoutShown = record("Payout", {
  kind: Schema.Literal("payout"),
  id: string,
  date: day,
  currency,
  amount,
  status: Schema.Literals(["pending", "paid", "failed"]),
  by: string,
  settled: maybe(Schema.Struct({ currency, amount })),
  account: maybe(string),
  references: maybe(list(string)),
  items: list(Schema.Struct({ part: Schema.Literals(PAYOUT_PARTS), name: string, count: integer, amount }))
})

/** An order and its parcels have many members of the source's own; these are the ones that every source gives. */
const Order = component(
  "Order",
  Schema.StructWithRest(
    Schema.Struct({
      kind: Schema.Literal("order"),
      id: string,
      number: string,
      status: Schema.Literals(["open", "closed", "cancelled"]),
      currency,
      placed: day,
      lines: list(
        Schema.StructWithRest(
          Schema.Struct({
            id: string,
            type: Schema.Literals(["product", "shipping", "fee", "discount"]),
            quantity: amount,
            gross: amount
          }),
          [anyJson]
        )
      )
    }),
    [anyJson]
  )
)

const OrderFact = component(
  "OrderFact",
  Schema.StructWithRest(
    Schema.Struct({
      kind: Schema.Literals(["fulfilment", "cancellation", "return"]),
      id: string,
      order: string,
      date: day,
      lines: list(Schema.Struct({ line: string, quantity: amount }))
    }),
    [anyJson]
  )
)

export const Document = component(
  "Document",
  Schema.Union([InvoiceShown, PaymentShown, ReversalShown, CreditNoteShown, PayoutShown, Order, OrderFact])
)

const Listed = record("ListedDocument", {
  key,
  deleted: flag,
  document: Document,
  remote: orNull(string.annotate({ description: "Its identifier on the service" })),
  reason: orNull(string),
  currency: orNull(string),
  open: Schema.Struct({ source: orNull(amount), books: orNull(amount), service: orNull(amount) }),
  balance: orNull(amount.annotate({ description: "Negative: owed to the buyer" }))
})

export const DocumentPage = Schema.Struct({ documents: list(Listed), next })

const Version = record("Version", {
  key,
  n: integer,
  deleted: flag,
  read: instant,
  origin: string,
  document: Document,
  raw: string
})

const SentCall = record("SentCall", {
  id: integer,
  run: integer,
  subject: string,
  fact: string,
  rule: string,
  operation: string,
  reason: string,
  claimed: instant,
  answered: orNull(instant),
  sends: integer,
  outcome: orNull(string),
  status: orNull(integer),
  remote: orNull(string),
  params: Schema.Record(Schema.String, Schema.String),
  body: Schema.optional(Schema.Unknown.annotate({ description: "As it was sent to the service" })),
  answer: Schema.optional(Schema.Unknown.annotate({ description: "As the service answered" }))
})

const CoverEvent = Schema.Struct({
  at: instant,
  what: string,
  before: orNull(string),
  after: string,
  detail: orNull(string)
})
export type CoverEvent = InMillis<typeof CoverEvent.Type, "at">

const CoverDecision = Schema.Struct({
  id: integer,
  about: string,
  decision: string,
  who: string,
  decided: instant,
  shown: string
})
export type StoredCoverDecision = InMillis<typeof CoverDecision.Type, "decided">

/** How an invoice got its cover, or why it has none. */
const CoverStory = Schema.Struct({
  state: orNull(Schema.Literals(COVER_STATES)),
  why: orNull(string),
  events: list(CoverEvent),
  decisions: list(CoverDecision)
})

const AttentionStory = Schema.Struct({
  id: integer,
  rule: string,
  why: string,
  todo: string,
  since: instant,
  closed: orNull(instant),
  how: orNull(string)
})
export type AttentionStory = InMillis<typeof AttentionStory.Type, "since" | "closed">

/** Everything about one document, or about the document of a call. */
export const StoryShown = record("Story", {
  key,
  versions: list(Version),
  related: list(Version),
  facts: anyJson.annotate({ description: "What the books have of it: the document, and what belongs to it" }),
  quarantined: list(QuarantinedRecord),
  named: list(QuarantinedRecord),
  remote: orNull(anyJson.annotate({ description: "What the service holds of it" })),
  reason: orNull(string),
  calls: list(SentCall),
  attention: list(AttentionStory),
  cover: maybe(CoverStory)
})

export const Stories = Schema.Struct({ stories: list(StoryShown) })

/** The first records of a source, beside the documents that they become. */
export const Previewed = record("Preview", {
  whole: flag,
  documents: integer,
  rows: list(Schema.Struct({ origin: string, raw: string, documents: list(Document) })),
  quarantined: list(
    Schema.Struct({
      kind: string,
      origin: string,
      raw: string,
      field: maybe(string),
      why: string,
      id: maybe(string)
    })
  ),
  notices: list(Schema.Struct({ origin: string, what: string })),
  sums: list(
    Schema.Struct({
      kind: string,
      status: maybe(string),
      currency: maybe(currency),
      documents: integer,
      amount: maybe(amount),
      open: maybe(Schema.Struct({ amount, documents: integer }))
    })
  ),
  differing: list(
    Schema.Struct({
      kind: maybe(string),
      list: string,
      what: Schema.Literals(["total", "closing balance", "left out"]),
      column: string,
      currency,
      amount,
      read: amount,
      at: string
    })
  ).annotate({ description: "Totals that lists state themselves and that do not equal what was read of them" })
})

const Customer = record("Customer", {
  id: integer,
  connection: string,
  party: string,
  name: string,
  country: orNull(string),
  currency: orNull(string),
  invoices: integer,
  open: orNull(amount),
  overdue: orNull(amount)
})

export const CustomersAnswer = Schema.Struct({
  customers: list(Customer),
  next: maybe(integer.annotate({ description: "How many to skip for the following page, for `after`" }))
})
