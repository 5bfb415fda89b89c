/**
 * Sage Accounting (Sage Business Cloud): reads sales invoices, customer receipts and refunds, and later allocations to
 * invoices. Each list can be queried for changes and for deletions.
 */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The id of the business; by default the user's first. */
  business: Schema.optionalKey(Schema.NonEmptyString),
  ...Rest.app("SAGE"),
  /** Replaces Sage's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const list = (path: string) =>
  ({
    path: `/v3.1/${path}`,
    records: "$items",
    query: { attributes: "all" },
    size: { most: 200, param: "items_per_page" },
    pagination: { by: "page", param: "page", total: "$total" }
  }) as const

const changed = { since: "updated_or_created_since", inclusive: true } as const
/** A list of records deleted since a time. */
const deleted = { changes: { since: "deleted_since", inclusive: false }, reads: "changes" } as const

const invoices = { ...list("sales_invoices"), kind: "invoice", decode: () => Mapping.invoice } as const
const payments = { ...list("contact_payments"), kind: "payment", decode: () => Mapping.payment } as const
const allocations = { ...list("contact_allocations"), kind: "credit_note", decode: () => Mapping.allocation } as const

export const sage = Rest.make({
  name: "sage",
  title: "Sage Accounting: invoices, payments, credit notes",
  settings: Settings,
  identity: ({ business }: Settings) => (business === undefined ? undefined : `business ${business}`),
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "tombstones",
  blindSpots: ["invoices entered as quick entries or opening balances, and their payments"],
  limits: { perMinute: 100, atOnce: 2, by: "account", app: { perDay: 1_296_000, atOnce: 150 } },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://api.accounting.sage.com",
  authorise: Rest.oauth2({
    page: "https://www.sageone.com/oauth2/auth/central?filter=apiv3.1",
    tokens: "https://oauth.accounting.sage.com/token",
    inBody: true,
    scopes: ["readonly"]
  }),
  headers: ({ business }): Readonly<Record<string, string>> =>
    business === undefined ? {} : { "x-business": business },
  explain: (_, body) => Mapping.explained(body),
  lists: [
    { ...invoices, name: "sales_invoices", changes: changed, one: { path: "/v3.1/sales_invoices/{id}" } },
    { ...payments, name: "contact_payments", changes: changed },
    { ...allocations, name: "contact_allocations", changes: changed },
    { ...invoices, ...deleted, name: "deleted_invoices", decode: () => Mapping.deleted },
    { ...payments, ...deleted, name: "deleted_payments", decode: () => Mapping.deleted },
    { ...allocations, ...deleted, name: "deleted_allocations", decode: () => Mapping.deleted }
  ]
})
