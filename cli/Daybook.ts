/**
 * Daybook as a library: the same steps as the command, for programs with Effect and for those without.
 *
 *     const daybook = await Daybook.open(config)
 *     await daybook.pull()
 *     const report = await daybook.apply(await daybook.plan())
 *     await daybook.close()
 */
import { Context, Effect, Layer, ManagedRuntime, Stream } from "effect"
import type { SourceError } from "../connectors/Connector.ts"
import type { Client } from "../core/Client.ts"
import * as Account from "../sync/Account.ts"
import * as Apply from "../sync/Apply.ts"
import type { Taken } from "../sync/Books.ts"
import type { Attention, Call } from "../sync/Call.ts"
import * as Completeness from "../sync/Completeness.ts"
import { Database, type StateError } from "../sync/Database.ts"
import * as MatchCompleteness from "../sync/MatchCompleteness.ts"
import * as Planning from "../sync/Plan.ts"
import { type Config, type ConfigError, type Configuration, decode } from "./Configuration.ts"
import { client, outside } from "./Session.ts"
import { read } from "./Surroundings.ts"

export { type Config, ConfigError, defineConfig, env } from "./Configuration.ts"

export interface DaybookOptions {
  /** The state file; `daybook.db` in the working folder unless given. */
  readonly state?: string
  /** Paths in the configuration are relative to this folder; the working folder unless given. */
  readonly folder?: string
}

/** What is to be sent. `apply` sends exactly this, or nothing when the books moved meanwhile. */
export interface Plan {
  readonly calls: ReadonlyArray<Call>
  readonly attention: ReadonlyArray<Attention>
  readonly digest: string
}

export interface Result extends Apply.Report {
  readonly completeness: ReadonlyArray<Completeness.Statement>
  /** Of connections that pay for others: what was received and matched. */
  readonly payments: ReadonlyArray<MatchCompleteness.PaymentStatement>
}

export interface ApplyOptions {
  readonly allowReductions?: boolean
}

/** One set of books and its service. The state file is held from `open` to `close`. */
export interface Api {
  /** Reads every connection; by connection id, what was read. */
  readonly pull: Effect.Effect<Readonly<Record<string, Taken>>, StateError | SourceError>
  readonly plan: Effect.Effect<Plan, StateError>
  /** Sends a plan, or without one what is to be sent now. */
  readonly apply: (plan?: Plan, options?: ApplyOptions) => Effect.Effect<Result, Apply.ApplyError | ConfigError>
  /** Pull, plan, apply, prove. */
  readonly sync: (options?: ApplyOptions) => Effect.Effect<Result, Apply.ApplyError | ConfigError | SourceError>
}

/** The same with promises. Rejections are the errors of `Api`, each with a `_tag` and a message that says what to do. */
export interface Handle {
  readonly pull: () => Promise<Readonly<Record<string, Taken>>>
  readonly plan: () => Promise<Plan>
  readonly apply: (plan?: Plan, options?: ApplyOptions) => Promise<Result>
  readonly sync: (options?: ApplyOptions) => Promise<Result>
  readonly close: () => Promise<void>
}

const make = Effect.fnUntraced(function* (configuration: Configuration) {
  const { connections, service } = configuration
  const context = yield* Effect.context<Database | Client | Layer.Success<typeof outside>>()
  const pull = Effect.forEach(connections, (connection) =>
    Effect.map(read(configuration, connection), (taken) => [connection.id, taken] as const)
  ).pipe(Effect.map((all) => Object.fromEntries(all)))
  const plan = Effect.gen(function* () {
    const tally = new Planning.Tally()
    const calls: Array<Call> = []
    const attention: Array<Attention> = []
    yield* Planning.stream(connections).pipe(
      Stream.runForEach((planned) =>
        Effect.sync(() => {
          tally.add(planned)
          calls.push(...planned.calls)
          attention.push(...planned.attention)
        })
      )
    )
    return { calls, attention, digest: tally.summary().digest }
  })
  const apply = (plan?: Plan, options: ApplyOptions = {}) =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* Account.bind(service.url, yield* service.key)
      const report = yield* Apply.apply(connections, {
        ...options,
        concurrency: service.concurrency,
        settleAfter: service.settleAfter,
        ...(plan === undefined ? {} : { digest: plan.digest })
      })
      const completeness = yield* db.read(() =>
        Completeness.statements(
          db,
          connections.map(({ id }) => id)
        )
      )
      const payers = connections.filter(({ pays }) => pays !== undefined).map(({ id }) => id)
      const payments = yield* db.read(() => MatchCompleteness.statements(db, payers))
      return { ...report, completeness, payments }
    })
  const api: Api = {
    pull: Effect.provide(pull, context),
    plan: Effect.provide(plan, context),
    apply: (plan, options) => Effect.provide(apply(plan, options), context),
    sync: (options) => Effect.provide(Effect.andThen(pull, apply(undefined, options)), context)
  }
  return api
})

export class Daybook extends Context.Service<Daybook, Api>()("daybook/Daybook") {
  /** For programs with Effect. Fails when the configuration or the state file cannot be used. */
  static readonly layer = (
    config: Config,
    options: DaybookOptions = {}
  ): Layer.Layer<Daybook, ConfigError | StateError> =>
    Layer.unwrap(
      Effect.gen(function* () {
        const configuration = yield* decode(config, {
          file: "the configuration",
          folder: options.folder ?? process.cwd(),
          environment: process.env
        })
        const state = Database.layer({ file: options.state ?? "daybook.db", mode: "write", command: "a program" })
        return Layer.effect(Daybook, make(configuration)).pipe(Layer.provide([state, client(configuration), outside]))
      })
    )

  /** For programs without. Rejects when the configuration or the state file cannot be used. */
  static async open(config: Config, options: DaybookOptions = {}): Promise<Handle> {
    const runtime = ManagedRuntime.make(Daybook.layer(config, options))
    const api = await runtime.runPromise(Daybook)
    return {
      pull: () => runtime.runPromise(api.pull),
      plan: () => runtime.runPromise(api.plan),
      apply: (plan, options) => runtime.runPromise(api.apply(plan, options)),
      sync: (options) => runtime.runPromise(api.sync(options)),
      close: () => runtime.dispose()
    }
  }
}
