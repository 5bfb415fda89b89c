/** e-conomic: reads the entries of customers in the ledger, and which of them are matched. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  app_secret: Rest.secret("ECONOMIC_APP_SECRET"),
  agreement_grant: Rest.secret("ECONOMIC_AGREEMENT_GRANT"),
  /** The currency of the books, which entries in it need not name. */
  currency: Schema.NonEmptyString,
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const ENTRIES = "/bookedEntriesapi/v4.0.0/booked-entries"
const PAGES = { records: "items", pagination: { by: "cursor", param: "cursor", next: "cursor" } } as const

/** The records with one of these numbers: only numbers, because e-conomic refuses a filter with anything else. */
const among = (member: string, ids: ReadonlyArray<string>) =>
  `${member}$in:[${["0", ...ids.filter((id) => /^\d{1,9}$/.test(id))].join(",")}]`

/** Addresses stay below 4,000 characters. */
const MANY = { most: 200 } as const

const matched = (key: "fromEntry" | "toEntry") =>
  ({
    ...PAGES,
    by: "ids",
    path: `${ENTRIES}/matched-pairs`,
    size: MANY,
    param: "filter",
    key,
    written: (ids: ReadonlyArray<string>) => among(key, ids)
  }) as const

export const economic = Rest.make({
  name: "economic",
  title: "e-conomic: invoices, payments, refunds, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "not at all",
  blindSpots: ["entries that are matched by hand after they were booked, or no longer matched"],
  limits: { perMinute: 120, perDay: 50_000, atOnce: 2, by: "key" },
  overlapSeconds: 300,
  base: ({ url }: Settings) => url ?? "https://apis.e-conomic.com",
  authorise: {
    by: "key",
    variables: ({ agreement_grant, app_secret }: Settings) => [app_secret.env, agreement_grant.env],
    headers: (secret = "", grant = "") => ({ "x-appsecrettoken": secret, "x-agreementgranttoken": grant })
  },
  said: ["errors.0.message", "detail", "title"],
  lists: [
    {
      ...PAGES,
      name: "entries",
      path: ENTRIES,
      id: "entryNumber",
      size: { most: 1000 },
      changes: {
        above: "entryNumber",
        // Of an invoice's entries, only the customer's has a customer; those of its revenue and its tax have none.
        query: (n) => ({ filter: `customerNumber$ne:$null:$and:entryNumber$gt:${n}` }),
        back: 100
      },
      kind: "invoice",
      children: {
        customer: {
          ...{ ...PAGES, by: "ids", path: "/customersapi/v3.1.0/Customers", id: "customerNumber", size: MANY },
          ...{ param: "filter", key: "customerNumber", whose: "customerNumber" },
          written: (ids) => among("customerNumber", ids)
        },
        from: matched("fromEntry"),
        to: matched("toEntry")
      },
      along: (entry) => Mapping.others(entry).map(({ id }) => id),
      one: { path: ENTRIES, asking: (id) => ({ filter: among("entryNumber", [id]) }), records: "items" },
      several: (ids) => ({ filter: among("entryNumber", ids) }),
      decode: ({ currency }) => Mapping.entry(currency)
    }
  ]
})
