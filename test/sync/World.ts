/**
 * A source, the sync and the sandbox in one process on one clock, with a network and a machine that fail on purpose.
 *
 * Each `life` opens the state file anew, as a command does. At a kill the file and its log are copied as they are; from then
 * on nothing of that life reaches the disk or the network, and requests that had left are carried out.
 */
import { Clock, type Context, Deferred, Effect, type Exit, type Fiber, FileSystem, Layer, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Connector } from "../../connectors/Connector.ts"
import type { Document } from "../../connectors/Document.ts"
import { Client } from "../../core/Client.ts"
import { deriveOver } from "../../core/DerivedClient.ts"
import { layerHttp } from "../support/ClientOver.ts"
import * as InProcess from "../../core/sandbox/server/InProcess.ts"
import { Instance } from "../../core/sandbox/server/Instance.ts"
import type { PlatformShelves } from "../../core/sandbox/store/Store.ts"
import * as Account from "../../sync/apply/Account.ts"
import * as FirstSend from "../../sync/apply/FirstSend.ts"
import type { Secrets } from "../../sync/apply/NamedSecrets.ts"
import * as CoverSync from "../../sync/CoverSync.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { GUARDS } from "../../sync/model/Guard.ts"
import { Database, StateError } from "../../sync/state/Database.ts"
import { inMemory } from "../support/InMemory.ts"
import { isWhereItWas } from "./SameDisk.ts"
import { read } from "./Reading.ts"
import { connection, whole } from "./Source.ts"
import { JumpingClock, ServiceTime, turn } from "./Time.ts"
import { heardBy, Killed, type SyncOptions, type WorldOptions } from "./WorldOptions.ts"

export type { SyncOptions, WorldOptions, Wrap } from "./WorldOptions.ts"

export const URL = "http://127.0.0.1"
export const KEY = "key-5b1d0c77e2"
/** What cover is paid with, and where recovered money goes. */
export const SECRETS = { COVER_PAYMENT: "tok_visa", BANK_SORTCODE: "20-00-77", BANK_NUMBER: "87654321" }

type Db = Database["Service"]

/** How long nothing may move, in real time: files are read and written beside this thread, slowly on a busy machine. */
const STUCK_MS = 20_000

/** What a command of the program has at hand. */
type Services = Database | Client | HttpClient.HttpClient | FileSystem.FileSystem

export class World {
  readonly clock: JumpingClock
  readonly time: ServiceTime
  readonly instance: Instance
  readonly connection: Connection
  /** The first, and what pays for it. */
  readonly connections: ReadonlyArray<Connection>
  /** What the source holds. */
  documents: ReadonlyArray<Document> = []
  /** What the source of the second connection holds. */
  payments: ReadonlyArray<Document> = []
  /** The step before which the machine dies; counted from 1. */
  killAt: number | undefined
  /** The step at which the program is asked to end, as by Ctrl-C; counted from 1. */
  interruptAt: number | undefined
  /** The steps, from and before, at which the disk takes no more. */
  fullAt: readonly [number, number] | undefined
  /** Answers of changes that reached the program in this life. */
  heard = 0
  /** Steps of this life so far: requests that leave, answers that arrive, commits before and after. */
  readonly steps: Array<string> = []
  /** Looks at the database as a request leaves. */
  onSend: ((db: Db, method: string, path: string) => void) | undefined
  onAnswer: (() => void) | undefined
  readonly inFlight = { now: 0, most: 0 }
  readonly #options: WorldOptions
  /** Where the user's own files are. */
  readonly folder = mkdtempSync(join(inMemory(), "daybook-world-"))
  #generation = 0
  #dead = false
  #lockRemoved = false
  #db: Db | undefined
  #fiber: Fiber.Fiber<unknown, unknown> | undefined
  /** What goes on beside the work of this life, in the same process, and how it ended. */
  #beside: Array<Deferred.Deferred<void>> = []
  #services: Context.Context<Services> | undefined
  readonly ends: Array<Exit.Exit<unknown, unknown>> = []
  /** Other processes that are at work. */
  #others = 0
  /** Those of them that may wait for the lock. */
  #waiting: Array<Fiber.Fiber<unknown, unknown>> = []
  #client: Layer.Layer<Client> | undefined

  constructor(options: WorldOptions = {}) {
    this.#options = options
    this.clock = options.beside?.clock ?? new JumpingClock()
    this.time = new ServiceTime(this.clock)
    const clocks = { now: () => this.time.now, later: this.clock.later }
    this.instance = options.beside?.instance ?? new Instance({ keys: [KEY], ...clocks, windows: options.windows ?? {} })
    const { pays } = options
    const first =
      options.source?.connection ??
      connection(options.connector ?? whole(() => this.documents, options.dice), options.planning)
    this.connection = pays === undefined ? first : { ...first, paid: true }
    const second = (source: Connector): Connection => ({
      ...connection(source, first.planning, "debits"),
      pays: { connection: first.id, days: 30 }
    })
    this.connections =
      pays === undefined
        ? [this.connection]
        : [this.connection, second(pays === true ? whole(() => this.payments, options.dice) : pays)]
    mkdirSync(join(this.folder, "0"), { recursive: true })
  }

  get file(): string {
    return join(this.folder, `${this.#generation}`, "daybook.db")
  }

  /** This life was ended by a kill. */
  get dead(): boolean {
    return this.#dead
  }

  /** What the service holds. */
  get service(): PlatformShelves {
    return this.instance.service.store.platform(KEY)
  }

  /** Requests that changed something on the service. */
  get changes(): number {
    return this.instance.journal.filter(({ acted, method }) => acted && method !== "GET").length
  }

  close(): void {
    if (this.#options.beside === undefined) this.instance.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** One step. The machine may die here. */
  readonly step = (what: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      this.clock.activity++
      if (this.#dead) return Effect.die(new Killed(what))
      this.steps.push(what)
      if (this.steps.length === this.interruptAt) {
        this.#fiber?.interruptUnsafe()
        return Effect.yieldNow
      }
      if (this.killAt === undefined || this.steps.length < this.killAt) return Effect.void
      this.kill()
      return Effect.die(new Killed(what))
    })

  /** Somebody deletes the lock file. */
  removeLock(): void {
    rmSync(`${this.file}.lock`, { force: true })
    if (this.#dead) isWhereItWas(this.file)
    else this.#lockRemoved = true
  }

  /** The process dies: what is on disk is all that is left. */
  kill(): void {
    const from = this.file
    const to = this.#generation + 1
    mkdirSync(join(this.folder, `${to}`), { recursive: true })
    for (const part of ["", "-wal", ".lock"]) {
      if (existsSync(from + part)) copyFileSync(from + part, join(this.folder, `${to}`, `daybook.db${part}`))
    }
    // What that life still has open is no file any more: this is the same disk, not a copy of it.
    rmSync(from, { force: true })
    this.#generation = to
    if (this.#lockRemoved) isWhereItWas(this.file)
    this.#lockRemoved = false
    this.#dead = true
    // They would find no file there: what waited is started anew by whoever starts this one.
    for (const fiber of this.#waiting) fiber.interruptUnsafe()
  }

  readonly #database = (): Layer.Layer<Database, StateError> =>
    Layer.effect(
      Database,
      Effect.map(Database, (db) => {
        // A process that dies leaves what it wrote to the system; only a power cut asks for more, and is not tried here.
        db.raw.pragma("synchronous = OFF")
        const wrapped = this.#options.wrap?.(db, this) ?? db
        this.#db = db
        const stepped =
          (run: Db["commit"]): Db["commit"] =>
          (work) =>
            this.step("commit").pipe(
              Effect.andThen(Effect.suspend(() => this.#room())),
              Effect.andThen(run(work)),
              Effect.tap(() => this.step("committed"))
            )
        return { ...wrapped, commit: stepped(wrapped.commit), transaction: stepped(wrapped.transaction) }
      })
    ).pipe(Layer.provide(Database.layer({ file: this.file, mode: "write", command: "a test" })))

  /** Fails where the disk takes no more. */
  #room(): Effect.Effect<void, StateError> {
    const [from, before] = this.fullAt ?? [0, 0]
    if (this.steps.length < from || this.steps.length >= before) return Effect.void
    return Effect.fail(new StateError({ kind: "full", file: this.file, why: "the disk is full" }))
  }

  readonly #network = (): HttpClient.HttpClient => {
    const inner = heardBy(this.#options, InProcess.client(this.instance))
    const source = this.#options.source?.client
    return HttpClient.make((request, url) =>
      Effect.gen({ self: this }, function* () {
        if (source !== undefined && url.origin !== URL) return yield* source.execute(request)
        yield* this.step(`${request.method} ${url.pathname}`)
        if (request.method !== "GET" && this.#db !== undefined) this.onSend?.(this.#db, request.method, url.pathname)
        this.inFlight.most = Math.max(this.inFlight.most, ++this.inFlight.now)
        const fault = this.#options.fault?.(request.method, url.pathname)
        if (fault?.kind === "foreign") {
          this.inFlight.now--
          if (fault.acted) yield* Effect.exit(inner.execute(request))
          yield* this.step(`foreign answer to ${request.method} ${url.pathname}`)
          const { body, status, type } = fault
          return HttpClientResponse.fromWeb(request, new Response(body, { headers: { "content-type": type }, status }))
        }
        if (fault !== undefined) this.instance.faults.add({ ...fault, times: 1 })
        const answer = yield* Effect.exit(
          Effect.onExit(Effect.map(inner.execute(request), this.time.dated), () =>
            Effect.sync(() => void this.inFlight.now--)
          )
        )
        if (fault !== undefined) this.instance.faults.clear()
        yield* this.step(`answer to ${request.method} ${url.pathname}`)
        this.onAnswer?.()
        return yield* answer
      })
    )
  }

  /** The service's client; made once, because it is worth a tenth of a small run. */
  readonly #service = (): Layer.Layer<Client> => {
    this.#client ??= Layer.succeedContext(
      Effect.runSync(
        Effect.scoped(
          Layer.build(
            Layer.effect(
              Client,
              Effect.map(deriveOver({ url: URL, key: Redacted.make(KEY) }), (client) => ({
                ...client,
                send: (...request: Parameters<typeof client.send>) =>
                  Effect.tap(client.send(...request), () => Effect.sync(() => void this.heard++))
              }))
            ).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, this.#network())))
          )
        )
      )
    )
    return this.#client
  }

  /**
   * Another process does the same on the same file at the same time, or on a copy; its network and its machine do not fail.
   * It fails where the lock is held, or waits for it where it `shares` the file, as a daemon does.
   */
  second(options: SyncOptions = {}, { file = this.file, shares = false } = {}): void {
    this.#others++
    const http = Layer.succeed(HttpClient.HttpClient, heardBy(this.#options, InProcess.client(this.instance)))
    const layers = Layer.mergeAll(
      Database.layer({ file, mode: shares ? "share" : "write", command: "a second one" }),
      layerHttp({ url: URL, key: Redacted.make(KEY) }).pipe(Layer.provide(http)),
      http,
      FileSystem.layerNoop({})
    )
    const work = Effect.flatMap(Database, (db) => db.hold(this.#work(options)))
    const fiber = Effect.runFork(work.pipe(Effect.provide(layers), Effect.provideService(Clock.Clock, this.clock)))
    if (shares) this.#waiting.push(fiber)
    fiber.addObserver(() => void this.#others--)
  }

  /** Runs `work` as one command of the program, with time passing as fast as it can. */
  async life<A, E>(work: Effect.Effect<A, E, Services>): Promise<Exit.Exit<A, E | StateError>> {
    this.steps.length = 0
    this.heard = 0
    this.#dead = false
    this.#beside = []
    this.#waiting = []
    this.ends.length = 0
    const layers = Layer.mergeAll(
      this.#database(),
      this.#service(),
      Layer.succeed(HttpClient.HttpClient, this.#network()),
      FileSystem.layerNoop({})
    )
    const whole = Effect.andThen(
      Effect.contextWith((services: Context.Context<Services>) => Effect.sync(() => void (this.#services = services))),
      // The process ends when all of its work has.
      Effect.onExit(work, () => this.#besideEnds)
    )
    const fiber = Effect.runFork(whole.pipe(Effect.provide(layers), Effect.provideService(Clock.Clock, this.clock)))
    this.#fiber = fiber
    let exit: Exit.Exit<A, E | StateError> | undefined
    fiber.addObserver((ended) => {
      exit = ended
    })
    let before = -1
    const began = performance.now()
    for (let idle = 0; exit === undefined || this.#others > 0; ) {
      await turn()
      idle = this.clock.activity === before ? idle + 1 : 0
      before = this.clock.activity
      if (idle > 10 && !this.clock.jump() && idle > 20_000 && performance.now() - began > STUCK_MS)
        throw new Error("nothing moves any more")
    }
    this.#db = undefined
    return exit
  }

  /** Something else goes on in the same process, on the same handle, unless something does already. */
  beside(work: Effect.Effect<unknown, unknown, Services>): boolean {
    if (this.#services === undefined || this.#dead || this.#beside.length > this.ends.length) return false
    // Known before it starts: its first steps, which it takes at once, may end this life or ask for more beside it.
    const ended = Deferred.makeUnsafe<void>()
    this.#beside.push(ended)
    Effect.runForkWith(this.#services)(work).addObserver((exit) => {
      this.ends.push(exit)
      Deferred.doneUnsafe(ended, Effect.void)
    })
    return true
  }

  readonly #besideEnds = Effect.suspend(() => {
    this.#services = undefined
    return Effect.forEach(this.#beside, (ended) => Deferred.await(ended), { discard: true })
  })

  /** Pull and apply, as `daybook sync` does. */
  readonly sync = (options: SyncOptions = {}) => this.life(this.#work(options))

  readonly #work = (options: SyncOptions) => {
    const { evenSo = false, guarded = false, reads = this.connections.map(({ id }) => id), ...more } = options
    return Effect.gen({ self: this }, function* () {
      yield* Account.bind(URL, Redacted.make(KEY))
      for (const id of reads) {
        const reading = read(this.connections.find((one) => one.id === id)!)
        yield* evenSo ? Effect.catchTag(reading, "SourceError", () => Effect.void) : reading
      }
      const stopped = guarded ? yield* FirstSend.check(this.connections, this.connections, more.settleAfter) : undefined
      const books = { folder: this.folder, environment: {}, connections: this.connections }
      if (stopped === undefined) yield* CoverSync.refresh(books, this.connections)
      const secrets: Secrets = (name) => Redacted.make(SECRETS[name as keyof typeof SECRETS])
      return yield* CoverSync.applyWithOffers(this.connections, { allow: GUARDS, stopped, secrets, ...more })
    })
  }
}
