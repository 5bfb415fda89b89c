/**
 * Determines which documents of a waiting plan a person's choice covers: those that they named, and what these need to exist on
 * the service first, such as the owner. Nothing else of the plan is sent.
 */
import { Effect, Stream } from "effect"
import { bodyOf, type Call, type OwnerCall, referred } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import * as Plan from "../plan/Plan.ts"
import { Tally } from "../plan/Tally.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Explain from "./Explain.ts"

export interface PartOfPlan {
  /** The digest of the whole plan. */
  readonly digest: string
  /** Null: the choice covers all of it. */
  readonly documents: ReadonlyArray<string> | null
}

/** What a call needs that others of the plan create: documents, and parts of them as `KEY/user` or `KEY#user`. */
const needsOf = (call: Call | OwnerCall): ReadonlyArray<string> =>
  [...referred(call.params), ...referred(bodyOf(call))].flatMap((key) => [key, key.replace(/[#/][^#/]*$/, "")])

/** The choice, with everything of the plan that it needs. */
const closed = (chosen: ReadonlyArray<string>, needs: ReadonlyMap<string, ReadonlySet<string>>) => {
  const all = new Set<string>()
  const add = (subject: string): void => {
    if (all.has(subject) || !needs.has(subject)) return
    all.add(subject)
    for (const one of needs.get(subject) ?? []) add(one)
  }
  for (const subject of chosen) add(subject)
  return all
}

/**
 * @param names keys, numbers or ids of documents of the plan
 * @param allBut they are what is left out; the rest is chosen
 * @returns why it cannot be chosen, if so
 */
export const partOf = (
  connection: Connection,
  names: ReadonlyArray<string>,
  allBut = false
): Effect.Effect<PartOfPlan | { readonly why: string }, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const tally = new Tally()
    const needs = new Map<string, ReadonlySet<string>>()
    /** The members of an owner are documents of their own in a plan that is shown. */
    const ofCalls = new Map<string, string>()
    yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
      Effect.sync(() => {
        tally.add(planned)
        if (planned.calls.length > 0) needs.set(planned.subject, new Set(planned.calls.flatMap(needsOf)))
        for (const { subject } of planned.calls) ofCalls.set(subject, planned.subject)
      })
    )
    const { digest } = tally.summary()
    const chosen: Array<string> = []
    for (const name of names) {
      const shown = needs.has(name) ? name : ofCalls.get(name)
      const keys = shown === undefined ? yield* db.read(() => Explain.documents(db, name)) : [shown]
      const found = keys.filter((key) => needs.has(key))
      const [one, another] = found
      if (one === undefined) return { why: `nothing is sent for ${JSON.stringify(name)} in this plan` }
      if (another !== undefined)
        return {
          why: `${JSON.stringify(name)} is more than one document of this plan: ${found.join(", ")}; give the whole key`
        }
      chosen.push(one)
    }
    if (chosen.length === 0) return { why: "no document was chosen" }
    const left = new Set(chosen)
    const all = closed(allBut ? [...needs.keys()].filter((key) => !left.has(key)) : chosen, needs)
    return { digest, documents: all.size === needs.size ? null : [...all].toSorted() }
  })
