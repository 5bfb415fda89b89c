/**
 * What the library can do, as effects: everything that the commands can, on one state file that is held from `open` to
 * `close`. Of one connection only one thing is done at a time, whoever asks.
 */
import { Clock, Effect, type Layer, PubSub, type Scope, Stream } from "effect"
import type { Client } from "../../core/Client.ts"
import * as Account from "../apply/Account.ts"
import * as Apply from "../apply/Apply.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as Attentions from "../apply/AttentionStore.ts"
import * as Audit from "../reconciliation/Audit.ts"
import { backup } from "../state/Backup.ts"
import type { Attention, Call } from "../model/Call.ts"
import * as Completeness from "../Completeness.ts"
import type { Connection } from "../model/Connection.ts"
import * as Daemon from "../schedule/Scheduler.ts"
import { Database } from "../state/Database.ts"
import * as Decisions from "../Decisions.ts"
import * as Debtors from "../reports/Debtors.ts"
import * as Match from "../matching/Run.ts"
import * as MatchCompleteness from "../reconciliation/PaymentStatement.ts"
import * as OrderCompleteness from "../OrderCompleteness.ts"
import * as Overview from "../reports/Status.ts"
import * as Planning from "../plan/Plan.ts"
import * as Turns from "../schedule/RunState.ts"
import { ConfigError, type Configuration } from "./config/Configuration.ts"
import { turn } from "./RunConnection.ts"
import * as Explain from "./Explain.ts"
import type { Api, Choice, Event } from "./Api.ts"
import { UsageError } from "./Exit.ts"
import { alone } from "../../cli/Lanes.ts"
import * as PaymentChoice from "./PaymentChoice.ts"
import { candidatesOf } from "./PlanRecords.ts"
import { exportTo } from "../export/index.ts"
import type { outside } from "../../cli/CommandContext.ts"
import { read } from "./ConnectorContext.ts"

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
    const matter = (id: number) => Attentions.list(db).find((one) => one.id === id)
    /** What was decided about a payment has its effect at once. */
    const matched = <A, E>(decision: Effect.Effect<A, E>, wants: (decided: A) => boolean) =>
      Effect.tap(decision, (decided) => (wants(decided) ? given(Match.run) : Effect.void))
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
      attention: () => db.read(() => Attentions.list(db).map((one) => ({ ...one, ...candidatesOf(db, one) }))),
      resolve: (id, note = "resolved") =>
        now((millis) => {
          const found = matter(id)
          if (found !== undefined) Decisions.resolve(db, found, note, millis)
          return found !== undefined
        }),
      retry: (id) =>
        matched(
          now((millis) => Decisions.retry(db, id, millis)),
          (open) => open
        ),
      assign: (id, invoices) =>
        matched(
          now((millis) => {
            const found = matter(id)
            return found === undefined
              ? { why: `there is no open matter ${id}` }
              : PaymentChoice.choose(db, found, invoices, millis)
          }),
          (choice) => !("why" in choice)
        ).pipe(
          Effect.flatMap((choice) =>
            "why" in choice ? Effect.fail(new UsageError(choice)) : Effect.succeed(choice.shares)
          )
        ),
      explain: (what) => db.snapshot(() => Explain.subjects(db, what).map((key) => Explain.tell(db, key))),
      export: (file, choice) => exportTo(db, file, choice),
      backup: (file) => given(backup(file)),
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
