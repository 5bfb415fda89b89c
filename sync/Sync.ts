/**
 * Runs a sync: reads the sources, plans and sends what the service lacks, and proves that source, books and service agree.
 * Commands, the library and the daemon all call this, and add their own output.
 *
 * When a source fails, the others are still read, and what is already in the books is still sent.
 */
import { Effect, type Redacted, type Result } from "effect"
import type { Requirements, SourceError } from "../connectors/Connector.ts"
import * as Http from "../connectors/Http.ts"
import type { Client } from "../core/Client.ts"
import type { Reason, ServiceError } from "../core/ServiceError.ts"
import * as Account from "./apply/Account.ts"
import type * as Apply from "./apply/Apply.ts"
import * as FirstSend from "./apply/FirstSend.ts"
import { namedSecretsFrom, type Secrets } from "./apply/NamedSecrets.ts"
import type { SendingOptions, Report } from "./apply/Report.ts"
import * as CoverSync from "./CoverSync.ts"
import * as Bookmarks from "./books/Bookmarks.ts"
import type { IngestCounts } from "./model/reports/Matching.ts"
import * as Matching from "./matching/Run.ts"
import type { Connection } from "./model/Connection.ts"
import * as SourceBindings from "./plan/SourceBindings.ts"
import * as KeptStatements from "./KeptStatements.ts"
import * as ConnectorContext from "./pull/ConnectorContext.ts"
import { pull } from "./pull/Pull.ts"
import { reread } from "./pull/Refetch.ts"
import * as RequestQuota from "./pull/RequestQuota.ts"
import { sweep } from "./pull/Sweep.ts"
import type { Proof } from "./model/reports/Statement.ts"
import { Database, type StateError } from "./state/Database.ts"
import * as Timing from "./Timing.ts"

/** The parts of a configuration that a sync needs. */
export interface Setup extends ConnectorContext.Place {
  /** All connections, including those that are not synced now. */
  readonly connections: ReadonlyArray<Connection>
  readonly service: {
    readonly url: string
    /** How many documents are processed at the same time. */
    readonly concurrency: number
    /** Milliseconds, see `ApplyOptions.settleAfter`. */
    readonly settleAfter: number
  }
}

export type ReadError = StateError | SourceError

/** What was read from a connection. */
export interface Read extends IngestCounts {
  /** Documents read by id because a webhook named them, from the source and from the service. */
  readonly followed: number
}

/** The result of reading one connection. */
export interface Reading<E> {
  readonly connection: Connection
  readonly result: Result.Result<Read, E>
}

export interface ReadOptions {
  /** Called after every page. */
  readonly onProgress?: (connection: Connection, taken: IngestCounts) => Effect.Effect<void>
}

/** How many invoices one pull reads again by id, by default. */
const SWEEP_INVOICES = 100

const NOTHING: IngestCounts = { read: 0, added: 0, changed: 0, deleted: 0, quarantined: 0 }

const add = (a: IngestCounts, b: IngestCounts): IngestCounts => ({
  read: a.read + b.read,
  added: a.added + b.added,
  changed: a.changed + b.changed,
  deleted: a.deleted + b.deleted,
  quarantined: a.quarantined + b.quarantined
})

type Source = Pick<Setup, "connections" | "environment" | "folder" | "bounds" | "vaultOf">

/** Reads one connection: what is new since its bookmark, then the next invoices of the sweep. */
export const read = (
  setup: Source,
  connection: Connection,
  { onProgress }: ReadOptions = {}
): Effect.Effect<IngestCounts, ReadError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = setup.connections.map(({ id }) => id)
    yield* db.soon(() => {
      SourceBindings.bind(db, connection, setup.connections)
      Bookmarks.begin(db, connection.id)
      // Those that pay and were never read are known, too: nothing of their money is.
      const unread = setup.connections.filter(({ id, pays }) => pays !== undefined && !Bookmarks.hasBegun(db, id))
      for (const one of [connection, ...unread]) Matching.rememberSettings(db, one)
      Matching.rememberConfigured(db, ids)
    })
    const options = {
      ...(yield* ConnectorContext.of(setup, connection, db.file)),
      ...(onProgress === undefined ? {} : { onProgress: (taken: IngestCounts) => onProgress(connection, taken) })
    }
    const reading = Effect.gen(function* () {
      const pulled = yield* pull(connection, options)
      return add(pulled, yield* sweep(connection, { ...options, limit: connection.sweep ?? SWEEP_INVOICES }))
    })
    const ended = yield* Effect.exit(Effect.provideService(reading, Http.RequestQuota, RequestQuota.of(db, connection)))
    // What cannot be undone waits until the source was read to its end.
    if (ended._tag === "Failure") yield* db.commit(() => Bookmarks.failed(db, connection.id))
    // Also after a pull that stopped halfway: what it read is matched.
    yield* Matching.roleOf(connection) === undefined ? Matching.reported : Matching.run
    return yield* ended
  })

/**
 * Reads again what webhooks pointed to, at the source and at the service, then everything new. With `only`, everything new
 * is read only if a webhook cannot be followed in any other way.
 */
export const followAndRead = (
  setup: Source,
  connection: Connection,
  { only = false, ...options }: ReadOptions & { readonly only?: boolean } = {}
): Effect.Effect<Read, ReadError | ServiceError, Database | Client | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const context = yield* ConnectorContext.of(setup, connection, db.file)
    const following = reread(connection, context)
    const { asked, pull } = yield* Effect.provideService(following, Http.RequestQuota, RequestQuota.of(db, connection))
    const taken = only && !pull ? NOTHING : yield* read(setup, connection, options)
    return { ...taken, followed: asked }
  })

/** Reads connections one after the other. When one fails, the others are still read. */
export const readEach = <E, R, R2 = never>(
  connections: ReadonlyArray<Connection>,
  reading: (connection: Connection) => Effect.Effect<Read, E, R>,
  onRead: (reading: Reading<E>) => Effect.Effect<void, never, R2> = () => Effect.void
): Effect.Effect<ReadonlyArray<Reading<E>>, never, R | R2> =>
  Effect.forEach(connections, (connection) =>
    reading(connection).pipe(
      Effect.result,
      Effect.map((result) => ({ connection, result })),
      Effect.tap(onRead)
    )
  )

/** Reads connections without asking the service about them, so no key for the service is needed. */
export const pullEach = <R = never>(
  setup: Source,
  connections: ReadonlyArray<Connection>,
  { onRead, ...options }: ReadOptions & { readonly onRead?: (one: Reading<ReadError>) => Effect.Effect<void, never, R> }
) =>
  readEach(connections, (one) => Effect.map(read(setup, one, options), (taken) => ({ ...taken, followed: 0 })), onRead)

export type SendOptions = Omit<SendingOptions, "concurrency" | "settleAfter" | "secrets">
export type SendError = Apply.ApplyError | ServiceError

type Sending = Pick<Setup, "connections" | "service" | "environment" | "folder">

/**
 * Binds the state file to this key's account, and asks the service once what it holds of connections that have never sent
 * anything. Returns why nothing can be sent now, if so.
 */
export const ready = (
  { connections: all, service: { settleAfter, url } }: Sending,
  connections: ReadonlyArray<Connection>,
  key: Redacted.Redacted
): Effect.Effect<Reason | undefined, StateError | ServiceError, Database | Client> =>
  Effect.andThen(Account.bind(url, key), FirstSend.check(connections, all, settleAfter))

/** Plans these connections and sends the result to the account that the state file belongs to. */
export const send = (
  setup: Sending,
  connections: ReadonlyArray<Connection>,
  key: Redacted.Redacted,
  options: SendOptions = {}
): Effect.Effect<Report, SendError, Database | Client> =>
  Effect.gen(function* () {
    const { concurrency, settleAfter } = setup.service
    const stopped = "stopped" in options ? options.stopped : yield* ready(setup, connections, key)
    const secrets = yield* secretsOf(setup, connections)
    return yield* CoverSync.applyWithOffers(connections, { ...options, secrets, stopped, concurrency, settleAfter })
  })

/** The secrets that calls of these connections refer to, from the environment and the vault. */
const secretsOf = (
  setup: Source,
  connections: ReadonlyArray<Connection>
): Effect.Effect<Secrets, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const covered = connections.filter(({ planning }) => planning.cover !== undefined)
    const kept = yield* Effect.forEach(covered, (connection) =>
      ConnectorContext.of(setup, connection, db.file).pipe(
        Effect.map(({ environment }) => environment),
        // If the vault cannot be opened, the call that needs a secret reports it as missing.
        Effect.orElseSucceed(() => ({}))
      )
    )
    return namedSecretsFrom(Object.assign({}, setup.environment, ...kept))
  })

export interface SyncOptions<R> extends ReadOptions, SendOptions {
  readonly onRead?: (reading: Reading<ReadError | ServiceError>) => Effect.Effect<void, never, R>
  /** Runs between reading and sending. */
  readonly beforeSend?: Effect.Effect<void, never, R>
}

export interface Synced {
  readonly readings: ReadonlyArray<Reading<ReadError | ServiceError>>
  readonly report: Report
  readonly proof: Proof
  readonly timing: Timing.Timing
}

/** Reads, sends, and adds up the figures of source, books and service. */
export const sync = <R = never>(
  setup: Setup,
  connections: ReadonlyArray<Connection>,
  key: Redacted.Redacted,
  { beforeSend = Effect.void, onProgress, onRead, ...options }: SyncOptions<R> = {}
): Effect.Effect<Synced, SendError, Database | Client | Requirements | R> =>
  Effect.gen(function* () {
    const how = onProgress === undefined ? {} : { onProgress }
    const stopwatch = yield* Timing.make
    const reading = readEach(connections, (one) => followAndRead(setup, one, how), onRead)
    const readings = yield* stopwatch.during("source")(reading)
    yield* beforeSend
    const sending = Effect.gen(function* () {
      const stopped = "stopped" in options ? options.stopped : yield* ready(setup, connections, key)
      if (stopped === undefined) yield* CoverSync.refresh(setup, connections)
      const sent = yield* send(setup, connections, key, { ...options, stopped })
      // What was captured has documents.
      const isMore = sent.stopped === undefined && (yield* CoverSync.gatherDocuments(setup, connections))
      const report = isMore
        ? CoverSync.together(sent, yield* send(setup, connections, key, { ...options, stopped, goesOn: true }))
        : sent
      return { report, proof: yield* KeptStatements.prove(connections) }
    })
    const { proof, report } = yield* stopwatch.during("service")(sending)
    return { readings, report, proof, timing: stopwatch.timing() }
  })
