/**
 * Tells who operates many tenants, by mail or webhook, of those that no node runs because nodes ended with them. Nobody can open such a
 * tenant to send its own alerts. One node tells it, and notes it once a channel has accepted it: whoever comes next tells the rest.
 */
import { Clock, Duration, Effect } from "effect"
import { HttpClient } from "effect/http"
import { randomUUID } from "node:crypto"
import { send } from "../../alerts/channels/Send.ts"
import { type AlertEntry, type AlertMessage, MOST_LISTED } from "../../alerts/Message.ts"
import * as Risk from "../../cluster/Risk.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import * as Schedule from "../../model/Schedule.ts"
import type { NodeEndpoint } from "./NodeEndpoint.ts"
import type { TenantsConfiguration } from "./TenantsFile.ts"

/** How often to look. Milliseconds. */
const LOOKS_MS = 15_000

const entryOf = ({ tenant, tries }: Risk.Untold, now: number): AlertEntry => {
  const why = Risk.heldBackBecause(tries)
  const time = new Date(now).toISOString()
  const about = { alert: 0, kind: "tenant", connection: null, began: time } as const
  return why === undefined
    ? { ...about, what: "over", title: `${tenant} may run again`, words: "Somebody had it tried again.", ended: time }
    : { ...about, what: "began", title: `${tenant} does not run`, words: `${why}.`, ended: null }
}

type Channels = Pick<TenantsConfiguration, "alerts" | "environment">

/** Whether a channel has accepted it; also if there is none, because then nobody wants to hear of it. */
const tellOperators = ({ alerts, environment }: Channels, entries: ReadonlyArray<AlertEntry>) =>
  Effect.gen(function* () {
    if (alerts === undefined || entries.length === 0) return true
    const message: AlertMessage = {
      id: randomUUID(),
      type: "daybook.alerts",
      alerts: entries.slice(0, MOST_LISTED),
      more: Math.max(0, entries.length - MOST_LISTED)
    }
    let accepted = false
    for (const [name, channel] of Object.entries(alerts.channels)) {
      const failed = yield* Effect.flip(send(channel, { environment }, message)).pipe(Effect.option)
      if (failed._tag === "None") accepted = true
      else yield* Effect.logWarning(`an alert did not reach ${name}: ${failed.value.why}`)
    }
    return accepted
  })

/** Tells of one that the engine gave up. Returns whether that was accepted. */
export const tellOfGivenUp = (channels: Channels, tenant: string, why: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    tellOperators(channels, [
      {
        alert: 0,
        kind: "tenant",
        connection: null,
        what: "began",
        title: `${tenant} does not run`,
        words: `${why}.`,
        began: new Date(now).toISOString(),
        ended: null
      }
    ])
  ).pipe(Effect.provideService(HttpClient.TracerDisabledWhen, () => true))

/**
 * @param node who tells it
 * @returns whether everything that there is to tell was told
 */
export const tellOfHeldBack = (sessions: PgSessions, node: string, channels: Channels) =>
  Effect.gen(function* () {
    const all = channels.alerts === undefined ? [] : yield* Risk.untold(sessions, node)
    const now = yield* Clock.currentTimeMillis
    const accepted = yield* tellOperators(
      channels,
      all.map((one) => entryOf(one, now))
    )
    if (accepted && all.length > 0) yield* Risk.told(sessions, all)
    return accepted
  })

/** Tells it again and again, less often while nobody accepts it. */
export const operatorsAlerts = (endpoint: NodeEndpoint, configuration: TenantsConfiguration) =>
  Effect.gen(function* () {
    for (let failures = 0; ; ) {
      yield* Effect.sleep(Duration.millis(failures === 0 ? LOOKS_MS : Schedule.backoff(failures)))
      const { membership, sessions } = endpoint
      if (membership?.isValid() !== true) continue
      const done = yield* Effect.result(tellOfHeldBack(sessions, membership.id, configuration))
      failures = done._tag === "Success" && done.success ? 0 : failures + 1
    }
  }).pipe(Effect.provideService(HttpClient.TracerDisabledWhen, () => true))
