/**
 * Maintains one life of a node in a cluster, under one lease. The node measures its lease with all clocks of its machine, from
 * before its request, and believes the one by which it ends first; the others use PostgreSQL's clock, and bury a node whose lease has expired before they take its
 * tenants. A buried node never comes back: it releases everything, and joins again under a new number. A node that was only
 * late continues.
 */
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { PgSessions } from "../state/replication/postgres/PgSessions.ts"
import { type Lease, StoreAway } from "../state/replication/Store.ts"
import { elapsed, type Moment, moment } from "../state/replication/Clocks.ts"

export interface NodeOptions {
  readonly name: string
  /** How long the node may go without renewing its lease. Milliseconds. */
  readonly leaseMs: number
}

/** Allows for clock drift between machines, and for the time that a request takes to leave. Milliseconds. */
const MARGIN_MS = 500
/** The time limit of one attempt. Milliseconds. */
const ATTEMPT_MS = 2000

const JOIN = "INSERT INTO daybook.node (id, name, lease) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')"
const RENEW = `UPDATE daybook.node SET lease = clock_timestamp() + $2 * interval '1 ms', said = $3
  WHERE id = $1 AND NOT buried RETURNING id`
/** In one statement, so that nobody takes its tenants while it might still renew. */
const LEAVE = `WITH gone AS (UPDATE daybook.node SET buried = true WHERE id = $1 RETURNING id)
  UPDATE daybook.tenant SET owner = NULL FROM gone WHERE owner = gone.id`

const bounded = <A>(work: Effect.Effect<A, StoreAway>): Effect.Effect<A, StoreAway> =>
  Effect.timeoutOrElse(work, {
    duration: ATTEMPT_MS,
    orElse: () => Effect.fail(new StoreAway("PostgreSQL does not answer"))
  })

export class Membership implements Lease {
  readonly id: string
  readonly name: string
  readonly millis: number
  readonly #sessions: PgSessions
  readonly #clock: Clock.Clock
  /** When it asked for the lease that it has. */
  #asked: Moment
  #lost = false

  private constructor(
    id: string,
    { leaseMs, name }: NodeOptions,
    sessions: PgSessions,
    clock: Clock.Clock,
    asked: Moment
  ) {
    this.id = id
    this.name = name
    this.millis = leaseMs
    this.#sessions = sessions
    this.#clock = clock
    this.#asked = asked
  }

  /** @param sessions separate connections, so that shipping does not delay renewals */
  static readonly join = (sessions: PgSessions, options: NodeOptions): Effect.Effect<Membership, StoreAway> =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const id = randomUUID()
      const asked = moment(clock)
      yield* bounded(sessions.use(({ ask }) => ask(JOIN, [id, options.name, options.leaseMs])))
      return new Membership(id, options, sessions, clock, asked)
    })

  isValid(): boolean {
    return !this.#lost && this.left > 0
  }

  /** Others have buried it, or it has left: it will never be valid again. */
  get isLost(): boolean {
    return this.#lost
  }

  /** Milliseconds; negative once it has expired. */
  get left(): number {
    return this.millis - MARGIN_MS - elapsed(this.#asked, moment(this.#clock))
  }

  /** @param said what others should know about this node */
  renew(said: unknown): Effect.Effect<void, StoreAway> {
    return Effect.suspend(() => {
      const asked = moment(this.#clock)
      return Effect.map(
        bounded(this.#sessions.use(({ ask }) => ask(RENEW, [this.id, this.millis, JSON.stringify(said)], "renew"))),
        (rows) => {
          if (rows.length === 0) this.#lost = true
          else this.#asked = asked
        }
      )
    })
  }

  /** Announces that it takes no more tenants, and that its own are being released; or that it takes some again. */
  drain(drains: boolean): Effect.Effect<void, StoreAway> {
    const DRAIN = "UPDATE daybook.node SET draining = $2 WHERE id = $1"
    return Effect.asVoid(bounded(this.#sessions.use(({ ask }) => ask(DRAIN, [this.id, drains]))))
  }

  /** Leaves the cluster once nothing is in progress: its tenants are free at once. */
  get leave(): Effect.Effect<void, StoreAway> {
    this.#lost = true
    return Effect.asVoid(bounded(this.#sessions.use(({ ask }) => ask(LEAVE, [this.id]))))
  }
}
