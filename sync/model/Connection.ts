/**
 * One connection: a source, and how its invoices are sent to the service. What a configuration file says, decoded.
 */
import { Schema } from "effect"
import type { Connector } from "../../connectors/Connector.ts"
import { Locale } from "../../core/wire/Locale.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import { Day } from "../../core/wire/Day.ts"
import { Instant } from "../../core/wire/Instant.ts"
import { CoverSettings } from "./CoverSettings.ts"
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

/** The seller, where it is not the owner's own company. */
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
 * A run that would reduce what the service holds more often than `number` times, or on more than `share` of it,
 * stops before its first call. Up to three reductions always pass.
 */
export const Guards = Schema.Struct({
  number: maybe(Schema.Int),
  share: maybe(Schema.Finite),
  /** Guards that stop nothing of this connection, by number. */
  allow: maybe(Schema.Array(Schema.Literals(GUARDS)))
})

const Percentage = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      /^(100(\.0+)?|\d{1,2}(\.\d{1,6})?)$/.test(text) || 'write a percentage from 0 to 100 as text, like "20"'
  )
)

/** How orders that the service does not know are created there, and a payment offer asked for (DP 2.6, 2.7). */
export const OrderCreation = Schema.Struct({
  /** The service's category of lines for which `categories` names none; without it, the source's own. */
  category: maybe(text),
  /** The source's category to the service's. */
  categories: maybe(Schema.Record(Schema.String, text)),
  /** The percentage of lines for which neither the source nor `tax_rates` has one. */
  tax_rate: maybe(Percentage),
  /** The source's name of a tax to its percentage. */
  tax_rates: maybe(Schema.Record(Schema.String, Percentage)),
  /** `gross`: tax is that percentage of the amount with tax (DP 2.6); `net`: of the amount without. */
  tax_basis: maybe(Schema.Literals(["gross", "net"])),
  /** Of emails about the order. Default `en-gb`. */
  locale: maybe(Locale),
  /** The address that the service notifies of the payment's status. */
  notification: maybe(text),
  /** Whether an offer is asked for. Default true; without, the shop's checkout does. */
  offers: maybe(Schema.Boolean)
})
export type OrderCreation = typeof OrderCreation.Type

/** Buyers on the service: an organisation and a user for each (DP 2.4, 2.5). */
export const BuyerSettings = Schema.Struct({
  /** Whether the source's changes to a buyer are sent. Default false: a buyer is sent once, with its first order. */
  keep: maybe(Schema.Boolean),
  /** Payment methods by type, `card` or `direct_debit`: kept at `on`, `off` or `default` for every buyer. */
  payment_methods: maybe(Schema.Record(Schema.String, Schema.Literals(["on", "off", "default"]))),
  /** Stands before the source's id of a buyer, so that those of two sources are not taken for each other. */
  prefix: maybe(text),
  /** What the user may do in the organisation. Default `member`. */
  role: maybe(Schema.Literals(["read-only", "member", "admin"]))
})

/** How orders are found on the service, and how what is no product is shared out over parcels (see `OrderAllocation.ts`). */
export const OrderSettings = Schema.Struct({
  /** `carried`: by the identifiers that the source carries; `unique_id`: by the order's number where it carries none. */
  link: maybe(Schema.Literals(["carried", "unique_id"])),
  shipping: maybe(Schema.Literals(["value", "quantity", "first"])),
  fees: maybe(Schema.Literals(["value", "quantity", "first"])),
  discounts: maybe(Schema.Literals(["value", "quantity"])),
  /** Whether what is left is voided once an order is closed or cancelled. Default true. */
  void_remainder: maybe(Schema.Boolean),
  /** Orders that carry no identifier of the service are created there. */
  create: maybe(OrderCreation),
  buyers: maybe(BuyerSettings)
}).check(
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
  /** Quotes and policies are only for connections that say so. */
  cover: maybe(CoverSettings)
})
export type Planning = typeof Planning.Type

export interface Connection {
  /** What the keys of its documents begin with. */
  readonly id: string
  /** What the configuration calls it, where it was renamed (`SourceBindings.ts`). */
  readonly name?: string
  readonly connector: Connector
  /** As the connector's schema decoded them. */
  readonly settings: unknown
  readonly planning: Planning
  /** Invoices that one pull reads again by id; 100 unless given. */
  readonly sweep?: number
  /** When the daemon reads it; never by itself unless given. */
  readonly every?: Schedule
  /** The daemon sends nothing of it before a person has approved the plan. */
  readonly approve?: boolean
  /** Its first sync is sent without asking anybody. */
  readonly firstSync?: "send"
  /** The environment variable that holds the secret with which the source signs its webhooks. */
  readonly webhook?: { readonly secret: { readonly env: string } }
  /** Requests that its source may be asked in a day, where that is less than what the source allows. */
  readonly requestsPerDay?: number
  /**
   * Its payments are for the invoices of another connection, and none of its own are sent. `days`: how long after its due
   * date an invoice may be matched by its amount alone. `byId`: a customer has the same id in both.
   */
  readonly pays?: { readonly connection: string; readonly days: number; readonly byId?: boolean }
  /** Another connection pays its invoices. */
  readonly paid?: boolean
}

/** Whether a person means this connection: by the name that it has, or by the one that it had. */
export const isCalled = (name: string, connection: Pick<Connection, "id" | "name">): boolean =>
  connection.id === name || connection.name === name

/** What a person calls it. */
export const nameOf = ({ id, name = id }: Pick<Connection, "id" | "name">): string => name
