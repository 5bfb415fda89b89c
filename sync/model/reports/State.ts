/** Answers about the state of things: connections, runs, attention items, approvals, alerts. */
import { Schema } from "effect"
import { ALERT_KINDS } from "../AlertSettings.ts"
import type { Rule } from "../Rule.ts"
import {
  amount,
  integer,
  day,
  digestText,
  flag,
  instant,
  key,
  list,
  maybe,
  component,
  record,
  next,
  type InMillis,
  orNull,
  string
} from "./Fields.ts"

const ConnectionShown = record("Connection", {
  connection: string.annotate({ description: "The prefix of its documents' keys" }),
  name: maybe(string.annotate({ description: "Its name in the configuration, if it was renamed" })),
  invoices: integer,
  payments: integer,
  reversals: integer,
  credit_notes: integer,
  payouts: integer,
  orders: integer,
  fulfilments: integer,
  cancellations: integer,
  returns: integer,
  sent: integer,
  waiting: integer,
  quarantined: integer,
  read: orNull(instant).annotate({ description: "When its source was last read" })
})
export type ConnectionRow = InMillis<typeof ConnectionShown.Type, "read">

const RunShown = record("Run", {
  id: integer,
  command: string,
  started: instant,
  ended: orNull(instant),
  outcome: orNull(string),
  figures: orNull(string)
})
export type RunRow = InMillis<typeof RunShown.Type, "started" | "ended">

/** The result of a connection's last run in the daemon. */
const Turn = record("Turn", {
  connection: string,
  dueFrom: instant.annotate({ description: "When it was last due" }),
  began: orNull(instant),
  ended: orNull(instant).annotate({ description: "Null while it runs, or if it was interrupted" }),
  outcome: orNull(string),
  message: orNull(string),
  failures: integer.annotate({ description: "The number of consecutive failures" }),
  succeeded: orNull(instant).annotate({ description: "When a run last succeeded" }),
  unauthorised: orNull(string).annotate({
    description: "The message with which the source or the service rejected the credentials; null if they are accepted"
  }),
  authorisedUntil: orNull(instant).annotate({ description: "When the authorisation ends; null if unknown" })
})
export type RunState = InMillis<typeof Turn.Type, "dueFrom" | "began" | "ended" | "succeeded" | "authorisedUntil">

/** A plan that waits for a person, or the latest decision about one. */
const ApprovalShown = record("Approval", {
  connection: string,
  digest: digestText,
  calls: integer,
  attention: integer,
  reductions: integer.annotate({ description: "Calls that reduce what the service holds" }),
  made: instant,
  decision: orNull(Schema.Literals(["approved", "rejected"])),
  decided: orNull(instant),
  who: orNull(string),
  why: orNull(string).annotate({
    description: "Why a person is asked; null if the connection asks about every plan"
  }),
  words: orNull(string).annotate({ description: "The plan's figures in words" }),
  documents: orNull(list(key)).annotate({ description: "The documents that were approved; null: the whole plan" })
})
export type Approval = InMillis<typeof ApprovalShown.Type, "made" | "decided">

/** What the state file holds, see `daybook status`. */
export const Status = record("Status", {
  service: orNull(string).annotate({ description: "The service's address, once something was sent to it" }),
  connections: list(ConnectionShown),
  runs: list(RunShown),
  turns: list(Turn),
  approvals: list(ApprovalShown),
  attention: integer,
  pendingCalls: integer,
  quarantined: integer
})
export type Status = typeof Status.Type

/** An invoice that a payment may be for. */
export const Candidate = record("Candidate", {
  invoice: key,
  number: string,
  party: string,
  due: day,
  open: amount,
  before: maybe(
    Schema.Literal(true).annotate({
      description: "It fits the amount that the payment had before the source corrected it"
    })
  ),
  why: maybe(string.annotate({ description: "How the payment's amount comes from it" })),
  amount: maybe(amount.annotate({ description: "How much of the payment it would receive then" })),
  accept: maybe(
    list(string).annotate({
      description: "What a person says to accept that, one `INVOICE=AMOUNT` for each invoice"
    })
  )
})
export type Candidate = typeof Candidate.Type

export const AttentionItem = record("AttentionItem", {
  id: integer,
  subject: key,
  fact: string,
  rule: string,
  code: maybe(string.annotate({ description: "What a decision about it depends on; texts are for people alone" })),
  why: string,
  todo: string.annotate({ description: "What a person can do about it" }),
  since: instant,
  refused: flag.annotate({
    description: "The service rejected a call; nothing more is sent for this document until it changes or is retried"
  }),
  candidates: maybe(list(Candidate))
})

export type AttentionItem = typeof AttentionItem.Type & { readonly rule: Rule }
export type OpenAttention = InMillis<Omit<AttentionItem, "candidates">, "since">

export const AttentionPage = Schema.Struct({
  items: list(AttentionItem),
  total: integer,
  next: maybe(integer.annotate({ description: "The cursor of the following page, for `after`" }))
})

export const Approvals = Schema.Struct({ approvals: list(ApprovalShown) })

const AlertShown = record("Alert", {
  id: integer,
  kind: Schema.Literals(ALERT_KINDS),
  connection: orNull(string),
  title: string,
  words: string,
  began: instant,
  ended: orNull(instant),
  passed: flag.annotate({ description: "Its deadline passed before anybody acted" })
})
export type AlertShown = typeof AlertShown.Type
export type StoredAlert = InMillis<AlertShown, "began" | "ended">

/** A message that its channel has not accepted. */
const UnsentMessage = record("UnsentMessage", {
  id: integer,
  channel: string,
  subject: string,
  standing: Schema.Literals(["waiting", "given up"]).annotate({
    description: "Given up: not retried until somebody asks for it"
  }),
  made: instant,
  attempts: integer,
  next: orNull(instant).annotate({ description: "When it is retried" }),
  why: orNull(string).annotate({ description: "The channel's last answer" })
})
export type UnsentMessage = typeof UnsentMessage.Type

export const AlertsShown = Schema.Struct({ alerts: list(AlertShown), messages: list(UnsentMessage) })
export type AlertsShown = typeof AlertsShown.Type

const TestedChannel = Schema.Struct({ channel: string, sent: flag, why: maybe(string) })
export type TestedChannel = typeof TestedChannel.Type
export const TestedChannels = Schema.Struct({ channels: list(TestedChannel) })

/** What started a run. */
const why = Schema.Literals(["schedule", "interrupted", "retry", "webhook", "approved", "asked"])
const millis = Schema.Number.annotate({ description: "Milliseconds" })

/** A run's start or end. */
export const RunEvent = component(
  "RunEvent",
  Schema.Union([
    Schema.Struct({ type: Schema.Literal("began"), connection: string, why }),
    Schema.Struct({ type: Schema.Literal("ended"), connection: string, why, millis, outcome: string, message: string }),
    Schema.Struct({
      type: Schema.Literal("failed"),
      connection: string,
      why,
      millis,
      message: string,
      failures: integer
    }),
    Schema.Struct({ type: Schema.Literal("approval dropped"), connection: string, message: string }).annotate({
      description: "Its plan needs no approval any more: the waiting or approved plan is dropped"
    }),
    Schema.Struct({ type: Schema.Literal("waits"), connection: string, message: string })
  ])
)
export type RunEvent = typeof RunEvent.Type
export type Trigger = typeof why.Type

/** A record that could not be read. */
export const QuarantinedRecord = record("QuarantinedRecord", {
  connection: string,
  origin: string,
  kind: string,
  id: orNull(string).annotate({ description: "The source's id, if that much could be read" }),
  field: orNull(string),
  why: string,
  raw: string,
  since: instant
})
export type QuarantinedRow = InMillis<typeof QuarantinedRecord.Type, "since">

export const QuarantinePage = Schema.Struct({ records: list(QuarantinedRecord), total: integer, next })
