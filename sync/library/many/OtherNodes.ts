/** Tells a node of a cluster what the other nodes last said of their tenants, so that its page lists all of them. */
import { Clock, Effect } from "effect"
import { askRun, reports, type TenantReport } from "../../cluster/Operations.ts"
import { heldBackBecause } from "../../cluster/Risk.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { NO_FIGURES } from "./TenantFigures.ts"
import type { TenantStatus } from "./TenantStatus.ts"

export interface TenantElsewhere extends TenantStatus {
  /** The living node that has it; null: none. */
  readonly node: string | null
  /** The address of that node's page, if it said one. */
  readonly page: string | null
}

/** How long an answer of PostgreSQL is reused; nodes report less often. Milliseconds. */
const FRESH_MS = 2000

const isAddress = (text: string | null): text is string => text !== null && /^https?:\/\/[^\s"'<>]+$/.test(text)

export const statusElsewhere = ({ body, kept, node, page, tenant, tries }: TenantReport): TenantElsewhere => {
  const said = (body ?? { ...NO_FIGURES, state: "waiting", next: null }) as Omit<TenantStatus, "name">
  if (kept !== null) {
    const { due, held, isRunning, paused } = kept
    const trouble = held === null ? {} : { trouble: `held back: ${held}` }
    const rests = held === null ? "waiting" : "in trouble"
    const state = isRunning ? "running" : paused === null ? rests : "paused"
    return {
      ...said,
      name: tenant,
      node: null,
      page: null,
      state,
      next: due,
      ...trouble,
      ...(paused === null ? {} : { paused })
    }
  }
  return {
    ...said,
    name: tenant,
    node,
    page: isAddress(page) ? page : null,
    ...(node === null ? { state: "in trouble", trouble: heldBackBecause(tries) ?? "no living node has it" } : {})
  }
}

export class OtherNodes {
  readonly #sessions: PgSessions
  readonly #isOwn: (tenant: string) => boolean
  #read = Number.NEGATIVE_INFINITY
  #known: ReadonlyArray<TenantElsewhere> = []

  constructor(sessions: PgSessions, isOwn: (tenant: string) => boolean) {
    this.#sessions = sessions
    this.#isOwn = isOwn
  }

  /** The tenants that this node does not have. */
  get all(): Effect.Effect<ReadonlyArray<TenantElsewhere>, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      if (Math.abs(now - this.#read) >= FRESH_MS) {
        this.#known = (yield* reports(this.#sessions)).map(statusElsewhere)
        this.#read = now
      }
      return this.#known.filter(({ name }) => !this.#isOwn(name))
    })
  }

  /** The address of the page of the node that has this tenant; undefined: it is not known. */
  pageOf(tenant: string): Effect.Effect<string | undefined> {
    return this.all.pipe(
      Effect.map((all) => all.find(({ name }) => name === tenant)?.page ?? undefined),
      Effect.catch(() => Effect.succeed(undefined))
    )
  }

  /** Requests a run by the node that has this tenant. Returns whether the cluster has it. */
  ask(tenant: string): Effect.Effect<boolean, StoreAway> {
    return askRun(this.#sessions, tenant)
  }
}
