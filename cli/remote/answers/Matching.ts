/** Answers about what people match by hand, and what decisions did. */
import { Schema } from "effect"
import { amount, count, currency, digestText, moment, key, list, record, next, orNull, string } from "./Basics.ts"

const Debtor = record("Debtor", {
  connection: string,
  party: string,
  name: string,
  country: orNull(string),
  regnum: orNull(string),
  address: orNull(string),
  invoices: count,
  open: list(string.annotate({ examples: ["1,200.00 GBP"] })),
  chosen: orNull(string)
})

export const DebtorPage = Schema.Struct({ debtors: list(Debtor), total: count, next })

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

export const ChoicePage = Schema.Struct({
  matches: list(
    record("Match", {
      payment: key,
      shares: list(Schema.Struct({ invoice: key, amount })),
      same: Schema.optionalKey(list(key)).annotate({
        description: "Payments of other connections that are the same money"
      }),
      apart: Schema.optionalKey(list(key)).annotate({
        description: "Payments of other connections that are other money"
      }),
      chosen: moment
    })
  ),
  total: count,
  next
})

export const UndoableDecisions = Schema.Struct({
  decisions: list(
    record("Decision", {
      id: count,
      at: moment,
      connections: list(string),
      words: string,
      digest: digestText
    })
  )
})

export const Assigned = Schema.Struct({
  id: count,
  shares: list(Schema.Struct({ invoice: key, amount, currency }))
})

export const Matched = Schema.Struct({
  connection: string,
  party: string,
  company: orNull(string),
  updates: count.annotate({ description: "How many invoices the next run updates" })
})

/** What was read from a source. */
export const Pulled = Schema.Struct({
  connection: string,
  taken: Schema.Struct({ read: count, added: count, changed: count, deleted: count, quarantined: count })
})

export const Checked = Schema.Struct({
  connection: string,
  problems: list(string).annotate({ description: "Empty if everything works" })
})

const Link = {
  tenant: string,
  connectors: list(string),
  expires: moment
}

export const MadeLink = Schema.Struct({ url: string.annotate({ description: "Shown only here" }), ...Link })

export const Links = Schema.Struct({
  links: list(
    Schema.Struct({
      ...Link,
      made: moment,
      by: string,
      status: Schema.Literals(["open", "opened", "expired", "connected", "cancelled"])
    })
  )
})

export const Decided = Schema.Struct({
  connection: string,
  digest: string,
  decision: Schema.Literals(["approved", "rejected"]),
  by: string,
  documents: orNull(list(key)).annotate({ description: "What was approved of it; null: the whole plan" })
})
