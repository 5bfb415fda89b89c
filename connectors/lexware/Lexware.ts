/** Lexware Office (formerly lexoffice): reads invoices from the list of vouchers, and what settles each. */
import { Schema } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The environment variable with the API key. */
  key: Rest.secret("LEXWARE_KEY"),
  /** Invoices that changed before this day are not read by the first pull. */
  since: Schema.optionalKey(Day.Day),
  /** Replaces Lexware's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

/** Changes are asked for by day; the day before as well, whatever the zone in which Lexware takes it. */
const DAY_MS = 86_400_000
const day = (millis: number): string => new Date(millis - DAY_MS).toISOString().slice(0, 10)

export const lexware = Rest.make({
  name: "lexware",
  title: "Lexware Office: invoices, payments, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: [
    "a draft that is deleted: it stays a draft",
    "a part payment, if Lexware does not move the invoice's time: seen with its next change"
  ],
  limits: { perMinute: 100, atOnce: 1, by: "key" },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://api.lexware.io/v1",
  authorise: Rest.bearer(({ key }: Settings) => key),
  said: ["message"],
  lists: [
    {
      name: "vouchers",
      kind: "invoice",
      path: "/voucherlist",
      records: "content",
      query: { voucherType: "invoice,downpaymentinvoice", voucherStatus: "any", sort: "voucherNumber,ASC" },
      size: { most: 250, param: "size" },
      pagination: { by: "page", param: "page", from: 0, total: "totalElements", pages: "totalPages" },
      changes: { since: "updatedDateFrom", format: day, inclusive: true, resolution: 86_400 },
      from: ({ since }) => (since === undefined ? undefined : `${since}T12:00:00Z`),
      decode: () => Mapping.invoice,
      children: {
        payments: {
          by: "each",
          path: "/payments/{id}",
          records: "paymentItems",
          size: { most: 1000 },
          pagination: { by: "none" },
          missing: "none",
          expects: (voucher) => !Mapping.isSettled(voucher)
        }
      }
    }
  ],
  file: { kind: "invoice", path: "/invoices/{id}/file", type: "application/pdf", ending: ".pdf" }
})
