/** Answers about what people match by hand, and what decisions did. */
import { Schema } from "effect"
import {
  amount,
  integer,
  currency,
  digestText,
  flag,
  instant,
  key,
  list,
  maybe,
  record,
  next,
  type InMillis,
  orNull,
  string
} from "./Fields.ts"

const Debtor = record("Debtor", {
  connection: string,
  party: string.annotate({
    description: "The key under which the choice is stored: the source's id of the debtor, or else name and country"
  }),
  name: string,
  country: orNull(string).annotate({ description: "ISO 3166-1 alpha-2" }),
  regnum: orNull(string),
  address: orNull(string),
  invoices: integer.annotate({ description: "How many invoices were sent" }),
  open: list(string.annotate({ examples: ["1,200.00 GBP"] })).annotate({
    description: "The open amounts on the service, one text for each currency"
  }),
  chosen: orNull(string).annotate({ description: "The company that a person chose" })
})
export type Debtor = typeof Debtor.Type

export const DebtorPage = Schema.Struct({ debtors: list(Debtor), total: integer, next })

const optional = Schema.optional(Schema.NullOr(Schema.String))

/** A company of the service. */
export const Companies = Schema.Struct({
  companies: list(
    record("Company", {
      id: string,
      name: string,
      status: optional,
      legal_form: optional,
      country: optional,
      address: optional,
      city: optional,
      postcode: optional,
      identifiers: Schema.optional(
        list(
          Schema.Struct({
            id_type: Schema.optional(string),
            idtype: Schema.optional(string),
            country: optional,
            value: string
          })
        )
      ),
      confidence: Schema.optional(Schema.Unknown)
    })
  )
})

/** What somebody decided of a payment: the invoices that it is for (none: no invoice), or which payments of others are the same money. */
const Choice = record("Match", {
  payment: key,
  asked: maybe(
    flag.annotate({
      description: "It is not for what it was matched with, and nobody has said yet for which invoice it is"
    })
  ),
  shares: list(
    Schema.Struct({
      invoice: key,
      amount,
      currency: maybe(string.annotate({ description: "The invoice's, if the payment is in another one" }))
    })
  ),
  same: maybe(list(key).annotate({ description: "Payments of other connections that are the same money" })),
  apart: maybe(list(key).annotate({ description: "Payments of other connections that are other money" })),
  chosen: instant
})
export type ChoiceShown = typeof Choice.Type
export type StoredChoice = InMillis<ChoiceShown, "chosen">
export const ChoicePage = Schema.Struct({ matches: list(Choice), total: integer, next })

/** A decision that can be taken back. */
const UndoableDecision = record("Decision", {
  id: integer,
  at: instant,
  connections: list(string),
  words: string,
  digest: digestText
})
export type UndoableDecision = typeof UndoableDecision.Type
export const UndoableDecisions = Schema.Struct({ decisions: list(UndoableDecision) })

const ShareText = Schema.Struct({ invoice: key, amount, currency })
export type ShareText = typeof ShareText.Type
export const PaymentAssigned = Schema.Struct({ id: integer, shares: list(ShareText) })

export const CompanyMatched = Schema.Struct({
  connection: string,
  party: string,
  company: orNull(string),
  updates: integer.annotate({ description: "How many invoices the next run updates" })
})

/** What was read from a source. */
const IngestCounts = Schema.Struct({
  read: integer,
  added: integer,
  changed: integer,
  deleted: integer,
  quarantined: integer
})
export type IngestCounts = typeof IngestCounts.Type
export const Pulled = Schema.Struct({ connection: string, taken: IngestCounts })

export const Checked = Schema.Struct({
  connection: string,
  problems: list(string).annotate({ description: "Empty if everything works" })
})

const Link = {
  tenant: string,
  connectors: list(string),
  expires: instant
}

export const ConnectLink = Schema.Struct({ url: string.annotate({ description: "Shown only here" }), ...Link })
export type ConnectLink = typeof ConnectLink.Type

const ConnectLinkStanding = Schema.Struct({
  ...Link,
  made: instant,
  by: string,
  status: Schema.Literals(["open", "opened", "expired", "connected", "cancelled"])
})
export type ConnectLinkStanding = typeof ConnectLinkStanding.Type
export const Links = Schema.Struct({ links: list(ConnectLinkStanding) })

export const Decided = Schema.Struct({
  connection: string,
  digest: string,
  decision: Schema.Literals(["approved", "rejected"]),
  by: string,
  documents: orNull(list(key)).annotate({ description: "What was approved of it; null: the whole plan" })
})
