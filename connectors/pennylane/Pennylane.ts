/** Pennylane: reads customer invoices and credit notes, with the bank transactions that are matched to them. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The environment variable with the API token. */
  token: Rest.secret("PENNYLANE_TOKEN"),
  /** Replaces Pennylane's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const PAGES = { records: "items", pagination: { by: "cursor", param: "cursor", next: "next_cursor" } } as const
const HUNDRED = { most: 100, param: "limit" } as const

export const pennylane = Rest.make({
  name: "pennylane",
  title: "Pennylane: invoices, payments, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "tombstones",
  blindSpots: [
    "a change that is more than four weeks old at the next pull: Pennylane lists no older ones",
    "a transaction's new match or amount, if Pennylane does not list its invoice as changed"
  ],
  limits: { perMinute: 300, atOnce: 4, by: "key" },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://app.pennylane.com/api/external/v2",
  authorise: Rest.bearer(({ token }: Settings) => token),
  said: ["message", "error"],
  lists: [
    {
      ...PAGES,
      name: "invoices",
      kind: "invoice",
      path: "/customer_invoices",
      size: HUNDRED,
      changes: "named",
      one: { path: "/customer_invoices/{id}" },
      children: {
        its_customer: {
          ...{ by: "each", path: "/customers/{id}", whose: "customer.id", size: { most: 1 }, single: true },
          ...{ pagination: { by: "none" }, expects: Mapping.namesCustomer },
          all: {
            ...PAGES,
            path: "/customers",
            size: HUNDRED,
            key: "id",
            whose: "customer.id"
          }
        },
        its_transactions: {
          ...PAGES,
          ...{ by: "each", path: "/customer_invoices/{id}/matched_transactions", size: HUNDRED },
          expects: Mapping.isSettledInPart
        }
      },
      decode: () => Mapping.invoice
    },
    {
      ...PAGES,
      name: "changes",
      kind: "invoice",
      path: "/changelogs/customer_invoices",
      size: { most: 1000, param: "limit" },
      changes: { since: "start_date", inclusive: true },
      reads: "changes",
      of: { list: "invoices", by: "id" },
      decode: () => Mapping.invoice
    }
  ]
})
