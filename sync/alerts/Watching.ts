/**
 * Runs the alerts: checks the facts, stores decisions and sends what is due, while the program runs. It checks after each run,
 * and at intervals, because deadlines pass by themselves.
 *
 * Errors here stop nothing else: an alert that could not be stored is found by the next check, and a message that was not
 * accepted is retried.
 */
import { Cause, Clock, Effect, Exit, Queue } from "effect"
import { HttpClient } from "effect/http"
import type { AlertSettings } from "../model/AlertSettings.ts"
import type { Connection } from "../model/Connection.ts"
import * as Schedule from "../model/Schedule.ts"
import type { RunEvent } from "../schedule/Scheduler.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as AlertStore from "./AlertStore.ts"
import { NotDelivered } from "./channels/Delivery.ts"
import { type ChannelOwner, send } from "./channels/Send.ts"
import { decideAlerts } from "./Decide.ts"
import type { Facts } from "./Facts.ts"
import * as Read from "./Read.ts"
import { type Watch, watches } from "./Rules.ts"

/** The current configuration of alerts. */
export interface AlertSetup extends ChannelOwner {
  /** Not set: nobody is notified. */
  readonly alerts?: AlertSettings
  readonly connections: ReadonlyArray<Connection>
  readonly service: { readonly url: string }
}

/** The result of an attempt to send a message. */
export interface Delivered {
  readonly channel: string
  readonly outcome: "sent" | "again" | "given up"
  readonly why?: string
}

export interface WatchingOptions<R = never> {
  readonly setup: Effect.Effect<AlertSetup, never, R>
  /** One tenant of a shared file: disk and clock are not its concern. */
  readonly tenant?: boolean
  /** Removes secrets from a text. */
  readonly hide: (text: string) => string
  readonly onDelivered?: (delivered: Delivered) => Effect.Effect<void>
}

export interface Watching {
  /** Continues until interrupted. */
  readonly run: Effect.Effect<never>
  /** Reports that a run of this connection ended. */
  readonly ran: (connection: string) => Effect.Effect<void>
}

/** Triggers a check after a run. */
export const onRun = ({ ran }: Watching, { connection, type }: RunEvent): Effect.Effect<void> =>
  type === "ended" || type === "failed" ? ran(connection) : Effect.void

/** The longest interval between checks. */
const LOOKS_MS = 60_000
/** How often the service's time is requested. */
const CLOCK_MS = 3_600_000
/** An attempt without a known result is repeated after this. */
const LEASE_MS = 600_000
/** These take most of a day: after that, a person has to look at it. */
const MOST_ATTEMPTS = 24
const TIDIES_MS = 3_600_000

/** The delay after an error. */
const RESTS_MS = 5000

type Turn = (setup: AlertSetup, alerts: AlertSettings) => Effect.Effect<number | null, StateError>

class Watcher<R> {
  readonly #db: Db
  readonly #client: HttpClient.HttpClient
  readonly #options: WatchingOptions<R>
  /** Signals that there is something to check, or to send. */
  readonly #looks: Queue.Queue<void>
  readonly #sends: Queue.Queue<void>
  /** Connections whose sources and statements must be checked; undefined: all. */
  #ran: Set<string> | undefined
  #aheadMs: number | undefined
  #asked = Number.NEGATIVE_INFINITY
  #tidied = Number.NEGATIVE_INFINITY

  constructor(
    db: Db,
    client: HttpClient.HttpClient,
    options: WatchingOptions<R>,
    [looks, sends]: readonly [Queue.Queue<void>, Queue.Queue<void>]
  ) {
    this.#db = db
    this.#client = client
    this.#options = options
    this.#looks = looks
    this.#sends = sends
  }

  ran(connection: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#ran?.add(connection)
      return Effect.asVoid(Queue.offer(this.#looks, undefined))
    })
  }

  /** Sends in a separate loop, so that a server that does not answer does not block the checks. */
  run(): Effect.Effect<never, never, R> {
    const looking = this.#loop(this.#looks, (setup, alerts) => this.#look(setup, alerts))
    const sending = this.#loop(this.#sends, (setup, alerts) => this.#deliver(setup, alerts))
    return Effect.andThen(this.#releasing(), Effect.raceFirst(looking, sending))
  }

  /** One look, and one attempt at each message that is due. */
  once(): Effect.Effect<void, StateError, R> {
    return Effect.gen({ self: this }, function* () {
      const setup = yield* this.#options.setup
      if (setup.alerts === undefined) return
      yield* this.#releasing()
      yield* this.#look(setup, setup.alerts)
      yield* this.#deliver(setup, setup.alerts)
    })
  }

  /** Repeats turns; each returns when the next one is due. */
  #loop(stirs: Queue.Queue<void>, turn: Turn): Effect.Effect<never, never, R> {
    const { setup } = this.#options
    const once = Effect.gen(function* () {
      const now = yield* setup
      return now.alerts === undefined ? null : yield* turn(now, now.alerts)
    })
    return Effect.forever(
      Effect.gen(function* () {
        const wakes = yield* Effect.exit(once)
        if (Exit.isFailure(wakes) && Cause.hasInterrupts(wakes.cause)) return yield* Effect.interrupt
        const now = yield* Clock.currentTimeMillis
        // Another process writes, or the disk is full: both are temporary. A defect does not end all alerts either.
        if (Exit.isFailure(wakes)) yield* Effect.logWarning("alerts could not be looked after", wakes.cause)
        const until = Exit.isFailure(wakes) ? now + RESTS_MS : (wakes.value ?? Number.POSITIVE_INFINITY)
        yield* Effect.raceFirst(Queue.take(stirs), Effect.sleep(Math.min(LOOKS_MS, Math.max(50, until - now))))
      })
    )
  }

  /** Retries what the program before this one was sending when it ended. */
  #releasing(): Effect.Effect<void, never, R> {
    return Effect.gen({ self: this }, function* () {
      const only = this.#only(yield* this.#options.setup)
      const now = yield* Clock.currentTimeMillis
      yield* this.#db.transaction(() => AlertStore.release(this.#db, now, only))
    }).pipe(Effect.ignore)
  }

  #only({ connections }: AlertSetup): ReadonlyArray<string> | undefined {
    return this.#options.tenant === true ? connections.map(({ id }) => id) : undefined
  }

  /** Decides, and stores decisions together with their messages. */
  #look(setup: AlertSetup, alerts: AlertSettings): Effect.Effect<number | null, StateError> {
    const watcher = this
    const db = this.#db
    return Effect.gen(function* () {
      const rules = watches(alerts).filter(({ kind }) => watcher.#options.tenant !== true || !isOfMachine(kind))
      const has = (kind: Watch["kind"]) => rules.some((one) => one.kind === kind)
      if (has("clock")) yield* watcher.#askTime(setup.service.url)
      const now = yield* Clock.currentTimeMillis
      const ids = setup.connections.map(({ id }) => id)
      const ran = watcher.#ran
      watcher.#ran = new Set()
      const looked = ran === undefined ? ids : ids.filter((id) => ran.has(id))
      const only = watcher.#only(setup)
      const channels = new Set(Object.keys(alerts.channels))
      const work = Effect.gen(function* () {
        const slow = yield* db.snapshot(() => Read.slow(db, has("drift") || has("difference") ? looked : [], now))
        const disk = has("disk") ? Read.disk(db.file) : undefined
        yield* db.transaction(() => {
          db.verify()
          const facts: Facts = {
            ...watcher.#hidden(Read.few(db, setup.connections, now)),
            ...slow,
            disk,
            aheadMs: watcher.#aheadMs
          }
          AlertStore.keep(db, decideAlerts(rules, facts, AlertStore.before(db, only), channels), now)
          AlertStore.enqueue(db, { now, only, channels, page: alerts.page })
          if (now - watcher.#tidied > TIDIES_MS) AlertStore.forget(db, now)
        })
        if (now - watcher.#tidied > TIDIES_MS) watcher.#tidied = now
        yield* Queue.offer(watcher.#sends, undefined)
        return yield* db.read(() => AlertStore.nextDue(db, only))
      })
      // After an error, the next check looks at these connections again.
      return yield* Effect.tapError(work, () =>
        Effect.sync(
          () => void (watcher.#ran = ran === undefined ? undefined : new Set([...ran, ...(watcher.#ran ?? [])]))
        )
      )
    })
  }

  /** Messages of failed runs may repeat secrets that a connector was given. */
  #hidden(facts: Read.FewFacts): Read.FewFacts {
    const { hide } = this.#options
    const each = (text: string | null) => (text === null ? null : hide(text))
    return {
      ...facts,
      runs: facts.runs.map((run) => ({ ...run, message: each(run.message), unauthorised: each(run.unauthorised) }))
    }
  }

  #askTime(url: string): Effect.Effect<void> {
    const watcher = this
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (Math.abs(now - watcher.#asked) < CLOCK_MS) return
      watcher.#asked = now
      watcher.#aheadMs = yield* Effect.provideService(Read.ahead(url), HttpClient.HttpClient, watcher.#client)
    })
  }

  /** Sends to all channels concurrently, so that none waits for another; the messages of each channel in order. */
  #deliver(setup: AlertSetup, alerts: AlertSettings): Effect.Effect<number | null, StateError> {
    const db = this.#db
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const only = this.#only(setup)
      const messages = yield* db.read(() => AlertStore.due(db, now, only))
      const byChannel = Map.groupBy(messages, ({ channel }) => channel)
      yield* Effect.forEach(
        byChannel.values(),
        (all) => Effect.forEach(all, (one) => this.#attempt(setup, alerts, one), { discard: true }),
        { concurrency: "unbounded", discard: true }
      )
      return yield* db.read(() => AlertStore.nextMessage(db, only))
    })
  }

  #attempt(
    setup: AlertSetup,
    { channels }: AlertSettings,
    { attempts, channel: name, id, message }: AlertStore.QueuedMessage
  ): Effect.Effect<void, StateError> {
    const db = this.#db
    const { onDelivered = () => Effect.void } = this.#options
    return Effect.gen({ self: this }, function* () {
      const began = yield* Clock.currentTimeMillis
      yield* db.transaction(() => {
        db.verify()
        AlertStore.claim(db, id, began + LEASE_MS)
      })
      const channel = channels[name]
      const sending =
        channel === undefined
          ? Effect.fail(new NotDelivered({ why: "the configuration has no channel of this name", again: false }))
          : send(channel, setup, message).pipe(
              Effect.provideService(HttpClient.HttpClient, this.#client),
              // The error's message may contain the address.
              Effect.catchDefect(() => Effect.fail(new NotDelivered({ why: "it could not be sent", again: true })))
            )
      const result = yield* Effect.result(sending)
      const now = yield* Clock.currentTimeMillis
      if (result._tag === "Success") {
        yield* db.transaction(() => AlertStore.sent(db, id, now))
        return yield* onDelivered({ channel: name, outcome: "sent" })
      }
      const { again, wait = 0, why } = result.failure
      const next = again && attempts + 1 < MOST_ATTEMPTS ? now + Math.max(wait, Schedule.backoff(attempts + 1)) : null
      yield* db.transaction(() => AlertStore.failed(db, id, why, next))
      const rest = next === null ? "it is not tried again; daybook alerts retry" : "it is tried again"
      yield* Effect.logWarning(`an alert did not reach ${name}: ${why}; ${rest}`)
      yield* onDelivered({ channel: name, outcome: next === null ? "given up" : "again", why })
    })
  }
}

const isOfMachine = (kind: Watch["kind"]): boolean => kind === "disk" || kind === "clock"

const watcherOf = <R>(options: WatchingOptions<R>) =>
  Effect.gen(function* () {
    // A channel's address is a secret, and would be visible in a trace.
    const client = yield* HttpClient.HttpClient
    const stirs = [yield* Queue.sliding<void>(1), yield* Queue.sliding<void>(1)] as const
    return new Watcher(yield* Database, client, options, stirs)
  })

const untraced = Effect.provideService(HttpClient.TracerDisabledWhen, () => true)

/** Looks once, and sends what is due: for a program that ends with its run. */
export const once = <R = never>(
  options: WatchingOptions<R>
): Effect.Effect<void, StateError, Database | HttpClient.HttpClient | R> =>
  Effect.flatMap(watcherOf(options), (watcher) => untraced(watcher.once()))

export const make = <R = never>(
  options: WatchingOptions<R>
): Effect.Effect<Watching, never, Database | HttpClient.HttpClient | R> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const watcher = yield* watcherOf(options)
    return { run: Effect.provide(untraced(watcher.run()), context), ran: (connection) => watcher.ran(connection) }
  })
