/** Answers about the state of things: connections, runs, attention items, approvals, alerts. */
import { Schema } from "effect"
import { ALERT_KINDS } from "../../../sync/model/AlertSettings.ts"
import {
  amount,
  count,
  day,
  digestText,
  flag,
  moment,
  key,
  list,
  maybe,
  named,
  record,
  next,
  orNull,
  string
} from "./Basics.ts"

const Connection = record("Connection", {
  connection: string,
  name: maybe(string),
  invoices: count,
  payments: count,
  reversals: count,
  credit_notes: count,
  payouts: count,
  orders: count,
  fulfilments: count,
  cancellations: count,
  returns: count,
  sent: count,
  waiting: count,
  quarantined: count,
  read: orNull(moment)
})

const Run = record("Run", {
  id: count,
  command: string,
  started: moment,
  ended: orNull(moment),
  outcome: orNull(string),
  figures: orNull(string)
})

/** The result of a connection's last run in the daemon. */
const Turn = record("Turn", {
  connection: string,
  dueFrom: moment,
  began: orNull(moment),
  ended: orNull(moment),
  outcome: orNull(string),
  message: orNull(string),
  failures: count,
  succeeded: orNull(moment),
  unauthorised: orNull(string),
  authorisedUntil: orNull(moment)
})

/** A plan that waits for a person, or the latest decision about one. */
export const Approval = record("Approval", {
  connection: string,
  digest: digestText,
  calls: count,
  attention: count,
  reductions: count,
  made: moment,
  decision: orNull(Schema.Literals(["approved", "rejected"])),
  decided: orNull(moment),
  who: orNull(string),
  why: orNull(string),
  words: orNull(string),
  documents: orNull(list(key)).annotate({ description: "The documents that were approved; null: the whole plan" })
})

export const Status = record("Status", {
  service: orNull(string),
  connections: list(Connection),
  runs: list(Run),
  turns: list(Turn),
  approvals: list(Approval),
  attention: count,
  pendingCalls: count,
  quarantined: count
})

/** An invoice that a payment may be for. */
export const Candidate = record("Candidate", {
  invoice: key,
  number: string,
  party: string,
  due: day,
  open: amount,
  before: maybe(Schema.Literal(true)),
  why: maybe(string),
  amount: maybe(amount),
  accept: maybe(list(string))
})

export const AttentionItem = record("AttentionItem", {
  id: count,
  subject: key,
  fact: string,
  rule: string,
  why: string,
  todo: string,
  since: moment,
  refused: flag,
  candidates: maybe(list(Candidate))
})

export const AttentionPage = Schema.Struct({
  items: list(AttentionItem),
  total: count,
  next: maybe(count.annotate({ description: "The cursor of the following page, for `after`" }))
})

export const Approvals = Schema.Struct({ approvals: list(Approval) })

const Alert = record("Alert", {
  id: count,
  kind: Schema.Literals(ALERT_KINDS),
  connection: orNull(string),
  title: string,
  words: string,
  began: moment,
  ended: orNull(moment),
  passed: flag
})

const UnsentMessage = record("UnsentMessage", {
  id: count,
  channel: string,
  subject: string,
  standing: Schema.Literals(["waiting", "given up"]),
  made: moment,
  attempts: count,
  next: orNull(moment),
  why: orNull(string)
})

export const Alerts = Schema.Struct({ alerts: list(Alert), messages: list(UnsentMessage) })

export const TestedChannels = Schema.Struct({
  channels: list(Schema.Struct({ channel: string, sent: flag, why: maybe(string) }))
})

const why = Schema.Literals(["schedule", "interrupted", "retry", "webhook", "approved", "asked"])
const millis = Schema.Number.annotate({ description: "Milliseconds" })

/** A run's start or end. */
export const RunEvent = named(
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
      failures: count
    }),
    Schema.Struct({ type: Schema.Literal("approval dropped"), connection: string, message: string }),
    Schema.Struct({ type: Schema.Literal("waits"), connection: string, message: string })
  ])
)

/** A record that could not be read. */
export const QuarantinedRecord = record("QuarantinedRecord", {
  connection: string,
  origin: string,
  kind: string,
  id: orNull(string),
  field: orNull(string),
  why: string,
  raw: string,
  since: moment
})

export const QuarantinePage = Schema.Struct({ records: list(QuarantinedRecord), total: count, next })
