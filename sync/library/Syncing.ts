/** Implements a handle's work between sources, books and service: pull, plan, apply, sync, prove, reconcile. */
import { Clock, Effect, Result, Stream } from "effect"
import * as Account from "../apply/Account.ts"
import type * as ApplyReport from "../apply/Report.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Attention, Call } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import { allowed } from "../model/Guard.ts"
import * as Plan from "../plan/Plan.ts"
import { Tally } from "../plan/Tally.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import * as Ingest from "../pull/Ingest.ts"
import * as Preview from "../pull/Preview.ts"
import * as Audit from "../reconciliation/Audit.ts"
import * as Sync from "../Sync.ts"
import type { Api, ApplyOptions } from "./Api.ts"
import * as KeptStatements from "../KeptStatements.ts"
import { alone } from "../decisions/ConnectionLocks.ts"
import { chosen, chosenOne, type HandleContext } from "./Handle.ts"
import { gathered } from "./Independent.ts"
import { dated, type Plain, plain } from "./Plain.ts"
import { alerting } from "./RunAlerts.ts"

type Part = Pick<Api, "pull" | "plan" | "apply" | "sync" | "reconcile" | "check" | "preview" | "independent">

/** Publishes what was read from a connection. */
const pulled =
  ({ publish }: HandleContext) =>
  ({ connection: { id: connection }, result }: Sync.Reading<unknown>): Effect.Effect<void> => {
    if (result._tag === "Failure") return Effect.void
    const { followed: _, ...taken } = result.success
    return publish({ type: "pulled", connection, taken })
  }

/** Publishes the receipt of a call. */
const received =
  ({ publish }: HandleContext) =>
  (receipt: ApplyReport.CallReceipt): Effect.Effect<void> =>
    publish({ type: "receipt", ...plain(receipt) })

/** Returns after all connections were read, or fails with the first error. */
const firstFailure = <E>(readings: ReadonlyArray<Sync.Reading<E>>): Effect.Effect<void, E> => {
  const failed = readings.find(({ result }) => result._tag === "Failure")?.result
  return failed?._tag === "Failure" ? Effect.fail(failed.failure) : Effect.void
}

const pull =
  (handle: HandleContext): Api["pull"] =>
  (choice) =>
    Effect.gen(function* () {
      const { configuration, db } = handle
      const connections = yield* chosen(configuration, choice)
      const reading = (one: Connection) =>
        Effect.map(alone(db, [one], Sync.read(configuration, one)), (taken) => ({ ...taken, followed: 0 }))
      const readings = yield* Sync.readEach(connections, reading, pulled(handle))
      yield* firstFailure(readings)
      return Object.fromEntries(
        readings.map(({ connection, result }) => {
          const { followed: _, ...taken } = Result.getOrThrow(result)
          return [connection.id, taken] as const
        })
      )
    }).pipe(handle.given)

const plan =
  ({ configuration, given }: HandleContext): Api["plan"] =>
  (choice) =>
    Effect.gen(function* () {
      const connections = yield* chosen(configuration, choice)
      const tally = new Tally()
      const calls: Array<Plain<Call>> = []
      const attention: Array<Attention> = []
      yield* Stream.runForEach(Plan.stream(connections), (planned) =>
        Effect.sync(() => {
          tally.add(planned)
          calls.push(...planned.calls.map((call) => plain<Call>(call)))
          if (planned.kind === "document") attention.push(...planned.attention)
        })
      )
      return { calls, attention, digest: tally.summary().digest, connections: connections.map(({ id }) => id) }
    }).pipe(given)

/** Publishes, after the work, new attention items and the report. */
const publishing = <A extends { readonly report: ApplyReport.Report }, E, R>(
  { db, publish }: HandleContext,
  connections: ReadonlyArray<Connection>,
  work: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const done = yield* work
    const fresh = yield* db.read(() => AttentionStore.list(db).filter(({ since }) => since >= begun))
    for (const attention of fresh)
      if (connections.some(({ id }) => attention.subject.startsWith(`${id}/`)))
        yield* publish({ type: "attention", attention: dated(attention, "since") })
    yield* publish({ type: "applied", report: done.report })
    return done
  })

/** The decisions of a person that a program passes on. */
const wordsOf = (words: ApplyOptions) => ({
  allow: allowed(words),
  ...(words.firstSync === undefined ? {} : { firstSync: words.firstSync })
})

const apply =
  (handle: HandleContext): Api["apply"] =>
  (plan, { connections: ids, ...words } = {}) =>
    Effect.gen(function* () {
      const { configuration, db, withKey } = handle
      const choice = plan === undefined ? (ids === undefined ? {} : { connections: ids }) : plan
      const connections = yield* chosen(configuration, choice)
      const options = {
        ...wordsOf(words),
        ...(plan === undefined ? {} : { digest: plan.digest }),
        onReceipt: received(handle)
      }
      const { proof, report } = yield* withKey((key) => {
        const sending = Effect.gen(function* () {
          const report = yield* Sync.send(configuration, connections, key, options)
          return { report, proof: yield* KeptStatements.prove(connections) }
        })
        return alone(db, connections, publishing(handle, connections, sending))
      })
      return { ...report, ...proof }
    })

const sync =
  (handle: HandleContext): Api["sync"] =>
  ({ connections: ids, timing: timed = false, ...words } = {}) =>
    Effect.gen(function* () {
      const { configuration, db, withKey } = handle
      const connections = yield* chosen(configuration, ids === undefined ? {} : { connections: ids })
      const { proof, readings, report, timing } = yield* withKey((key) => {
        const callbacks = { onRead: pulled(handle), onReceipt: received(handle) }
        const syncing = Sync.sync(configuration, connections, key, { ...wordsOf(words), ...callbacks })
        const work = alone(db, connections, publishing(handle, connections, syncing))
        if (handle.sendsAlerts?.() !== true) return work
        return alerting(configuration, connections, work, {
          onDelivered: (delivered) => handle.publish({ type: "alert", ...delivered })
        })
      })
      yield* firstFailure(readings)
      return { ...report, ...proof, ...(timed ? { timing } : {}) }
    })

const reconcile =
  ({ configuration, db, given, withKey }: HandleContext): Api["reconcile"] =>
  ({ connections: ids, fix = false, ...range } = {}) =>
    Effect.gen(function* () {
      const connections = yield* chosen(configuration, ids === undefined ? {} : { connections: ids })
      const { settleAfter, url } = configuration.service
      const found: Array<Audit.Found> = []
      const onFound = (one: Audit.Found) => Effect.sync(() => void found.push(one))
      const asked = { ...range, part: ids !== undefined, fix, settleAfter, onFound }
      const audit = Audit.audit(connections, asked)
      const audited = yield* fix
        ? withKey((key) => alone(db, connections, Effect.andThen(Account.bind(url, key), audit)))
        : given(alone(db, connections, audit))
      return { ...audited, found }
    })

export const syncing = (handle: HandleContext): Part => ({
  pull: pull(handle),
  plan: plan(handle),
  apply: apply(handle),
  sync: sync(handle),
  reconcile: reconcile(handle),
  independent: (choice) =>
    Effect.gen(function* () {
      const { configuration, db, withKey } = handle
      const connections = yield* chosen(configuration, choice)
      return yield* withKey(() => gathered(configuration, connections, db.file))
    }),
  check: (id) =>
    Effect.flatMap(chosenOne(handle.configuration, id), (connection) => {
      const { configuration, db } = handle
      return Effect.flatMap(ConnectorContext.of(configuration, connection, db.file), (context) =>
        Ingest.checked(connection, context)
      )
    }).pipe(handle.given),
  preview: (id, options) =>
    Effect.flatMap(chosenOne(handle.configuration, id), (connection) =>
      Preview.preview(handle.configuration, connection, handle.db.file, options)
    ).pipe(Effect.map(plain), handle.given)
})
