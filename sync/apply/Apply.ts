/**
 * Carries out a plan: many documents concurrently, the calls of each in order.
 *
 * Every call is claimed on disk before its request leaves, most of them ahead (`InFlight.ts`). Its receipt is committed together
 * with the ledger and with the claim of the next call. An unknown outcome is resolved by reading the service. A rejection stops
 * only the document that it is about. If the service is unreachable, rejects the key or asks for a long pause, the run stops
 * after finishing the calls in progress.
 */
import { concurrencyOf, type SendingOptions, type Report } from "./Report.ts"
import { Clock, Deferred, Effect, Ref, Schema, Stream } from "effect"
import { Client } from "../../core/Client.ts"
import * as Day from "../../core/wire/Day.ts"
import { describe, type Reason, type ServiceError } from "../../core/ServiceError.ts"
import * as AttentionStore from "./AttentionStore.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as SettingChanges from "../plan/SettingChanges.ts"
import * as StrangeScans from "../books/StrangeScans.ts"
import * as FirstSync from "../plan/FirstSync.ts"
import * as Guards from "../plan/Guards.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import type { GuardError } from "../state/LedgerTrust.ts"
import * as MonthStore from "./MonthStore.ts"
import * as OtherWriter from "./OtherWriter.ts"
import { withoutUnshown } from "./CoverShown.ts"
import { Worker } from "./Worker.ts"
import * as Plan from "../plan/Plan.ts"
import { type Summary, Tally } from "../plan/Tally.ts"
import * as Runs from "./Runs.ts"
import { isBuyerKey } from "../plan/Facts.ts"
import { entryOf } from "../../core/Entry.ts"

/** The plan has changed since it was approved. */
export class PlanMoved extends Schema.TaggedError<PlanMoved>()("PlanMoved", {
  approved: Schema.String,
  now: Schema.String
}) {
  override get message(): string {
    return "the books or the ledger changed since this plan was saved; nothing was sent. Make a new plan with `daybook plan --save` and review it"
  }
}

/** Plans up to this size are kept in memory between the survey and the sending; a longer one is made again. */
const MOST_KEPT = 16_384

export type ApplyError = StateError | GuardError | PlanMoved | FirstSync.FirstSync | ServiceError

export const apply = Effect.fn("Apply.apply")(function* (
  connections: ReadonlyArray<Connection>,
  options: SendingOptions = {}
): Effect.fn.Return<Report, ApplyError, Database | Client> {
  const db = yield* Database
  const started = yield* Clock.currentTimeMillis
  const run = yield* db.soon(() => {
    Plan.rememberSettings(db, connections)
    return Runs.begin(db, connections, started)
  })
  return yield* Runs.living(db, run, carry(connections, options, run))
})

const OUTCOMES = {
  PlanMoved: "refused: the plan had moved",
  GuardError: "refused by a guard",
  FirstSync: "the first sync needs confirmation"
} as const

const outcomeOf = (refused: PlanMoved | GuardError | FirstSync.FirstSync): string =>
  refused._tag === "FirstSync" && refused.refused !== undefined
    ? "refused: a person said no to this plan"
    : OUTCOMES[refused._tag]

/** Why this plan is not sent, if so; and the guards that would have stopped it but were allowed. */
const judged = Effect.fnUntraced(function* (
  db: Db,
  connections: ReadonlyArray<Connection>,
  { apart, summary }: { readonly apart: ReadonlyMap<string, Summary>; readonly summary: Summary },
  options: SendingOptions
) {
  const { confirm, firstSync, stopped } = options
  const stops = Guards.stops(db, connections, summary, Day.fromEpochMillis(yield* Clock.currentTimeMillis))
  const asks = FirstSync.asks(db, connections, summary, Guards.numbers(stops), apart)
  const moved = options.digest !== undefined && options.digest !== summary.digest
  const refused =
    (summary.calls > 0 ? LedgerTrust.behind(db) : undefined) ??
    (moved ? new PlanMoved({ approved: options.digest, now: summary.digest }) : undefined) ??
    Guards.check(stops, options.allow, asks !== undefined)
  const isAnswered = firstSync === "send" || (firstSync === "seen" && asks?.refused === undefined)
  if (refused !== undefined || stopped !== undefined || isAnswered) return { refused, stops }
  const confirmed = asks === undefined || (confirm !== undefined && (yield* confirm(asks)))
  return { refused: confirmed ? undefined : asks, stops }
})

/** The figures of the whole plan, and the plan itself, or the part that is sent, if it is short enough to keep. */
const survey = Effect.fnUntraced(function* (
  connections: ReadonlyArray<Connection>,
  { collection, only, unshown }: Pick<SendingOptions, "collection" | "only" | "unshown">
) {
  const db = yield* Database
  const tally = new Tally()
  const apart = new Map(FirstSync.decided(db, connections).map((id) => [id, new Tally()] as const))
  const created: Array<string> = []
  const made = () => (collection === undefined ? Plan.stream(connections) : Plan.collection(connections, collection))
  const isSent = ({ subject }: Plan.Planned) => only === undefined || only.has(subject)
  const shown = (planned: Plan.Planned) =>
    unshown?.has(planned.connection) === true ? withoutUnshown(planned) : planned
  let kept: Array<Plan.Planned> | undefined = []
  yield* Stream.runForEach(made(), (planned) =>
    Effect.sync(() => {
      tally.add(planned)
      apart.get(planned.connection)?.add(planned)
      if (planned.calls[0]?.operation === "transactions.create" && created.length < OtherWriter.MOST_ASKED)
        created.push(planned.subject)
      if (isSent(planned) && kept !== undefined && kept.push(shown(planned)) > MOST_KEPT) kept = undefined
    })
  )
  const plans = kept === undefined ? Stream.map(Stream.filter(made(), isSent), shown) : Stream.fromIterable(kept)
  const summaries = new Map([...apart].map(([id, one]) => [id, one.summary()]))
  return { created, summary: tally.summary(), apart: collection === undefined ? summaries : new Map(), plans }
})

/** Sends what is planned. A document starts only after the owners and buyers before it are done. */
const send = <E, R>(
  plans: Stream.Stream<Plan.Planned, E, R>,
  connections: ReadonlyArray<Connection>,
  worker: Worker,
  atOnce: number
) => {
  const byId = new Map(connections.map((connection) => [connection.id, connection]))
  /** Owners and buyers that are not done. If one fails, the run ends, and so does everything that waits for it. */
  const ahead = new Set<Deferred.Deferred<void>>()
  /** Documents whose last calls wait for those of others: payments that move. */
  const following: Array<Plan.DocumentPlan> = []
  const one = (planned: Plan.Planned): Effect.Effect<void, StateError> => {
    const connection = entryOf(byId, planned.connection)
    if (planned.kind === "document" && planned.follows !== undefined) following.push(planned)
    if (planned.kind === "document" && !isBuyerKey(planned.subject)) {
      const run = worker.run(planned, connection)
      return ahead.size === 0 ? run : Effect.andThen(Effect.forEach([...ahead], Deferred.await), run)
    }
    const done = Deferred.makeUnsafe<void>()
    ahead.add(done)
    return Effect.andThen(
      planned.kind === "owner" ? worker.owner(planned, connection) : worker.run(planned, connection),
      Effect.suspend(() => {
        ahead.delete(done)
        return Deferred.succeed(done, undefined)
      })
    )
  }
  /** Plans a document again after the others, and sends what waited for them. */
  const again = (planned: Plan.DocumentPlan) =>
    Effect.gen(function* () {
      const db = yield* Database
      const connection = entryOf(byId, planned.connection)
      const now = yield* Clock.currentTimeMillis
      const plan = yield* db.read(() => Plan.planOne(db, connection, planned.subject, { now, again: true }))
      if (plan.changes === planned.changes) yield* worker.run(plan, connection)
    })
  // While the last answers of some documents wait to go to disk, as many others are claimed ahead.
  const concurrency = atOnce === 1 ? 1 : 4 * atOnce
  return Effect.andThen(
    Stream.runDrain(Stream.mapEffect(plans, one, { concurrency, unordered: true })),
    Effect.suspend(() => Effect.forEach(following, again, { discard: true }))
  )
}

/** The body of a run. */
const carry = Effect.fnUntraced(function* (
  connections: ReadonlyArray<Connection>,
  options: SendingOptions,
  run: number
): Effect.fn.Return<Report, ApplyError, Database | Client> {
  const db = yield* Database
  const client = yield* Client
  const stopped = yield* Ref.make<Reason | undefined>(options.stopped)
  const worker = new Worker(db, client, run, stopped, options)

  const recovered = yield* worker.recover(connections)
  const { apart, created, plans, summary } = yield* survey(connections, options)
  const { refused: against, stops } = yield* judged(db, connections, { apart, summary }, options)
  const asks = against === undefined && options.stopped === undefined && created.length > 0
  if (asks) yield* Ref.set(stopped, yield* OtherWriter.look(db, worker.sender, connections, created))
  const refused = asks ? LedgerTrust.behind(db) : against
  if (refused !== undefined) {
    const ended = yield* Clock.currentTimeMillis
    yield* db.transaction(() => Runs.end(db, run, { ended, outcome: outcomeOf(refused) }))
    return yield* refused
  }
  const isWhole = options.collection === undefined && options.only === undefined
  if (isWhole && options.stopped === undefined && summary.calls > 0)
    yield* db.transaction(() => FirstSync.done(db, connections, summary))
  if (options.onStart !== undefined) yield* options.onStart(summary)
  yield* send(plans, connections, worker, concurrencyOf(options))
  yield* MonthStore.keepAll(db)

  const ended = yield* Clock.currentTimeMillis
  const reason = yield* Ref.get(stopped)
  const behind = reason?._tag === "Conflict" ? LedgerTrust.behind(db) : undefined
  if (behind !== undefined) {
    yield* db.transaction(() => Runs.end(db, run, { ended, outcome: OUTCOMES.GuardError }))
    return yield* behind
  }
  const report: Report = {
    run,
    ...worker.figures(),
    recovered,
    attention: AttentionStore.count(db),
    ...(reason === undefined ? {} : { stopped: reason })
  }
  if (isWhole && reason === undefined && report.failed + report.unknown === 0) {
    yield* db.soon(() => {
      LedgerTrust.passed(db)
      SettingChanges.sent(
        db,
        connections.map(({ id }) => id)
      )
      if (stops.length > 0) StrangeScans.accept(db, [...new Set(stops.map(({ connection }) => connection))])
    })
  }
  const outcome = reason === undefined ? "done" : describe(reason)
  yield* db.soon(() => {
    worker.sent.packAll()
    Runs.end(db, run, { ended, outcome, report })
  })
  return report
})
