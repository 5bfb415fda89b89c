/** Compares what two plans say about one document: calls and attention items that only one of them has, and what differs. Pure. */
import { Schema } from "effect"
import { type Attention, bodyOf, type Call, type OwnerCall } from "../model/Call.ts"
import { amountTexts, FigureCounter } from "../plan/Figures.ts"
import type { Planned } from "../plan/Plan.ts"

const OneSided = Schema.Literals(["only today", "only other"])
const Change = Schema.Literals(["only today", "only other", "different"])
export type Change = typeof Change.Type

const Text = Schema.NullOr(Schema.String)
/** Exact decimals by currency. */
const Amounts = Schema.Record(Schema.String, Schema.String)

export const DocumentDifference = Schema.Struct({
  /** Its key. */
  document: Schema.String,
  connection: Schema.String,
  /** Why nothing, or nothing more, is sent for it, where a rule decided so. */
  reason: Schema.Struct({ today: Text, other: Text }),
  /** What each plan's calls for it state in money, without a sign. */
  amounts: Schema.Struct({ today: Amounts, other: Amounts }),
  calls: Schema.Array(
    Schema.Struct({
      change: Change,
      operation: Schema.String,
      /** The rule responsible: of the plan that makes the call, or the one why the other does not. */
      rule: Schema.String,
      because: Schema.Struct({ today: Text, other: Text }),
      /** For a call that both plans make: what is sent otherwise. */
      fields: Schema.Array(Schema.Struct({ field: Schema.String, today: Text, other: Text }))
    })
  ),
  attention: Schema.Array(
    Schema.Struct({ change: OneSided, rule: Schema.String, why: Schema.String, todo: Schema.String })
  )
})
export type DocumentDifference = typeof DocumentDifference.Type

type AnyCall = Call | OwnerCall

interface OneSidedValue<A> {
  readonly change: typeof OneSided.Type
  readonly one: A
}

/** What only one of two lists has. */
export const apart = <A>(
  today: ReadonlyArray<A>,
  other: ReadonlyArray<A>,
  keyOf: (one: A) => string
): ReadonlyArray<OneSidedValue<A>> => {
  const [before, after] = [new Set(today.map(keyOf)), new Set(other.map(keyOf))]
  return [
    ...today.filter((one) => !after.has(keyOf(one))).map((one) => ({ change: "only today" as const, one })),
    ...other.filter((one) => !before.has(keyOf(one))).map((one) => ({ change: "only other" as const, one }))
  ]
}

/** The parts of a value as text, by path. */
export const flat = (value: unknown, path = ""): ReadonlyArray<readonly [string, string]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, one]) => flat(one, path === "" ? name : `${path}.${name}`))
    : [[path, typeof value === "string" ? value : String(value)]]

const fieldsOf = (today: AnyCall, other: AnyCall) => {
  const sent = (call: AnyCall) => new Map(flat({ ...call.params, ...bodyOf(call) }))
  const [before, after] = [sent(today), sent(other)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, today: before.get(field) ?? null, other: after.get(field) ?? null }))
    .filter((one) => one.today !== one.other)
}

/** Calls by what they do for which document; the second of the same kind is another. */
const numbered = (calls: ReadonlyArray<AnyCall>): ReadonlyMap<string, AnyCall> => {
  const found = new Map<string, AnyCall>()
  for (const call of calls) {
    let n = 1
    while (found.has(`${call.operation} ${call.fact} ${n}`)) n++
    found.set(`${call.operation} ${call.fact} ${n}`, call)
  }
  return found
}

/** `T1: issued before the scope begins` begins with its rule. */
const ruleIn = (reason: string | undefined): string | undefined => /^([A-Z]\d+): /.exec(reason ?? "")?.[1]

const reasonOf = (planned: Planned | undefined) => (planned?.kind === "document" ? planned.reason : undefined)

const attentionOf = (planned: Planned | undefined): ReadonlyArray<Attention> =>
  planned?.kind === "document" ? planned.attention : []

type CallDifference = DocumentDifference["calls"][number]

const callsOf = (today: Planned | undefined, other: Planned | undefined): ReadonlyArray<CallDifference> => {
  const [before, after] = [numbered(today?.calls ?? []), numbered(other?.calls ?? [])]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): ReadonlyArray<CallDifference> => {
    const [one, two] = [before.get(key), after.get(key)]
    const made = one ?? two
    if (made === undefined) return []
    const { operation, rule } = made
    const because = { today: one?.reason ?? null, other: two?.reason ?? null }
    if (one === undefined || two === undefined) {
      const without = one === undefined ? today : other
      const change = one === undefined ? "only other" : "only today"
      return [{ change, operation, rule: ruleIn(reasonOf(without)) ?? rule, because, fields: [] }]
    }
    const fields = fieldsOf(one, two)
    const isSame = fields.length === 0 && one.rule === two.rule && one.reason === two.reason
    return isSame ? [] : [{ change: "different", operation, rule: two.rule, because, fields }]
  })
}

/** What the calls for a document state in money. */
const amountsOf = (planned: Planned | undefined): typeof Amounts.Type => {
  const counter = new FigureCounter()
  if (planned?.kind === "document") counter.add(planned)
  return amountTexts(counter.figures().moved ?? new Map())
}

/** How two plans for a document differ; `same`: they do not; undefined: neither has anything to say about it. */
export const differenceOf = (
  connection: string,
  document: string,
  today: Planned | undefined,
  other: Planned | undefined
): DocumentDifference | "same" | undefined => {
  const calls = callsOf(today, other)
  const [before, after] = [attentionOf(today), attentionOf(other)]
  const attention = apart(before, after, ({ rule, why }) => `${rule} ${why}`).map(
    ({ change, one: { rule, todo, why } }) => ({ change, rule, why, todo })
  )
  if (calls.length > 0 || attention.length > 0)
    return {
      document,
      connection,
      reason: { today: reasonOf(today) ?? null, other: reasonOf(other) ?? null },
      amounts: { today: amountsOf(today), other: amountsOf(other) },
      calls,
      attention
    }
  const says = (today?.calls.length ?? 0) + before.length > 0
  return says ? "same" : undefined
}
