/** Finds problems in a configuration's alerts that no single setting shows. */
import { nearest } from "../../../core/Nearest.ts"
import type { AlertKind, AlertRule, AlertSettings, EmailChannel, QuietHours } from "../../model/AlertSettings.ts"
import { unknownConnection } from "../UnknownConnection.ts"

/** Settings that belong only to some kinds of rules. */
const ONLY: Readonly<Record<string, ReadonlyArray<AlertKind>>> = {
  times: ["failed"],
  days: ["authorisation", "deadline"],
  free: ["disk"],
  seconds: ["clock"]
}

const OF_MACHINE: ReadonlyArray<AlertKind> = ["disk", "clock"]

const ofQuiet = (quiet: QuietHours | false | undefined, at: string): ReadonlyArray<string> =>
  quiet !== undefined && quiet !== false && quiet.from === quiet.to
    ? [`${at}.to: quiet hours that end as they begin are none; write another time, or leave "quiet" out`]
    : []

const ofRule = (rule: AlertRule, index: number, { channels }: AlertSettings, ids: ReadonlyArray<string>) => {
  const at = `alerts.rules[${index}]`
  const names = Object.keys(channels)
  const unfit = Object.entries(ONLY).flatMap(([name, kinds]) =>
    rule[name as keyof AlertRule] === undefined || kinds.includes(rule.on)
      ? []
      : [`${at}.${name}: applies to "${kinds.join('" and "')}" only; remove it`]
  )
  const strange = (rule.to ?? []).flatMap((name, n) => {
    if (names.includes(name)) return []
    const meant = nearest(name, names)
    const hint = meant === undefined ? `channels are ${names.join(", ")}` : `did you mean "${meant}"?`
    return [`${at}.to[${n}]: there is no channel "${name}"; ${hint}`]
  })
  const unknown = (rule.connections ?? []).flatMap((id, n) =>
    ids.includes(id) ? [] : [`${at}.connections[${n}]: ${unknownConnection(id, ids)}`]
  )
  const ofMachine =
    rule.connections !== undefined && OF_MACHINE.includes(rule.on)
      ? [`${at}.connections: ${rule.on} is about the machine, not about a connection; remove it`]
      : []
  return [...unfit, ...strange, ...unknown, ...ofMachine, ...ofQuiet(rule.quiet, `${at}.quiet`)]
}

const LOCAL = ["localhost", "127.0.0.1", "::1"]

const ofEmail = ({ host, password, security, user }: EmailChannel, at: string): ReadonlyArray<string> => [
  ...((user === undefined) === (password === undefined)
    ? []
    : [`${at}.${user === undefined ? "user" : "password"}: is missing; give user and password, or neither`]),
  ...(security === "none" && password !== undefined && !LOCAL.includes(host)
    ? [`${at}.security: none would send the password in the clear; write "starttls" or "tls"`]
    : [])
]

/** @param ids the connections' ids */
export const alertProblems = (alerts: AlertSettings | undefined, ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (alerts === undefined) return []
  const { channels, quiet, rules = [] } = alerts
  const names = Object.keys(channels)
  return [
    ...(names.length === 0
      ? ['alerts.channels: there is none; add one, like "ops": { "webhook": { "url": …, "secret": … } }']
      : []),
    ...Object.entries(channels).flatMap(([name, channel]) =>
      "email" in channel ? ofEmail(channel.email, `alerts.channels.${name}.email`) : []
    ),
    ...rules.flatMap((rule, index) => ofRule(rule, index, alerts, ids)),
    ...ofQuiet(quiet, "alerts.quiet")
  ]
}
