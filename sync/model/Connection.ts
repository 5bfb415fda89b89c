/**
 * Defines one connection: a source, and how its documents are sent to the service. This is the decoded configuration.
 */
import { Schema } from "effect"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Connector } from "../../connectors/Connector.ts"
import { Locale } from "../../core/wire/Locale.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import { Day } from "../../core/wire/Day.ts"
import { Instant } from "../../core/wire/Instant.ts"
import { CoverSettings, Pattern } from "./CoverSettings.ts"
import { GUARDS } from "./Guard.ts"
import type { Schedule } from "./Schedule.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey

const Member = Schema.Struct({
  email: text,
  name: text,
  registered: maybe(Instant),
  role: maybe(Schema.Literals(["read-only", "member", "admin"]))
})

/** Who owns the transactions (II 2.5): an organisation, found by `unique_id`, or a user, found by email. */
export const Owner = Schema.Union([
  Schema.Struct({
    organisation: Schema.Struct({
      unique_id: text,
      registered: Instant,
      name: maybe(text),
      company: maybe(CompanyId),
      company_name: maybe(text),
      company_regnum: maybe(text),
      company_address: maybe(text),
      company_postcode: maybe(text),
      company_city: maybe(text),
      company_country: maybe(text),
      company_state: maybe(text),
      members: maybe(Schema.Array(Member))
    })
  }),
  Schema.Struct({
    user: Schema.Struct({
      email: text,
      name: text,
      registered: Instant,
      unique_id: maybe(text),
      phone: maybe(text),
      country: maybe(text),
      company: maybe(CompanyId)
    })
  })
])
export type Owner = typeof Owner.Type

/** The seller, if it is not the owner's own company. */
const Creditor = Schema.Struct({
  company: maybe(CompanyId),
  name: maybe(text),
  country: maybe(text),
  regnum: maybe(text),
  address: maybe(text)
})

/** Which invoices are sent. Both days are included. */
export const Scope = Schema.Struct({
  issued_after: maybe(Day),
  issued_before: maybe(Day),
  drafts: maybe(Schema.Boolean),
  currencies: maybe(Schema.Array(text))
})

/**
 * A run that would reduce what the service holds more than `number` times, or on more than `share` of the ledger, is stopped
 * before its first call. Up to three reductions always pass.
 */
export const Guards = Schema.Struct({
  number: maybe(Schema.Int),
  share: maybe(Schema.Finite),
  /** Numbers of guards that are turned off for this connection. */
  allow: maybe(Schema.Array(Schema.Literals(GUARDS)))
})

const Percentage = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      /^(100(\.0+)?|\d{1,2}(\.\d{1,6})?)$/.test(text) || 'write a percentage from 0 to 100 as text, like "20"'
  )
)

const Amount = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{1,9}(\.\d{1,3})?$/.test(text) || 'write an amount as text, like "15.00"')
)

/** How orders that the service does not know are created there, and payment offers requested (DP 2.6, 2.7). */
export const OrderCreation = Schema.Struct({
  /** The service's category for lines that `categories` does not map; default: the source's own. */
  category: maybe(text),
  /** Maps the source's categories to the service's. */
  categories: maybe(Schema.Record(Schema.String, text)),
  /** The percentage for lines for which neither the source nor `tax_rates` has one. */
  tax_rate: maybe(Percentage),
  /** Maps the source's tax names to percentages. */
  tax_rates: maybe(Schema.Record(Schema.String, Percentage)),
  /** `gross`: the tax is that percentage of the amount with tax (DP 2.6); `net`: of the amount without. */
  tax_basis: maybe(Schema.Literals(["gross", "net"])),
  /** The language of e-mails about the order. Default `en-gb`. */
  locale: maybe(Locale),
  /** The address that the service notifies of the payment's status. */
  notification: maybe(text),
  /** Whether offers are requested. Default true; if not, the shop's checkout requests them. */
  offers: maybe(Schema.Boolean)
})
export type OrderCreation = typeof OrderCreation.Type

/** Buyers on the service: an organisation and a user for each (DP 2.4, 2.5). */
export const BuyerSettings = Schema.Struct({
  /** Whether the source's changes to a buyer are sent. Default false: a buyer is sent once, with its first order. */
  keep: maybe(Schema.Boolean),
  /** Payment methods by type, `card` or `direct_debit`: kept at `on`, `off` or `default` for every buyer. */
  payment_methods: maybe(Schema.Record(Schema.String, Schema.Literals(["on", "off", "default"]))),
  /** Put before the source's ids of buyers, so that the ids of two sources are not confused. */
  prefix: maybe(text),
  /** What the user may do in the organisation. Default `member`. */
  role: maybe(Schema.Literals(["read-only", "member", "admin"]))
})

const words = Schema.Array(text)

/** Which of a source's orders are sent, in its own words. Every list that is given has to name the order's. */
const OrderFilter = Schema.Struct({
  stores: maybe(words),
  channels: maybe(words),
  /** Payment methods. */
  methods: maybe(words),
  /** The source's own statuses. */
  statuses: maybe(words)
})

/** Which documents of the books go to orders, and where their files are; `{number}` and `{id}` stand for the document's. */
const OrderDocuments = Schema.Struct({
  /** The connection of the books; default: the orders' own. */
  from: maybe(text),
  invoice: maybe(Pattern),
  credit_note: maybe(Pattern)
})

/** How orders are found on the service, and how amounts without a product are shared out over parcels (`OrderStanding.ts`). */
export const OrderSettings = Schema.Struct({
  /** `carried`: by the identifiers in the source; `unique_id`: by the order's number if the source has no identifier. */
  link: maybe(Schema.Literals(["carried", "unique_id"])),
  shipping: maybe(Schema.Literals(["value", "quantity", "first"])),
  fees: maybe(Schema.Literals(["value", "quantity", "first"])),
  discounts: maybe(Schema.Literals(["value", "quantity"])),
  /** Whether the rest is voided once an order is closed or cancelled. Default true. */
  void_remainder: maybe(Schema.Boolean),
  /** Which orders are sent. */
  only: maybe(OrderFilter),
  /** Goods of an order that was only put away, and that never left: `ask` (default) or `void`. */
  archived: maybe(Schema.Literals(["ask", "void"])),
  /** The connection that has the parcels of these orders, in place of their own source. */
  ships: maybe(text),
  /** Who captures, voids and refunds: `daybook` (default), or the `shop`, which is only watched. */
  captures: maybe(Schema.Literals(["daybook", "shop"])),
  /** Creates orders that have no identifier of the service. */
  create: maybe(OrderCreation),
  buyers: maybe(BuyerSettings),
  /** Attaches invoices and credit notes to orders, once they were captured. */
  documents: maybe(OrderDocuments)
}).check(
  Schema.makeFilter(({ captures, create }: { readonly captures?: string; readonly create?: unknown }) =>
    create === undefined || captures !== "shop"
      ? true
      : 'leave out create, or captures "shop": what is only watched is not created'
  ),
  Schema.makeFilter(({ create, link }: { readonly create?: unknown; readonly link?: string }) =>
    create === undefined || link !== "unique_id"
      ? true
      : 'leave out link "unique_id", or create: an order without identifiers is found by its number or created, not both'
  )
)
export type OrderSettings = typeof OrderSettings.Type

export const Planning = Schema.Struct({
  owner: Owner,
  creditor: maybe(Creditor),
  scope: maybe(Scope),
  guards: maybe(Guards),
  orders: maybe(OrderSettings),
  /** Whether PUT paid follows the reported payments (assumption: some contracts use one or the other). Default true. */
  report_paid: maybe(Schema.Boolean),
  /** Without it, no quotes are requested and no policies bought. */
  cover: maybe(CoverSettings)
})
export type Planning = typeof Planning.Type

/** Within which limits payments are matched without asking a person. All are off by default. */
export const MatchLimits = Schema.Struct({
  /** `oldest`: of several equal invoices that a payment may be for, the one that was due first, however long ago. Default `ask`. */
  undesignated: maybe(Schema.Literals(["ask", "oldest"])),
  /** At most this much less than an invoice, in the payment's currency: a bank kept it. */
  fee: maybe(Amount),
  /** An early payment discount of at most this percentage, taken up to so many days after the invoice was issued. */
  discount: maybe(
    Schema.Struct({ percent: Percentage, days: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 366 })) })
  ),
  /** Up to so many invoices that a payment does not name may add up to it. */
  several: maybe(
    Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 5 }, { message: "write a number from 2 to 5" }))
  ),
  /** For how many days the books may have a payment that is unexplained before somebody is asked; default `WAIT_DAYS`. */
  wait: maybe(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 366 }, { message: "write a number of days, like 35; at most 366" })
    )
  )
})
export type MatchLimits = typeof MatchLimits.Type

export interface Connection {
  /** The prefix of its documents' keys. */
  readonly id: string
  /** Its name in the configuration, if it was renamed (`SourceBindings.ts`). */
  readonly name?: string
  readonly connector: Connector
  /** Decoded by the connector's schema. */
  readonly settings: unknown
  readonly planning: Planning
  /** How many invoices one pull reads again by id; default 100. */
  readonly sweep?: number
  /** When the daemon runs it; by default it does not. */
  readonly every?: Schedule
  /** The daemon sends a plan only after a person has approved it. */
  readonly approve?: boolean
  /** Then by somebody who did not cause it, and by two people above these amounts. */
  readonly approving?: { readonly twoAbove?: ReadonlyMap<string, Decimal.Decimal> }
  /** Its first sync is sent without asking. */
  readonly firstSync?: "send"
  /** The environment variable that holds the secret with which the source signs its webhooks. */
  readonly webhook?: { readonly secret: { readonly env: string } }
  /** The daily request cap, if it is lower than the source's own. */
  readonly requestsPerDay?: number
  /**
   * Its payments are for the invoices of another connection, and it sends no documents of its own. `days`: up to how many days
   * after its due date an invoice may be matched by amount alone. `byId`: customers have the same id in both connections.
   */
  readonly pays?: {
    readonly connection: string
    readonly days: number
    readonly byId?: boolean
    readonly limits?: MatchLimits
  }
  /** Somebody entered its address who opened a link: where it may lead. */
  readonly entered?: "internet" | "anywhere"
  /** Another connection pays its invoices. */
  readonly paid?: boolean
}

/** Whether a person means this connection: by its current or its former name. */
export const isCalled = (name: string, connection: Pick<Connection, "id" | "name">): boolean =>
  connection.id === name || connection.name === name

/** The name that people use for it. */
export const nameOf = ({ id, name = id }: Pick<Connection, "id" | "name">): string => name

/** What planning, and a page that only reads, need of a connection: values only. */
export type PlannedConnection = Pick<Connection, "id" | "planning" | "pays">
