/**
 * Offers Daybook as a library: it does what the command does, for programs with and without Effect.
 *
 *     const daybook = await Daybook.open(config)
 *     await daybook.pull()
 *     const report = await daybook.apply(await daybook.plan())
 *     await daybook.close()
 */
import { Context, Effect, Layer, ManagedRuntime, Stream } from "effect"
import type { StateError } from "../state/Database.ts"
import { type Config, type ConfigError, decode } from "./config/Configuration.ts"
import { mailbox } from "./Events.ts"
import type { Api, Event } from "./Api.ts"
import type { Initial, InitOptions } from "./FirstConfiguration.ts"
import type { Tenants, TenantsOptions } from "./many/Opened.ts"
import { closed, UsageError } from "./Exit.ts"
import { make } from "./Library.ts"
import { outside } from "./ServiceClient.ts"
import { renamed } from "./config/Renames.ts"
import { type PromisedApi, promised } from "./Promised.ts"
import { claim } from "./SharedHandles.ts"
import { ofTenant } from "./Tenant.ts"

export { StateError } from "../state/StateError.ts"
export { UsageError } from "./Exit.ts"
export { type Config, ConfigError, defineConfig, env } from "./config/Configuration.ts"
export { addressFor as connectAddress } from "../connect/LinkPerson.ts"
export type { ConnectLink, ConnectLinkOptions, ConnectLinkStanding } from "./ConnectLinks.ts"
export type { Initial, InitOptions, SetupAnswers, SetupDecision, SetupQuestion } from "./FirstConfiguration.ts"
export type { Tenants, TenantsOptions } from "./many/Opened.ts"
export type {
  Api,
  ApplyOptions,
  Choice,
  Event,
  AttentionItem,
  Plan,
  Preview,
  PreviewOptions,
  Proof,
  Reconciled,
  ReconcileOptions,
  Result,
  Status,
  WhatIf,
  WhatIfOptions
} from "./Api.ts"

export interface DaybookOptions {
  /** The state file; default `daybook.db` in the working folder. */
  readonly state?: string
  /** Paths in the configuration are relative to this folder; default: the working folder. */
  readonly folder?: string
  /** Where secrets are read from; default: the process's environment. Each tenant can have its own. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /**
   * Others in this process may open the same state file, each with its own connections, and all with one account of the
   * service: a file for many tenants. It is held until the last of them is closed.
   */
  readonly shared?: boolean
}

/** The same with promises. Rejections are the errors of `Api`, each with a `_tag` and a message that says what to do. */
export type Handle = PromisedApi & {
  /** Runs on the schedules until the signal is aborted. Rejects if the state file can no longer be used. */
  readonly run: (options?: { readonly signal?: AbortSignal }) => Promise<void>
  /** Calls back on each event of this kind; returns a function that ends it. */
  readonly on: <const Type extends Event["type"]>(
    type: Type,
    listener: (event: Extract<Event, { readonly type: Type }>) => void
  ) => () => void
  /** Events from now on, for `for await`. */
  readonly events: () => AsyncIterable<Event>
  /** Waits until work in progress is safely on disk, and releases the state file. */
  readonly close: () => Promise<void>
}

const memo = Layer.makeMemoMapUnsafe()

export class Daybook extends Context.Service<Daybook, Api>()("daybook/Daybook") {
  /** For programs with Effect. Fails if the configuration or the state file cannot be used. */
  static readonly layer = (
    config: Config,
    options: DaybookOptions = {}
  ): Layer.Layer<Daybook, ConfigError | StateError> =>
    Layer.unwrap(
      Effect.gen(function* () {
        const written = yield* decode(config, {
          file: "the configuration",
          folder: options.folder ?? process.cwd(),
          environment: options.environment ?? process.env
        })
        const configuration = yield* renamed(written, options.state ?? "daybook.db")
        const held = yield* claim(configuration, options)
        return Layer.effect(Daybook, held.shared ? ofTenant(configuration) : make(configuration)).pipe(
          Layer.provide([held.state, held.client, outside])
        )
      })
    )

  /**
   * Derives a first configuration from unmodified exports, with each decision and its reason. A question without a suggestion
   * must be answered (`answers`) before the configuration can be used.
   */
  static async init(files: ReadonlyArray<string>, options: InitOptions = {}): Promise<Initial> {
    const { initialOf } = await import("./InitialApart.ts")
    return Effect.runPromise(initialOf(files, options))
  }

  /**
   * Runs many tenants in one process, each with its own configuration and state file. State files are opened as needed.
   * Rejects if their folder cannot be read.
   */
  static async tenants(options: TenantsOptions): Promise<Tenants> {
    const { open } = await import("./many/Opened.ts")
    return open(options)
  }

  /** For programs without Effect. Rejects if the configuration or the state file cannot be used. */
  static async open(config: Config, options: DaybookOptions = {}): Promise<Handle> {
    const runtime = ManagedRuntime.make(Daybook.layer(config, options), { memoMap: memo })
    const api = await runtime.runPromise(Daybook).catch(async (error) => {
      await runtime.dispose()
      throw error
    })
    const { finished, open, start } = starting(runtime)
    const { deafen, hear } = hearing(runtime, api.events)
    const running = new AbortController()
    return {
      ...promised(api, start),
      run: ({ signal } = {}) => {
        const either = signal === undefined ? running.signal : AbortSignal.any([signal, running.signal])
        return start(api.run(), either).catch((cause) => {
          if (!either.aborted || cause instanceof UsageError) throw cause
        })
      },
      on: (type, listener) => {
        open()
        return hear((event) => {
          if (event.type === type) listener(event as never)
        })
      },
      events: () => {
        open()
        const box = mailbox<Event>(() => end())
        const end = hear(box.put, box.end)
        return box
      },
      close: async () => {
        running.abort()
        await finished()
        deafen()
        await runtime.dispose()
      }
    }
  }
}

type Runtime = ManagedRuntime.ManagedRuntime<Daybook, ConfigError | StateError>

/** Starts work, and waits for work in progress before the state file is closed. */
const starting = (runtime: Runtime) => {
  const under = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    /** Throws once nothing starts any more. */
    open: (): void => {
      if (isClosed) throw closed("Daybook.open")
    },
    start: <A>(work: Effect.Effect<A, unknown>, signal?: AbortSignal): Promise<A> => {
      if (isClosed) return Promise.reject(closed("Daybook.open"))
      const promise = runtime.runPromise(work, signal === undefined ? {} : { signal })
      const kept = promise.catch(() => {}).finally(() => under.delete(kept))
      under.add(kept)
      return promise
    },
    /** Nothing starts from now on. */
    finished: async (): Promise<void> => {
      isClosed = true
      while (under.size > 0) await Promise.all(under)
    }
  }
}

const hearing = (runtime: Runtime, events: Api["events"]) => {
  const listening = new Set<() => void>()
  return {
    /** Receives every event from now on, until the returned function is called. */
    hear: (listener: (event: Event) => void, onEnd = () => {}): (() => void) => {
      const controller = new AbortController()
      const each = Stream.runForEach(events, (event) => Effect.sync(() => listener(event)))
      runtime.runFork(each, { signal: controller.signal })
      const end = () => {
        listening.delete(end)
        controller.abort()
        onEnd()
      }
      listening.add(end)
      return end
    },
    deafen: (): void => {
      for (const end of [...listening]) end()
    }
  }
}
