/**
 * Tells who operates many tenants, by mail or webhook, of those that were given up, because their runs ended their process or failed again
 * and again. Nobody can open such a tenant to send its own alerts.
 */
import { Clock, Effect } from "effect"
import { HttpClient } from "effect/http"
import { randomUUID } from "node:crypto"
import { send } from "../../alerts/channels/Send.ts"
import type { AlertMessage } from "../../alerts/Message.ts"
import type { TenantsConfiguration } from "./TenantsFile.ts"

/**
 * Tells of one that the engine gave up.
 *
 * @returns whether a channel has accepted it; also if there is none, because then nobody wants to hear of it
 */
export const tellOfGivenUp = (
  { alerts, environment }: Pick<TenantsConfiguration, "alerts" | "environment">,
  tenant: string,
  why: string
) =>
  Effect.gen(function* () {
    if (alerts === undefined) return true
    const began = new Date(yield* Clock.currentTimeMillis).toISOString()
    const about = { alert: 0, kind: "tenant", connection: null, what: "began", began, ended: null } as const
    const message: AlertMessage = {
      id: randomUUID(),
      type: "daybook.alerts",
      alerts: [{ ...about, title: `${tenant} does not run`, words: `${why}.` }],
      more: 0
    }
    let accepted = false
    for (const [name, channel] of Object.entries(alerts.channels)) {
      const failed = yield* Effect.flip(send(channel, { environment }, message)).pipe(Effect.option)
      if (failed._tag === "None") accepted = true
      else yield* Effect.logWarning(`an alert did not reach ${name}: ${failed.value.why}`)
    }
    return accepted
  }).pipe(Effect.provideService(HttpClient.TracerDisabledWhen, () => true))
