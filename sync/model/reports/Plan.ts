/** Answers about what would be sent. */
import { Schema } from "effect"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { Candidate } from "./State.ts"
import { count, digestText, key, list, maybe, named, record, open, string } from "./Basics.ts"

/** A call that would be sent. */
const PlannedCall = record("PlannedCall", {
  type: Schema.Literal("call"),
  n: count,
  connection: string,
  document: key,
  rule: string,
  method: string,
  path: string,
  body: maybe(open.annotate({ description: "As it would be sent to the service" })),
  because: string,
  fact: maybe(string)
})

const PlannedAttention = record("PlannedAttention", {
  type: Schema.Literal("attention"),
  document: key,
  rule: string,
  why: string,
  todo: string,
  fact: maybe(string),
  candidates: maybe(list(Candidate))
})

const Stop = record("Stop", {
  type: Schema.Literal("guard"),
  connection: string,
  guard: Schema.Literals(GUARDS),
  why: string
})

const Summary = named(
  "PlanSummary",
  Schema.StructWithRest(
    Schema.Struct({
      type: Schema.Literal("summary"),
      calls: count,
      attention: count,
      documents: count,
      digest: digestText
    }),
    [open]
  )
)

/** The next run's calls, with the sums, and what would stop it. */
export const Planned = record("Plan", {
  summary: Summary,
  calls: list(PlannedCall),
  more: maybe(count),
  attention: Schema.Struct({ rows: list(PlannedAttention), total: maybe(count), more: maybe(count) }),
  stops: list(Stop),
  sent: string
})
