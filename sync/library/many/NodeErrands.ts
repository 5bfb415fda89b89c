/**
 * Does what others leave for a node of a cluster: runs and reconciliations that people request, and webhooks that reached
 * another node. Reports in turn what it knows of its tenants.
 */
import { Clock, Effect, Schema } from "effect"
import * as SentTwice from "../../apply/SentTwice.ts"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import * as Notices from "../../pull/Notices.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { messageOf } from "../Exit.ts"
import { asked } from "../Library.ts"
import type { ManyTenants } from "./ManyTenants.ts"
import type { TenantStatus } from "./TenantStatus.ts"
import { takeAsks } from "./TenantAsks.ts"

/** How often it reports. Milliseconds. */
const REPORTS_MS = 5000

const isNotice = Schema.is(Notices.WebhookNotice)

/** Nothing is known of a tenant that was not opened here yet; another node may know more. */
const isKnown = ({ attention, failures, paused, succeeded, trouble }: TenantStatus): boolean =>
  succeeded !== null || attention + failures > 0 || paused !== undefined || trouble !== undefined

export class NodeErrands {
  readonly #all: ManyTenants
  readonly #folder: string
  readonly #sessions: PgSessions
  /** Tenants that something is being done for. */
  readonly #busy = new Set<string>()
  #reported = Number.NEGATIVE_INFINITY
  /** What was last reported of each tenant. */
  readonly #said = new Map<string, string>()

  constructor(all: ManyTenants, folder: string, sessions: PgSessions) {
    this.#all = all
    this.#folder = folder
    this.#sessions = sessions
  }

  /** Takes requests: for any node through PostgreSQL, for this machine's through files. */
  run(node: string, held: ReadonlyArray<ClusterTables.TenantSeen>): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const runs = held.filter(({ asked }) => asked !== null)
      for (const { name } of runs) yield* Effect.ignore(this.#all.ask(name))
      yield* ClusterTables.clearAsks(this.#sessions, node, "asked", runs)
      for (const { ask, tenant } of takeAsks(this.#folder, (name) => this.#all.status(name) !== undefined))
        yield* ask === "sync" ? Effect.ignore(this.#all.ask(tenant)) : this.#all.refresh(tenant)
      for (const one of held)
        if (one.heard || one.late || one.reconcile !== null) yield* this.#apart(one.name, this.owed(node, [one]))
      yield* this.#report(node, held)
    })
  }

  /** What others left in PostgreSQL for these tenants, which is done before anything is sent for them. */
  owed(node: string | null, held: ReadonlyArray<ClusterTables.TenantSeen>): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      for (const one of held) {
        if (one.heard) yield* this.#hear(one)
        if (one.late) yield* this.#takeIn(one)
        if (one.reconcile !== null) yield* this.#reconcile(node, one)
      }
    })
  }

  /** One thing at a time for each tenant; nobody waits for it. What fails is tried again with the next look. */
  #apart(name: string, work: Effect.Effect<void, unknown>): Effect.Effect<void> {
    if (this.#busy.has(name) || this.#all.status(name) === undefined) return Effect.void
    this.#busy.add(name)
    return work.pipe(
      Effect.catch((error) => Effect.logWarning(messageOf(error))),
      Effect.ensuring(Effect.sync(() => void this.#busy.delete(name))),
      Effect.annotateLogs({ tenant: name }),
      Effect.forkDetach,
      Effect.asVoid
    )
  }

  /** Puts webhooks into the tenant's own queue, where each counts once, before they are deleted here. */
  #hear({ id, name }: ClusterTables.TenantSeen): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const passed = yield* ClusterTables.passed(this.#sessions, id)
      const notices = passed.flatMap(({ body }) => (isNotice(body) ? [body] : []))
      if (notices.length < passed.length)
        yield* Effect.logWarning(
          "webhooks from a node of another version were not understood; the next pull reads them"
        )
      const fresh = yield* this.#all.use(name, ({ configuration: { connections }, db }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          db.commit(() => notices.reduce((n, one) => n + Notices.enqueue(db, one, connections, now).fresh, 0))
        )
      )
      yield* ClusterTables.forgetPassed(this.#sessions, passed)
      if (fresh > 0) yield* this.#all.look(name)
    })
  }

  /** Compares what another node heard after it had lost this tenant with the tenant's own receipts. */
  #takeIn({ id, name }: ClusterTables.TenantSeen): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const late = yield* ClusterTables.lateOf(this.#sessions, id)
      const { news, taken } = yield* this.#all.use(name, ({ db }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => db.commit(() => SentTwice.takeIn(db, late, now)))
      )
      yield* ClusterTables.forgetLate(this.#sessions, id, taken)
      if (news > 0) yield* Effect.logError(`${news} calls were sent twice; its attention items say which`)
    })
  }

  /** As `daybook reconcile --fix` does: a tenant that is behind the service may send again afterwards. */
  #reconcile(node: string | null, seen: ClusterTables.TenantSeen): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const { name } = seen
      const { found } = yield* this.#all.use(name, ({ handle }) => asked(handle).reconcile({ fix: true }))
      yield* Effect.logInfo(`reconciled with the service; ${found.length} differences`)
      yield* ClusterTables.clearAsks(this.#sessions, node, "reconcile", [seen])
      yield* Effect.ignore(this.#all.ask(name))
    })
  }

  /** What changed since the last report; nothing of tenants that were not opened here yet. */
  #report(node: string, held: ReadonlyArray<ClusterTables.TenantSeen>): Effect.Effect<void, StoreAway> {
    const ids = new Map(held.map(({ id, name }) => [name, id]))
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (Math.abs(now - this.#reported) < REPORTS_MS) return Effect.void
      this.#reported = now
      const fresh = this.#all
        .list()
        .filter((one) => this.#said.has(one.name) || isKnown(one))
        .flatMap((status) => {
          const id = ids.get(status.name)
          return id === undefined ? [] : [{ id, name: status.name, body: JSON.stringify(status) }]
        })
        .filter(({ body, name }) => this.#said.get(name) !== body)
      return Effect.map(ClusterTables.report(this.#sessions, node, fresh), () => {
        for (const { body, name } of fresh) this.#said.set(name, body)
      })
    })
  }

  /** It no longer has this tenant: what another node says of it may differ. */
  forget(name: string): void {
    this.#said.delete(name)
  }
}
