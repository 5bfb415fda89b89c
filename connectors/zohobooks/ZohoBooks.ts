/**
 * Zoho Books: reads invoices, and what is applied to those of which something is settled. The list of all payments does not say
 * how much of which invoice each pays: a first pull takes from it those of one invoice that add up to what is settled of it.
 */
import { Schema } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The organization's id. */
  organization: Schema.NonEmptyString,
  /** The end of the address at which its users sign in, `eu` of zoho.eu; `com` by default. */
  region: Schema.optionalKey(Schema.Literals(["com", "eu", "in", "com.au", "jp", "ca", "com.cn", "sa", "uk"])),
  /** Invoices that changed before this day are not read by the first pull. */
  since: Schema.optionalKey(Day.Day),
  ...Rest.app("ZOHO"),
  /** Replaces Zoho's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const accounts = ({ region = "com" }: Settings): string =>
  `https://accounts.${region === "ca" ? "zohocloud.ca" : `zoho.${region}`}/oauth/v2`

/** `2026-02-01T09:00:00+0000`, as Zoho writes times. */
const timed = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}+0000`

const expects = (fields: Json.Fields): boolean => !Mapping.isPaid(fields)
const EACH = { by: "each", size: { most: 200 }, pagination: { by: "none" }, expects } as const
const PAGES = { by: "page", param: "page", more: "page_context.has_more_page" } as const

const PAYMENTS = {
  path: "/customerpayments",
  records: "customerpayments",
  absent: "none",
  id: "payment_id",
  size: { most: 200, param: "per_page" },
  pagination: { ...PAGES, keeps: "a payment that it lacks is asked for by its invoice" },
  key: "invoice_numbers",
  whose: "invoice_number",
  has: Mapping.isPaid
} as const

export const zohobooks = Rest.make({
  name: "zohobooks",
  title: "Zoho Books: invoices, payments, credit notes",
  settings: Settings,
  identity: ({ organization }: Settings) => `organization ${organization}`,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: [
    "an invoice that is deleted: seen when it is read again by id",
    "a payment's new day or reference: seen when its invoice changes, or is read again by id"
  ],
  limits: { perMinute: 100, atOnce: 4, by: "account" },
  overlapSeconds: 300,
  base: ({ region = "com", url }) => url ?? `https://www.zohoapis.${region}/books/v3`,
  query: ({ organization }) => ({ organization_id: organization }),
  authorise: Rest.oauth2<Settings>({
    page: (settings) => `${accounts(settings)}/auth?access_type=offline&prompt=consent`,
    tokens: (settings) => `${accounts(settings)}/token`,
    inBody: true,
    scheme: "Zoho-oauthtoken",
    scopes: ["ZohoBooks.invoices.READ,ZohoBooks.customerpayments.READ"]
  }),
  said: ["message"],
  // "Invoice does not exist."
  explain: (_, body) => (Json.nameAt(body, "code") === "1002" ? { gone: true } : {}),
  lists: [
    {
      name: "invoices",
      path: "/invoices",
      records: "invoices",
      id: "invoice_id",
      // With 1, Zoho counts the invoices.
      query: { sort_column: "created_time", response_option: 1 },
      size: { most: 200, param: "per_page" },
      pagination: { ...PAGES, total: "page_context.total" },
      changes: { since: "last_modified_time", inclusive: false, format: timed },
      from: ({ since }) => (since === undefined ? undefined : `${since}T00:00:00+0000`),
      kind: "invoice",
      one: { path: "/invoices/{id}", record: "invoice" },
      // The names are none that Zoho uses: `expects` must not take a member of the invoice for what was read.
      children: {
        its_payments: { ...EACH, path: "/invoices/{id}/payments", records: "payments", all: PAYMENTS },
        its_credits: { ...EACH, path: "/invoices/{id}/creditsapplied", records: "credits" }
      },
      decode: () => Mapping.invoice
    }
  ]
})
