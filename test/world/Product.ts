/**
 * Runs Daybook as a program would that uses the library: through its public interface, with a clock that the world sets. This
 * is the only file of the world that imports it.
 */
import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import {
  type Api,
  type AttentionItem,
  type Config,
  Daybook,
  type Proof,
  type Reconciled
} from "../../sync/library/Daybook.ts"

export type PayoutReport = Effect.Success<ReturnType<Api["payouts"]>>
export type Witnessed = Effect.Success<ReturnType<Api["independent"]>>

/** What a sync says to whoever ran it. */
export interface Said {
  /** As the command would end: 0 if everything agrees, 3 if something needs attention or differs, 1 if it failed. */
  readonly exit: 0 | 1 | 3
  readonly error?: string
  readonly proof?: Proof
  readonly attention: ReadonlyArray<AttentionItem>
  /** How many records could not be read; each is shown. */
  readonly quarantined: number
  /** Guards that a person let pass, having looked at the plan. */
  readonly allowed: ReadonlyArray<string>
}

/** How long a wait may take before it is a time limit, which must not pass at once. */
const WAIT_MS = 10_000

/** The world's time. Short waits pass at once, in its time. */
export class WorldClock implements Clock.Clock {
  #at: number
  #since = performance.now()

  constructor(at: number) {
    this.#at = at
  }
  /** Time passes until then. */
  until(at: number): void {
    if (at > this.currentTimeMillisUnsafe()) {
      this.#at = at
      this.#since = performance.now()
    }
  }
  currentTimeMillisUnsafe(): number {
    return Math.floor(this.#at + performance.now() - this.#since)
  }
  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())
  sleep(duration: Parameters<Clock.Clock["sleep"]>[0]): Effect.Effect<void> {
    const ms = Number(duration.value._tag === "Millis" ? duration.value.millis : WAIT_MS)
    return Effect.callback<void>((resume) => {
      const timer = setTimeout(
        () => {
          if (ms <= WAIT_MS) this.#at += ms
          resume(Effect.void)
        },
        ms > WAIT_MS ? ms : 1
      )
      return Effect.sync(() => clearTimeout(timer))
    })
  }
}

export class Product {
  readonly #folder: string
  readonly #state: string
  readonly #clock: WorldClock
  readonly #environment: Readonly<Record<string, string>>
  #configuration = ""
  #open:
    | {
        readonly api: Api
        readonly run: <A, E>(work: Effect.Effect<A, E>) => Promise<A>
        readonly close: () => Promise<void>
      }
    | undefined

  constructor(folder: string, state: string, clock: WorldClock, environment: Readonly<Record<string, string>>) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.#state = join(folder, state)
    this.#clock = clock
    this.#environment = environment
  }

  /** The files that its connections read are these from now on. */
  files(files: ReadonlyMap<string, string>): void {
    const there = (folder: string): ReadonlyArray<string> =>
      readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
        one.isDirectory() ? there(join(folder, one.name)) : [join(folder, one.name)]
      )
    for (const path of there(this.#folder)) {
      const name = relative(this.#folder, path)
      if (!files.has(name) && !/\.db|\.lock|backup/.test(name)) rmSync(path)
    }
    for (const [name, text] of files) {
      const path = join(this.#folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }

  async #opened(config: Config) {
    const text = JSON.stringify(config)
    if (this.#open !== undefined && text === this.#configuration) return this.#open
    await this.close()
    const daybook = Daybook.layer(config, { folder: this.#folder, state: this.#state, environment: this.#environment })
    const runtime = ManagedRuntime.make(Layer.provideMerge(daybook, Layer.succeed(Clock.Clock, this.#clock)))
    const api = await runtime.runPromise(Daybook)
    this.#configuration = text
    this.#open = { api, run: (work) => runtime.runPromise(work), close: () => runtime.dispose() }
    return this.#open
  }

  async sync(config: Config): Promise<Said> {
    const allowed = new Set<string>()
    for (;;) {
      try {
        const { api, run } = await this.#opened(config)
        const {
          attention: count,
          stopped,
          unknown,
          ...proof
        } = await run(api.sync({ firstSync: "send", allow: [...allowed] as never }))
        const attention = await run(api.attention())
        const { quarantined } = await run(api.status())
        const differs = [...proof.completeness, ...proof.payments, ...proof.orders].some(
          (one) => one.differences.length > 0
        )
        const isEnded = stopped === undefined && unknown === 0
        const exit = !isEnded ? 1 : differs || count > 0 || attention.length > 0 || quarantined > 0 ? 3 : 0
        return {
          exit,
          proof,
          attention,
          quarantined,
          allowed: [...allowed],
          ...(stopped === undefined ? {} : { error: JSON.stringify(stopped) })
        }
      } catch (cause) {
        const error = cause instanceof Error ? cause.message : String(cause)
        const guards = [...error.matchAll(/\bG\d+\b/g)].map(([guard]) => guard).filter((guard) => !allowed.has(guard))
        if (guards.length > 0) for (const guard of guards) allowed.add(guard)
        else
          return {
            exit: 1,
            error,
            quarantined: 0,
            attention: this.#open === undefined ? [] : await this.#open.run(this.#open.api.attention()).catch(() => []),
            allowed: [...allowed]
          }
      }
    }
  }

  async reconcile(config: Config): Promise<Reconciled | string> {
    try {
      const { api, run } = await this.#opened(config)
      return await run(api.reconcile({ fix: true }))
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause)
    }
  }

  /** Gives a payment of an attention item to invoices, by number. Returns why that cannot be done. */
  async assign(id: number, invoices: ReadonlyArray<string>): Promise<string | undefined> {
    return this.#act((api) => api.assign(id, invoices, true))
  }

  /** Says of several payments that they are for no invoice. Returns why that cannot be said. */
  async assignNone(ids: ReadonlyArray<number>): Promise<string | undefined> {
    return this.#act((api) => api.assignNone(ids))
  }

  /** Says which payment this is the same as, or that all were received. Returns why that cannot be said. */
  async sameMoney(id: number, as?: string): Promise<string | undefined> {
    return this.#act((api) => api.sameMoney(id, as))
  }

  /** Takes back what was said of a payment: as it was before, or so that it is matched anew. Returns why that cannot be done. */
  async takeBack(payment: string): Promise<string | undefined> {
    const { api, run } = this.#open!
    const offered = (await run(api.undoable())).find(({ words }) => words.split(/[\s,]+/).includes(payment))
    if (offered !== undefined) return this.#act((api) => api.undo(offered.id, offered.digest))
    const back: (key: string, options?: { readonly same?: boolean }) => ReturnType<Api["unassign"]> = api.unassign
    let refused = "it cannot be undone, and nothing was said of it"
    // Where both are reported, nothing would be asked anew: whoever takes it back says at once that they are the same.
    for (const same of [false, true])
      try {
        if (await run(back(payment, { same }))) return undefined
      } catch (cause) {
        refused = cause instanceof Error ? cause.message : String(cause)
      }
    return refused
  }

  /** Says that a payment is not for what it was matched with. Returns why that cannot be said. */
  async ask(payment: string): Promise<string | undefined> {
    return this.#act((api) => api.ask(payment, true))
  }

  /** Whether it can be seen that somebody said for which invoices this payment is. */
  async isChosen(payment: string): Promise<boolean> {
    const { api, run } = this.#open!
    return (await run(api.choices())).some((one) => one.payment === payment)
  }

  async payouts(): Promise<PayoutReport> {
    const { api, run } = this.#open!
    return run(api.payouts())
  }

  /** What somebody finds who shares no rule with Daybook. */
  async witnessed(): Promise<Witnessed> {
    const { api, run } = this.#open!
    return run(api.independent())
  }

  /** Why the records of this document cannot be read. */
  async whyUnread(id: string): Promise<ReadonlyArray<string>> {
    const { api, run } = this.#open!
    return (await run(api.explain(id))).flatMap(({ quarantined }) => quarantined.map(({ why }) => why))
  }

  /** What is to be looked at now. */
  async attention(): Promise<ReadonlyArray<AttentionItem>> {
    const { api, run } = this.#open!
    return run(api.attention())
  }

  async resolve(id: number): Promise<string | undefined> {
    return this.#act((api) => api.resolve(id, "looked at"))
  }

  async retry(id: number): Promise<string | undefined> {
    return this.#act((api) => api.retry(id))
  }

  async #act(work: (api: Api) => Effect.Effect<unknown, unknown>): Promise<string | undefined> {
    const { api, run } = this.#open!
    try {
      await run(work(api))
      return undefined
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause)
    }
  }

  async backup(): Promise<void> {
    await this.close()
    if (existsSync(this.#state)) copyFileSync(this.#state, `${this.#state}.backup`)
  }

  async restore(): Promise<void> {
    await this.close()
    if (!existsSync(`${this.#state}.backup`)) return
    for (const suffix of ["-wal", "-shm"]) rmSync(`${this.#state}${suffix}`, { force: true })
    copyFileSync(`${this.#state}.backup`, this.#state)
  }

  async close(): Promise<void> {
    await this.#open?.close()
    this.#open = undefined
  }
}
