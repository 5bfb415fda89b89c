/**
 * Compares today's plan with the one under other settings or on another day, document by document, with the rules responsible.
 *
 * Both plans are made on copies of the books (`state/Trial.ts`): the state file is only read, and nothing is sent. The other
 * settings take effect in the copy as they do before a source is read: payments are matched again. A source that is set otherwise is read
 * into both copies if a person wants that, under the settings of each; the service is not asked. What is not compared is said.
 */
import { Clock, Effect, Schema } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import { otherService } from "../apply/BoundService.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as Matching from "../matching/Run.ts"
import type { Connection } from "../model/Connection.ts"
import * as DueSubjects from "../plan/DueSubjects.ts"
import * as Figures from "../plan/Figures.ts"
import * as FirstSync from "../plan/FirstSync.ts"
import * as Guards from "../plan/Guards.ts"
import * as Plan from "../plan/Plan.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import { Surroundings } from "../plan/Surroundings.ts"
import { Tally, total } from "../plan/Tally.ts"
import { breathe, type Stepwise } from "../state/Breathe.ts"
import { Database, StateError, type Db } from "../state/Database.ts"
import { type TrialCopies, trialOf } from "../state/Trial.ts"
import { apart, DocumentDifference, differenceOf } from "./PlanDifference.ts"
import { changedMembers, notCovered } from "./WhatIfLimits.ts"

const Both = <S extends Schema.Top>(each: S) => Schema.Struct({ today: each, other: each })

/** What another configuration or another day would change in today's plan. */
export const WhatIf = Schema.Struct({
  /** The day on which the other plan is made; null: today. */
  asOf: Schema.NullOr(Schema.String),
  /** Calls of each plan. */
  calls: Both(Schema.Finite),
  /** Each plan in a sentence; empty if it sends nothing. */
  figures: Both(Schema.String),
  /** Documents of which both plans say the same, and something. */
  same: Schema.Finite,
  documents: Schema.Array(DocumentDifference),
  /** What stops one of the plans and not the other. */
  stops: Schema.Array(
    Schema.Struct({
      change: Schema.Literals(["only today", "only other"]),
      connection: Schema.String,
      /** The number of a guard, or `first sync`. */
      guard: Schema.String,
      why: Schema.String
    })
  ),
  /** How many calls and attention items differ, by the rule that is responsible. */
  rules: Schema.Array(
    Schema.Struct({
      rule: Schema.String,
      onlyToday: Schema.Finite,
      onlyOther: Schema.Finite,
      different: Schema.Finite
    })
  ),
  /** What the comparison says nothing about, in sentences. */
  notCovered: Schema.Array(Schema.String)
})
export type WhatIf = typeof WhatIf.Type

/** Reads a connection's source into a copy of the books, as its next run would. Fails with a sentence. */
export type ReadsSource = (connection: Connection, of: "today" | "other") => Effect.Effect<unknown, string, Database>

/** Under what the other plan is made. */
export interface Other {
  readonly connections?: ReadonlyArray<Connection>
  /** The service of these connections. */
  readonly url?: string
  readonly asOf?: Day.Day
  /** Left out: sources are not read. */
  readonly read?: ReadsSource
}

/** One of the two plans, while it is made. */
interface Side {
  readonly db: Db
  readonly connections: ReadonlyMap<string, Connection>
  readonly around: Surroundings
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly tally: Tally
  readonly owned: Set<string>
}

const sideOf = (db: Db, connections: ReadonlyArray<Connection>, now: number): Side => ({
  db,
  connections: new Map(connections.map((one) => [one.id, one])),
  around: new Surroundings(db),
  now,
  tally: new Tally(),
  owned: new Set()
})

type Kind = ReturnType<typeof Plan.kindsOf>[number]

/** What a side plans for a document, and for the owner of the first that is created. */
const plansOf = (side: Side, id: string, kind: Kind, key: string): ReadonlyArray<Plan.Planned> => {
  const { around, connections, db, now, owned, tally } = side
  const connection = connections.get(id)
  if (connection === undefined || !Plan.kindsOf(connection).includes(kind)) return []
  const planned = Plan.planOne(db, connection, key, { now, around })
  const creates = !owned.has(id) && planned.calls.some(({ operation }) => operation === "transactions.create")
  if (creates) owned.add(id)
  const plans = creates ? [Plan.ownerPlan(db, connection), planned] : [planned]
  for (const one of plans) tally.add(one)
  return plans
}

/** How many are planned in one piece: others wait for it. */
const BATCH = 15

/** Every document of both sides, in turn. */
function* compared(today: Side, other: Side, add: (one: DocumentDifference | "same") => void): Stepwise<void> {
  const ids = [...new Set([...today.connections.keys(), ...other.connections.keys()])].toSorted()
  let n = 0
  const owners = new Map<string, { readonly today: Array<Plan.Planned>; readonly other: Array<Plan.Planned> }>()
  for (const id of ids) {
    const its = { today: [] as Array<Plan.Planned>, other: [] as Array<Plan.Planned> }
    owners.set(id, its)
    const kinds = [today, other].flatMap(({ connections }) => {
      const one = connections.get(id)
      return one === undefined ? [] : Plan.kindsOf(one)
    })
    const { db } = other.connections.has(id) ? other : today
    for (const kind of new Set(kinds))
      for (const key of DueSubjects.changed(db, id, [kind], { all: true })) {
        const [before, after] = [plansOf(today, id, kind, key), plansOf(other, id, kind, key)]
        its.today.push(...before.filter((one) => one.kind === "owner"))
        its.other.push(...after.filter((one) => one.kind === "owner"))
        const difference = differenceOf(id, key, before.at(-1), after.at(-1))
        if (difference !== undefined) add(difference)
        if (++n % BATCH === 0) yield
      }
  }
  for (const [id, its] of owners) {
    const [one = its.other[0]] = its.today
    const difference = one === undefined ? undefined : differenceOf(id, one.subject, its.today[0], its.other[0])
    if (difference !== undefined) add(difference)
  }
}

/** Payments that are matched with no invoice: open items of the books, in no plan. */
const unmatched = ({ connections, db }: Side) =>
  AttentionStore.like(db, MatchChoices.MATCHING_ITEMS).filter(({ subject }) =>
    connections.has(subject.slice(0, subject.indexOf("/")))
  )

/** The difference in unmatched payments. */
const unmatchedOf = (today: Side, other: Side): ReadonlyArray<DocumentDifference> => {
  const changes = apart(unmatched(today), unmatched(other), ({ rule, subject, why }) => `${subject} ${rule} ${why}`)
  const documents = new Map<string, DocumentDifference>()
  for (const { change, one } of changes) {
    const { rule, subject, todo, why } = one
    const before = documents.get(subject) ?? {
      document: subject,
      connection: subject.slice(0, subject.indexOf("/")),
      reason: { today: null, other: null },
      amounts: { today: {}, other: {} },
      calls: [],
      attention: []
    }
    documents.set(subject, { ...before, attention: [...before.attention, { change, rule, why, todo }] })
  }
  return [...documents.values()]
}

/** What would stop a side's plan. */
const stopsOf = ({ connections, db, now, tally }: Side) => {
  const all = [...connections.values()]
  const sums = tally.summary()
  return [
    ...FirstSync.waiting(db, all, sums).map((connection) => ({
      connection,
      guard: "first sync",
      why: "its first sync waits until a person has confirmed it"
    })),
    ...Guards.stops(db, all, sums, Day.fromEpochMillis(now))
  ]
}

/** The last moment of a day. */
const endOf = (day: Day.Day): number => Date.parse(`${day}T23:59:59.999Z`)

/** Lets other settings take effect in a copy of the books, as before its sources are read. Returns those that are refused. */
const takeOver = (db: Db, connections: ReadonlyArray<Connection>) =>
  Effect.gen(function* () {
    const refused = yield* db.transaction(() => {
      const found = new Map<string, string>()
      for (const connection of connections) {
        try {
          SourceBindings.bind(db, connection, connections)
          Matching.rememberSettings(db, connection)
        } catch (cause) {
          if (!(cause instanceof StateError)) throw cause
          found.set(connection.id, cause.why)
        }
      }
      Matching.rememberConfigured(
        db,
        connections.map(({ id }) => id)
      )
      return found
    })
    yield* Effect.provideService(Matching.run, Database, db)
    return refused
  })

/** Reads what is set otherwise, or new, under the settings of each side. Returns why what could not be read, by connection. */
const readAnew = (
  copies: TrialCopies,
  today: ReadonlyArray<Connection>,
  other: ReadonlyArray<Connection>,
  read: ReadsSource
) =>
  Effect.gen(function* () {
    const failed = new Map<string, string>()
    for (const connection of other) {
      const before = today.find(({ id }) => id === connection.id)
      if (before !== undefined && changedMembers(before, connection).length === 0) continue
      const both = [
        ["today", before],
        ["other", connection]
      ] as const
      for (const [of, one] of both) {
        if (one === undefined) continue
        const reading = Effect.provideService(read(one, of), Database, copies[of])
        const why = yield* Effect.match(reading, { onSuccess: () => undefined, onFailure: (said) => said })
        if (why !== undefined) failed.set(connection.id, why)
      }
    }
    return failed
  })

/** Adds up the differences by the rule that is responsible. */
class RuleSums {
  readonly #sums = new Map<string, { onlyToday: number; onlyOther: number; different: number }>()

  add({ attention, calls }: DocumentDifference): void {
    for (const { change, rule } of [...calls, ...attention]) {
      const sum = this.#sums.get(rule) ?? { onlyToday: 0, onlyOther: 0, different: 0 }
      this.#sums.set(rule, sum)
      sum[change === "only today" ? "onlyToday" : change === "only other" ? "onlyOther" : "different"]++
    }
  }

  value(): WhatIf["rules"] {
    return [...this.#sums].map(([rule, sum]) => ({ rule, ...sum })).toSorted((a, b) => (a.rule < b.rule ? -1 : 1))
  }
}

/**
 * Hands over each document for which the plans differ, and returns the rest.
 *
 * @param connections those of today's plan
 */
export const compare = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  wanted: Other,
  onDocument: (one: DocumentDifference) => void
): Effect.Effect<Omit<WhatIf, "documents">, StateError> =>
  Effect.gen(function* () {
    const elsewhere = wanted.url === undefined ? undefined : otherService(db, wanted.url)
    if (elsewhere !== undefined) return yield* elsewhere
    const now = yield* Clock.currentTimeMillis
    const copies = yield* trialOf(db, wanted.read !== undefined)
    const settings = wanted.connections
    const refused = settings === undefined ? new Map<string, string>() : yield* takeOver(copies.other, settings)
    const kept = (all: ReadonlyArray<Connection>) => all.filter(({ id }) => !refused.has(id))
    const unread =
      wanted.read === undefined || settings === undefined
        ? undefined
        : yield* readAnew(copies, connections, kept(settings), wanted.read)
    const today = sideOf(copies.today, kept(connections), now)
    const other = sideOf(
      copies.other,
      kept(settings ?? connections),
      wanted.asOf === undefined ? now : endOf(wanted.asOf)
    )
    const rules = new RuleSums()
    let same = 0
    const add = (one: DocumentDifference | "same") => {
      if (one === "same") return void same++
      rules.add(one)
      onDocument(one)
    }
    const parts = compared(today, other, add)
    while ((yield* copies.today.read(() => parts.next())).done !== true) yield* breathe
    yield* copies.today.read(() => unmatchedOf(today, other).forEach(add))
    const limits = notCovered(copies.other, connections, settings, { asOf: wanted.asOf, refused, unread })
    const [one, two] = [today.tally.summary(), other.tally.summary()]
    const stops = apart(stopsOf(today), stopsOf(other), (stop) => JSON.stringify(stop))
    return {
      asOf: wanted.asOf ?? null,
      calls: { today: one.calls, other: two.calls },
      figures: { today: Figures.sentence(total(one)), other: Figures.sentence(total(two)) },
      same,
      stops: stops.map(({ change, one: { guard, connection, why } }) => ({ change, connection, guard, why })),
      rules: rules.value(),
      notCovered: limits
    }
  }).pipe(Effect.scoped)

/** @param connections those of today's plan */
export const report = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  wanted: Other
): Effect.Effect<WhatIf, StateError> =>
  Effect.suspend(() => {
    const documents: Array<DocumentDifference> = []
    return Effect.map(
      compare(db, connections, wanted, (one) => void documents.push(one)),
      (rest) => ({ ...rest, documents })
    )
  })
