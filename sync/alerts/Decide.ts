/**
 * Decides which alerts begin, become more urgent, or are over; whom to notify, over which channel, and when. Pure: depends
 * only on the rules, the facts and the current alerts.
 *
 * Each channel is notified once of a cause, and once that it is over. If a cause is over before a channel was notified, the
 * pending notice is dropped. If a cause comes back before a channel heard that it was over, the channel is not notified
 * again.
 */
import { type Cause, causes, isKnown } from "./Causes.ts"
import type { Facts } from "./Facts.ts"
import type { Watch } from "./Rules.ts"
import { dueAt } from "./Timing.ts"

/** A notice about one alert to one channel. Instants are milliseconds since the epoch. */
export interface Notice {
  readonly channel: string
  readonly stage: number
  readonly due: number
  /** The channel already knows: it was never notified that this was over. */
  readonly known?: true
}

/** A channel that must still be notified that a cause is over; `stage` is the last one that it was notified of. */
export interface PendingEnd extends Pick<Cause, "kind" | "cause"> {
  readonly channel: string
  readonly stage: number
}

/** A current alert, with the notices that its channels got or will get. */
export interface StandingAlert extends Cause {
  readonly id: number
  readonly notices: ReadonlyArray<Notice & { readonly notified: boolean }>
}

export interface AlertDecision {
  readonly begun: ReadonlyArray<{ readonly cause: Cause; readonly notices: ReadonlyArray<Notice> }>
  /** Alerts that continue, with their current texts and further notices. */
  readonly changed: ReadonlyArray<{
    readonly id: number
    readonly cause: Cause
    readonly notices: ReadonlyArray<Notice>
  }>
  readonly over: ReadonlyArray<{
    readonly id: number
    /** Its deadline passed before anybody acted. */
    readonly passed: boolean
    readonly notices: ReadonlyArray<Notice>
  }>
}

/** A current cause, and the rules that match it. */
interface Holding {
  readonly cause: Cause
  /** By channel, the first rule that names it. */
  readonly channels: Map<string, { readonly watch: Watch; readonly stage: number }>
}

const nameOf = ({ cause, kind }: Pick<Cause, "cause" | "kind">): string => `${kind} ${cause}`

const holdings = (
  rules: ReadonlyArray<Watch>,
  facts: Facts,
  standing: ReadonlyMap<string, StandingAlert>
): ReadonlyMap<string, Holding> => {
  const all = new Map<string, Holding>()
  const isOpen = (kind: Cause["kind"], cause: string) => standing.has(nameOf({ kind, cause }))
  for (const watch of rules) {
    for (const cause of causes(facts, watch, isOpen)) {
      const name = nameOf(cause)
      const found = all.get(name)
      const channels: Holding["channels"] = found?.channels ?? new Map()
      for (const channel of watch.channels)
        if (!channels.has(channel)) channels.set(channel, { watch, stage: cause.stage })
      all.set(name, { cause: found !== undefined && found.cause.stage >= cause.stage ? found.cause : cause, channels })
    }
  }
  return all
}

const highest = (alert: StandingAlert | undefined, channel: string): number =>
  Math.max(-1, ...(alert?.notices ?? []).filter((one) => one.channel === channel).map(({ stage }) => stage))

/** New notices: for channels that were not notified, or only at a lower stage. */
const noticesOf = ({ channels }: Holding, alert: StandingAlert | undefined, now: number): ReadonlyArray<Notice> =>
  [...channels].flatMap(([channel, { stage, watch }]) =>
    stage > highest(alert, channel) ? [{ channel, stage, due: dueAt(watch, now) }] : []
  )

const isSame = (a: Cause, b: Cause): boolean =>
  a.stage === b.stage && a.title === b.title && a.words === b.words && a.until === b.until

/** Notifies every channel that was notified of the beginning, by the current rules. */
const ended = (alert: StandingAlert, rules: ReadonlyArray<Watch>, channels: ReadonlySet<string>, now: number) => {
  const names = [...new Set(alert.notices.map(({ channel }) => channel))]
  const wasNotified = (name: string) => alert.notices.some(({ channel, notified }) => notified && channel === name)
  const ruleOf = (name: string) => rules.find((one) => one.kind === alert.kind && one.channels.includes(name))
  return {
    id: alert.id,
    passed: alert.until !== null && alert.until <= now,
    notices: names
      .filter((name) => channels.has(name) && wasNotified(name))
      .map((channel) => ({ channel, stage: 0, due: dueAt(ruleOf(channel) ?? {}, now) }))
  }
}

/** The notices for a cause that begins, or begins again. */
const firstNotices = (held: Holding, ends: ReadonlyArray<PendingEnd>, now: number): ReadonlyArray<Notice> =>
  noticesOf(held, undefined, now).flatMap((notice): ReadonlyArray<Notice> => {
    const end = ends.find(({ channel }) => channel === notice.channel)
    if (end === undefined) return [notice]
    const before: Notice = { channel: notice.channel, stage: end.stage, due: now, known: true }
    return notice.stage > end.stage ? [before, notice] : [before]
  })

/** The relevant alerts of the state file. */
export interface AlertsBefore {
  readonly alerts: ReadonlyArray<StandingAlert>
  readonly ends: ReadonlyArray<PendingEnd>
}

/** @param channels the configured channels */
export const decideAlerts = (
  rules: ReadonlyArray<Watch>,
  facts: Facts,
  { alerts, ends }: AlertsBefore,
  channels: ReadonlySet<string>
): AlertDecision => {
  const { now } = facts
  const standing = new Map(alerts.map((alert) => [nameOf(alert), alert]))
  const holding = holdings(rules, facts, standing)
  return {
    begun: [...holding]
      .filter(([name]) => !standing.has(name))
      .map(([name, one]) => ({
        cause: one.cause,
        notices: firstNotices(
          one,
          ends.filter((end) => nameOf(end) === name),
          now
        )
      })),
    changed: alerts.flatMap((alert) => {
      const held = holding.get(nameOf(alert))
      if (held === undefined) return []
      const notices = noticesOf(held, alert, now)
      return notices.length === 0 && isSame(alert, held.cause) ? [] : [{ id: alert.id, cause: held.cause, notices }]
    }),
    over: alerts
      .filter((alert) => !holding.has(nameOf(alert)) && isKnown(facts, alert))
      .map((alert) => ended(alert, rules, channels, now))
  }
}
