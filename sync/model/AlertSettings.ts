/**
 * What a configuration says about alerts: who is told (channels), of what (rules), and when: at once or once a day, and not
 * in quiet hours. Without it nobody is told anything.
 */
import { Schema } from "effect"
import { addressProblem } from "../../core/Address.ts"
import { zoneProblem } from "./Schedule.ts"
import { secret } from "./Secret.ts"

const text = Schema.NonEmptyString
const maybe = Schema.optionalKey

/** What there are rules about. */
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

/** Over SMTP. */
export const EmailChannel = Schema.Struct({
  host: text,
  /** 465 with `tls`, 587 otherwise, unless given. */
  port: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }, { message: "write 1 to 65535" }))),
  /** `starttls` unless given, `tls` on port 465. `none` is for a server on this machine, or a relay without a password. */
  security: maybe(Schema.Literals(["starttls", "tls", "none"])),
  user: maybe(text),
  password: maybe(secret("SMTP_PASSWORD")),
  from: Mailbox,
  to: Schema.NonEmptyArray(Mailbox)
})
export type EmailChannel = typeof EmailChannel.Type

/** Slack's and Teams' addresses are secrets: whoever has one can post. */
export const PostingChannel = Schema.Struct({ url: secret("CHAT_WEBHOOK") })

/** A program's own address; each request is signed. */
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
  /** All channels unless given. */
  to: maybe(Schema.NonEmptyArray(Schema.String)),
  /** All connections unless given. */
  connections: maybe(Schema.NonEmptyArray(Schema.String)),
  /** Of `failed`: so many runs in a row; 3 unless given. */
  times: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "write 1 to 100" }))),
  /** Of `authorisation` and `deadline`: on which days before it is told. */
  days: maybe(Days),
  /** Of `disk`: less than this is left; `"1 GB"` unless given. */
  free: maybe(
    Schema.String.check(
      Schema.isPattern(/^[1-9]\d{0,5} (MB|GB)$/u, { message: 'write how much is to be free, like "2 GB" or "500 MB"' })
    )
  ),
  /** Of `clock`: further apart from the service's; 120 unless given. */
  seconds: maybe(
    Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 86_400 }, { message: "write 10 to 86400 seconds" }))
  ),
  /** Once a day in place of at once. */
  digest: maybe(Digest),
  /** In place of the `quiet` of all rules; `false` for none. */
  quiet: maybe(Schema.Union([QuietHours, Schema.Literal(false)]))
})
export type AlertRule = typeof AlertRule.Type

const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/u, { message: 'use letters, digits, "-" and "_" only' })
)

export const AlertSettings = Schema.Struct({
  /** By name. */
  channels: Schema.Record(Name, Channel),
  /** Every kind at once to every channel, unless given. */
  rules: maybe(Schema.NonEmptyArray(AlertRule)),
  /** What begins then is told when they end. */
  quiet: maybe(QuietHours),
  /** Where people reach the daemon's page: messages lead there. */
  page: maybe(Url)
})
export type AlertSettings = typeof AlertSettings.Type
