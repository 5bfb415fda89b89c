/** Answers about what would be sent. */
import { Schema } from "effect"
import { GUARDS } from "../Guard.ts"
import { Candidate } from "./State.ts"
import { integer, digestText, key, list, maybe, component, record, anyJson, string } from "./Fields.ts"

/** A call that would be sent. */
const PlannedCall = record("PlannedCall", {
  type: Schema.Literal("call"),
  n: integer,
  connection: string,
  document: key,
  rule: string,
  method: string,
  path: string,
  body: maybe(anyJson.annotate({ description: "As it would be sent to the service" })),
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

const Summary = component(
  "PlanSummary",
  Schema.StructWithRest(
    Schema.Struct({
      type: Schema.Literal("summary"),
      calls: integer,
      attention: integer,
      documents: integer,
      digest: digestText
    }),
    [anyJson]
  )
)

/** The next run's calls, with the sums, and what would stop it. */
export const PlanAnswer = record("Plan", {
  summary: Summary,
  calls: list(PlannedCall),
  more: maybe(integer),
  attention: Schema.Struct({ rows: list(PlannedAttention), total: maybe(integer), more: maybe(integer) }),
  stops: list(Stop),
  sent: string
})
