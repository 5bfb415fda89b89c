/** Logs what the runs of many tenants say. */
import { Effect } from "effect"
import type { TenantEvent } from "../../sync/library/many/ManyTenants.ts"

export const logged = ({ event, tenant }: TenantEvent): Effect.Effect<void> => {
  if (event.type !== "turn") return Effect.void
  const { event: turn } = event
  const { connection } = turn
  const about = { tenant, ...(connection === "*" ? {} : { connection }) }
  const said = () => {
    switch (turn.type) {
      case "began":
        return Effect.logDebug(`started (${turn.why})`)
      case "waits":
        return Effect.logInfo(`waiting: ${turn.message}`)
      case "approval dropped":
        return Effect.logWarning(turn.message)
      case "ended": {
        const { message, millis, outcome } = turn
        // With thousands of tenants, only actual events are worth a line.
        const say = message === "0 read" || message === "nothing new" ? Effect.logDebug : Effect.logInfo
        return Effect.annotateLogs(say(message), { outcome, millis })
      }
      case "failed":
        return Effect.annotateLogs(Effect.logError(turn.message), { outcome: "failed", failures: turn.failures })
    }
  }
  return Effect.annotateLogs(said(), about)
}
