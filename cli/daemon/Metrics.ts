/**
 * Collects the daemon's metrics: counted as things happen, or read from the state file on request. The same metrics go to
 * `/metrics` and to OpenTelemetry.
 */
import { Clock, Effect, Metric } from "effect"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import type { Delivered } from "../../sync/alerts/Watching.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { CHECKED } from "../../sync/apply/LastCheck.ts"
import type { RunEvent } from "../../sync/schedule/Scheduler.ts"
import { Database } from "../../sync/state/Database.ts"
import * as WebhookQueue from "../../sync/pull/WebhookQueue.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as RunState from "../../sync/schedule/RunState.ts"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })
const gauge = (name: string, description: string) => Metric.gauge(name, { description })

/** Named in `daybook doctor` too. */
export const unidentifiedRequests = counter(
  "daybook_requests_of_unknown_senders_total",
  "Requests through a proxy that is not trusted, or does not say for whom it forwards"
)
export const webhooks = counter("daybook_webhooks_total", "Webhooks received, by what became of them")
const turns = counter("daybook_turns_total", "Runs of connections, by how they ended")
const seconds = Metric.histogram("daybook_turn_seconds", {
  description: "Duration of runs",
  boundaries: [0.1, 0.5, 1, 5, 15, 60, 300, 1800]
})

const alertDeliveries = counter("daybook_alert_deliveries_total", "Attempts to send alerts, by channel and outcome")
const alertsOpen = gauge("daybook_alerts", "Current alerts")
const alertsQueued = gauge("daybook_alerts_queued", "Messages with alerts that are still to be sent")
const alertsFailed = gauge("daybook_alerts_failed", "Messages with alerts that were given up")
const attention = gauge("daybook_attention", "Open attention items")
const objections = gauge("daybook_objections", "Calls that the last check before sending stopped")
const pendingCalls = gauge("daybook_pending_calls", "Calls without a known result")
const quarantined = gauge("daybook_quarantined", "Records that could not be read")
const webhookQueue = gauge("daybook_webhook_queue", "Documents that webhooks announced and that are still to be read")
const approvals = gauge("daybook_approvals", "Plans that wait for approval")
const failures = gauge("daybook_failures", "Consecutive failures of a connection")
const succeeded = gauge("daybook_last_success_timestamp_seconds", "When a connection's run last succeeded")
const started = gauge("daybook_start_timestamp_seconds", "When the daemon started")

export const count = (event: RunEvent): Effect.Effect<void> => {
  if (event.type !== "ended" && event.type !== "failed") return Effect.void
  const { connection } = event
  const outcome = event.type === "failed" ? "failed" : event.outcome
  return Effect.andThen(
    Metric.update(Metric.withAttributes(turns, { connection, outcome }), 1),
    Metric.update(Metric.withAttributes(seconds, { connection }), event.millis / 1000)
  )
}

export const countAlert = ({ channel, outcome }: Delivered): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(alertDeliveries, { channel, outcome }), 1)

export const start = Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(started, Math.floor(now / 1000)))

/**
 * Reads metrics from the state file.
 *
 * @param connections the configured connections: the state file may have old entries of others
 */
export const refresh = Effect.fnUntraced(
  function* (connections: ReadonlyArray<string>) {
    const db = yield* Database
    const found = yield* db.snapshot(() => ({
      alerts: AlertStore.counts(db),
      attention: AttentionStore.count(db),
      objections: AttentionStore.countOfRules(db, CHECKED),
      pendingCalls: Status.pendingCalls(db),
      quarantined: Status.quarantinedCount(db),
      webhookQueue: WebhookQueue.count(db),
      approvals: Approvals.waiting(db),
      turns: [...RunState.all(db).values()].filter(({ connection }) => connections.includes(connection))
    }))
    yield* Metric.update(alertsOpen, found.alerts.open)
    yield* Metric.update(alertsQueued, found.alerts.queued)
    yield* Metric.update(alertsFailed, found.alerts.dead)
    yield* Metric.update(attention, found.attention)
    yield* Metric.update(objections, found.objections)
    yield* Metric.update(pendingCalls, found.pendingCalls)
    yield* Metric.update(quarantined, found.quarantined)
    yield* Metric.update(webhookQueue, found.webhookQueue)
    yield* Metric.update(approvals, found.approvals)
    for (const turn of found.turns) {
      const { connection } = turn
      yield* Metric.update(Metric.withAttributes(failures, { connection }), turn.failures)
      if (turn.succeeded !== null)
        yield* Metric.update(Metric.withAttributes(succeeded, { connection }), Math.floor(turn.succeeded / 1000))
    }
  },
  (work) => Effect.ignore(work)
)
