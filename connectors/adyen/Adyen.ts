/**
 * Adyen: reads captures, refunds, failed refunds, chargebacks, their reversals and payouts from the settlement reports. These are
 * consecutively numbered files, one per payout batch; a webhook announces each new one.
 */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Signature from "../Signature.ts"
import * as Mapping from "./Mapping.ts"
import * as Payouts from "./Payouts.ts"

const Settings = Schema.Struct({
  /** The merchant account's name, as in the Customer Area. */
  merchant: Schema.NonEmptyString,
  /** Environment variables with the user name and password of a report user. */
  user: Rest.secret("ADYEN_USER"),
  password: Rest.secret("ADYEN_PASSWORD"),
  /** The first batch to read; 1 by default. */
  batch: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** The column with the invoice's id; `Merchant Reference` by default. */
  invoice: Schema.optionalKey(Schema.NonEmptyString),
  environment: Schema.optionalKey(Schema.Literals(["live", "test"])),
  /** Replaces Adyen's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const HOSTS = { live: "https://ca-live.adyen.com", test: "https://ca-test.adyen.com" }

export const adyen = Rest.make({
  name: "adyen",
  title: "Adyen: captures, refunds, failed refunds, chargebacks and their reversals, payouts",
  settings: Settings,
  identity: ({ merchant }: Settings) => `merchant account ${merchant}`,
  kinds: ["payment", "reversal", "payout"],
  deletions: "not at all",
  blindSpots: ["captures, refunds and chargebacks that are not settled yet: they appear in the report of their batch"],
  limits: { atOnce: 1, by: "key" },
  overlapSeconds: 0,
  base: ({ environment = "live", merchant, url }) =>
    `${url ?? HOSTS[environment]}/reports/download/MerchantAccount/${Http.segment(merchant)}`,
  authorise: {
    by: "key",
    variables: ({ password, user }: Settings) => [user.env, password.env],
    headers: (user, password) => ({
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
      accept: "text/csv"
    })
  },
  read: Rest.csv("Psp Reference", "Merchant Reference", "Type", "Modification Reference", "Gross Currency"),
  lists: [
    {
      name: "settlements",
      kind: "payment",
      path: "/settlement_detail_report_batch_{n}.csv",
      id: "Modification Reference",
      size: { most: 500 },
      pagination: { by: "none" },
      changes: { numbered: "files" },
      from: ({ batch }) => batch,
      decode: ({ invoice = "Merchant Reference" }) => Mapping.entry(invoice),
      together: { kind: "payout", groups: Payouts.groups, decode: Payouts.payout }
    }
  ],
  webhook: {
    signature: {
      verify: (delivery, secret) => {
        const items = Mapping.items(Signature.fields(delivery))
        const key = Buffer.from(secret, "hex")
        const isOurs = ({ signature, signed }: Mapping.Item) =>
          Signature.isSame(signature, Signature.hmac(key, "base64", signed))
        return key.length > 0 && items.length > 0 && items.every(isOurs)
      }
    },
    events: (fields) => {
      const items = Mapping.items(fields)
      if (items.length === 0) return undefined
      return items.flatMap(({ event, isReport }) => (isReport ? [{ event }] : []))
    }
  }
})
