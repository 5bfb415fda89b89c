/** Does what others left in PostgreSQL for a tenant, before anything is sent for it: webhooks, late answers, a reconciliation. */
import { Clock, Effect, Schema } from "effect"
import * as SentTwice from "../../apply/SentTwice.ts"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import * as Notices from "../../pull/Notices.ts"
import * as LedgerTrust from "../../state/LedgerTrust.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import { messageOf } from "../Exit.ts"
import { asked } from "../Library.ts"
import type { ManyTenants } from "./ManyTenants.ts"

const isNotice = Schema.is(Notices.WebhookNotice)

interface Place {
  readonly all: ManyTenants
  readonly sessions: PgSessions
}

const isBehind = (all: ManyTenants, name: string) =>
  all.use(name, ({ db }) => db.read(() => LedgerTrust.behind(db) !== undefined))

/** Puts webhooks into the tenant's own queue, where each counts once, before they are deleted here. */
const hear = ({ all, sessions }: Place, { id, name }: ClusterTables.TenantSeen) =>
  Effect.gen(function* () {
    const passed = yield* ClusterTables.passed(sessions, id)
    const notices = passed.flatMap(({ body }) => (isNotice(body) ? [body] : []))
    if (notices.length < passed.length)
      yield* Effect.logWarning(
        "webhooks from a worker of another version were not understood; the next pull reads them"
      )
    const fresh = yield* all.use(name, ({ configuration: { connections }, db }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        db.commit(() => notices.reduce((n, one) => n + Notices.enqueue(db, one, connections, now).fresh, 0))
      )
    )
    yield* ClusterTables.forgetPassed(sessions, passed)
    if (fresh > 0) yield* all.look(name)
  })

/** Compares what others heard after they had lost this tenant with the tenant's own receipts. */
const takeIn = ({ all, sessions }: Place, { id, name }: ClusterTables.TenantSeen) =>
  Effect.gen(function* () {
    const late = yield* ClusterTables.lateOf(sessions, id)
    const { news, taken } = yield* all.use(name, ({ db }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => db.commit(() => SentTwice.takeIn(db, late, now)))
    )
    yield* ClusterTables.forgetLate(sessions, id, taken)
    if (news > 0) yield* Effect.logError(`${news} calls were sent twice; its attention items say which`)
  })

/**
 * As `daybook pull` and `daybook reconcile --fix` do: a tenant that is behind the service may send again afterwards. What the service has
 * more than the ledger is taken over as the books say it, so they are read first, as far as they can be.
 */
const reconcile = ({ all, sessions }: Place, seen: ClusterTables.TenantSeen) =>
  Effect.gen(function* () {
    const { name } = seen
    const { found } = yield* all.use(name, ({ handle }) =>
      asked(handle)
        .pull()
        .pipe(
          Effect.catch((error) => Effect.logWarning(`not all was read before the service was: ${messageOf(error)}`)),
          Effect.andThen(asked(handle).reconcile({ fix: true }))
        )
    )
    yield* Effect.logInfo(`reconciled with the service; ${found.length} differences`)
    // Not all may be known yet, as of a call that is on its way: the next run reads the service again.
    if (!(yield* isBehind(all, name))) yield* ClusterTables.clearAsk(sessions, "reconcile", seen)
    yield* Effect.ignore(all.ask(name))
  })

/** @param all of this process, with the tenant open */
export const runErrands = (all: ManyTenants, sessions: PgSessions, seen: ClusterTables.TenantSeen) =>
  Effect.gen(function* () {
    const place = { all, sessions }
    if (seen.heard) yield* hear(place, seen)
    if (seen.reconcile !== null) yield* reconcile(place, seen)
    if (!seen.late) return
    // To a ledger that lacks what was sent, each answer would be of a call that was sent twice.
    if (!(yield* isBehind(all, seen.name))) yield* takeIn(place, seen)
  })
