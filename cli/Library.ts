/**
 * What the library can do, as effects: everything that the commands can, on one state file that is held from `open` to
 * `close`. Of one connection only one thing is done at a time, whoever asks.
 */
import { Clock, Effect, type Layer, PubSub, type Scope, Stream } from "effect"
import type { SourceError } from "../connectors/Connector.ts"
import type { Client } from "../core/Client.ts"
import type { Company } from "../core/insurance/Companies.ts"
import type { ServiceError } from "../core/ServiceError.ts"
import type { CompanyId } from "../core/wire/Ids.ts"
import * as Account from "../sync/Account.ts"
import * as Apply from "../sync/Apply.ts"
import * as Approvals from "../sync/Approvals.ts"
import * as Attentions from "../sync/Attentions.ts"
import * as Audit from "../sync/Audit.ts"
import type { Taken } from "../sync/Books.ts"
import type { Attention, Call } from "../sync/Call.ts"
import * as Completeness from "../sync/Completeness.ts"
import type { Connection } from "../sync/Connection.ts"
import * as Daemon from "../sync/Daemon.ts"
import { Database, type StateError } from "../sync/Database.ts"
import * as Debtors from "../sync/Debtors.ts"
import * as Match from "../sync/Match.ts"
import * as MatchCompleteness from "../sync/MatchCompleteness.ts"
import * as OrderCompleteness from "../sync/OrderCompleteness.ts"
import * as Overview from "../sync/Overview.ts"
import * as Planning from "../sync/Plan.ts"
import * as Turns from "../sync/Turns.ts"
import { ConfigError, type Configuration } from "./Configuration.ts"
import { turn } from "./daemon/Work.ts"
import * as Explain from "./Explain.ts"
import { alone } from "./Lanes.ts"
import { type Exported, type ExportError, exportTo } from "./export/index.ts"
import type { outside } from "./Session.ts"
import { read } from "./Surroundings.ts"

/** Which connections; all of the configuration when left out. */
export interface Choice {
  readonly connections?: ReadonlyArray<string>
}

/** What is to be sent. `apply` sends exactly this, or nothing when the books moved meanwhile. */
export interface Plan {
  readonly calls: ReadonlyArray<Call>
  readonly attention: ReadonlyArray<Attention>
  readonly digest: string
  /** The connections that it is of. */
  readonly connections: ReadonlyArray<string>
}

export interface Proof {
  readonly completeness: ReadonlyArray<Completeness.Statement>
  readonly orders: ReadonlyArray<OrderCompleteness.OrderStatement>
  /** Of connections that pay for others: what was received and matched. */
  readonly payments: ReadonlyArray<MatchCompleteness.PaymentStatement>
}

export interface Result extends Apply.Report, Proof {}

export interface ApplyOptions extends Choice {
  readonly allowReductions?: boolean
}

export interface ReconcileOptions extends Pick<Audit.AuditOptions, "from" | "to">, Choice {
  readonly fix?: boolean
}

export interface Reconciled extends Audit.Audited {
  readonly found: ReadonlyArray<Audit.Found>
}

/** What the state file holds, see `daybook status`. */
export interface Status {
  /** The service's address, once something was sent to it. */
  readonly service: string | null
  readonly connections: ReadonlyArray<Overview.ConnectionRow>
  readonly runs: ReadonlyArray<Overview.RunRow>
  /** How the last turns in a daemon went. */
  readonly turns: ReadonlyArray<Turns.Turn>
  readonly approvals: ReadonlyArray<Approvals.Approval>
  readonly attention: number
  readonly unsettled: number
  readonly setAside: number
}

/** Something that happened, for who subscribed. */
export type Event =
  | { readonly type: "pulled"; readonly connection: string; readonly taken: Taken }
  | ({ readonly type: "receipt" } & Apply.Receipt)
  | { readonly type: "attention"; readonly attention: Attentions.OpenAttention }
  | { readonly type: "applied"; readonly report: Apply.Report }
  | { readonly type: "turn"; readonly event: Daemon.Event }

export type ApplyFailure = Apply.ApplyError | ConfigError

/** One set of books and its service. */
export interface Api {
  /** Reads the sources; by connection id, what was read. */
  readonly pull: (
    choice?: Choice
  ) => Effect.Effect<Readonly<Record<string, Taken>>, StateError | SourceError | ConfigError>
  readonly plan: (choice?: Choice) => Effect.Effect<Plan, StateError | ConfigError>
  /** Sends a plan, or without one what is to be sent now. */
  readonly apply: (plan?: Plan, options?: ApplyOptions) => Effect.Effect<Result, ApplyFailure>
  /** Pull, plan, apply, prove. */
  readonly sync: (options?: ApplyOptions) => Effect.Effect<Result, ApplyFailure | SourceError>
  /** What is open in the source, in the books and on the service, with every difference. */
  readonly completeness: (choice?: Choice) => Effect.Effect<Proof, StateError | ConfigError>
  readonly status: () => Effect.Effect<Status, StateError>
  /** What needs a person. */
  readonly attention: () => Effect.Effect<ReadonlyArray<Attentions.OpenAttention>, StateError>
  /** Closes one matter. False: it is not open. */
  readonly resolve: (id: number, note?: string) => Effect.Effect<boolean, StateError>
  /** Plans the document again, and sends once more what was refused. False: it is not open. */
  readonly retry: (id: number) => Effect.Effect<boolean, StateError>
  /** The whole story of each document that goes by this name, number, id or key, or of a call as `#12`. */
  readonly explain: (what: string) => Effect.Effect<ReadonlyArray<Explain.Told>, StateError>
  /** Writes `.xlsx` or `.csv`. */
  readonly export: (file: string, choice?: Choice) => Effect.Effect<Exported, ExportError | StateError>
  /** Reads the service itself; every difference to the ledger, which `fix` puts right. */
  readonly reconcile: (options?: ReconcileOptions) => Effect.Effect<Reconciled, ApplyFailure>
  /** Debtors that the service could not tell. */
  readonly debtors: (choice?: Choice) => Effect.Effect<ReadonlyArray<Debtors.Debtor>, StateError | ConfigError>
  /** The companies that a debtor might be, the likeliest first. */
  readonly candidates: (
    debtor: Pick<Debtors.Debtor, "name" | "country" | "regnum">
  ) => Effect.Effect<ReadonlyArray<Company>, ServiceError>
  /** Remembers which company a debtor is, or with null forgets it; answers how many invoices will be told so. */
  readonly match: (
    debtor: Pick<Debtors.Debtor, "connection" | "party">,
    company: CompanyId | null
  ) => Effect.Effect<number, StateError>
  /** What is wrong with a connection's source, in sentences; nothing when all is well. */
  readonly check: (connection: string) => Effect.Effect<ReadonlyArray<string>, SourceError | ConfigError>
  /** A person's word on the plan with this digest. False: another one waits by now, or none. */
  readonly approve: (connection: string, digest: string, who: string) => Effect.Effect<boolean, StateError>
  readonly refuse: (connection: string, digest: string, who: string) => Effect.Effect<boolean, StateError>
  /** Runs on the schedules of the configuration until it is interrupted; see `daybook daemon`. */
  readonly run: () => Effect.Effect<never, StateError>
  /** What happens from now on. */
  readonly events: Stream.Stream<Event>
}

type Needs = Database | Client | Layer.Success<typeof outside>

const chosen = (
  { connections, file }: Configuration,
  { connections: ids }: Choice = {}
): Effect.Effect<ReadonlyArray<Connection>, ConfigError> => {
  if (ids === undefined) return Effect.succeed(connections)
  const unknown = ids.filter((id) => !connections.some((one) => one.id === id))
  return unknown.length === 0
    ? Effect.succeed(connections.filter(({ id }) => ids.includes(id)))
    : Effect.fail(
        new ConfigError({
          file,
          problems: unknown.map(
            (id) =>
              `there is no connection ${JSON.stringify(id)}; there are: ${connections.map((one) => one.id).join(", ")}`
          )
        })
      )
}

export const make = (configuration: Configuration): Effect.Effect<Api, never, Needs | Scope.Scope> =>
  Effect.gen(function* () {
    const { service } = configuration
    const db = yield* Database
    const context = yield* Effect.context<Needs>()
    const given = <A, E>(work: Effect.Effect<A, E, Needs>) => Effect.provide(work, context)
    const events = yield* Effect.acquireRelease(PubSub.unbounded<Event>(), PubSub.shutdown)
    const tell = (event: Event) => Effect.asVoid(PubSub.publish(events, event))

    const pulled = (connection: Connection) =>
      alone(db, [connection], read(configuration, connection)).pipe(
        Effect.tap((taken) => tell({ type: "pulled", connection: connection.id, taken })),
        Effect.map((taken) => [connection.id, taken] as const)
      )
    const pull: Api["pull"] = (choice) =>
      given(
        Effect.flatMap(chosen(configuration, choice), (connections) =>
          Effect.map(Effect.forEach(connections, pulled), (all) => Object.fromEntries(all))
        )
      )

    const plan: Api["plan"] = (choice) =>
      given(
        Effect.gen(function* () {
          const connections = yield* chosen(configuration, choice)
          const tally = new Planning.Tally()
          const calls: Array<Call> = []
          const attention: Array<Attention> = []
          yield* Stream.runForEach(Planning.stream(connections), (planned) =>
            Effect.sync(() => {
              tally.add(planned)
              calls.push(...planned.calls)
              attention.push(...planned.attention)
            })
          )
          return { calls, attention, digest: tally.summary().digest, connections: connections.map(({ id }) => id) }
        })
      )

    const completeness: Api["completeness"] = (choice) =>
      Effect.flatMap(chosen(configuration, choice), (connections) =>
        db.snapshot(() => {
          const ids = connections.map(({ id }) => id)
          const payers = connections.filter(({ pays }) => pays !== undefined).map(({ id }) => id)
          return {
            completeness: Completeness.statements(db, ids),
            orders: OrderCompleteness.statements(db, ids),
            payments: MatchCompleteness.statements(db, payers)
          }
        })
      )

    const send = (connections: ReadonlyArray<Connection>, options: Apply.ApplyOptions) =>
      Effect.gen(function* () {
        const stopped = yield* Account.bind(service.url, yield* service.key, connections)
        const begun = yield* Clock.currentTimeMillis
        const report = yield* Apply.apply(connections, {
          ...options,
          stopped,
          concurrency: service.concurrency,
          settleAfter: service.settleAfter,
          onReceipt: (receipt) => tell({ type: "receipt", ...receipt })
        })
        const fresh = yield* db.read(() => Attentions.list(db).filter(({ since }) => since >= begun))
        for (const attention of fresh)
          if (connections.some(({ id }) => attention.subject.startsWith(`${id}/`)))
            yield* tell({ type: "attention", attention })
        yield* tell({ type: "applied", report })
        return report
      })

    const apply: Api["apply"] = (plan, options = {}) =>
      given(
        Effect.gen(function* () {
          const { connections: ids, ...rest } = options
          const choice = plan === undefined ? (ids === undefined ? {} : { connections: ids }) : plan
          const connections = yield* chosen(configuration, choice)
          const report = yield* alone(
            db,
            connections,
            send(connections, { ...rest, ...(plan === undefined ? {} : { digest: plan.digest }) })
          )
          return { ...report, ...(yield* completeness(choice)) }
        })
      )

    const now = <A>(work: (now: number) => A) =>
      Effect.flatMap(Clock.currentTimeMillis, (millis) => db.transaction(() => work(millis)))
    const isOpen = (id: number) => Attentions.list(db).some((one) => one.id === id)
    const decide = (connection: string, digest: string, verdict: "approved" | "refused", who: string) =>
      Effect.tap(
        now((millis) => Approvals.decide(db, { connection, digest, verdict, who }, millis)),
        () => daemon?.wake ?? Effect.void
      )

    let daemon: Daemon.Daemon | undefined
    const run = () =>
      Effect.gen(function* () {
        daemon = yield* Daemon.make({
          atOnce: configuration.daemon.atOnce,
          connections: Effect.succeed(configuration.connections),
          family: Match.family,
          work: (connection, why) =>
            Effect.provideService(alone(db, [connection], turn(configuration, connection, why)), Database, db),
          onEvent: (event) => tell({ type: "turn", event })
        })
        return yield* daemon.run
      }).pipe(Effect.scoped, Effect.provideService(Database, db))

    const api: Api = {
      pull,
      plan,
      apply,
      sync: (options) => Effect.andThen(pull(options), apply(undefined, options)),
      completeness,
      status: () =>
        db.snapshot(() => ({
          service: Overview.service(db),
          connections: Overview.connections(db).map((id) => Overview.connection(db, id)),
          runs: Overview.runs(db, 5),
          turns: [...Turns.all(db).values()],
          approvals: Approvals.list(db),
          attention: Attentions.count(db),
          unsettled: Overview.unsettled(db),
          setAside: Overview.setAsideCount(db)
        })),
      attention: () => db.read(() => Attentions.list(db)),
      resolve: (id, note = "resolved") =>
        now((millis) => {
          if (!isOpen(id)) return false
          Attentions.close(db, id, note, millis)
          return true
        }),
      retry: (id) => now((millis) => Attentions.retry(db, id, millis)),
      explain: (what) => db.snapshot(() => Explain.subjects(db, what).map((key) => Explain.tell(db, key))),
      export: (file, choice) => exportTo(db, file, choice),
      reconcile: ({ connections: ids, fix = false, ...range } = {}) =>
        given(
          Effect.gen(function* () {
            const connections = yield* chosen(configuration, ids === undefined ? {} : { connections: ids })
            if (fix) yield* Account.bind(service.url, yield* service.key, connections)
            const found: Array<Audit.Found> = []
            const onFound = (one: Audit.Found) => Effect.sync(() => void found.push(one))
            const audited = yield* alone(
              db,
              connections,
              Audit.audit(connections, { ...range, part: ids !== undefined, mend: fix, onFound })
            )
            return { ...audited, found }
          })
        ),
      debtors: (choice) =>
        Effect.flatMap(chosen(configuration, choice), (connections) =>
          db.read(() => connections.flatMap(({ id }) => Debtors.list(db, id)))
        ),
      candidates: (debtor) => given(Debtors.candidates(debtor)),
      match: (debtor, company) =>
        now((millis) => (company === null ? Debtors.forget(db, debtor) : Debtors.choose(db, debtor, company, millis))),
      check: (id) =>
        given(
          Effect.flatMap(chosen(configuration, { connections: [id] }), ([connection]) => {
            const { environment, folder } = configuration
            return connection!.connector.check?.(connection!.settings, { folder, environment }) ?? Effect.succeed([])
          })
        ),
      approve: (connection, digest, who) => decide(connection, digest, "approved", who),
      refuse: (connection, digest, who) => decide(connection, digest, "refused", who),
      run,
      events: Stream.fromPubSub(events)
    }
    return api
  })
