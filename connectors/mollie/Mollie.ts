/**
 * Mollie: reads payments, captures, refunds and chargebacks. Its lists come newest first and cannot be queried for changes:
 * each is read until its records are too old to change.
 */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import type * as Json from "../Json.ts"
import * as Rest from "../rest/index.ts"
import { dayOf, TimeZone } from "../TimeZone.ts"
import * as Mapping from "./Mapping.ts"
import { settlement } from "./Settlements.ts"

const Settings = Schema.Struct({
  /** The environment variable with the API key. */
  key: Rest.secret("MOLLIE_KEY"),
  /** The member of a payment that names its invoice; `metadata.invoice` by default. */
  invoice: Schema.optionalKey(Schema.NonEmptyString),
  /** The profile whose payments are read, `pfl_...`: for an organization access token, which reads settlements as well. */
  profile: Schema.optionalKey(Schema.NonEmptyString),
  /** Whose days are used; those of UTC by default. */
  time_zone: Schema.optionalKey(TimeZone),
  /** Replaces Mollie's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const DAY = 86_400
const how = ({ invoice = "metadata.invoice", time_zone }: Settings): Mapping.How => ({
  member: invoice,
  dayOf: dayOf(time_zone)
})

/** Such a token must say which profile is meant; a key has one, and must not. */
const ofProfile = ({ profile }: Settings) => (profile === undefined ? {} : { profileId: profile })

const list = (name: string, days: number) =>
  ({
    name,
    query: ofProfile,
    path: `/${name}`,
    records: `_embedded.${name}`,
    size: { most: 250, param: "limit" },
    pagination: { by: "next", next: "_links.next.href" },
    changes: { newest: "createdAt", reach: days * DAY }
  }) as const

/** The payment that a webhook is about; for a refund, chargeback or capture, the payment it belongs to. */
const about = (fields: Json.Fields): string | undefined => {
  const [id, payment] = [fields.maybe("entityId") ?? fields.maybe("id"), fields.maybe("paymentId")]
  return payment ?? fields.maybe("_embedded.entity.paymentId") ?? (id?.startsWith("tr_") === true ? id : undefined)
}

export const mollie = Rest.make({
  name: "mollie",
  title: "Mollie: payments, captures, refunds, chargebacks, settlements",
  settings: Settings,
  kinds: ["payment", "reversal", "payout"],
  deletions: "status",
  blindSpots: [
    "a payment that is paid more than 30 days after it was made: Mollie has no list of what changed; a webhook shows it",
    "a refund that fails more than 30 days after it was made",
    "a chargeback that is reversed more than 180 days after it came",
    "a settlement that fails more than 30 days after it was made"
  ],
  limits: { atOnce: 4, by: "key" },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://api.mollie.com/v2",
  authorise: Rest.bearer(({ key }: Settings) => key),
  // What its document says that it answers with.
  headers: { accept: "application/hal+json, application/json" },
  said: ["detail", "title"],
  lists: [
    {
      ...list("payments", 30),
      kind: "payment",
      decode: (settings) => Mapping.payment(how(settings)),
      one: { path: "/payments/{id}", query: { embed: "refunds,chargebacks" } },
      children: {
        captures: {
          by: "each",
          path: "/payments/{id}/captures",
          records: "_embedded.captures",
          size: { most: 250 },
          pagination: { by: "none" },
          expects: (payment) => Mapping.isManual(payment) && payment.get("amountCaptured") !== undefined
        }
      }
    },
    {
      ...list("refunds", 30),
      kind: "reversal",
      query: (settings: Settings) => ({ ...ofProfile(settings), embed: "payment" }),
      decode: (settings) => Mapping.refund(how(settings))
    },
    {
      ...list("chargebacks", 180),
      kind: "reversal",
      query: (settings: Settings) => ({ ...ofProfile(settings), embed: "payment" }),
      decode: (settings) => Mapping.chargeback(how(settings))
    },
    {
      ...list("settlements", 30),
      kind: "payout",
      query: {},
      when: ({ profile }) => profile !== undefined,
      decode: (settings) => settlement(how(settings))
    }
  ],
  webhook: {
    signature: { header: "x-mollie-signature", form: "hex", prefix: "sha256=" },
    events: (fields) => {
      const [event, payment] = [fields.maybe("id"), about(fields)]
      if (event === undefined) return undefined
      return payment === undefined ? [] : [{ about: payment, event: `${event} ${fields.maybe("status") ?? ""}`.trim() }]
    }
  }
})
