/**
 * Writes a plan as records: one per call in order, then one per attention item, then the summary. `plan --json` prints them,
 * `plan --save` stores them, and `apply --plan` makes them again to check that the saved file was not edited.
 */
import { Clock, Effect, Stream } from "effect"
import { route } from "../../core/Operations.ts"
import * as Day from "../../core/wire/Day.ts"
import { type Attention, bodyOf, type Call, resolve } from "../model/Call.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as MatchChoices from "../matching/Choices.ts"
import { candidatesOf, cause } from "./AttentionRecords.ts"
import * as Figures from "../plan/Figures.ts"
import * as FirstSync from "../plan/FirstSync.ts"
import * as Guards from "../plan/Guards.ts"
import * as Owners from "../plan/Owners.ts"
import * as Plan from "../plan/Plan.ts"
import { type Summary, Tally, total } from "../plan/Tally.ts"
import * as Facts from "../plan/Facts.ts"

export interface Record {
  readonly type: "call" | "attention" | "guard" | "summary"
  readonly [member: string]: unknown
}

/** The figures of a plan, and the guards that would stop a run that sends it. */
export interface GuardedSummary extends Summary {
  /** Whether a first sync waits for a person. */
  readonly first: boolean
  readonly stops: ReadonlyArray<Guards.Stop>
}

/**
 * @param target the documents to plan; default: all
 * @param guards also writes which guards would stop it; for the same plan this may differ from day to day
 * @param write receives every record; if left out, none is made
 * @param see receives what the records are made from
 */
export const records = <E = never>(
  connections: ReadonlyArray<Connection>,
  {
    guards = false,
    need,
    see,
    target,
    write
  }: {
    readonly target?: ReadonlySet<string>
    readonly guards?: boolean
    readonly write?: (record: Record) => Effect.Effect<void, E>
    readonly see?: (one: Plan.Planned) => void
    /** Called with attention items that belong to no document of the plan. */
    readonly need?: (attention: Attention) => void
  }
): Effect.Effect<GuardedSummary, StateError | E, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const tally = new Tally()
    const people: Array<Attention> = []
    let n = 0
    yield* Plan.stream(connections).pipe(
      Stream.filter(({ subject }) => target === undefined || target.has(subject)),
      Stream.runForEach((planned) =>
        Effect.gen(function* () {
          tally.add(planned)
          see?.(planned)
          if (write === undefined) return
          for (const call of planned.calls) yield* write(ofCall(db, call, planned.connection, ++n))
          if (planned.kind === "document") people.push(...planned.attention)
        })
      )
    )
    const open = yield* db.read(() =>
      unmatched(db).filter(({ subject }) => target === undefined || target.has(subject))
    )
    for (const one of open) need?.(one)
    const sums = tally.summary()
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const stops = yield* db.read(() => Guards.stops(db, connections, sums, today))
    const first = yield* db.read(() => FirstSync.waiting(db, connections, sums).length > 0)
    const summary = { ...sums, attention: sums.attention + open.length, first, stops }
    if (write !== undefined) {
      for (const one of people) yield* write(ofAttention(one))
      for (const one of open) yield* write({ ...ofAttention(one), ...candidatesOf(db, one) })
      if (guards)
        for (const { connection, guard, why } of stops) yield* write({ type: "guard", connection, guard, why })
      const { attention, calls, digest, documents } = summary
      yield* write({ type: "summary", calls, attention, documents, digest, ...Figures.record(total(sums)) })
    }
    return summary
  })

/** Payments that were not matched with an invoice: no plan can resolve them. */
export const unmatched = (db: Db): ReadonlyArray<Attention> => AttentionStore.like(db, MatchChoices.MATCHING_ITEMS)

/** The identifier on the service of an invoice or an owner, once it has one. */
export const identifier =
  (db: Db) =>
  (key: string): string | undefined =>
    Facts.isSubject(key) ? Facts.remoteId(db, key) : Owners.find(db, key)

/** Resolves references to existing identifiers; those that a call of this plan will create stay as `<key>`. */
const ofCall = (db: Db, call: Call, connection: string, n: number): Record => {
  const find = identifier(db)
  const { method, path } = route(call.operation, resolve(call.params, find))
  const { reason, fact, rule, subject: document } = call
  const body = resolve(bodyOf(call), find)
  return { type: "call", n, connection, document, rule, method, path, body, because: reason, ...cause(fact, document) }
}

const ofAttention = ({ fact, rule, subject: document, todo, why }: Attention): Record => ({
  type: "attention",
  document,
  rule,
  why,
  todo,
  ...cause(fact, document)
})
