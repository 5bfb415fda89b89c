/**
 * Zoho Books: reads invoices, and for those of which something is settled, the payments and credit notes applied to them.
 * Zoho lists payments without saying which invoices they pay, so they are read by invoice.
 */
import { Schema } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The organization's id. */
  organization: Schema.NonEmptyString,
  /** The end of the address at which its users sign in, `eu` of zoho.eu; `com` by default. */
  region: Schema.optionalKey(Schema.Literals(["com", "eu", "in", "com.au", "jp", "ca", "com.cn", "sa"])),
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

const EACH = { by: "each", size: { most: 200 }, pagination: { by: "none" } } as const
/** A list of what is applied to one invoice. */
const applied = (path: string, records: string, id: string) => ({
  ...EACH,
  path: `/invoices/{id}/${path}`,
  records,
  id
})

export const zohobooks = Rest.make({
  name: "zohobooks",
  title: "Zoho Books: invoices, payments, credit notes",
  settings: Settings,
  identity: ({ organization }: Settings) => `organization ${organization}`,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: ["an invoice that is deleted: seen when it is read again by id"],
  limits: { perMinute: 100, atOnce: 4 },
  overlapSeconds: 300,
  base: ({ region = "com", url }) => url ?? `https://www.zohoapis.${region}/books/v3`,
  query: ({ organization }) => ({ organization_id: organization }),
  authorise: Rest.oauth2<Settings>({
    page: (settings) => `${accounts(settings)}/auth?access_type=offline&prompt=consent`,
    tokens: (settings) => `${accounts(settings)}/token`,
    inBody: true,
    scheme: "Zoho-oauthtoken",
    scopes: ["ZohoBooks.invoices.READ"]
  }),
  said: ["message"],
  explain: (_, body) => Mapping.explained(body),
  lists: [
    {
      name: "invoices",
      path: "/invoices",
      records: "invoices",
      id: "invoice_id",
      // With 1, Zoho counts the invoices.
      query: { sort_column: "created_time", response_option: 1 },
      size: { most: 200, param: "per_page" },
      pagination: { by: "page", param: "page", total: "page_context.total", more: "page_context.has_more_page" },
      changes: { since: "last_modified_time", inclusive: false, format: timed },
      from: ({ since }) => (since === undefined ? undefined : `${since}T00:00:00+0000`),
      kind: "invoice",
      one: { path: "/invoices/{id}", record: "invoice" },
      children: {
        payments: { ...applied("payments", "payments", "invoice_payment_id"), expects: Mapping.hasPayments },
        credits: { ...applied("creditsapplied", "credits", "creditnotes_invoice_id"), expects: Mapping.hasCredits }
      },
      decode: () => Mapping.invoice
    }
  ]
})
