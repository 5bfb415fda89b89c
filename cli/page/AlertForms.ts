/**
 * Converts channels and rules of alerts between forms and the configuration. No form accepts a secret or the name of a
 * variable: the name is derived from the channel's own name and from everything that decides where its secret is sent, so
 * that a secret that was set for another channel or another address is never sent to one that is entered here. Pure.
 */
import type { JSONPath } from "jsonc-parser"
import { addressOfHost } from "../../core/Reach.ts"
import { ALERT_KINDS, type AlertRule, type Channel } from "../../sync/model/AlertSettings.ts"
import * as ChangeConfig from "../../sync/library/config/ChangeConfig.ts"
import { variableFor } from "../../sync/library/VariableNames.ts"
import { t } from "./language/Texts.ts"

export const CHANNEL_KINDS = ["email", "slack", "teams", "webhook"] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

/** `ALERT_OFFICE_PASSWORD_1K2J…`, of one kind of channel, one address and one tenant. */
const variableOf = (name: string, what: string, place: ReadonlyArray<unknown>) => ({
  env: variableFor(["ALERT", name, what], place)
})

const textOf = (posted: URLSearchParams, name: string): string => (posted.get(name) ?? "").trim().slice(0, 500)

const listOf = (text: string): ReadonlyArray<string> => text.split(/[,;\s]+/).filter((one) => one !== "")

const emailOf = (posted: URLSearchParams, name: string, tenant: string): unknown => {
  const text = (member: string) => textOf(posted, member)
  const [host, port, user, security] = [text("host"), text("port"), text("user"), text("security")]
  const place = [tenant, "email", host, port, security, user]
  return {
    host,
    ...(port === "" ? {} : { port: Number(port) }),
    ...(security === "" ? {} : { security }),
    ...(user === "" ? {} : { user, password: variableOf(name, "PASSWORD", place) }),
    from: text("from"),
    to: listOf(text("to"))
  }
}

/**
 * Parses a channel from a form; it is validated when it is written.
 *
 * @param tenant if there are several: they share the daemon's environment
 */
export const channelOf = (
  posted: URLSearchParams,
  tenant = ""
): { readonly name: string; readonly value: unknown; readonly address?: string } | string => {
  const name = textOf(posted, "channel")
  if (!NAME.test(name)) return t`Give the channel a name of letters, digits, "-" and "_".`
  switch (CHANNEL_KINDS.find((one) => one === posted.get("kind"))) {
    case "email":
      return { name, value: { email: emailOf(posted, name, tenant) }, address: addressOfHost(textOf(posted, "host")) }
    case "slack":
      return { name, value: { slack: { url: variableOf(name, "URL", [tenant, "slack"]) } } }
    case "teams":
      return { name, value: { teams: { url: variableOf(name, "URL", [tenant, "teams"]) } } }
    case "webhook": {
      const url = textOf(posted, "url")
      const secret = variableOf(name, "SECRET", [tenant, "webhook", url])
      return { name, value: { webhook: { url, secret } }, address: url }
    }
    case undefined:
      return t`Choose what kind of channel it is.`
  }
}

/** The variables that a channel needs. */
export const variablesOf = (channel: Channel): ReadonlyArray<string> => {
  const found: Array<string> = []
  JSON.stringify(channel, (_, value: unknown) => {
    if (typeof value === "object" && value !== null && "env" in value && typeof value.env === "string")
      found.push(value.env)
    return value
  })
  return found
}

/** Parses a rule from a form. */
export const ruleOf = (posted: URLSearchParams): unknown => {
  const text = (member: string) => textOf(posted, member)
  const on = ALERT_KINDS.find((one) => one === posted.get("on"))
  const to = posted.getAll("to").map((one) => one.slice(0, 63))
  const [times, days, free, at, zone] = [text("times"), text("days"), text("free"), text("at"), text("zone")]
  return {
    on,
    ...(on === "failed" && times !== "" ? { times: Number(times) } : {}),
    ...((on === "authorisation" || on === "deadline") && days !== "" ? { days: listOf(days).map(Number) } : {}),
    ...(on === "disk" && free !== "" ? { free } : {}),
    ...(to.length === 0 ? {} : { to }),
    ...(at === "" ? {} : { digest: { at, ...(zone === "" || zone === "UTC" ? {} : { zone }) } })
  }
}

/** Describes a rule in one line. */
export const ruleText = ({ connections, days, digest, free, on, quiet, seconds, times, to }: AlertRule): string =>
  [
    on,
    ...(times === undefined ? [] : [`${times} times`]),
    ...(days === undefined ? [] : [`${days.join(", ")} days before`]),
    ...(free === undefined ? [] : [`less than ${free} free`]),
    ...(seconds === undefined ? [] : [`more than ${seconds} seconds apart`]),
    ...(connections === undefined ? [] : [`of ${connections.join(", ")}`]),
    ...(digest === undefined ? [] : [`once a day at ${digest.at} (${digest.zone ?? "UTC"})`]),
    ...(quiet === undefined ? [] : [quiet === false ? "also in quiet hours" : `not from ${quiet.from} to ${quiet.to}`]),
    `to ${to === undefined ? "all channels" : to.join(", ")}`
  ].join(", ")

interface WrittenAlerts {
  readonly channels?: Readonly<Record<string, unknown>>
  readonly rules?: ReadonlyArray<unknown>
}

const alertsIn = (text: string): WrittenAlerts => (ChangeConfig.parsed(text)["alerts"] ?? {}) as WrittenAlerts

const CHANNELS: JSONPath = ["alerts", "channels"]
const RULES: JSONPath = ["alerts", "rules"]

export const withChannel =
  (name: string, value: unknown) =>
  (text: string): string => {
    if (alertsIn(text).channels?.[name] !== undefined)
      throw new Error(t`there is a channel ${name} already; take another name`)
    return ChangeConfig.withSetting(text, [...CHANNELS, name], value)
  }

/** Removes a channel; with the last one, removes the alerts if they contain nothing else. */
export const withoutChannel =
  (name: string) =>
  (text: string): string => {
    const { channels = {}, ...others } = alertsIn(text)
    if (channels[name] === undefined) throw new Error(t`channel ${name} no longer exists in the configuration`)
    const isLast = Object.keys(channels).length === 1 && Object.keys(others).length === 0
    return ChangeConfig.withSetting(text, isLast ? ["alerts"] : [...CHANNELS, name], undefined)
  }

export const withRule =
  (value: unknown) =>
  (text: string): string =>
    ChangeConfig.withEntry(text, RULES, value)

export const withoutRule =
  (index: number) =>
  (text: string): string => {
    const { rules = [] } = alertsIn(text)
    if (rules[index] === undefined) throw new Error(t`this rule no longer exists in the configuration`)
    return ChangeConfig.withSetting(text, rules.length === 1 ? RULES : [...RULES, index], undefined)
  }
