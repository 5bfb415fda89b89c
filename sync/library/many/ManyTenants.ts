/**
 * Runs many tenants in one process: tracks whose runs are due, which tenants are open, and what is known of each. State files
 * are opened when there is something to do, and closed when others need the resources.
 */
import { Cause, Clock, Effect, PubSub, type Scope, Stream } from "effect"
import { nearest } from "../../../core/Nearest.ts"
import * as Schedule from "../../model/Schedule.ts"
import { StateError } from "../../state/Database.ts"
import { isElsewhere } from "../../state/StateError.ts"
import { busyness } from "../../schedule/Busy.ts"
import { Loop, type Scheduler, type TurnHandle } from "../../tenants/Loop.ts"
import { mostOpen, slotsOf, system } from "../../tenants/Limits.ts"
import { Pool } from "../../tenants/Pool.ts"
import { SPREAD_MS, spread, windowOf } from "../../tenants/Spread.ts"
import type { Event } from "../Api.ts"
import type { ConfigError, Configuration } from "../config/Configuration.ts"
import { messageOf, UsageError } from "../Exit.ts"
import { type OpenTenant, openTenant } from "./OpenTenant.ts"
import { configurationOf, type Known, newlyKnown } from "./Known.ts"
import { figuresOf, glance } from "./TenantFigures.ts"
import { pausedIn, type Tenant } from "./TenantSource.ts"
import { type TenantStatus, tenantStatus } from "./TenantStatus.ts"
import { ALL, takeTurn } from "./TenantTurn.ts"

export type { TenantStatus } from "./TenantStatus.ts"

export interface TenantsSettings {
  /** How many runs of all tenants may run at the same time; default 8. Slow sources are not counted. */
  readonly atOnce?: number
  /** How long a run may take; default 6 hours. Milliseconds. */
  readonly runMs?: number
  /** How many state files may be open; default: as many as memory and open files allow. */
  readonly maxOpen?: number
  /** The time within which runs that are due at the same instant start; default 10 seconds. Milliseconds. */
  readonly spreadMs?: number
  /** How long an unused state file stays open; default one minute. Milliseconds. */
  readonly idleMs?: number
}

export interface TenantEvent {
  readonly tenant: string
  readonly event: Event
}

/** How often to try a tenant whose state file another process has. Milliseconds. */
const LOCKED_MS = 2000
const [AT_ONCE, IDLE_MS] = [8, 60_000]

export class ManyTenants {
  readonly #settings: TenantsSettings
  readonly #tenants = new Map<string, Known>()
  readonly #events: PubSub.PubSub<TenantEvent>
  readonly #pool: Pool<OpenTenant, ConfigError | StateError>
  readonly #clock: Clock.Clock
  #loop: Loop

  private constructor(
    settings: TenantsSettings,
    events: PubSub.PubSub<TenantEvent>,
    loop: Loop,
    clock: Clock.Clock,
    command: string
  ) {
    this.#settings = settings
    this.#events = events
    this.#loop = loop
    this.#clock = clock
    this.#pool = new Pool({
      most: mostOf(settings),
      idleMs: settings.idleMs ?? IDLE_MS,
      open: (name) => openTenant(this.#known(name).tenant, (event) => this.#publish(name, event), command),
      isCurrent: (name, { db, tenant, version }) => {
        const { copy, replica } = this.#tenants.get(name)?.tenant ?? {}
        return tenant.version() === version && !db.isDead() && tenant.replica === replica && tenant.copy === copy
      },
      isRead: ({ tenant }) => tenant.copy !== undefined
    })
  }

  /** @param command what holds state files, for the error message of another process */
  static readonly make = (
    settings: TenantsSettings,
    command = "a program"
  ): Effect.Effect<ManyTenants, never, Scope.Scope> =>
    Effect.gen(function* () {
      // A slow subscriber misses the oldest events.
      const events = yield* Effect.acquireRelease(PubSub.sliding<TenantEvent>(1024), PubSub.shutdown)
      let all: ManyTenants | undefined
      const turn = (handle: TurnHandle) => Effect.suspend(() => all?.turn(handle) ?? Effect.void)
      const loop = yield* Loop.make({
        slots: slotsOf(mostOf(settings), settings.atOnce ?? AT_ONCE),
        turn,
        isBusy: busyness()
      })
      const made = new ManyTenants(settings, events, loop, yield* Clock.Clock, command)
      all = made
      yield* Effect.addFinalizer(() => made.#pool.closeAll)
      return made
    })

  get events(): Stream.Stream<TenantEvent> {
    return Stream.fromPubSub(this.#events)
  }

  get counts() {
    return {
      ...this.#loop.counts,
      tenants: this.#tenants.size,
      open: this.#pool.open,
      mostOpen: this.#pool.most,
      looked: this.#loop.looked
    }
  }

  /** Says whether work progresses. */
  get scheduler(): Scheduler {
    return this.#loop
  }

  /** Runs what is due until interrupted. */
  get run(): Effect.Effect<never, never, Scope.Scope> {
    const idle = this.#settings.idleMs ?? IDLE_MS
    const tidying = Effect.forever(Effect.andThen(Effect.sleep(Math.max(1000, idle / 4)), this.#pool.tidy))
    return Effect.andThen(Effect.forkScoped(tidying), this.#loop.run)
  }

  names(): ReadonlyArray<string> {
    return [...this.#tenants.keys()]
  }

  status(name: string): TenantStatus | undefined {
    const known = this.#tenants.get(name)
    return known === undefined ? undefined : this.#statusOf(known)
  }

  list(): ReadonlyArray<TenantStatus> {
    return [...this.#tenants.values()].map((known) => this.#statusOf(known))
  }

  /** Connections of a tenant that are running. */
  busy(name: string): ReadonlyArray<string> {
    return [...(this.#tenants.get(name)?.work.busy.values() ?? [])]
  }

  /** Adds a tenant; what is due is read from its files. */
  add(tenant: Tenant): Effect.Effect<void> {
    return Effect.uninterruptibleMask((restore) => {
      const known = this.#tenants.get(tenant.name) ?? newlyKnown(tenant)
      known.tenant = tenant
      this.#tenants.set(tenant.name, known)
      return this.#reread(tenant.name, restore)
    })
  }

  /** Removes a tenant: its current run continues to its end, and its state file is closed. */
  forget(name: string): Effect.Effect<void> {
    this.#loop.forget(name)
    this.#tenants.delete(name)
    return this.#letGo(name)
  }

  /** The same, and waits until it is closed. */
  leave(name: string): Effect.Effect<void> {
    this.#loop.forget(name)
    this.#tenants.delete(name)
    return this.#pool.close(name)
  }

  /** Closes its state file as soon as it is not in use; does not wait for that. */
  #letGo(name: string): Effect.Effect<void> {
    return Effect.asVoid(Effect.forkDetach(this.#pool.close(name)))
  }

  /** Reads again whether it is paused and when it is due. The state file of a paused tenant is closed. */
  refresh(name: string): Effect.Effect<void> {
    return Effect.uninterruptibleMask((restore) => this.#reread(name, restore))
  }

  #reread(name: string, restore: <A>(work: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> {
    const reading = Effect.sync(() => {
      const known = this.#tenants.get(name)
      if (known === undefined) return false
      known.configured = undefined
      known.paused = pausedIn(known.tenant.folder)
      if (known.paused !== undefined) this.#loop.forget(name)
      if (known.paused !== undefined || known.work.busy.size > 0 || this.#loop.isWaiting(name))
        return known.paused !== undefined
      const { due, figures } = glance(known.tenant, this.#clock.currentTimeMillisUnsafe())
      known.figures = figures
      this.#reschedule(known, due)
      return false
    })
    return restore(this.#pool.apart(reading)).pipe(
      // Who gives up while others are being opened must not leave it without a due time: it would never run.
      Effect.onInterrupt(() => Effect.sync(() => this.#dueNow(name))),
      Effect.flatMap((isPaused) => (isPaused ? this.#letGo(name) : Effect.void))
    )
  }

  #dueNow(name: string): void {
    const known = this.#tenants.get(name)
    if (known !== undefined) this.#reschedule(known, this.#clock.currentTimeMillisUnsafe())
  }

  /** Runs a tenant now, or one connection of it. */
  ask(name: string, connection: string = ALL): Effect.Effect<void, UsageError> {
    return Effect.suspend(() => {
      const known = this.#tenants.get(name)
      if (known === undefined) return this.#unknown(name)
      if (pausedIn(known.tenant.folder) !== undefined)
        return new UsageError({ why: `${name} is paused; resume it first` })
      known.work.asked.add(connection)
      this.#loop.ask(name)
      return Effect.void
    })
  }

  /** Checks at once what is due for a tenant: a webhook arrived, a plan was approved. */
  look(name: string): Effect.Effect<void> {
    return Effect.sync(() => {
      if (this.#tenants.has(name) && this.#tenants.get(name)?.paused === undefined) this.#loop.ask(name)
    })
  }

  /** The configuration of a tenant, read again when it has changed. Undefined if the tenant does not exist. */
  configuration(name: string): Effect.Effect<Configuration, ConfigError> | undefined {
    return configurationOf(this.#tenants.get(name))
  }

  /** Runs work with the tenant's state file, which stays open meanwhile. The tenant's runs may continue at the same time. */
  use<A, E, R>(
    name: string,
    work: (open: OpenTenant) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | UsageError | ConfigError | StateError, R> {
    return Effect.suspend((): Effect.Effect<A, E | UsageError | ConfigError | StateError, R> => {
      if (!this.#tenants.has(name)) return Effect.fail(this.#unknown(name))
      return this.#pool.use(name, (open) =>
        Effect.ensuring(
          work(open),
          Effect.sync(() => this.#remember(open))
        )
      )
    })
  }

  turn(handle: TurnHandle): Effect.Effect<void> {
    const { name } = handle
    return Effect.suspend(() => {
      const known = this.#tenants.get(name)
      if (known === undefined) return Effect.void
      known.paused = pausedIn(known.tenant.folder)
      if (known.paused !== undefined) return Effect.void
      return this.#pool
        .use(name, (open) => {
          known.trouble = undefined
          known.isLocked = false
          const publish = (event: Extract<Event, { type: "turn" }>["event"]) =>
            this.#publish(name, { type: "turn", event })
          return takeTurn(open, handle, {
            work: known.work,
            publish,
            runMs: this.#settings.runMs,
            apart: (work) => this.#pool.apart(work),
            again: (wakes) => this.#reschedule(known, wakes)
          }).pipe(Effect.ensuring(Effect.sync(() => this.#remember(open))))
        })
        .pipe(
          // Catches even unforeseen errors: a tenant that is not scheduled again would never run any more.
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause as Cause.Cause<never>)
              : this.#failed(known, Cause.squash(cause))
          )
        )
    })
  }

  /** Handles a tenant that could not be opened, or whose results could not be written. No other tenant is affected. */
  #failed(known: Known, error: unknown): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { name } = known.tenant
      const now = this.#clock.currentTimeMillisUnsafe()
      const message = messageOf(error)
      if (isElsewhere(error) || (error instanceof StateError && error.kind === "locked")) {
        this.#reschedule(known, now + LOCKED_MS)
        const isNew = !known.isLocked
        known.isLocked = true
        return isNew
          ? this.#publish(name, { type: "turn", event: { type: "waits", connection: ALL, message } })
          : Effect.void
      }
      const failures = (known.trouble?.failures ?? 0) + 1
      known.trouble = { message, failures }
      this.#reschedule(known, now + Schedule.backoff(failures))
      const event = { type: "failed", connection: ALL, why: "schedule", millis: 0, message, failures } as const
      return this.#publish(name, { type: "turn", event })
    })
  }

  #reschedule({ tenant: { name } }: Known, due: number): void {
    if (!this.#tenants.has(name)) return
    const now = this.#clock.currentTimeMillisUnsafe()
    const most = this.#settings.spreadMs ?? SPREAD_MS
    // Remaining work starts in its turn; what became due while nobody looked is spread like everything that is due.
    const window = due > now ? windowOf(due - now, most) : this.#loop.runningOf(name) > 0 ? 0 : most
    this.#loop.reschedule(name, spread(name, { due, now, window }))
  }

  #remember({ configuration, db, tenant }: OpenTenant): void {
    const known = this.#tenants.get(tenant.name)
    if (known === undefined) return
    try {
      known.figures = figuresOf(
        db,
        configuration.connections.map(({ id }) => id)
      )
    } catch {
      // The next turn reports what is wrong with the file.
    }
  }

  #statusOf({ figures, paused, tenant: { name }, trouble }: Known): TenantStatus {
    const isRunning = this.#loop.runningOf(name) > 0
    const next = this.#loop.nextOf(name) ?? null
    return tenantStatus({ name, figures, paused, trouble, next, isRunning, isQueued: this.#loop.isWaiting(name) })
  }

  #publish(tenant: string, event: Event): Effect.Effect<void> {
    return Effect.asVoid(PubSub.publish(this.#events, { tenant, event }))
  }

  #known(name: string): Known {
    const known = this.#tenants.get(name)
    if (known === undefined) throw new Error(`${name} is no longer a tenant`)
    return known
  }

  #unknown(name: string): UsageError {
    const meant = nearest(name, this.names())
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`
    return new UsageError({ why: `there is no tenant ${JSON.stringify(name)}${hint}` })
  }
}

const mostOf = ({ maxOpen }: TenantsSettings): number =>
  maxOpen === undefined ? mostOpen(system()) : Math.max(2, maxOpen)
