/**
 * The configuration of alerts: who is notified (channels), of what (rules), and when: at once or once a day, and never in
 * quiet hours. Without this configuration nobody is notified.
 */
import { Schema } from "effect"
import { addressProblem } from "../../core/Address.ts"
import { zoneProblem } from "./Schedule.ts"
import { secret } from "./Secret.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey

/** The kinds of alerts that rules can be about. */
export const ALERT_KINDS = [
  "failed",
  "authorisation",
  "attention",
  "approval",
  "drift",
  "difference",
  "deadline",
  "disk",
  "clock"
] as const

export type AlertKind = (typeof ALERT_KINDS)[number]

const Mailbox = Schema.String.check(
  Schema.isPattern(/^(?:[^<>\r\n]*<)?[^\s<>@,;]+@[^\s<>@,;]+>?$/u, {
    message: 'write an e-mail address, like "ops@acme.example"'
  })
)

const Url = Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url, "in a variable") ?? true))

const Zone = Schema.String.check(Schema.makeFilter((zone: string) => zoneProblem(zone) ?? true))

const TimeOfDay = Schema.String.check(
  Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/u, { message: 'write a time of day, like "08:00"' })
)

/** Sends e-mail over SMTP. */
export const EmailChannel = Schema.Struct({
  host: text,
  /** Default: 465 with `tls`, 587 otherwise. */
  port: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }, { message: "write 1 to 65535" }))),
  /** Default: `starttls`, or `tls` on port 465. `none` is for a server on this machine, or a relay without a password. */
  security: maybe(Schema.Literals(["starttls", "tls", "none"])),
  user: maybe(text),
  password: maybe(secret("SMTP_PASSWORD")),
  from: Mailbox,
  to: Schema.NonEmptyArray(Mailbox)
})
export type EmailChannel = typeof EmailChannel.Type

/** The addresses of Slack and Teams are secrets: whoever has one can post. */
export const PostingChannel = Schema.Struct({ url: secret("CHAT_WEBHOOK") })

/** The address of a program of the user's own; each request is signed. */
export const WebhookChannel = Schema.Struct({ url: Url, secret: secret("ALERT_SECRET") })
export type WebhookChannel = typeof WebhookChannel.Type

export const Channel = Schema.Union([
  Schema.Struct({ email: EmailChannel }),
  Schema.Struct({ slack: PostingChannel }),
  Schema.Struct({ teams: PostingChannel }),
  Schema.Struct({ webhook: WebhookChannel })
])
export type Channel = typeof Channel.Type

export const QuietHours = Schema.Struct({ from: TimeOfDay, to: TimeOfDay, zone: maybe(Zone) })
export type QuietHours = typeof QuietHours.Type

export const Digest = Schema.Struct({ at: TimeOfDay, zone: maybe(Zone) })
export type Digest = typeof Digest.Type

const Days = Schema.NonEmptyArray(
  Schema.Int.check(
    Schema.isBetween({ minimum: 0, maximum: 366 }, { message: "write a number of days, like 14; at most 366" })
  )
)

export const AlertRule = Schema.Struct({
  on: Schema.Literals(ALERT_KINDS),
  /** Default: all channels. */
  to: maybe(Schema.NonEmptyArray(Schema.String)),
  /** Default: all connections. */
  connections: maybe(Schema.NonEmptyArray(Schema.String)),
  /** For `failed`: how many runs in a row; default 3. */
  times: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "write 1 to 100" }))),
  /** For `authorisation` and `deadline`: how many days before it to send a message. */
  days: maybe(Days),
  /** For `disk`: alerts when less than this is free; default `"1 GB"`. */
  free: maybe(
    Schema.String.check(
      Schema.isPattern(/^[1-9]\d{0,5} (MB|GB)$/u, { message: 'write how much is to be free, like "2 GB" or "500 MB"' })
    )
  ),
  /** For `clock`: alerts when the clock is further from the service's; default 120. */
  seconds: maybe(
    Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 86_400 }, { message: "write 10 to 86400 seconds" }))
  ),
  /** Sends once a day instead of at once. */
  digest: maybe(Digest),
  /** Replaces the general `quiet` hours; `false` for none. */
  quiet: maybe(Schema.Union([QuietHours, Schema.Literal(false)]))
})
export type AlertRule = typeof AlertRule.Type

const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/u, { message: 'use letters, digits, "-" and "_" only' })
)

export const AlertSettings = Schema.Struct({
  /** By name. */
  channels: Schema.Record(Name, Channel),
  /** Default: every kind goes to every channel at once. */
  rules: maybe(Schema.NonEmptyArray(AlertRule)),
  /** What begins during these hours is reported when they end. */
  quiet: maybe(QuietHours),
  /** The address of the daemon's page; messages link to it. */
  page: maybe(Url)
})
export type AlertSettings = typeof AlertSettings.Type
