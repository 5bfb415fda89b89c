/** Chargebee Billing: reads invoices, transactions and credit notes, each queried for what changed, deleted ones included. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Signature from "../Signature.ts"
import { dayOf, TimeZone } from "../TimeZone.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The site's name, without `.chargebee.com`; test sites end in `-test`. */
  site: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9-]+$/)),
  /** The environment variable with the API key. */
  key: Rest.secret("CHARGEBEE_KEY"),
  /** Whose days transactions have; those of UTC by default. Invoices state the site's time zone. */
  time_zone: Schema.optionalKey(TimeZone),
  /** Replaces the site's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const ONES = ["invoice", "transaction", "credit_note"]
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`

const list = (one: string) =>
  ({
    name: `${one}s`,
    path: `/api/v2/${one}s`,
    records: "list",
    id: `${one}.id`,
    query: { include_deleted: "true" },
    size: { most: 100, param: "limit" },
    pagination: { by: "cursor", param: "offset", next: "next_offset" },
    changes: {
      // Records that never changed since 2016 lack this time, so a first pull queries and sorts by none.
      since: (at: string) => ({ "updated_at[after]": at, "sort_by[asc]": "updated_at" }),
      format: "seconds",
      inclusive: false
    }
  }) as const

export const chargebee = Rest.make({
  name: "chargebee",
  title: "Chargebee: invoices, payments, refunds, chargebacks, credit notes",
  settings: Settings,
  identity: ({ site }: Settings) => `site ${site}`,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "tombstones",
  blindSpots: [],
  limits: { perMinute: 100, atOnce: 2, by: "account" },
  // Chargebee's lists may lack what changed in the last five minutes.
  overlapSeconds: 600,
  base: ({ site, url }) => url ?? `https://${site}.chargebee.com`,
  authorise: {
    by: "key",
    variables: ({ key }: Settings) => [key.env],
    headers: (key) => ({ authorization: basic(`${key}:`) })
  },
  said: ["message"],
  lists: [
    {
      ...list("invoice"),
      kind: "invoice",
      decode: () => Mapping.invoice(),
      one: { path: "/api/v2/invoices/{id}" },
      several: (ids) => ({ "id[in]": JSON.stringify(ids) })
    },
    { ...list("transaction"), kind: "payment", decode: ({ time_zone }) => Mapping.transaction(dayOf(time_zone)) },
    { ...list("credit_note"), kind: "credit_note", decode: ({ time_zone }) => Mapping.creditNote(dayOf(time_zone)) }
  ],
  webhook: {
    // Chargebee does not sign deliveries: it sends the user and the password of the webhook.
    signature: { verify: ({ headers }, secret) => Signature.isSame(headers["authorization"], basic(secret)) },
    events: (fields) => {
      const event = fields.maybe("id")
      if (event === undefined || fields.get("content") === undefined) return undefined
      return ONES.some((one) => fields.get(`content.${one}`) !== undefined) ? [{ event }] : []
    }
  }
})
