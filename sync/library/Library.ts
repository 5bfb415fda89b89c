/**
 * What the library can do, as effects: everything that the commands can, on one state file that is held from `open` to
 * `close`. Of one connection only one thing is done at a time, whoever asks.
 */
import { Clock, Effect, type Layer, PubSub, Redacted, type Scope, Stream } from "effect"
import type { Client } from "../../core/Client.ts"
import * as Account from "../apply/Account.ts"
import * as Apply from "../apply/Apply.ts"
import type * as ApplyReport from "../apply/Report.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as Audit from "../reconciliation/Audit.ts"
import { backup } from "../state/Backup.ts"
import type { Attention, Call } from "../model/Call.ts"
import * as InvoiceStatement from "../reconciliation/InvoiceStatement.ts"
import { type Connection, isCalled, nameOf } from "../model/Connection.ts"
import * as Scheduler from "../schedule/Scheduler.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as AttentionActions from "../apply/AttentionActions.ts"
import * as Debtors from "../reports/Debtors.ts"
import * as FirstSend from "../apply/FirstSend.ts"
import * as Ingest from "../pull/Ingest.ts"
import * as Matching from "../matching/Run.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as PaymentStatement from "../reconciliation/PaymentStatement.ts"
import * as OrderStatement from "../reconciliation/OrderStatement.ts"
import * as Status from "../reports/Status.ts"
import * as Plan from "../plan/Plan.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import * as RunState from "../schedule/RunState.ts"
import { ConfigError, type Configuration, isId } from "./config/Configuration.ts"
import { turn } from "./RunConnection.ts"
import * as Explain from "./Explain.ts"
import type { Api, Choice, Event } from "./Api.ts"
import { UsageError } from "./Exit.ts"
import * as FirstDecision from "./FirstDecision.ts"
import { alone, whose } from "./ConnectionLocks.ts"
import * as PaymentChoice from "./PaymentChoice.ts"
import { candidatesOf } from "./AttentionRecords.ts"
import { exportTo } from "../export/index.ts"
import { clientWith, type outside } from "./ServiceClient.ts"
import { read } from "./ConnectorContext.ts"

type Needs = Database | Client | Layer.Success<typeof outside>

const chosen = (
  { connections, file }: Configuration,
  { connections: ids }: Choice = {}
): Effect.Effect<ReadonlyArray<Connection>, ConfigError> => {
  if (ids === undefined) return Effect.succeed(connections)
  const unknown = ids.filter((id) => !connections.some((one) => isCalled(id, one)))
  return unknown.length === 0
    ? Effect.succeed(connections.filter((one) => ids.some((id) => isCalled(id, one))))
    : Effect.fail(
        new ConfigError({
          file,
          problems: unknown.map(
            (id) => `there is no connection ${JSON.stringify(id)}; there are: ${connections.map(nameOf).join(", ")}`
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
          const tally = new Plan.Tally()
          const calls: Array<Call> = []
          const attention: Array<Attention> = []
          yield* Stream.runForEach(Plan.stream(connections), (planned) =>
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
            completeness: InvoiceStatement.statements(db, ids),
            orders: OrderStatement.statements(db, ids),
            payments: PaymentStatement.statements(db, payers)
          }
        })
      )

    const opened = yield* Effect.option(service.key)
    const isOpened = (key: Redacted.Redacted) =>
      opened._tag === "Some" && Redacted.value(opened.value) === Redacted.value(key)
    /**
     * Binds to the account and works there with the key as it is now, which may be another than when the handle was opened:
     * what is asked whose account it is, is asked with that key.
     */
    const bound = <A, E>(work: Effect.Effect<A, E, Needs>) =>
      Effect.flatMap(service.key, (key) => {
        const all = Effect.andThen(Account.bind(service.url, key), work)
        return isOpened(key) ? all : Effect.provide(all, clientWith(configuration, key))
      })
    const send = (connections: ReadonlyArray<Connection>, options: ApplyReport.ApplyOptions) =>
      Effect.gen(function* () {
        const stopped = yield* FirstSend.ask(connections, configuration.connections, service.settleAfter)
        const begun = yield* Clock.currentTimeMillis
        const report = yield* Apply.apply(connections, {
          ...options,
          stopped,
          concurrency: service.concurrency,
          settleAfter: service.settleAfter,
          onReceipt: (receipt) => tell({ type: "receipt", ...receipt })
        })
        const fresh = yield* db.read(() => AttentionStore.list(db).filter(({ since }) => since >= begun))
        for (const attention of fresh)
          if (connections.some(({ id }) => attention.subject.startsWith(`${id}/`)))
            yield* tell({ type: "attention", attention })
        yield* tell({ type: "applied", report })
        return report
      }).pipe(bound)

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
    const matter = (id: number) => AttentionStore.list(db).find((one) => one.id === id)
    /** Decides about what a matter is about, once nothing else is done there: it may be settled by then. */
    const deciding = <A, E>(id: number, decision: Effect.Effect<A, E>): Effect.Effect<A, E | StateError> =>
      Effect.flatMap(
        db.read(() => matter(id)),
        (found) =>
          found === undefined ? decision : alone(db, whose(configuration.connections, found.subject), decision)
      )
    /** What was decided about a payment has its effect at once. */
    const matched = <A, E>(id: number, decision: Effect.Effect<A, E>, wants: (decided: A) => boolean) =>
      deciding(
        id,
        Effect.tap(decision, (decided) => (wants(decided) ? given(Matching.run) : Effect.void))
      )
    const decide = (connection: string, digest: string, verdict: "approved" | "refused", who: string) =>
      Effect.tap(
        now((millis) => Approvals.decide(db, { connection, digest, verdict, who }, millis)),
        () => daemon?.wake ?? Effect.void
      )

    let daemon: Scheduler.Daemon | undefined
    let runs = false
    const run: Api["run"] = () =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (runs) return Effect.fail(new UsageError({ why: "it runs already: run() is called once, until it ends" }))
          return Effect.sync(() => void (runs = true))
        }),
        () => looping,
        () => Effect.sync(() => void (runs = false))
      )
    const looping = Effect.gen(function* () {
      daemon = yield* Scheduler.make({
        atOnce: configuration.daemon.atOnce,
        connections: Effect.succeed(configuration.connections),
        family: Matching.family,
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
          service: Status.service(db),
          connections: Status.connections(db).map((id) => Status.connection(db, id)),
          runs: Status.runs(db, 5),
          turns: [...RunState.all(db).values()],
          approvals: Approvals.list(db),
          attention: AttentionStore.count(db),
          unsettled: Status.unsettled(db),
          setAside: Status.setAsideCount(db)
        })),
      attention: () => db.read(() => AttentionStore.list(db).map((one) => ({ ...one, ...candidatesOf(db, one) }))),
      resolve: (id, note = "resolved") =>
        deciding(
          id,
          now((millis) => {
            const found = matter(id)
            return found !== undefined && AttentionActions.resolve(db, found, note, millis) !== undefined
          })
        ),
      retry: (id) =>
        matched(
          id,
          now((millis) => AttentionActions.retry(db, id, millis)),
          (open) => open
        ),
      assign: (id, invoices) =>
        matched(
          id,
          now((millis) => {
            const found = matter(id)
            return found === undefined
              ? { why: FirstDecision.words(db, id) ?? `there is no open matter ${id}` }
              : PaymentChoice.choose(db, found, invoices, millis)
          }),
          (choice) => !("why" in choice)
        ).pipe(
          Effect.flatMap((choice) =>
            "why" in choice ? Effect.fail(new UsageError(choice)) : Effect.succeed(choice.shares)
          )
        ),
      choices: () => db.read(() => configuration.connections.flatMap(({ id }) => MatchChoices.list(db, id))),
      unassign: (payment) =>
        alone(
          db,
          whose(configuration.connections, payment),
          Effect.tap(
            db.transaction(() => MatchChoices.forget(db, payment) !== undefined),
            (undone) => (undone ? given(Matching.run) : Effect.void)
          )
        ),
      explain: (what) => db.snapshot(() => Explain.subjects(db, what).map((key) => Explain.tell(db, key))),
      export: (file, choice) => exportTo(db, file, choice),
      backup: (file) => given(backup(file)),
      reconcile: ({ connections: ids, fix = false, ...range } = {}) =>
        given(
          Effect.gen(function* () {
            const connections = yield* chosen(configuration, ids === undefined ? {} : { connections: ids })
            const found: Array<Audit.Found> = []
            const onFound = (one: Audit.Found) => Effect.sync(() => void found.push(one))
            const { settleAfter } = service
            const asked = { ...range, part: ids !== undefined, mend: fix, settleAfter, onFound }
            const audit = Audit.audit(connections, asked)
            const audited = yield* alone(db, connections, fix ? bound(audit) : audit)
            return { ...audited, found }
          })
        ),
      debtors: (choice) =>
        Effect.flatMap(chosen(configuration, choice), (connections) =>
          db.read(() => connections.flatMap(({ id }) => Debtors.list(db, id)))
        ),
      candidates: (debtor) => given(Debtors.candidates(debtor)),
      match: (debtor, company) =>
        alone(
          db,
          whose(configuration.connections, `${debtor.connection}/`),
          now((millis) => (company === null ? Debtors.forget(db, debtor) : Debtors.choose(db, debtor, company, millis)))
        ),
      check: (id) =>
        given(
          Effect.flatMap(chosen(configuration, { connections: [id] }), ([connection]) => {
            const { environment, folder } = configuration
            return Ingest.checked(connection!, { folder, environment })
          })
        ),
      approve: (connection, digest, who) => decide(connection, digest, "approved", who),
      refuse: (connection, digest, who) => decide(connection, digest, "refused", who),
      renameConnection: (from, to) =>
        isId(to)
          ? Effect.flatMap(
              db.transaction(() => SourceBindings.rename(db, from, to)),
              (done) => ("why" in done ? Effect.fail(new UsageError(done)) : Effect.succeed(done.key))
            )
          : Effect.fail(new UsageError({ why: `${JSON.stringify(to)} is not a connection's name` })),
      acceptConnection: (id) =>
        Effect.flatMap(chosen(configuration, { connections: [id] }), ([connection]) =>
          db.transaction(() => SourceBindings.accept(db, connection!))
        ),
      run,
      events: Stream.fromPubSub(events)
    }
    return api
  })
