/** Serves the section on connections: the state of each, and "sync now". */
import { Clock, Effect } from "effect"
import { given } from "../../core/Entry.ts"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Runs from "../../sync/apply/Runs.ts"
import * as Schedule from "../../sync/model/Schedule.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as RequestQuota from "../../sync/pull/RequestQuota.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as Pauses from "../../sync/schedule/Pauses.ts"
import * as RunState from "../../sync/schedule/RunState.ts"
import { Database } from "../../sync/state/Database.ts"
import { connectionsPage } from "./Connections.ts"
import { remembered } from "./Remembered.ts"
import { nothing, type PageHandler } from "./Response.ts"
import { grouped } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

const counted = remembered((db, key) => {
  const [day, ...ids] = key.split(" ")
  return {
    connections: ids.map((id) => Status.connection(db, id)),
    calls: Dashboard.calls(db, day as Day.Day, 30)
  }
})

export const show: PageHandler = ({ form }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const day = Day.fromEpochMillis(now)
    const data = yield* db.read(() => {
      const known = counted(db, [day, ...connections.map(({ id }) => id)].join(" "))
      const turns = RunState.all(db)
      const pauses = Pauses.all(db)
      return {
        ...known,
        connections: connections.map((connection, i) => {
          const { connector, every, id } = connection
          const turn = turns.get(id)
          const next = turn === undefined ? undefined : RunState.next(turn, every, now)
          const limit = RequestQuota.limitOf(connection)
          return {
            ...given(known.connections[i], id),
            source: connector.name,
            blindSpots: connector.capabilities.blindSpots,
            deletions: connector.capabilities.deletions,
            turn,
            attention: AttentionStore.countOf(db, id),
            approval: Approvals.of(db, id)?.decision,
            pause: pauses.get(id),
            next: Number.isFinite(next) ? next : undefined,
            schedule: every === undefined ? t`on request` : Schedule.words(every),
            quota: limit === undefined ? "" : t`${grouped(RequestQuota.spent(db, id, day))} of ${grouped(limit)}`
          }
        }),
        runs: Status.runs(db, 10).map((run) => ({ ...run, alive: Runs.isAlive(db, run.id) })),
        quarantined: QuarantinedRecords.all(db, 100),
        notReadable: Status.quarantinedCount(db),
        drift: Status.drift(db, 20),
        pendingCalls: Status.pendingCalls(db)
      }
    })
    return { title: t`Connections`, at: "/connections", follows: "", body: connectionsPage(data, form) }
  })

/** Requests a run of one connection. */
export const sync: PageHandler = ({ path }, { connections, wake }) =>
  Effect.gen(function* () {
    const connection = connections.find(({ id }) => id === path[1])
    if (connection === undefined) return nothing
    yield* wake(connection.id)
    return { to: "/connections", said: "asked" }
  })

/** Pauses or resumes a connection's automatic runs. */
export const paused =
  (said: "paused" | "resumed"): PageHandler =>
  ({ name, path }, { connections, wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const since = yield* Clock.currentTimeMillis
      const connection = connections.find(({ id }) => id === path[1])?.id
      if (connection === undefined) return nothing
      const who = name === "" ? "the page" : name
      yield* db.hold(
        db.transaction(() =>
          said === "paused" ? Pauses.pause(db, { connection, since, who }) : Pauses.resume(db, connection)
        )
      )
      if (said === "resumed") yield* wake(connection)
      return { to: "/connections", said }
    })
