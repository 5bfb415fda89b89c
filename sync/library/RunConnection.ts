/**
 * Performs one run of one connection in the daemon: reads what webhooks pointed to, reads the source, then sends. If the
 * connection requires approval, it presents the plan to a person, and sends it once they have approved that very plan.
 */
import { Clock, Effect, type Redacted, Stream } from "effect"
import { SourceError } from "../../connectors/Connector.ts"
import { describe, ServiceError } from "../../core/ServiceError.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { sentWhole } from "../decisions/Recorded.ts"
import type { Attention } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import { GUARDS } from "../model/Guard.ts"
import { RunError } from "../schedule/RunEvents.ts"
import type { Trigger } from "../schedule/RunState.ts"
import type { AroundReading } from "../schedule/RunSlots.ts"
import { Database, type Db } from "../state/Database.ts"
import * as Plan from "../plan/Plan.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import { type Summary, Tally } from "../plan/Tally.ts"
import * as CoverSync from "../CoverSync.ts"
import * as Sync from "../Sync.ts"
import type { Configuration } from "./config/Configuration.ts"
import { messageOf } from "./Exit.ts"
import * as ServiceClient from "./ServiceClient.ts"
import { attentionCount, grouped, plural } from "../../core/Plural.ts"
import * as Counters from "./Counters.ts"
import * as RunCounts from "./RunCounts.ts"

/** The message of a rejected authorisation. */
export const unauthorisedOf = (error: unknown): string | undefined => {
  const lost =
    error instanceof SourceError
      ? error.reason._tag === "Misconfigured" && error.reason.unauthorised === true
      : error instanceof ServiceError && error.reason._tag === "Unauthorized"
  return lost ? messageOf(error) : undefined
}

/** Messages for the log. */
type Said = Array<string>

/** Reads, in a run that is for reading. Returns what went wrong; sending continues nevertheless. */
const read = (configuration: Configuration, connection: Connection, why: Trigger, said: Said) =>
  Effect.gen(function* () {
    const only = why === "webhook"
    const db = yield* Database
    let seen = 0
    const { added, changed, followed, read, quarantined, deleted } = yield* Sync.followAndRead(
      configuration,
      connection,
      {
        only,
        onProgress: (_, taken) =>
          Effect.sync(() => {
            // Reading again counts from nothing.
            RunCounts.add(db, connection.id, { read: taken.read < seen ? taken.read : taken.read - seen })
            seen = taken.read
          })
      }
    )
    if (followed > 0) said.push(`${grouped(followed)} read again after webhooks`)
    yield* Counters.add(Counters.records, connection.id, read)
    if (read > 0 || !only) said.push(`${grouped(read)} read`)
    for (const [n, what] of [
      [added, "new"],
      [changed, "changed"],
      [deleted, "deleted"],
      [quarantined, "quarantined"]
    ] as const)
      if (n > 0) said.push(`${grouped(n)} ${what}`)
  })

/** The plan's figures, and what needs attention in each document; documents without attention only if an item was open. */
const planOf = (connection: Connection) =>
  Effect.gen(function* () {
    const db = yield* Database
    const began = yield* Clock.currentTimeMillis
    const tally = new Tally()
    const open = new Set((yield* db.read(() => AttentionStore.list(db))).map(({ subject }) => subject))
    const attention = new Map<string, ReadonlyArray<Attention>>()
    yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
      Effect.sync(() => {
        tally.add(planned)
        if (planned.kind === "document" && (planned.attention.length > 0 || open.has(planned.subject)))
          attention.set(planned.subject, planned.attention)
      })
    )
    return { attention, began, summary: tally.summary() }
  })

type Send = (
  options: Pick<Sync.SendOptions, "digest" | "only" | "allow" | "firstSync" | "stopped">
) => ReturnType<typeof Sync.send>

const sending =
  (configuration: Configuration, connection: Connection, key: Redacted.Redacted, onSent: () => void): Send =>
  (options) =>
    Sync.send(configuration, [connection], key, {
      // Already checked before the plan was presented.
      stopped: undefined,
      ...options,
      trace: configuration.daemon.telemetry !== undefined,
      onReceipt: ({ call, outcome }) => {
        onSent()
        return Counters.add(Counters.calls, connection.id, 1, { operation: call.operation, outcome })
      }
    })

/** Sends the plan that a person approved. Undefined: there is none, or the books changed since. */
const sendApproved = (send: Send, connection: Connection, said: Said) =>
  Effect.gen(function* () {
    const { id } = connection
    const db = yield* Database
    const given = yield* db.read(() => Approvals.of(db, id))
    if (given?.decision !== "approved") return undefined
    const only = given.documents === null ? {} : { only: new Set(given.documents) }
    if (given.documents === null) RunCounts.add(db, id, { of: given.calls })
    const report = yield* send({ digest: given.digest, ...only, allow: GUARDS, firstSync: "send" }).pipe(
      Effect.catchTag("PlanMoved", () => Effect.succeed(undefined))
    )
    if (report === undefined) {
      said.push("the books changed since the plan was approved")
      return undefined
    }
    const part = given.documents === null ? "" : `${plural(given.documents.length, "document")} `
    said.push(`${part}approved by ${given.who ?? "somebody"}`)
    // An interrupted plan stays approved as long as the plan is the same: see Approvals.ts.
    if (report.stopped === undefined && report.unknown === 0) yield* settled(connection, given, said)
    return report
  })

/** Nothing waits any more: what was decided before this was planned has been sent. */
const whole = (db: Db, { id }: Connection, planned: number) =>
  db.transaction(() => {
    Approvals.clear(db, id)
    sentWhole(db, id, planned)
  })

/** What was approved has been sent: of a part, the rest is presented to a person. */
const settled = (connection: Connection, { documents, made }: Approvals.Approval, said: Said) =>
  Effect.gen(function* () {
    const db = yield* Database
    const rest = documents === null ? undefined : yield* planOf(connection)
    if (rest === undefined || rest.summary.calls === 0) return yield* whole(db, connection, made)
    yield* ask(connection, rest, said, Approvals.REST)
  })

/** The figures of a plan, and what needs attention in its documents. */
interface Laid {
  readonly attention: ReadonlyMap<string, ReadonlyArray<Attention>>
  /** When it began to be planned. */
  readonly began: number
  readonly summary: Summary
}

/** Presents the plan to a person. `why`: null if the connection asks about every plan. */
const ask = ({ id }: Connection, { attention, began, summary }: Laid, said: Said, why: string | null) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const { decision } = yield* db.transaction(() => {
      // An item that a person closed stays closed as long as the plan is the same.
      if (Approvals.of(db, id)?.digest !== summary.digest)
        for (const [subject, current] of attention) {
          AttentionStore.announce(db, subject, current, now)
          // Settings may be changed back before anything is sent: items closed here are checked again in that case, too.
          if (ChangedDocuments.count(db, subject) === 0) ChangedDocuments.touch(db, subject)
        }
      return Approvals.ask(db, id, summary, began, why)
    })
    const waits = decision === "rejected" ? "rejected" : "waiting for approval"
    said.push(`${plural(summary.calls, "call")} ${waits}${why === null ? "" : ` (${why})`}`)
    return undefined
  })

/** Sends a plan of which nothing is left to ask. Undefined: somebody changed the books since, and the next run asks. */
const sendIfSame = (send: Send, { summary }: Laid, said: Said) =>
  send({ digest: summary.digest }).pipe(
    Effect.catchTag("PlanMoved", () => {
      said.push("the books changed while this was planned; the next run looks again")
      return Effect.succeed(undefined)
    })
  )

/** Asks about every plan. Undefined: it waits. */
const approved = (send: Send, connection: Connection, said: Said) =>
  Effect.gen(function* () {
    const db = yield* Database
    const report = yield* sendApproved(send, connection, said)
    if (report !== undefined) return report
    const plan = yield* planOf(connection)
    const { summary } = plan
    if (summary.calls > 0) return yield* ask(connection, plan, said, null)
    yield* whole(db, connection, plan.began)
    return yield* sendIfSame(send, plan, said)
  })

/** Asks about what is left of a plan, whatever the connection asks about otherwise. Undefined: it waits. */
const held = (send: Send, connection: Connection, said: Said) =>
  Effect.gen(function* () {
    const db = yield* Database
    const plan = yield* planOf(connection)
    if (plan.summary.calls > 0) return yield* ask(connection, plan, said, Approvals.REST)
    yield* whole(db, connection, plan.began)
    return yield* sendIfSame(send, plan, said)
  })

/** Asks only about a first sync, and about what guards stop. Undefined: it waits. */
const unasked = (send: Send, connection: Connection, said: Said) =>
  Effect.gen(function* () {
    const db = yield* Database
    const report = yield* sendApproved(send, connection, said)
    if (report !== undefined) return report
    if (Approvals.isHeld(Approvals.of(db, connection.id))) return yield* held(send, connection, said)
    const sent = yield* send({}).pipe(
      Effect.catchTag("FirstSync", () => Effect.succeed("the first sync")),
      Effect.catchTag("GuardError", (error) =>
        error.guards === undefined ? Effect.fail(error) : Effect.succeed(`stopped by ${error.guards.join(", ")}`)
      )
    )
    if (typeof sent === "string") return yield* ask(connection, yield* planOf(connection), said, sent)
    // What waited for a person was sent, or is no longer the plan.
    if (Approvals.of(db, connection.id) !== undefined) yield* db.transaction(() => Approvals.clear(db, connection.id))
    return sent
  })

/** Performs one run. Fails with one sentence for people. */
export const runConnection = (
  configuration: Configuration,
  connection: Connection,
  why: Trigger,
  around?: AroundReading
) =>
  // Read once, so that the key that is checked against the account is the one that is used.
  Effect.flatMap(configuration.service.key, (key) =>
    Effect.provide(runWith(key, configuration, connection, why, around), [
      ServiceClient.clientWith(configuration, key),
      ServiceClient.outside
    ])
  )

/** The same with the service's client and the outside services provided by the caller. */
export const runWith = (...given: Parameters<typeof running>) =>
  Effect.mapError(running(...given), (error) => {
    const unauthorised = error instanceof RunError ? undefined : unauthorisedOf(error)
    return unauthorised === undefined ? error : new RunError({ why: error.message, unauthorised })
  }).pipe(Effect.ensuring(Effect.map(Database, (db) => RunCounts.ended(db, given[2]))))

const running = (
  key: Redacted.Redacted,
  configuration: Configuration,
  connection: Connection,
  why: Trigger,
  around: AroundReading = (reading) => reading
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const said: Said = []
    const { connections } = configuration
    const reading =
      why === "approved" ? undefined : yield* Effect.result(around(read(configuration, connection, why, said)))
    // Payments of one connection may be reported on the invoices of another, whose calls are then sent.
    const sender = connections.find(({ id }) => id === connection.pays?.connection) ?? connection
    const send = sending(configuration, sender, key, () => RunCounts.add(db, connection.id, { sent: 1 }))
    const stopped = yield* Sync.ready(configuration, [sender], key)
    if (stopped === undefined) yield* CoverSync.refresh(configuration, [sender])
    const report = yield* stopped !== undefined
      ? send({ stopped })
      : sender.approve === true
        ? approved(send, sender, said)
        : unasked(send, sender, said)
    if (report !== undefined && report.done + report.failed > 0)
      said.push(`${plural(report.done, "call")} sent${report.failed > 0 ? `, ${grouped(report.failed)} refused` : ""}`)
    const trouble = [
      ...(reading?._tag === "Failure" ? [messageOf(reading.failure)] : []),
      ...(report?.stopped === undefined ? [] : [`sending stopped: ${describe(report.stopped)}`]),
      ...(report !== undefined && report.stopped === undefined && report.unknown > 0
        ? [`${plural(report.unknown, "call")} without a known result; the next run checks them`]
        : [])
    ]
    if (reading?._tag === "Failure" && reading.failure._tag === "StateError") return yield* Effect.fail(reading.failure)
    const refused = report?.stopped?._tag === "Unauthorized" ? describe(report.stopped) : undefined
    const unauthorised = reading?._tag === "Failure" ? (unauthorisedOf(reading.failure) ?? refused) : refused
    if (trouble.length > 0)
      return yield* Effect.fail(new RunError({ why: [...trouble, ...said].join("; "), unauthorised }))
    const people = yield* db.read(
      () =>
        AttentionStore.countOf(db, connection.id) + (sender === connection ? 0 : AttentionStore.countOf(db, sender.id))
    )
    if (people > 0) said.push(attentionCount(people))
    if (report !== undefined)
      yield* Effect.annotateCurrentSpan({ done: report.done, failed: report.failed, unknown: report.unknown })
    const outcome = report === undefined ? "waits for approval" : people > 0 ? "attention" : "done"
    yield* Effect.annotateCurrentSpan({ outcome })
    const authorisedUntil = yield* ConnectorContext.authorisedUntil(configuration, connection, db.file)
    return {
      outcome,
      message: said.length === 0 ? "nothing new" : said.join(", "),
      ...(authorisedUntil === undefined ? {} : { authorisedUntil })
    }
  })
