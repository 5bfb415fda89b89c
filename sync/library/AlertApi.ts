/** Offers alerts to the library: current alerts, undelivered messages, and tests of the channels. */
import { Effect } from "effect"
import * as AlertStore from "../alerts/AlertStore.ts"
import { subjectOf } from "../alerts/Message.ts"
import { tryChannels } from "../alerts/Test.ts"
import { nearest } from "../../core/Nearest.ts"
import type { Db } from "../state/Database.ts"
import type { AlertsShown, Api } from "./Api.ts"
import { ConfigError, type Configuration } from "./config/Configuration.ts"
import { type HandleContext, writing } from "./Handle.ts"
import { dated, iso } from "./Plain.ts"

/** The most alerts in one answer. */
const MOST_SHOWN = 200

/** @param only the connections whose alerts are shown; default: the whole file */
export const shownAlerts = (db: Db, most = MOST_SHOWN, only?: ReadonlyArray<string>): AlertsShown => ({
  alerts: AlertStore.list(db, most, only).map((one) => dated(one, "began", "ended")),
  messages: AlertStore.unsent(db, only).map(({ attempts, channel, id, made, message, next, why }) => ({
    id,
    channel,
    subject: subjectOf(message),
    standing: next === null ? "given up" : "waiting",
    made: iso(made),
    attempts,
    next: iso(next),
    why
  }))
})

/** The channel with this name, or all channels. */
export const channelsOf = (
  { alerts, file }: Configuration,
  name: string | undefined
): Effect.Effect<ReadonlyArray<string>, ConfigError> => {
  const names = Object.keys(alerts?.channels ?? {})
  const fail = (problem: string) => Effect.fail(new ConfigError({ file, problems: [problem] }))
  if (names.length === 0) return fail("there are no channels for alerts; write them in alerts.channels")
  if (name === undefined) return Effect.succeed(names)
  if (names.includes(name)) return Effect.succeed([name])
  const meant = nearest(name, names)
  return fail(
    `there is no channel ${JSON.stringify(name)} in alerts.channels; ${meant === undefined ? `there are ${names.join(", ")}` : `did you mean "${meant}"?`}`
  )
}

/** @param only the connections whose messages may be sent again */
export const onAlerts = (
  handle: HandleContext,
  only?: ReadonlyArray<string>
): Pick<Api, "alerts" | "testAlerts" | "retryAlerts"> => {
  const { configuration, db, given } = handle
  return {
    alerts: () => db.snapshot(() => shownAlerts(db)),
    testAlerts: (channel) =>
      Effect.flatMap(channelsOf(configuration, channel), (names) =>
        configuration.alerts === undefined
          ? Effect.succeed([])
          : given(tryChannels(configuration.alerts, configuration, names))
      ),
    retryAlerts: (ids = []) => writing(handle, (now) => AlertStore.retry(db, ids, now, only))
  }
}
