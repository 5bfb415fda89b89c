/**
 * PayPal: reads payments, refunds, reversals, chargebacks, and undone ones, from the transaction search, 31 days at a time.
 * For money taken back by a dispute, the dispute is read for the reason.
 */
import { Schema } from "effect"
import { isDay } from "../../core/wire/Day.ts"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import { dayOf, TimeZone } from "../TimeZone.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** Environment variables with the client id and the secret of a REST app. */
  client_id: Rest.secret("PAYPAL_CLIENT_ID"),
  client_secret: Rest.secret("PAYPAL_CLIENT_SECRET"),
  /** The member of a transaction that names its invoice; `invoice_id` by default. */
  invoice: Schema.optionalKey(Schema.Literals(["invoice_id", "custom_field"])),
  /** Transactions before this day are not read; PayPal keeps three years. */
  since: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((day: string) => isDay(day) || "write a day as YYYY-MM-DD"))
  ),
  environment: Schema.optionalKey(Schema.Literals(["live", "sandbox"])),
  /** Whose days are used; those of UTC by default. */
  time_zone: Schema.optionalKey(TimeZone),
  /** Replaces PayPal's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const DAY = 86_400
const HOSTS = { live: "https://api-m.paypal.com", sandbox: "https://api-m.sandbox.paypal.com" }

export const paypal = Rest.make({
  name: "paypal",
  title: "PayPal: payments, refunds, reversals, chargebacks, withdrawals",
  settings: Settings,
  kinds: ["payment", "reversal", "payout"],
  deletions: "status",
  blindSpots: ["a payment that was pending for more than 30 days before it was completed or denied"],
  limits: { perMinute: 50, atOnce: 2, by: "key" },
  overlapSeconds: 30 * DAY,
  base: ({ environment = "live", url }) => url ?? HOSTS[environment],
  authorise: {
    by: "client",
    tokens: "/v1/oauth2/token",
    client: ({ client_id, client_secret }: Settings) => ({ id: client_id.env, secret: client_secret.env })
  },
  explain: (_, body) => Mapping.explained(body),
  lists: [
    {
      name: "transactions",
      kind: "payment",
      path: "/v1/reporting/transactions",
      records: "transaction_details",
      id: "transaction_info.transaction_id",
      query: { fields: "transaction_info,payer_info", balance_affecting_records_only: "Y" },
      size: { most: 500, param: "page_size" },
      pagination: { by: "page", param: "page", pages: "total_pages", keeps: "it is a ledger: nothing leaves it" },
      changes: {
        within: 31 * DAY,
        between: (start_date, end_date) => ({ start_date, end_date }),
        oldest: 3 * 365 * DAY - DAY,
        tooMany: "RESULTSET_TOO_LARGE"
      },
      from: ({ since }) => since,
      decode: ({ invoice = "invoice_id", time_zone }) =>
        Mapping.transaction(`transaction_info.${invoice}`, dayOf(time_zone)),
      children: {
        disputes: {
          by: "each",
          path: "/v1/customer/disputes",
          param: "disputed_transaction_id",
          whose: "transaction_info.paypal_reference_id",
          records: "items",
          absent: "none",
          missing: "none",
          id: "dispute_id",
          size: { most: 50, param: "page_size" },
          pagination: { by: "none" },
          expects: Mapping.isDisputed
        }
      }
    }
  ]
})
