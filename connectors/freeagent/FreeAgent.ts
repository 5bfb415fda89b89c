/**
 * FreeAgent: reads invoices, bank transactions explained as invoice payments, and credit notes. Invoices are queried for
 * changes. FreeAgent does not list deleted payments and credit notes, so those lists are read completely, unless nothing in
 * them changed and they are as long as they were.
 */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  ...Rest.app("FREEAGENT"),
  /** Replaces FreeAgent's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})

const HOST = "https://api.freeagent.com"

const pages = (name: string) =>
  ({
    path: `/v2/${name}`,
    records: name,
    id: "url",
    size: { most: 100, param: "per_page" },
    pagination: { by: "page", param: "page", total: "header:x-total-count" }
  }) as const

const list = (name: string) => ({ name, ...pages(name) })

const changed = { since: "updated_since", inclusive: false } as const
/** FreeAgent does not list what was deleted. */
const scanned = { changes: "complete scan", unless: changed } as const

export const freeagent = Rest.make({
  name: "freeagent",
  title: "FreeAgent: invoices, payments, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "complete scan",
  blindSpots: [
    "an invoice that is deleted: seen when it is read again by id",
    "a change of a payment or a credit note of which FreeAgent does not move the time: seen within a day"
  ],
  limits: { perMinute: 60, atOnce: 1, by: "authorisation" },
  overlapSeconds: 300,
  base: ({ url }) => url ?? HOST,
  authorise: Rest.oauth2({
    page: `${HOST}/v2/approve_app`,
    tokens: `${HOST}/v2/token_endpoint`,
    scopes: []
  }),
  headers: { "user-agent": "Daybook" },
  said: ["errors.error.message", "error_description", "error"],
  lists: [
    {
      ...list("invoices"),
      kind: "invoice",
      changes: changed,
      one: { path: "/v2/invoices/{id}", record: "invoice" },
      decode: () => Mapping.invoice
    },
    {
      ...list("bank_transaction_explanations"),
      ...scanned,
      kind: "payment",
      each: { ...pages("bank_accounts"), param: "bank_account" },
      decode: () => Mapping.explanation
    },
    {
      ...list("credit_note_reconciliations"),
      ...scanned,
      kind: "credit_note",
      decode: () => Mapping.reconciliation
    }
  ]
})
