/**
 * Carries a plan out: many invoices side by side, the calls of one in order.
 *
 * Every call is claimed on disk before its request leaves, and its receipt is committed together with the ledger and
 * with the claim of the call that follows. An unknown outcome is settled by reading the service. A refusal stops the
 * invoice that it is about and no other; a service that is unreachable, refuses the key or asks for a long pause
 * stops the run, and whatever was in hand is finished first.
 */
import { Clock, Effect, Ref, Schema, Stream } from "effect"
import { Client } from "../../core/Client.ts"
import { describe, type Reason, type ServiceError } from "../../core/ServiceError.ts"
import type { Call } from "../model/Call.ts"
import * as Attentions from "./AttentionStore.ts"
import type * as Claims from "./Claims.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Guards from "../plan/Guards.ts"
import type { GuardError } from "../plan/Guards.ts"
import { Lane } from "./Worker.ts"
import * as Plan from "../plan/Plan.ts"
import { isBuyerKey } from "../plan/Facts.ts"

export interface ApplyOptions {
  /** Invoices in work at once. Default 16. */
  readonly concurrency?: number
  /** An explicit word against the guards. */
  readonly allowReductions?: boolean
  /** The digest of the plan that was approved; another one is refused. */
  readonly digest?: string
  /** Why nothing may be sent, met before: the run ends as one that is stopped by it. */
  readonly stopped?: Reason | undefined
  /** How long after a request its absence on the service is believed, in milliseconds. Default 5,000. */
  readonly settleAfter?: number
  /** A span for each call, for programs whose traces go somewhere. */
  readonly trace?: boolean
  /** Told of every receipt, after it is on disk. */
  readonly onReceipt?: (receipt: Receipt) => Effect.Effect<void>
  /** Told what is about to be done, before the first call. */
  readonly onStart?: (summary: Plan.Summary) => Effect.Effect<void>
}

export interface Receipt {
  readonly n: number
  readonly call: Call
  readonly outcome: Claims.Outcome
  readonly status: number | undefined
  readonly remote: string | undefined
  /** The service's own words, when it refused. */
  readonly why?: string
}

export interface Report {
  readonly run: number
  readonly done: number
  readonly failed: number
  /** Calls of earlier runs whose outcome was not known and now is. */
  readonly settled: number
  /** Calls of this run whose outcome is still not known. */
  readonly unknown: number
  readonly attention: number
  readonly stopped?: Reason
}

/** The plan is not the one that was approved. */
export class PlanMoved extends Schema.TaggedError<PlanMoved>()("PlanMoved", {
  approved: Schema.String,
  now: Schema.String
}) {
  override get message(): string {
    return "the books or the ledger moved since this plan was saved; nothing was sent. Make a new plan with `daybook plan --save` and look at it"
  }
}

/** Plans that are kept from the look at the whole to the sending; a longer one is made again as it is sent. */
const MOST_KEPT = 16_384

export type ApplyError = StateError | GuardError | PlanMoved | ServiceError

export const apply = Effect.fn("Apply.apply")(function* (
  connections: ReadonlyArray<Connection>,
  options: ApplyOptions = {}
): Effect.fn.Return<Report, ApplyError, Database | Client> {
  const db = yield* Database
  const client = yield* Client
  const started = yield* Clock.currentTimeMillis
  const run = yield* db.transaction(() => {
    Plan.adopt(db, connections)
    return Number(db.prepare("INSERT INTO run (command, started) VALUES ('apply', ?)").run(started).lastInsertRowid)
  })
  const stopped = yield* Ref.make<Reason | undefined>(options.stopped)
  const lane = new Lane(db, client, run, stopped, options)

  const settled = yield* lane.recover(connections)
  const tally = new Plan.Tally()
  let kept: Array<Plan.Planned> | undefined = []
  yield* Stream.runForEach(Plan.stream(connections), (planned) =>
    Effect.sync(() => {
      tally.add(planned)
      if (kept !== undefined && kept.push(planned) > MOST_KEPT) kept = undefined
    })
  )
  const summary = tally.summary()
  const moved = options.digest !== undefined && options.digest !== summary.digest
  const refused =
    (summary.calls > 0 ? Guards.behind(db) : undefined) ??
    (moved ? new PlanMoved({ approved: options.digest, now: summary.digest }) : undefined) ??
    (options.allowReductions === true ? undefined : Guards.check(db, connections, summary))
  if (refused !== undefined) {
    const ended = yield* Clock.currentTimeMillis
    const outcome = refused._tag === "PlanMoved" ? "refused: the plan had moved" : "refused by a guard"
    yield* db.transaction(() =>
      db.prepare("UPDATE run SET ended = ?, outcome = ? WHERE id = ?").run(ended, outcome, run)
    )
    return yield* refused
  }
  if (options.onStart !== undefined) yield* options.onStart(summary)

  const byId = new Map(connections.map((connection) => [connection.id, connection]))
  const plans = kept === undefined ? Plan.stream(connections) : Stream.fromIterable(kept)
  const concurrency = options.concurrency ?? 16
  yield* plans.pipe(
    // In order, so that nothing behind an owner or a buyer begins before it is done.
    Stream.mapEffect(
      (planned) =>
        planned.fingerprint === ""
          ? lane.owner(planned, byId.get(planned.connection)!)
          : isBuyerKey(planned.subject)
            ? Effect.as(lane.run(planned, byId.get(planned.connection)!), undefined)
            : Effect.succeed(planned),
      { concurrency }
    ),
    Stream.mapEffect(
      (planned) => (planned === undefined ? Effect.void : lane.run(planned, byId.get(planned.connection)!)),
      { concurrency, unordered: true }
    ),
    Stream.runDrain
  )

  const ended = yield* Clock.currentTimeMillis
  const reason = yield* Ref.get(stopped)
  const report: Report = {
    run,
    ...lane.figures(),
    settled,
    attention: Attentions.count(db),
    ...(reason === undefined ? {} : { stopped: reason })
  }
  if (reason === undefined && report.failed + report.unknown === 0) yield* db.transaction(() => Guards.passed(db))
  yield* db.transaction(() =>
    db
      .prepare("UPDATE run SET ended = ?, outcome = ?, figures = ? WHERE id = ?")
      .run(ended, reason === undefined ? "done" : describe(reason), JSON.stringify(report), run)
  )
  return report
})
