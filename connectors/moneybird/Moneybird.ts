/** Moneybird: reads sales invoices with their payments, and what changed since. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The administration's id, as in the address of its pages: digits. */
  administration: Schema.String.check(
    Schema.isPattern(/^\d+$/u, {
      message: "write the administration's id, as in the address of its pages: digits only"
    })
  ),
  /** The environment variable with the API token. */
  token: Rest.secret("MONEYBIRD_TOKEN"),
  /** Replaces Moneybird's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

/** Without a period, Moneybird lists the invoices of this year only. */
const EVER = "state:all,period:20000101..21001231"

export const moneybird = Rest.make({
  name: "moneybird",
  title: "Moneybird: invoices, payments, credit notes",
  settings: Settings,
  identity: ({ administration }: Settings) => `administration ${administration}`,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "not at all",
  blindSpots: ["an invoice that is deleted: seen when it is read again by id"],
  limits: { perMinute: 30, atOnce: 1, by: "key" },
  overlapSeconds: 300,
  base: ({ administration, url }) => url ?? `https://moneybird.com/api/v2/${administration}`,
  authorise: Rest.bearer(({ token }: Settings) => token),
  said: ["error"],
  lists: [
    {
      name: "sales_invoices",
      kind: "invoice",
      path: "/sales_invoices.json",
      query: { filter: EVER },
      size: { most: 100, param: "per_page" },
      pagination: { by: "page", param: "page", total: "header:x-total-count" },
      changes: { since: (at: string) => ({ filter: `state:all,updated_after:${at}` }), inclusive: false },
      one: { path: "/sales_invoices/{id}.json" },
      decode: () => Mapping.invoice
    }
  ],
  file: { kind: "invoice", path: "/sales_invoices/{id}/download_pdf", type: "application/pdf", ending: ".pdf" }
})
